//! The robots PSDM is for: serial arms of revolute and prismatic joints.

use steiner_robot::{BodyIndex, JointKind, Robot};

use super::monomial::JointMotion;
use super::search_space::SearchSpace;
use crate::error::ModelError;

/// The longest arm whose closed form is of use: the number of functions grows up to sixfold with each joint.
pub(super) const MOST_JOINTS: usize = 9;

/// How each joint of a serial arm moves, from the base; or why the robot is none.
pub(crate) fn serial_chain(robot: &Robot) -> Result<Vec<JointMotion>, ModelError> {
    let name = || robot.name.clone();
    if let Some(closure) = robot.loops.first() {
        return Err(ModelError::Loop { robot: name(), closure: closure.name.clone() });
    }
    if let Some(coupling) = robot.couplings.first() {
        return Err(ModelError::Coupled { robot: name(), coupling: coupling.name.clone() });
    }
    let mut motions = Vec::with_capacity(robot.bodies.len());
    for (index, body) in robot.bodies.iter().enumerate() {
        let joint = body.joint.name.clone();
        motions.push(match &body.joint.kind {
            JointKind::Revolute | JointKind::Continuous => JointMotion::Revolute,
            JointKind::Prismatic => JointMotion::Prismatic,
            other => return Err(ModelError::JointKind { robot: name(), joint, kind: other.name() }),
        });
        if body.parent != index.checked_sub(1).map(BodyIndex) {
            let parent =
                body.parent.map_or("the base".to_owned(), |BodyIndex(k)| robot.bodies[k].name.clone());
            return Err(ModelError::Branch { robot: name(), joint, parent });
        }
    }
    match motions.len() {
        0 => Err(ModelError::NothingMoves { robot: name() }),
        joints if joints > MOST_JOINTS => {
            let (seconds, gibibytes) = SearchSpace::of(&motions).cost();
            Err(ModelError::TooLong { robot: name(), joints, seconds, gibibytes })
        }
        _ => Ok(motions),
    }
}
