//! Null vectors that geometry explains, as candidates: each is proposed for a reason and kept if it is true.
//!
//! In the pseudo-inertia of a body, the symmetric product of two points P and Q (finite or at infinity) is a change of inertia.
//! \[sun2025\] gives three reasons for such changes to be invisible: two bodies share the points (principle 1, (60)–(62)), the
//! points are fixed (principle 2, (72)–(74)), or the body only turns about one direction (principle 3, (80)). A body that never
//! turns shows its mass alone.

use steiner_dynamics::{Feasible, Mechanism, Tree};
use steiner_linalg::Vec3;
use steiner_robot::{Joint, JointKind, Pose, evaluate_vector};
use steiner_scalar::{EvaluationError, Scalar};

use crate::gravity::{gravity_candidates, resting_candidates};
use crate::measure::Measurement;
use crate::point_motions::point_motions;

/// Why a vector is invisible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principle {
    /// Points that two bodies share through a joint.
    SharedPoints,
    /// Points that don't move.
    FixedPoints,
    /// A body that only turns about one direction.
    PlanarRotation,
    /// A body that never turns.
    TranslationOnly,
    /// Two bodies that a mechanism keeps parallel.
    SharedOrientation,
    /// Found on the bodies of a loop by completion.
    LoopClosure,
    /// Found on bodies that a coupling ties together, by completion.
    Gear,
    /// Points that only move along gravity, against points that only move across it; fixed points without gravity.
    Gravity,
    /// Found by completion, without an explanation.
    Numeric,
}

impl Principle {
    /// The word documents use.
    pub fn name(self) -> &'static str {
        match self {
            Principle::SharedPoints => "shared-points",
            Principle::FixedPoints => "fixed-points",
            Principle::PlanarRotation => "planar-rotation",
            Principle::TranslationOnly => "translation-only",
            Principle::SharedOrientation => "shared-orientation",
            Principle::LoopClosure => "loop-closure",
            Principle::Gear => "gear",
            Principle::Gravity => "gravity",
            Principle::Numeric => "numeric",
        }
    }
}

/// A vector proposed for a reason.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<S> {
    pub(crate) principle: Principle,
    /// The joint or loop it is about; empty when there is none.
    pub(crate) joint: String,
    /// One sentence a mechanical engineer would say.
    pub(crate) text: String,
    /// (column of the moving bodies, value).
    pub(crate) entries: Vec<(usize, S)>,
}

/// A point of a body: coordinates and weight (0 at infinity).
pub(crate) type Point<S> = (Vec3<S>, S);

/// Change of the ten parameters by the symmetric product of two points: N = ½(P Qᵀ + Q Pᵀ), I = tr(Σ) 1 − Σ.
pub(crate) fn product<S: Scalar>((p, v): Point<S>, (q, w): Point<S>) -> [S; 10] {
    let s = |a: usize, b: usize| (p[a] * q[b] + p[b] * q[a]).half();
    let h = |a: usize| (p[a] * w + q[a] * v).half();
    let (xx, yy, zz) = (s(0, 0), s(1, 1), s(2, 2));
    [v * w, h(0), h(1), h(2), yy + zz, -s(0, 1), xx + zz, -s(0, 2), -s(1, 2), xx + yy]
}

fn direction<S: Scalar>(v: Vec3<S>) -> Point<S> {
    (v, S::zero())
}

fn finite<S: Scalar>(v: Vec3<S>) -> Point<S> {
    (v, S::one())
}

