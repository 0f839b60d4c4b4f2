//! What can be said of a vector that was found by completion: what ties its bodies together, and what the numbers do.

use steiner_dynamics::Mechanism;
use steiner_robot::{Coupling, JointKind, LoopJoint, LoopKind};

use crate::completion::{Story, loop_bodies};
use crate::drives::DRIVE_PARAMETERS;
use crate::measure::Measurement;
use crate::numeric::stacked_rows;
use crate::principles::Principle;

/// Principle, joint and sentence of a vector.
pub(crate) fn completion_story(
    mechanism: &Mechanism,
    measurement: &Measurement,
    entries: &[(usize, f64)],
) -> Story {
    let robot = mechanism.robot();
    let ground = measurement.ground_count();
    let mut bodies: Vec<usize> = entries.iter().map(|&(c, _)| measurement.body_of(mechanism, c)).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let moving: Vec<usize> = bodies.iter().filter_map(|body| body.checked_sub(ground)).collect();
    let changes = changes(&measurement.labels(mechanism), entries);
    if moving.is_empty() {
        let names = measurement.bodies(mechanism);
        let resting: Vec<&str> = bodies.iter().map(|&body| names[body].as_str()).collect();
        let text = format!(
            "{} rests: only its weight and where that acts are felt. So {changes}",
            resting.join(" and ")
        );
        return (Principle::FixedPoints, None, text);
    }
    if let ([grounded, _], [root]) = (&bodies[..], &moving[..])
        && robot.bodies[*root].parent.is_none()
    {
        let names = measurement.bodies(mechanism);
        let joint = &robot.bodies[*root].joint.name;
        let text = format!(
            "What {} and {} share at {joint} may move between them: {changes}",
            names[*grounded], robot.bodies[*root].name
        );
        return (Principle::SharedPoints, Some(joint.clone()), text);
    }
    if let Some(story) = drive_story(mechanism, measurement, entries, &changes) {
        return story;
    }
    if let Some(coupling) = coupling_of(&robot.couplings, &moving) {
        let names: Vec<&str> = moving.iter().map(|&body| robot.bodies[body].name.as_str()).collect();
        let verb = if names.len() == 1 { "is geared" } else { "are geared together" };
        let text = format!("{} {verb}: {changes}", names.join(" and "));
        return (Principle::Gear, Some(coupling.name.clone()), text);
    }
    if hidden_without_loops(mechanism, measurement, entries) {
        return (Principle::Numeric, None, changes);
    }
    // The smallest loop that all bodies belong to, or else one that some do.
    let loops = robot.loops.iter().map(|closure| (closure, loop_bodies(mechanism, closure)));
    let mut shared: Vec<(&LoopJoint, usize, usize)> = loops
        .map(|(closure, around)| {
            let outside = moving.iter().filter(|body| !around.contains(body)).count();
            (closure, outside, around.len())
        })
        .filter(|(_, outside, _)| *outside < moving.len())
        .collect();
    shared.sort_by_key(|&(_, outside, size)| (outside, size));
    match shared.first() {
        Some((closure, 0, _)) => {
            let products = entries.iter().all(|(column, _)| column % 10 > 3);
            let text = match products && is_planar(mechanism, closure) && moving.len() > 2 {
                true => format!(
                    "The links of {} close in a plane that itself moves: products of inertia with its normal, weighted by the link vectors, cancel around the loop.",
                    closure.name
                ),
                false => format!("The loop {} ties these motions together: {changes}", closure.name),
            };
            (Principle::LoopClosure, Some(closure.name.clone()), text)
        }
        Some((closure, ..)) => {
            let text = format!("The loops tie these motions together: {changes}");
            (Principle::LoopClosure, Some(closure.name.clone()), text)
        }
        None => (Principle::Numeric, None, changes),
    }
}

