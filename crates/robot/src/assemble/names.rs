//! Names and axes of a description: every name leads to something, every axis has a direction.

use std::collections::HashMap;

use steiner_files::{Place, did_you_mean};
use steiner_scalar::Exact;

use crate::description::{Description, LoopKind};
use crate::error::RobotError;
use crate::frame::evaluate_direction;
use crate::joint::JointKind;

fn duplicate<'a>(kind: &str, names: impl Iterator<Item = (&'a str, &'a Place)>) -> Result<(), RobotError> {
    let mut seen: HashMap<&str, &Place> = HashMap::new();
    for (name, place) in names {
        if let Some(first) = seen.insert(name, place) {
            return Err(RobotError::Duplicate {
                place: place.clone(),
                element: kind.to_owned(),
                name: name.to_owned(),
                first: first.line.unwrap_or(0),
            });
        }
    }
    Ok(())
}

/// Refuses names that are empty or used twice.
pub fn check_names(d: &Description) -> Result<(), RobotError> {
    duplicate("link", d.links.iter().map(|link| (link.name.as_str(), &link.place)))?;
    duplicate("joint", d.joints.iter().map(|joint| (joint.joint.name.as_str(), &joint.place)))?;
    duplicate("loop", d.loops.iter().map(|joint| (joint.name.as_str(), &joint.place)))?;
    let known: HashMap<&str, ()> = d.links.iter().map(|link| (link.name.as_str(), ())).collect();
    let check = |name: &str, element: String, place: &Place| {
        if known.contains_key(name) {
            return Ok(());
        }
        Err(RobotError::UnknownLink {
            place: place.clone(),
            element,
            name: name.to_owned(),
            hint: did_you_mean(name, known.keys().copied()),
        })
    };
    for joint in &d.joints {
        let element = || format!("joint `{}`", joint.joint.name);
        if let Some(parent) = &joint.parent {
            check(parent, element(), &joint.place)?;
        }
        check(&joint.child, element(), &joint.place)?;
        if joint.joint.kind.has_axis() {
            check_axis(&joint.joint.axis, element(), &joint.place)?;
        }
        match &joint.joint.kind {
            JointKind::Universal { axis2 } => {
                check_axis(axis2, format!("{}, axis2", element()), &joint.place)?;
                check_universal(&joint.joint.axis, axis2, element(), &joint.place)?;
            }
            JointKind::Compound(parts) => {
                for part in parts.iter().filter(|part| part.kind.has_axis()) {
                    check_axis(&part.axis, format!("joint `{}`", part.name), &joint.place)?;
                }
            }
            _ => {}
        }
    }
    for closure in &d.loops {
        let element = || format!("loop `{}`", closure.name);
        for side in [&closure.predecessor, &closure.successor] {
            if let Some(link) = &side.link {
                check(link, element(), &closure.place)?;
            }
        }
        check_axis(&closure.axis, element(), &closure.place)?;
        if let LoopKind::Universal { axis2 } = &closure.kind {
            check_axis(axis2, format!("{}, axis2", element()), &closure.place)?;
            check_universal(&closure.axis, axis2, element(), &closure.place)?;
        }
    }
    Ok(())
}

/// The two axes of a universal joint span a plane.
fn check_universal(
    axis: &[Exact; 3],
    axis2: &[Exact; 3],
    element: String,
    place: &Place,
) -> Result<(), RobotError> {
    let (Ok(first), Ok(second)) = (evaluate_direction::<f64>(axis), evaluate_direction::<f64>(axis2)) else {
        return Ok(()); // reported with the numbers themselves
    };
    let normal = first.value.cross(second.value);
    if normal.dot(normal) > 1e-12 {
        return Ok(());
    }
    Err(RobotError::Element {
        place: place.clone(),
        element,
        problem: "axis and axis2 are parallel, which leaves a universal joint one direction".to_owned(),
        remedy: "give two different axes, or make it a revolute joint".to_owned(),
    })
}

fn check_axis(axis: &[Exact; 3], element: String, place: &Place) -> Result<(), RobotError> {
    if axis.iter().all(Exact::is_zero) {
        return Err(RobotError::ZeroAxis { place: place.clone(), element });
    }
    let has_values = axis.iter().all(|x| x.to_f64().is_ok());
    let has_direction = evaluate_direction::<f64>(axis)
        .is_ok_and(|direction| (direction.value.dot(direction.value) - 1.0).abs() < 1e-9);
    if has_values && !has_direction {
        return Err(RobotError::Element {
            place: place.clone(),
            element,
            problem: "the axis is so long or short that its direction is lost".to_owned(),
            remedy: "scale it to a length near one".to_owned(),
        });
    }
    Ok(())
}
