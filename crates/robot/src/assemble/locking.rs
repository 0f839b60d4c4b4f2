//! Joints that are held at a value: for what follows they are fixed, and what they carry is one body with what
//! carries them. The file keeps its joints.

use steiner_files::did_you_mean;
use steiner_scalar::Exact;

use crate::description::{CouplingDescription, Description};
use crate::error::RobotError;
use crate::frame::{Frame, Orientation, no_displacement};
use crate::joint::{Joint, JointKind};

/// Holds joints at values, rad or m. Joints that follow held ones alone are held with them.
pub(super) fn lock(d: &mut Description, locks: &[(String, Exact)], mimic: bool) -> Result<(), RobotError> {
    if locks.is_empty() {
        return Ok(());
    }
    let before = Box::new(d.clone());
    let mut held: Vec<(String, Exact)> = Vec::new();
    for (name, value) in locks {
        let joint = named(d, name)?;
        if held.iter().any(|(other, _)| *other == joint) {
            return Err(refused(d, &joint, "is locked twice", "give one value"));
        }
        if value.to_f64().is_err() {
            return Err(refused(d, &joint, "is locked at something that has no value", "give a number"));
        }
        held.push((joint, value.clone()));
    }
    follow(d, &mut held, mimic)?;
    for (name, value) in &held {
        hold(d, name, value)?;
    }
    let is_held = |name: &str| held.iter().any(|(joint, _)| joint == name);
    let on_held = d.joints.iter().filter(|joint| is_held(&joint.joint.name));
    let links: Vec<String> = on_held.map(|joint| joint.child.clone()).collect();
    let gone = |name: &str| is_held(name) || links.iter().any(|link| link == name);
    if let Some(independent) = &mut d.independent {
        independent.retain(|mention| !gone(&mention.name));
    }
    d.dependent.retain(|mention| !gone(&mention.name));
    d.guess.retain(|entry| !gone(&entry.coordinate));
    d.before_locking = Some(before);
    Ok(())
}

/// The joint that a name stands for: its own, or that of the link it carries.
fn named(d: &Description, name: &str) -> Result<String, RobotError> {
    let found = d.joints.iter().find(|joint| joint.joint.name == name);
    let found = found.or_else(|| d.joints.iter().find(|joint| joint.child == name));
    found.map(|joint| joint.joint.name.clone()).ok_or_else(|| RobotError::UnknownJoint {
        place: d.place.clone(),
        element: "locked joint".to_owned(),
        name: name.to_owned(),
        hint: did_you_mean(name, d.joints.iter().map(|joint| joint.joint.name.as_str())),
    })
}

/// Takes held joints out of couplings: they are constants there. What follows constants alone is held too.
fn follow(d: &mut Description, held: &mut Vec<(String, Exact)>, mimic: bool) -> Result<(), RobotError> {
    let counts = |coupling: &CouplingDescription| mimic || !coupling.is_mimic;
    loop {
        let value = |name: &str| {
            let joint = named(d, name).ok()?;
            held.iter().find(|(other, _)| *other == joint).map(|(_, value)| value.clone())
        };
        let all_held = |coupling: &CouplingDescription| {
            coupling.terms.iter().all(|(name, _)| value(name).is_some()) && !coupling.terms.is_empty()
        };
        let Some(coupling) = d.couplings.iter().find(|c| counts(c) && all_held(c)) else { break };
        if let Some((joint, _)) =
            held.iter().find(|(joint, _)| named(d, &coupling.coordinate).as_ref() == Ok(joint))
        {
            return Err(refused(d, joint, "is locked, and follows others that are", "lock those it follows"));
        }
        let terms = coupling.terms.iter().filter_map(|(name, factor)| Some(factor.clone() * value(name)?));
        let sum = terms.fold(coupling.offset.clone(), |sum, term| sum + term);
        let (name, joint) = (coupling.name.clone(), named(d, &coupling.coordinate)?);
        held.push((joint, sum));
        d.couplings.retain(|coupling| coupling.name != name);
    }
    let value = |name: &str, d: &Description| {
        let joint = named(d, name).ok()?;
        held.iter().find(|(other, _)| *other == joint).map(|(_, value)| value.clone())
    };
    let copy = d.clone();
    for coupling in d.couplings.iter_mut().filter(|coupling| counts(coupling)) {
        if value(&coupling.coordinate, &copy).is_some() {
            let remedy = "lock those it follows instead";
            return Err(refused(
                &copy,
                &coupling.coordinate,
                "follows other joints and cannot be locked",
                remedy,
            ));
        }
        let (known, open): (Vec<_>, Vec<_>) =
            coupling.terms.drain(..).partition(|(name, _)| value(name, &copy).is_some());
        coupling.terms = open;
        for (name, factor) in known {
            let at = value(&name, &copy).unwrap_or_else(Exact::zero);
            coupling.offset = coupling.offset.clone() + factor * at;
        }
    }
    Ok(())
}

/// Fixes one joint where a value puts it.
fn hold(d: &mut Description, name: &str, value: &Exact) -> Result<(), RobotError> {
    let Some(at) = d.joints.iter().position(|joint| joint.joint.name == name) else { return Ok(()) };
    let joint = &d.joints[at].joint;
    let Some(motion) = moved(joint, value) else {
        let problem = format!("is {} and cannot be locked at a number but 0", joint.kind.name());
        return Err(refused(d, name, &problem, "lock it at 0, where the file puts it"));
    };
    let joint = &mut d.joints[at].joint;
    joint.placement = joint.placement.then(&motion);
    joint.kind = JointKind::Fixed;
    Ok(())
}

/// Where the moving frame of a joint is at a value; `None` for joints that take several numbers, or none.
fn moved(joint: &Joint, value: &Exact) -> Option<Frame> {
    let length = joint.axis.iter().cloned().fold(Exact::zero(), |sum, x| sum + x.clone() * x).sqrt();
    let along = |distance: Exact| joint.axis.clone().map(|x| x * distance.clone() / length.clone());
    let turned = || Orientation::about(&joint.axis, value.clone());
    Some(match &joint.kind {
        // A body that floats may be held where the file puts it: on a stand.
        kind if value.is_zero() && !matches!(kind, JointKind::Fixed | JointKind::Compound(_)) => {
            Frame::identity()
        }
        JointKind::Revolute | JointKind::Continuous => Frame::new(no_displacement(), turned()?),
        JointKind::Prismatic => Frame::translation(along(value.clone())),
        JointKind::Helical { pitch } => Frame::new(along(pitch.clone() * value.clone()), turned()?),
        _ => return None,
    })
}

fn refused(d: &Description, joint: &str, problem: &str, remedy: &str) -> RobotError {
    RobotError::Element {
        place: d.place.clone(),
        element: format!("joint `{joint}`"),
        problem: problem.to_owned(),
        remedy: remedy.to_owned(),
    }
}
