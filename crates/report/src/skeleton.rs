//! Where the bodies and joints of a mechanism are in its assembled reference configuration.

use steiner_dynamics::Mechanism;
use steiner_linalg::Vec3;
use steiner_robot::{Body, JointKind, LoopKind, Motion, Pose};

/// A point or direction of the base frame, m.
pub(crate) type Point = Vec3<f64>;

/// What a joint looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Revolute,
    Prismatic,
    Helical,
    Cylindrical,
    Universal,
    Spherical,
    Planar,
    Floating,
    Welded,
}

/// A joint in space.
#[derive(Clone, Debug)]
pub(crate) struct JointMark {
    pub(crate) name: String,
    /// R, P, H, C, U, S, E, F; several for a compound, W for a weld.
    pub(crate) letters: String,
    pub(crate) kind: &'static str,
    pub(crate) shape: Shape,
    pub(crate) centre: Point,
    /// Unit directions.
    pub(crate) axes: Vec<Point>,
    /// Inner and outer body; `None` is the ground.
    pub(crate) between: [Option<usize>; 2],
    pub(crate) closes_a_loop: bool,
}

/// A body in space.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyMark {
    /// Where its name belongs.
    pub(crate) middle: Option<Point>,
    /// Straight pieces.
    pub(crate) strokes: Vec<[Point; 2]>,
    /// Corners, where there are at least three joints.
    pub(crate) plate: Vec<Point>,
}

/// The mechanism as points and lines. Bodies are the moving ones.
#[derive(Clone, Debug)]
pub(crate) struct Skeleton {
    pub(crate) bodies: Vec<BodyMark>,
    pub(crate) joints: Vec<JointMark>,
}

/// Length of a vector.
pub(crate) fn length(v: Point) -> f64 {
    v.dot(v).sqrt()
}

/// The direction of a vector; `None` for zero and for what is no number.
pub(crate) fn unit(v: Point) -> Option<Point> {
    let size = length(v);
    (size.is_finite() && size > 1e-300).then(|| v.scale(1.0 / size))
}

/// The letter of a kind of joint.
pub(crate) fn letters(kind: &JointKind) -> String {
    let letter = match kind {
        JointKind::Revolute | JointKind::Continuous => "R",
        JointKind::Prismatic => "P",
        JointKind::Helical { .. } => "H",
        JointKind::Cylindrical => "C",
        JointKind::Universal { .. } => "U",
        JointKind::Spherical => "S",
        JointKind::Planar => "E",
        JointKind::Floating => "F",
        JointKind::Fixed => "W",
        JointKind::Compound(parts) => {
            return parts.iter().map(|part| letters(&part.kind)).collect();
        }
    };
    letter.to_owned()
}

fn segment_poses(mechanism: &Mechanism) -> Vec<Pose<f64>> {
    let mut poses = Vec::new();
    mechanism.tree().poses_at(mechanism.reference_tree(), &mut poses);
    mechanism.tree().world_poses(&poses)
}

/// Where the frames of the moving bodies are in the reference configuration.
pub(crate) fn body_poses(mechanism: &Mechanism) -> Vec<Pose<f64>> {
    let segments = segment_poses(mechanism);
    mechanism.tree().segment_of_body.iter().map(|&segment| segments[segment]).collect()
}

