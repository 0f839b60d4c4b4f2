//! Dry friction in the rows: as the log carries it, filtered like the forces, or else as
//! the velocities of the sample say.

use std::borrow::Cow;

use steiner_logs::{DryFriction, FrictionFunction, FrictionLaw, Recording, SpeedShape};
use steiner_robot::inertial_count;

use super::Problem;
use super::columns::Extra;

/// The signals of dry friction that a log carries.
#[derive(Default)]
pub(crate) struct CarriedFriction<'d> {
    /// For each drive.
    drives: Vec<Option<&'d [f64]>>,
    /// For each further column.
    extras: Vec<Option<Cow<'d, [f64]>>>,
}

impl CarriedFriction<'_> {
    /// Whether the log carries a further column.
    pub(super) fn carries(&self, extra: usize) -> bool {
        matches!(self.extras.get(extra), Some(Some(_)))
    }

    /// Takes other numbers for a further column; `None` where its speed is to decide.
    pub(super) fn exchange(&mut self, extra: usize, signal: Option<Vec<f64>>) {
        self.extras[extra] = signal.map(Cow::Owned);
    }

    /// Of a drive at a sample, where it has this speed.
    #[inline(always)]
    pub(super) fn of_drive(&self, drive: usize, sample: usize, dry: DryFriction, speed: f64) -> f64 {
        match self.drives.get(drive) {
            Some(Some(signal)) => signal[sample],
            _ => dry.at(speed),
        }
    }

    /// Of a further column at a sample, where its drive has this speed.
    #[inline(always)]
    pub(super) fn of_extra(&self, extra: usize, sample: usize, law: FrictionLaw, speed: f64) -> f64 {
        match self.extras.get(extra) {
            Some(Some(signal)) => signal[sample],
            _ => law.at(speed),
        }
    }
}

impl Problem {
    /// The law of a further column.
    pub(super) fn law_of(&self, extra: &Extra) -> FrictionLaw {
        FrictionLaw { dry: self.dry_friction, shape: extra.shape() }
    }

    /// What a log carries of the dry friction of each drive and further column.
    pub(super) fn carried_friction<'d>(&self, recording: &'d Recording) -> CarriedFriction<'d> {
        let signal = |function: Option<FrictionFunction>| recording.friction_signal(&function?);
        let drives = self.measurement.driven();
        CarriedFriction {
            drives: drives.iter().map(|&(_, velocity)| signal(self.function_of_drive(velocity))).collect(),
            extras: (self.extras.iter())
                .map(|extra| signal(self.function_of_extra(extra)).map(Cow::Borrowed))
                .collect(),
        }
    }

    /// What friction that depends on load makes of the speeds of one of the columns at a sample of a motion; `None` if
    /// it does not depend on load, or its speed is none of the recorded ones.
    pub(super) fn sign_under_load(&self, extra: usize) -> Option<impl Fn(&Recording, usize) -> f64 + use<>> {
        let extra = Some(&self.extras[extra]).filter(|extra| extra.depends_on_load())?;
        let FrictionFunction { speed, law } = self.function_of_extra(extra)?;
        let dof = self.mechanism.dof();
        Some(move |motion: &Recording, at: usize| {
            let of = |&(place, factor): &(usize, f64)| factor * motion.qd[dof * at + place];
            law.at(speed.iter().map(of).sum())
        })
    }

    /// Labels of dry friction that a log with filtered forces does not carry filtered as well.
    pub(crate) fn unfiltered_friction(&self, recording: &Recording) -> Vec<String> {
        if recording.friction.is_empty() {
            return Vec::new();
        }
        let CarriedFriction { drives, extras } = self.carried_friction(recording);
        let first = inertial_count(self.body_count());
        let of_drives = drives.iter().enumerate().map(|(k, signal)| (first + 4 * k + 2, signal.is_none()));
        let first = self.analysis.labels.len();
        let dry = self.extras.iter().map(Extra::is_dry_friction);
        let of_extras =
            extras.iter().zip(dry).enumerate().map(|(k, (signal, dry))| (first + k, dry && signal.is_none()));
        let seen = |column: usize| {
            let base = &self.base;
            self.rows.iter().any(|row| row.sees.iter().any(|&b| base[b].column == column))
        };
        let missing = of_drives.chain(of_extras).filter(|&(column, missing)| missing && seen(column));
        missing.map(|(column, _)| self.labels[column].clone()).collect()
    }

    fn function_of_drive(&self, velocity: usize) -> Option<FrictionFunction> {
        let law = FrictionLaw { dry: self.dry_friction, shape: SpeedShape::Constant };
        Some(FrictionFunction { speed: vec![(self.independent_place(velocity)?, 1.0)], law })
    }

    fn function_of_extra(&self, extra: &Extra) -> Option<FrictionFunction> {
        if !extra.is_dry_friction() {
            return None;
        }
        let place = |(velocity, factor): (usize, f64)| Some((self.independent_place(velocity)?, factor));
        let speed = extra.speed().into_iter().map(place).collect::<Option<Vec<_>>>()?;
        Some(FrictionFunction { speed, law: self.law_of(extra) })
    }

    /// The independent coordinate that is a velocity of the tree.
    fn independent_place(&self, velocity: usize) -> Option<usize> {
        self.mechanism.plan().independent.iter().position(|&k| k == velocity)
    }
}
