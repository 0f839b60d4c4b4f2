//! Null vectors that geometry explains, as candidates: each is proposed for a reason and kept if it is true.
//!
//! In the pseudo-inertia of a body, the symmetric product of two points P and Q (finite or at infinity) is a
//! change of inertia. \[sun2025\] gives three reasons for such changes to be invisible: two bodies share the
//! points (principle 1, (60)–(62)), the points are fixed (principle 2, (72)–(74)), or the body only turns
//! about one direction (principle 3, (80)). A body that never turns shows its mass alone.

use steiner_dynamics::{Feasible, Mechanism, Tree};
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Joint, JointKind, LoopJoint, LoopKind, Pose, Robot, evaluate_vector, inertial_columns};
use steiner_scalar::{EvaluationError, Scalar};

use crate::gravity::{gravity_candidates, resting_candidates};
use crate::measure::Measurement;
use crate::point_motions::point_motions;
use crate::reason::{Cause, ReasonKey, Site};
use crate::relations::relation_candidates;

/// A vector proposed for a reason. Bodies and columns count the moving bodies only.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<S> {
    /// What is true of which bodies at which joint: the same in every scalar.
    pub(crate) key: ReasonKey,
    /// A direction of the first body, where the reason has one that no joint gives.
    pub(crate) axis: Option<Vec3<S>>,
    /// (column of the moving bodies, value).
    pub(crate) entries: Vec<(usize, S)>,
}

impl<S> Candidate<S> {
    pub(crate) fn new(cause: Cause, site: Option<Site>, bodies: &[usize], entries: Vec<(usize, S)>) -> Self {
        Candidate { key: (cause, site, bodies.to_vec()), axis: None, entries }
    }
}

/// A point of a body: coordinates and weight (0 at infinity).
pub(crate) type Point<S> = (Vec3<S>, S);

/// Change of the ten parameters by the symmetric product of two points: Ξ = ½(P Qᵀ + Q Pᵀ), I = tr(Σ) 1 − Σ.
pub(crate) fn product<S: Scalar>((p, v): Point<S>, (q, w): Point<S>) -> [S; 10] {
    let s = |a: usize, b: usize| (p[a] * q[b] + p[b] * q[a]).half();
    let h = |a: usize| (p[a] * w + q[a] * v).half();
    let (xx, yy, zz) = (s(0, 0), s(1, 1), s(2, 2));
    [v * w, h(0), h(1), h(2), yy + zz, -s(0, 1), xx + zz, -s(0, 2), -s(1, 2), xx + yy]
}

pub(crate) fn direction<S: Scalar>(v: Vec3<S>) -> Point<S> {
    (v, S::zero())
}

fn finite<S: Scalar>(v: Vec3<S>) -> Point<S> {
    (v, S::one())
}

/// Which point two bodies share.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Which {
    /// The centre of the joint.
    Centre,
    /// The direction of its axis.
    Axis,
    /// Any direction, as both bodies never turn against each other.
    Direction,
}

/// Shared points of a joint, in the parent's frame and in the child's: the centre and the directions that
/// both keep. Table 1 of \[sun2025\], extended to helical, cylindrical and planar joints.
struct Shared<S> {
    /// (which, in the parent, in the child)
    points: Vec<(Which, Point<S>, Point<S>)>,
}

/// `turning` is the direction that the tree turns the body about, in its axes.
fn shared<S: Scalar>(joint: &Joint, turning: Option<Vec3<S>>) -> Result<Shared<S>, EvaluationError> {
    let placement: Pose<S> = joint.placement.evaluate()?.value;
    let inner: Pose<S> = joint.body_frame.evaluate::<S>()?.value;
    let seen = |v: Vec3<S>| (placement.rotation.apply(v), inner.rotation.apply_transposed(v));
    let written = evaluate_vector::<S>(&joint.axis)?.value;
    // A field without the root that makes it a unit vector has rounded the axis.
    let rounded = turning
        .map(|turning| inner.rotation.apply(turning))
        .filter(|turning| written.cross(*turning).0.iter().any(|x| x.pivot_weight() > ROUNDED));
    let axis = rounded.unwrap_or(written);
    let centre = (Which::Centre, finite(placement.translation), finite(inner.inverse().translation));
    let along = |which, v| {
        let (outer, inner) = seen(v);
        (which, direction(outer), direction(inner))
    };
    let points = match joint.kind {
        JointKind::Revolute | JointKind::Continuous => vec![centre, along(Which::Axis, axis)],
        JointKind::Prismatic => (0..3).map(|k| along(Which::Direction, Vec3::unit(k))).collect(),
        JointKind::Helical { .. } | JointKind::Cylindrical | JointKind::Planar => {
            vec![along(Which::Axis, axis)]
        }
        JointKind::Universal { .. } | JointKind::Spherical => vec![centre],
        JointKind::Floating | JointKind::Fixed | JointKind::Compound(_) => Vec::new(),
    };
    Ok(Shared { points })
}

