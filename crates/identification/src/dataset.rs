//! What was recorded of a mechanism, as plain numbers: motions of the independent coordinates, forces and wrenches.

use std::ops::Range;

use steiner_dynamics::Mechanism;
use steiner_logs::{ContactWrench, FrictionFunction, FrictionSignal, Recording};
use steiner_robot::JointKind;

use crate::failure::IdentificationError;

/// What a stretch of samples is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Parameters are estimated from it.
    Training,
    /// Predictions are judged by it.
    Validation,
}

/// Samples recorded in one go: neighbours in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which samples.
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

/// Samples of a motion with what was measured along it; all arrays are sample-major.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Dataset {
    /// Number of samples.
    pub count: usize,
    /// Time, s; may be empty.
    pub t: Vec<f64>,
    /// Configurations, `count × configuration_size`, rad or m.
    pub q: Vec<f64>,
    /// Velocities of the independent coordinates, `count × dof`.
    pub qd: Vec<f64>,
    /// Accelerations, `count × dof`.
    pub qdd: Vec<f64>,
    /// Generalised forces, `count × dof`, N·m or N; currents (A) where a gain is unknown. Zero where not measured.
    pub tau: Vec<f64>,
    /// Which forces were measured, `dof`. A root that floats freely counts as measured, with zeros.
    pub measured: Vec<bool>,
    /// The wrench from the ground on the robot in base axes about the base origin, if it was measured.
    pub base_wrench: Option<Vec<f64>>,
    /// Wrenches that joints carry (from the parent's side on the child), in the child's axes about its origin; `place` is the joint.
    pub joint_wrenches: Vec<WrenchSignal>,
    /// Wrenches exerted by the environment on links, in the link's axes about its origin; `place` is the link.
    pub contacts: Vec<WrenchSignal>,
    /// Dry friction of drives along the motion, filtered and thinned out as the forces were, so that the equations of motion hold between them
    /// ([`Processing::friction`](crate::Processing::friction)). What is not here follows from `qd`, which is right where forces were not filtered.
    pub friction: Vec<FrictionSignal>,
    /// For each independent coordinate, rad/s or m/s: slower than this it counts as standing. Dry friction then is whatever balances the other forces, up to
    /// its greatest: no model can tell it, so that the force of a coordinate with dry friction does not count there unless settings say
    /// otherwise. Empty: never.
    pub rest: Vec<f64>,
    /// What the samples are for, in order and without overlap; samples in none are not used. Empty: all for training.
    pub parts: Vec<Part>,
}

impl Dataset {
    /// A recording as a data set to identify from: one part per stretch, all for training; the root of a floating robot counts as measured. Wrenches named `base` are those of the ground, those named like a
    /// joint are carried by it, all others act on the link of their name.
    pub fn of(recording: Recording, mechanism: &Mechanism) -> Dataset {
        let (count, dof) = (recording.count(), mechanism.dof());
        let mut dataset =
            Dataset { count, measured: vec![false; dof], tau: vec![0.0; count * dof], ..Dataset::default() };
        for (k, &coordinate) in recording.measured.iter().enumerate() {
            dataset.measured[coordinate] = true;
            let forces = recording.tau.iter().skip(k).step_by(recording.measured.len());
            let places = dataset.tau.iter_mut().skip(coordinate).step_by(dof);
            places.zip(forces).for_each(|(place, force)| *place = *force);
        }
        let robot = mechanism.robot();
        for ContactWrench { contact: place, values } in recording.wrenches {
            let is_link = robot
                .bodies
                .iter()
                .any(|body| body.name == place || body.lumped.iter().any(|link| link.name == place));
            match robot.bodies.iter().any(|body| body.joint.name == place) {
                _ if place == "base" && !is_link => dataset.base_wrench = Some(values),
                true if !is_link => dataset.joint_wrenches.push(WrenchSignal { place, values }),
                _ => dataset.contacts.push(WrenchSignal { place, values }),
            }
        }
        // What nothing holds feels no force: that is a measurement, too.
        if robot.is_floating() && dataset.base_wrench.is_none() {
            for (k, coordinate) in mechanism.independent().iter().enumerate() {
                let body = &robot.bodies[coordinate.body.0];
                dataset.measured[k] |= body.parent.is_none() && body.joint.kind == JointKind::Floating;
            }
        }
        // A part of a stream may go on with the stretch of the part before.
        let mut stretches = recording.stretches;
        if stretches.first() != Some(&0) && count > 0 {
            stretches.insert(0, 0);
        }
        let ends = stretches.iter().skip(1).copied().chain([count]);
        dataset.parts = stretches
            .iter()
            .zip(ends)
            .map(|(&start, end)| Part { samples: start..end, role: Role::Training })
            .collect();
        let Recording { time: t, q, qd, qdd, rest, friction, .. } = recording;
        Dataset { t, q, qd, qdd, rest, friction, ..dataset }
    }

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