/// The skeleton in the reference configuration.
pub(crate) fn skeleton(mechanism: &Mechanism) -> Skeleton {
    let robot = mechanism.robot();
    let segments = segment_poses(mechanism);
    let world = body_poses(mechanism);
    let of = |body: Option<usize>| body.map_or(Pose::identity(), |body| world[body]);
    let mut joints = Vec::new();
    for (k, body) in robot.bodies.iter().enumerate() {
        let parent = body.parent.map(|parent| parent.0);
        let centre = of(parent).then(&body.joint.placement.pose()).translation;
        joints.push(JointMark {
            name: body.joint.name.clone(),
            letters: letters(&body.joint.kind),
            kind: body.joint.kind.name(),
            shape: shape(&body.joint.kind),
            centre,
            axes: axes(mechanism, &segments, k, body),
            between: [parent, Some(k)],
            closes_a_loop: false,
        });
    }
    for closure in &robot.loops {
        let [inner, outer] =
            [&closure.predecessor, &closure.successor].map(|side| side.body.map(|body| body.0));
        let frame = of(inner).then(&closure.predecessor.frame.pose());
        let other = of(outer).then(&closure.successor.frame.pose());
        let value = |axis: &[steiner_scalar::Exact; 3]| Vec3(axis.clone().map(|x| x.to_f64().unwrap_or(0.0)));
        let (shape, letter) = match &closure.kind {
            LoopKind::Revolute => (Shape::Revolute, "R"),
            LoopKind::Prismatic => (Shape::Prismatic, "P"),
            LoopKind::Cylindrical => (Shape::Cylindrical, "C"),
            LoopKind::Universal { .. } => (Shape::Universal, "U"),
            LoopKind::Spherical => (Shape::Spherical, "S"),
            LoopKind::Planar => (Shape::Planar, "E"),
            LoopKind::Fixed => (Shape::Welded, "W"),
        };
        let mut axes = vec![frame.rotation.apply(value(&closure.axis))];
        match &closure.kind {
            LoopKind::Universal { axis2 } => axes.push(other.rotation.apply(value(axis2))),
            LoopKind::Spherical | LoopKind::Fixed => axes.clear(),
            _ => {}
        }
        joints.push(JointMark {
            name: closure.name.clone(),
            letters: letter.to_owned(),
            kind: closure.kind.name(),
            shape,
            centre: frame.translation,
            axes: axes.into_iter().filter_map(unit).collect(),
            between: [inner, outer],
            closes_a_loop: true,
        });
    }
    spread_sliders(&mut joints);
    let bodies = (0..robot.bodies.len()).map(|k| body_mark(mechanism, &world[k], k, &joints)).collect();
    Skeleton { bodies, joints }
}

/// A slider has an axis but no centre: its symbol is drawn on the way to what its body
/// carries, clear of the joint before it.
fn spread_sliders(joints: &mut [JointMark]) {
    for k in 0..joints.len() {
        if joints[k].shape != Shape::Prismatic || joints[k].closes_a_loop {
            continue;
        }
        let ([_, body], centre) = (joints[k].between, joints[k].centre);
        let Some(&axis) = joints[k].axes.first() else { continue };
        let carried =
            joints.iter().enumerate().filter(|(other, joint)| *other != k && joint.between.contains(&body));
        let along: Vec<f64> = carried.map(|(_, joint)| axis.dot(joint.centre - centre)).collect();
        if let Some(mean) =
            Some(along.iter().sum::<f64>() / along.len() as f64).filter(|mean| mean.is_finite())
        {
            joints[k].centre = centre.plus_scaled(0.4 * mean, axis);
        }
    }
}

fn shape(kind: &JointKind) -> Shape {
    match kind {
        JointKind::Revolute | JointKind::Continuous => Shape::Revolute,
        JointKind::Prismatic => Shape::Prismatic,
        JointKind::Helical { .. } => Shape::Helical,
        JointKind::Cylindrical => Shape::Cylindrical,
        // The axes of a compound are drawn like those of a universal joint, however many there are.
        JointKind::Universal { .. } | JointKind::Compound(_) => Shape::Universal,
        JointKind::Spherical => Shape::Spherical,
        JointKind::Planar => Shape::Planar,
        JointKind::Floating => Shape::Floating,
        JointKind::Fixed => Shape::Welded,
    }
}

