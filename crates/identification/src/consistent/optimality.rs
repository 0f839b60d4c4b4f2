//! How well a point solves the program, measured by the conditions of Karush, Kuhn and Tucker: with formulas
//! of its own, from the point and the program alone.
//!
//! With multipliers Z_i = μ S_i⁻¹ ⪰ 0 and μ/s ≥ 0, what is left of the gradient must be a combination of
//! the equations; the gap between the value and the dual bound is then μ times the number of constraints,
//! plus what is left of the gradient.

use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::norm;
use steiner_linalg::square::{times, transposed};
use steiner_linalg::triangle::Triangle;
use steiner_robot::{inertial_columns, inertial_count};

use super::program::Program;
use crate::metric::{coordinates, symmetric};

/// How well a consistent estimate solves its program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Optimality {
    /// ½ χ² of the log and the pull together.
    pub objective: f64,
    /// Length of the gradient of the Lagrangian over that of the data's gradient at the file's values.
    pub stationarity: f64,
    /// How far the value may be above the minimum: Σ constraint · multiplier.
    pub gap: f64,
    /// Least eigenvalue of all S, and least of the numbers that cannot be negative (in units of the file's).
    pub least: f64,
    /// Largest violation of an equation or bound.
    pub violation: f64,
}

/// Judges a point (coordinates, then slacks) at the end of a path.
pub(super) fn measured(program: &Program, z: &[f64], barrier: f64) -> Optimality {
    let n = program.size();
    let data_gradient = |z: &[f64]| -> Vec<f64> {
        let residual: Vec<f64> = program.data.apply(z).iter().zip(&program.rhs).map(|(a, b)| a - b).collect();
        program.data.transpose().apply(&residual)
    };
    let scale = norm(&data_gradient(&program.prior)).max(program.weight);
    let mut gradient = data_gradient(&z[..n]);
    let residual = program.data.apply(&z[..n]);
    let mut objective: f64 = residual.iter().zip(&program.rhs).map(|(a, b)| 0.5 * (a - b) * (a - b)).sum();
    let (mut least, mut gap) = (f64::INFINITY, 0.0);
    for k in 0..program.blocks {
        let s = &z[inertial_columns(k)];
        let (values, vectors) = symmetric_eigen(&symmetric(s));
        least = least.min(values[0]);
        let mut diagonal = [[0.0; 4]; 4];
        (0..4).for_each(|i| diagonal[i][i] = 1.0 / values[i]);
        let inverse = coordinates(&times(&times(&vectors, &diagonal), &transposed(&vectors)));
        let log_det: f64 = values.iter().map(|x| x.ln()).sum();
        let trace: f64 = values.iter().sum();
        for i in 0..10 {
            let unit = if i < 4 { 1.0 } else { 0.0 };
            let pull = match program.entropic {
                true => unit - inverse[i],
                false => s[i] - unit,
            };
            gradient[inertial_count(k) + i] += program.weight * pull - barrier * inverse[i];
        }
        objective += program.weight
            * match program.entropic {
                true => trace - log_det - 4.0,
                false => 0.5 * values.iter().map(|x| (x - 1.0).powi(2)).sum::<f64>(),
            };
        gap += 4.0 * barrier;
    }
    for k in inertial_count(program.blocks)..n {
        gradient[k] += program.weight * (z[k] - program.prior[k]);
        objective += 0.5 * program.weight * (z[k] - program.prior[k]).powi(2);
    }
    for &k in &program.positive {
        gradient[k] -= barrier / z[k];
        least = least.min(z[k]);
        gap += barrier;
    }
    let mut violation: f64 = 0.0;
    for ((row, c), u) in program.inequalities.iter().zip(&z[n..]) {
        let slack = row.iter().zip(z).map(|(a, x)| a * x).sum::<f64>() - c;
        row.iter().zip(&mut gradient).for_each(|(a, g)| *g -= barrier / u * a);
        violation = violation.max(-slack);
        gap += barrier;
    }
    for (row, e) in &program.equalities {
        let value: f64 = row.iter().zip(z).map(|(a, x)| a * x).sum();
        violation = violation.max((value - e).abs());
    }
    let left = without_equations(program, gradient);
    let stationarity = left.iter().map(|x| x * x).sum::<f64>().sqrt() / scale;
    Optimality { objective, stationarity, gap, least, violation }
}

/// What is left of a gradient beside the equations' multipliers, which are free.
fn without_equations(program: &Program, gradient: Vec<f64>) -> Vec<f64> {
    let m = program.equalities.len();
    if m == 0 {
        return gradient;
    }
    let mut triangle = Triangle::new(m + 1);
    for k in 0..gradient.len() {
        let mut row: Vec<f64> = program.equalities.iter().map(|(row, _)| row[k]).collect();
        row.push(gradient[k]);
        triangle.push(&row);
    }
    triangle.reduce();
    let multipliers = triangle.back_substituted();
    let combined = Matrix::from_fn(gradient.len(), m, |k, e| program.equalities[e].0[k]).apply(&multipliers);
    gradient.iter().zip(combined).map(|(g, c)| g - c).collect()
}
