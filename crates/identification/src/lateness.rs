//! What lags of forces do to the parameters.
//!
//! A force that comes later by L has the residual e ≈ Y Δβ − L ṗ, with the change ṗ of what is predicted. Both
//! follow together from least squares: with C the covariance, B the columns Yᵀṗ of the rows and c their ṗᵀṗ,
//! (diag c − BᵀCB) L = −ṗᵀe, and Δβ = C B L is by how much the estimate is off.

use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;

use crate::scores::Scores;

/// A lag must be so many times its deviation.
const CLEARLY: f64 = 3.0;
/// What is left of ṗ beside what parameters can follow, of all of it, at least: else nobody can tell a lag.
const LEFT: f64 = 1e-3;

/// The lag of every row, s, where it is clear, and zero elsewhere; `inverse` is the covariance for white noise,
/// `weights` are one over the noise of rows, and deviations are `inflation` times larger than white noise makes them.
pub(crate) fn clear_lags(
    scores: &Scores,
    inverse: &Matrix<f64>,
    weights: &[f64],
    inflation: f64,
) -> Vec<f64> {
    let none = vec![0.0; weights.len()];
    let mut rows: Vec<usize> = (0..weights.len()).filter(|&r| scores.lags[r].moments().1 > 0.0).collect();
    let square = |r: usize| weights[r] * weights[r];
    let follow: Vec<Vec<f64>> = scores.along.iter().map(|column| inverse.apply(column)).collect();
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    loop {
        // The system, in units of each row's own ṗ.
        let size = |r: usize| (square(r) * scores.lags[r].moments().1).sqrt();
        let entry = |r: usize, s: usize| {
            let coupled = square(r) * square(s) * dot(&scores.along[r], &follow[s]);
            let own = if r == s { square(r) * scores.lags[r].moments().1 } else { 0.0 };
            (own - coupled) / (size(r) * size(s))
        };
        rows.retain(|&r| entry(r, r) > LEFT);
        let system = Matrix::from_fn(rows.len(), rows.len(), |i, j| entry(rows[i], rows[j]));
        let Ok(factor) = Cholesky::new(system) else { return none };
        let inverted = factor.inverse();
        let right = |r: usize| -square(r) * scores.lags[r].moments().0 / size(r);
        let right: Vec<f64> = rows.iter().map(|&r| right(r)).collect();
        let scaled = inverted.apply(&right);
        let unclear = |k: usize| scaled[k].abs() < CLEARLY * inflation * inverted[(k, k)].max(0.0).sqrt();
        let weakest = (0..rows.len()).filter(|&k| unclear(k)).min_by(|&a, &b| {
            let z = |k: usize| scaled[k].abs() / inverted[(k, k)].max(f64::MIN_POSITIVE).sqrt();
            z(a).total_cmp(&z(b))
        });
        if let Some(k) = weakest {
            rows.remove(k);
            continue;
        }
        let mut lags = none;
        rows.iter().enumerate().for_each(|(k, &r)| lags[r] = scaled[k] / size(r));
        return lags;
    }
}

/// By how much the lags of rows move every base parameter.
pub(crate) fn moved_by(lags: &[f64], scores: &Scores, inverse: &Matrix<f64>, weights: &[f64]) -> Vec<f64> {
    let mut along = vec![0.0; inverse.rows()];
    for (r, lag) in lags.iter().enumerate().filter(|(_, lag)| **lag != 0.0) {
        let factor = weights[r] * weights[r] * lag;
        along.iter_mut().zip(&scores.along[r]).for_each(|(sum, x)| *sum += factor * x);
    }
    inverse.apply(&along)
}
