//! What a log measures: the same in all logs that are identified from together.

use std::path::{Path, PathBuf};

use steiner_dynamics::Mechanism;
use steiner_logs::{LogNote, ProcessingNote, Recording, WrenchSignal, wrench_link};
use steiner_robot::{JointKind, Sensor, SensorSet};

use crate::failure::IdentificationError;
use crate::problem::{floating_root, link_in_body};

/// What a log measures.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    file: PathBuf,
    forces: Vec<bool>,
    base_wrench: bool,
    joint_wrenches: Vec<String>,
    contacts: Vec<String>,
}

impl Shape {
    pub(super) fn of(recording: &Recording, file: &Path) -> Self {
        let places = |signals: &[WrenchSignal]| {
            let mut places: Vec<String> = signals.iter().map(|signal| signal.place.clone()).collect();
            places.sort();
            places
        };
        Shape {
            file: file.to_owned(),
            forces: recording.measured.clone(),
            base_wrench: recording.base_wrench.is_some(),
            joint_wrenches: places(&recording.joint_wrenches),
            contacts: places(&recording.contacts),
        }
    }

    /// The sensors that recorded it.
    pub(super) fn measures(&self, mechanism: &Mechanism) -> SensorSet {
        let mut sensors = Vec::new();
        // Where the ground acts on a floating robot is not recorded: joints may or may not feel it.
        let is_weighed = self.base_wrench && self.contacts.is_empty() && floating_root(mechanism).is_some();
        if is_weighed {
            // Only the equations of the root know what to do with it.
        } else if self.forces.iter().all(|measured| *measured) {
            sensors.push(Sensor::All);
        } else if self.forces.contains(&true) {
            let names = mechanism.independent_names();
            let named = names.iter().zip(&self.forces).filter(|(_, measured)| **measured);
            sensors.push(Sensor::Joints(named.map(|(name, _)| name.clone()).collect()));
        }
        if self.base_wrench {
            sensors.push(Sensor::BaseWrench);
        }
        sensors.extend(self.joint_wrenches.iter().cloned().map(Sensor::JointWrench));
        if sensors.is_empty() { SensorSet::all() } else { SensorSet::new(sensors) }
    }

    /// Refuses logs that measure something else.
    pub(super) fn must_be(&self, other: &Shape, mechanism: &Mechanism) -> Result<(), IdentificationError> {
        let same = self.forces == other.forces
            && self.base_wrench == other.base_wrench
            && self.joint_wrenches == other.joint_wrenches
            && self.contacts == other.contacts;
        if same {
            return Ok(());
        }
        let words = |shape: &Shape| {
            let contacts: String =
                shape.contacts.iter().map(|link| format!(" with the contact of {link}")).collect();
            format!("{}{contacts} in {}", shape.measures(mechanism), shape.file.display())
        };
        Err(IdentificationError::Setting {
            what: "what the logs measure".to_owned(),
            value: format!("not the same: {}, {}", words(self), words(other)),
            remedy: "give logs with the same forces and wrenches, or remove the columns that only some have"
                .to_owned(),
        })
    }
}

/// Refuses a contact on a link that the robot does not have.
pub(super) fn strange_wrench(
    recording: &Recording,
    mechanism: &Mechanism,
    file: &Path,
) -> Result<(), IdentificationError> {
    for WrenchSignal { place, .. } in &recording.contacts {
        let (link, _) = wrench_link(place);
        if let Err(IdentificationError::UnknownLink { robot, hint, .. }) = link_in_body(mechanism, link) {
            let on_ground = mechanism.robot().ground.iter().any(|other| other.name == link);
            let hint = match on_ground {
                true => " that moves (it stands on the ground, whose wrench on the robot is wrench_base_…)"
                    .to_owned(),
                false => hint,
            };
            let (file, place) = (file.display().to_string(), place.clone());
            return Err(IdentificationError::StrangeWrench { file, place, robot, hint });
        }
    }
    Ok(())
}

/// Gives wrenches to the sensors inside joints that are asked for: those of the joint's name, or else of the
/// name of the link it carries. Says where a name could mean either.
pub(super) fn place_wrenches(
    recording: &mut Recording,
    mechanism: &Mechanism,
    sensors: &[String],
) -> Vec<LogNote> {
    let bodies = &mechanism.robot().bodies;
    let mut notes: Vec<LogNote> = Vec::new();
    for joint in sensors {
        if recording.joint_wrenches.iter().any(|signal| signal.place == *joint) {
            continue;
        }
        let link = bodies.iter().find(|body| body.joint.name == *joint).map_or(joint, |body| &body.name);
        let at = [joint, link]
            .iter()
            .find_map(|name| recording.contacts.iter().position(|signal| signal.place == **name));
        if let Some(at) = at {
            let WrenchSignal { place, values } = recording.contacts.remove(at);
            recording.joint_wrenches.push(WrenchSignal { place: joint.clone(), values });
            let (joint, link) = (joint.clone(), link.clone());
            notes.push(ProcessingNote::WrenchOfSensor { place, joint, link }.into());
        }
    }
    let could_be_either = |place: &String| {
        bodies.iter().any(|body| body.joint.name == *place && body.joint.kind != JointKind::Floating)
    };
    let places = recording.contacts.iter().map(|signal| signal.place.clone());
    let places: Vec<String> = places.filter(could_be_either).collect();
    if !places.is_empty() {
        notes.push(ProcessingNote::WrenchesOfLinks { places }.into());
    }
    notes
}
