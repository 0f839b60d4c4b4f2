//! Whether a row would fit if what was recorded of it had another sign or unit.

use std::f64::consts::PI;

use super::least_squares::values_only;
use super::weighted::Noise;
use crate::accumulate::Reduced;

/// Factors that mistakes make, besides signs: N·mm, kN·m, and degrees in what the force was computed from.
const FACTORS: [f64; 5] = [1.0, 1000.0, 0.001, 180.0 / PI, PI / 180.0];

/// The factor for what was recorded of a row with which given parameters predict it best, if without it they
/// predict nothing of it and with it nearly all: (factor, relative residual with it).
pub(crate) fn scale_by_file(reduced: &Reduced, row: usize, values: &[f64]) -> Option<(f64, f64)> {
    let relative = |factor: f64| {
        let scaled = reduced.with_scaled_row(row, factor);
        (scaled.residual_squares(values)[row] / scaled.squares()[row]).sqrt()
    };
    let candidates = FACTORS.iter().flat_map(|&factor| [factor, -factor]);
    let tried = candidates.map(|factor| (factor, relative(factor)));
    let best = tried.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.0 != 1.0 && best.1 < WELL && relative(1.0) > BADLY).then_some(best)
}

/// The factor for what was recorded of all rows with which given parameters predict one of them well and none worse, if
/// without it they predict nothing of any: (factor, relative residuals as recorded, with it), of the rows together. Rows
/// that are mostly friction, which files seldom have, need not agree.
pub(crate) fn common_scale(reduced: &Reduced, values: &[f64]) -> Option<(f64, f64, f64)> {
    let rows: Vec<usize> = (0..reduced.counts().len()).filter(|&r| reduced.counts()[r] > 0).collect();
    let relatives = |factor: f64| -> Vec<f64> {
        let scaled = rows.iter().fold(reduced.clone(), |log, &r| log.with_scaled_row(r, factor));
        let (left, all) = (scaled.residual_squares(values), scaled.squares());
        rows.iter().map(|&r| (left[r] / all[r]).sqrt()).collect()
    };
    let as_recorded = relatives(1.0);
    if rows.len() < 2 || as_recorded.iter().any(|relative| *relative < NOTHING) {
        return None;
    }
    let mean = |relatives: &[f64]| {
        (relatives.iter().map(|relative| relative.powi(2)).sum::<f64>() / relatives.len() as f64).sqrt()
    };
    let candidates = FACTORS.iter().flat_map(|&factor| [factor, -factor]).filter(|factor| *factor != 1.0);
    let tried = candidates.map(|factor| (factor, relatives(factor)));
    let best = tried.min_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1)))?;
    let none_worse =
        |found: &[f64]| found.iter().zip(&as_recorded).all(|(with, before)| *with < NOT_WORSE * before);
    if best.1.iter().any(|relative| *relative < WELL) && none_worse(&best.1) {
        return Some((best.0, mean(&as_recorded), mean(&best.1)));
    }
    // Any other factor, as of currents, must fit all rows together: a file may be too light, too.
    let factor = nearest_factor(reduced, values, &rows);
    let with = relatives(factor);
    let far = factor.abs() > OTHER || factor.abs() < 1.0 / OTHER;
    // Forces far below all that is predicted are hardly those of the robot, even where the file knows no friction.
    let fits = mean(&with) < if factor > FAR { BADLY } else { WELL };
    (far && fits && none_worse(&with)).then(|| (factor, mean(&as_recorded), mean(&with)))
}

