//! Positions whose zero is not the file's.
//!
//! A position that is off by a constant bends the parameters: they take up most of what it does to gravity and
//! inertia, so that residuals hardly show it. With f(δ) = χ² that the best parameters leave when a position is taken δ
//! larger, its zero is off by −f′/f″, with the deviation √(2/f″), all by central differences. What only turns the body
//! that the joint carries, parameters follow exactly: f is flat, and nothing is said.

use std::num::NonZeroUsize;
use std::sync::Arc;

use steiner_dynamics::Mechanism;
use steiner_logs::{Part, Recording, Role};

use crate::accumulate::{Reduced, Source};
use crate::alarm::Alarm;
use crate::deviations::Deviations;
use crate::estimate::values_only;
use crate::failure::IdentificationError;
use crate::identify::Estimate;
use crate::problem::Problem;
use crate::settings::Settings;

/// Step of the differences, rad or m.
const STEP: f64 = 1e-3;
/// A zero that is off must be so many times its deviation.
const CLEARLY: f64 = 4.0;
/// Zeros are not known better than this, rad or m: files and encoders have so many digits.
const NONE: f64 = 1e-4;
/// A zero with a larger deviation than this is not known, rad or m: what else the model lacks would pass for it.
const UNKNOWN: f64 = 0.015;
/// The largest step from one guess to the next, rad or m.
const LONGEST: f64 = 0.3;
/// Zeros that are off, at most: with more, the log and the file are of two robots.
const MOST: usize = 3;
/// Steps of Newton's method for each of them, at most; the last is smaller than this part of the deviation.
const STEPS: usize = 4;
const SETTLED: f64 = 0.1;
/// Multiplications that all trials together may take.
const WORK: f64 = 1e9;
/// Blocks that samples are taken from, evenly over each part.
const BLOCKS: usize = 16;

/// A position whose zero is off.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroError {
    /// Name of the coordinate.
    pub joint: String,
    /// What has to be added to its positions, rad or m.
    pub offset: f64,
    /// Standard deviation of that, if the other zeros are right.
    pub sigma: f64,
    /// Others that explain the log about as well in its place, as they are with axes that are parallel.
    pub or: Vec<ZeroError>,
}

/// Zeros that are off, and what that does to parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zeros {
    pub(crate) errors: Vec<ZeroError>,
    /// By how much each base parameter changes with the right zeros.
    pub(crate) moved: Vec<f64>,
}

/// Zeros are said if they move a parameter by so many of its deviations…
const MATTERS: f64 = 3.0;
/// …and are beyond so many of their own: below, friction that a model lacks looks alike.
const BEYOND: f64 = 6.0;

impl Zeros {
    /// The doubt that they cast.
    pub(crate) fn alarm(self, moved: f64) -> Option<Alarm> {
        let beyond = self.errors.iter().any(|error| error.offset.abs() > BEYOND * error.sigma);
        (beyond && moved > MATTERS).then_some(Alarm::Zeros { errors: self.errors, moved })
    }

    /// By how many of its deviations they move a parameter at most.
    pub(crate) fn in_deviations(&self, deviations: &Deviations) -> f64 {
        let of = |k: usize| {
            let sigma =
                deviations.robust(k).unwrap_or(0.0).max(deviations.white[k]).hypot(deviations.moved[k]);
            self.moved[k].abs() / sigma
        };
        (0..self.moved.len()).map(of).filter(|x| x.is_finite()).fold(0.0, f64::max)
    }
}

