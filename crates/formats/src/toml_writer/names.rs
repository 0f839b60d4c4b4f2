//! What bodies and coordinates are called in a native file.

use std::collections::HashMap;

use steiner_robot::{Description, JointKind};

use crate::toml::WORLD;

/// What bodies are called in the file.
pub(super) struct Names<'d> {
    /// The moving link that each joint name stands for.
    pub(super) moved_by: HashMap<&'d str, &'d str>,
    /// The new name of a link called `base`.
    pub(super) base: String,
    links: HashMap<&'d str, ()>,
}

impl<'d> Names<'d> {
    pub(super) fn new(description: &'d Description) -> Self {
        let links: HashMap<&str, ()> =
            description.links.iter().map(|link| (link.name.as_str(), ())).collect();
        let mut base = "base_link".to_owned();
        while links.contains_key(base.as_str()) {
            base.push('_');
        }
        let moving = description.joints.iter().filter(|joint| joint.joint.kind != JointKind::Fixed);
        let moved_by = moving.map(|joint| (joint.joint.name.as_str(), joint.child.as_str())).collect();
        Names { moved_by, base, links }
    }

    pub(super) fn link<'a>(&'a self, link: &'a str) -> &'a str {
        if link == WORLD { &self.base } else { link }
    }

    /// A joint, a body, or `body:k`, as the file refers to it.
    pub(super) fn coordinate(&self, name: &str) -> String {
        if let Some(link) = self.moved_by.get(name) {
            return self.link(link).to_owned();
        }
        if self.links.contains_key(name) {
            return self.link(name).to_owned();
        }
        match name.rsplit_once(':') {
            Some((carrier, k)) => format!("{}:{k}", self.coordinate(carrier)),
            None => name.to_owned(),
        }
    }
}