/// The factor a for what was recorded, m, that brings rows nearest to what is predicted, p, each beside its own:
/// Σ (p·m / p²) / Σ (m² / p²).
fn nearest_factor(reduced: &Reduced, values: &[f64], rows: &[usize]) -> f64 {
    let nothing = rows.iter().fold(reduced.clone(), |log, &r| log.with_scaled_row(r, 0.0));
    let (predicted, recorded) = (nothing.residual_squares(values), reduced.squares());
    let left = reduced.residual_squares(values);
    let sums = rows.iter().filter(|&&r| predicted[r] > 0.0).fold((0.0, 0.0), |sums, &r| {
        let mixed = 0.5 * (recorded[r] + predicted[r] - left[r]);
        (sums.0 + mixed / predicted[r], sums.1 + recorded[r] / predicted[r])
    });
    sums.0 / sums.1
}

/// All forces of another unit differ by more than this factor…
const OTHER: f64 = 3.0;
/// …and those of a robot that is so much lighter than its file are none.
const FAR: f64 = 5.0;

/// Relative residual of a prediction that says nothing.
const NOTHING: f64 = 0.9;
/// What is friction alone fits as little in any unit.
const NOT_WORSE: f64 = 1.05;

/// Relative residuals of a good and of a bad prediction.
pub(crate) const WELL: f64 = 0.3;
pub(crate) const BADLY: f64 = 0.6;

/// Rounds of weights by the noise of each row.
const ROUNDS: usize = 2;

/// A log with what was recorded of one row times a factor.
#[derive(Clone, Debug)]
pub(crate) struct Rescaled {
    pub(crate) row: usize,
    pub(crate) factor: f64,
    /// −log L of all rows together, but for a constant.
    pub(crate) unlikelihood: f64,
    /// Relative residual of each row.
    pub(crate) relatives: Vec<f64>,
}

/// The factor for what was recorded of a row that makes all rows together most likely; `None` if it is 1, or a
/// gain stands for it.
pub(crate) fn rescaled(reduced: &Reduced, gains: &[Option<usize>], row: usize) -> Option<Rescaled> {
    if gains[row].is_some() {
        return None;
    }
    let candidates = FACTORS.iter().flat_map(|&factor| [factor, -factor]);
    let tried = candidates.map(|factor| judged(reduced, row, factor));
    let best = tried.min_by(|a, b| a.unlikelihood.total_cmp(&b.unlikelihood))?;
    (best.factor != 1.0 && best.relatives[row].is_finite()).then_some(best)
}

/// −log L of a log as it is, to compare with [`Rescaled::unlikelihood`].
pub(crate) fn likelihood_of(reduced: &Reduced) -> f64 {
    judged(reduced, 0, 1.0).unlikelihood
}

/// −log L of a log with what was recorded of one row times a factor.
pub(crate) fn judged(reduced: &Reduced, row: usize, factor: f64) -> Rescaled {
    let counts = reduced.counts();
    let scaled = reduced.with_scaled_row(row, factor);
    let zero = vec![0.0; scaled.unknowns()];
    // From weights by the size of each force, few rounds are enough to tell factors of this size apart.
    let sizes = scaled.squares().into_iter().zip(&counts);
    let weights = sizes.map(|(square, &n)| if square > 0.0 { (n as f64 / square).sqrt() } else { 1.0 });
    let (mut values, mut rank) = values_only(&scaled.stacked(&weights.collect::<Vec<_>>()), &zero);
    for _ in 0..ROUNDS {
        let noise = Noise::of(&scaled, &values, rank);
        (values, rank) = values_only(&scaled.stacked(&noise.weights()), &zero);
    }
    let squares = scaled.residual_squares(&values);
    // With the noise of the row where it was recorded.
    let rows = squares.iter().zip(&counts).filter(|(_, count)| **count > 0);
    let unlikelihood: f64 = rows.map(|(s, &n)| 0.5 * n as f64 * s.max(f64::MIN_POSITIVE).ln()).sum();
    let relatives = squares.iter().zip(scaled.squares()).map(|(left, all)| (left / all).sqrt()).collect();
    let unlikelihood = unlikelihood - counts[row] as f64 * factor.abs().ln();
    Rescaled { row, factor, unlikelihood, relatives }
}
