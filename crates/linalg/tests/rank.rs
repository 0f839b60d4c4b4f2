//! Decisions on ranks: the same matrix by elimination, by QR with pivots and by singular values.

use steiner_linalg::RankDecision;
use steiner_linalg::elimination::{Matrix, decide_rank};
use steiner_linalg::orthogonal::{pivoted_qr, singular};

#[test]
fn numbers_above_the_tolerance_count() {
    let decided = RankDecision::of([4.0, 1e-3, 2e-9, 1e-9], 1e-6);
    assert_eq!((decided.rank, decided.smallest_kept, decided.largest_dropped), (2, 1e-3, 2e-9));
    assert_eq!(decided.gap(), 1e-3 / 2e-9);
    assert_eq!(RankDecision::of([4.0, 1.0], 1e-6).gap(), f64::INFINITY);
    let nothing = RankDecision::of([0.0, 0.0], 0.0);
    assert_eq!((nothing.rank, nothing.gap()), (0, f64::INFINITY));
    assert_eq!(RankDecision::of([f64::NAN, 1.0], 1e-6).rank, 1);
}

#[test]
fn three_factorisations_agree_on_a_clear_rank() {
    // The third row is the sum of the others but for 1e-10.
    let rows = [[1.0, 2.0, 3.0], [0.0, 1.0, 5.0], [1.0, 3.0, 8.0 + 1e-10]];
    let matrix = Matrix::from_fn(3, 3, |r, c| rows[r][c]);
    let found = [
        decide_rank(matrix.clone(), 1e-6),
        pivoted_qr(matrix.clone()).decide_rank(1e-6),
        singular(matrix).decide_rank(1e-6),
    ];
    for decided in found {
        assert_eq!(decided.rank, 2);
        assert!(decided.gap() > 1e8 && decided.gap() < 1e12, "{decided:?}");
    }
}
