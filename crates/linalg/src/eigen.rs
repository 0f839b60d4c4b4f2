//! Eigenvalues of small symmetric matrices by Jacobi's rotations.

use crate::square::{Square, identity};

/// Sweeps after which rounding alone is left: convergence is quadratic, five to ten are usual.
const MOST_SWEEPS: usize = 50;

/// Eigenvalues, ascending, and the rotation V of M = V diag Vᵀ: its columns are the eigenvectors.
pub fn symmetric_eigen<const N: usize>(matrix: &Square<N>) -> ([f64; N], Square<N>) {
    let mut a = *matrix;
    let mut v = identity::<N>();
    for _ in 0..MOST_SWEEPS {
        if (0..N).all(|p| a[p][p + 1..].iter().all(|x| *x == 0.0)) {
            break;
        }
        for p in 0..N {
            for q in p + 1..N {
                if a[p][q] != 0.0 {
                    annihilate(&mut a, &mut v, p, q);
                }
            }
        }
    }
    let mut order: [usize; N] = std::array::from_fn(|k| k);
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    (order.map(|k| a[k][k]), std::array::from_fn(|r| std::array::from_fn(|c| v[r][order[c]])))
}

/// Turns in the plane of two axes, so that the entry at p, q becomes zero.
fn annihilate<const N: usize>(a: &mut Square<N>, v: &mut Square<N>, p: usize, q: usize) {
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = if theta == 0.0 { 1.0 } else { theta.signum() / (theta.abs() + theta.hypot(1.0)) };
    let t = if t.is_finite() { t } else { 0.0 };
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    for row in a.iter_mut().chain(v) {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (first, second) = (a[p], a[q]);
    for k in 0..N {
        (a[p][k], a[q][k]) = (c * first[k] - s * second[k], s * first[k] + c * second[k]);
    }
    (a[p][q], a[q][p]) = (0.0, 0.0);
}
