//! Random motions that a mechanism can make: Fourier signals for every independent coordinate, within limits,
//! and small enough that loops stay assembled and away from singularities.
//!
//! Joints with quaternions follow three angles (about x, then y, then z of the moving frame), whose rates
//! give exact angular velocities; a floating root so sways and shifts about where it is at rest.

use steiner_dynamics::Mechanism;
use steiner_files::did_you_mean;
use steiner_linalg::{Mat3, Stream, Vec3};
use steiner_logs::Recording;
use steiner_robot::{Limits, Motion, Pose, Robot, quaternion_of};

use super::fourier::{Fourier, Range};
use super::sinusoids::noisy_sinusoids;
use super::{MotionKind, Simulation};
use crate::failure::IdentificationError;

/// Without limits: rad, or multiples of the mechanism's length; per s; per s².
const USUAL: [f64; 3] = [1.0, 3.0, 15.0];
/// Angles of joints with quaternions stay below this, rad: beyond π/2 the second of three angles turns over.
const TILT: f64 = 0.7;
/// How near a singularity loops may come, relative to the reference.
const REGULAR: f64 = 0.2;
/// Moments at which loops are checked.
const MOMENTS: usize = 200;
/// Each time a motion is infeasible it gets smaller by this factor, this often.
const SMALLER: (f64, usize) = (0.8, 25);

/// One elementary motion with its signals.
struct Stage {
    motion: Motion,
    /// The body frame in the moving frame.
    after: Pose<f64>,
    /// First coordinate and velocity in the tree.
    configuration: usize,
    velocity: usize,
    /// One for each velocity.
    signals: Vec<Fourier>,
}

/// Makes a motion of the given duration and rate.
pub(super) fn feasible_motion(
    mechanism: &Mechanism,
    simulation: &Simulation,
) -> Result<Recording, IdentificationError> {
    let count = (simulation.duration * simulation.rate).round();
    let sound = simulation.duration > 0.0 && simulation.rate > 0.0 && (1.0..1e10).contains(&count);
    if !(sound && simulation.reach > 0.0 && simulation.reach <= 1.0) {
        return Err(IdentificationError::Setting {
            what: "duration, rate and reach".to_owned(),
            value: format!("{} s, {} Hz, {}", simulation.duration, simulation.rate, simulation.reach),
            remedy: "give positive numbers, and a reach of at most 1".to_owned(),
        });
    }
    let times: Vec<f64> = (0..count as usize).map(|k| k as f64 / simulation.rate).collect();
    if let MotionKind::NoisySinusoids { noise } = simulation.motion {
        return noisy_sinusoids(mechanism, simulation, noise, times);
    }
    let mut stages = stages(mechanism, simulation)?;
    if !mechanism.closure().is_trivial() {
        shrink_until_feasible(mechanism, &mut stages, &times)?;
    }
    let mut out = Recording { count: times.len(), t: times, ..Recording::default() };
    if mechanism.takes_tree_configuration() && !mechanism.closure().is_trivial() {
        walk(mechanism, &stages, &mut out)?;
        return Ok(out);
    }
    for k in 0..out.count {
        let (q, qd, qdd) = evaluate(mechanism, &stages, out.t[k]);
        out.q.extend(mechanism.independent_part(&q));
        out.qd.extend(qd);
        out.qdd.extend(qdd);
    }
    Ok(out)
}

/// The bodies whose joints, given by name, stand still.
pub(super) fn still_bodies(robot: &Robot, joints: &[String]) -> Result<Vec<usize>, IdentificationError> {
    let find = |name: &String| {
        robot.bodies.iter().position(|body| body.joint.name == *name).ok_or_else(|| {
            IdentificationError::UnknownJoint {
                robot: robot.name.clone(),
                joint: name.clone(),
                hint: did_you_mean(name, robot.bodies.iter().map(|b| b.joint.name.as_str())),
                what: "the list of joints that stand still".to_owned(),
            }
        })
    };
    joints.iter().map(find).collect()
}

