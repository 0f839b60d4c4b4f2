//! Rank, pivots and nullspaces over the fields the workspace uses.

use proptest::prelude::*;
use steiner_linalg::elimination::{Matrix, reduce, reduce_with_steps, solve};
use steiner_scalar::{DoubleDouble, Field, Fp, Real, Scalar};

fn matrix<S: Scalar>(rows: usize, columns: usize, entries: &[i64]) -> Matrix<S> {
    assert_eq!(entries.len(), rows * columns);
    Matrix::from_fn(rows, columns, |r, c| S::from_i64(entries[r * columns + c]))
}

#[test]
fn a_matrix_of_rank_two_has_the_nullspace_one_computes_by_hand() {
    fn check<S: Scalar>(tolerance: f64) {
        let m = matrix::<S>(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let echelon = reduce(m.clone(), 3, tolerance);
        assert_eq!(echelon.rank(), 2);
        let nullspace = echelon.nullspace();
        assert_eq!(nullspace.len(), 1);
        // A multiple of (1, −2, 1).
        let v = &nullspace[0];
        for (a, b) in [(v[0] - v[2], S::zero()), (v[0] + v[0] + v[1], S::zero())] {
            assert!((a - b).pivot_weight() <= tolerance);
        }
    }
    check::<Fp>(0.0);
    check::<f64>(1e-12);
    check::<DoubleDouble>(1e-28);
}

#[test]
fn right_hand_sides_are_carried_along() {
    // x + 2y = 5, 3x + 4y = 11 ⇒ (x, y) = (1, 2).
    let echelon = reduce(matrix::<Fp>(2, 3, &[1, 2, 5, 3, 4, 11]), 2, 0.0);
    let mut solution = [Fp::zero(); 2];
    for (row, &pivot) in echelon.pivots.iter().enumerate() {
        solution[pivot] = echelon.reduced[(row, 2)];
    }
    assert_eq!(solution, [Fp::one(), Fp::from_i64(2)]);
}

#[test]
fn a_right_hand_side_that_is_known_later_takes_the_same_steps() {
    fn check<S: Scalar + std::fmt::Debug>() {
        // Rank 2 of 3, with a zero where the first pivot would stand.
        let entries = [0, 2, 2, 5, 3, 4, 7, 11, 6, -1, 5, 3, 0, 0, 0, 0];
        let together = reduce(matrix::<S>(4, 4, &entries), 3, 1e-12);
        let left: Vec<i64> = entries.chunks(4).flat_map(|row| row[..3].to_vec()).collect();
        let right = entries.chunks(4).map(|row| S::from_i64(row[3])).collect();
        let (echelon, steps) = reduce_with_steps(matrix::<S>(4, 3, &left), 3, 1e-12);
        let carried: Vec<(usize, S)> = together
            .pivots
            .iter()
            .enumerate()
            .map(|(row, &pivot)| (pivot, together.reduced[(row, 3)]))
            .collect();
        assert_eq!(echelon.rank(), 2);
        assert_eq!(steps.solve(right), carried, "to the last digit");
        // One right-hand side alone, by going back.
        let alone = solve(matrix::<S>(4, 4, &entries), 1e-12);
        assert_eq!(alone.pivot_weights, together.pivot_weights);
        assert!(
            alone
                .values
                .iter()
                .zip(&carried)
                .all(|((a, x), (b, y))| a == b && (*x - *y).pivot_weight() < 1e-14)
        );
    }
    check::<Fp>();
    check::<f64>();
    check::<DoubleDouble>();
}

#[test]
fn shapes_without_entries_have_rank_zero() {
    for (rows, columns) in [(0, 0), (0, 3), (3, 0), (2, 3)] {
        let echelon = reduce(Matrix::<Fp>::zeros(rows, columns), columns, 0.0);
        assert_eq!(echelon.rank(), 0);
        assert_eq!(echelon.nullspace().len(), columns);
        assert_eq!(echelon.decision.gap(), f64::INFINITY);
    }
}

#[test]
fn the_gap_compares_the_smallest_pivot_with_the_noise() {
    let m = Matrix::from_fn(3, 3, |r, c| if r == c { [4.0, 1e-3, 1e-14][r] } else { 0.0 });
    let echelon = reduce(m, 3, 1e-9);
    assert_eq!(echelon.rank(), 2);
    assert!((echelon.decision.gap() / 1e11 - 1.0).abs() < 1e-9);
    // Elimination makes the second pivot the larger one here: 1, then 2.
    let growing = Matrix::from_fn(3, 3, |r, c| [[1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 0.0, 1e-12]][r][c]);
    let echelon = reduce(growing, 3, 1e-9);
    assert_eq!(echelon.pivot_weights, [1.0, 2.0]);
    assert!((echelon.decision.gap() / 1e12 - 1.0).abs() < 1e-9);
}

#[test]
fn products_and_transposes_agree_with_the_hand() {
    let m = matrix::<f64>(2, 3, &[1, 2, 3, 4, 5, 6]);
    assert_eq!(m.times(&m.transpose()), matrix(2, 2, &[14, 32, 32, 77]));
    assert_eq!(m.apply(&[1.0, 0.0, -1.0]), [-2.0, -2.0]);
    assert_eq!(Matrix::<f64>::identity(2).times(&m), m);
    let mut taller = m.clone();
    taller.push_row(&[7.0, 8.0, 9.0]);
    assert_eq!((taller.rows(), taller.columns(), taller.row(2)), (3, 3, &[7.0, 8.0, 9.0][..]));
}

/// A product of random factors: rows × rank times rank × columns.
fn low_rank() -> impl Strategy<Value = (usize, usize, usize, Vec<i64>, Vec<i64>)> {
    (1usize..9, 1usize..9).prop_flat_map(|(rows, columns)| {
        (0..=rows.min(columns)).prop_flat_map(move |rank| {
            let entries = |n| prop::collection::vec(-1000i64..1000, n);
            (Just(rows), Just(columns), Just(rank), entries(rows * rank), entries(rank * columns))
        })
    })
}

fn check_low_rank<S: Scalar>(
    (rows, columns, rank, left, right): (usize, usize, usize, Vec<i64>, Vec<i64>),
    tolerance: f64,
    residual: f64,
) -> Result<(), TestCaseError> {
    let m = matrix::<S>(rows, rank, &left).times(&matrix(rank, columns, &right));
    let echelon = reduce(m.clone(), columns, tolerance);
    prop_assert!(echelon.rank() <= rank);
    let nullspace = echelon.nullspace();
    prop_assert_eq!(nullspace.len(), columns - echelon.rank());
    for v in &nullspace {
        for x in m.apply(v) {
            prop_assert!(x.pivot_weight() <= residual);
        }
    }
    // The basis is independent, and the rank is that of the transpose.
    let basis = Matrix::from_fn(nullspace.len(), columns, |r, c| nullspace[r][c]);
    prop_assert_eq!(reduce(basis, columns, tolerance.min(1e-9)).rank(), nullspace.len());
    prop_assert_eq!(reduce(m.transpose(), rows, tolerance).rank(), echelon.rank());
    // The identity on the pivot columns.
    for (r, &p) in echelon.pivots.iter().enumerate() {
        for k in 0..echelon.rank() {
            let expected = if k == r { S::one() } else { S::zero() };
            prop_assert_eq!(echelon.reduced[(k, p)], expected);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_nullspace_of_a_low_rank_matrix_vanishes_exactly_in_the_prime_field(case in low_rank()) {
        check_low_rank::<Fp>(case, 0.0, 0.0)?;
    }

    #[test]
    fn the_nullspace_of_a_low_rank_matrix_vanishes_to_rounding_in_doubles(case in low_rank()) {
        check_low_rank::<f64>(case, 1e-6, 1e-5)?;
    }

    #[test]
    fn the_rank_in_the_prime_field_is_the_rank_in_30_digits(case in low_rank()) {
        let (rows, columns, rank, left, right) = case;
        fn rank_of<S: Scalar>(left: Matrix<S>, right: Matrix<S>, tolerance: f64) -> usize {
            let product = left.times(&right);
            let columns = product.columns();
            reduce(product, columns, tolerance).rank()
        }
        let exact = rank_of::<Fp>(matrix(rows, rank, &left), matrix(rank, columns, &right), 0.0);
        let digits = DoubleDouble::epsilon().to_f64() * 1e15;
        let wide = rank_of::<DoubleDouble>(matrix(rows, rank, &left), matrix(rank, columns, &right), digits);
        prop_assert_eq!(exact, wide);
    }
}
