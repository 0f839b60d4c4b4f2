//! The vectors of DRNG as null vectors with their principle, joint and sentence.

use steiner_dynamics::Mechanism;
use steiner_robot::{Robot, inertial_body, inertial_columns};

use super::shared_points::FramePoint::{O, Z};
use super::{Equation, JointVector, TetrahedralModel, drng};
use crate::error::IdentifiabilityError;
use crate::nullspace::NullVector;
use crate::reason::{Cause, Principle, Reason, Site};

/// The null vectors that DRNG (Algorithm 4 of \[sun2025\]) finds when every generalised force is measured:
/// independent, true, and for many robots all there are. Columns are those of `Robot::labels`.
///
/// ```
/// use steiner_dynamics::Mechanism;
/// use steiner_identifiability::{Cause, drng_nullspace};
/// use steiner_formats::{ReadOptions, read_robot};
///
/// let go2 = Mechanism::new(read_robot("go2", &ReadOptions::default()).unwrap()).unwrap();
/// let vectors = drng_nullspace(&go2).unwrap();
/// assert_eq!(vectors.len(), 36);
/// assert_eq!((vectors[0].reason.cause, vectors[0].joint()), (Cause::MassOnSharedAxis, Some("FL_hip")));
/// ```
pub fn drng_nullspace(mechanism: &Mechanism) -> Result<Vec<NullVector>, IdentifiabilityError> {
    let model = TetrahedralModel::new(mechanism)?;
    Ok(drng(&model).iter().map(|vector| explained(mechanism.robot(), vector)).collect())
}

fn explained(robot: &Robot, vector: &JointVector) -> NullVector {
    let entries = entries(vector);
    let mut bodies: Vec<usize> = entries.iter().map(|&(column, _)| inertial_body(column)).collect();
    bodies.dedup();
    let site = match vector.joint.checked_sub(robot.bodies.len()) {
        Some(closure) => Site::Loop(robot.loops[closure].name.clone()),
        None => Site::Joint(robot.bodies[vector.joint].joint.name.clone()),
    };
    let told = vector.parent.into_iter().chain([vector.child]).collect();
    let reason = Reason::new(0, (cause(robot, vector), Some(site), told), None);
    NullVector { entries, bodies, reason }
}

/// (column, value), ascending, without what rounding left; a mass, or else the largest value, is 1.
fn entries(vector: &JointVector) -> Vec<(usize, f64)> {
    let block =
        |body: usize, values: [f64; 10]| (0..10).map(move |k| (inertial_columns(body).start + k, values[k]));
    let mut all: Vec<(usize, f64)> = block(vector.child, vector.in_child).collect();
    match vector.parent {
        Some(parent) if parent == vector.child => {
            all.iter_mut().zip(vector.in_parent).for_each(|((_, x), other)| *x += other);
        }
        Some(parent) => all.extend(block(parent, vector.in_parent)),
        None => {}
    }
    let mass = all[0].1;
    all.sort_unstable_by_key(|(column, _)| *column);
    let largest = all.iter().fold(0.0, |most: f64, (_, x)| if x.abs() > most.abs() { *x } else { most });
    let scale = if mass != 0.0 { mass } else { largest };
    all.retain(|(_, x)| x.abs() > 1e-14 * largest.abs());
    all.iter_mut().for_each(|(_, x)| *x /= scale);
    all
}

fn cause(robot: &Robot, vector: &JointVector) -> Cause {
    match (vector.principle, vector.equation, vector.parent) {
        (Principle::SharedPoints, Equation::Points(first, second), Some(_)) => {
            let has_axis = vector.shares_axis(robot);
            match (first, second) {
                (O, O) if has_axis => Cause::MassOnSharedAxis,
                (O, O) => Cause::MassAtSharedPoint,
                (O, _) if has_axis => Cause::DisplacementAlongSharedAxis,
                (Z, Z) if has_axis => Cause::RodAlongSharedAxis,
                _ => Cause::InertiaAcrossSlide,
            }
        }
        (Principle::FixedPoints, ..) if vector.shares_axis(robot) => Cause::FixedAxis,
        (Principle::FixedPoints, Equation::Points(O, O), _) => Cause::FixedPoint,
        (Principle::FixedPoints, ..) => Cause::FixedOrientation,
        (_, Equation::Points(..), Some(_)) => Cause::SlidesAlongTurningDirection,
        _ => Cause::TurnsAboutOneDirection,
    }
}

impl JointVector {
    /// Whether the joint is one about whose axis a body turns.
    fn shares_axis(&self, robot: &Robot) -> bool {
        use steiner_robot::{JointKind, LoopKind};
        match self.joint.checked_sub(robot.bodies.len()) {
            Some(l) => {
                matches!(robot.loops[l].kind, LoopKind::Revolute | LoopKind::Cylindrical | LoopKind::Planar)
            }
            None => !matches!(
                robot.bodies[self.joint].joint.kind,
                JointKind::Prismatic
                    | JointKind::Universal { .. }
                    | JointKind::Spherical
                    | JointKind::Floating
                    | JointKind::Fixed
                    | JointKind::Compound(_)
            ),
        }
    }
}
