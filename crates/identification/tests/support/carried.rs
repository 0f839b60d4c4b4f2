//! Arms that carry something.

use steiner_dynamics::Mechanism;
use steiner_identification::PayloadEstimator;
use steiner_linalg::Stream;
use steiner_logs::Recording;
use steiner_robot::{CentredInertia, Frame, LumpedLink, PseudoInertia, Robot};

/// A load of 1.7 kg, not symmetric in any way, in the frame of the link that carries it.
pub(crate) fn load() -> PseudoInertia {
    PseudoInertia::from_centred(&CentredInertia {
        mass: 1.7,
        com: [0.02, -0.01, 0.11],
        tensor: [0.006, 0.0005, 0.007, -0.0004, 0.0003, 0.004],
    })
}

/// The robot with a link `tool` of no inertia fixed to its last body, in the place of that body's joint frame
/// on the one before: neither at its origin nor along its axes.
pub(crate) fn with_tool(robot: &Robot) -> Robot {
    let frame: Frame = robot.bodies[robot.bodies.len() - 2].joint.placement.clone();
    let tool = LumpedLink { name: "tool".to_owned(), frame, inertia: None };
    let last = robot.bodies.len() - 1;
    robot.changed(|parts| parts.bodies[last].lumped.push(tool)).expect("a robot")
}

/// The robot with a load on its `tool`.
pub(crate) fn loaded(robot: &Robot, load: &PseudoInertia) -> Mechanism {
    let last = robot.bodies.len() - 1;
    let body = &robot.bodies[last];
    let pose = body.lumped.iter().find(|link| link.name == "tool").expect("a tool").frame.pose();
    let both = body.inertia.plus(&load.moved(&pose.rotation, pose.translation.0));
    Mechanism::new(robot.changed(|parts| parts.bodies[last].inertia = both).expect("a robot"))
        .expect("an arm")
}

/// Adds noise to forces: each sample keeps `memory` of the one before, and the standard deviation is `sigma`
/// for the first joint, half of it for the next, and so on.
pub(crate) fn disturb(log: &mut Recording, dof: usize, sigma: f64, memory: f64, seed: u64) {
    let mut random = Stream::new(seed);
    let mut last: Vec<f64> = (0..dof).map(|_| random.normal()).collect();
    for sample in 0..log.count {
        for (k, last) in last.iter_mut().enumerate() {
            *last = memory * *last + (1.0 - memory * memory).sqrt() * random.normal();
            log.tau[dof * sample + k] += sigma * 0.5f64.powi(k as i32) * *last;
        }
    }
}

/// The noise that [`disturb`] adds.
pub(crate) fn noise(dof: usize, sigma: f64) -> Vec<f64> {
    (0..dof).map(|k| sigma * 0.5f64.powi(k as i32)).collect()
}

/// Feeds a log.
pub(crate) fn feed(estimator: &mut PayloadEstimator, log: &Recording, dof: usize) {
    for k in 0..log.count {
        let of = |values: &[f64]| values[dof * k..dof * (k + 1)].to_vec();
        estimator.update(&of(&log.q), &of(&log.qd), &of(&log.qdd), &of(&log.tau)).expect("a sample");
    }
}
