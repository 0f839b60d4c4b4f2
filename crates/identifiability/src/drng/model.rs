//! What DRNG needs to know about a robot: table 2 of \[sun2025\], made once in O(N).

use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_linalg::Vec3;
use steiner_robot::{Attachment, Joint, LoopJoint, LoopKind, Robot, evaluate_vector};
use steiner_scalar::EvaluationError;

use super::joint_geometry::{Geometry, evaluated, exact, unit};
use super::planar_rotations::{PlanarRotation, planar_rotation};
use super::shared_points::{JointType, TetrahedralPoints};
use crate::error::IdentifiabilityError;

/// A joint between two bodies, or between a body and the base.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Index of the joint: that of its body, loops behind.
    pub(super) joint: usize,
    pub(super) kind: JointType,
    /// The base if `None`.
    pub(super) parent: Option<usize>,
    pub(super) child: usize,
    /// The joint's frame, seen from the parent and from the child.
    pub(super) in_parent: TetrahedralPoints,
    pub(super) in_child: TetrahedralPoints,
    /// d_pr of the child. A loop joint has none.
    pub(super) planar: PlanarRotation,
}

/// A robot as the tetrahedral-point method sees it: joint types, shared points, planar rotations and gravity
/// (table 2 of \[sun2025\]). Shared points are kept in the frames of the bodies that share them, where they
/// stay put: no initial configuration enters, and loops need not be closed.
///
/// ```
/// use steiner_dynamics::Mechanism;
/// use steiner_identifiability::{TetrahedralModel, drng};
/// use steiner_formats::{ReadOptions, read_robot};
///
/// let puma = Mechanism::new(read_robot("puma560", &ReadOptions::default()).unwrap()).unwrap();
/// assert_eq!(drng(&TetrahedralModel::new(&puma).unwrap()).len(), 24);
/// ```
#[derive(Clone, Debug)]
pub struct TetrahedralModel {
    /// One per body, parents before children.
    pub(super) tree: Vec<Link>,
    pub(super) loops: Vec<Link>,
    /// In base axes, m/s².
    pub(super) gravity: Vec3<f64>,
}

impl TetrahedralModel {
    /// From a mechanism, whose geometry is already evaluated: microseconds.
    pub fn new(mechanism: &Mechanism) -> Result<Self, IdentifiabilityError> {
        let tree = mechanism.tree();
        Self::assembled(mechanism.robot(), tree.gravity, |body, joint| {
            match evaluated(mechanism, body, joint) {
                Some(geometry) => Ok(geometry),
                None => exact(joint),
            }
        })
    }

    /// From a robot alone: linear in the number of bodies for chains of any depth.
    pub fn from_robot(robot: &Robot) -> Result<Self, IdentifiabilityError> {
        let gravity = evaluate_vector(&robot.gravity).map_err(|reason| geometry_error(robot, reason))?;
        Self::assembled(robot, gravity.value, |_, joint| exact(joint))
    }

    /// Number of moving bodies N.
    pub fn body_count(&self) -> usize {
        self.tree.len()
    }

    fn assembled(
        robot: &Robot,
        gravity: Vec3<f64>,
        geometry: impl Fn(usize, &Joint) -> Result<Geometry, EvaluationError>,
    ) -> Result<Self, IdentifiabilityError> {
        let mut tree: Vec<Link> = Vec::with_capacity(robot.bodies.len());
        for (child, body) in robot.bodies.iter().enumerate() {
            let Geometry { kind, pose, axis, centre } =
                geometry(child, &body.joint).map_err(|reason| geometry_error(robot, reason))?;
            let parent = body.parent.map(|parent| parent.0);
            // The base turns about nothing, and so about any one direction.
            let above = match parent {
                Some(parent) => tree[parent].planar.map(|d| pose.rotation.apply_transposed(d)),
                None => Some(Vec3::zero()),
            };
            let in_child = TetrahedralPoints::new(axis, centre);
            let in_parent = in_child.seen_from(&pose);
            let planar = planar_rotation(kind, above, axis);
            tree.push(Link { joint: child, kind, parent, child, in_parent, in_child, planar });
        }
        let mut loops = Vec::with_capacity(robot.loops.len());
        for (l, closure) in robot.loops.iter().enumerate() {
            loops.extend(loop_link(tree.len() + l, closure).map_err(|reason| geometry_error(robot, reason))?);
        }
        Ok(TetrahedralModel { tree, loops, gravity })
    }
}

fn geometry_error(robot: &Robot, reason: EvaluationError) -> DynamicsError {
    DynamicsError::Geometry { robot: robot.name.clone(), reason }
}

/// A loop joint; `None` between the base and itself.
fn loop_link(joint: usize, closure: &LoopJoint) -> Result<Option<Link>, EvaluationError> {
    let kind = match closure.kind {
        LoopKind::Revolute => JointType::Revolute,
        LoopKind::Prismatic => JointType::Prismatic,
        LoopKind::Cylindrical => JointType::Screw,
        LoopKind::Planar => JointType::Turning,
        LoopKind::Universal { .. } | LoopKind::Spherical => JointType::Spherical,
        LoopKind::Fixed => JointType::Fixed,
    };
    let (mut parent, mut child) = (&closure.predecessor, &closure.successor);
    if child.body.is_none() {
        (parent, child) = (child, parent);
    }
    let Some(body) = child.body else { return Ok(None) };
    let axis = match kind {
        JointType::Spherical | JointType::Fixed => Vec3::unit(2),
        _ => unit(evaluate_vector(&closure.axis)?.value),
    };
    let frame = TetrahedralPoints::new(axis, Vec3::zero());
    let seen = |side: &Attachment| Ok(frame.seen_from(&side.frame.evaluate()?.value));
    let (in_parent, in_child) = (seen(parent)?, seen(child)?);
    let parent = parent.body.map(|parent| parent.0);
    Ok(Some(Link { joint, kind, parent, child: body.0, in_parent, in_child, planar: None }))
}
