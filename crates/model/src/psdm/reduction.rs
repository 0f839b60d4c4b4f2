//! Smaller models for a task: functions that hardly contribute are left out, section 4.3.
//!
//! `states` evaluates functions at many states, `measure` says what an error is, `contributions` weighs
//! functions, `nested` finds the errors of ever smaller models in one walk over the states, `fit` their
//! parameters; `search` and `trade_off` ask.

mod contributions;
mod fit;
mod measure;
mod nested;
mod search;
mod states;
mod trade_off;

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use contributions::{means, statistics};
use measure::{Measure, forces};
use nested::Nest;
use states::{Functions, Phi, check_samples};
use steiner_dynamics::Samples;
use steiner_linalg::all_threads;

use super::function::Acceleration;
use super::model::{Psdm, ReductionMatrix, check};
use crate::error::ModelError;

pub use contributions::Contribution;
pub use search::{ReducedPsdm, ReductionGoal};
pub use trade_off::{TradeOff, TradeOffPoint};

/// A model at the states of a task, ready to be made smaller: its forces there and the
/// contribution of each function.
///
/// States that belong together are asked once for all: [`PsdmTask::reduced`] with several
/// goals, [`PsdmTask::trade_off`].
pub struct PsdmTask<'a> {
    functions: Functions<'a>,
    theta: Vec<f64>,
    phi: Phi,
    samples: Samples<'a>,
    /// Forces of the full model, sample-major.
    tau: Vec<f64>,
    of_forces: OnceLock<Scale>,
    of_accelerations: OnceLock<Scale>,
    threads: NonZeroUsize,
}

/// How errors are measured, and which functions they make dispensable.
struct Scale {
    measure: Measure,
    /// Functions that may be left out, in that order.
    order: Vec<usize>,
}

impl Psdm {
    /// Evaluates the model at the states of a task (sample-major, rad or m, per s, per
    /// s²), with given base parameters.
    pub fn task<'a>(&'a self, theta: &[f64], samples: &Samples<'a>) -> Result<PsdmTask<'a>, ModelError> {
        check("theta", theta, self.parameters.len(), "give one per base parameter")?;
        check_samples(self, samples)?;
        let (functions, phi, threads) = (Functions::new(self), Phi::new(self, theta), all_threads());
        Ok(PsdmTask {
            tau: forces(&functions, &phi, samples, threads),
            functions,
            theta: theta.to_vec(),
            phi,
            samples: *samples,
            of_forces: OnceLock::new(),
            of_accelerations: OnceLock::new(),
            threads,
        })
    }

    /// The contribution of each function at given base parameters.
    pub fn contributions(
        &self,
        theta: &[f64],
        samples: &Samples<'_>,
    ) -> Result<Vec<Contribution>, ModelError> {
        Ok(self.task(theta, samples)?.contributions())
    }

    /// Leaves out as many functions as the goal allows, those with the smallest mean contribution first, and
    /// fits the parameters that are left to the samples.
    pub fn reduced(
        &self,
        theta: &[f64],
        samples: &Samples<'_>,
        goal: &ReductionGoal,
    ) -> Result<ReducedPsdm, ModelError> {
        self.task(theta, samples)?.reduced(goal)
    }

    /// Errors of ever smaller models at some confidences; see [`PsdmTask::trade_off`].
    pub fn trade_off(
        &self,
        theta: &[f64],
        samples: &Samples<'_>,
        confidences: &[f64],
        forward: bool,
    ) -> Result<TradeOff, ModelError> {
        self.task(theta, samples)?.trade_off(confidences, forward)
    }

    /// The model of some functions, with the parameters that still matter.
    fn without(&self, kept: &[bool], theta: &[f64]) -> Psdm {
        let functions: Vec<usize> = (0..kept.len()).filter(|&k| kept[k]).collect();
        let mut place = vec![None; self.parameters.len()];
        for reduction in &self.reductions {
            functions.iter().flat_map(|&k| reduction.row(k)).for_each(|(p, _)| place[p] = Some(0));
        }
        place.iter_mut().flatten().enumerate().for_each(|(index, place)| *place = index);
        let mut reductions = vec![ReductionMatrix::empty(); self.reductions.len()];
        for (to, from) in reductions.iter_mut().zip(&self.reductions) {
            for &k in &functions {
                to.push(from.row(k).filter_map(|(p, x)| Some((place[p]?, x))));
            }
        }
        let parameters = self.parameters.iter().zip(theta).zip(&place).filter(|(_, place)| place.is_some());
        Psdm {
            robot: self.robot.clone(),
            joints: self.joints.clone(),
            gravity: self.gravity,
            labels: self.labels.clone(),
            parameters: parameters
                .map(|((parameter, &value), _)| super::ModelParameter { value, ..parameter.clone() })
                .collect(),
            functions: functions.iter().map(|&k| self.functions[k]).collect(),
            reductions,
        }
    }
}

