//! Cholesky's factor: a literal case, and what a factor has to satisfy.

use proptest::prelude::*;
use steiner_linalg::cholesky::{Cholesky, NotPositiveDefinite, inverse_lower, lower_factor};
use steiner_linalg::elimination::Matrix;
use steiner_linalg::square::{Square, identity, times, transposed};

const LITERAL: Square<3> = [[4.0, 12.0, -16.0], [12.0, 37.0, -43.0], [-16.0, -43.0, 98.0]];

fn dense<const N: usize>(m: &Square<N>) -> Matrix<f64> {
    Matrix::from_fn(N, N, |r, c| m[r][c])
}

#[test]
fn the_factor_of_a_literal_matrix() {
    assert_eq!(lower_factor(&LITERAL), Ok([[2.0, 0.0, 0.0], [6.0, 1.0, 0.0], [-8.0, 5.0, 3.0]]));
    let solved = Cholesky::new(dense(&LITERAL)).expect("positive").solve(&[0.0, 6.0, 39.0]);
    let back = dense(&LITERAL).apply(&solved);
    assert!(back.iter().zip([0.0, 6.0, 39.0]).all(|(a, b)| (a - b).abs() < 1e-11), "{back:?}");
}

#[test]
fn the_row_that_is_not_positive_is_named() {
    let mut indefinite = LITERAL;
    indefinite[1][1] = 36.0;
    assert_eq!(lower_factor(&indefinite), Err(NotPositiveDefinite { row: 1 }));
    assert_eq!(Cholesky::new(dense(&indefinite)).err(), Some(NotPositiveDefinite { row: 1 }));
    assert_eq!(lower_factor(&[[f64::NAN]]), Err(NotPositiveDefinite { row: 0 }));
    assert_eq!(lower_factor(&[[f64::INFINITY]]), Err(NotPositiveDefinite { row: 0 }));
}

proptest! {
    #[test]
    fn factors_reproduce_and_invert(root in proptest::array::uniform6(proptest::array::uniform6(-1.0f64..1.0))) {
        let mut m = times(&root, &transposed(&root));
        (0..6).for_each(|k| m[k][k] += 0.5);
        let lower = lower_factor(&m).expect("positive");
        let again = times(&lower, &transposed(&lower));
        let unit = times(&inverse_lower(&lower), &lower);
        let inverse = Cholesky::new(dense(&m)).expect("positive").inverse();
        let product = dense(&m).times(&inverse);
        for r in 0..6 {
            for c in 0..6 {
                prop_assert!((again[r][c] - m[r][c]).abs() < 1e-13);
                prop_assert!((unit[r][c] - identity::<6>()[r][c]).abs() < 1e-12);
                prop_assert!((product[(r, c)] - identity::<6>()[r][c]).abs() < 1e-12);
            }
        }
    }
}