/// Directions that differ by more have been rounded, and not only by the arithmetic.
const ROUNDED: f64 = 1e-12;

/// What candidates are read off: the mechanism in some scalar.
pub(crate) struct Evidence<'e, S> {
    pub(crate) tree: &'e Tree<S>,
    /// A reference: poses of all segments in their parents' frames, the same in every scalar.
    pub(crate) reference: &'e [Pose<S>],
    /// A few generic states: as many as [`glimpses`] says.
    pub(crate) states: &'e [Feasible<S>],
}

/// Generic states that motions of single bodies are read off.
const GLIMPSES: usize = 4;
/// Generic states that relations of several bodies are read off.
const MORE_GLIMPSES: usize = 12;

/// How many generic states candidates need.
pub(crate) fn glimpses(mechanism: &Mechanism) -> usize {
    let robot = mechanism.robot();
    if robot.loops.is_empty() && robot.couplings.is_empty() { GLIMPSES } else { MORE_GLIMPSES }
}

/// All candidates of a mechanism, in the same order in every scalar. Columns count the moving bodies only.
pub(crate) fn candidates<S: Scalar>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    evidence: &Evidence<'_, S>,
) -> Result<Vec<Candidate<S>>, EvaluationError> {
    let robot = mechanism.robot();
    let mut out = Vec::new();
    for body in (0..robot.bodies.len()).filter(|&body| !measurement.moves(mechanism, body)) {
        unmoved(&mut out, body, joint_of(robot, body));
    }
    let Evidence { tree, reference, states } = evidence;
    let glimpses = &states[..states.len().min(GLIMPSES)];
    let motions = point_motions(mechanism, tree, glimpses);
    let weightless = tree.gravity == Vec3::zero();
    if measurement.is_static() {
        resting_candidates(&mut out, mechanism, weightless, &motions);
    }
    for (child, body) in robot.bodies.iter().enumerate() {
        let turns = matches!(body.joint.kind, JointKind::Revolute | JointKind::Continuous);
        let segment = &tree.segments[tree.segment_of_body[child]];
        let shared = shared::<S>(&body.joint, turns.then(|| segment.columns[0].angular))?;
        match body.parent {
            Some(parent) => shared_points(&mut out, &shared, parent.0, child, &body.joint),
            None => fixed_points(&mut out, &shared, child, joint_of(robot, child)),
        }
    }
    for closure in &robot.loops {
        loop_points(&mut out, closure)?;
    }
    for (child, motion) in motions.iter().enumerate() {
        match motion.directions[..] {
            [d] => planar_rotation(&mut out, d, child, joint_of(robot, child)),
            [_, _, _] => translation_only(&mut out, child, joint_of(robot, child)),
            _ => {}
        }
    }
    let world = |poses: &[Pose<S>]| -> Vec<Pose<S>> {
        let world = tree.world_poses(poses);
        tree.segment_of_body.iter().map(|&segment| world[segment]).collect()
    };
    let seen: Vec<Vec<Pose<S>>> = glimpses.iter().map(|state| world(&state.poses)).collect();
    shared_orientation(&mut out, robot, &seen, &world(reference));
    gravity_candidates(&mut out, mechanism, weightless, &motions);
    relation_candidates(&mut out, mechanism, evidence, &motions);
    Ok(out)
}

