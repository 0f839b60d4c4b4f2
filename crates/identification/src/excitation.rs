//! Which base parameters a log excites: the same numbers for the analysis and for the identification.
//!
//! The base regressor W of all samples that count, each row in units of its sensor's noise, has full rank if
//! the motion excites every base parameter. Its columns are scaled to length one:
//!
//! - *condition number*: largest over least singular value; infinite if one is below 10⁻⁹ of the largest;
//! - *inflation* of a parameter: how much its standard deviation grows because it is correlated with others.
//!
//! A base parameter β_k is *poorly excited* if
//!
//! 1. the log does not excite it (σ_k is infinite), or
//! 2. σ_k is more than 30 % of its value and of the file's, *and* is not negligible: were the parameter
//!    excited as well as the best of its kind in this log, an error of σ_k would change the force of some row
//!    that feels it by more than 1 % of that force (root mean squares). So a parameter that is known to be
//!    about zero is not poorly excited, however large σ_k / |β_k|.
//!
//! Without recorded forces there is no σ: then rows count alike, and 2. is an inflation above 100.

use std::collections::BTreeMap;

use steiner_identifiability::MeasuredRow;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::singular;
use steiner_logs::{Recording, WrenchSignal};

use crate::accumulate::{Reduced, Source};
use crate::estimate::{LeastSquares, least_squares, sigma_of};
use crate::failure::IdentificationError;
use crate::identify::{Accumulated, Estimate, accumulate, estimate};
use crate::problem::Problem;
use crate::settings::Settings;

/// A standard deviation above this part of the value is large.
const LARGE: f64 = 0.3;
/// A standard deviation that changes forces by less than this part of them is negligible.
const NEGLIGIBLE: f64 = 0.01;
/// Without forces: an inflation above this is poor excitation.
const BARELY: f64 = 100.0;
/// A column weaker than this beside the strongest of its kind is rounding.
const ROUNDING: f64 = 1e-9;
/// Parts of the weakest direction below this are not named.
const SMALL_PART: f64 = 0.01;
/// Parameters whose errors correlate more than this are confused.
const CONFUSED: f64 = 0.7;

/// A base parameter that the log excites poorly.
#[derive(Clone, Debug, PartialEq)]
pub struct WeaklyExcited {
    /// Position among the base parameters.
    pub parameter: usize,
    /// How much its uncertainty grows because it is correlated with others; infinite if it is not excited.
    pub inflation: f64,
    /// The base parameters it is confused with most, by position, at most three.
    pub confused_with: Vec<usize>,
}

/// How well a log excites the base parameters.
#[derive(Clone, Debug)]
pub struct Excitation {
    /// Number of samples it was computed from: those for training.
    pub samples: usize,
    /// Samples that were held out for validation.
    pub held_out: usize,
    /// Rank of the weighted base regressor.
    pub rank: usize,
    /// Condition number of the weighted base regressor (normalised columns);
    /// infinite if the rank is not full.
    pub condition_number: f64,
    /// Of the weighted base regressor as it is, in SI units: what papers quote.
    pub raw_condition_number: f64,
    /// The weakest combination: (base parameter, part of the direction's length), largest first.
    pub dominated_by: Vec<(usize, f64)>,
    /// How much the uncertainty of each base parameter grows because it is correlated with
    /// others; infinite if it is not excited.
    pub inflation: Vec<f64>,
    /// Base parameters that are poorly excited.
    pub weak: Vec<WeaklyExcited>,
}

impl Excitation {
    /// Positions of the base parameters that the log does not excite at all.
    pub fn unseen(&self) -> Vec<usize> {
        (0..self.inflation.len()).filter(|&k| self.inflation[k].is_infinite()).collect()
    }
}

/// How well logs excite the base parameters of a problem. For logs without forces, the regressor of the whole
/// motion decides. Of the settings, the estimator and the threads count.
pub fn excitation_of(
    problem: &Problem,
    source: &mut dyn Source,
    settings: &Settings,
) -> Result<Excitation, IdentificationError> {
    let threads = settings.threads();
    match accumulate(problem, source, threads) {
        Ok(log) => {
            let estimate = estimate(problem, source, &log.training, settings)?;
            Ok(excitation(problem, &log, &estimate))
        }
        Err(IdentificationError::NotRecorded { .. } | IdentificationError::NoForces) => {
            let log = accumulate(problem, &mut MotionAlone { source, problem }, threads)?;
            let weights = vec![1.0; problem.rows().len()];
            let solution = least_squares(&log.training.stacked(&weights), &vec![0.0; problem.base().len()]);
            if !solution.lengths.iter().all(|length| length.is_finite()) {
                return Err(IdentificationError::NoFiniteResult);
            }
            let barely = |_: usize, inflation: f64| inflation > BARELY;
            Ok(numbers(problem, &log, &solution, &weights, &barely))
        }
        Err(error) => Err(error),
    }
}

/// Judges the training samples by the least squares on them.
pub(crate) fn excitation(problem: &Problem, log: &Accumulated, estimate: &Estimate) -> Excitation {
    let Estimate { solution, noise, prior, .. } = estimate;
    let sigma = sigma_of(solution, &solution.inverse);
    let effect = effects(problem, &log.training, solution);
    let poorly = |k: usize, _: f64| {
        sigma[k] > LARGE * prior[k].abs().max(solution.values[k].abs()) && sigma[k] * effect[k] > NEGLIGIBLE
    };
    numbers(problem, log, solution, &noise.weights(), &poorly)
}

