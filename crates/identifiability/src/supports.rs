//! Sets of bodies on which null vectors are looked for, small ones first.

use std::collections::BTreeSet;

use steiner_dynamics::Mechanism;
use steiner_robot::{BodyIndex, LoopJoint};

/// Sets of bodies, small ones first: one; two joined by a joint or loop; two anywhere; those of a
/// loop; those of a gear train; all. The links on the ground, `ground` of them, are counted first and
/// joined to all that stands on it.
pub(crate) fn supports(mechanism: &Mechanism, ground: usize) -> Vec<Vec<usize>> {
    let robot = mechanism.robot();
    let count = ground + robot.bodies.len();
    let mut sets: Vec<Vec<usize>> = (0..count).map(|body| vec![body]).collect();
    let pair = |a: usize, b: usize| vec![ground + a.min(b), ground + a.max(b)];
    let joints = robot.bodies.iter().enumerate().filter_map(|(k, body)| body.parent.map(|p| pair(p.0, k)));
    let closures = robot.loops.iter().filter_map(|l| Some(pair(l.predecessor.body?.0, l.successor.body?.0)));
    let on_ground = robot.bodies.iter().enumerate().filter(|(_, body)| body.parent.is_none());
    let grounded = on_ground.flat_map(|(k, _)| (0..ground).map(move |g| vec![g, ground + k]));
    sets.extend(joints.chain(closures).chain(grounded));
    if count <= 60 {
        sets.extend((0..count).flat_map(|a| (a + 1..count).map(move |b| vec![a, b])));
    }
    for closure in &robot.loops {
        sets.push(loop_bodies(mechanism, closure).into_iter().map(|body| ground + body).collect());
    }
    for train in gear_trains(mechanism) {
        sets.push(train.into_iter().map(|body| ground + body).collect());
    }
    sets.push((0..count).collect());
    let mut seen = BTreeSet::new();
    sets.retain(|set| seen.insert(set.clone()));
    sets
}

/// Bodies whose joints couplings tie together, with the bodies that carry them.
pub(crate) fn gear_trains(mechanism: &Mechanism) -> Vec<BTreeSet<usize>> {
    let robot = mechanism.robot();
    let mut trains: Vec<BTreeSet<usize>> = Vec::new();
    for coupling in &robot.couplings {
        let named = coupling.terms.iter().map(|(term, _)| *term).chain([coupling.coordinate]);
        let mut train: BTreeSet<usize> = named.map(|coordinate| coordinate.body.0).collect();
        let (tied, apart) = trains.into_iter().partition(|other| !other.is_disjoint(&train));
        trains = apart;
        train.extend(Vec::<BTreeSet<usize>>::into_iter(tied).flatten());
        trains.push(train);
    }
    for train in &mut trains {
        let carriers: Vec<usize> =
            train.iter().filter_map(|&body| robot.bodies[body].parent.map(|parent| parent.0)).collect();
        train.extend(carriers);
    }
    trains
}

/// The bodies from both sides of a loop up to their common ancestor.
pub(crate) fn loop_bodies(mechanism: &Mechanism, closure: &LoopJoint) -> Vec<usize> {
    let robot = mechanism.robot();
    let path = |start: Option<BodyIndex>| {
        let mut path = Vec::new();
        let mut at = start;
        while let Some(body) = at {
            path.push(body.0);
            at = robot.bodies[body.0].parent;
        }
        path
    };
    let (first, second) = (path(closure.predecessor.body), path(closure.successor.body));
    let common: Vec<usize> = first.iter().copied().filter(|body| second.contains(body)).collect();
    let mut bodies: Vec<usize> = first.iter().chain(&second).copied().collect();
    // The nearest common ancestor moves with the loop and belongs to it; those above don't.
    bodies.retain(|body| !common.contains(body) || common.first() == Some(body));
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}