/// Moments that two bodies which stay parallel may exchange.
fn shared_orientation<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    robot: &Robot,
    states: &[Vec<Pose<S>>],
    world: &[Pose<S>],
) {
    let count = robot.bodies.len();
    // How each has turned from the reference, in base axes: two that stay parallel turn alike.
    let turned: Vec<Vec<Mat3<S>>> = states
        .iter()
        .map(|state| state.iter().zip(world).map(|(at, w)| at.rotation * w.rotation.transpose()).collect())
        .collect();
    let parallel = |a: usize, b: usize| {
        turned.iter().all(|turns| {
            let entries = turns[a].0.iter().flatten().zip(turns[b].0.iter().flatten());
            entries.into_iter().all(|(&x, &y)| (x - y).pivot_weight() < 1e-12)
        })
    };
    for (a, b) in
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).filter(|&(a, b)| parallel(a, b))
    {
        let turn = world[b].rotation.transpose() * world[a].rotation;
        let origin = finite(Vec3::zero());
        // Where the first body's origin is seen in the second, for bodies that slide past each other.
        let seen = finite(world[b].inverse().then(&world[a]).translation);
        let points: Vec<(Point<S>, Point<S>)> = (0..3)
            .map(|k| (direction(Vec3::unit(k)), direction(turn.column(k))))
            .chain([(origin, origin), (origin, seen)])
            .collect();
        for (i, (p, p_second)) in points.iter().enumerate() {
            // All but the masses themselves, which may be carried at different speeds.
            for (q, q_second) in points[i..].iter().filter(|(q, _)| i < 3 || q.1 != S::one()) {
                let mut entries: Vec<(usize, S)> = block(a, product(*p, *q), -S::one()).collect();
                entries.extend(block(b, product(*p_second, *q_second), S::one()));
                out.push(Candidate::new(Cause::StayParallel, None, &[a, b], entries));
            }
        }
    }
}

pub(crate) fn block<S: Scalar>(body: usize, values: [S; 10], sign: S) -> impl Iterator<Item = (usize, S)> {
    let entries = values.into_iter().enumerate().filter(|(_, x)| *x != S::zero());
    entries.map(move |(k, x)| (inertial_columns(body).start + k, sign * x))
}

/// The joint that carries a body.
pub(crate) fn joint_of(robot: &Robot, body: usize) -> Option<Site> {
    Some(Site::Joint(robot.bodies[body].joint.name.clone()))
}

/// What two bodies may exchange as they share two points.
fn shared_cause(first: Which, second: Which, has_axis: bool) -> Cause {
    match (first, second) {
        (Which::Centre, Which::Centre) if has_axis => Cause::MassOnSharedAxis,
        (Which::Centre, Which::Centre) => Cause::MassAtSharedPoint,
        (Which::Centre, _) => Cause::DisplacementAlongSharedAxis,
        (Which::Axis, Which::Axis) => Cause::RodAlongSharedAxis,
        _ => Cause::InertiaAcrossSlide,
    }
}

fn shared_points<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    shared: &Shared<S>,
    parent: usize,
    child: usize,
    joint: &Joint,
) {
    let has_axis = joint.kind.has_axis() && joint.kind.dof() == 1;
    for (i, (first, a_parent, a_child)) in shared.points.iter().enumerate() {
        for (second, b_parent, b_child) in &shared.points[i..] {
            let mut entries: Vec<(usize, S)> =
                block(parent, product(*a_parent, *b_parent), -S::one()).collect();
            entries.extend(block(child, product(*a_child, *b_child), S::one()));
            let (cause, site) =
                (shared_cause(*first, *second, has_axis), Some(Site::Joint(joint.name.clone())));
            out.push(Candidate::new(cause, site, &[parent, child], entries));
        }
    }
}

fn fixed_points<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    shared: &Shared<S>,
    child: usize,
    joint: Option<Site>,
) {
    let any: Vec<Point<S>> = (0..3).map(|k| direction(Vec3::unit(k))).chain([finite(Vec3::zero())]).collect();
    let has_axis = shared.points.iter().any(|(which, ..)| *which == Which::Axis);
    for (which, _, point) in &shared.points {
        let cause = match which {
            Which::Centre if has_axis => Cause::FixedAxis,
            Which::Centre => Cause::FixedPoint,
            Which::Direction => Cause::FixedOrientation,
            Which::Axis if shared.points.len() > 1 => Cause::FixedAxis,
            Which::Axis => Cause::FixedDirection,
        };
        // Last with itself: mass at a fixed point stays unseen where first moments are not, and where the point is not
        // the origin of the body frame no product before says so.
        for other in any.iter().chain([point]) {
            let entries = block(child, product(*point, *other), S::one()).collect();
            out.push(Candidate::new(cause, joint.clone(), &[child], entries));
        }
    }
}

