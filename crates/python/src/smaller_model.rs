//! Closed forms that leave out what a task hardly needs: how accurate they are to be, and what that came to.

use std::path::Path;

use pyo3::prelude::*;
use steiner::dynamics::Mechanism;
use steiner::identification::channels;
use steiner::model::{Profile, ReductionGoal, TaskStates};
use steiner::{LogOptions, Processing, Recording};

use crate::arrays::value_error;
use crate::failures::log_error;
use crate::model::file_error;

/// What leaving functions out of a closed form came to.
#[derive(Clone, Debug, IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reduction {
    /// Of how many functions and base parameters it was made.
    pub(crate) functions_before: usize,
    pub(crate) base_parameters_before: usize,
    pub(crate) accuracy: f64,
    pub(crate) confidence: f64,
    /// The relative error that was reached, and before the parameters were fitted.
    pub(crate) error: f64,
    pub(crate) truncated_error: f64,
    pub(crate) profile: String,
    /// States of the task.
    pub(crate) samples: usize,
}

/// How much a smaller closed form may err, checked; None where nobody asked for one.
pub(crate) fn reduction_goal(
    accuracy: Option<f64>,
    confidence: f64,
    forward: bool,
    refit: bool,
) -> PyResult<Option<ReductionGoal>> {
    let Some(accuracy) = accuracy else { return Ok(None) };
    if !(accuracy > 0.0 && accuracy < 1.0) {
        return Err(value_error(format!(
            "accuracy is {accuracy}; give a relative error above 0 and below 1"
        )));
    }
    if !(confidence > 0.0 && confidence <= 1.0) {
        return Err(value_error(format!(
            "confidence is {confidence}; give the part of the states that must be accurate, above 0 and up to 1"
        )));
    }
    Ok(Some(ReductionGoal { accuracy, confidence, forward, refit }))
}

/// The states of a task: slow, fast, a file with ranges, or a recorded motion.
pub(crate) fn task_states(mechanism: &Mechanism, profile: &str) -> PyResult<TaskStates> {
    let (robot, path) = (mechanism.robot(), Path::new(profile));
    let drawn = match profile {
        "slow" => Profile::slow(robot),
        "fast" => Profile::fast(robot),
        _ if path.extension().is_some_and(|ending| ending == "toml") => Profile::read(path, robot),
        _ => {
            let options = LogOptions::default();
            let read = Recording::read(&channels(mechanism), path, &options, &Processing::default());
            let Recording { count, q, qd, qdd, .. } = read.map_err(log_error)?;
            return Ok(TaskStates { q, qd, qdd, count });
        }
    };
    drawn.map(|drawn| drawn.states()).map_err(|error| file_error(path, error))
}