/// Shared points of a joint, in the parent's frame and in the child's: the centre and the directions that both keep.
/// Table 1 of \[sun2025\], extended to helical, cylindrical and planar joints.
struct Shared<S> {
    /// (name, in the parent, in the child)
    points: Vec<(&'static str, Point<S>, Point<S>)>,
}

fn shared<S: Scalar>(joint: &Joint) -> Result<Shared<S>, EvaluationError> {
    let placement: Pose<S> = joint.placement.evaluate()?.value;
    let inner: Pose<S> = joint.body_frame.evaluate::<S>()?.value;
    let seen = |v: Vec3<S>| (placement.rotation.apply(v), inner.rotation.apply_transposed(v));
    let axis = evaluate_vector::<S>(&joint.axis)?.value;
    let centre = ("centre", finite(placement.translation), finite(inner.inverse().translation));
    let along = |name, v| {
        let (outer, inner) = seen(v);
        (name, direction(outer), direction(inner))
    };
    let points = match joint.kind {
        JointKind::Revolute | JointKind::Continuous => vec![centre, along("axis", axis)],
        JointKind::Prismatic => (0..3).map(|k| along(["x", "y", "z"][k], Vec3::unit(k))).collect(),
        JointKind::Helical { .. } | JointKind::Cylindrical | JointKind::Planar => vec![along("axis", axis)],
        JointKind::Universal { .. } | JointKind::Spherical => vec![centre],
        JointKind::Floating | JointKind::Fixed | JointKind::Compound(_) => Vec::new(),
    };
    Ok(Shared { points })
}

/// What candidates are read off: the mechanism in some scalar.
pub(crate) struct Evidence<'e, S> {
    pub(crate) tree: &'e Tree<S>,
    /// A reference: poses of all segments in their parents' frames, the same in every scalar.
    pub(crate) reference: &'e [Pose<S>],
    /// A few generic states.
    pub(crate) states: &'e [Feasible<S>],
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
        unmoved(&mut out, body, &robot.bodies[body].joint.name, &robot.bodies[body].name);
    }
    let Evidence { tree, reference, states } = evidence;
    let motions = point_motions(mechanism, tree, states);
    let weightless = tree.gravity == Vec3::zero();
    if measurement.is_static() {
        resting_candidates(&mut out, mechanism, weightless, &motions);
    }
    for (child, body) in robot.bodies.iter().enumerate() {
        let shared = shared::<S>(&body.joint)?;
        match body.parent {
            Some(parent) => {
                let names = (robot.bodies[parent.0].name.as_str(), body.name.as_str());
                shared_points(&mut out, &shared, parent.0, child, &body.joint, names);
            }
            None => fixed_points(&mut out, &shared, child, &body.joint.name, &body.name),
        }
    }
    for closure in &robot.loops {
        loop_points(&mut out, mechanism, closure)?;
    }
    for (child, (body, motion)) in robot.bodies.iter().zip(&motions).enumerate() {
        match motion.directions[..] {
            [d] => planar_rotation(&mut out, d, child, &body.joint.name, &body.name),
            [_, _, _] => translation_only(&mut out, child, &body.joint.name, &body.name),
            _ => {}
        }
    }
    let world = |poses: &[Pose<S>]| -> Vec<Pose<S>> {
        let world = tree.world_poses(poses);
        tree.segment_of_body.iter().map(|&segment| world[segment]).collect()
    };
    let seen: Vec<Vec<Pose<S>>> = states.iter().map(|state| world(&state.poses)).collect();
    shared_orientation(&mut out, robot, &seen, &world(reference));
    gravity_candidates(&mut out, mechanism, weightless, &motions);
    Ok(out)
}

/// Moments that two bodies which stay parallel may exchange.
fn shared_orientation<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    robot: &steiner_robot::Robot,
    states: &[Vec<Pose<S>>],
    world: &[Pose<S>],
) {
    let count = robot.bodies.len();
    let parallel = |a: usize, b: usize| {
        let relative = |world: &[Pose<S>]| world[a].rotation.transpose() * world[b].rotation;
        let first = relative(world);
        states.iter().all(|state| {
            let change = relative(state) - first;
            change.0.iter().flatten().all(|x| x.pivot_weight() < 1e-12)
        })
    };
    for (a, b) in
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).filter(|&(a, b)| parallel(a, b))
    {
        let (first, second) = (&robot.bodies[a].name, &robot.bodies[b].name);
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
                out.push(Candidate {
                    principle: Principle::SharedOrientation,
                    joint: String::new(),
                    text: format!(
                        "{first} and {second} stay parallel: a moment may move from one to the other."
                    ),
                    entries,
                });
            }
        }
    }
}

pub(crate) fn block<S: Scalar>(body: usize, values: [S; 10], sign: S) -> impl Iterator<Item = (usize, S)> {
    let entries = values.into_iter().enumerate().filter(|(_, x)| *x != S::zero());
    entries.map(move |(k, x)| (10 * body + k, sign * x))
}

fn shared_points<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    shared: &Shared<S>,
    parent: usize,
    child: usize,
    joint: &Joint,
    (parent_name, child_name): (&str, &str),
) {
    for (i, (first, a_parent, a_child)) in shared.points.iter().enumerate() {
        for (second, b_parent, b_child) in &shared.points[i..] {
            let what = match (*first, *second) {
                ("centre", "centre") if joint.kind.has_axis() && joint.kind.dof() == 1 => {
                    format!("A point mass on the axis of {}", joint.name)
                }
                ("centre", "centre") => format!("A point mass at the centre of {}", joint.name),
                ("centre", _) => format!("Mass shifted along the axis of {}", joint.name),
                ("axis", "axis") => format!("Mass spread along the axis of {}", joint.name),
                _ => format!("Mass spread in directions that {} never turns", joint.name),
            };
            let mut entries: Vec<(usize, S)> =
                block(parent, product(*a_parent, *b_parent), -S::one()).collect();
            entries.extend(block(child, product(*a_child, *b_child), S::one()));
            out.push(Candidate {
                principle: Principle::SharedPoints,
                joint: joint.name.clone(),
                text: format!(
                    "{what} may move between {parent_name} and {child_name}: nothing measured changes."
                ),
                entries,
            });
        }
    }
}

