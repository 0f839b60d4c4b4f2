//! Every number of a robot has a value.

use steiner_files::{Place, brief};
use steiner_scalar::{Exact, Field};

use crate::error::RobotError;
use crate::frame::{Frame, Pose};
use crate::inertia::Inconsistency;
use crate::joint::{Joint, Motion};
use crate::robot::RobotParts;

pub(crate) fn evaluated_pose(frame: &Frame, place: &Place, joint: &str) -> Result<Pose<f64>, RobotError> {
    frame.evaluate().map(|pose| pose.value).map_err(|error| RobotError::Number {
        place: place.clone(),
        element: format!("joint `{joint}`"),
        reason: brief(&error.to_string()),
    })
}

/// Every exact number of the robot has a value; afterwards evaluation in doubles cannot fail.
pub(super) fn check_numbers(robot: &RobotParts) -> Result<(), RobotError> {
    let d = &robot.description;
    let negative = |place: &Place, element: String, what: &str, value: f64| RobotError::Element {
        place: place.clone(),
        element,
        problem: format!("{what} is {value}"),
        remedy: "give a number that is not negative".to_owned(),
    };
    for link in &d.links {
        if let Some(capsule) =
            link.capsules.iter().find(|capsule| capsule.radius.is_nan() || capsule.radius < 0.0)
        {
            let element = format!("link `{}`", link.name);
            return Err(negative(&link.place, element, "the radius of a capsule", capsule.radius));
        }
    }
    for tree_joint in &d.joints {
        let (joint, place) = (&tree_joint.joint, &tree_joint.place);
        if joint.rotor_inertia.is_nan() || joint.rotor_inertia < 0.0 {
            let element = format!("joint `{}`", joint.name);
            return Err(negative(place, element, "the rotor inertia", joint.rotor_inertia));
        }
        check_joint(joint, place)?;
    }
    for closure in &d.loops {
        for side in [&closure.predecessor, &closure.successor] {
            evaluated_pose(&side.frame, &closure.place, &closure.name)?;
        }
        for x in &closure.axis {
            finite(x, &closure.place, || format!("loop `{}`", closure.name))?;
        }
    }
    for coupling in &d.couplings {
        for x in coupling.terms.iter().map(|(_, factor)| factor).chain([&coupling.offset]) {
            finite(x, &coupling.place, || format!("coupling `{}`", coupling.name))?;
        }
    }
    for body in &robot.bodies {
        if body.inertia.check() == Err(Inconsistency::NotFinite) {
            let place =
                d.links.iter().find(|link| link.name == body.name).map_or(&d.place, |link| &link.place);
            return Err(RobotError::Inertia {
                place: place.clone(),
                element: format!("link `{}`", body.name),
                reason: "its moments, with those of the links fixed to it, overflow".to_owned(),
            });
        }
    }
    for x in &robot.gravity {
        finite(x, &d.place, || "gravity".to_owned())?;
    }
    Ok(())
}

/// A joint's frames, axes, pitch and friction.
pub(crate) fn check_joint(joint: &Joint, place: &Place) -> Result<(), RobotError> {
    for stage in joint.stages() {
        evaluated_pose(&stage.before, place, &joint.name)?;
        evaluated_pose(&stage.after, place, &joint.name)?;
        let pitch = match &stage.motion {
            Motion::Screw { pitch } => Some(pitch),
            _ => None,
        };
        for x in stage.axis.iter().chain(pitch) {
            finite(x, place, || format!("joint `{}`", joint.name))?;
        }
    }
    match joint.friction.is_valid() {
        true => Ok(()),
        false => Err(RobotError::Element {
            place: place.clone(),
            element: format!("joint `{}`", joint.name),
            problem: "its friction has a number that is not finite, or a Stribeck speed that is not positive"
                .to_owned(),
            remedy: "correct it".to_owned(),
        }),
    }
}

pub(crate) fn finite(x: &Exact, place: &Place, element: impl Fn() -> String) -> Result<f64, RobotError> {
    f64::evaluate(x).map(|evaluated| evaluated.value).map_err(|error| RobotError::Number {
        place: place.clone(),
        element: element(),
        reason: brief(&error.to_string()),
    })
}