/// The numbers of an excitation; `poorly` decides about an excited parameter by its position and inflation.
fn numbers(
    problem: &Problem,
    log: &Accumulated,
    solution: &LeastSquares,
    weights: &[f64],
    poorly: &dyn Fn(usize, f64) -> bool,
) -> Excitation {
    let (n, training) = (problem.base().len(), &log.training);
    let hidden = sigma_of(solution, &solution.inverse);
    let rounding = rounding(problem, training);
    let lost = (0..n).filter(|&k| rounding[k] && hidden[k].is_finite()).count();
    let rank = solution.rank - lost.min(solution.rank);
    let ratio = |values: &[f64]| match (values.first(), values.last()) {
        (Some(largest), Some(least)) if *least > 0.0 => largest / least,
        _ => f64::INFINITY,
    };
    let stack = training.stacked(weights);
    let raw = singular(Matrix::from_fn(n, n, |r, c| stack.entry(r, c))).values;
    let inflation: Vec<f64> = (0..n)
        .map(|k| match hidden[k].is_finite() && !rounding[k] {
            true => solution.inverse[(k, k)].max(0.0).sqrt() * solution.lengths[k],
            false => f64::INFINITY,
        })
        .collect();
    let weakest = solution.directions.last().map_or(&[][..], Vec::as_slice);
    let mut dominated_by: Vec<(usize, f64)> = weakest.iter().map(|x| x * x).enumerate().collect();
    dominated_by.sort_by(|a, b| b.1.total_cmp(&a.1));
    dominated_by.retain(|(_, part)| *part > SMALL_PART);
    let weak = (0..n).filter(|&k| inflation[k].is_infinite() || poorly(k, inflation[k])).map(|k| {
        let confused_with = confused_with(&solution.inverse, k);
        WeaklyExcited { parameter: k, inflation: inflation[k], confused_with }
    });
    Excitation {
        samples: training.samples,
        held_out: log.validation.samples,
        rank,
        condition_number: if rank == n { ratio(&solution.singular_values) } else { f64::INFINITY },
        raw_condition_number: ratio(&raw),
        dominated_by,
        weak: weak.collect(),
        inflation,
    }
}

/// The parameters whose errors correlate most with that of parameter k, at most three.
fn confused_with(covariance: &Matrix<f64>, k: usize) -> Vec<usize> {
    let correlation = |j: usize| {
        let (a, b) = (covariance[(k, k)], covariance[(j, j)]);
        if a > 0.0 && b > 0.0 { covariance[(k, j)].abs() / (a * b).sqrt() } else { 0.0 }
    };
    let others = (0..covariance.rows()).filter(|&j| j != k).map(|j| (j, correlation(j)));
    let mut others: Vec<(usize, f64)> = others.filter(|(_, correlation)| *correlation > CONFUSED).collect();
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    others.into_iter().take(3).map(|(j, _)| j).collect()
}

/// For each base parameter its largest root mean square in a row (N·m or N per unit), and that of the best of
/// its kind.
fn strengths(problem: &Problem, training: &Reduced) -> Vec<(f64, f64)> {
    let mut own = vec![0.0f64; problem.base().len()];
    for (k, size) in training.column_sizes().into_iter().flatten() {
        own[k] = own[k].max(size);
    }
    let kinds: Vec<_> = problem.base().iter().map(|base| problem.kind_of(base.column)).collect();
    let mut best = BTreeMap::new();
    for (kind, size) in kinds.iter().zip(&own) {
        let most: &mut f64 = best.entry(*kind).or_default();
        *most = most.max(*size);
    }
    own.into_iter().zip(kinds).map(|(own, kind)| (own, best[&kind])).collect()
}

/// Which columns are rounding beside others of their kind.
fn rounding(problem: &Problem, training: &Reduced) -> Vec<bool> {
    strengths(problem, training).into_iter().map(|(own, best)| own <= ROUNDING * best).collect()
}

/// For each base parameter, by how much of a row's force a unit of it would change that force at most, were
/// it excited as well as the best of its kind.
fn effects(problem: &Problem, training: &Reduced, solution: &LeastSquares) -> Vec<f64> {
    let forces = training.measured_squares(problem, &problem.with_gains(&solution.values));
    let counts = training.counts();
    let mut shares = vec![0.0f64; problem.base().len()];
    for (r, sizes) in training.column_sizes().into_iter().enumerate() {
        let force = (forces[r] / counts[r].max(1) as f64).sqrt();
        for (k, size) in sizes.into_iter().filter(|_| force > 0.0) {
            shares[k] = shares[k].max(size / force);
        }
    }
    let boost =
        strengths(problem, training).into_iter().map(|(own, best)| if own > 0.0 { best / own } else { 1.0 });
    shares.into_iter().zip(boost).map(|(share, boost)| share * boost).collect()
}

/// The same recordings as if all that is asked for had been measured, as zero: what a motion shows takes no
/// forces.
pub(crate) struct MotionAlone<'a> {
    pub(crate) source: &'a mut dyn Source,
    pub(crate) problem: &'a Problem,
}

impl Source for MotionAlone<'_> {
    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        let (mechanism, rows) = (self.problem.mechanism(), self.problem.rows());
        let bodies = &mechanism.robot().bodies;
        let sensors: Vec<&String> = rows
            .iter()
            .filter_map(|row| match row.kind {
                MeasuredRow::JointWrench { body, component: 0 } => Some(&bodies[body].joint.name),
                _ => None,
            })
            .collect();
        self.source.chunks(&mut |recording| {
            let nothing = vec![0.0; 6 * recording.count];
            let signal = |joint: &&String| WrenchSignal { place: (*joint).clone(), values: nothing.clone() };
            each(&Recording {
                tau: vec![0.0; mechanism.dof() * recording.count],
                measured: vec![true; mechanism.dof()],
                joint_wrenches: sensors.iter().map(signal).collect(),
                base_wrench: Some(nothing.clone()),
                contacts: Vec::new(),
                parts: Vec::new(),
                ..recording.clone()
            })
        })
    }
}
