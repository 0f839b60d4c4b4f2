//! Simulated motions are motions: rates are rates, limits hold, loops close, and a seed says all.

use crate::support;
use steiner_identification::{MotionKind, SensorFaults, Simulation, simulate};
use support::{mechanism, thorough};

fn names() -> Vec<&'static str> {
    match thorough() {
        true => steiner_formats::zoo::ENTRIES.iter().map(|entry| entry.name).collect(),
        false => vec!["panda", "go2", "gantry", "four_bar", "palletizer", "stewart"],
    }
}

#[test]
fn velocities_and_accelerations_are_rates() {
    for name in names() {
        let machine = mechanism(name);
        let simulation = Simulation { duration: 0.5, rate: 4000.0, ..Simulation::default() };
        let data = simulate(&machine, &simulation).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (nq, nv, dt) = (machine.configuration_size(), machine.dof(), 1.0 / 4000.0);
        let at = |k: usize| -> Vec<f64> { machine.tree_configuration(&data.q[nq * k..][..nq]).unwrap() };
        for k in [300, 1200, 1700] {
            let q = |k: usize| &data.q[nq * k..][..nq];
            let (qd, qdd) = (&data.qd[nv * k..][..nv], &data.qdd[nv * k..][..nv]);
            let state = machine.feasible(q(k), qd, qdd).unwrap();
            // Along the tree, so that quaternions count: where the velocity leads in
            // two steps must be where it is.
            let tree_step = |sign: f64| -> Vec<f64> {
                let step: Vec<f64> = (0..machine.tree_dof())
                    .map(|i| sign * dt * state.velocity[i] + 0.5 * dt * dt * state.acceleration[i])
                    .collect();
                machine.tree().displaced(&at(k), &step)
            };
            for (sign, other) in [(1.0, at(k + 1)), (-1.0, at(k - 1))] {
                for (i, (a, b)) in tree_step(sign).iter().zip(&other).enumerate() {
                    // Second order in dt, and a quaternion may have the other sign.
                    let wrong = (a - b).abs().min((a + b).abs());
                    let fast = state
                        .velocity
                        .iter()
                        .chain(&state.acceleration)
                        .fold(1.0, |m: f64, x| m.max(x.abs()));
                    assert!(
                        wrong < 30.0 * (dt * fast).powi(3).max(1e-9),
                        "{name} sample {k} coordinate {i}: {wrong:.2e}"
                    );
                }
            }
            for j in 0..nv {
                let rate = (data.qd[nv * (k + 1) + j] - data.qd[nv * (k - 1) + j]) / (2.0 * dt);
                let scale = data.qdd.iter().skip(j).step_by(nv).fold(0.0, |m: f64, x| m.max(x.abs()));
                assert!(
                    (rate - qdd[j]).abs() < 1e-4 * scale + 1e-9,
                    "{name} sample {k} velocity {j}: {rate} {}",
                    qdd[j]
                );
            }
        }
    }
}

#[test]
fn limits_hold_for_all_joints() {
    for name in names() {
        let machine = mechanism(name);
        let data =
            simulate(&machine, &Simulation { duration: 5.0, rate: 50.0, ..Simulation::default() }).unwrap();
        let (nq, nv) = (machine.configuration_size(), machine.dof());
        let offsets = machine.robot().configuration_offsets();
        let mut moved = vec![0.0f64; nv];
        for k in 0..data.count {
            let q = machine.tree_configuration(&data.q[nq * k..][..nq]).unwrap();
            for (body, &at) in machine.robot().bodies.iter().zip(&offsets) {
                let limits = &body.joint.limits;
                if body.joint.kind.configuration_size() == 1 {
                    assert!(
                        limits.lower.is_none_or(|lower| q[at] >= lower - 0.01),
                        "{name} {}",
                        body.joint.name
                    );
                    assert!(
                        limits.upper.is_none_or(|upper| q[at] <= upper + 0.01),
                        "{name} {}",
                        body.joint.name
                    );
                }
            }
            (0..nv).for_each(|j| moved[j] = moved[j].max(data.qd[nv * k + j].abs()));
        }
        for (coordinate, speed) in machine.independent().into_iter().zip(moved) {
            let limit = machine.robot().bodies[coordinate.body.0].joint.limits.velocity;
            assert!(speed > 0.0 && limit.is_none_or(|limit| speed <= limit), "{name}: {speed}");
        }
    }
}

