//! Solving with the mass matrix without roots, leaves first.

use steiner_linalg::elimination::Matrix;
use steiner_scalar::Scalar;

/// x with M x = b for a symmetric positive definite M, by M = LᵀDL (\[featherstone2008\], section 6.5).
///
/// Eliminating from the last row upward fills nothing in where bodies are on different branches, so what is
/// zero in the mass matrix of a tree costs nothing when the scalar folds zeros.
pub(crate) fn solve_leaves_first<S: Scalar>(mass: &Matrix<S>, b: &[S]) -> Vec<S> {
    let size = mass.rows();
    let mut m = mass.clone();
    let mut x = b.to_vec();
    let mut inverse_pivots = vec![S::zero(); size];
    for k in (0..size).rev() {
        inverse_pivots[k] = m[(k, k)].inv();
        for i in 0..k {
            let factor = m[(k, i)] * inverse_pivots[k];
            if factor == S::zero() {
                continue;
            }
            for j in 0..=i {
                m[(i, j)] = m[(i, j)] - factor * m[(k, j)];
            }
            x[i] = x[i] - factor * x[k];
            // Row k becomes that of L; entries to its left still serve the rows above.
            m[(i, k)] = factor;
        }
    }
    for k in 0..size {
        x[k] = x[k] * inverse_pivots[k];
        for i in 0..k {
            x[k] = x[k] - m[(i, k)] * x[i];
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_positive_definite_matrix_is_solved() {
        let rows = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 2.0]];
        let m = Matrix::from_fn(3, 3, |r, c| rows[r][c]);
        let x = solve_leaves_first(&m, &m.apply(&[1.0, -2.0, 3.0]));
        assert!(x.iter().zip([1.0, -2.0, 3.0]).all(|(a, b): (&f64, _)| (a - b).abs() < 1e-14));
    }
}
