//! A robot whose root moves freely, from a description whose root is fixed.

use steiner_scalar::Exact;

use crate::description::{Description, Link, Mention, TreeJoint};
use crate::error::RobotError;
use crate::frame::Frame;
use crate::friction::Friction;
use crate::joint::{Actuation, Joint, JointKind, Limits};

/// The body that the world becomes when it floats.
const ROOT: &str = "root";

/// Makes the root float. A single link fixed to the world floats itself; otherwise (several links, one away
/// from the origin, loops closed on the ground) the world becomes a body called `root`.
pub(super) fn release_root(d: &mut Description) -> Result<(), RobotError> {
    let roots: Vec<usize> = (0..d.joints.len()).filter(|&j| d.joints[j].parent.is_none()).collect();
    let mut root_name = "root_joint".to_owned();
    while d.joints.iter().any(|joint| joint.joint.name == root_name && joint.parent.is_some()) {
        root_name.push('_');
    }
    let floating = |name: &str| Joint {
        name: name.to_owned(),
        kind: JointKind::Floating,
        placement: Frame::identity(),
        axis: [Exact::zero(), Exact::zero(), Exact::one()],
        body_frame: Frame::identity(),
        limits: Limits::default(),
        rotor_inertia: 0.0,
        actuation: Actuation::default(),
        friction: Friction::default(),
    };
    if let [only] = roots[..] {
        let joint = &d.joints[only].joint;
        let at_the_origin = joint.placement.steps().is_empty() && joint.body_frame.steps().is_empty()
            || joint.placement.then(&joint.body_frame).is_identity();
        let grounded_loop =
            d.loops.iter().any(|l| l.predecessor.link.is_none() || l.successor.link.is_none());
        match joint.kind {
            JointKind::Floating => return Ok(()),
            JointKind::Fixed if at_the_origin && !grounded_loop => {
                d.joints[only].joint = floating(&root_name);
                declare_independent(d, &root_name);
                return Ok(());
            }
            _ => {}
        }
    }
    if d.links.iter().any(|link| link.name == ROOT) {
        return Err(RobotError::Element {
            place: d.place.clone(),
            element: "floating base".to_owned(),
            problem: "several links hang on the ground, and one of them is itself called `root`".to_owned(),
            remedy: "rename it, or write the floating joint into the file".to_owned(),
        });
    }
    for j in roots {
        d.joints[j].parent = Some(ROOT.to_owned());
    }
    for side in d.loops.iter_mut().flat_map(|l| [&mut l.predecessor, &mut l.successor]) {
        side.link.get_or_insert_with(|| ROOT.to_owned());
    }
    let place = d.place.clone();
    d.links
        .insert(0, Link { name: ROOT.to_owned(), inertia: None, capsules: Vec::new(), place: place.clone() });
    d.joints
        .insert(0, TreeJoint { joint: floating(&root_name), parent: None, child: ROOT.to_owned(), place });
    declare_independent(d, &root_name);
    Ok(())
}

/// A file that lists its independent coordinates could not know of the root's.
fn declare_independent(d: &mut Description, joint: &str) {
    let place = d.place.clone();
    if let Some(independent) = &mut d.independent {
        independent.push(Mention { name: joint.to_owned(), place });
    }
}