fn planar_rotation<S: Scalar>(out: &mut Vec<Candidate<S>>, axis: Vec3<S>, child: usize, joint: Option<Site>) {
    // Two directions normal to d, orthogonal; the second is |d| times as long as the first.
    let helper = (0..3).map(Vec3::unit).find(|e| axis.cross(*e) != Vec3::zero());
    let Some(u) = helper.map(|e| axis.cross(e)) else { return };
    let (w, square) = (axis.cross(u), axis.dot(axis));
    let (d, u, w) = (direction(axis), direction(u), direction(w));
    let (uu, ww) = (product(u, u), product(w, w));
    let difference: [S; 10] = std::array::from_fn(|k| uu[k] * square - ww[k]);
    let origin = finite(Vec3::zero());
    let changes =
        [difference, product(u, w), product(d, d), product(d, u), product(d, w), product(d, origin)];
    for values in changes {
        let entries = block(child, values, S::one()).collect();
        let candidate = Candidate::new(Cause::TurnsAboutOneDirection, joint.clone(), &[child], entries);
        out.push(Candidate { axis: Some(axis), ..candidate });
    }
}

/// A body that nothing measured moves: for all that is felt, its points are fixed.
fn unmoved<S: Scalar>(out: &mut Vec<Candidate<S>>, child: usize, joint: Option<Site>) {
    for column in inertial_columns(child) {
        out.push(Candidate::new(Cause::Unfelt, joint.clone(), &[child], vec![(column, S::one())]));
    }
}

fn translation_only<S: Scalar>(out: &mut Vec<Candidate<S>>, child: usize, joint: Option<Site>) {
    for column in inertial_columns(child).skip(1) {
        out.push(Candidate::new(Cause::NeverTurns, joint.clone(), &[child], vec![(column, S::one())]));
    }
}

/// The points two bodies share through a joint that closes a loop.
fn loop_points<S: Scalar>(out: &mut Vec<Candidate<S>>, closure: &LoopJoint) -> Result<(), EvaluationError> {
    let sides = [&closure.predecessor, &closure.successor];
    let mut poses = Vec::new();
    for side in sides {
        poses.push(side.frame.evaluate::<S>()?.value);
    }
    let axis = evaluate_vector::<S>(&closure.axis)?.value;
    let centre = (Which::Centre, finite(Vec3::zero()));
    let directions = (0..3).map(|k| (Which::Direction, direction(Vec3::unit(k))));
    let points: Vec<(Which, Point<S>)> = match closure.kind {
        LoopKind::Revolute => vec![centre, (Which::Axis, direction(axis))],
        LoopKind::Prismatic => directions.collect(),
        LoopKind::Cylindrical | LoopKind::Planar => vec![(Which::Axis, direction(axis))],
        LoopKind::Universal { .. } | LoopKind::Spherical => vec![centre],
        LoopKind::Fixed => directions.chain([centre]).collect(),
    };
    let has_axis = matches!(closure.kind, LoopKind::Revolute);
    let bodies: Vec<usize> = sides.iter().filter_map(|side| Some(side.body?.0)).collect();
    let seen = |pose: &Pose<S>, (v, w): Point<S>| (pose.rotation.apply(v) + pose.translation.scale(w), w);
    for (i, &(first, a)) in points.iter().enumerate() {
        for &(second, b) in &points[i..] {
            let mut entries = Vec::new();
            for ((side, pose), sign) in sides.iter().zip(&poses).zip([-S::one(), S::one()]) {
                let Some(body) = side.body else { continue };
                entries.extend(block(body.0, product(seen(pose, a), seen(pose, b)), sign));
            }
            let cause = match (bodies.len(), has_axis) {
                (2, _) if matches!(closure.kind, LoopKind::Fixed) => Cause::HeldTogether,
                (2, _) => shared_cause(first, second, has_axis),
                (_, true) => Cause::FixedAxis,
                (_, false) if first == Which::Centre => Cause::FixedPoint,
                (_, false) if first == Which::Direction => Cause::FixedOrientation,
                _ => Cause::FixedDirection,
            };
            out.push(Candidate::new(cause, Some(Site::Loop(closure.name.clone())), &bodies, entries));
        }
    }
    Ok(())
}
