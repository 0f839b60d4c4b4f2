//! Which joints a file drives. A file that names motors has none where it names none.

use std::collections::HashSet;

use steiner_robot::{Actuation, Description, JointKind};

use crate::xml::Element;

/// Joints without a motor, where the file names motors at all: `otherwise` is what they are then.
pub(crate) fn mark(description: &mut Description, driven: &HashSet<String>, otherwise: Actuation) {
    if driven.is_empty() {
        return;
    }
    for joint in description.joints.iter_mut().map(|joint| &mut joint.joint) {
        let named = match &joint.kind {
            JointKind::Compound(parts) => parts.iter().any(|part| driven.contains(&part.name)),
            // Nothing drives a free body, and no file says so.
            JointKind::Floating | JointKind::Fixed => true,
            _ => false,
        };
        if !named && !driven.contains(&joint.name) {
            joint.actuation = otherwise;
        }
    }
}

/// The joints of a URDF's `<transmission>` and `<ros2_control>` elements.
pub(crate) fn of_urdf(root: &Element<'_>) -> HashSet<String> {
    let mut driven = HashSet::new();
    for child in root.children() {
        let commanded = |joint: &Element<'_>| match child.tag() {
            "transmission" => true,
            "ros2_control" => joint.children().any(|part| part.tag() == "command_interface"),
            _ => false,
        };
        let joints = child.children().filter(|part| part.tag() == "joint").filter(commanded);
        driven.extend(joints.filter_map(|joint| joint.attribute("name").map(str::to_owned)));
    }
    driven
}

/// The joints of an MJCF's actuators; `None` if some pull at sites or along paths, where it is not said which
/// joints they drive.
pub(crate) fn of_mjcf<'a>(
    actuators: impl Iterator<Item = Element<'a>>,
    fixed_tendons: &[(String, Vec<String>)],
) -> Option<HashSet<String>> {
    let mut driven = HashSet::new();
    for actuator in actuators {
        let joint = actuator.attribute("joint").or_else(|| actuator.attribute("jointinparent"));
        match (joint, actuator.attribute("tendon")) {
            (Some(joint), _) => drop(driven.insert(joint.to_owned())),
            (None, Some(tendon)) => {
                let (_, joints) = fixed_tendons.iter().find(|(name, _)| name == tendon)?;
                driven.extend(joints.iter().cloned());
            }
            (None, None) => return None,
        }
    }
    Some(driven)
}
