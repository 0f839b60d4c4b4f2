//! The equations of each kind of loop.

use steiner_linalg::Vec3;
use steiner_robot::{LoopKind, evaluate_direction, evaluate_vector};
use steiner_scalar::{EvaluationError, Exact, Scalar};

use super::Row;

type Equations<R> = (Vec<Row<R>>, Vec<(Vec3<R>, Vec3<R>)>);

/// The equations of a loop, lengths multiplied by `shrink`; and pairs of directions that must not be opposed.
pub(super) fn equations<R: Scalar>(
    closure: usize,
    joint: &steiner_robot::LoopJoint,
    shrink: R,
    to_unit: impl Fn(Vec3<R>) -> Vec3<R>,
    rounded: &mut bool,
) -> Result<Equations<R>, EvaluationError> {
    let axis = direction(&joint.axis, rounded)?;
    let [u, w] = normals(axis, &joint.axis, to_unit)?;
    let unit = Vec3::unit;
    let point = |direction: Vec3<R>| Row::Point { closure, direction: direction.scale(shrink) };
    let dot = |predecessor, successor| Row::Dot { closure, predecessor, successor, target: R::zero() };
    let points = || (0..3).map(|k| point(unit(k)));
    let parallel = || [dot(u, axis), dot(w, axis)];
    let same_orientation = || (0..3).map(|k| dot(unit(k), unit((k + 1) % 3)));
    let axes = || (0..3).map(|k| (unit(k), unit(k))).collect();
    Ok(match &joint.kind {
        LoopKind::Revolute => (points().chain(parallel()).collect(), vec![(axis, axis)]),
        LoopKind::Prismatic => (same_orientation().chain([point(u), point(w)]).collect(), axes()),
        LoopKind::Cylindrical => {
            (parallel().into_iter().chain([point(u), point(w)]).collect(), vec![(axis, axis)])
        }
        LoopKind::Universal { axis2 } => {
            let axis2 = direction(axis2, rounded)?;
            let angle = Row::Dot { closure, predecessor: axis, successor: axis2, target: axis.dot(axis2) };
            (points().chain([angle]).collect(), Vec::new())
        }
        LoopKind::Spherical => (points().collect(), Vec::new()),
        LoopKind::Planar => (parallel().into_iter().chain([point(axis)]).collect(), vec![(axis, axis)]),
        LoopKind::Fixed => (points().chain(same_orientation()).collect(), axes()),
    })
}

/// The unit vector along an axis, or the axis as it is written where the scalar lacks the root of its length.
fn direction<R: Scalar>(axis: &[Exact; 3], rounded: &mut bool) -> Result<Vec3<R>, EvaluationError> {
    let unit = evaluate_direction(axis)?;
    if !unit.rounded {
        return Ok(unit.value);
    }
    let raw = evaluate_vector(axis)?;
    *rounded |= raw.rounded;
    Ok(raw.value)
}

/// Two vectors normal to an axis and to each other.
fn normals<R: Scalar>(
    axis: Vec3<R>,
    source: &[Exact; 3],
    to_unit: impl Fn(Vec3<R>) -> Vec3<R>,
) -> Result<[Vec3<R>; 2], EvaluationError> {
    // The least aligned coordinate axis, decided in doubles so that every precision decides alike.
    let size = evaluate_direction::<f64>(source)?.value.0.map(f64::abs);
    let least = (0..3).fold(0, |least, k| if size[k] < size[least] - 1e-9 { k } else { least });
    let u = to_unit(axis.cross(Vec3::unit(least)));
    Ok([u, axis.cross(u)])
}
