//! How fine the differences are that the numbers of a robot's file can make.
//!
//! Two printed numbers that differ do so by at least one over the least common multiple of their denominators:
//! 0.3333333333 and 1/3 by 1/(3·10¹⁰). A length that nearly equals another, or an axis that is nearly parallel
//! to another, changes the regressor by such a difference, or by its square where it acts twice. Loops and couplings in
//! a row multiply what each of them passes on: a wheel behind three gears of 1:1000 turns by 1e-9.

use steiner_robot::{Frame, JointKind, LoopKind, Orientation, Robot};
use steiner_scalar::Denominators;

/// Decimal digits of the smallest effect that differences can have which act one after the other, each twice: each loop
/// or coupling passes a motion on, smaller by such a difference, and a force back. What they move may be misaligned,
/// too.
pub(crate) fn digits_in_a_row(robot: &Robot) -> f64 {
    let stages = 1 + robot.loops.len() + robot.couplings.len();
    2.0 * stages as f64 * finest_digits(robot)
}

/// Decimal digits of the finest difference that two of the file's numbers can have.
pub(crate) fn finest_digits(robot: &Robot) -> f64 {
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
    denominators.digits()
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
