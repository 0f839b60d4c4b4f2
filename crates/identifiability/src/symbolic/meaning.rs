//! What a change of lengths and angles means for the axes of a mechanism, in words.

use steiner_linalg::Vec3;
use steiner_robot::{BodyIndex, Joint, JointKind, LoopKind, Pose, Robot, evaluate_vector};

/// Lengths (m) and sines below this are zero: what doubles round is smaller, what a file means larger.
const COINCIDENT: f64 = 1e-9;

/// A line that a joint turns about or slides along.
#[derive(Clone, Copy)]
struct Axis {
    point: Vec3<f64>,
    direction: Vec3<f64>,
    slides: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Coaxial,
    Parallel,
    Perpendicular,
    Intersecting,
    PerpendicularAndIntersecting,
    Skew,
}

impl Relation {
    fn words(self) -> Option<&'static str> {
        match self {
            Relation::Coaxial => Some("coincide"),
            Relation::Parallel => Some("are parallel"),
            Relation::Perpendicular => Some("are perpendicular"),
            Relation::Intersecting => Some("intersect"),
            Relation::PerpendicularAndIntersecting => Some("intersect at a right angle"),
            Relation::Skew => None,
        }
    }
}

/// What is special about a member and isn't about the mechanism it is derived from;
/// empty if nothing is recognised.
pub(crate) fn meaning(general: &Robot, special: &Robot) -> String {
    let mut sentences = Vec::new();
    for (was, is) in relations(general).into_iter().zip(relations(special)) {
        if let Some(words) = is.2.words().filter(|_| was.2 != is.2) {
            sentences.push(format!("the axes of {} and {} {words}", is.0, is.1));
        }
    }
    for k in 0..special.loops.len() {
        let (was, is) = (four_sides(general, k), four_sides(special, k));
        if let Some(is) = is {
            let words = shape(&is);
            if !words.is_empty() && was.is_none_or(|was| shape(&was) != words) {
                sentences.push(format!("{} closes {words}", special.loops[k].name));
            }
        }
    }
    sentences.join("; ")
}

/// Neighbouring joints with how their axes lie.
fn relations(robot: &Robot) -> Vec<(String, String, Relation)> {
    let mut out = Vec::new();
    for body in &robot.bodies {
        let Some(parent) = body.parent else { continue };
        let carrier = &robot.bodies[parent.0].joint;
        let (Some(inner), Some(outer)) = (axis_in_own_body(carrier), axis_in_parent(&body.joint)) else {
            continue;
        };
        out.push((carrier.name.clone(), body.joint.name.clone(), relation(inner, outer)));
    }
    for closure in &robot.loops {
        let slides = matches!(closure.kind, LoopKind::Prismatic);
        if !slides && !matches!(closure.kind, LoopKind::Revolute) {
            continue;
        }
        for attachment in [&closure.predecessor, &closure.successor] {
            let Some(BodyIndex(k)) = attachment.body else { continue };
            let joint = &robot.bodies[k].joint;
            let closing = placed(&attachment.frame.pose(), &closure.axis, slides);
            if let (Some(own), Some(closing)) = (axis_in_own_body(joint), closing) {
                out.push((joint.name.clone(), closure.name.clone(), relation(own, closing)));
            }
        }
    }
    out
}

fn placed(pose: &Pose<f64>, axis: &[steiner_scalar::Exact; 3], slides: bool) -> Option<Axis> {
    let direction: Vec3<f64> = evaluate_vector(axis).ok()?.value;
    let direction = pose.rotation.apply(direction);
    let size = direction.dot(direction).sqrt();
    (size > 0.0).then(|| Axis { point: pose.translation, direction: direction.scale(1.0 / size), slides })
}

fn slides(joint: &Joint) -> Option<bool> {
    match joint.kind {
        JointKind::Revolute | JointKind::Continuous | JointKind::Helical { .. } => Some(false),
        JointKind::Prismatic => Some(true),
        _ => None,
    }
}

fn axis_in_parent(joint: &Joint) -> Option<Axis> {
    placed(&joint.placement.pose(), &joint.axis, slides(joint)?)
}