/// The stages of all joints, with signals for those that are independent.
fn stages(mechanism: &Mechanism, simulation: &Simulation) -> Result<Vec<Stage>, IdentificationError> {
    let robot = mechanism.robot();
    let still = still_bodies(robot, &simulation.still)?;
    let mut random = Stream::of_synthetic_log(simulation.seed);
    let period = simulation.period.unwrap_or(simulation.duration.min(10.0));
    let (reference, length) = (mechanism.reference_tree(), mechanism.length_scale());
    let mut out = Vec::new();
    let (mut configuration, mut velocity) = (0, 0);
    for (index, body) in robot.bodies.iter().enumerate() {
        for stage in body.joint.stages() {
            let (size, dof) = (stage.motion.configuration_size(), stage.motion.dof());
            let at = &reference[configuration..configuration + size];
            let ranges: Vec<Range> = match stage.motion {
                Motion::Rotation | Motion::Screw { .. } => {
                    vec![joint_range(mechanism, &body.joint.limits, at[0], 1.0)]
                }
                Motion::Translation => vec![joint_range(mechanism, &body.joint.limits, at[0], length)],
                Motion::Ball => vec![tilt(); 3],
                Motion::Plane => vec![usual(at[0], length), usual(at[1], length), usual(at[2], 1.0)],
                Motion::Free => {
                    let shifts = at[..3].iter().map(|&x| usual(x, length));
                    shifts.chain([tilt(); 3]).collect()
                }
            };
            // Every joint draws its numbers, whether it uses them or not: what stands
            // still does not change the others.
            let mut signals: Vec<Fourier> = ranges
                .iter()
                .map(|range| {
                    Fourier::within(range, simulation.reach, simulation.harmonics, period, &mut random)
                })
                .collect();
            if still.contains(&index) {
                signals.iter_mut().for_each(|signal| signal.scale(0.0));
            }
            let after = stage.after.pose();
            out.push(Stage { motion: stage.motion, after, configuration, velocity, signals });
            configuration += size;
            velocity += dof;
        }
    }
    Ok(out)
}

pub(super) fn joint_range(mechanism: &Mechanism, limits: &Limits, reference: f64, unit: f64) -> Range {
    let mut out = usual(reference, unit);
    if let (Some(lower), Some(upper)) = (limits.lower, limits.upper) {
        // Loops may not reach the middle.
        if mechanism.robot().loops.is_empty() {
            out.centre = 0.5 * (lower + upper);
        }
        let room = (upper - out.centre).min(out.centre - lower);
        if room > 0.0 {
            out.distance = room;
        }
    }
    out.speed = limits.velocity.filter(|v| *v > 0.0).unwrap_or(out.speed);
    out.acceleration = limits.acceleration.filter(|a| *a > 0.0).unwrap_or(out.acceleration);
    out
}

fn usual(centre: f64, unit: f64) -> Range {
    Range { centre, distance: USUAL[0] * unit, speed: USUAL[1] * unit, acceleration: USUAL[2] * unit }
}

fn tilt() -> Range {
    Range { distance: TILT, ..usual(0.0, 1.0) }
}

/// Tree configuration, and velocities and accelerations of the independent coordinates.
fn evaluate(mechanism: &Mechanism, stages: &[Stage], t: f64) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut q = mechanism.reference_tree().to_vec();
    let mut qd = vec![0.0; mechanism.tree_dof()];
    let mut qdd = qd.clone();
    for stage in stages {
        stage.write(t, &mut q, &mut qd, &mut qdd);
    }
    let independent = &mechanism.plan().independent;
    let part = |tree: &[f64]| independent.iter().map(|&k| tree[k]).collect();
    let (qd, qdd) = (part(&qd), part(&qdd));
    (q, qd, qdd)
}

