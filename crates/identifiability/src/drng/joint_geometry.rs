//! The frame of a tree joint, from what is already evaluated or from the file's exact numbers.

use steiner_dynamics::{Column, Mechanism, Segment};
use steiner_linalg::Vec3;
use steiner_robot::{CompoundPart, Joint, JointKind, Pose, evaluate_vector};
use steiner_scalar::EvaluationError;

use super::shared_points::JointType;

/// Directions whose sine is below this are parallel. Geometry is evaluated to the last digits of a double,
/// and d_pr is taken afresh at every axis, so what rounding leaves stays well below.
const PARALLEL: f64 = 1e-12;

/// Whether two vectors are parallel; zero is parallel to everything.
pub(super) fn parallel(a: Vec3<f64>, b: Vec3<f64>) -> bool {
    let beside = a.cross(b);
    beside.dot(beside) <= PARALLEL * PARALLEL * a.dot(a) * b.dot(b)
}

/// A tree joint, seen from its child.
pub(super) struct Geometry {
    pub(super) kind: JointType,
    /// The child in the parent at the joint's zero.
    pub(super) pose: Pose<f64>,
    /// Unit vector along the axis; any for joints without one.
    pub(super) axis: Vec3<f64>,
    /// A point of the axis, or the centre, m.
    pub(super) centre: Vec3<f64>,
}

/// From the tree of a mechanism, in which the axes are the motion columns. `None` for joints made of several
/// motions whose frames the tree has merged.
pub(super) fn evaluated(mechanism: &Mechanism, body: usize, joint: &Joint) -> Option<Geometry> {
    let tree = mechanism.tree();
    let segment = &tree.segments[tree.segment_of_body[body]];
    let at_zero = |segment: &Segment<f64>| {
        let mut q = [0.0; 7];
        match segment.configuration_size() {
            4 => q[3] = 1.0,
            7 => q[6] = 1.0,
            _ => {}
        }
        segment.pose_at(&q)
    };
    let own = at_zero(segment);
    let stages = || segment.parent.map(|first| at_zero(&tree.segments[first]).then(&own));
    let column = segment.columns.first()?;
    let (none, any_axis) = (Vec3::zero(), Vec3::unit(2));
    let (kind, pose, axis, centre) = match joint.kind {
        JointKind::Revolute | JointKind::Continuous => {
            (JointType::Revolute, own, column.angular, axis_point(column))
        }
        JointKind::Prismatic => (JointType::Prismatic, own, column.linear, none),
        JointKind::Helical { .. } => (JointType::Screw, own, column.angular, axis_point(column)),
        JointKind::Planar => (JointType::Turning, own, segment.columns.last()?.angular, none),
        // The rotation comes first and ends where the slide begins.
        JointKind::Cylindrical => {
            let centre = own.inverse().translation;
            (JointType::Screw, stages()?, column.linear, nearest(centre, column.linear))
        }
        // The second rotation starts at the centre.
        JointKind::Universal { .. } => (JointType::Spherical, stages()?, any_axis, own.inverse().translation),
        JointKind::Spherical => (JointType::Spherical, own, any_axis, ball_centre(&segment.columns)),
        JointKind::Floating => (JointType::Floating, own, any_axis, none),
        JointKind::Fixed | JointKind::Compound(_) => return None,
    };
    Some(Geometry { kind, pose, axis, centre })
}

/// The point of an axis next to the body's origin; what a screw advances is along it.
fn axis_point(column: &Column<f64>) -> Vec3<f64> {
    column.angular.cross(column.linear)
}

/// The point next to the origin on the line through `point` along a unit vector.
fn nearest(point: Vec3<f64>, axis: Vec3<f64>) -> Vec3<f64> {
    point.plus_scaled(-point.dot(axis), axis)
}