#[test]
fn a_seed_says_all() {
    let arm = mechanism("ur5");
    let faults =
        SensorFaults { relative_force: 0.1, position: 1e-3, force_step: 0.01, ..SensorFaults::default() };
    let simulation = Simulation { duration: 2.0, rate: 100.0, faults, seed: 42, ..Simulation::default() };
    let first = simulate(&arm, &simulation).unwrap();
    assert_eq!(first, simulate(&arm, &simulation).unwrap());
    assert_ne!(first, simulate(&arm, &Simulation { seed: 43, ..simulation }).unwrap());
    assert!(first.tau.iter().all(|x| (x / 0.01 - (x / 0.01).round()).abs() < 1e-6), "in steps of 0.01 N·m");
}

#[test]
fn noise_has_the_size_it_is_asked_to_have() {
    let arm = mechanism("puma560");
    let clean = Simulation { duration: 20.0, rate: 200.0, ..Simulation::default() };
    let truth = simulate(&arm, &clean).unwrap();
    let faults = SensorFaults {
        force: 0.5,
        position: 1e-3,
        velocity: 0.02,
        acceleration: 0.3,
        ..SensorFaults::default()
    };
    let noisy = simulate(&arm, &Simulation { faults, ..clean }).unwrap();
    let spread = |a: &[f64], b: &[f64]| {
        (a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>() / a.len() as f64).sqrt()
    };
    for (found, wanted) in [
        (spread(&truth.tau, &noisy.tau), 0.5),
        (spread(&truth.q, &noisy.q), 1e-3),
        (spread(&truth.qd, &noisy.qd), 0.02),
        (spread(&truth.qdd, &noisy.qdd), 0.3),
    ] {
        assert!((found / wanted - 1.0).abs() < 0.03, "{found} {wanted}");
    }
}

#[test]
fn noisy_sinusoids_are_integrated_within_limits() {
    let arm = mechanism("panda");
    let motion = MotionKind::NoisySinusoids { noise: 0.05 };
    let simulation = Simulation { duration: 10.0, rate: 200.0, motion, ..Simulation::default() };
    let data = simulate(&arm, &simulation).unwrap();
    let (n, dt) = (arm.dof(), 1.0 / 200.0);
    for (j, body) in arm.robot().bodies.iter().enumerate() {
        let column = |values: &[f64]| -> Vec<f64> { values.iter().skip(j).step_by(n).copied().collect() };
        let [q, qd, qdd] = [&data.q, &data.qd, &data.qdd].map(|values| column(values));
        let most = |values: &[f64]| values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for (x, v) in [(&q, &qd), (&qd, &qdd)] {
            for k in 1..x.len() {
                let wrong = (x[k] - x[k - 1] - 0.5 * dt * (v[k - 1] + v[k])).abs();
                assert!(wrong < 1e-3 * dt * most(v) + 1e-12, "{} sample {k}: {wrong:.1e}", body.name);
            }
        }
        let limits = &body.joint.limits;
        assert!(limits.lower.is_none_or(|lower| q.iter().all(|x| *x >= lower)), "{}", body.name);
        assert!(limits.upper.is_none_or(|upper| q.iter().all(|x| *x <= upper)), "{}", body.name);
        assert!(limits.velocity.is_none_or(|limit| most(&qd) <= limit), "{}", body.name);
        assert!(most(&qdd) > 0.0, "{} moves", body.name);
    }
    // Where positions cannot be integrated joint by joint, it says so.
    for (name, why) in [("go2", "more than one coordinate"), ("four_bar", "loops")] {
        let message = simulate(&mechanism(name), &simulation).unwrap_err().to_string();
        assert!(message.contains(why) && message.contains("Fourier"), "{message}");
    }
}