impl Stage {
    fn write(&self, t: f64, q: &mut [f64], qd: &mut [f64], qdd: &mut [f64]) {
        let (c, v) = (self.configuration, self.velocity);
        let x: Vec<[f64; 3]> = self.signals.iter().map(|signal| signal.at(t)).collect();
        match self.motion {
            Motion::Rotation | Motion::Translation | Motion::Screw { .. } => {
                (q[c], qd[v], qdd[v]) = (x[0][0], x[0][1], x[0][2]);
            }
            Motion::Plane => {
                // Velocities are along the moving axes: turned by −θ.
                let (s, co) = x[2][0].sin_cos();
                let turned = |k: usize| [co * x[0][k] + s * x[1][k], co * x[1][k] - s * x[0][k]];
                let (rate, [vx, vy], [ax, ay]) = (x[2][1], turned(1), turned(2));
                for k in 0..3 {
                    q[c + k] = x[k][0];
                }
                qd[v..v + 3].copy_from_slice(&[vx, vy, rate]);
                qdd[v..v + 3].copy_from_slice(&[ax + rate * vy, ay - rate * vx, x[2][2]]);
            }
            Motion::Ball => {
                let turn = Turn::of([x[0], x[1], x[2]]);
                q[c..c + 4].copy_from_slice(&quaternion(&turn.rotation));
                qd[v..v + 3].copy_from_slice(&self.after.rotation.apply_transposed(turn.velocity).0);
                qdd[v..v + 3].copy_from_slice(&self.after.rotation.apply_transposed(turn.acceleration).0);
            }
            Motion::Free => {
                let turn = Turn::of([x[3], x[4], x[5]]);
                for k in 0..3 {
                    q[c + k] = x[k][0];
                }
                q[c + 3..c + 7].copy_from_slice(&quaternion(&turn.rotation));
                // In the moving frame, at the body's origin a: v = Rᵀṗ + ω × a, and its rate.
                let of = |k: usize| turn.rotation.apply_transposed(Vec3([x[0][k], x[1][k], x[2][k]]));
                let (linear, push, a) = (of(1), of(2), self.after.translation);
                let v_linear = linear + turn.velocity.cross(a);
                let a_linear = push - turn.velocity.cross(linear) + turn.acceleration.cross(a);
                let body = |x: Vec3<f64>| self.after.rotation.apply_transposed(x).0;
                qd[v..v + 3].copy_from_slice(&body(v_linear));
                qd[v + 3..v + 6].copy_from_slice(&body(turn.velocity));
                qdd[v..v + 3].copy_from_slice(&body(a_linear));
                qdd[v + 3..v + 6].copy_from_slice(&body(turn.acceleration));
            }
        }
    }
}

fn quaternion(rotation: &Mat3<f64>) -> [f64; 4] {
    let [w, x, y, z] = quaternion_of(rotation);
    [x, y, z, w]
}

/// R = R_x(α) R_y(β) R_z(γ), with angular velocity and acceleration in moving axes.
struct Turn {
    rotation: Mat3<f64>,
    velocity: Vec3<f64>,
    acceleration: Vec3<f64>,
}

impl Turn {
    fn of(angles: [[f64; 3]; 3]) -> Self {
        let mut turn =
            Turn { rotation: Mat3::identity(), velocity: Vec3::zero(), acceleration: Vec3::zero() };
        for (axis, [angle, rate, second]) in angles.into_iter().enumerate() {
            let (s, c) = angle.sin_cos();
            let mut next = Mat3::identity();
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            (next.0[i][i], next.0[i][j], next.0[j][i], next.0[j][j]) = (c, -s, s, c);
            // ω' = Rᵀω + u, ω̇' = Rᵀω̇ + (Rᵀω) × u + u̇ for a turn u = rate · axis that follows.
            let u = Vec3::unit(axis);
            let carried = next.apply_transposed(turn.velocity);
            turn.acceleration =
                next.apply_transposed(turn.acceleration) + carried.cross(u.scale(rate)) + u.scale(second);
            turn.velocity = carried + u.scale(rate);
            turn.rotation = turn.rotation * next;
        }
        turn
    }
}