/// Looks for zeros that are off; nothing where forces are currents with unknown gains, motion is simulated, or loops
/// make positions depend on each other.
pub(crate) fn wrong_zeros(
    problem: &Problem,
    source: &mut dyn Source,
    settings: &Settings,
    estimate: &Estimate,
    deviations: &Deviations,
) -> Result<Zeros, IdentificationError> {
    let mechanism = problem.mechanism();
    let candidates = candidates(mechanism);
    let other = estimate.simulated.is_some() || estimate.projection.is_some();
    let gains = problem.gains().iter().any(Option::is_some);
    if candidates.is_empty() || other || gains || !mechanism.closure().is_trivial() {
        return Ok(Zeros::default());
    }
    let squares: usize = problem.rows().iter().map(|row| (row.sees.len() + 1).pow(2)).sum();
    let most = WORK / ((2 * candidates.len() + 1) * squares) as f64;
    let recordings = thinned(source.at_hand(settings.friction())?, most);
    let trial = Trial {
        problem,
        recordings,
        weights: estimate.noise.weights(),
        threads: settings.threads(),
        inflation: deviations.inflation(),
    };
    let mut shifts = vec![0.0; mechanism.configuration_size()];
    let before = trial.left(&shifts)?;
    if before.counts.iter().sum::<usize>() < 2 * problem.base().len() {
        return Ok(Zeros::default());
    }
    let names = mechanism.configuration_names();
    let error = |c: usize, (offset, sigma): (f64, f64)| ZeroError {
        joint: names[c].clone(),
        offset,
        sigma,
        or: Vec::new(),
    };
    let mut found: Vec<(usize, f64)> = Vec::new();
    let (mut moved, mut others) = (vec![0.0f64; problem.base().len()], Vec::new());
    let mut farthest = |left: &Left| {
        let moves = left.values.iter().zip(&before.values).map(|(after, before)| after - before);
        moved
            .iter_mut()
            .zip(moves)
            .filter(|(most, own)| own.abs() > most.abs())
            .for_each(|(most, own)| *most = own);
    };
    while found.len() < MOST {
        let here = trial.left(&shifts)?.chi_squared;
        let mut clear: Vec<(usize, f64, f64)> = Vec::new();
        for &c in candidates.iter().filter(|c| found.iter().all(|(own, _)| own != *c)) {
            source.working(0.0)?;
            let told = trial.newton(&mut shifts, c, here)?;
            clear.extend(
                told.filter(|(step, sigma)| step.abs() > NONE.max(CLEARLY * sigma))
                    .map(|(step, sigma)| (c, step, sigma)),
            );
        }
        let gain = |(_, step, sigma): &(usize, f64, f64)| (step / sigma).powi(2);
        let Some(&best) = clear.iter().max_by(|a, b| gain(a).total_cmp(&gain(b))) else { break };
        let mut or = Vec::new();
        for &(c, step, sigma) in
            clear.iter().filter(|one| one.0 != best.0 && gain(one) > gain(&best) - CLEARLY.powi(2))
        {
            let own = shifts[c];
            shifts[c] += step.clamp(-LONGEST, LONGEST);
            farthest(&trial.left(&shifts)?);
            shifts[c] = own;
            or.push(error(c, (step, sigma)));
        }
        others.push(or);
        found.push((best.0, 0.0));
        for _ in 0..STEPS {
            let mut largest = 0.0f64;
            for (c, sigma) in &mut found {
                let here = trial.left(&shifts)?.chi_squared;
                let Some((step, own)) = trial.newton(&mut shifts, *c, here)? else {
                    return Ok(Zeros::default());
                };
                shifts[*c] += step.clamp(-LONGEST, LONGEST);
                *sigma = own;
                largest = largest.max(step.abs() / own);
            }
            if largest < SETTLED {
                break;
            }
        }
    }
    // What is no longer clear where it fits best was chance, or something else that the model lacks.
    if found.is_empty() || found.iter().any(|&(c, sigma)| shifts[c].abs() < NONE.max(CLEARLY * sigma)) {
        return Ok(Zeros::default());
    }
    farthest(&trial.left(&shifts)?);
    let errors = found.iter().zip(others);
    let errors = errors.map(|(&(c, sigma), or)| ZeroError { or, ..error(c, (shifts[c], sigma)) });
    Ok(Zeros { errors: errors.collect(), moved })
}

