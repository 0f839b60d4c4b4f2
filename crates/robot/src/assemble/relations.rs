//! Loops, couplings, independent coordinates and the guess, with their names resolved.

use std::collections::HashSet;

use steiner_files::{Place, did_you_mean};
use steiner_scalar::Exact;

use super::bodies::Home;
use super::numbers::finite;
use crate::description::{CouplingDescription, LoopSide, Mention};
use crate::error::RobotError;
use crate::frame::no_displacement;
use crate::joint::JointKind;
use crate::robot::{Attachment, Coordinate, Coupling, LoopJoint, RobotParts};

pub(super) fn loops(robot: &RobotParts, home: &Home) -> Result<Vec<LoopJoint>, RobotError> {
    let attach = |side: &LoopSide| match &side.link {
        Some(link) => {
            let (body, frame, _) = home[link].clone();
            Attachment { body, frame: frame.then(&side.frame) }
        }
        None => Attachment { body: None, frame: side.frame.clone() },
    };
    let resolved = robot.description.loops.iter().map(|closure| {
        let (predecessor, successor) = (attach(&closure.predecessor), attach(&closure.successor));
        if predecessor.body == successor.body {
            return Err(RobotError::Element {
                place: closure.place.clone(),
                element: format!("loop `{}`", closure.name),
                problem: "both sides sit on the same rigid body".to_owned(),
                remedy: "attach it to two bodies that move against each other".to_owned(),
            });
        }
        Ok(LoopJoint {
            name: closure.name.clone(),
            kind: closure.kind.clone(),
            predecessor,
            successor,
            axis: closure.axis.clone(),
        })
    });
    resolved.collect()
}

fn coordinates(
    robot: &RobotParts,
    name: &str,
    element: &str,
    place: &Place,
) -> Result<Vec<Coordinate>, RobotError> {
    robot.coordinates_named(name).ok_or_else(|| RobotError::UnknownJoint {
        place: place.clone(),
        element: element.to_owned(),
        name: name.to_owned(),
        hint: did_you_mean(name, robot.bodies.iter().map(|body| body.joint.name.as_str())),
    })
}

/// A coordinate in which a linear relation makes sense.
fn coordinate(
    robot: &RobotParts,
    name: &str,
    element: &str,
    place: &Place,
) -> Result<Coordinate, RobotError> {
    let found = coordinates(robot, name, element, place)?;
    let refuse = |problem: String, remedy: &str| RobotError::Element {
        place: place.clone(),
        element: element.to_owned(),
        problem,
        remedy: remedy.to_owned(),
    };
    match found[..] {
        [one] if robot.bodies[one.body.0].joint.kind.is_coordinatewise() => Ok(one),
        [one] => Err(refuse(
            format!("`{}` is a quaternion coordinate", robot.coordinate_name(one)),
            "couple one-dof joints",
        )),
        _ => Err(refuse(
            format!("`{name}` has {} coordinates", found.len()),
            "name one of them as `body:k`, k from 0",
        )),
    }
}

pub(super) fn couplings(robot: &RobotParts, mimic: bool) -> Result<Vec<Coupling>, RobotError> {
    // Reduced models fix joints and leave their <mimic> behind: what is fixed
    // mimics nothing and adds nothing.
    let d = &robot.description;
    let fixed: HashSet<&str> = d
        .joints
        .iter()
        .filter(|joint| joint.joint.kind == JointKind::Fixed)
        .map(|joint| joint.joint.name.as_str())
        .collect();
    let is_fixed = |name: &str| fixed.contains(name) && robot.coordinates_named(name).is_none();
    let matters =
        |coupling: &&CouplingDescription| !coupling.is_mimic || (mimic && !is_fixed(&coupling.coordinate));
    let resolve = |coupling: &CouplingDescription| {
        let element = format!("coupling `{}`", coupling.name);
        let target = coordinate(robot, &coupling.coordinate, &element, &coupling.place)?;
        let mut terms = Vec::with_capacity(coupling.terms.len());
        let counts = |name: &str| !(coupling.is_mimic && is_fixed(name));
        for (name, factor) in coupling.terms.iter().filter(|(name, _)| counts(name)) {
            let term = coordinate(robot, name, &element, &coupling.place)?;
            if term == target {
                return Err(RobotError::Element {
                    place: coupling.place.clone(),
                    element,
                    problem: format!("`{name}` depends on itself"),
                    remedy: "remove it from the terms".to_owned(),
                });
            }
            terms.push((term, factor.clone()));
        }
        Ok(Coupling {
            name: coupling.name.clone(),
            coordinate: target,
            terms,
            offset: coupling.offset.clone(),
        })
    };
    let resolved = d.couplings.iter().filter(matters).map(|coupling| {
        resolve(coupling).map_err(|error| if coupling.is_mimic { of_mimic(coupling, error) } else { error })
    });
    resolved.collect()
}

