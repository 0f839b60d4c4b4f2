//! The search for zeros: one after the other, the clearest first, all that were found together.

use std::num::NonZeroUsize;
use std::sync::Arc;

use steiner_logs::{Recording, Role};

use super::{ZeroError, Zeros};
use crate::accumulate::{Reduced, Source};
use crate::estimate::values_only;
use crate::failure::IdentificationError;
use crate::problem::Problem;

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
/// Steps of Newton's method for each of them, at most; the last is smaller than this part of the deviation.
const STEPS: usize = 4;
const SETTLED: f64 = 0.1;

/// What was found so far.
pub(super) struct Search<'a> {
    trial: &'a Trial<'a>,
    /// With the zeros of the log.
    pub(super) unshifted: Left,
    /// What is added to each number of the configuration.
    shifts: Vec<f64>,
    pub(super) found: Vec<Found>,
    /// By how much each base parameter moved at most.
    moved: Vec<f64>,
}

/// A zero that is off: which, the deviation, and what explains the log about as well.
pub(super) struct Found {
    coordinate: usize,
    sigma: f64,
    or: Vec<ZeroError>,
}

/// A zero that is clearly off if all others are as they are.
pub(super) struct Clear {
    coordinate: usize,
    step: f64,
    sigma: f64,
}

impl Clear {
    /// By how much χ² would fall.
    fn gain(&self) -> f64 {
        (self.step / self.sigma).powi(2)
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(trial: &'a Trial<'a>) -> Result<Self, IdentificationError> {
        let shifts = vec![0.0; trial.problem.mechanism().configuration_size()];
        let unshifted = trial.left(&shifts)?;
        let moved = vec![0.0; trial.problem.base().len()];
        Ok(Search { trial, unshifted, shifts, found: Vec::new(), moved })
    }

    /// Those that are clearly off, of candidates that were not found yet.
    pub(super) fn clear(
        &mut self,
        candidates: &[usize],
        source: &mut dyn Source,
    ) -> Result<Vec<Clear>, IdentificationError> {
        let here = self.trial.left(&self.shifts)?.chi_squared;
        let mut out = Vec::new();
        for &coordinate in candidates {
            if self.found.iter().any(|found| found.coordinate == coordinate) {
                continue;
            }
            source.working(0.0)?;
            let told = self.trial.newton(&mut self.shifts, coordinate, here)?;
            out.extend(told.filter(|&(step, sigma)| is_clear(step, sigma)).map(|(step, sigma)| Clear {
                coordinate,
                step,
                sigma,
            }));
        }
        Ok(out)
    }

    /// Adds the clearest of them, and beside it those that nothing tells from it; `false` where there is none.
    pub(super) fn takes_the_clearest(&mut self, clear: &[Clear]) -> Result<bool, IdentificationError> {
        let Some(best) = clear.iter().max_by(|a, b| a.gain().total_cmp(&b.gain())) else { return Ok(false) };
        let as_good =
            |one: &&Clear| one.coordinate != best.coordinate && one.gain() > best.gain() - CLEARLY.powi(2);
        let mut or = Vec::new();
        for one in clear.iter().filter(as_good) {
            let own = self.shifts[one.coordinate];
            self.shifts[one.coordinate] += one.step.clamp(-LONGEST, LONGEST);
            self.moves()?;
            self.shifts[one.coordinate] = own;
            or.push(self.error(one.coordinate, one.step, one.sigma, Vec::new()));
        }
        self.found.push(Found { coordinate: best.coordinate, sigma: best.sigma, or });
        Ok(true)
    }

    /// Newton's method for all that were found, in turn; `false` where the log does not tell one of them.
    pub(super) fn settles(&mut self) -> Result<bool, IdentificationError> {
        for _ in 0..STEPS {
            let mut largest = 0.0f64;
            for k in 0..self.found.len() {
                let c = self.found[k].coordinate;
                let here = self.trial.left(&self.shifts)?.chi_squared;
                let Some((step, sigma)) = self.trial.newton(&mut self.shifts, c, here)? else {
                    return Ok(false);
                };
                self.shifts[c] += step.clamp(-LONGEST, LONGEST);
                self.found[k].sigma = sigma;
                largest = largest.max(step.abs() / sigma);
            }
            if largest < SETTLED {
                break;
            }
        }
        Ok(true)
    }

    /// What was found; nothing if a zero is not clear where it fits best: it was chance, or something else that the
    /// model lacks.
    pub(super) fn zeros(mut self) -> Result<Zeros, IdentificationError> {
        let is_off = |found: &Found| is_clear(self.shifts[found.coordinate], found.sigma);
        if self.found.is_empty() || !self.found.iter().all(is_off) {
            return Ok(Zeros::default());
        }
        self.moves()?;
        let found = std::mem::take(&mut self.found);
        let error = |one: Found| self.error(one.coordinate, self.shifts[one.coordinate], one.sigma, one.or);
        let errors = found.into_iter().map(error).collect();
        Ok(Zeros { errors, moved: self.moved })
    }

    /// Base parameters move by what the shifts do to them, where that is more than before.
    fn moves(&mut self) -> Result<(), IdentificationError> {
        let values = self.trial.left(&self.shifts)?.values;
        for ((most, after), before) in self.moved.iter_mut().zip(values).zip(&self.unshifted.values) {
            let own = after - before;
            if own.abs() > most.abs() {
                *most = own;
            }
        }
        Ok(())
    }

    fn error(&self, coordinate: usize, offset: f64, sigma: f64, or: Vec<ZeroError>) -> ZeroError {
        let joint = self.trial.problem.mechanism().configuration_names()[coordinate].clone();
        ZeroError { joint, offset, sigma, or }
    }
}

fn is_clear(offset: f64, sigma: f64) -> bool {
    offset.abs() > NONE.max(CLEARLY * sigma)
}

/// What the best parameters leave.
pub(super) struct Left {
    chi_squared: f64,
    values: Vec<f64>,
    pub(super) counts: Vec<usize>,
}

/// Samples on which zeros are tried.
pub(super) struct Trial<'a> {
    pub(super) problem: &'a Problem,
    pub(super) recordings: Vec<Recording>,
    /// Of rows.
    pub(super) weights: Vec<f64>,
    pub(super) threads: NonZeroUsize,
    /// Of deviations, because residuals are correlated.
    pub(super) inflation: f64,
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