fn axis_in_own_body(joint: &Joint) -> Option<Axis> {
    placed(&joint.body_frame.pose().inverse(), &joint.axis, slides(joint)?)
}

fn relation(a: Axis, b: Axis) -> Relation {
    let normal = a.direction.cross(b.direction);
    let between = b.point - a.point;
    let (parallel, right) =
        (normal.dot(normal).sqrt() < COINCIDENT, a.direction.dot(b.direction).abs() < COINCIDENT);
    // A slider has a direction but no place.
    if a.slides || b.slides {
        return match (parallel, right) {
            (true, _) => Relation::Parallel,
            (_, true) => Relation::Perpendicular,
            _ => Relation::Skew,
        };
    }
    if parallel {
        let across = between.cross(a.direction);
        return if across.dot(across).sqrt() < COINCIDENT { Relation::Coaxial } else { Relation::Parallel };
    }
    let meet = between.dot(normal).abs() < COINCIDENT * normal.dot(normal).sqrt();
    match (meet, right) {
        (true, true) => Relation::PerpendicularAndIntersecting,
        (true, false) => Relation::Intersecting,
        (false, true) => Relation::Perpendicular,
        (false, false) => Relation::Skew,
    }
}

/// The sides of a loop of four parallel revolute axes, in order.
fn four_sides(robot: &Robot, closure: usize) -> Option<[f64; 4]> {
    let closure = &robot.loops[closure];
    if !matches!(closure.kind, LoopKind::Revolute) {
        return None;
    }
    let (pred, succ) = (up(robot, closure.predecessor.body), up(robot, closure.successor.body));
    let shared = pred.iter().rev().zip(succ.iter().rev()).take_while(|(a, b)| a == b).count();
    let (pred, succ) = (&pred[..pred.len() - shared], &succ[..succ.len() - shared]);
    let end = |attachment: &steiner_robot::Attachment| placed(&attachment.frame.pose(), &closure.axis, false);
    let (first, last) = (end(&closure.predecessor)?, end(&closure.successor)?);
    let mut sides = Vec::new();
    // Along each branch, from the closure to the body both stand on.
    let mut walk = |bodies: &[usize], start: Axis| -> Option<Axis> {
        let mut outer = start;
        for &k in bodies {
            let joint = &robot.bodies[k].joint;
            sides.push(distance(outer, axis_in_own_body(joint)?)?);
            outer = axis_in_parent(joint)?;
        }
        Some(outer)
    };
    let (a, b) = (walk(succ, last)?, walk(pred, first)?);
    // The sides of the branches meet at the common body; one branch is walked outwards.
    sides.insert(succ.len(), distance(a, b)?);
    sides[succ.len() + 1..].reverse();
    sides.try_into().ok()
}

/// A body and those that carry it, outermost first.
fn up(robot: &Robot, body: Option<BodyIndex>) -> Vec<usize> {
    std::iter::successors(body, |BodyIndex(k)| robot.bodies[*k].parent).map(|BodyIndex(k)| k).collect()
}

fn distance(a: Axis, b: Axis) -> Option<f64> {
    (!a.slides && !b.slides && relation_is_parallel(a, b)).then(|| {
        let across = (b.point - a.point).cross(a.direction);
        across.dot(across).sqrt()
    })
}

fn relation_is_parallel(a: Axis, b: Axis) -> bool {
    matches!(relation(a, b), Relation::Parallel | Relation::Coaxial)
}

fn shape(sides: &[f64; 4]) -> &'static str {
    let same = |a: usize, b: usize| (sides[a] - sides[b]).abs() < COINCIDENT;
    if sides.iter().any(|side| *side < COINCIDENT) {
        return "a quadrilateral with a side of length zero";
    }
    match (same(0, 2), same(1, 3), same(0, 1), same(1, 2), same(2, 3), same(3, 0)) {
        (true, true, true, ..) => "a rhombus",
        (true, true, ..) => "a parallelogram, or its crossed twin",
        (_, _, true, _, true, _) | (_, _, _, true, _, true) => "a kite",
        _ => "",
    }
}
