//! From base parameters to values of all parameters: physically consistent, pulled towards the file, or
//! nearest to it.

use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::dot;
use steiner_linalg::elimination::Matrix;

use crate::accumulate::Reduced;
use crate::consistent::{Bounds, Optimality, Program, Pull, consistent};
use crate::estimate::{LeastSquares, Noise, ridge};
use crate::failure::IdentificationError;
use crate::metric::Metric;
use crate::note::IdentificationNote;
use crate::problem::Problem;
use crate::settings::{Estimator, Settings};

/// Where least squares leave less than this of the torque, the pull of the file still counts as if they left
/// this much: a log without noise would leave the file no weight at all where nothing is seen.
const FINEST: f64 = 1e-5;

/// The final model.
pub(crate) struct Model {
    /// Values of all parameters.
    pub(crate) all: Vec<f64>,
    /// How well it solves its program, if it had to be consistent.
    pub(crate) optimality: Option<Optimality>,
    pub(crate) program: Option<Program>,
    pub(crate) notes: Vec<IdentificationNote>,
}

/// The model that the settings ask for; `settings` take up what their bounds became.
pub(crate) fn model(
    problem: &Problem,
    (solution, sigma): (&LeastSquares, &[f64]),
    (counted, noise): (&Reduced, &Noise),
    settings: &mut Settings,
) -> Result<Model, IdentificationError> {
    let metric = Metric::new(problem, &scales(problem, solution, sigma));
    let stack = counted.stacked(&careful_weights(counted, noise));
    let pull = match settings.estimator {
        Estimator::Ridge { weight } => Some(weight),
        _ => None,
    };
    let Some(bounds) = &settings.consistent else {
        let all = match pull {
            Some(weight) => ridge(problem, &metric, &stack, weight),
            None => nearest(problem, &metric, &solution.values),
        };
        return Ok(Model { all, optimality: None, program: None, notes: Vec::new() });
    };
    let pull = match (bounds.pull, pull) {
        (Pull::LogDet { .. }, Some(weight)) => Pull::LogDet { weight },
        (Pull::Entropic { .. }, Some(weight)) => Pull::Entropic { weight },
        (Pull::Quadratic { .. }, Some(weight)) => Pull::Quadratic { weight },
        (own, None) => own,
    };
    let bounds = Bounds { pull, ..bounds.clone() };
    let found = consistent(problem, &metric, &stack, &bounds)?;
    settings.consistent = Some(bounds);
    Ok(Model {
        all: found.parameters,
        optimality: Some(found.optimality),
        program: Some(found.program),
        notes: found.notes,
    })
}

/// The sizes that parameters other than inertias may have.
fn scales(problem: &Problem, solution: &LeastSquares, sigma: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0f64; problem.labels().len()];
    for (k, base) in problem.base().iter().enumerate() {
        let size = solution.values[k].abs().max(if sigma[k].is_finite() { sigma[k] } else { 0.0 });
        for &(c, factor) in &base.terms {
            // What is regrouped into another is likely a small part of it.
            let part = if c == base.column { 1.0 } else { 0.1 };
            if factor != 0.0 {
                out[c] = out[c].max(part * size / factor.abs());
            }
        }
    }
    out.into_iter().map(|x| if x > 0.0 { x } else { 1.0 }).collect()
}

/// Weights by the noise, as far as that is believable.
fn careful_weights(reduced: &Reduced, noise: &Noise) -> Vec<f64> {
    let counts = reduced.counts();
    let rms = |square: f64, count: usize| (square / count.max(1) as f64).sqrt();
    let all: f64 = reduced.squares().iter().sum();
    let everywhere = rms(all, counts.iter().sum());
    let own = reduced.squares().into_iter().zip(counts).map(|(square, count)| rms(square, count));
    own.zip(&noise.sigma).map(|(own, sigma)| 1.0 / sigma.max(FINEST * own.max(0.01 * everywhere))).collect()
}

/// All parameters nearest to the file's, in the metric of the pseudo-inertia, with given base parameters.
fn nearest(problem: &Problem, metric: &Metric, values: &[f64]) -> Vec<f64> {
    let map = metric.base_matrix(problem);
    let mut rows: Vec<(Vec<f64>, f64)> =
        (0..map.rows()).map(|r| (map.row(r).to_vec(), values[r])).chain(metric.equations()).collect();
    for (row, value) in &mut rows {
        let length = dot(row, row).sqrt().max(f64::MIN_POSITIVE);
        row.iter_mut().for_each(|x| *x /= length);
        *value /= length;
    }
    let mut z = metric.prior();
    let products = Matrix::from_fn(rows.len(), rows.len(), |i, j| dot(&rows[i].0, &rows[j].0));
    if let Ok(factor) = Cholesky::new(products) {
        // Twice: the second round takes off what rounding left.
        for _ in 0..2 {
            let wanted: Vec<f64> = rows.iter().map(|(row, value)| value - dot(row, &z)).collect();
            for (w, (row, _)) in factor.solve(&wanted).into_iter().zip(&rows) {
                z.iter_mut().zip(row).for_each(|(x, r)| *x += w * r);
            }
        }
    }
    metric.parameters(&z)
}
