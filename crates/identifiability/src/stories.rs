//! What can be said of a vector that was found by completion: where it was found, and what the numbers do.

use steiner_dynamics::Mechanism;

use crate::completion::{Story, loop_bodies};
use crate::measure::Measurement;
use crate::principles::Principle;

/// Principle, joint and sentence of a vector found on some bodies.
pub(crate) fn completion_story(
    mechanism: &Mechanism,
    measurement: &Measurement,
    bodies: &[usize],
    entries: &[(usize, f64)],
) -> Story {
    let robot = mechanism.robot();
    let ground = measurement.ground_count();
    let moving: Vec<usize> = bodies.iter().filter_map(|body| body.checked_sub(ground)).collect();
    let sentence = changes(&measurement.labels(mechanism), entries);
    let geared = robot.couplings.iter().find(|coupling| {
        let mut tied = coupling.terms.iter().map(|(term, _)| term.body.0).chain([coupling.coordinate.body.0]);
        tied.any(|body| moving.contains(&body))
    });
    if let Some(closure) = robot.loops.iter().find(|closure| loop_bodies(mechanism, closure) == moving) {
        return (Principle::LoopClosure, Some(closure.name.clone()), sentence);
    }
    if let Some(coupling) = geared.filter(|_| moving.len() == 2) {
        return (Principle::Gear, Some(coupling.name.clone()), sentence);
    }
    (Principle::Numeric, None, sentence)
}

/// The numbers, said aloud.
fn changes(labels: &[String], entries: &[(usize, f64)]) -> String {
    match entries {
        [(column, _)] => format!("{} has no effect on what is measured.", labels[*column]),
        _ => {
            let change = |&(column, x): &(usize, f64)| format!("{} by {}", labels[column], short(x));
            let changes: Vec<String> = entries.iter().map(change).collect();
            format!("Changing {} together changes nothing that is measured.", changes.join(", "))
        }
    }
}

/// Five significant digits.
fn short(x: f64) -> f64 {
    format!("{x:.4e}").parse().unwrap_or(x)
}
