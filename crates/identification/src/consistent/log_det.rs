//! The log-det divergence as a pull: γ Σ_i (4 log det((1 + S_i)/2) − 2 log det S_i).
//!
//! The entropic divergence punishes tr S: where a file says a thousandth of the truth, it outweighs good data.
//! This one grows with the logarithm of S on both sides, the same for S and S⁻¹ (\[sra2016\]), and curves like
//! the entropic one at S = 1. Its first term is concave, so it lies below its tangents: at S_k,
//! log det((1 + S)/2) ≤ log det M + tr(M⁻¹ S)/2 + …, M = (1 + S_k)/2. What is minimised instead is then an
//! entropic pull of weight 2γ towards M, halfway between the file and the last estimate: a convex program whose
//! solution is never worse than S_k (majorisation and minimisation).

use steiner_linalg::cholesky::lower_factor;
use steiner_robot::inertial_columns;

use super::barrier::End;
use super::{Pull, Solved};
use crate::failure::IdentificationError;
use crate::metric::{Mat4, Metric, pseudo_inertia};

/// Rounds end when one gains less than this, in units of ½χ²: a tenth of a standard deviation.
const SETTLED: f64 = 1e-2;
/// And at the latest after so many: three to six are usual.
const MOST_ROUNDS: usize = 30;

/// The first round's pull, as a part of the others': the data decide where the rounds start.
const FIRST: f64 = 1e-3;

/// Solves round by round; `solve` takes the metric of a round, its pull, where to start and how far to go.
pub(super) fn solve(
    file: &Metric,
    weight: f64,
    solve: impl Fn(&Metric, Pull, Option<&Solved>, End) -> Result<Solved, IdentificationError>,
) -> Result<Solved, IdentificationError> {
    let pull = Pull::Entropic { weight: 2.0 * weight };
    let mut best = solve(file, Pull::Entropic { weight: 2.0 * FIRST * weight }, None, End::Rough)?;
    let mut value = best.fit + weight * divergence(file, &best.parameters);
    let mut steps = best.steps;
    for _ in 0..MOST_ROUNDS {
        let next = solve(&file.halfway_to(&best.parameters), pull, Some(&best), End::Rough)?;
        steps += next.steps;
        let now = next.fit + weight * divergence(file, &next.parameters);
        let gain = value - now;
        if gain > 0.0 {
            (best, value) = (next, now);
        }
        // Not a number ends them, too.
        if gain.is_nan() || gain < SETTLED {
            break;
        }
    }
    let mut last = solve(&file.halfway_to(&best.parameters), pull, Some(&best), End::Exact)?;
    last.steps += steps;
    Ok(last)
}

/// Σ_i (4 log det((Ξ₀ + Ξ)/2) − 2 log det Ξ₀ − 2 log det Ξ): zero at the file's.
fn divergence(file: &Metric, parameters: &[f64]) -> f64 {
    let log_det = |m: &Mat4| match lower_factor(m) {
        Ok(lower) => (0..4).map(|k| 2.0 * lower[k][k].ln()).sum(),
        Err(_) => f64::NEG_INFINITY,
    };
    let of_body = |body: &crate::metric::BodyCoordinates| {
        let own = pseudo_inertia(&parameters[inertial_columns(body.body)]);
        let unit = body.unit();
        let middle = std::array::from_fn(|r| std::array::from_fn(|c| 0.5 * (own[r][c] + unit[r][c])));
        4.0 * log_det(&middle) - 2.0 * log_det(&unit) - 2.0 * log_det(&own)
    };
    file.bodies.iter().map(of_body).sum()
}
