//! The smallest model that is accurate enough.

use steiner_linalg::in_parallel;

use super::{PsdmTask, Trial, check_confidence, quantile};
use crate::error::ModelError;
use crate::psdm::model::Psdm;

/// Sizes that are tried in one walk over the states: one more of them costs less than
/// evaluating the functions once more.
const TRIED_AT_ONCE: usize = 11;

/// How accurate a smaller model must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReductionGoal {
    /// Tolerated ‖τ − τ̂‖/‖τ‖ (or ‖q̈ − q̈̂‖/‖q̈‖, see `forward`), above 0 and below 1: 0.01 (two
    /// digits, (67)) unless told otherwise.
    pub accuracy: f64,
    /// Part of the samples that must be that accurate, up to 1: 0.999 unless told otherwise.
    pub confidence: f64,
    /// Whether accelerations will be computed from the model. Then the functions of the mass matrix are
    /// all kept, because its inverse would amplify their absence, and accuracy is that of the
    /// accelerations. No unless told otherwise.
    pub forward: bool,
    /// Whether the base parameters may change a little to make up for what is left
    /// out. Yes unless told otherwise.
    pub refit: bool,
}

impl Default for ReductionGoal {
    fn default() -> Self {
        ReductionGoal { accuracy: 0.01, confidence: 0.999, forward: false, refit: true }
    }
}

/// A smaller model.
#[derive(Clone, Debug)]
pub struct ReducedPsdm {
    /// The model; its nominal parameters θ̂_b are fitted to the samples where that helps.
    pub model: Psdm,
    /// The error that the wanted part of the samples stays below.
    pub error: f64,
    /// The same with the parameters of the full model.
    pub truncated_error: f64,
}

impl PsdmTask<'_> {
    /// Leaves out as many functions as the goal allows, those with the smallest mean contribution first, and
    /// fits the parameters that are left to the samples.
    pub fn reduced(&self, goal: &ReductionGoal) -> Result<ReducedPsdm, ModelError> {
        if !(goal.accuracy > 0.0 && goal.accuracy < 1.0) {
            return Err(ModelError::Accuracy { accuracy: goal.accuracy });
        }
        check_confidence(goal.confidence)?;
        let mut reduced = self.search(goal)?;
        if goal.forward && goal.refit {
            // So far D̂ counted as D. Where fitted parameters made another one of it, they
            // are worth less than they seemed.
            reduced.error = self.acceleration_error(&reduced.model, goal.confidence)?;
            if reduced.error > goal.accuracy {
                reduced = self.search(&ReductionGoal { refit: false, ..*goal })?;
            }
        }
        Ok(reduced)
    }

    fn search(&self, goal: &ReductionGoal) -> Result<ReducedPsdm, ModelError> {
        let scale = self.scale(goal.forward)?;
        let order = &scale.order;
        let error = |trial: Trial| Candidate::new(trial, goal.confidence);
        // The error grows with what is left out, but for the luck of a fit: a place is found where it
        // crosses.
        let mut best = self.without(scale, &[0], false).into_iter().map(error).next();
        let (mut fine, mut coarse) = (0, order.len() + 1);
        while coarse - fine > 1 {
            let steps = TRIED_AT_ONCE.min(coarse - fine - 1) + 1;
            let tried: Vec<usize> = (1..steps).map(|k| fine + k * (coarse - fine) / steps).collect();
            for candidate in self.without(scale, &tried, goal.refit).into_iter().map(error) {
                if candidate.error > goal.accuracy {
                    coarse = candidate.dropped;
                    break;
                }
                fine = candidate.dropped;
                best = Some(candidate);
            }
        }
        let Some(Candidate { dropped, error, truncated_error, theta }) = best else {
            return Err(ModelError::TooFewSamples { count: 0 });
        };
        let kept = self.kept(order, dropped);
        let model = self.model().without(&kept, theta.as_deref().unwrap_or(&self.theta));
        Ok(ReducedPsdm { model, error, truncated_error })
    }

    /// The relative error of accelerations of a model from the forces of the full one;
    /// infinite where its mass matrix fails.
    fn acceleration_error(&self, model: &Psdm, confidence: f64) -> Result<f64, ModelError> {
        let small = model.calibrate(&model.nominal())?;
        let joints = self.model().dof();
        let errors = in_parallel(self.samples.count, self.threads, |k| {
            let of_state = |x: &'_ [f64]| x[k * joints..(k + 1) * joints].to_vec();
            let [q, qd, qdd] = [self.samples.q, self.samples.qd, self.samples.qdd].map(of_state);
            let size = norm(qdd.iter().copied());
            match small.forward_dynamics(&q, &qd, &of_state(&self.tau)) {
                Ok(found) if size > 0.0 => Ok(norm(found.iter().zip(&qdd).map(|(a, b)| a - b)) / size),
                Ok(_) => Ok(0.0),
                Err(ModelError::MassNotPositive { .. }) => Ok(f64::INFINITY),
                Err(other) => Err(other),
            }
        });
        Ok(quantile(&mut errors.into_iter().collect::<Result<Vec<f64>, ModelError>>()?, confidence))
    }
}

/// One size with its better parameters.
struct Candidate {
    dropped: usize,
    error: f64,
    truncated_error: f64,
    /// Fitted ones, where they help.
    theta: Option<Vec<f64>>,
}

impl Candidate {
    fn new(mut trial: Trial, confidence: f64) -> Self {
        let truncated_error = quantile(&mut trial.truncated, confidence);
        let fitted = trial.fitted.map(|(theta, mut errors)| (quantile(&mut errors, confidence), theta));
        let (error, theta) = match fitted {
            Some((error, theta)) if error <= truncated_error => (error, Some(theta)),
            _ => (truncated_error, None),
        };
        Candidate { dropped: trial.dropped, error, truncated_error, theta }
    }
}

fn norm(v: impl Iterator<Item = f64>) -> f64 {
    v.map(|x| x * x).sum::<f64>().sqrt()
}
