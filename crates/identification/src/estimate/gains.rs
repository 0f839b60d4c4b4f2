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
//!
//! Where a row shares little with rows in N·m, F hardly changes as K and the row's own parameters grow together.
//! So log K counts as known to a factor of ten around the gain K₀ by which the file's torques fit best: what a log
//! tells of a gain outweighs that by far, and what it does not tell has a deviation that says so.

use steiner_linalg::triangle::Triangle;

use super::least_squares::{LeastSquares, least_squares, values_only};
use super::weighted::Noise;
use crate::accumulate::Reduced;
use crate::failure::IdentificationError;

/// Steps, at most; ten are usual.
const MOST_STEPS: usize = 200;
/// A step that gains less than this of −log L ends them: a thousandth of a standard deviation.
const SETTLED: f64 = 1e-6;
/// Standard deviation of log K before anything is measured: a factor of ten.
const UNKNOWN: f64 = std::f64::consts::LN_10;

/// Base parameters and gains of a reduced log; `gains` are the rows' unknown gains among the base parameters.
/// Returns with them the log as it is linear there.
pub(crate) fn with_gains(
    reduced: &Reduced,
    gains: &[Option<usize>],
    prior: &[f64],
) -> Result<(LeastSquares, Noise, Reduced), IdentificationError> {
    let likelihood = Likelihood::new(reduced, gains, prior);
    let mut values = likelihood.start(prior);
    let mut value = likelihood.minus_log(&values);
    for _ in 0..MOST_STEPS {
        let (near, noise) = likelihood.near(&values);
        let stack = likelihood.with_nominal(near.stacked(&noise.weights()), &values);
        let (wanted, _) = values_only(&stack, prior);
        let mut length = 1.0;
        let (next, now) = loop {
            let next: Vec<f64> = values.iter().zip(&wanted).map(|(x, w)| x + length * (w - x)).collect();
            let now = likelihood.minus_log(&next);
            if now < value || length < 1e-9 {
                break (next, now);
            }
            length *= 0.5;
        };
        let gained = value - now;
        if gained > 0.0 {
            (values, value) = (next, now);
        }
        if gained < SETTLED {
            let (near, noise) = likelihood.near(&values);
            let stack = likelihood.with_nominal(near.stacked(&noise.weights()), &values);
            let mut solution = least_squares(&stack, prior);
            solution.values = values;
            return Ok((solution, noise, near));
        }
    }
    Err(IdentificationError::GainsUnsettled)
}

/// F of a reduced log.
struct Likelihood<'a> {
    reduced: &'a Reduced,
    gains: &'a [Option<usize>],
    /// (gain among the base parameters, K₀).
    nominal: Vec<(usize, f64)>,
}

impl<'a> Likelihood<'a> {
    fn new(reduced: &'a Reduced, gains: &'a [Option<usize>], prior: &[f64]) -> Self {
        let nominal = |(row, gain): (usize, &Option<usize>)| {
            let gain = (*gain)?;
            // A flipped current has the size of its gain still.
            let of_file = reduced.gain_by(row, gain, prior).abs();
            Some((gain, if of_file > 0.0 && of_file.is_finite() { of_file } else { prior[gain] }))
        };
        Likelihood { reduced, gains, nominal: gains.iter().enumerate().filter_map(nominal).collect() }
    }

    /// Where the steps start: the gains of the file's torques, and the parameters that fit best with them.
    fn start(&self, prior: &[f64]) -> Vec<f64> {
        let mut values = prior.to_vec();
        self.nominal.iter().for_each(|&(gain, nominal)| values[gain] = nominal);
        let (near, noise) = self.near(&values);
        let mut stack = near.stacked(&noise.weights());
        for &(gain, nominal) in &self.nominal {
            // As good as known.
            let mut row = vec![0.0; stack.columns()];
            let certain = 1e3 * (0..=gain).map(|r| stack.entry(r, gain).abs()).fold(0.0, f64::max);
            (row[gain], row[prior.len()]) = (certain, certain * nominal);
            stack.push(&row);
        }
        stack.reduce();
        let (mut values, _) = values_only(&stack, prior);
        self.nominal.iter().for_each(|&(gain, nominal)| values[gain] = nominal);
        values
    }

    /// The log near given values, and its noise there.
    fn near(&self, values: &[f64]) -> (Reduced, Noise) {
        let near = self.reduced.with_predicted_currents(self.gains, values);
        let noise = Noise::of(&near, values, values.len());
        (near, noise)
    }

    /// A triangle with what is known of the gains beforehand: ½ (log(K/K₀)/UNKNOWN)², linear near the values.
    fn with_nominal(&self, mut stack: Triangle, values: &[f64]) -> Triangle {
        for &(gain, nominal) in &self.nominal {
            let mut row = vec![0.0; stack.columns()];
            row[gain] = 1.0 / (UNKNOWN * values[gain]);
            row[values.len()] = (1.0 - (values[gain] / nominal).ln()) / UNKNOWN;
            stack.push(&row);
        }
        stack.reduce();
        stack
    }

    /// F with what is known beforehand; infinite where a gain is not positive.
    fn minus_log(&self, values: &[f64]) -> f64 {
        let (squares, counts) = (self.reduced.residual_squares(values), self.reduced.counts());
        let of_row = |row: usize| {
            let gain = self.gains[row].map_or(1.0, |gain| values[gain]);
            let size = squares[row].max(f64::MIN_POSITIVE);
            match gain > 0.0 {
                true => counts[row] as f64 * (0.5 * size.ln() - gain.ln()),
                false => f64::INFINITY,
            }
        };
        let rows: f64 = (0..self.gains.len()).filter(|&row| counts[row] > 0).map(of_row).sum();
        let known = |&(gain, nominal): &(usize, f64)| match values[gain] > 0.0 {
            true => 0.5 * ((values[gain] / nominal).ln() / UNKNOWN).powi(2),
            false => f64::INFINITY,
        };
        rows + self.nominal.iter().map(known).sum::<f64>()
    }
}