/// A mimic joint can be read without its relation: the error says so.
fn of_mimic(coupling: &CouplingDescription, error: RobotError) -> RobotError {
    let (problem, remedy) = match error {
        RobotError::Element { problem, remedy, .. } => (problem, remedy),
        RobotError::UnknownJoint { name, hint, .. } => {
            (format!("there is no joint `{name}`{hint}"), "define it or correct the name".to_owned())
        }
        other => return other,
    };
    RobotError::Mimic { place: coupling.place.clone(), joint: coupling.name.clone(), problem, remedy }
}

type IndependentAndDependent = (Option<Vec<Coordinate>>, Vec<Coordinate>);

pub(super) fn independent(robot: &RobotParts) -> Result<IndependentAndDependent, RobotError> {
    let gather = |mentions: &[Mention], element: &str| {
        let mut found = Vec::new();
        for mention in mentions {
            found.extend(coordinates(robot, &mention.name, element, &mention.place)?);
        }
        found.sort();
        found.dedup();
        Ok(found)
    };
    let d = &robot.description;
    let independent = match &d.independent {
        Some(mentions) => Some(gather(mentions, "independent")?),
        None => None,
    };
    // A fixed joint may be declared dependent without having a coordinate.
    let is_fixed = |name: &str| {
        robot.coordinates_named(name).is_none() && d.joints.iter().any(|joint| joint.joint.name == name)
    };
    let moving: Vec<Mention> = d.dependent.iter().filter(|m| !is_fixed(&m.name)).cloned().collect();
    Ok((independent, gather(&moving, "dependent")?))
}

pub(super) fn guess(robot: &RobotParts) -> Result<(Vec<Exact>, Vec<Coordinate>), RobotError> {
    let mut reference = Vec::with_capacity(robot.tree_configuration_size());
    for body in &robot.bodies {
        reference.extend(neutral(&body.joint.kind));
    }
    let mut guessed = Vec::new();
    let offsets = robot.configuration_offsets();
    for entry in &robot.description.guess {
        let element = format!("guess `{}`", entry.coordinate);
        let found = coordinates(robot, &entry.coordinate, &element, &entry.place)?;
        let Some(first) = found.first() else { continue };
        let body = first.body.0;
        let kind = &robot.bodies[body].joint.kind;
        let whole = found.len() == kind.dof();
        let wanted = if whole { kind.configuration_size() } else { found.len() };
        if entry.values.len() != wanted || (!whole && !kind.is_coordinatewise()) {
            return Err(RobotError::Element {
                place: entry.place.clone(),
                element,
                problem: format!("{} numbers for a {} joint of {wanted}", entry.values.len(), kind.name()),
                remedy: "give one number per coordinate".to_owned(),
            });
        }
        let start = offsets[body] + if whole { 0 } else { first.component };
        for (slot, value) in reference[start..].iter_mut().zip(&entry.values) {
            finite(value, &entry.place, || element.clone())?;
            *slot = value.clone();
        }
        guessed.extend(found);
    }
    Ok((reference, guessed))
}

/// The configuration of a joint at rest: zeros, and the unit quaternion.
fn neutral(kind: &JointKind) -> Vec<Exact> {
    let quaternion = || [Exact::zero(), Exact::zero(), Exact::zero(), Exact::one()];
    match kind {
        JointKind::Spherical => quaternion().to_vec(),
        JointKind::Floating => no_displacement().into_iter().chain(quaternion()).collect(),
        JointKind::Compound(parts) => parts.iter().flat_map(|part| neutral(&part.kind)).collect(),
        other => vec![Exact::zero(); other.dof()],
    }
}