/// Numbers of the configuration that are positions of joints with one degree of freedom.
fn candidates(mechanism: &Mechanism) -> Vec<usize> {
    let robot = mechanism.robot();
    let offsets = robot.configuration_offsets();
    let single: Vec<usize> = robot
        .bodies
        .iter()
        .zip(&offsets)
        .filter(|(body, _)| body.joint.kind.configuration_size() == 1)
        .map(|(_, &offset)| offset)
        .collect();
    let tree = |c: usize| mechanism.configuration_indices().map_or(c, |indices| indices[c]);
    (0..mechanism.configuration_size()).filter(|&c| single.contains(&tree(c))).collect()
}

/// Training samples, at most so many, from blocks evenly over each part.
pub(crate) fn thinned(mut recordings: Vec<Recording>, most: f64) -> Vec<Recording> {
    let all: usize = recordings.iter().map(|recording| recording.samples_for(Role::Training)).sum();
    let part = most / all.max(1) as f64;
    if part >= 1.0 {
        return recordings;
    }
    for recording in &mut recordings {
        let mut parts = Vec::new();
        for Part { samples, .. } in recording.parts().into_iter().filter(|part| part.role == Role::Training) {
            let block = samples.len() as f64 / BLOCKS as f64;
            let ranges = (0..BLOCKS).map(|k| {
                let start = samples.start + (k as f64 * block) as usize;
                start..start + (part * block) as usize
            });
            let taken = ranges.filter(|range| !range.is_empty());
            parts.extend(taken.map(|samples| Part { samples, role: Role::Training }));
        }
        recording.parts =
            if parts.is_empty() { vec![Part { samples: 0..0, role: Role::Training }] } else { parts };
    }
    recordings
}

/// What the best parameters leave.
struct Left {
    chi_squared: f64,
    values: Vec<f64>,
    counts: Vec<usize>,
}

/// Samples on which zeros are tried.
struct Trial<'a> {
    problem: &'a Problem,
    recordings: Vec<Recording>,
    weights: Vec<f64>,
    threads: NonZeroUsize,
    inflation: f64,
}

impl Trial<'_> {
    fn left(&self, shifts: &[f64]) -> Result<Left, IdentificationError> {
        let mut reduced = Reduced::new(self.problem);
        for recording in &self.recordings {
            let shifted = shifted(recording, shifts);
            reduced.absorb(self.problem, &shifted, Role::Training, self.threads)?;
        }
        let stack = reduced.stacked(&self.weights);
        let last = stack.columns() - 1;
        let prior = self.problem.base_values(self.problem.prior());
        let (values, _) = values_only(&stack, &prior);
        Ok(Left { chi_squared: stack.entry(last, last).powi(2), values, counts: reduced.counts() })
    }

    /// How far the zero of a position is from where it fits best, and the deviation of that; `None` where the log
    /// does not tell.
    fn newton(
        &self,
        shifts: &mut [f64],
        c: usize,
        here: f64,
    ) -> Result<Option<(f64, f64)>, IdentificationError> {
        let own = shifts[c];
        let mut at = |shift: f64| -> Result<f64, IdentificationError> {
            shifts[c] = own + shift;
            let left = self.left(shifts);
            shifts[c] = own;
            Ok(left?.chi_squared)
        };
        let (below, above) = (at(-STEP)?, at(STEP)?);
        let (slope, curvature) =
            ((above - below) / (2.0 * STEP), (above - 2.0 * here + below) / STEP.powi(2));
        let sigma = self.inflation * (2.0 / curvature).sqrt();
        let known = curvature > 0.0 && sigma < UNKNOWN;
        Ok(known.then(|| (-slope / curvature, sigma)))
    }
}

/// A recording whose positions are larger by constants.
fn shifted(recording: &Recording, shifts: &[f64]) -> Recording {
    let mut out = recording.clone();
    let size = shifts.len();
    let add = |q: &mut [f64]| {
        for state in q.chunks_exact_mut(size) {
            state.iter_mut().zip(shifts).for_each(|(q, shift)| *q += shift);
        }
    };
    add(&mut out.q);
    if let Some(around) = &mut out.around {
        add(&mut Arc::make_mut(&mut around.motion).q);
    }
    out
}