/// Whether a vector would be invisible if the loops were opened, too: then they are not the reason.
fn hidden_without_loops(mechanism: &Mechanism, measurement: &Measurement, entries: &[(usize, f64)]) -> bool {
    if mechanism.robot().loops.is_empty() || !(measurement.is_static() || measurement.is_all()) {
        return false;
    }
    let Ok(open) = Mechanism::new(mechanism.robot().without_loops()) else { return false };
    let Ok(rows) = stacked_rows(&open, measurement) else { return false };
    let largest = rows.entries().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let seen = |r: usize| entries.iter().map(|&(c, x)| rows[(r, c)] * x).sum::<f64>().abs();
    (0..rows.rows()).all(|r| seen(r) <= 1e-9 * largest)
}

/// A drive cannot be told from the body that moves with it, or from its weight.
fn drive_story(
    mechanism: &Mechanism,
    measurement: &Measurement,
    entries: &[(usize, f64)],
    changes: &str,
) -> Option<Story> {
    let first = measurement.columns(mechanism) - DRIVE_PARAMETERS.len() * measurement.drives().len();
    let (column, _) = entries.iter().find(|(column, _)| *column >= first)?;
    let drive = &measurement.drives()[(column - first) / DRIVE_PARAMETERS.len()];
    let (joint, body) = (&drive.joint, &mechanism.robot().bodies[drive.body].name);
    let alone = entries.iter().all(|(column, _)| *column >= first);
    let weight = entries.iter().any(|(column, _)| *column >= first && (column - first) % 4 == 3);
    let (principle, text) = match (alone, weight) {
        (true, _) if measurement.is_static() => {
            (Principle::Gravity, format!("At rest the drive of {joint} shows its offset alone: {changes}"))
        }
        (true, _) => (Principle::Gear, changes.to_owned()),
        (_, true) => (
            Principle::Gravity,
            format!("A constant force of {joint} looks like weight of {body}: {changes}"),
        ),
        _ => (
            Principle::Gear,
            format!("The drive of {joint} accelerates with {body}, as if it were part of it: {changes}"),
        ),
    };
    Some((principle, Some(joint.clone()), text))
}

/// A coupling among those that tie all of some bodies to one another.
fn coupling_of<'c>(couplings: &'c [Coupling], bodies: &[usize]) -> Option<&'c Coupling> {
    let tied = |coupling: &Coupling| -> Vec<usize> {
        coupling.terms.iter().map(|(term, _)| term.body.0).chain([coupling.coordinate.body.0]).collect()
    };
    let first = couplings.iter().find(|coupling| tied(coupling).iter().any(|body| bodies.contains(body)))?;
    let mut group = tied(first);
    loop {
        let before = group.len();
        for more in couplings
            .iter()
            .map(tied)
            .filter(|more| more.iter().any(|body| group.contains(body)))
            .collect::<Vec<_>>()
        {
            group.extend(more);
        }
        group.sort_unstable();
        group.dedup();
        if group.len() == before {
            break;
        }
    }
    (bodies.iter().all(|body| group.contains(body))).then_some(first)
}

/// Whether a loop consists of hinges alone, as planar linkages do.
fn is_planar(mechanism: &Mechanism, closure: &LoopJoint) -> bool {
    let around = loop_bodies(mechanism, closure);
    let kind = |body: &usize| &mechanism.robot().bodies[*body].joint.kind;
    let hinges = around.iter().filter(|b| matches!(kind(b), JointKind::Revolute | JointKind::Continuous));
    matches!(closure.kind, LoopKind::Revolute) && hinges.count() + 1 >= around.len()
}

/// The numbers, said aloud.
fn changes(labels: &[String], entries: &[(usize, f64)]) -> String {
    match entries {
        [(column, _)] => format!("{} has no effect on what is measured.", labels[*column]),
        _ => {
            let change = |&(column, x): &(usize, f64)| format!("{} by {}", labels[column], short(x));
            let changes: Vec<String> = entries.iter().map(change).collect();
            format!("changing {} together changes nothing that is measured.", changes.join(", "))
        }
    }
}

/// Five significant digits.
fn short(x: f64) -> f64 {
    format!("{x:.4e}").parse().unwrap_or(x)
}
