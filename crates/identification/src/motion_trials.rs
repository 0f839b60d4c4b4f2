//! Which joint to move, so that a log tells more: the deviations of base parameters were one joint moved, or moved
//! faster, while all others do what they did.
//!
//! States of the log are taken as they are, a few hundred of them. A joint that stands is given a sum of two
//! sinusoids within its limits; of one that moves, velocities are doubled and accelerations are four times as large,
//! as if it had run along the same path in half the time.

use std::f64::consts::TAU;
use std::num::NonZeroUsize;

use steiner_logs::{Recording, STILL};
use steiner_robot::{Coordinate, JointKind};

use crate::accumulate::Source;
use crate::estimate::{least_squares, sigma_of};
use crate::excitation::MotionAlone;
use crate::failure::IdentificationError;
use crate::identify::accumulate;
use crate::problem::Problem;

/// States that a trial takes of a log, about.
const STATES: usize = 600;
/// Amplitude of a joint that is to move, rad; and m of one that slides.
const AMPLITUDE: f64 = 0.5;
const SLIDE: f64 = 0.1;
/// Its two frequencies, Hz, and how long it moves, s.
const FREQUENCIES: [f64; 2] = [0.4, 0.97];
const DURATION: f64 = 20.0;
/// A change that is advised makes a deviation at most this part of what it was.
const WORTHWHILE: f64 = 0.5;

/// What is changed of a motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MotionChange {
    /// Nothing.
    AsRecorded,
    /// A joint that stands is moved.
    Move(String),
    /// A joint is moved twice as fast.
    Faster(String),
    /// All joints that stand are moved, all others twice as fast.
    MoveAll,
}

/// The standard deviations to be expected of base parameters after a change of the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionTrial {
    /// What is changed.
    pub change: MotionChange,
    /// For each base parameter of the problem; infinite where it is not excited.
    pub sigma: Vec<f64>,
}

/// What a log's motion is, and what would follow if joints moved otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionTrials {
    /// Joints that stand in this log.
    pub still: Vec<String>,
    /// As recorded first, then one for each joint whose change is possible, last all of them.
    pub trials: Vec<MotionTrial>,
}

impl MotionTrials {
    /// The change that makes the deviation of a base parameter clearly smaller, and the part of it that remains: of
    /// the one joint that helps most, or of all together where no single one helps.
    pub fn advice(&self, base: usize) -> Option<(MotionChange, f64)> {
        let (recorded, changes) = self.trials.split_first()?;
        let before = recorded.sigma[base];
        let remains = |sigma: f64| if before.is_finite() { sigma / before } else { 0.0 };
        let single = changes.iter().filter(|trial| trial.change != MotionChange::MoveAll);
        let best = single.min_by(|a, b| a.sigma[base].total_cmp(&b.sigma[base]));
        let all = changes.iter().find(|trial| trial.change == MotionChange::MoveAll);
        [best, all]
            .into_iter()
            .flatten()
            .find(|trial| trial.sigma[base].is_finite() && remains(trial.sigma[base]) <= WORTHWHILE)
            .map(|trial| (trial.change.clone(), remains(trial.sigma[base])))
    }
}

/// Tries what other motions would tell. `noise` is that of each measured row, N·m or N. Deviations are comparable
/// among the trials.
pub fn motion_trials(
    problem: &Problem,
    source: &mut dyn Source,
    noise: &[f64],
    threads: NonZeroUsize,
) -> Result<MotionTrials, IdentificationError> {
    let states = few_states(problem, source)?;
    let joints = joints(problem, &states);
    let still = joints.iter().filter(|joint| joint.stands());
    let mut out = MotionTrials { still: still.map(|joint| joint.name.clone()).collect(), trials: Vec::new() };
    let weights: Vec<f64> = noise.iter().map(|sigma| 1.0 / sigma).collect();
    let mut try_with = |change: MotionChange, moved: &[&TriedJoint]| -> Result<(), IdentificationError> {
        let mut changed = states.clone();
        moved.iter().for_each(|joint| joint.apply(&mut changed));
        let mut source = &changed;
        let log = match accumulate(problem, &mut MotionAlone { source: &mut source, problem }, threads) {
            Ok(log) => log,
            // Loops need not close where a joint alone is moved: then there is nothing to say.
            Err(_) if change != MotionChange::AsRecorded => return Ok(()),
            Err(error) => return Err(error),
        };
        let solution = least_squares(&log.training.stacked(&weights), &vec![0.0; problem.base().len()]);
        out.trials.push(MotionTrial { change, sigma: sigma_of(&solution, &solution.inverse) });
        Ok(())
    };
    try_with(MotionChange::AsRecorded, &[])?;
    for joint in &joints {
        try_with(joint.change.clone(), &[joint])?;
    }
    let all: Vec<&TriedJoint> = joints.iter().collect();
    if all.len() > 1 {
        try_with(MotionChange::MoveAll, &all)?;
    }
    Ok(out)
}

