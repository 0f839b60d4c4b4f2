//! The one entry: a mechanism, what was recorded of it, what is asked; parameters with their uncertainties and a model.

use std::collections::BTreeSet;

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::singular;
use steiner_robot::{Friction, NewDrive, NewDynamics, PseudoInertia, Robot, RobotError};

use crate::accumulate::{Reduced, Source, scores};
use crate::consistent::{Bounds, Pull, consistent};
use crate::dataset::{Dataset, Role};
use crate::dense::{Cholesky, dot, eigen4};
use crate::estimate::{
    LeastSquares, Noise, essential_parameters, excitation, huber, ordinary, ridge, robust_covariance,
    sigma_of, weighted,
};
use crate::failure::IdentificationError;
use crate::identification::{
    Identification, IdentifiedParameter, LinkConsistency, Residual, Residuals, RowResidual,
};
use crate::metric::{Metric, pseudo_inertia};
use crate::problem::{MeasuredForce, Problem};
use crate::settings::{Estimator, Settings};
use crate::standing::standing;

/// Blocks of neighbouring samples a log is cut into, at least, if nobody says otherwise; and twice as many as there are parameters.
const BLOCKS: usize = 40;
/// Where least squares leave less than this of the torque, the pull of the file still counts as if they left this much: a log without
/// noise would leave the file no weight at all where nothing is seen.
const FINEST: f64 = 1e-5;

/// Identifies the parameters of a mechanism from a recording in memory.
pub fn identify(
    mechanism: &Mechanism,
    dataset: &Dataset,
    settings: &Settings,
) -> Result<Identification, IdentificationError> {
    let mut source = dataset;
    identify_from(mechanism, &mut source, settings)
}

/// Identifies from recordings that come in chunks. Ordinary and weighted estimates take two passes (the second for block-robust
/// uncertainties); Huber's takes more.
pub fn identify_from(
    mechanism: &Mechanism,
    source: &mut dyn Source,
    settings: &Settings,
) -> Result<Identification, IdentificationError> {
    let problem = Problem::new(mechanism, settings)?;
    if problem.lacks_scale() {
        return Err(IdentificationError::NoScale);
    }
    let threads = settings.threads();
    let (mut training, mut validation) = (Reduced::new(&problem), Reduced::new(&problem));
    let mut unfiltered = BTreeSet::new();
    let mut least_speeds = vec![0.0f64; problem.rows.len()];
    source.chunks(&mut |dataset| {
        dataset.check(mechanism)?;
        let own = problem.least_speeds(dataset);
        least_speeds.iter_mut().zip(own).for_each(|(most, own)| *most = most.max(own));
        unfiltered.extend(problem.unfiltered_friction(dataset));
        training.absorb(&problem, dataset, Role::Training, threads)?;
        validation.absorb(&problem, dataset, Role::Validation, threads)
    })?;
    let rows: usize = training.counts().iter().sum();
    if rows < problem.base.len() {
        let (samples, unknown) = (training.samples, problem.base.len());
        return Err(IdentificationError::TooFewSamples { samples, unknown });
    }
    let prior = problem.base_values(&problem.prior);
    let (solution, noise, counted) = match settings.estimator {
        Estimator::Ordinary => {
            let (solution, noise) = ordinary(&training, &prior);
            (solution, noise, training.clone())
        }
        Estimator::Weighted | Estimator::Ridge { .. } => {
            let (solution, noise) = weighted(&training, &prior);
            (solution, noise, training.clone())
        }
        Estimator::Huber { threshold } => huber(&problem, source, &training, &prior, threshold, threads)?,
    };
    if !solution.values.iter().all(|value| value.is_finite()) {
        return Err(IdentificationError::NoFiniteResult);
    }
    let mut settings = settings.clone();
    settings.threads = Some(threads);
    let given = |row: &MeasuredForce| settings.least_speed.iter().any(|(joint, _)| *joint == row.name);
    let speeds = problem.rows.iter().zip(&least_speeds).filter(|(row, speed)| **speed > 0.0 || given(row));
    settings.least_speed = speeds.map(|(row, speed)| (row.name.clone(), *speed)).collect();
    let block = settings.block.unwrap_or(training.samples / BLOCKS.max(2 * problem.base.len())).max(1);
    settings.block = Some(block);
    let gathered = scores(&problem, source, &solution.values, &noise.weights(), block, threads)?;
    let robust = robust_covariance(&solution, &gathered);
    let sigma = sigma_of(&solution, &solution.inverse);

    let metric = Metric::new(&problem, &scales(&problem, &solution, &sigma));
    let mut notes = problem.notes.clone();
    notes.extend(standing(&problem, [&training, &validation], &least_speeds));
    if !unfiltered.is_empty() {
        notes.push(format!(
            "forces were filtered, but not the dry friction of {}, which is biased by that: tell the recording which friction the model has (joints that follow others through loops cannot be helped)",
            unfiltered.into_iter().collect::<Vec<_>>().join(", ")
        ));
    }
    let careful = counted.stacked(&careful_weights(&counted, &noise));
    let pull = match settings.estimator {
        Estimator::Ridge { weight } => Some(weight),
        _ => None,
    };
    let mut optimality = None;
    let all = match &settings.consistent {
        Some(bounds) => {
            let bounds = Bounds {
                pull: match (bounds.pull, pull) {
                    (Pull::Entropic { .. }, Some(weight)) => Pull::Entropic { weight },
                    (Pull::Quadratic { .. }, Some(weight)) => Pull::Quadratic { weight },
                    (own, None) => own,
                },
                ..bounds.clone()
            };
            let found = consistent(&problem, &metric, &careful, &bounds)?;
            notes.extend(found.notes);
            optimality = Some(found.optimality);
            settings.consistent = Some(bounds);
            found.parameters
        }
        None => match pull {
            Some(weight) => ridge(&problem, &metric, &careful, weight),
            None => nearest(&problem, &metric, &solution.values),
        },
    };
    let values = problem.base_values(&all);

    let weights = noise.weights();
    let stack = training.stacked(&weights);
    let n = problem.base.len();
    let raw = singular(Matrix::from_fn(n, n, |r, c| stack.entry(r, c))).values;
    let scale: Vec<f64> = prior.iter().map(|x| x.abs()).collect();
    let excited = excitation(&solution, &raw, &sigma, &scale);
    if solution.rank < n {
        notes.push(format!(
            "the log shows {} of {n} base parameters; the others keep what the file says",
            solution.rank
        ));
    }
    let residuals = |reduced: &Reduced| Residuals {
        model: residual(&problem, reduced, &values, &all),
        least_squares: residual(&problem, reduced, &solution.values, &all),
        prior: residual(&problem, reduced, &prior, &all),
    };
    let parameters = (0..n)
        .map(|k| {
            let base = &problem.base[k];
            let robust = robust.as_ref().map(|covariance| match sigma[k].is_finite() {
                true => covariance[(k, k)].max(0.0).sqrt(),
                false => f64::INFINITY,
            });
            let larger = robust.map_or(sigma[k], |robust| robust.max(sigma[k]));
            IdentifiedParameter {
                name: problem.labels[base.column].clone(),
                terms: base.terms.iter().map(|&(c, factor)| (problem.labels[c].clone(), factor)).collect(),
                value: values[k],
                least_squares: solution.values[k],
                sigma: larger,
                white_sigma: sigma[k],
                robust_sigma: robust,
                relative_sigma: 100.0 * larger / values[k].abs(),
                prior: prior[k],
            }
        })
        .collect();
    Ok(Identification {
        parameters,
        covariance: solution.inverse.clone(),
        robust_covariance: robust,
        training: residuals(&training),
        validation: (validation.samples > 0).then(|| residuals(&validation)),
        excitation: excited,
        rank: solution.rank,
        consistency: consistency(&problem, &all),
        optimality,
        essential: settings.essential.then(|| essential_parameters(&counted, &noise.sigma)),
        robot: patched(&problem, &all)?,
        certificate: problem.analysis().certificate.clone(),
        labels: problem.labels.clone(),
        noise: noise.sigma,
        all,
        settings,
        notes,
    })
}

