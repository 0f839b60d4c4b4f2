//! Unknown gains of currents: maximum likelihood, with the noise where it is.
//!
//! A row whose torque is K i has the residual e = y − Yβ + K i, in N·m. Least squares of e weighted by e itself
//! reward small gains: with K → 0 and β → 0 every residual vanishes. The noise is on the current, where it is
//! e/K. With its variance estimated from the residuals, −log L is, up to constants,
//!
//! F(β, K) = Σ_r N_r log(‖e_r‖ / K_r),
//!
//! with K_r = 1 for rows in N·m. It is minimised by the steps of Gauss and Newton, each a weighted least-squares
//! problem ([`Reduced::with_predicted_currents`]), as long as F falls.

use super::least_squares::{LeastSquares, least_squares, values_only};
use super::weighted::Noise;
use crate::accumulate::Reduced;
use crate::failure::IdentificationError;

/// Steps, at most; ten are usual.
const MOST_STEPS: usize = 200;
/// A step that promises less than this of −log L ends them: a thousandth of a standard deviation.
const SETTLED: f64 = 1e-6;

/// Base parameters and gains of a reduced log; `gains` are the rows' unknown gains among the base parameters.
/// Returns with them the log as it is linear there.
pub(crate) fn with_gains(
    reduced: &Reduced,
    gains: &[Option<usize>],
    prior: &[f64],
) -> Result<(LeastSquares, Noise, Reduced), IdentificationError> {
    let mut values = start(reduced, gains, prior);
    let mut likelihood = minus_log_likelihood(reduced, gains, &values);
    for _ in 0..MOST_STEPS {
        let near = reduced.with_predicted_currents(gains, &values);
        let noise = Noise::of(&near, &values, prior.len());
        let (wanted, _) = values_only(&near.stacked(&noise.weights()), prior);
        let along = |length: f64| -> Vec<f64> {
            values.iter().zip(&wanted).map(|(x, w)| x + length * (w - x)).collect()
        };
        let mut length = 1.0;
        let next = loop {
            let next = along(length);
            let value = minus_log_likelihood(reduced, gains, &next);
            if value < likelihood || length < 1e-9 {
                break (next, value);
            }
            length *= 0.5;
        };
        let gain = likelihood - next.1;
        if gain > 0.0 {
            (values, likelihood) = next;
        }
        if gain < SETTLED {
            let near = reduced.with_predicted_currents(gains, &values);
            let noise = Noise::of(&near, &values, prior.len());
            let mut solution = least_squares(&near.stacked(&noise.weights()), prior);
            solution.values = values;
            return Ok((solution, noise, near));
        }
    }
    Err(IdentificationError::GainsUnsettled)
}

/// Where the steps start: ordinary least squares. They make gains too small, but of the right size; where one
/// is not even positive, the file's torques say what it is.
fn start(reduced: &Reduced, gains: &[Option<usize>], prior: &[f64]) -> Vec<f64> {
    let (mut values, _) = values_only(&reduced.stacked(&vec![1.0; gains.len()]), prior);
    for (row, gain) in gains.iter().enumerate() {
        let Some(gain) = *gain else { continue };
        if !(values[gain] > 0.0 && values[gain].is_finite()) {
            let of_file = reduced.gain_by(row, gain, prior);
            values[gain] = if of_file > 0.0 && of_file.is_finite() { of_file } else { prior[gain] };
        }
    }
    values
}

/// F; infinite where a gain is not positive.
fn minus_log_likelihood(reduced: &Reduced, gains: &[Option<usize>], values: &[f64]) -> f64 {
    let (squares, counts) = (reduced.residual_squares(values), reduced.counts());
    let of_row = |row: usize| {
        let gain = gains[row].map_or(1.0, |gain| values[gain]);
        let size = squares[row].max(f64::MIN_POSITIVE);
        match gain > 0.0 {
            true => counts[row] as f64 * (0.5 * size.ln() - gain.ln()),
            false => f64::INFINITY,
        }
    };
    (0..gains.len()).filter(|&row| counts[row] > 0).map(of_row).sum()
}
