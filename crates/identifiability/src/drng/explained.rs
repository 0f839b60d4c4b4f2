//! The vectors of DRNG as null vectors with their principle, joint and sentence.

use steiner_dynamics::Mechanism;
use steiner_robot::Robot;

use super::shared_points::FramePoint::{O, Z};
use super::{JointVector, Reason, TetrahedralModel, drng};
use crate::completion::NullVector;
use crate::error::IdentifiabilityError;
use crate::principles::Principle;

/// The null vectors that DRNG (Algorithm 4 of \[sun2025\]) finds when every generalised force is measured: independent, true, and
/// for many robots all there are. Columns are those of [`Robot::labels`].
///
/// ```
/// use steiner_dynamics::Mechanism;
/// use steiner_identifiability::drng_nullspace;
/// use steiner_formats::{ReadOptions, read_robot};
///
/// let go2 = Mechanism::new(read_robot("go2", &ReadOptions::default()).unwrap()).unwrap();
/// let vectors = drng_nullspace(&go2).unwrap();
/// assert_eq!(vectors.len(), 36);
/// assert!(vectors[0].text.starts_with("A point mass on the axis of FL_hip may move"));
/// ```
pub fn drng_nullspace(mechanism: &Mechanism) -> Result<Vec<NullVector>, IdentifiabilityError> {
    let model = TetrahedralModel::new(mechanism)?;
    Ok(drng(&model).iter().map(|vector| explained(mechanism.robot(), vector)).collect())
}

fn explained(robot: &Robot, vector: &JointVector) -> NullVector {
    let entries = entries(vector);
    let mut bodies: Vec<usize> = entries.iter().map(|(column, _)| column / 10).collect();
    bodies.dedup();
    let loop_of = |joint: usize| joint.checked_sub(robot.bodies.len()).map(|l| &robot.loops[l].name);
    let joint = loop_of(vector.joint).unwrap_or_else(|| &robot.bodies[vector.joint].joint.name);
    let text = sentence(robot, vector, joint);
    NullVector { entries, bodies, principle: vector.principle, joint: Some(joint.clone()), text }
}

/// (column, value), ascending, without what rounding left; a mass, or else the largest value, is 1.
fn entries(vector: &JointVector) -> Vec<(usize, f64)> {
    let block = |body: usize, values: [f64; 10]| (0..10).map(move |k| (10 * body + k, values[k]));
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

/// What a mechanical engineer would say.
fn sentence(robot: &Robot, vector: &JointVector, joint: &str) -> String {
    let name = |body: usize| robot.bodies[body].name.as_str();
    let child = name(vector.child);
    match (vector.principle, vector.reason, vector.parent) {
        (Principle::SharedPoints, Reason::Points(first, second), Some(parent)) => {
            let has_axis = vector.shares_axis(robot);
            let what = match (first, second) {
                (O, O) if has_axis => format!("A point mass on the axis of {joint}"),
                (O, O) => format!("A point mass at the centre of {joint}"),
                (O, _) if has_axis => format!("Mass shifted along the axis of {joint}"),
                (Z, Z) if has_axis => format!("Mass spread along the axis of {joint}"),
                _ => format!("Mass spread in directions that {joint} never turns"),
            };
            format!("{what} may move between {} and {child}: nothing measured changes.", name(parent))
        }
        (Principle::FixedPoints, Reason::Points(O, O), _) => {
            format!("A point mass of {child} at the fixed point of {joint} never shows: it does not move.")
        }
        (Principle::FixedPoints, ..) => {
            format!(
                "Moments of {child} taken with what {joint} fixes to the base never show: it does not move."
            )
        }
        (_, Reason::Shift, _) => {
            format!("{child} only turns about one direction: mass shifted along it never shows.")
        }
        (_, _, Some(parent)) => format!(
            "{joint} slides along the one direction about which {} and {child} turn: a first moment across it may move \
             between them.",
            name(parent)
        ),
        _ => format!("{child} only turns about one direction: this change of its inertia never shows."),
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