/// Directions of the elementary motions of a body's joint, in base axes.
fn axes(mechanism: &Mechanism, segments: &[Pose<f64>], k: usize, body: &Body) -> Vec<Point> {
    let tree = mechanism.tree();
    let stages = body.joint.stages();
    let first = (tree.segment_of_body[k] + 1).saturating_sub(stages.len());
    let mut axes = Vec::new();
    for (stage, index) in stages.iter().zip(first..) {
        let columns = &tree.segments[index].columns;
        let column = match stage.motion {
            Motion::Rotation | Motion::Screw { .. } => columns.first().map(|column| column.angular),
            Motion::Translation => columns.first().map(|column| column.linear),
            Motion::Plane => columns.get(2).map(|column| column.angular),
            Motion::Ball | Motion::Free => None,
        };
        axes.extend(column.and_then(|column| unit(segments[index].rotation.apply(column))));
    }
    axes
}

/// Whether points are not all on one line.
fn has_area(points: &[Point]) -> bool {
    let Some((&first, rest)) = points.split_first() else { return false };
    let sides: Vec<Point> = rest.iter().map(|&p| p - first).collect();
    sides.iter().any(|a| sides.iter().any(|b| length(a.cross(*b)) > 1e-6 * length(*a) * length(*b)))
}

fn body_mark(mechanism: &Mechanism, world: &Pose<f64>, k: usize, joints: &[JointMark]) -> BodyMark {
    let body = &mechanism.robot().bodies[k];
    let own = joints.iter().find(|joint| joint.between[1] == Some(k) && !joint.closes_a_loop);
    // The origin of a slider's body says nothing if it is on the axis.
    let slider = own.filter(|joint| joint.shape == Shape::Prismatic).filter(|joint| {
        let offset = world.translation - joint.centre;
        joint.axes.first().is_some_and(|axis| length(offset.cross(*axis)) <= 1e-9 * (1.0 + length(offset)))
    });
    let origin = slider.map_or(world.translation, |joint| joint.centre);
    let own = joints.iter().filter(|joint| joint.between.contains(&Some(k)));
    let own = own.filter(|joint| joint.shape != Shape::Floating || joint.between[1] != Some(k));
    let corners: Vec<Point> = own.map(|joint| joint.centre).filter(|p| length(*p).is_finite()).collect();
    let distinct = |p: Point, q: Point| length(p - q) > 1e-9 * (1.0 + length(p));
    let mut plate: Vec<Point> = Vec::new();
    for &corner in &corners {
        if plate.iter().all(|&other| distinct(corner, other)) {
            plate.push(corner);
        }
    }
    let mut strokes: Vec<[Point; 2]> =
        plate.iter().filter(|&&corner| distinct(corner, origin)).map(|&corner| [origin, corner]).collect();
    if strokes.is_empty() {
        // The end of a chain reaches to what is fixed to it, or to its centre of mass.
        let fixed = body.lumped.iter().map(|link| link.frame.pose().translation);
        let com = Some(body.inertia.centred())
            .filter(|inertia| inertia.mass > 0.0)
            .map(|inertia| Vec3(inertia.com));
        let tips = fixed.chain(com).filter(|tip| length(*tip).is_finite());
        let farthest = tips.max_by(|a, b| length(*a).total_cmp(&length(*b)));
        let tip = farthest.map(|tip| world.point(tip)).filter(|&tip| distinct(tip, origin));
        strokes.extend(tip.map(|tip| [origin, tip]));
    }
    strokes.retain(|stroke| stroke.iter().all(|p| length(*p).is_finite()));
    // The name belongs to the middle of the longest piece.
    let longest = strokes.iter().max_by(|a, b| length(a[1] - a[0]).total_cmp(&length(b[1] - b[0])));
    let middle = match (longest, plate.len()) {
        (_, 3..) if has_area(&plate) => {
            Some(plate.iter().fold(Vec3::zero(), |sum, p| sum + *p).scale(1.0 / plate.len() as f64))
        }
        (Some([a, b]), _) => Some((*a + *b).scale(0.5)),
        (None, _) => Some(origin).filter(|p| length(*p).is_finite()),
    };
    if !has_area(&plate) {
        plate.clear();
    }
    BodyMark { middle, strokes, plate }
}
