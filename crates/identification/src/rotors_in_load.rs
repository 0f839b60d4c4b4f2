//! Which rotors count as load: gears feel the links behind them, not the rotor before them, but no log tells the
//! inertia of the first joint's rotor from that of its link.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Question, analyze};
use steiner_robot::inertial_count;

use crate::failure::IdentificationError;

/// Velocities of the tree whose rotor's inertia is a part of the load of its joint; none where no friction
/// depends on load.
pub(crate) fn rotors_in_load(mechanism: &Mechanism) -> Result<Vec<usize>, IdentificationError> {
    let rubs = |body: &steiner_robot::Body| body.joint.friction.further.load != 0.0;
    match mechanism.robot().bodies.iter().any(rubs) {
        true => grouped_rotors(mechanism),
        false => Ok(Vec::new()),
    }
}

/// Velocities of the tree whose rotor no force tells from its link, if nothing of either is known.
pub(crate) fn grouped_rotors(mechanism: &Mechanism) -> Result<Vec<usize>, IdentificationError> {
    let question = Question { certify: false, drives: true, ..Question::default() };
    let measurement = question.measurement(mechanism)?;
    let bodies = inertial_count(measurement.ground_count() + mechanism.robot().bodies.len());
    let analysis = analyze(mechanism, &question)?;
    let base = &analysis.regrouping.base;
    let driven = measurement.driven().into_iter().enumerate();
    let is_grouped = |drive: usize| {
        let column = bodies + 4 * drive;
        base.iter().any(|base| base.column < bodies && base.terms.iter().any(|(c, _)| *c == column))
    };
    Ok(driven.filter(|(drive, _)| is_grouped(*drive)).map(|(_, (_, velocity))| velocity).collect())
}