/// Makes all signals smaller until loops close along the whole motion, away from
/// singularities and within limits.
fn shrink_until_feasible(
    mechanism: &Mechanism,
    stages: &mut [Stage],
    times: &[f64],
) -> Result<(), IdentificationError> {
    let regular = REGULAR * mechanism.passive_pivot_ratio(mechanism.reference_tree());
    let mut why = String::new();
    for _ in 0..SMALLER.1 {
        match trouble(mechanism, stages, times, regular) {
            None => return Ok(()),
            Some(reason) => why = reason,
        }
        stages.iter_mut().flat_map(|stage| &mut stage.signals).for_each(|signal| signal.scale(SMALLER.0));
    }
    Err(IdentificationError::NoMotion {
        what: "loops".to_owned(),
        why,
        remedy: "give the file a [guess] with room to move about".to_owned(),
    })
}

/// What goes wrong along a motion, if anything.
fn trouble(mechanism: &Mechanism, stages: &[Stage], times: &[f64], regular: f64) -> Option<String> {
    let robot = mechanism.robot();
    let step = (times.len() / MOMENTS).max(1);
    let offsets = robot.configuration_offsets();
    if mechanism.takes_tree_configuration() {
        let mut out = Recording {
            count: times.len().min(MOMENTS),
            t: times.iter().step_by(step).copied().collect(),
            ..Recording::default()
        };
        out.count = out.t.len();
        return walk(mechanism, stages, &mut out).err().map(|error| error.to_string());
    }
    let mut last = mechanism.reference_tree().to_vec();
    for &t in times.iter().step_by(step) {
        let (q, ..) = evaluate(mechanism, stages, t);
        let q = mechanism.independent_part(&q);
        last = match mechanism.tree_configuration_from(&q, &last) {
            Ok(closed) => closed,
            Err(error) => return Some(error.to_string()),
        };
        if mechanism.passive_pivot_ratio(&last) < regular {
            return Some(format!("it comes too near a singularity at {t:.2} s"));
        }
        for (body, &at) in robot.bodies.iter().zip(&offsets) {
            let limits = &body.joint.limits;
            let one = body.joint.kind.configuration_size() == 1;
            let beyond = limits.lower.is_some_and(|lower| last[at] < lower)
                || limits.upper.is_some_and(|upper| last[at] > upper);
            if one && beyond {
                return Some(format!("{} leaves its limits at {t:.2} s", body.joint.name));
            }
        }
    }
    None
}

/// Where the independent coordinates cut a quaternion, configurations follow velocities in small steps
/// (midpoint rule) and are closed anew.
fn walk(mechanism: &Mechanism, stages: &[Stage], out: &mut Recording) -> Result<(), IdentificationError> {
    let regular = REGULAR * mechanism.passive_pivot_ratio(mechanism.reference_tree());
    let mut q = mechanism.reference_tree().to_vec();
    let reduce = |q: &[f64], step: &[f64]| -> Result<Vec<f64>, IdentificationError> {
        Ok(mechanism.closure().velocities(mechanism.plan(), q)?.apply(step))
    };
    for k in 0..out.count {
        let t = out.t[k];
        let (_, qd, qdd) = evaluate(mechanism, stages, t);
        if k > 0 {
            let dt = t - out.t[k - 1];
            let (_, middle, _) = evaluate(mechanism, stages, t - 0.5 * dt);
            let step: Vec<f64> = middle.iter().map(|v| v * dt).collect();
            let half: Vec<f64> = step.iter().map(|x| 0.5 * x).collect();
            let midway = mechanism.tree().displaced(&q, &reduce(&q, &half)?);
            let moved = mechanism.tree().displaced(&q, &reduce(&midway, &step)?);
            q = mechanism.tree_configuration_from(&moved, &q)?;
        }
        if mechanism.passive_pivot_ratio(&q) < regular {
            return Err(IdentificationError::NoMotion {
                what: "loops".to_owned(),
                why: format!("they come too near a singularity at {t:.2} s"),
                remedy: "reach less far".to_owned(),
            });
        }
        out.q.extend(&q);
        out.qd.extend(qd);
        out.qdd.extend(qdd);
    }
    Ok(())
}
