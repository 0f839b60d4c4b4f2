//! Recordings one behind the other.

use super::{Part, Recording, WrenchSignal};
use crate::error::LogError;
use crate::friction::FrictionSignal;

impl Recording {
    /// Appends another recording of the same robot with the same measurements; its time may be any.
    pub fn append(&mut self, other: Recording) -> Result<(), LogError> {
        let places = |signals: &[WrenchSignal]| -> Vec<String> {
            signals.iter().map(|signal| signal.place.clone()).collect()
        };
        let same = self.measured == other.measured
            && self.base_wrench.is_some() == other.base_wrench.is_some()
            && self.t.is_empty() == other.t.is_empty()
            && places(&self.joint_wrenches) == places(&other.joint_wrenches)
            && places(&self.contacts) == places(&other.contacts);
        if !same {
            return Err(LogError::Unlike);
        }
        if other.rest.len() > self.rest.len() {
            self.rest.resize(other.rest.len(), 0.0);
        }
        self.rest.iter_mut().zip(&other.rest).for_each(|(own, other)| *own = own.max(*other));
        self.append_friction(&other);
        self.around = match (&self.around, &other.around) {
            (Some(own), Some(more)) => own.append(more)?,
            _ => None,
        };
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

    /// Takes the first samples off; what they are for is left open.
    pub fn take_first(&mut self, count: usize) -> Recording {
        let count = count.min(self.count);
        let around = self.around.as_ref().map(|around| around.of(0..count));
        self.around = self.around.as_ref().map(|around| around.of(count..self.count));
        let of = self.count.max(1);
        // Every array has the same number of entries for each sample.
        let take = |values: &mut Vec<f64>| -> Vec<f64> {
            let rest = values.split_off(values.len() / of * count);
            std::mem::replace(values, rest)
        };
        let wrench = |signal: &mut WrenchSignal| WrenchSignal {
            place: signal.place.clone(),
            values: take(&mut signal.values),
        };
        let first = Recording {
            source: self.source.clone(),
            count,
            t: take(&mut self.t),
            q: take(&mut self.q),
            qd: take(&mut self.qd),
            qdd: take(&mut self.qdd),
            tau: take(&mut self.tau),
            measured: self.measured.clone(),
            base_wrench: self.base_wrench.as_mut().map(take),
            joint_wrenches: self.joint_wrenches.iter_mut().map(wrench).collect(),
            contacts: self.contacts.iter_mut().map(wrench).collect(),
            friction: (self.friction.iter_mut())
                .map(|FrictionSignal { function, values }| FrictionSignal {
                    function: function.clone(),
                    values: take(values),
                })
                .collect(),
            around,
            rest: self.rest.clone(),
            ..Recording::default()
        };
        self.count -= count;
        self.parts.clear();
        first
    }

    /// Appends signals of dry friction; what only one side carries follows from the other's velocities.
    fn append_friction(&mut self, other: &Recording) {
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
}
