//! Size against accuracy: the curves of figure 7.

use steiner_linalg::in_parallel;
use steiner_symbols::Operations;

use super::{PsdmTask, check_confidence, quantile};
use crate::error::ModelError;

/// Steps from the full model to the smallest one, and some more near its end, in percent.
const STEPS: usize = 30;
const NEAR_THE_END: [f64; 4] = [98.0, 99.0, 99.5, 99.8];

/// Errors of ever smaller models over the states of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeOff {
    /// Parts of the samples that stay below the errors of each point.
    pub confidences: Vec<f64>,
    /// From the full model to the smallest.
    pub points: Vec<TradeOffPoint>,
}

/// One size of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct TradeOffPoint {
    /// Functions kept.
    pub functions: usize,
    /// Base parameters they need.
    pub parameters: usize,
    /// ‖τ − τ̂‖/‖τ‖ for each confidence, with the parameters of the full model; of models for
    /// accelerations ‖q̈ − q̈̂‖/‖q̈‖.
    pub truncated_errors: Vec<f64>,
    /// The same with parameters fitted to the samples; of models for accelerations, as if that
    /// left the mass matrix as it is.
    pub fitted_errors: Vec<f64>,
}

impl PsdmTask<'_> {
    /// Errors at some confidences of about thirty models from all functions down to almost none. Models
    /// `forward`, for accelerations, keep the functions of their mass matrix.
    pub fn trade_off(&self, confidences: &[f64], forward: bool) -> Result<TradeOff, ModelError> {
        confidences.iter().try_for_each(|&confidence| check_confidence(confidence))?;
        let scale = self.scale(forward)?;
        let order = &scale.order;
        let even = (0..STEPS).map(|k| 100.0 * k as f64 / STEPS as f64);
        let part = |percent: f64| (percent / 100.0 * order.len() as f64).round() as usize;
        let mut dropped: Vec<usize> = even.chain(NEAR_THE_END).map(part).collect();
        dropped.dedup();
        let trial = self.without(scale, &dropped, true);
        let points = trial.into_iter().map(|mut trial| {
            let of = |errors: &mut Vec<f64>| -> Vec<f64> {
                confidences.iter().map(|&c| quantile(errors, c)).collect()
            };
            let truncated_errors = of(&mut trial.truncated);
            let fitted_errors =
                trial.fitted.map_or_else(|| truncated_errors.clone(), |(_, mut errors)| of(&mut errors));
            let kept = self.kept(order, trial.dropped);
            TradeOffPoint {
                functions: kept.len() - trial.dropped,
                parameters: self.parameters_of(&kept),
                truncated_errors,
                fitted_errors,
            }
        });
        Ok(TradeOff { confidences: confidences.to_vec(), points: points.collect() })
    }

    /// What the inverse dynamics cost as code, of models with so many functions; `None` where they are
    /// too many for code. Sums that models share may break up when functions are left out: fewer
    /// functions are not always fewer operations.
    pub fn operations(
        &self,
        functions: &[usize],
        forward: bool,
    ) -> Result<Vec<Option<Operations>>, ModelError> {
        let order = self.order(forward)?;
        let all = self.model().functions.len();
        Ok(in_parallel(functions.len(), self.threads, |k| {
            let dropped = all.saturating_sub(functions[k]).min(order.len());
            self.model().without(&self.kept(order, dropped), &self.theta).operations().ok()
        }))
    }

    /// Number of base parameters that some functions need.
    fn parameters_of(&self, kept: &[bool]) -> usize {
        let model = self.model();
        let mut needed = vec![false; model.parameters.len()];
        for reduction in &model.reductions {
            let rows = (0..kept.len()).filter(|&k| kept[k]).flat_map(|k| reduction.row(k));
            rows.for_each(|(parameter, _)| needed[parameter] = true);
        }
        needed.iter().filter(|needed| **needed).count()
    }
}
