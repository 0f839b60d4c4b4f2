//! Uncertainties: from the noise as it is assumed, and from blocks of neighbouring
//! samples without assuming it white.

use steiner_linalg::elimination::Matrix;

use super::least_squares::LeastSquares;
use crate::scores::Scores;

/// Unseen beyond this part of a parameter's own direction, its uncertainty is infinite.
const HIDDEN: f64 = 1e-6;

/// Standard deviations; infinite where the data see nothing.
pub(crate) fn sigma_of(solution: &LeastSquares, covariance: &Matrix<f64>) -> Vec<f64> {
    let sigma = |k: usize| match solution.hidden(k) > HIDDEN {
        true => f64::INFINITY,
        false => covariance[(k, k)].max(0.0).sqrt(),
    };
    (0..solution.values.len()).map(sigma).collect()
}

/// The sandwich C (Σ g gᵀ) C of block scores g, with C the inverse of the information: right for noise that
/// is correlated along the log or varies with it, as that of differentiated and filtered states does. The
/// factor is that of few blocks.
pub(crate) fn robust_covariance(solution: &LeastSquares, scores: &Scores) -> Option<Matrix<f64>> {
    let blocks = scores.blocks();
    (blocks > 1).then(|| {
        let few = blocks as f64 / (blocks - 1) as f64;
        let full = scores.covariance(&solution.inverse);
        let n = full.rows();
        Matrix::from_fn(n, n, |r, c| few * 0.5 * (full[(r, c)] + full[(c, r)]))
    })
}
