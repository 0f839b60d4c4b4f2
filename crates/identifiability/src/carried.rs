//! Which bodies stand on the ground, float, or are carried by another.

use steiner_dynamics::Mechanism;
use steiner_robot::{BodyIndex, Coordinate, Frame, JointKind, SiblingOrder};

/// A link fixed to the base, with everything fixed to it.
#[derive(Clone, Debug)]
pub(crate) struct GroundBody {
    pub(crate) name: String,
    pub(crate) frame: Frame,
}

/// Rows of the floating root.
pub(crate) fn root_rows(mechanism: &Mechanism) -> Vec<usize> {
    let robot = mechanism.robot();
    let is_root = |coordinate: &Coordinate| {
        let body = &robot.bodies[coordinate.body.0];
        body.parent.is_none() && body.joint.kind == JointKind::Floating
    };
    mechanism.independent().iter().enumerate().filter(|(_, c)| is_root(c)).map(|(row, _)| row).collect()
}

/// The bodies that stand on the ground: all but those that a floating root carries.
pub(crate) fn standing(mechanism: &Mechanism) -> Vec<usize> {
    let mut floats: Vec<bool> = Vec::new();
    for body in &mechanism.robot().bodies {
        floats.push(match body.parent {
            Some(parent) => floats[parent.0],
            None => body.joint.kind == JointKind::Floating,
        });
    }
    (0..floats.len()).filter(|&body| !floats[body]).collect()
}

/// A body and everything it carries.
pub(crate) fn descendants(mechanism: &Mechanism, root: usize) -> Vec<usize> {
    let mut carried = vec![root];
    for (k, body) in mechanism.robot().bodies.iter().enumerate() {
        if body.parent.is_some_and(|BodyIndex(parent)| carried.contains(&parent)) {
            carried.push(k);
        }
    }
    carried
}

/// Links on the ground that a force plate would weigh: a mechanism file's bodies fixed to the base, and a
/// URDF's root if it has an inertia. Links fixed to them belong to them.
pub(crate) fn ground_bodies(mechanism: &Mechanism) -> Vec<GroundBody> {
    let robot = mechanism.robot();
    let description = &robot.description;
    let is_urdf = description.order == SiblingOrder::DepthFirstByJointName;
    let on_ground = description.joints.iter().filter(|joint| joint.parent.is_none());
    on_ground
        .filter_map(|joint| robot.ground.iter().find(|link| link.name == joint.child))
        .filter(|link| !is_urdf || link.inertia.is_some())
        .map(|link| GroundBody { name: link.name.clone(), frame: link.frame.clone() })
        .collect()
}
