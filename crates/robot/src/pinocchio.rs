//! Pinocchio stores the angle of continuous and planar joints as cosine and sine; everything else is as here.

use crate::joint::JointKind;
use crate::robot::Robot;

/// Sizes (here, there) of a joint's configuration.
fn sizes(kind: &JointKind) -> (usize, usize) {
    let own = kind.configuration_size();
    match kind {
        JointKind::Continuous | JointKind::Planar => (own, own + 1),
        _ => (own, own),
    }
}

impl Robot {
    /// Length of the tree's configuration in Pinocchio.
    pub fn pinocchio_configuration_size(&self) -> usize {
        self.bodies.iter().map(|body| sizes(&body.joint.kind).1).sum()
    }

    /// A configuration of the tree as Pinocchio stores it.
    ///
    /// # Panics
    /// If `q` is not as long as the tree's configuration.
    pub fn q_to_pinocchio(&self, q: &[f64]) -> Vec<f64> {
        assert_eq!(q.len(), self.tree_configuration_size(), "a configuration of the tree");
        let mut out = Vec::with_capacity(self.pinocchio_configuration_size());
        let mut rest = q;
        for body in &self.bodies {
            let (own, tail) = rest.split_at(sizes(&body.joint.kind).0);
            rest = tail;
            match &body.joint.kind {
                JointKind::Continuous | JointKind::Planar => {
                    let (angle, others) = (own[own.len() - 1], &own[..own.len() - 1]);
                    out.extend_from_slice(others);
                    out.extend([angle.cos(), angle.sin()]);
                }
                _ => out.extend_from_slice(own),
            }
        }
        out
    }

    /// A configuration of the tree from what Pinocchio stores; angles are in (−π, π].
    ///
    /// # Panics
    /// If `q` is not as long as Pinocchio's configuration.
    pub fn q_from_pinocchio(&self, q: &[f64]) -> Vec<f64> {
        assert_eq!(q.len(), self.pinocchio_configuration_size(), "a configuration of Pinocchio's");
        let mut out = Vec::with_capacity(self.tree_configuration_size());
        let mut rest = q;
        for body in &self.bodies {
            let (own, tail) = rest.split_at(sizes(&body.joint.kind).1);
            rest = tail;
            match &body.joint.kind {
                JointKind::Continuous | JointKind::Planar => {
                    let (others, pair) = own.split_at(own.len() - 2);
                    out.extend_from_slice(others);
                    out.push(f64::atan2(pair[1], pair[0]));
                }
                _ => out.extend_from_slice(own),
            }
        }
        out
    }
}