/// Σ ω × v over three orthogonal turns about a centre c is 2c, since v = −ω × c.
fn ball_centre(columns: &[Column<f64>]) -> Vec3<f64> {
    let twice = columns.iter().fold(Vec3::zero(), |sum, column| sum + column.angular.cross(column.linear));
    twice.scale(0.5)
}

/// From the exact numbers of the file.
pub(super) fn exact(joint: &Joint) -> Result<Geometry, EvaluationError> {
    let placement: Pose<f64> = joint.placement.evaluate()?.value;
    let inner: Pose<f64> = joint.body_frame.evaluate()?.value;
    let (kind, axis, centre) = match &joint.kind {
        JointKind::Compound(parts) => compound(parts)?,
        kind => {
            let shared = match kind {
                JointKind::Revolute | JointKind::Continuous => JointType::Revolute,
                JointKind::Prismatic => JointType::Prismatic,
                JointKind::Helical { .. } | JointKind::Cylindrical => JointType::Screw,
                JointKind::Planar => JointType::Turning,
                JointKind::Universal { .. } | JointKind::Spherical => JointType::Spherical,
                JointKind::Fixed => JointType::Fixed,
                JointKind::Floating | JointKind::Compound(_) => JointType::Floating,
            };
            let axis = if kind.has_axis() { evaluate_vector(&joint.axis)?.value } else { Vec3::unit(2) };
            (shared, axis, Vec3::zero())
        }
    };
    let axis = inner.rotation.apply_transposed(unit(axis));
    let centre = inner.inverse().point(centre);
    let centre = match kind {
        JointType::Spherical => centre,
        JointType::Revolute | JointType::Screw => nearest(centre, axis),
        _ => Vec3::zero(),
    };
    Ok(Geometry { kind, pose: placement.then(&inner), axis, centre })
}

/// One motion of a compound joint, in the joint frame.
struct Part {
    kind: JointKind,
    axis: Vec3<f64>,
    anchor: Vec3<f64>,
}

/// Several motions without bodies between them: type, axis and centre in the joint frame.
/// Only what is certainly shared.
fn compound(parts: &[CompoundPart]) -> Result<(JointType, Vec3<f64>, Vec3<f64>), EvaluationError> {
    let (mut slides, mut turns) = (Vec::new(), Vec::new());
    for part in parts {
        let (axis, anchor) = (evaluate_vector(&part.axis)?.value, evaluate_vector(&part.anchor)?.value);
        let group = if part.kind == JointKind::Prismatic { &mut slides } else { &mut turns };
        group.push(Part { kind: part.kind.clone(), axis, anchor });
    }
    let along = |group: &[Part], axis| group.iter().all(|part| parallel(axis, part.axis));
    let turns_about_one = |axis| along(&turns, axis) && turns.iter().all(|p| p.kind != JointKind::Spherical);
    let all_anchors = |test: &dyn Fn(Vec3<f64>) -> bool| turns.iter().all(|part| test(part.anchor));
    Ok(match (turns.first(), slides.first()) {
        (None, Some(first)) if along(&slides, first.axis) => (JointType::Prismatic, first.axis, first.anchor),
        (None, Some(first)) => (JointType::Translating, first.axis, first.anchor),
        (Some(&Part { axis, anchor, .. }), slide) if turns_about_one(axis) => {
            let coaxial = slide.is_none() && all_anchors(&|other| parallel(axis, other - anchor));
            (if coaxial { JointType::Revolute } else { JointType::Turning }, axis, anchor)
        }
        (Some(first), None) if all_anchors(&|other| other == first.anchor) => {
            (JointType::Spherical, Vec3::unit(2), first.anchor)
        }
        _ => (JointType::Floating, Vec3::unit(2), Vec3::zero()),
    })
}

pub(super) fn unit(v: Vec3<f64>) -> Vec3<f64> {
    let length = v.dot(v).sqrt();
    // Readers refuse axes of no length; a direction all the same, rather than a division by zero.
    if length > 0.0 { v.scale(1.0 / length) } else { Vec3::unit(2) }
}
