//! What a log says about a robot: time, motion, forces and wrenches, sample by sample.
//!
//! Velocities and accelerations that were not recorded are derived: positions are filtered
//! without delay, then differentiated. How, and what every default became, is told in
//! [`Recording::notes`] and [`Recording::settled`].

mod append;
mod around;
mod block;
mod columns;
mod fingerprint;
mod jumps;
mod late_stamps;
#[cfg(feature = "npz")]
mod npz;
mod pipeline;
mod plateaus;
mod processing;
mod rate_check;
mod rates;
mod read;
mod rest;
mod rows;
mod segment;
mod settle;
mod spectra;
mod stale_rows;
mod stream;
mod suspicions;
mod table;
mod taper;
mod write;

pub use around::{Around, Kernel};
pub use fingerprint::Fingerprint;
pub use processing::{Cutoff, Processing, Resample, Settled, Thinning, Trim};
pub use rest::STILL;
pub use spectra::{CoordinateSpectra, SpectraOfFilter};
pub use stream::RecordingStream;

use std::ops::Range;

use crate::friction::{FrictionFunction, FrictionSignal};
use crate::note::LogNote;

/// What a stretch of samples is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Parameters are estimated from it.
    Training,
    /// Held out for validation: predictions are compared with it.
    Validation,
}

/// Samples recorded in one go: neighbours in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Range of samples, without pauses inside.
    pub samples: Range<usize>,
    /// What they are for.
    pub role: Role,
}

/// Six numbers for each sample: force (N), then torque (N·m).
#[derive(Clone, Debug, PartialEq)]
pub struct WrenchSignal {
    /// A link for contacts, a joint for sensors inside joints.
    pub place: String,
    /// `count × 6`.
    pub values: Vec<f64>,
}

/// Samples of a robot's motion with what was measured along it; all arrays are sample-major.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Where it came from, for messages.
    pub source: String,
    /// Number of samples.
    pub count: usize,
    /// Time, s; may be empty.
    pub t: Vec<f64>,
    /// Configurations, rad or m (quaternions x, y, z, w), `count × configuration_size`.
    pub q: Vec<f64>,
    /// Velocities of the independent coordinates, per s, `count × dof`.
    pub qd: Vec<f64>,
    /// Their accelerations, per s², `count × dof`.
    pub qdd: Vec<f64>,
    /// Generalised forces, `count × dof`, N·m or N; currents (A) where a gain is
    /// unknown. Zero where not measured.
    pub tau: Vec<f64>,
    /// Which forces were measured, `dof`. A root that floats freely counts as measured, with zeros.
    pub measured: Vec<bool>,
    /// The wrench from the ground on the robot in base axes about the base origin, if it was measured.
    pub base_wrench: Option<Vec<f64>>,
    /// Wrenches that joints carry (from the parent's side on the child), in the child's axes about
    /// its origin; `place` is the joint.
    pub joint_wrenches: Vec<WrenchSignal>,
    /// Wrenches exerted by the environment on links, in the link's axes about
    /// its origin; `place` is the link.
    pub contacts: Vec<WrenchSignal>,
    /// Dry friction of drives along the motion, filtered and thinned out as the forces were, so that the
    /// equations of motion hold between them ([`Processing::friction`]). What is not here follows from `qd`,
    /// which is right where forces were not filtered.
    pub friction: Vec<FrictionSignal>,
    /// The motion between the samples, where forces were filtered: what the equations of motion make of it has
    /// to pass the same filter.
    pub around: Option<Around>,
    /// For each independent coordinate, rad/s or m/s: slower than this it counts as standing. Dry friction
    /// then is whatever balances the other forces, up to its greatest: no model can tell it. Empty: never.
    pub rest: Vec<f64>,
    /// What the samples are for, in order and without overlap, cut at gaps; samples in none are not
    /// used. Empty: all for training.
    pub parts: Vec<Part>,
    /// What the settings became.
    pub settled: Settled,
    /// Spectra of the accelerations before and after the filter.
    pub spectra: SpectraOfFilter,
    /// What was done, and what looks strange.
    pub notes: Vec<LogNote>,
}

impl Recording {
    /// The parts, with the default written out.
    pub fn parts(&self) -> Vec<Part> {
        if self.parts.is_empty() {
            return vec![Part { samples: 0..self.count, role: Role::Training }];
        }
        self.parts.clone()
    }

    /// Number of samples with a role.
    pub fn samples_for(&self, role: Role) -> usize {
        self.parts().iter().filter(|part| part.role == role).map(|part| part.samples.len()).sum()
    }

    /// Keeps the last `fraction` of every training part for validation.
    pub fn hold_out(&mut self, fraction: f64) {
        let mut parts = Vec::new();
        for Part { samples, role } in self.parts() {
            let held = (samples.len() as f64 * fraction.clamp(0.0, 1.0)).round() as usize;
            if role == Role::Validation || held == 0 {
                parts.push(Part { samples, role });
                continue;
            }
            let cut = samples.end - held;
            if cut > samples.start {
                parts.push(Part { samples: samples.start..cut, role });
            }
            parts.push(Part { samples: cut..samples.end, role: Role::Validation });
        }
        self.parts = parts;
    }

    /// The values of a friction function, if they are carried.
    pub fn friction_signal(&self, function: &FrictionFunction) -> Option<&[f64]> {
        let found = self.friction.iter().find(|signal| signal.function == *function);
        found.map(|signal| signal.values.as_slice())
    }

    /// Seconds between samples, as far as they say.
    pub fn period(&self) -> Option<f64> {
        let mut steps: Vec<f64> = self.t.windows(2).map(|t| t[1] - t[0]).filter(|dt| *dt > 0.0).collect();
        let middle = steps.len() / 2;
        (!steps.is_empty()).then(|| *steps.select_nth_unstable_by(middle, f64::total_cmp).1)
    }
}