/// Errors of one of several nested models at every state.
struct Trial {
    /// Number of functions left out.
    dropped: usize,
    /// With the parameters given.
    truncated: Vec<f64>,
    /// Those fitted, if that was asked for, and errors with them.
    fitted: Option<(Vec<f64>, Vec<f64>)>,
}

impl PsdmTask<'_> {
    /// The model that is made smaller.
    pub fn model(&self) -> &Psdm {
        self.functions.model
    }

    /// Mean, median and largest contribution of each function to the forces, (66).
    pub fn contributions(&self) -> Vec<Contribution> {
        let measure = Measure::of_forces(&self.tau, self.model().dof());
        statistics(&self.functions, &self.phi, &measure, &self.samples, self.threads)
    }

    /// The functions that may be left out, in that order: those of the smallest mean contribution first.
    /// Models that accelerations are computed from keep all functions of their mass matrix, because its
    /// inverse would amplify their absence, and contributions are those to the accelerations.
    pub fn order(&self, forward: bool) -> Result<&[usize], ModelError> {
        Ok(&self.scale(forward)?.order)
    }

    fn scale(&self, forward: bool) -> Result<&Scale, ModelError> {
        let cell = if forward { &self.of_accelerations } else { &self.of_forces };
        if let Some(scale) = cell.get() {
            return Ok(scale);
        }
        let measure = match forward {
            false => Measure::of_forces(&self.tau, self.model().dof()),
            true => Measure::of_accelerations(&self.functions, &self.theta, &self.samples, self.threads)?,
        };
        let means = means(&self.functions, &self.phi, &measure, &self.samples, self.threads);
        let functions = &self.model().functions;
        let is_mass = |k: usize| matches!(functions[k].acceleration, Acceleration::Joint(_));
        let mut order: Vec<usize> = (0..functions.len()).filter(|&k| !(forward && is_mass(k))).collect();
        order.sort_by(|&a, &b| means[a].total_cmp(&means[b]));
        Ok(cell.get_or_init(|| Scale { measure, order }))
    }

    /// Which functions are kept when so many of an order are left out.
    fn kept(&self, order: &[usize], dropped: usize) -> Vec<bool> {
        let mut kept = vec![true; self.model().functions.len()];
        order[..dropped].iter().for_each(|&k| kept[k] = false);
        kept
    }

    /// Errors of the models that leave out so many (ascending) of the functions that may be.
    fn without(&self, scale: &Scale, dropped: &[usize], refit: bool) -> Vec<Trial> {
        let Some(&most) = dropped.last() else { return Vec::new() };
        let kept = self.kept(&scale.order, most);
        let mut groups: Vec<Vec<usize>> = vec![(0..kept.len()).filter(|&k| kept[k]).collect()];
        groups.extend(dropped.windows(2).rev().map(|pair| scale.order[pair[0]..pair[1]].to_vec()));
        let measure = &scale.measure;
        let nest = Nest::new(&self.functions, &self.samples, &self.tau, measure, groups, self.threads);
        let (mut truncated, mut fitted) = match refit {
            false => (nest.errors(&vec![&self.theta[..]; dropped.len()]), Vec::new()),
            true => {
                let (thetas, truncated) = nest.fits(&self.theta);
                let errors = nest.errors(&thetas.iter().map(Vec::as_slice).collect::<Vec<_>>());
                (truncated, thetas.into_iter().zip(errors).collect())
            }
        };
        // The smallest model came first.
        let mut out = Vec::new();
        for &dropped in dropped {
            let (truncated, fitted) = (truncated.pop().unwrap_or_default(), fitted.pop());
            out.push(Trial { dropped, truncated, fitted });
        }
        out
    }
}

/// The error that a part of the states stays below.
fn quantile(errors: &mut [f64], confidence: f64) -> f64 {
    let place = ((confidence * errors.len() as f64).ceil() as usize).clamp(1, errors.len().max(1)) - 1;
    match errors.is_empty() {
        true => 0.0,
        false => *errors.select_nth_unstable_by(place, f64::total_cmp).1,
    }
}

/// Refuses a part of the states that is none.
fn check_confidence(confidence: f64) -> Result<(), ModelError> {
    match confidence > 0.0 && confidence <= 1.0 {
        true => Ok(()),
        false => Err(ModelError::Confidence { confidence }),
    }
}
