//! What bodies, joints and coordinates are called in a native file.

use std::collections::{HashMap, HashSet};

use steiner_robot::{Description, JointKind, TreeJoint};

use crate::toml::WORLD;

/// What bodies and joints are called in the file.
pub(super) struct Names<'d> {
    /// The moving link that each joint name stands for.
    pub(super) moved_by: HashMap<&'d str, &'d str>,
    /// The new name of a link called `base`.
    pub(super) base: String,
    /// The joint that moves each link.
    movers: HashMap<&'d str, &'d str>,
    joints: HashSet<&'d str>,
}

impl<'d> Names<'d> {
    pub(super) fn new(description: &'d Description) -> Self {
        let links: HashSet<&str> = description.links.iter().map(|link| link.name.as_str()).collect();
        let mut base = "base_link".to_owned();
        while links.contains(base.as_str()) {
            base.push('_');
        }
        let moving = || description.joints.iter().filter(|joint| joint.joint.kind != JointKind::Fixed);
        let moved_by = moving().map(|joint| (joint.joint.name.as_str(), joint.child.as_str())).collect();
        let movers = moving().map(|joint| (joint.child.as_str(), joint.joint.name.as_str())).collect();
        let joints = description.joints.iter().map(|joint| joint.joint.name.as_str()).collect();
        Names { moved_by, base, movers, joints }
    }

    pub(super) fn link<'a>(&'a self, link: &'a str) -> &'a str {
        if link == WORLD { &self.base } else { link }
    }

    /// The name of a joint that is not called like its body. Whatever holds the root is called like it, unless
    /// another joint is.
    pub(super) fn own_name<'a>(&self, joint: &'a TreeJoint) -> Option<&'a str> {
        let (name, body) = (joint.joint.name.as_str(), self.link(&joint.child));
        let holds_root = joint.parent.is_none() && joint.joint.kind == JointKind::Fixed;
        let implied = name == body || (holds_root && !self.joints.contains(body));
        (!implied).then_some(name)
    }

    /// A joint, a body, or `body:k`, as the file refers to it: by the joint, since joints are looked for first.
    pub(super) fn coordinate(&self, name: &str) -> String {
        if self.moved_by.contains_key(name) {
            return name.to_owned();
        }
        if let Some(joint) = self.movers.get(name) {
            return (*joint).to_owned();
        }
        match name.rsplit_once(':') {
            Some((carrier, k)) => format!("{}:{k}", self.coordinate(carrier)),
            None => self.link(name).to_owned(),
        }
    }
}
