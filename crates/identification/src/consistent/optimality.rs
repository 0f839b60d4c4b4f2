//! How far a point can be from the minimum: a lower bound by duality, from the point and the program alone.
//!
//! For any y, κ ≥ 0 and ν, with Q = Aᵀy − Cᵀκ − Eᵀν, the minimum of the program is at least
//!
//! −½‖y‖² − bᵀy + κᵀc + νᵀe + Σ_i min over S ≻ 0 of (⟨Q_i, S⟩ + γ d(S)) + Σ_k min over s of (q_k s + ½γ_k (s − s₀)²),
//!
//! and each of these minima has a formula: γ log det(1 + Q/γ) for the entropic divergence, a projection on the
//! cone for a quadratic pull. At the minimum y is the residual, κ and ν are the multipliers and the bound is the
//! minimum itself; with anything else it is only lower. The difference proves how good a point is, however it
//! was found.

use steiner_linalg::dot;
use steiner_linalg::eigen::symmetric_eigen;
use steiner_robot::{inertial_columns, inertial_count};

use super::local::Point;
use super::program::Program;
use crate::metric::symmetric;

/// How well a consistent estimate solves its program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optimality {
    /// ½ χ² of the log, beyond what least squares leave, and the pull together.
    pub objective: f64,
    /// `gap` over one plus the objective.
    pub stationarity: f64,
    /// How far the objective can be above the minimum at most: proven by duality, infinite if it cannot be.
    pub gap: f64,
    /// Least eigenvalue of all S, and least of the numbers that cannot be negative (in units of the file's).
    pub least: f64,
    /// Largest violation of an equation or bound.
    pub violation: f64,
}

/// What a solver knows beside its point; any numbers give a true bound, the right ones a tight one.
pub(super) struct Multipliers {
    /// κ ≥ 0 of the inequalities.
    pub(super) inequalities: Vec<f64>,
    /// ν of the equations.
    pub(super) equalities: Vec<f64>,
}

/// Judges a point by a bound from multipliers.
pub(super) fn judge(program: &Program, point: &Point, multipliers: &Multipliers) -> Optimality {
    let z = &point.z;
    let first = inertial_count(program.blocks);
    let y: Vec<f64> = program.data.apply(z).iter().zip(&program.rhs).map(|(a, b)| a - b).collect();
    let mut objective = 0.5 * dot(&y, &y);
    let mut bound = -0.5 * dot(&y, &y) - dot(&program.rhs, &y);
    let mut q = program.data.transpose().apply(&y);
    let inequalities = program.inequalities.iter().zip(multipliers.inequalities.iter().map(|x| x.max(0.0)));
    let equalities = program.equalities.iter().zip(multipliers.equalities.iter().copied());
    for ((row, value), multiplier) in inequalities.chain(equalities) {
        row.iter().zip(&mut q).for_each(|(a, q)| *q -= multiplier * a);
        bound += multiplier * value;
    }
    let mut least = f64::INFINITY;
    for k in 0..program.blocks {
        let (s, l) = (&z[inertial_columns(k)], &point.factors[k]);
        least = least.min(symmetric_eigen(&symmetric(s)).0[0]);
        objective += program.weight
            * match program.entropic {
                true => (0..4).map(|i| s[i] - 2.0 * l[i][i].ln() - 1.0).sum::<f64>(),
                false => 0.5 * s.iter().zip(UNIT).map(|(x, unit)| (x - unit).powi(2)).sum::<f64>(),
            };
        let (values, _) = symmetric_eigen(&symmetric(&q[inertial_columns(k)]));
        bound += values.iter().map(|&q| least_of_body(program.entropic, program.weight, q)).sum::<f64>();
    }
    for (k, &weight) in program.weights.iter().enumerate() {
        let (q, prior) = (q[first + k], program.prior[first + k]);
        objective += 0.5 * weight * (z[first + k] - prior).powi(2);
        let free = prior - q / weight;
        let s = if program.positive.contains(&(first + k)) { free.max(0.0) } else { free };
        bound += q * s + 0.5 * weight * (s - prior).powi(2);
    }
    program.positive.iter().for_each(|&k| least = least.min(z[k]));
    let gap = if bound.is_finite() { (objective - bound).max(0.0) } else { f64::INFINITY };
    let stationarity = gap / (1.0 + objective.abs());
    Optimality { objective, stationarity, gap, least, violation: violation(program, z) }
}

/// The unit matrix in coordinates.
const UNIT: [f64; 10] = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// min over s > 0 of q s + γ d(s), for an eigenvalue q of Q.
fn least_of_body(entropic: bool, weight: f64, q: f64) -> f64 {
    if entropic {
        return if q > -weight { weight * (q / weight).ln_1p() } else { f64::NEG_INFINITY };
    }
    let s = (1.0 - q / weight).max(0.0);
    q * s + 0.5 * weight * (s - 1.0) * (s - 1.0)
}

/// Largest violation of an equation or bound.
fn violation(program: &Program, z: &[f64]) -> f64 {
    let equations = program.equalities.iter().map(|(row, e)| (dot(row, z) - e).abs());
    let bounds = program.inequalities.iter().map(|(row, c)| c - dot(row, z));
    equations.chain(bounds).fold(0.0, f64::max)
}
