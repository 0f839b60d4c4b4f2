//! The answer: a motion, how good it is, and what keeps it from being better.

use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_identifiability::Analysis;
use steiner_linalg::elimination::Matrix;

use crate::basis::Basis;
use crate::blame::{Blame, blame};
use crate::criterion::{self, Criterion};
use crate::design::Design;
use crate::error::ExcitationError;
use crate::limits::JointLimits;
use crate::objective::Objective;
use crate::proof::{Bound, Margin};
use crate::search::{Found, Progress, search};
use crate::task::Task;
use crate::tightening::tightened;

/// A base parameter, and how well the motion shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// Its name.
    pub name: String,
    /// Its value by the robot's file.
    pub value: f64,
    /// The standard deviation to be expected at the stated noise, with what was known before.
    pub sd: f64,
}

/// A motion that was designed.
#[derive(Clone, Debug)]
pub struct Designed {
    /// Functions of time of every joint.
    pub basis: Basis,
    /// Coefficients of each joint that moves, in the order of `limits`.
    pub coefficients: Vec<Vec<f64>>,
    /// Limits of each joint that moves, with its name.
    pub limits: Vec<JointLimits>,
    /// Whether all limits are kept, between the samples too as far as [`Margin::bound`] says.
    pub feasible: bool,
    /// Every limit, with how near the motion comes to it.
    pub margins: Vec<Margin>,
    /// Limits that matter most, the most important first.
    pub blame: Vec<Blame>,
    /// What was made small, and its value.
    pub criterion: (Criterion, f64),
    /// log det of Σ YᵀWY / samples on the base parameters.
    pub log_det: f64,
    /// Condition number of the weighted base regressor.
    pub condition_number: f64,
    /// M = Σ YᵀWY / samples.
    pub information: Matrix<f64>,
    /// The base parameters.
    pub deviations: Vec<Deviation>,
    /// Measured rows with the standard deviations of their noise, N·m or N.
    pub noise: Vec<(String, f64)>,
    /// Samples that the deviations are for.
    pub samples: f64,
    /// Starts that were finished.
    pub starts: usize,
    /// Whether time or user ended the search.
    pub stopped: bool,
    /// Time it took, s.
    pub seconds: f64,
    /// What can be identified at all.
    pub analysis: Analysis,
    /// Coordinates that move: (number of the configuration, velocity).
    movable: Vec<(usize, usize)>,
}

/// Samples of a motion in the independent coordinates of a mechanism, sample-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// Times, s.
    pub t: Vec<f64>,
    /// Configurations.
    pub q: Vec<f64>,
    /// Velocities.
    pub qd: Vec<f64>,
    /// Accelerations.
    pub qdd: Vec<f64>,
}

impl Designed {
    /// The motion at a rate, Hz, both ends included; poses one each.
    pub fn trajectory(&self, mechanism: &Mechanism, rate: f64) -> Trajectory {
        let steps = (self.basis.duration() * rate).round().max(1.0) as usize;
        let t: Vec<f64> = match self.basis.is_static() {
            true => (0..self.basis.len()).map(|k| k as f64).collect(),
            false => (0..=steps).map(|k| self.basis.duration() * k as f64 / steps as f64).collect(),
        };
        self.at(mechanism, t)
    }

    /// The motion at some times, s.
    pub fn at(&self, mechanism: &Mechanism, t: Vec<f64>) -> Trajectory {
        course_at(mechanism, &self.basis, &self.coefficients, &self.movable, t)
    }

    /// Coordinates that move, in the order of the coefficients: (number of the configuration, velocity).
    pub fn movable(&self) -> &[(usize, usize)] {
        &self.movable
    }
}

/// Sums of functions of time at some times, s; what does not move stays as it is in the reference.
pub fn course_at(
    mechanism: &Mechanism,
    basis: &Basis,
    coefficients: &[Vec<f64>],
    movable: &[(usize, usize)],
    t: Vec<f64>,
) -> Trajectory {
    let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
    let reference = mechanism.reference();
    let mut out = Trajectory {
        q: reference.iter().copied().cycle().take(t.len() * nq).collect(),
        qd: vec![0.0; t.len() * nv],
        qdd: vec![0.0; t.len() * nv],
        t,
    };
    for (sample, &t) in out.t.iter().enumerate() {
        let values: [Vec<f64>; 3] = std::array::from_fn(|order| basis.at(t, order));
        for (x, &(at, velocity)) in coefficients.iter().zip(movable) {
            let value = |order: usize| values[order].iter().zip(x).map(|(f, x)| f * x).sum::<f64>();
            out.q[sample * nq + at] = value(0);
            out.qd[sample * nv + velocity] = value(1);
            out.qdd[sample * nv + velocity] = value(2);
        }
    }
    out
}