/// The sizes that parameters other than inertias may have.
fn scales(problem: &Problem<'_>, solution: &LeastSquares, sigma: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0f64; problem.labels.len()];
    for (k, base) in problem.base.iter().enumerate() {
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
fn nearest(problem: &Problem<'_>, metric: &Metric, values: &[f64]) -> Vec<f64> {
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
    if let Some(factor) = Cholesky::new(&products) {
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

/// What base parameters leave of a log, relative to what was measured (currents by the gains in `model`, the same whoever is judged).
fn residual(problem: &Problem<'_>, reduced: &Reduced, values: &[f64], model: &[f64]) -> Residual {
    let (counts, left) = (reduced.counts(), reduced.residual_squares(values));
    let squares = reduced.measured_squares(problem, model);
    let ratio = |a: f64, b: f64| if b > 0.0 { (a / b).sqrt() } else { f64::NAN };
    let rows = problem.rows.iter().enumerate().map(|(r, row)| RowResidual {
        name: row.name.clone(),
        count: counts[r],
        rms: (left[r] / counts[r].max(1) as f64).sqrt(),
        relative: ratio(left[r], squares[r]),
    });
    let total = ratio(left.iter().sum(), squares.iter().sum());
    Residual { samples: reduced.samples, total, rows: rows.collect() }
}

/// Whether each body can exist.
fn consistency(problem: &Problem<'_>, all: &[f64]) -> Vec<LinkConsistency> {
    let names = problem.measurement().bodies(problem.mechanism());
    let judge = |(body, link): (usize, String)| {
        let mut ten = [0.0; 10];
        ten.copy_from_slice(&all[10 * body..10 * body + 10]);
        let inertia = PseudoInertia::from_parameters(&ten);
        let matrix = pseudo_inertia(&ten);
        let trace: f64 = (0..4).map(|k| matrix[k][k]).sum();
        let least_eigenvalue = if trace == 0.0 { 0.0 } else { eigen4(&matrix).0[0] / trace.abs() };
        let problem = inertia.check().err().map(|problem| problem.to_string());
        LinkConsistency { link, inertia, least_eigenvalue, problem }
    };
    names.into_iter().enumerate().map(judge).collect()
}

/// The robot with new inertias and drives. What was lumped keeps its own inertia; the link that moves takes up the difference.
fn patched(problem: &Problem<'_>, all: &[f64]) -> Result<Robot, RobotError> {
    let bodies = problem.measurement().bodies(problem.mechanism());
    let first = 10 * problem.body_count();
    let inertias = bodies
        .into_iter()
        .zip(all[..first].chunks_exact(10))
        .map(|(body, ten)| (body, PseudoInertia::from_parameters(&std::array::from_fn(|k| ten[k]))));
    let driven = problem.measurement().driven().into_iter().zip(all[first..].chunks_exact(4));
    let drives = driven.map(|((joint, _), four)| NewDrive {
        joint: joint.to_owned(),
        rotor_inertia: four[0],
        friction: Friction { viscous: four[1], coulomb: four[2], offset: four[3] },
    });
    let new = NewDynamics { inertias: inertias.collect(), drives: drives.collect() };
    problem.mechanism().robot().with_dynamics(&new)
}
