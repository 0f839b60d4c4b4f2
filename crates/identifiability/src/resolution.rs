//! How fine the differences are that the numbers of a robot's file can make.
//!
//! Two printed numbers that differ do so by at least one over the least common multiple of their denominators:
//! 0.3333333333 and 1/3 by 1/(3·10¹⁰). A length that nearly equals another, or an axis that is nearly parallel
//! to another, changes the regressor by such a difference, or by its square where it acts twice.

use steiner_robot::{Frame, JointKind, LoopKind, Orientation, Robot};
use steiner_scalar::Denominators;

/// The smallest effect that a difference of two of the file's numbers can have, relative to one.
pub(crate) fn finest_effect(robot: &Robot) -> f64 {
    let mut denominators = Denominators::default();
    robot.gravity.iter().for_each(|x| denominators.take(x));
    for body in &robot.bodies {
        let joint = &body.joint;
        take_frame(&mut denominators, &joint.placement);
        take_frame(&mut denominators, &joint.body_frame);
        joint.axis.iter().for_each(|x| denominators.take(x));
        match &joint.kind {
            JointKind::Helical { pitch } => denominators.take(pitch),
            JointKind::Universal { axis2 } => axis2.iter().for_each(|x| denominators.take(x)),
            JointKind::Compound(parts) => {
                parts
                    .iter()
                    .flat_map(|part| part.axis.iter().chain(&part.anchor))
                    .for_each(|x| denominators.take(x));
            }
            _ => {}
        }
    }
    for closure in &robot.loops {
        take_frame(&mut denominators, &closure.predecessor.frame);
        take_frame(&mut denominators, &closure.successor.frame);
        closure.axis.iter().for_each(|x| denominators.take(x));
        if let LoopKind::Universal { axis2 } = &closure.kind {
            axis2.iter().for_each(|x| denominators.take(x));
        }
    }
    for coupling in &robot.couplings {
        coupling.terms.iter().for_each(|(_, factor)| denominators.take(factor));
    }
    10f64.powf(-2.0 * denominators.digits())
}

fn take_frame(denominators: &mut Denominators, frame: &Frame) {
    for step in frame.steps() {
        step.xyz.iter().for_each(|x| denominators.take(x));
        match &step.orientation {
            Orientation::RollPitchYaw(angles) => angles.iter().for_each(|x| denominators.take(x)),
            Orientation::Quaternion(parts) => parts.iter().for_each(|x| denominators.take(x)),
            Orientation::Matrix(rows) => rows.iter().flatten().for_each(|x| denominators.take(x)),
        }
    }
}
