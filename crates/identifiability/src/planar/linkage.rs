//! Links and the pairs that join them, with coordinates in the plane.

use steiner_dynamics::Mechanism;
use steiner_linalg::Vec3;
use steiner_robot::{JointKind, LoopKind};
use steiner_scalar::Exact;

use super::coordinates::{ExactPose, in_plane};
use super::view::PlanarView;
use crate::error::IdentifiabilityError;

/// What a joint leaves free in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    Revolute,
    Prismatic,
}

/// A joint between two links, or a link and the ground.
#[derive(Clone, Debug)]
pub(crate) struct PlanarJoint {
    pub(crate) name: String,
    pub(crate) pair: Pair,
    /// The links it joins; `None` is the ground. In the file's tree, the second hangs on the first.
    pub(crate) links: [Option<usize>; 2],
    /// A revolute joint's point in each of them: coordinates in the axes of the
    /// view, about the file's origin, m.
    pub(crate) points: [[Exact; 2]; 2],
    /// A prismatic joint's direction in the axes of the first, of any length.
    pub(crate) direction: [Exact; 2],
    /// Whether the file closes a loop with it.
    pub(crate) closes: bool,
}

impl PlanarJoint {
    /// Which side of the joint a link is.
    pub(crate) fn side(&self, link: usize) -> usize {
        usize::from(self.links[0] != Some(link))
    }

    /// What it joins a link to; `None` is the ground.
    pub(crate) fn other(&self, link: usize) -> Option<usize> {
        self.links[1 - self.side(link)]
    }

    pub(crate) fn joins(&self, link: usize) -> bool {
        self.links.contains(&Some(link))
    }
}

/// Where a link is when the mechanism stands at its reference: origin and turn of its axes in
/// those of the ground, m and rad.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) position: [f64; 2],
    pub(crate) angle: f64,
}

/// A mechanism seen in its plane.
#[derive(Clone, Debug)]
pub(crate) struct Linkage {
    pub(crate) robot: String,
    pub(crate) links: Vec<String>,
    pub(crate) joints: Vec<PlanarJoint>,
    /// Links where they stand in the file's reference.
    pub(crate) reference: Vec<Placed>,
    /// Gravity along the two axes of the ground and its normal, m/s².
    pub(crate) gravity: [f64; 3],
}

impl Linkage {
    /// Joints of a mechanism that moves in the plane of a view.
    pub(crate) fn new(mechanism: &Mechanism, view: &PlanarView) -> Result<Self, IdentifiabilityError> {
        let robot = mechanism.robot();
        if let Some(coupling) = robot.couplings.first() {
            let what = format!("the coupling `{}`", coupling.name);
            return Err(IdentifiabilityError::NotInTheProductClass { robot: robot.name.clone(), what });
        }
        let axes = |link: Option<usize>| link.map_or(&view.base_axes, |link| &view.axes[link]);
        let mut joints = Vec::new();
        for (link, body) in robot.bodies.iter().enumerate() {
            let joint = &body.joint;
            let pair = match joint.kind {
                JointKind::Revolute | JointKind::Continuous => Pair::Revolute,
                JointKind::Prismatic => Pair::Prismatic,
                // A planar joint leaves everything free: it joins nothing.
                _ => continue,
            };
            let parent = body.parent.map(|parent| parent.0);
            let (placement, frame) = (ExactPose::of(&joint.placement), ExactPose::of(&joint.body_frame));
            joints.push(PlanarJoint {
                name: joint.name.clone(),
                pair,
                links: [parent, Some(link)],
                points: [
                    in_plane(axes(parent), &placement.translation),
                    in_plane(axes(Some(link)), &frame.outer_origin()),
                ],
                direction: in_plane(axes(parent), &placement.forwards(&joint.axis)),
                closes: false,
            });
        }
        for closure in &robot.loops {
            let sides = [&closure.predecessor, &closure.successor];
            let links = sides.map(|side| side.body.map(|body| body.0));
            let frames = sides.map(|side| ExactPose::of(&side.frame));
            let direction = in_plane(axes(links[0]), &frames[0].forwards(&closure.axis));
            let in_the_plane = direction.iter().any(|x| x.to_f64().is_ok_and(|x| x.abs() > 1e-6));
            let pair = match closure.kind {
                LoopKind::Planar => continue,
                LoopKind::Prismatic => Pair::Prismatic,
                LoopKind::Cylindrical if in_the_plane => Pair::Prismatic,
                _ => Pair::Revolute,
            };
            let points = [0, 1].map(|k| in_plane(axes(links[k]), &frames[k].translation));
            joints.push(PlanarJoint {
                name: closure.name.clone(),
                pair,
                links,
                points,
                direction,
                closes: true,
            });
        }
        let [u, v] = view.base_axes;
        let gravity = Vec3(robot.gravity_vector());
        Ok(Linkage {
            robot: robot.name.clone(),
            links: view.links.clone(),
            joints,
            reference: reference(mechanism, view),
            gravity: [gravity.dot(u), gravity.dot(v), gravity.dot(Vec3(view.normal))],
        })
    }

    /// The joints of a link.
    pub(crate) fn joints_of(&self, link: usize) -> impl Iterator<Item = usize> {
        (0..self.joints.len()).filter(move |&k| self.joints[k].joins(link))
    }

    /// Whether gravity pulls in the plane.
    pub(crate) fn feels_gravity(&self) -> bool {
        let [x, y, z] = self.gravity;
        x.hypot(y) > 1e-9 * z.abs().max(1.0)
    }

    /// Links that never turn: prismatic joints lead from each to the ground.
    pub(crate) fn never_turns(&self) -> Vec<bool> {
        let mut still = vec![false; self.links.len()];
        let is_still = |still: &[bool], link: Option<usize>| link.is_none_or(|link| still[link]);
        while let Some(link) = self.joints.iter().find_map(|joint| {
            let [a, b] = joint.links;
            let (a_still, b_still) = (is_still(&still, a), is_still(&still, b));
            (joint.pair == Pair::Prismatic && a_still != b_still).then_some(if a_still { b } else { a })?
        }) {
            still[link] = true;
        }
        still
    }
}

fn reference(mechanism: &Mechanism, view: &PlanarView) -> Vec<Placed> {
    let tree = mechanism.tree();
    let mut poses = Vec::new();
    tree.poses_at(mechanism.reference_tree(), &mut poses);
    let world = tree.world_poses(&poses);
    let [u, v] = view.base_axes;
    let placed = |(link, &segment): (usize, &usize)| {
        let pose = &world[segment];
        let x = pose.rotation.apply(view.axes[link][0]);
        Placed {
            position: [pose.translation.dot(u), pose.translation.dot(v)],
            angle: x.dot(v).atan2(x.dot(u)),
        }
    };
    tree.segment_of_body.iter().enumerate().map(placed).collect()
}
