//! The reason of a vector that was found by completion: what ties its bodies together.

use steiner_dynamics::Mechanism;
use steiner_robot::{Coupling, JointKind, LoopJoint, LoopKind, ParameterKind, RobotParts};

use crate::measure::Measurement;
use crate::nullspace::bodies_of;
use crate::numeric::stacked_rows;
use crate::reason::{Cause, Reason, Site};
use crate::supports::{gear_trains, loop_bodies};

/// What explains a vector, as far as anything does.
pub(crate) fn explanation(
    mechanism: &Mechanism,
    measurement: &Measurement,
    entries: &[(usize, f64)],
) -> Reason {
    let robot = mechanism.robot();
    let ground = measurement.ground_count();
    let bodies = bodies_of(&measurement.parameters(mechanism), entries);
    let moving: Vec<usize> = bodies.iter().filter_map(|body| body.checked_sub(ground)).collect();
    if moving.is_empty() {
        return Reason { cause: Cause::RestsOnGround, site: None, bodies, place: None };
    }
    let joint = |body: usize| Some(Site::Joint(robot.bodies[body].joint.name.clone()));
    if let ([_, _], [root]) = (&bodies[..], &moving[..])
        && robot.bodies[*root].parent.is_none()
    {
        return Reason { cause: Cause::SharedWithGround, site: joint(*root), bodies, place: None };
    }
    let because =
        |cause: Cause, site: Option<Site>| Reason { cause, site, bodies: bodies.clone(), place: None };
    if let Some((cause, body)) = drive_cause(mechanism, measurement, entries) {
        return Reason::new(ground, (cause, joint(body), vec![body]), None);
    }
    if let Some(coupling) = coupling_of(mechanism, &moving) {
        return because(Cause::MovesTogether, Some(Site::Coupling(coupling.name.clone())));
    }
    let visible_without = |part: fn(&mut RobotParts)| shows_without(mechanism, measurement, entries, part);
    if !robot.couplings.is_empty()
        && let Some(true) = visible_without(|parts| parts.couplings.clear())
    {
        let near = nearest_coupling(mechanism, &moving);
        return because(Cause::MovesTogether, near.map(|coupling| Site::Coupling(coupling.name.clone())));
    }
    if !robot.loops.is_empty()
        && let Some(false) = visible_without(|parts| parts.loops.clear())
    {
        return because(Cause::Unexplained, None);
    }
    let parameters = measurement.parameters(mechanism);
    let second = |column: usize| parameters.id(column).kind.length_power() == 2;
    let second_moments_alone = entries.iter().all(|&(column, _)| second(column));
    match nearest_loop(mechanism, &moving) {
        Some((closure, true)) => {
            let planar = second_moments_alone && moving.len() > 2 && is_planar(mechanism, closure);
            let cause = if planar { Cause::PlanarLoopCarried } else { Cause::OneLoop };
            because(cause, Some(Site::Loop(closure.name.clone())))
        }
        Some((closure, false)) => because(Cause::SeveralLoops, Some(Site::Loop(closure.name.clone()))),
        None => because(Cause::Unexplained, None),
    }
}

/// Whether a vector would show if something of the robot were taken away; `None` where that cannot be asked.
fn shows_without(
    mechanism: &Mechanism,
    measurement: &Measurement,
    entries: &[(usize, f64)],
    take_away: fn(&mut RobotParts),
) -> Option<bool> {
    if !(measurement.is_static() || measurement.is_all()) {
        return None;
    }
    let robot = mechanism.robot().changed(|parts| {
        take_away(parts);
        parts.independent = None;
    });
    let robot = robot.ok()?;
    let freed = Mechanism::new(robot).ok()?;
    let (rows, _) = stacked_rows(&freed, measurement).ok()?;
    let largest = rows.entries().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let seen = |r: usize| entries.iter().map(|&(c, x)| rows[(r, c)] * x).sum::<f64>().abs();
    Some((0..rows.rows()).any(|r| seen(r) > 1e-9 * largest))
}

/// Why the parameters of a drive cannot be separated from those of the body that moves with it, or
/// from its weight; with the body.
fn drive_cause(
    mechanism: &Mechanism,
    measurement: &Measurement,
    entries: &[(usize, f64)],
) -> Option<(Cause, usize)> {
    let parameters = measurement.parameters(mechanism);
    let ids: Vec<_> = entries.iter().map(|&(column, _)| parameters.id(column)).collect();
    let drive = ids.iter().find(|id| !id.kind.is_inertial())?;
    let alone = ids.iter().all(|id| !id.kind.is_inertial());
    let has = |kind: ParameterKind| ids.iter().any(|id| id.kind == kind);
    let cause = match (alone, has(ParameterKind::Offset), has(ParameterKind::Ia)) {
        (true, ..) if measurement.is_static() => Cause::DriveAtRest,
        (true, ..) => Cause::DriveUnfelt,
        (false, true, true) => Cause::DriveLikeBody,
        (false, true, false) => Cause::OffsetLikeWeight,
        (false, false, _) => Cause::DriveMovesWithBody,
    };
    Some((cause, drive.body - measurement.ground_count()))
}

/// The coordinates that a coupling ties together, as bodies.
fn tied(coupling: &Coupling) -> impl Iterator<Item = usize> + '_ {
    coupling.terms.iter().map(|(term, _)| term.body.0).chain([coupling.coordinate.body.0])
}

/// A coupling of the gear train that all of some bodies belong to, carriers included.
fn coupling_of<'m>(mechanism: &'m Mechanism, bodies: &[usize]) -> Option<&'m Coupling> {
    let train =
        gear_trains(mechanism).into_iter().find(|train| bodies.iter().all(|body| train.contains(body)))?;
    let couplings = &mechanism.robot().couplings;
    let own = |coupling: &&Coupling| tied(coupling).any(|body| bodies.contains(&body));
    couplings.iter().filter(|coupling| tied(coupling).all(|body| train.contains(&body))).find(own)
}

/// The coupling that ties most of some bodies.
fn nearest_coupling<'m>(mechanism: &'m Mechanism, bodies: &[usize]) -> Option<&'m Coupling> {
    let couplings = mechanism.robot().couplings.iter().rev();
    couplings.max_by_key(|coupling| tied(coupling).filter(|body| bodies.contains(body)).count())
}

/// The smallest loop that all of some bodies belong to, or else one that some do; and whether all do.
fn nearest_loop<'m>(mechanism: &'m Mechanism, bodies: &[usize]) -> Option<(&'m LoopJoint, bool)> {
    let sized = mechanism.robot().loops.iter().map(|closure| {
        let around = loop_bodies(mechanism, closure);
        let outside = bodies.iter().filter(|body| !around.contains(body)).count();
        (closure, outside, around.len())
    });
    let touching = sized.filter(|(_, outside, _)| *outside < bodies.len());
    let (closure, outside, _) = touching.min_by_key(|&(_, outside, size)| (outside, size))?;
    Some((closure, outside == 0))
}

/// Whether a loop consists of hinges alone, as planar linkages do.
fn is_planar(mechanism: &Mechanism, closure: &LoopJoint) -> bool {
    let around = loop_bodies(mechanism, closure);
    let kind = |body: &usize| &mechanism.robot().bodies[*body].joint.kind;
    let hinges = around.iter().filter(|b| matches!(kind(b), JointKind::Revolute | JointKind::Continuous));
    matches!(closure.kind, LoopKind::Revolute) && hinges.count() + 1 >= around.len()
}
