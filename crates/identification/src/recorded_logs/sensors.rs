//! Sensors inside joints that a measurement asks for.

use steiner_identifiability::{MeasuredRow, Measurement};

use steiner_robot::SensorSet;

use super::RecordedLogs;
use crate::failure::IdentificationError;

impl RecordedLogs<'_> {
    /// Joints whose sensor `measure` asks for (`all+wrench:joint`) have one inside; see
    /// [`RecordedLogs::with_sensors_in`].
    pub fn measuring(self, measure: &SensorSet) -> Result<Self, IdentificationError> {
        let mechanism = self.mechanism;
        let mut joints: Vec<String> = Vec::new();
        for row in Measurement::new(measure, mechanism)?.measured_rows(mechanism) {
            if let MeasuredRow::JointWrench { body, .. } = row {
                let joint = &mechanism.robot().bodies[body].joint.name;
                if !joints.contains(joint) {
                    joints.push(joint.clone());
                }
            }
        }
        Ok(self.with_sensors_in(joints))
    }
}
