//! The excitation of \[matthew2016\], section VI: one sinusoid of acceleration for each joint, with noise on
//! it, integrated to velocity and position.

use std::f64::consts::TAU;

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_logs::Recording;
use steiner_robot::JointKind;

use super::Simulation;
use super::fourier::Range;
use super::motion::{joint_range, still_bodies};
use crate::failure::IdentificationError;

/// Joints use at least this part of what `reach` allows.
const LEAST_SHARE: f64 = 0.3;

/// Value, rate and second derivative at every moment.
type Signal = Vec<[f64; 3]>;

/// A motion at given times; `noise` is relative to the amplitude of the acceleration.
pub(super) fn noisy_sinusoids(
    mechanism: &Mechanism,
    simulation: &Simulation,
    noise: f64,
    times: Vec<f64>,
) -> Result<Recording, IdentificationError> {
    let robot = mechanism.robot();
    if !(noise.is_finite() && noise >= 0.0) {
        return Err(IdentificationError::Setting {
            what: "the noise of the accelerations".to_owned(),
            value: noise.to_string(),
            remedy: "give a part of their amplitude, as 0.05".to_owned(),
        });
    }
    if let Some(body) = robot.bodies.iter().find(|body| body.joint.kind.dof() != 1) {
        return Err(no_integral(format!("{} has more than one coordinate", body.joint.name)));
    }
    if !mechanism.closure().is_trivial() {
        return Err(no_integral("loops and couplings bind the joints".to_owned()));
    }
    let still = still_bodies(robot, &simulation.still)?;
    let mut random = Stream::of_synthetic_log(simulation.seed);
    let mut signals = Vec::new();
    for (k, body) in robot.bodies.iter().enumerate() {
        let unit =
            if matches!(body.joint.kind, JointKind::Prismatic) { mechanism.length_scale() } else { 1.0 };
        let range = joint_range(mechanism, &body.joint.limits, mechanism.reference_tree()[k], unit);
        let mut signal = noisy_sinusoid(&range, simulation, noise, &times, &mut random);
        if still.contains(&k) {
            signal.fill([range.centre, 0.0, 0.0]);
        }
        signals.push(signal);
    }
    let row = |derivative: usize| -> Vec<f64> {
        (0..times.len()).flat_map(|t| signals.iter().map(move |signal| signal[t][derivative])).collect()
    };
    Ok(Recording { count: times.len(), q: row(0), qd: row(1), qdd: row(2), t: times, ..Recording::default() })
}

fn no_integral(why: String) -> IdentificationError {
    IdentificationError::NoMotion {
        what: "noisy sinusoids".to_owned(),
        why,
        remedy: "take a Fourier motion".to_owned(),
    }
}

/// One joint: between 1 and `harmonics` oscillations in a period, scaled so that position, speed and
/// acceleration stay within the range.
fn noisy_sinusoid(
    range: &Range,
    simulation: &Simulation,
    noise: f64,
    times: &[f64],
    random: &mut Stream,
) -> Signal {
    let period = simulation.period.unwrap_or(simulation.duration.min(10.0));
    let most = simulation.harmonics.max(1) as f64;
    let w = TAU / period * (1.0 + (most - 1.0) * random.fraction());
    let (phase, share) = (TAU * random.fraction(), LEAST_SHARE + (1.0 - LEAST_SHARE) * random.fraction());
    let shaken = integrated(times.iter().map(|_| noise * random.normal()).collect(), times);
    let mut signal: Signal = times
        .iter()
        .zip(shaken)
        .map(|(t, [x, v, a])| {
            let (s, c) = (w * t + phase).sin_cos();
            [x - s / (w * w), v - c / w, a + s]
        })
        .collect();
    let limits = [range.distance, range.speed, range.acceleration];
    let scale = (0..3)
        .map(|k| limits[k] / signal.iter().fold(0.0, |most: f64, x| most.max(x[k].abs())))
        .fold(f64::INFINITY, f64::min);
    let scale = simulation.reach * share * scale;
    signal.iter_mut().for_each(|x| *x = [range.centre + scale * x[0], scale * x[1], scale * x[2]]);
    signal
}

/// Velocity and position of an acceleration by the trapezoidal rule, both with mean
/// zero so that nothing drifts away.
fn integrated(acceleration: Vec<f64>, times: &[f64]) -> Signal {
    let integral = |values: &[f64]| -> Vec<f64> {
        let mut sum = 0.0;
        let mut out = vec![0.0; values.len()];
        for k in 1..values.len() {
            sum += 0.5 * (values[k - 1] + values[k]) * (times[k] - times[k - 1]);
            out[k] = sum;
        }
        let mean = out.iter().sum::<f64>() / out.len().max(1) as f64;
        out.iter_mut().for_each(|x| *x -= mean);
        out
    };
    let velocity = integral(&acceleration);
    let position = integral(&velocity);
    position.into_iter().zip(velocity).zip(acceleration).map(|((x, v), a)| [x, v, a]).collect()
}
