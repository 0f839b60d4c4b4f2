//! What sensors make of the truth: noise and resolution.

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_robot::Motion;

use steiner_logs::Recording;

/// Noise (standard deviations) and resolution of the sensors; all zero by default.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SensorFaults {
    /// White noise of forces and wrenches, relative to the root mean square of each.
    pub relative_force: f64,
    /// White noise of forces and wrenches, N·m or N.
    pub force: f64,
    /// White noise of positions, rad or m.
    pub position: f64,
    /// White noise of velocities, rad/s or m/s.
    pub velocity: f64,
    /// White noise of accelerations, rad/s² or m/s².
    pub acceleration: f64,
    /// Resolution of positions, rad or m.
    pub position_step: f64,
    /// Resolution of forces, N·m or N.
    pub force_step: f64,
}

/// Disturbs a recording.
pub(super) fn disturb(
    mechanism: &Mechanism,
    faults: &SensorFaults,
    data: &mut Recording,
    random: &mut Stream,
) {
    let (dof, count) = (mechanism.dof(), data.count.max(1) as f64);
    let force = |values: &mut [f64], width: usize, random: &mut Stream| {
        for k in 0..width {
            let square: f64 = values.iter().skip(k).step_by(width).map(|x| x * x).sum();
            let sigma = faults.force + faults.relative_force * (square / count).sqrt();
            for x in values.iter_mut().skip(k).step_by(width) {
                *x = rounded(*x + noise(sigma, random), faults.force_step);
            }
        }
    };
    force(&mut data.tau, dof, random);
    if let Some(values) = &mut data.base_wrench {
        force(values, 6, random);
    }
    for signal in data.joint_wrenches.iter_mut().chain(&mut data.contacts) {
        force(&mut signal.values, 6, random);
    }
    let quaternions = quaternion_numbers(mechanism);
    let width = quaternions.len().max(1);
    for (k, x) in data.q.iter_mut().enumerate() {
        // A quaternion turns by twice what its numbers change.
        let half = if quaternions[k % width] { 0.5 } else { 1.0 };
        *x = rounded(*x + noise(half * faults.position, random), half * faults.position_step);
    }
    data.qd.iter_mut().for_each(|x| *x += noise(faults.velocity, random));
    data.qdd.iter_mut().for_each(|x| *x += noise(faults.acceleration, random));
}

fn noise(sigma: f64, random: &mut Stream) -> f64 {
    if sigma > 0.0 { sigma * random.normal() } else { 0.0 }
}

fn rounded(x: f64, step: f64) -> f64 {
    if step > 0.0 { (x / step).round() * step } else { x }
}

/// Which numbers of a configuration belong to quaternions.
fn quaternion_numbers(mechanism: &Mechanism) -> Vec<bool> {
    let mut tree = Vec::new();
    for stage in mechanism.robot().bodies.iter().flat_map(|body| body.joint.stages()) {
        match stage.motion {
            Motion::Ball => tree.extend([1.0; 4]),
            Motion::Free => tree.extend([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
            other => tree.extend(vec![0.0; other.dof()]),
        }
    }
    mechanism.independent_part(&tree).into_iter().map(|x| x > 0.0).collect()
}
