//! Orthogonal factorisations: a literal case and properties, in doubles and in double-double.

use proptest::prelude::*;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::{leading_singular, pivoted_qr, singular};
use steiner_scalar::{DoubleDouble, Real};

fn matrix<R: Real>(rows: usize, columns: usize, entries: &[f64]) -> Matrix<R> {
    Matrix::from_fn(rows, columns, |r, c| R::from_f64(entries[r * columns + c]))
}

fn product<R: Real>(a: &Matrix<R>, v: &[R]) -> f64 {
    a.apply(v).iter().map(|x| x.to_f64().powi(2)).sum::<f64>().sqrt()
}

#[test]
fn singular_values_of_a_literal_matrix() {
    // [[3, 0], [4, 5]]: σ² are the roots of x² − 50 x + 225, 45 and 5.
    let found = singular(matrix::<f64>(2, 2, &[3.0, 0.0, 4.0, 5.0]));
    assert!((found.values[0] - 45f64.sqrt()).abs() < 1e-14 && (found.values[1] - 5f64.sqrt()).abs() < 1e-14);
    let wide = singular(matrix::<DoubleDouble>(2, 2, &[3.0, 0.0, 4.0, 5.0]));
    let square = wide.values[0] * wide.values[0];
    assert!((square - <DoubleDouble as steiner_scalar::Scalar>::from_f64(45.0)).to_f64().abs() < 1e-28);
}

fn factors_reproduce<R: Real>(rows: usize, columns: usize, entries: &[f64], rank: usize, tolerance: f64) {
    let a = matrix::<R>(rows, columns, entries);
    let size = entries.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let qr = pivoted_qr(a.clone());
    // Q is orthogonal: AᵀA = P RᵀR Pᵀ.
    let (gram, triangle) = (a.transpose().times(&a), qr.r.transpose().times(&qr.r));
    for i in 0..columns {
        for j in 0..columns {
            let difference = gram[(qr.order[i], qr.order[j])] - triangle[(i, j)];
            assert!(difference.to_f64().abs() < tolerance * size * size * rows as f64);
        }
    }
    assert!(qr.diagonal().windows(2).all(|d| d[1].to_f64() <= d[0].to_f64() * (1.0 + 1e-12)));
    assert_eq!(qr.decide_rank(tolerance * 10.0).rank, rank);
    for v in qr.nullspace(rank) {
        let largest = v.iter().fold(0.0, |most: f64, x| most.max(x.to_f64().abs()));
        assert!(product(&a, &v) < tolerance * size * largest * 1e3);
    }
    let svd = singular(a.clone());
    for (sigma, v) in svd.values.iter().zip(&svd.vectors) {
        // |A v| is taken in doubles.
        assert!(
            (product(&a, v) - sigma.to_f64()).abs() < tolerance.max(1e-14) * size * 1e2,
            "{} {} {size} {tolerance} {:?}",
            product(&a, v),
            sigma.to_f64(),
            svd.values
        );
        let norm: f64 = v.iter().map(|x| x.to_f64().powi(2)).sum();
        assert!((norm - 1.0).abs() < 1e-12);
    }
    // Those that are not zero, found without the others.
    let leading = leading_singular(a.clone(), rank);
    assert_eq!(leading.values.len(), rank);
    for ((sigma, v), other) in leading.values.iter().zip(&leading.vectors).zip(&svd.values) {
        assert!((*sigma - *other).to_f64().abs() < tolerance * size * 1e2);
        assert!((product(&a, v) - sigma.to_f64()).abs() < tolerance.max(1e-14) * size * 1e2);
        assert!((v.iter().map(|x| x.to_f64().powi(2)).sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let nonzero =
        svd.values.iter().filter(|s| s.to_f64() > tolerance * 10.0 * svd.values[0].to_f64()).count();
    assert_eq!(nonzero, rank);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn factors_reproduce_the_matrix_and_find_its_rank(
        (rows, columns, rank) in (2usize..12, 2usize..9).prop_flat_map(|(r, c)| (Just(r), Just(c), 1..=r.min(c))),
        seed in proptest::collection::vec(-8i8..=8, 12 * 9 + 12 * 9),
    ) {
        // A product of integer factors has exactly the rank of the thinner, unless they conspire; then skip.
        let left = Matrix::<f64>::from_fn(rows, rank, |r, k| f64::from(seed[r * 9 + k]));
        let right = Matrix::<f64>::from_fn(rank, columns, |k, c| f64::from(seed[108 + k * 9 + c]));
        let a = left.times(&right);
        let true_rank = steiner_linalg::elimination::decide_rank(
            Matrix::<steiner_scalar::Rational>::from_fn(rows, columns, |r, c| {
                steiner_scalar::Rational::from(a[(r, c)] as i64)
            }),
            0.0,
        ).rank;
        prop_assume!(true_rank > 0);
        factors_reproduce::<f64>(rows, columns, a.entries(), true_rank, 1e-12);
        factors_reproduce::<DoubleDouble>(rows, columns, a.entries(), true_rank, 1e-27);
    }
}
