//! Loads that nobody has weighed: logs that were recorded with an unknown load are not identified from.
//! What the other logs say of the robot, with its errors, tells the load of each.

use steiner_identification::{
    Division, Identification, IdentificationError, IdentificationNote, LogPlace, PayloadEstimator,
    PayloadSettings, Source,
};
use steiner_logs::Recording;

use crate::recorded::{Logs, Watch};

/// Blocks of neighbouring samples that a log is cut into.
const BLOCKS: usize = 40;

impl Logs {
    /// The load of every log that was recorded with an unknown one, by an identified robot.
    pub(crate) fn weigh(
        &self,
        found: &Identification,
    ) -> Result<Vec<IdentificationNote>, IdentificationError> {
        self.weighed.iter().map(|place| self.load_of(found, place)).collect()
    }

    fn load_of(
        &self,
        found: &Identification,
        place: &LogPlace,
    ) -> Result<IdentificationNote, IdentificationError> {
        let mechanism = found.problem().mechanism();
        let alone = Logs {
            validation: Vec::new(),
            division: Some(Division::Nothing),
            loads: Vec::new(),
            options: self.options.clone(),
            processing: self.processing.clone(),
            measure: self.measure.clone(),
            ..Logs::of([place.clone()])
        };
        let mut source = alone.open(mechanism, found.settings.friction(), Watch::default())?;
        if let Some(trials) = &found.cutoff_trials {
            source.set_cutoff(trials);
        }
        let (mut count, mut rest) = (0, 0.0f64);
        source.chunks(&mut |part| {
            check(part, place, &mechanism.independent_names())?;
            count += part.count;
            rest = part.rest.iter().copied().fold(rest, f64::max);
            Ok(())
        })?;
        let usual = PayloadSettings::default();
        let settings = PayloadSettings {
            block: (count / BLOCKS).max(1),
            least_speed: rest.max(usual.least_speed),
            ..usual
        };
        let mut estimator = PayloadEstimator::on_identified(found, self.carrier(mechanism), settings)?;
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        source.chunks(&mut |part| {
            (0..part.count).try_for_each(|k| {
                let velocity = |values: &'_ [f64]| -> Vec<f64> { values[nv * k..nv * (k + 1)].to_vec() };
                let q = &part.q[nq * k..nq * (k + 1)];
                estimator.update(q, &velocity(&part.qd), &velocity(&part.qdd), &velocity(&part.tau))
            })
        })?;
        let payload = Box::new(estimator.estimate()?);
        Ok(IdentificationNote::Weighed { log: place.path(), payload })
    }
}

/// A load is weighed by forces alone, and by all of them.
fn check(part: &Recording, place: &LogPlace, joints: &[String]) -> Result<(), IdentificationError> {
    let missing = part.measured.iter().position(|measured| !measured);
    let why = match (missing, part.contacts.first()) {
        (Some(joint), _) => format!("without the force of {}", joints[joint]),
        (None, Some(contact)) => format!("with a wrench on {}", contact.place),
        (None, None) => return Ok(()),
    };
    Err(IdentificationError::Setting {
        what: "a log with an unknown payload".to_owned(),
        value: format!("{}, {why}", place.path().display()),
        remedy: "record all forces of joints and no contacts, or leave the log out".to_owned(),
    })
}
