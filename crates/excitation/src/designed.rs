//! The answer: a motion, how good it is, and what keeps it from being better.

use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_identifiability::Analysis;
use steiner_linalg::elimination::Matrix;

use crate::basis::Basis;
use crate::criterion;
use crate::design::Design;
use crate::error::ExcitationError;
use crate::limits::JointLimits;
use crate::objective::Objective;
use crate::proof::{Bound, Margin, margins as margins_of};
use crate::search::{Progress, search, shrink};
use crate::task::Task;

/// A motion that was designed.
#[derive(Clone, Debug)]
pub struct Designed {
    /// Functions of time of every joint.
    pub basis: Basis,
    /// Coefficients of each joint that moves.
    pub coefficients: Vec<Vec<f64>>,
    /// Limits of each joint that moves.
    pub limits: Vec<JointLimits>,
    /// Whether all limits are kept, between the samples too as far as [`Margin::bound`] says.
    pub feasible: bool,
    /// Every limit, with how near the motion comes to it.
    pub margins: Vec<Margin>,
    /// log det of Σ YᵀWY / samples on the base parameters.
    pub log_det: f64,
    /// Condition number of the weighted base regressor.
    pub condition_number: f64,
    /// M = Σ YᵀWY / samples.
    pub information: Matrix<f64>,
    /// Names and standard deviations of the base parameters.
    pub deviations: Vec<(String, f64)>,
    /// Starts that were finished.
    pub starts: usize,
    /// Whether time or user ended the search.
    pub stopped: bool,
    /// s.
    pub seconds: f64,
    /// What can be identified at all.
    pub analysis: Analysis,
}

/// Samples on which the answer is computed.
const SAMPLES: usize = 1000;
/// How often a motion is made smaller at most.
const SMALLER: u32 = 20;

/// Designs a motion. `watch` is told how far it is, from several threads, and answers whether to stop with
/// the best so far.
pub fn design(
    mechanism: &Mechanism,
    design: &Design,
    watch: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<Designed, ExcitationError> {
    let begun = Instant::now();
    let task = Task::new(mechanism, design)?;
    let mut found = search(&task, design, watch)?;
    // What leaks between the samples of the grid is little: the motion is made smaller until nothing does.
    let mut margins = margins_of(&task, &found.x)?;
    for round in 0..SMALLER {
        let mut factors = vec![1.0f64; task.limits.len()];
        for margin in margins.iter().filter(|margin| margin.bound == Bound::Violated) {
            // A little more than what leaks, and more each time.
            let factor = 1.0 - (-margin.margin).clamp(1e-8, 0.05) * (1.05 + 0.5 * f64::from(round));
            let own = task.limits.iter().position(|limits| limits.name == margin.of);
            match own.filter(|_| margin.quantity.is_of_one_signal()) {
                Some(own) => factors[own] = factors[own].min(factor),
                None => factors.iter_mut().for_each(|all| *all = all.min(factor)),
            }
        }
        if factors.iter().all(|factor| *factor == 1.0) {
            break;
        }
        shrink(&task, &mut found.x, |joint| factors[joint]);
        margins = margins_of(&task, &found.x)?;
    }
    let mut quiet = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(&task, SAMPLES, &mut quiet);
    let (_, forward) = objective.forward(&found.x)?;
    drop(objective);
    let (log_det, _) = criterion::inverse_of(&forward.information).unwrap_or((f64::NEG_INFINITY, Matrix::zeros(0, 0)));
    let total = task.total(&forward.information);
    let deviations = match criterion::inverse_of(&total) {
        Some((_, inverse)) => {
            let sd = |k: usize| (inverse[(k, k)] / design.samples()).sqrt();
            task.base_names().into_iter().enumerate().map(|(k, name)| (name, sd(k))).collect()
        }
        None => task.base_names().into_iter().map(|name| (name, f64::INFINITY)).collect(),
    };
    let singular = steiner_linalg::orthogonal::singular(forward.information.clone());
    let values = &singular.values;
    let condition_number = match (values.first(), values.last()) {
        (Some(most), Some(least)) if *least > 0.0 => (most / least).sqrt(),
        _ => f64::INFINITY,
    };
    let functions = task.basis.len();
    Ok(Designed {
        coefficients: found.x.chunks_exact(functions).map(<[f64]>::to_vec).collect(),
        basis: task.basis.clone(),
        limits: task.limits.clone(),
        feasible: margins.iter().all(|margin| margin.bound != Bound::Violated),
        margins,
        log_det,
        condition_number,
        information: forward.information,
        deviations,
        starts: found.starts,
        stopped: found.stopped,
        seconds: begun.elapsed().as_secs_f64(),
        analysis: task.analysis,
    })
}
