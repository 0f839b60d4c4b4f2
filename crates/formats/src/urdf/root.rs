//! The root of a URDF: the one link without a parent stands on the ground.

use std::collections::HashSet;

use steiner_robot::{
    Actuation, Description, Frame, Friction, Joint, JointKind, Limits, RobotError, TreeJoint,
};

use super::joint::x_axis;
use crate::error::FormatError;

/// The link without a parent stands on the ground.
pub(super) fn root_joint(description: &mut Description) -> Result<(), FormatError> {
    let links: HashSet<&str> = description.links.iter().map(|link| link.name.as_str()).collect();
    let joins_unknown = |joint: &TreeJoint| {
        let parent = joint.parent.as_deref();
        !links.contains(joint.child.as_str()) || parent.is_some_and(|parent| !links.contains(parent))
    };
    if description.joints.iter().any(joins_unknown) {
        // The root cannot be told; assembling names the unknown link.
        return Ok(());
    }
    let children: HashSet<&str> = description.joints.iter().map(|joint| joint.child.as_str()).collect();
    let mut roots = description.links.iter().filter(|link| !children.contains(link.name.as_str()));
    let root = roots.next().cloned();
    let second = roots.next();
    let Some(root) = root else {
        return match description.links.first() {
            Some(link) => {
                Err(RobotError::Cycle { place: link.place.clone(), link: link.name.clone() }.into())
            }
            None => Err(RobotError::Element {
                place: description.place.clone(),
                element: "<robot>".to_owned(),
                problem: "it has no links".to_owned(),
                remedy: "add <link> and <joint> elements".to_owned(),
            }
            .into()),
        };
    };
    if children.len() < description.joints.len() {
        // Some link is the child of two joints; assembling names it, and it explains a second root.
        return Ok(());
    }
    if let Some(second) = second {
        return Err(FormatError::TwoRoots {
            place: second.place.clone(),
            first: root.name.clone(),
            second: second.name.clone(),
        });
    }
    // A file may have a joint of this name itself.
    let taken: HashSet<&str> = description.joints.iter().map(|joint| joint.joint.name.as_str()).collect();
    let mut name = "root_joint".to_owned();
    while taken.contains(name.as_str()) {
        name.push('_');
    }
    let joint = Joint {
        name,
        kind: JointKind::Fixed,
        placement: Frame::identity(),
        axis: x_axis(),
        body_frame: Frame::identity(),
        limits: Limits::default(),
        rotor_inertia: 0.0,
        actuation: Actuation::default(),
        friction: Friction::default(),
    };
    description.joints.push(TreeJoint {
        joint,
        parent: None,
        child: root.name.clone(),
        place: root.place.clone(),
    });
    Ok(())
}