fn fixed_points<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    shared: &Shared<S>,
    child: usize,
    joint: &str,
    name: &str,
) {
    let any: Vec<Point<S>> = (0..3).map(|k| direction(Vec3::unit(k))).chain([finite(Vec3::zero())]).collect();
    for (which, _, point) in &shared.points {
        for other in &any {
            let text = match (*which, other.1 == S::zero()) {
                ("centre", true) => format!(
                    "This moment of {name} about the fixed point of {joint} never shows: the point stays, and gravity cannot turn about it."
                ),
                ("centre", false) => {
                    format!("Mass of {name} at the fixed point of {joint} never shows: it stays.")
                }
                _ => format!(
                    "This moment of {name}, taken with a fixed direction of {joint}, never shows: the direction stays."
                ),
            };
            out.push(Candidate {
                principle: Principle::FixedPoints,
                joint: joint.to_owned(),
                text,
                entries: block(child, product(*point, *other), S::one()).collect(),
            });
        }
    }
}

fn planar_rotation<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    d: Vec3<S>,
    child: usize,
    joint: &str,
    name: &str,
) {
    // Two directions normal to d, orthogonal; the second is |d| times as long as the first.
    let helper = (0..3).map(Vec3::unit).find(|e| d.cross(*e) != Vec3::zero());
    let Some(u) = helper.map(|e| d.cross(e)) else { return };
    let (w, square) = (d.cross(u), d.dot(d));
    let (d, u, w) = (direction(d), direction(u), direction(w));
    let (uu, ww) = (product(u, u), product(w, w));
    let difference: [S; 10] = std::array::from_fn(|k| uu[k] * square - ww[k]);
    let origin = finite(Vec3::zero());
    let changes =
        [difference, product(u, w), product(d, d), product(d, u), product(d, w), product(d, origin)];
    for values in changes {
        out.push(Candidate {
            principle: Principle::PlanarRotation,
            joint: joint.to_owned(),
            text: format!("{name} only turns about one direction: this change of its inertia never shows."),
            entries: block(child, values, S::one()).collect(),
        });
    }
}

/// A body that nothing measured moves: for all that is felt, its points are fixed.
fn unmoved<S: Scalar>(out: &mut Vec<Candidate<S>>, child: usize, joint: &str, name: &str) {
    for parameter in 0..10 {
        out.push(Candidate {
            principle: Principle::FixedPoints,
            joint: joint.to_owned(),
            text: format!("Nothing that is measured feels {name}."),
            entries: vec![(10 * child + parameter, S::one())],
        });
    }
}

fn translation_only<S: Scalar>(out: &mut Vec<Candidate<S>>, child: usize, joint: &str, name: &str) {
    for parameter in 1..10 {
        out.push(Candidate {
            principle: Principle::TranslationOnly,
            joint: joint.to_owned(),
            text: format!("{name} never turns: this moment of it never shows."),
            entries: vec![(10 * child + parameter, S::one())],
        });
    }
}

/// The points two bodies share through a joint that closes a loop.
fn loop_points<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    mechanism: &Mechanism,
    closure: &steiner_robot::LoopJoint,
) -> Result<(), EvaluationError> {
    use steiner_robot::LoopKind;
    let robot = mechanism.robot();
    let sides = [&closure.predecessor, &closure.successor];
    let mut poses = Vec::new();
    for side in sides {
        poses.push(side.frame.evaluate::<S>()?.value);
    }
    let axis = evaluate_vector::<S>(&closure.axis)?.value;
    let points: Vec<Point<S>> = match closure.kind {
        LoopKind::Revolute => vec![finite(Vec3::zero()), direction(axis)],
        LoopKind::Prismatic => (0..3).map(|k| direction(Vec3::unit(k))).collect(),
        LoopKind::Cylindrical | LoopKind::Planar => vec![direction(axis)],
        LoopKind::Universal { .. } | LoopKind::Spherical => vec![finite(Vec3::zero())],
        LoopKind::Fixed => (0..3).map(|k| direction(Vec3::unit(k))).chain([finite(Vec3::zero())]).collect(),
    };
    let seen = |pose: &Pose<S>, (v, w): Point<S>| (pose.rotation.apply(v) + pose.translation.scale(w), w);
    for (i, a) in points.iter().enumerate() {
        for b in &points[i..] {
            let mut entries = Vec::new();
            let mut names = Vec::new();
            for ((side, pose), sign) in sides.iter().zip(&poses).zip([-S::one(), S::one()]) {
                let Some(body) = side.body else { continue };
                names.push(robot.bodies[body.0].name.as_str());
                entries.extend(block(body.0, product(seen(pose, *a), seen(pose, *b)), sign));
            }
            let (principle, text) = match names[..] {
                [first, second] => (
                    Principle::SharedPoints,
                    format!(
                        "Mass on what {first} and {second} share at {} may move between them: nothing measured changes.",
                        closure.name
                    ),
                ),
                _ => (
                    Principle::FixedPoints,
                    format!(
                        "Mass of {} on the fixed points of {} never shows.",
                        names.join(", "),
                        closure.name
                    ),
                ),
            };
            out.push(Candidate { principle, joint: closure.name.clone(), text, entries });
        }
    }
    Ok(())
}