/// States of the log, evenly from each part of it.
fn few_states(problem: &Problem, source: &mut dyn Source) -> Result<Recording, IdentificationError> {
    let mechanism = problem.mechanism();
    let (size, dof) = (mechanism.configuration_size(), mechanism.dof());
    let mut out = Recording::default();
    source.chunks(&mut |recording| {
        let step = (recording.count / STATES).max(1);
        let room = (4 * STATES).saturating_sub(out.count);
        for k in (0..recording.count).step_by(step).take(room) {
            out.q.extend_from_slice(&recording.q[k * size..(k + 1) * size]);
            out.qd.extend_from_slice(&recording.qd[k * dof..(k + 1) * dof]);
            out.qdd.extend_from_slice(&recording.qdd[k * dof..(k + 1) * dof]);
            out.count += 1;
        }
        (out.source, out.rest) = (recording.source.clone(), recording.rest.clone());
        Ok(())
    })?;
    out.t = (0..out.count).map(|k| DURATION * k as f64 / out.count as f64).collect();
    Ok(out)
}

/// A joint whose motion can be changed by itself.
struct TriedJoint {
    name: String,
    change: MotionChange,
    /// Its place in configurations and velocities, and their sizes.
    place: [usize; 2],
    sizes: [usize; 2],
    centre: f64,
    amplitude: f64,
}

impl TriedJoint {
    fn stands(&self) -> bool {
        matches!(self.change, MotionChange::Move(_))
    }

    fn apply(&self, states: &mut Recording) {
        let ([in_q, in_v], [size, dof]) = (self.place, self.sizes);
        for k in 0..states.count {
            let (q, v) = (k * size + in_q, k * dof + in_v);
            if let MotionChange::Faster(_) = self.change {
                states.qd[v] *= 2.0;
                states.qdd[v] *= 4.0;
                continue;
            }
            let phases = FREQUENCIES.map(|f| (TAU * f, TAU * f * states.t[k]));
            let half = 0.5 * self.amplitude;
            states.q[q] = self.centre + half * phases.map(|(_, p)| p.sin()).iter().sum::<f64>();
            states.qd[v] = half * phases.map(|(w, p)| w * p.cos()).iter().sum::<f64>();
            states.qdd[v] = -half * phases.map(|(w, p)| w * w * p.sin()).iter().sum::<f64>();
        }
    }
}

fn joints(problem: &Problem, states: &Recording) -> Vec<TriedJoint> {
    let mechanism = problem.mechanism();
    let (names, sizes) = (mechanism.configuration_names(), [mechanism.configuration_size(), mechanism.dof()]);
    let of = |(in_v, coordinate): (usize, Coordinate)| -> Option<TriedJoint> {
        let joint = &mechanism.robot().bodies[coordinate.body.0].joint;
        let name = mechanism.robot().coordinate_name(coordinate);
        let in_q = names.iter().position(|other| *other == name).filter(|_| joint.kind.dof() == 1)?;
        let values = || (0..states.count).map(|k| states.q[k * sizes[0] + in_q]);
        let (least, most) =
            values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), q| (a.min(q), b.max(q)));
        let change = match most - least < STILL {
            true => MotionChange::Move(name.clone()),
            false => MotionChange::Faster(name.clone()),
        };
        let (centre, amplitude) =
            room(&joint.limits, joint.kind == JointKind::Prismatic, 0.5 * (least + most));
        Some(TriedJoint { name, change, place: [in_q, in_v], sizes, centre, amplitude })
    };
    mechanism.independent().into_iter().enumerate().filter_map(of).collect()
}

/// Centre and amplitude of a motion near a position, within the limits of a joint.
fn room(limits: &steiner_robot::Limits, slides: bool, near: f64) -> (f64, f64) {
    let mut amplitude = if slides { SLIDE } else { AMPLITUDE };
    let mut centre = near;
    if let (Some(lower), Some(upper)) = (limits.lower, limits.upper)
        && upper > lower
    {
        amplitude = amplitude.min(0.5 * (upper - lower));
        centre = centre.clamp(lower + amplitude, upper - amplitude);
    }
    let speed = 0.5 * TAU * FREQUENCIES.iter().sum::<f64>();
    if let Some(velocity) = limits.velocity.filter(|velocity| *velocity > 0.0) {
        amplitude = amplitude.min(velocity / speed);
    }
    (centre, amplitude)
}
