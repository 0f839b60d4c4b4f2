//! Moving bodies in order, with the links that fixed joints weld to them.

use std::collections::HashMap;

use super::link_tree::LinkTree;
use super::numbers::evaluated_pose;

use crate::description::{Capsule, Description};
use crate::error::RobotError;
use crate::frame::{Frame, Pose};
use crate::inertia::PseudoInertia;
use crate::joint::JointKind;
use crate::robot::{Body, BodyIndex, LumpedLink};

/// Frames of welded links are kept as chains, so that a longer one would cost its square.
const LONGEST_FIXED_CHAIN: usize = 1000;

/// Where a link ended up: on which body (`None`: the ground) and at which frame in it, evaluated too.
pub(super) type Home = HashMap<String, (Option<BodyIndex>, Frame, Pose<f64>)>;

pub(super) struct Builder {
    pub(super) bodies: Vec<Body>,
    pub(super) ground: Vec<LumpedLink>,
    pub(super) home: Home,
}

impl Builder {
    pub(super) fn new(d: &Description) -> Self {
        Builder { bodies: Vec::new(), ground: Vec::new(), home: HashMap::with_capacity(d.links.len()) }
    }

    /// Makes a body of a link, or adds it to the body it is fixed to; parents come first.
    pub(super) fn place(&mut self, d: &Description, tree: &LinkTree, index: usize) -> Result<(), RobotError> {
        let link = &d.links[index];
        let tree_joint = &d.joints[tree.joint_above[index]];
        let joint = &tree_joint.joint;
        let (carrier, frame, pose) = match &tree_joint.parent {
            Some(parent) => self.home[parent].clone(),
            None => (None, Frame::identity(), Pose::identity()),
        };
        if joint.kind == JointKind::Fixed {
            let step = joint.placement.then(&joint.body_frame);
            let frame = frame.then(&step);
            if frame.steps().len() > LONGEST_FIXED_CHAIN {
                return Err(RobotError::Element {
                    place: tree_joint.place.clone(),
                    element: format!("joint `{}`", joint.name),
                    problem: format!("more than {LONGEST_FIXED_CHAIN} fixed joints follow each other"),
                    remedy: "merge the links they weld together".to_owned(),
                });
            }
            let lumped = LumpedLink { name: link.name.clone(), frame: frame.clone(), inertia: link.inertia };
            let pose = pose.then(&evaluated_pose(&step, &tree_joint.place, &joint.name)?);
            match carrier {
                Some(BodyIndex(body)) => {
                    let body = &mut self.bodies[body];
                    if let Some(inertia) = &link.inertia {
                        body.inertia = body.inertia.plus(&inertia.moved(&pose.rotation, pose.translation.0));
                    }
                    body.capsules.extend(link.capsules.iter().map(|capsule| Capsule {
                        from: pose.point(capsule.from.into()).0,
                        to: pose.point(capsule.to.into()).0,
                        radius: capsule.radius,
                    }));
                    body.lumped.push(lumped);
                }
                None => self.ground.push(lumped),
            }
            self.home.insert(link.name.clone(), (carrier, frame, pose));
            return Ok(());
        }
        let mut joint = joint.clone();
        joint.placement = frame.then(&joint.placement);
        self.bodies.push(Body {
            name: link.name.clone(),
            parent: carrier,
            joint,
            inertia: link.inertia.unwrap_or(PseudoInertia::ZERO),
            own_inertia: link.inertia,
            lumped: Vec::new(),
            capsules: link.capsules.clone(),
        });
        self.home.insert(
            link.name.clone(),
            (Some(BodyIndex(self.bodies.len() - 1)), Frame::identity(), Pose::identity()),
        );
        Ok(())
    }
}