    /// Appends another recording of the same mechanism with the same measurements.
    pub fn append(&mut self, other: Dataset) -> Result<(), IdentificationError> {
        let places = |signals: &[WrenchSignal]| -> Vec<String> {
            signals.iter().map(|signal| signal.place.clone()).collect()
        };
        let same = self.measured == other.measured
            && self.base_wrench.is_some() == other.base_wrench.is_some()
            && self.t.is_empty() == other.t.is_empty()
            && places(&self.joint_wrenches) == places(&other.joint_wrenches)
            && places(&self.contacts) == places(&other.contacts);
        if !same {
            return Err(IdentificationError::Setting {
                what: "what the logs measure".to_owned(),
                value: "not the same in all of them".to_owned(),
                remedy: "identify from logs with the same columns together".to_owned(),
            });
        }
        if other.rest.len() > self.rest.len() {
            self.rest.resize(other.rest.len(), 0.0);
        }
        self.rest.iter_mut().zip(&other.rest).for_each(|(own, other)| *own = own.max(*other));
        self.append_friction(&other);
        let first = self.count;
        let mut parts = self.parts();
        parts.extend(other.parts().into_iter().map(|part| Part {
            samples: part.samples.start + first..part.samples.end + first,
            role: part.role,
        }));
        self.parts = parts;
        self.count += other.count;
        self.t.extend(other.t);
        self.q.extend(other.q);
        self.qd.extend(other.qd);
        self.qdd.extend(other.qdd);
        self.tau.extend(other.tau);
        if let (Some(own), Some(others)) = (&mut self.base_wrench, other.base_wrench) {
            own.extend(others);
        }
        let pairs = [(&mut self.joint_wrenches, other.joint_wrenches), (&mut self.contacts, other.contacts)];
        for (own, others) in pairs {
            own.iter_mut().zip(others).for_each(|(own, other)| own.values.extend(other.values));
        }
        Ok(())
    }

    /// Appends signals of dry friction; what only one side carries follows from the other's velocities.
    fn append_friction(&mut self, other: &Dataset) {
        let dof = self.measured.len();
        for signal in &other.friction {
            if self.friction_signal(&signal.function).is_none() {
                let values = signal.function.along(&self.qd, dof);
                self.friction.push(FrictionSignal { function: signal.function.clone(), values });
            }
        }
        for FrictionSignal { function, values } in &mut self.friction {
            match other.friction_signal(function) {
                Some(more) => values.extend_from_slice(more),
                None => values.extend(function.along(&other.qd, dof)),
            }
        }
    }

    /// The values of a friction function, if they are carried.
    pub(crate) fn friction_signal(&self, function: &FrictionFunction) -> Option<&[f64]> {
        let found = self.friction.iter().find(|signal| signal.function == *function);
        found.map(|signal| signal.values.as_slice())
    }

    /// Seconds between samples, as far as they say.
    pub fn period(&self) -> Option<f64> {
        let mut steps: Vec<f64> = self.t.windows(2).map(|t| t[1] - t[0]).filter(|dt| *dt > 0.0).collect();
        let middle = steps.len() / 2;
        (!steps.is_empty()).then(|| *steps.select_nth_unstable_by(middle, f64::total_cmp).1)
    }

    /// Checks sizes and that every number is finite.
    pub(crate) fn check(&self, mechanism: &Mechanism) -> Result<(), IdentificationError> {
        let dof = mechanism.dof();
        let mut arrays: Vec<(String, &[f64], usize)> = vec![
            ("q".to_owned(), &self.q, mechanism.configuration_size()),
            ("qd".to_owned(), &self.qd, dof),
            ("qdd".to_owned(), &self.qdd, dof),
            ("tau".to_owned(), &self.tau, dof),
        ];
        if !self.t.is_empty() {
            arrays.push(("t".to_owned(), &self.t, 1));
        }
        if let Some(values) = &self.base_wrench {
            arrays.push(("base_wrench".to_owned(), values, 6));
        }
        for signal in self.joint_wrenches.iter().chain(&self.contacts) {
            arrays.push((format!("wrench_{}", signal.place), &signal.values, 6));
        }
        for signal in &self.friction {
            arrays.push(("friction".to_owned(), &signal.values, 1));
        }
        for (what, values, width) in arrays {
            let (found, wanted) = (values.len(), self.count * width);
            if found != wanted {
                return Err(IdentificationError::Shape { what, found, count: self.count, width, wanted });
            }
            // Without a way out of the loop the test runs in lanes.
            if !values.iter().fold(true, |finite, x| finite & x.is_finite()) {
                let at = values.iter().position(|x| !x.is_finite()).unwrap_or_default();
                return Err(IdentificationError::NotFinite { what, sample: at / width.max(1) });
            }
        }
        if self.measured.len() != dof {
            let (what, found) = ("measured".to_owned(), self.measured.len());
            return Err(IdentificationError::Shape { what, found, count: 1, width: dof, wanted: dof });
        }
        if !self.rest.is_empty() && self.rest.len() != dof {
            let (what, found) = ("rest".to_owned(), self.rest.len());
            return Err(IdentificationError::Shape { what, found, count: 1, width: dof, wanted: dof });
        }
        let mut end = 0;
        for part in &self.parts {
            if part.samples.start < end
                || part.samples.end < part.samples.start
                || part.samples.end > self.count
            {
                return Err(IdentificationError::Setting {
                    what: "a part of the log".to_owned(),
                    value: format!("{}..{}", part.samples.start, part.samples.end),
                    remedy: format!("parts follow each other within the {} samples", self.count),
                });
            }
            end = part.samples.end;
        }
        Ok(())
    }
}
