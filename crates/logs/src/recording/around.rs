//! Motion around the samples, so that both sides of the equations of motion can be filtered alike.
//!
//! A low-pass filter and the equations of motion don't commute: forces have sums and multiples of the
//! frequencies of the motion, and lose those beyond the cut-off, while a regressor of filtered motion still has
//! them. So whoever compares the two passes the regressor through the filter as well: a weighted mean over the
//! samples of [`Around::motion`]. That motion has passed a wider filter: what is linear in the motion, as inertia is in
//! accelerations, is to be weakened once, as the forces are.

use std::sync::Arc;

use super::{Recording, WrenchSignal};
use crate::error::LogError;
use crate::friction::{FrictionFunction, FrictionSignal};
use crate::signals::LowPass;

/// Samples of the finer motion in a period of the cut-off: forces of a robot have hardly anything beyond seven
/// times the highest frequency of its motion.
const FINE: f64 = 15.0;
/// The cut-off of the finer motion, in those of the forces. Its rows pass the filter of the forces: motion that had
/// passed the same filter would be weakened twice near the cut-off, and forces but once.
const WIDER: f64 = 2.0;
/// …and at most this part of the sampling rate.
const NYQUIST: f64 = 0.45;
/// The kernel reaches over so many periods of the cut-off, at most.
const PERIODS: f64 = 8.0;
/// The kernel ends where less than this part of an impulse is left.
const LEFT: f64 = 1e-4;

/// The motion around every sample, and the filter that forces went through.
#[derive(Clone, Debug, PartialEq)]
pub struct Around {
    /// Motion at finer instants; all its forces, wrenches and friction are zero.
    pub motion: Arc<Recording>,
    /// Where its pieces without breaks end.
    pub ends: Vec<usize>,
    /// How much of each sample of the motion counts, from 0 at ends of stretches to 1.
    pub taper: Arc<[f64]>,
    /// For each sample of the recording the sample of the motion at the same instant.
    pub at: Vec<usize>,
    /// The filter.
    pub kernel: Arc<Kernel>,
}

/// A symmetric filter as weights of neighbours, with sum 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The weight of a sample itself, then those of its neighbours on each side.
    pub weights: Vec<f64>,
    /// How far apart the neighbours are, in samples of the motion.
    pub spacing: usize,
}

impl Kernel {
    /// Samples of the motion on each side that it needs.
    pub fn reach(&self) -> usize {
        (self.weights.len() - 1) * self.spacing
    }
}

/// How finer motion is kept beside thinned samples.
#[derive(Clone, Debug)]
pub(crate) struct FinePlan {
    /// Samples of the log between those of the finer motion; divides the thinning factor.
    pub(crate) step: usize,
    pub(crate) kernel: Arc<Kernel>,
    /// The filter of that motion.
    pub(crate) motion: LowPass,
}

/// Samples of the log in a step of the finer motion, at most.
pub(crate) fn greatest_step(rate: f64, cutoff: f64) -> usize {
    ((rate / (FINE * cutoff)) as usize).max(1)
}

impl FinePlan {
    /// For a filter, run forwards and backwards, whose output is thinned out by a factor.
    pub(crate) fn new(filter: &LowPass, rate: f64, cutoff: f64, factor: usize) -> Result<Self, LogError> {
        let greatest = greatest_step(rate, cutoff);
        let step = (1..=greatest.min(factor)).rev().find(|step| factor.is_multiple_of(*step)).unwrap_or(1);
        let spacing = (greatest / step).max(1);
        // Near the Nyquist frequency a filter rings long, and nearly nothing.
        let reach = filter.memory(LEFT).min((PERIODS * rate / cutoff) as usize + 8);
        let mut impulse = vec![0.0; 4 * reach + 1];
        impulse[2 * reach] = 1.0;
        let response = filter.zero_phase(&impulse, 0)?;
        let mut weights: Vec<f64> =
            response[2 * reach..=3 * reach].iter().step_by(step * spacing).copied().collect();
        let sum = 2.0 * weights.iter().sum::<f64>() - weights[0];
        weights.iter_mut().for_each(|weight| *weight /= sum);
        let wider = (WIDER * cutoff).min(NYQUIST * rate).max(cutoff);
        let motion = LowPass::butterworth(filter.order(), wider, rate)?;
        Ok(FinePlan { step, kernel: Arc::new(Kernel { weights, spacing }), motion })
    }

    /// Samples of the log on each side that the kernel needs.
    pub(crate) fn reach(&self) -> usize {
        self.kernel.reach() * self.step
    }
}

/// A recording of motion in which nothing is measured but zeros, shaped like another one.
pub(crate) fn motion_only(
    [q, qd, qdd]: [Vec<f64>; 3],
    count: usize,
    like: &Recording,
    friction: &[FrictionFunction],
) -> Recording {
    let zeros =
        |signal: &WrenchSignal| WrenchSignal { place: signal.place.clone(), values: vec![0.0; 6 * count] };
    let of_function =
        |function: &FrictionFunction| FrictionSignal { function: function.clone(), values: vec![0.0; count] };
    Recording {
        count,
        tau: vec![0.0; qd.len()],
        measured: like.measured.clone(),
        base_wrench: like.base_wrench.as_ref().map(|_| vec![0.0; 6 * count]),
        joint_wrenches: like.joint_wrenches.iter().map(zeros).collect(),
        friction: friction.iter().map(of_function).collect(),
        q,
        qd,
        qdd,
        ..Recording::default()
    }
}

impl Recording {
    /// The motion of some samples, as in [`Around::motion`]: nothing is measured but zeros.
    pub fn motion(&self, samples: std::ops::Range<usize>) -> Recording {
        let of = self.count.max(1);
        let cut = |values: &[f64]| {
            let width = values.len() / of;
            values[width * samples.start..width * samples.end].to_vec()
        };
        let functions: Vec<FrictionFunction> =
            self.friction.iter().map(|signal| signal.function.clone()).collect();
        motion_only([cut(&self.q), cut(&self.qd), cut(&self.qdd)], samples.len(), self, &functions)
    }
}

impl Around {
    /// Appends what is around further samples; `None` where the filters differ.
    pub(crate) fn append(&self, other: &Around) -> Result<Option<Around>, LogError> {
        if self.kernel != other.kernel {
            return Ok(None);
        }
        let first = self.motion.count;
        let mut motion = Recording::clone(&self.motion);
        motion.append(Recording::clone(&other.motion))?;
        let further = |own: &[usize], more: &[usize]| -> Vec<usize> {
            own.iter().copied().chain(more.iter().map(|at| first + at)).collect()
        };
        let (ends, at) = (further(&self.ends, &other.ends), further(&self.at, &other.at));
        let taper = self.taper.iter().chain(other.taper.iter()).copied().collect();
        Ok(Some(Around { motion: Arc::new(motion), ends, taper, at, kernel: Arc::clone(&self.kernel) }))
    }

    /// The piece of the motion that one of its samples is in.
    pub fn piece(&self, at: usize) -> std::ops::Range<usize> {
        let k = self.ends.partition_point(|end| *end <= at);
        let start = if k == 0 { 0 } else { self.ends[k - 1] };
        start..self.ends.get(k).copied().unwrap_or(self.motion.count)
    }

    /// What is around some of the samples.
    pub fn of(&self, samples: std::ops::Range<usize>) -> Around {
        Around {
            motion: Arc::clone(&self.motion),
            ends: self.ends.clone(),
            taper: Arc::clone(&self.taper),
            at: self.at[samples].to_vec(),
            kernel: Arc::clone(&self.kernel),
        }
    }
}
