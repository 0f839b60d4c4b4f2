//! What the numbers of a configuration at the interface belong to, and which independent velocities move
//! what.

use steiner_robot::Robot;

use crate::closure::{Closure, Plan};

/// The independent coordinates that can move each tree velocity: those in the same set of mutually
/// constrained ones.
pub(super) fn movers(closure: &Closure<f64>, plan: &Plan) -> Vec<Vec<usize>> {
    let dof = closure.tree.dof;
    let mut component: Vec<usize> = (0..dof).collect();
    for group in closure.constraints().groups() {
        let Some(&first) = group.first() else { continue };
        let target = component[first];
        let absorbed: Vec<usize> = group.iter().map(|&k| component[k]).collect();
        for label in &mut component {
            if absorbed.contains(label) {
                *label = target;
            }
        }
    }
    (0..dof)
        .map(|k| {
            let same = |&(_, &j): &(usize, &usize)| component[j] == component[k];
            let all = plan.independent.iter().enumerate().filter(same).map(|(a, _)| a);
            // An independent velocity is moved by itself alone.
            match plan.independent.binary_search(&k) {
                Ok(own) => vec![own],
                Err(_) => all.collect(),
            }
        })
        .collect()
}

/// Which numbers of an API configuration belong to joints that a loop or coupling depends on.
pub(super) fn constrained(
    robot: &Robot,
    closure: &Closure<f64>,
    configuration: Option<&[usize]>,
) -> Vec<bool> {
    let involved: std::collections::HashSet<usize> =
        closure.constraints().groups().into_iter().flatten().collect();
    let mut tree = Vec::with_capacity(robot.tree_configuration_size());
    for (body, first) in robot.bodies.iter().zip(robot.velocity_offsets()) {
        let any = (first..first + body.joint.kind.dof()).any(|k| involved.contains(&k));
        tree.extend(std::iter::repeat_n(any, body.joint.kind.configuration_size()));
    }
    match configuration {
        Some(indices) => indices.iter().map(|&k| tree[k]).collect(),
        None => tree,
    }
}

/// Where the quaternions of an API configuration start, with the body each belongs to.
pub(super) fn quaternions(robot: &Robot, configuration: Option<&[usize]>) -> Vec<(usize, usize)> {
    let offsets = robot.configuration_offsets();
    let mut found = Vec::new();
    for (body, carrier) in robot.bodies.iter().enumerate() {
        let mut start = offsets[body];
        for stage in carrier.joint.stages() {
            let at = match stage.motion {
                steiner_robot::Motion::Ball => Some(start),
                steiner_robot::Motion::Free => Some(start + 3),
                _ => None,
            };
            start += stage.motion.configuration_size();
            let at = at.and_then(|at| match configuration {
                Some(indices) => indices.iter().position(|&k| k == at),
                None => Some(at),
            });
            found.extend(at.map(|at| (at, body)));
        }
    }
    found
}

/// Which tree configuration coordinates make up the configuration of the independent coordinates.
pub(super) fn configuration_map(robot: &Robot, plan: &Plan) -> Option<Vec<usize>> {
    let (velocities, configurations) = (robot.velocity_offsets(), robot.configuration_offsets());
    let mut indices = Vec::new();
    for (body, carrier) in robot.bodies.iter().enumerate() {
        let kind = &carrier.joint.kind;
        let own: Vec<usize> = (0..kind.dof())
            .filter(|k| plan.independent.binary_search(&(velocities[body] + k)).is_ok())
            .collect();
        if own.len() == kind.dof() {
            indices.extend(configurations[body]..configurations[body] + kind.configuration_size());
        } else if kind.is_coordinatewise() && !matches!(kind, steiner_robot::JointKind::Planar) {
            indices.extend(own.iter().map(|k| configurations[body] + k));
        } else if !own.is_empty() {
            return None;
        }
    }
    Some(indices)
}
