//! Lengths relative to the mechanism's own size.
//!
//! Metres and radians meet in the constraint Jacobian and in the regressor. What is decided about them (which
//! equations are redundant, which coordinates independent, which pivots zero) must not depend on whether a
//! machine is a millimetre or a kilometre long, so mechanisms far from a metre are decided in a unit of length
//! of their own.

use steiner_robot::{Attachment, Body, Coordinate, Frame, JointKind, Motion, Robot};
use steiner_scalar::Exact;

use crate::error::DynamicsError;

/// Lengths that a robot may have, m.
const LONGEST: f64 = 1e9;
const SHORTEST: f64 = 1e-9;
/// What doubles leave of distances that cancel, relative to them.
const ROUNDING: f64 = 1e-14;
/// Sizes for which the metre is a good unit, m.
const ORDINARY: std::ops::RangeInclusive<f64> = 1e-2..=1e2;

/// Distances from a joint to the next, m, with the name of the joint or loop.
fn distances(robot: &Robot) -> Vec<(&str, f64)> {
    let norm = |frame: &Frame| {
        let offset = frame.pose().translation;
        offset.dot(offset).sqrt()
    };
    // Steps that cancel leave what doubles round, which is no length.
    let size = |frame: Frame| {
        let steps = frame.steps().iter().map(|step| Frame::new(step.xyz.clone(), step.orientation.clone()));
        let way: f64 = steps.map(|step| norm(&step)).sum();
        Some(norm(&frame)).filter(|length| *length > ROUNDING * way).unwrap_or(0.0)
    };
    let joints = robot
        .bodies
        .iter()
        .map(|body| (body.joint.name.as_str(), size(body.joint.placement.then(&body.joint.body_frame))));
    let sides = robot.loops.iter().flat_map(|closure| {
        [&closure.predecessor, &closure.successor]
            .map(|side| (closure.name.as_str(), size(side.frame.clone())))
    });
    joints.chain(sides).filter(|(_, length)| *length > 0.0).collect()
}

/// A length to measure others by, m: the mean distance from a joint to the next, or 1 if there is none.
pub(crate) fn length_scale(robot: &Robot) -> f64 {
    let lengths = distances(robot);
    let sum: f64 = lengths.iter().map(|(_, length)| length).sum();
    if lengths.is_empty() { 1.0 } else { sum / lengths.len() as f64 }
}

/// Refuses robots of absurd size: their units are wrong.
pub(crate) fn check_lengths(robot: &Robot) -> Result<(), DynamicsError> {
    let lengths = distances(robot);
    let longest = lengths.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    match longest {
        Some((joint, length)) if !(SHORTEST..=LONGEST).contains(&length) => {
            Err(DynamicsError::AbsurdLength { robot: robot.name.clone(), joint: joint.to_owned(), length })
        }
        _ => Ok(()),
    }
}

/// The unit of length in which a robot is decided, m: 1 for ordinary ones, else a power of a hundred, whose
/// root is a decimal, too.
pub fn length_unit(robot: &Robot) -> f64 {
    let scale = length_scale(robot);
    if ORDINARY.contains(&scale) { 1.0 } else { 100f64.powi(hundreds(scale)) }
}

fn hundreds(scale: f64) -> i32 {
    (scale.log10() / 2.0).round() as i32
}

/// A robot with all its lengths in another unit: those of joints, loops, screws and racks, and the configuration
/// of reference. Gravity keeps its number, which is to measure time in √unit seconds.
pub fn in_unit_of_length(robot: &Robot, unit: f64) -> Robot {
    let unit = Exact::integer(100).pow(hundreds(unit));
    let over = |x: &Exact| x.clone() / unit.clone();
    let frame = |frame: &Frame| {
        let steps = frame.steps().iter();
        steps.fold(Frame::identity(), |all, step| {
            all.then(&Frame::new(step.xyz.each_ref().map(over), step.orientation.clone()))
        })
    };
    let is_length = |c: &Coordinate| is_length(&robot.bodies[c.body.0], c.component);
    let changed = robot.changed(|parts| {
        let side = |side: &mut Attachment| side.frame = frame(&side.frame);
        let mut configuration = 0;
        for body in &mut parts.bodies {
            for stage in body.joint.stages() {
                let size = stage.motion.configuration_size();
                let reference = &mut parts.reference[configuration..configuration + size];
                let lengths = match stage.motion {
                    Motion::Translation => 1,
                    Motion::Plane => 2,
                    Motion::Free => 3,
                    Motion::Rotation | Motion::Screw { .. } | Motion::Ball => 0,
                };
                reference.iter_mut().take(lengths).for_each(|x| *x = over(x));
                configuration += size;
            }
            let joint = &mut body.joint;
            joint.placement = frame(&joint.placement);
            joint.body_frame = frame(&joint.body_frame);
            match &mut joint.kind {
                JointKind::Helical { pitch } => *pitch = over(pitch),
                JointKind::Compound(parts) => {
                    parts.iter_mut().for_each(|part| part.anchor = part.anchor.each_ref().map(over));
                }
                _ => {}
            }
        }
        for closure in &mut parts.loops {
            side(&mut closure.predecessor);
            side(&mut closure.successor);
        }
        parts.ground.iter_mut().for_each(|link| link.frame = frame(&link.frame));
        for coupling in &mut parts.couplings {
            let shrinks = is_length(&coupling.coordinate);
            if shrinks {
                coupling.offset = over(&coupling.offset);
            }
            for (term, factor) in &mut coupling.terms {
                match (shrinks, is_length(term)) {
                    (true, false) => *factor = over(factor),
                    (false, true) => *factor = factor.clone() * unit.clone(),
                    _ => {}
                }
            }
        }
    });
    changed.unwrap_or_else(|error| unreachable!("a checked robot in another unit: {error}"))
}

/// Whether a velocity coordinate is a length per time.
fn is_length(body: &Body, component: usize) -> bool {
    let mut first = 0;
    for stage in body.joint.stages() {
        let within = component.checked_sub(first);
        first += stage.motion.dof();
        if let Some(k) = within.filter(|_| component < first) {
            return match stage.motion {
                Motion::Translation => true,
                Motion::Plane => k < 2,
                Motion::Free => k < 3,
                Motion::Rotation | Motion::Screw { .. } | Motion::Ball => false,
            };
        }
    }
    false
}
