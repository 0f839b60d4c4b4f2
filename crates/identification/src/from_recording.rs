//! From what a log says to what identification asks.

use steiner_dynamics::Mechanism;
use steiner_robot::did_you_mean;

use crate::dataset::{Dataset, Part, Role, WrenchSignal};
use crate::failure::IdentificationError;
use crate::recording::Recording;

/// The name under which the wrench from the ground is recorded.
const GROUND: &str = "base";

impl Dataset {
    /// The samples of a recording, each stretch between gaps a part for training. Wrenches are contacts on the link they are
    /// named after, sensors inside a joint if that is one of `sensors`, and the wrench from the ground if called `base`.
    pub fn of_recording(
        mechanism: &Mechanism,
        recording: Recording,
        sensors: &[String],
    ) -> Result<Self, IdentificationError> {
        let (count, dof) = (recording.count(), mechanism.dof());
        let mut tau = vec![0.0; count * dof];
        let width = recording.measured.len();
        for (place, &coordinate) in recording.measured.iter().enumerate() {
            let values = recording.tau.iter().skip(place).step_by(width.max(1));
            tau.iter_mut().skip(coordinate).step_by(dof).zip(values).for_each(|(to, from)| *to = *from);
        }
        let measured = (0..dof).map(|coordinate| recording.measured.contains(&coordinate)).collect();
        let mut data = Dataset {
            count,
            t: recording.time,
            q: recording.q,
            qd: recording.qd,
            qdd: recording.qdd,
            tau,
            measured,
            ..Dataset::default()
        };
        let links: Vec<&str> = mechanism.robot().bodies.iter().map(|body| body.name.as_str()).collect();
        for wrench in recording.wrenches {
            let signal = WrenchSignal { place: wrench.contact, values: wrench.values };
            if sensors.contains(&signal.place) {
                data.joint_wrenches.push(signal);
            } else if signal.place == GROUND && !links.contains(&GROUND) {
                data.base_wrench = Some(signal.values);
            } else if links.contains(&signal.place.as_str()) {
                data.contacts.push(signal);
            } else {
                let hint = did_you_mean(&signal.place, links.iter().copied());
                return Err(IdentificationError::Setting {
                    what: format!("the contact of wrench_{}_fx …", signal.place),
                    value: format!("no moving link of {}{hint}", mechanism.robot().name),
                    remedy: format!(
                        "name it after a link, `{GROUND}` for the ground, or measure `wrench:JOINT` for a sensor inside a joint"
                    ),
                });
            }
        }
        let starts = recording.stretches.iter().copied().filter(|start| *start > 0 && *start < count);
        let mut borders: Vec<usize> = [0].into_iter().chain(starts).chain([count]).collect();
        borders.dedup();
        data.parts =
            borders.windows(2).map(|ends| Part { samples: ends[0]..ends[1], role: Role::Training }).collect();
        Ok(data)
    }
}
