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

/// Relative residuals of a good and of a bad prediction.
const WELL: f64 = 0.3;
const BADLY: f64 = 0.6;

/// The factor for what was recorded of a row that makes all rows together most likely, and the row's relative
/// residual with it; `None` if it is 1, or a gain stands for it.
pub(crate) fn scale_by_fit(reduced: &Reduced, gains: &[Option<usize>], row: usize) -> Option<(f64, f64)> {
    if gains[row].is_some() {
        return None;
    }
    let counts = reduced.counts();
    let judge = |factor: f64| -> (f64, f64) {
        let scaled = reduced.with_scaled_row(row, factor);
        let zero = vec![0.0; scaled.unknowns()];
        // One round of weights is enough to tell factors of this size apart.
        let (values, rank) = values_only(&scaled.stacked(&vec![1.0; counts.len()]), &zero);
        let noise = Noise::of(&scaled, &values, rank);
        let (values, _) = values_only(&scaled.stacked(&noise.weights()), &zero);
        let squares = scaled.residual_squares(&values);
        // −log L, with the noise of the row where it was recorded.
        let rows = squares.iter().zip(&counts).filter(|(_, count)| **count > 0);
        let likelihood: f64 = rows.map(|(s, &n)| 0.5 * n as f64 * s.max(f64::MIN_POSITIVE).ln()).sum();
        let relative = (squares[row] / scaled.squares()[row]).sqrt();
        (likelihood - counts[row] as f64 * factor.abs().ln(), relative)
    };
    let candidates = FACTORS.iter().flat_map(|&factor| [factor, -factor]);
    let tried = candidates.map(|factor| (factor, judge(factor)));
    let (factor, (_, relative)) = tried.min_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    (factor != 1.0 && relative.is_finite()).then_some((factor, relative))
}