/// Samples on which the answer is computed.
const SAMPLES: usize = 1000;

/// A motion that loses more than this of log det for each base parameter between the samples is not kept without having
/// searched for another…
const LOST: f64 = 0.6;
/// …so often, from other starts.
const AGAIN: u64 = 2;

/// The best motion of a search that keeps its limits between the samples, too; of several searches, where what was found
/// on a grid has to be given up for that.
fn searched(
    task: &Task<'_>,
    design: &Design,
    watch: &(dyn Fn(Progress<'_>) -> bool + Sync),
) -> Result<(Found, Vec<Margin>), ExcitationError> {
    let one = |again: u64| {
        let other = Design { seed: design.seed.wrapping_add(again << 32), ..design.clone() };
        let mut found = search(task, &other, watch)?;
        let on_grid = log_det(task, &found.x);
        let margins = tightened(task, &mut found, design.threads)?;
        let everywhere = log_det(task, &found.x);
        let lost = on_grid - everywhere > LOST * task.base_values().len() as f64;
        let goes_on = lost && !(found.stopped || found.interrupted || design.time.is_some());
        Ok::<_, ExcitationError>((everywhere, (found, margins), goes_on))
    };
    let (mut most, mut best, mut goes_on) = one(0)?;
    for again in 1..=AGAIN {
        if !goes_on {
            break;
        }
        let (log_det, found, lost) = one(again)?;
        goes_on = lost;
        if log_det > most {
            (most, best) = (log_det, found);
        }
    }
    Ok(best)
}

fn log_det(task: &Task<'_>, x: &[f64]) -> f64 {
    let mut quiet = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(task, SAMPLES, &mut quiet);
    let Ok((_, forward)) = objective.forward(x) else { return f64::NEG_INFINITY };
    criterion::inverse_of(&task.total(&forward.information)).map_or(f64::NEG_INFINITY, |(log_det, _)| log_det)
}

/// Designs a motion. `watch` is told how far it is, from several threads, and answers whether to stop with
/// the best so far.
pub fn design(
    mechanism: &Mechanism,
    design: &Design,
    watch: &(dyn Fn(Progress<'_>) -> bool + Sync),
) -> Result<Designed, ExcitationError> {
    let begun = Instant::now();
    let task = Task::new(mechanism, design)?;
    let (found, margins) = searched(&task, design, watch)?;
    let blame = blame(&task, &found.x, found.interrupted);
    let mut quiet = |_: &[f64], _: f64| false;
    let shown = task.of_motion(&found.x);
    let mut objective = Objective::new(&shown, SAMPLES, &mut quiet);
    let (_, forward) = objective.forward(&found.x)?;
    drop(objective);
    let log_det =
        criterion::inverse_of(&forward.information).map_or(f64::NEG_INFINITY, |(log_det, _)| log_det);
    let total = task.total(&forward.information);
    let inverse = criterion::inverse_of(&total).map(|(_, inverse)| inverse);
    if inverse.is_none() {
        return Err(ExcitationError::SeesNothing {
            what: "all base parameters".to_owned(),
            why: "within these limits some change the measured forces by less than rounding".to_owned(),
            remedy: "allow more speed or wider ranges, or leave the drives out".to_owned(),
        });
    }
    let values = task.base_values();
    let deviation = |(k, name): (usize, String)| Deviation {
        name,
        value: values[k],
        sd: inverse.as_ref().map_or(f64::INFINITY, |inverse| (inverse[(k, k)] / design.samples()).sqrt()),
    };
    let singular = steiner_linalg::orthogonal::singular(forward.information.clone());
    let condition_number = match (singular.values.first(), singular.values.last()) {
        (Some(most), Some(least)) if *least > 0.0 => (most / least).sqrt(),
        _ => f64::INFINITY,
    };
    let value = criterion::evaluate(task.criterion, &task.interest, &total, false);
    let functions = task.basis.len();
    Ok(Designed {
        coefficients: found.x.chunks_exact(functions).map(<[f64]>::to_vec).collect(),
        basis: task.basis.clone(),
        limits: task.limits.clone(),
        feasible: margins.iter().all(|margin| margin.bound != Bound::Violated),
        margins,
        blame,
        criterion: (task.criterion, value.map_or(f64::INFINITY, |(value, _)| value)),
        log_det,
        condition_number,
        information: forward.information,
        deviations: task.base_names().into_iter().enumerate().map(deviation).collect(),
        noise: task.noise.clone(),
        samples: design.samples(),
        starts: found.starts,
        stopped: found.stopped,
        seconds: begun.elapsed().as_secs_f64(),
        movable: task.movable.clone(),
        analysis: task.analysis,
    })
}
