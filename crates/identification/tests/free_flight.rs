//! A floating robot without recorded contacts: identified if it flies, refused if something carries it.

use crate::support;
use steiner_identification::{
    ContactWrench, IdentificationError, Settings, SimulatedContact, Simulation, identify, simulate,
};
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_logs::Recording;
use support::{mechanism, sensors};

/// The robot swings its legs in the air: the joints move as given, the root as its six equations ask.
fn flight(robot: &steiner_dynamics::Mechanism, seconds: f64) -> Recording {
    let (dof, step) = (robot.dof(), 2e-3);
    let mut q = robot.tree().neutral();
    let mut qd = vec![0.0; dof];
    (qd[2], qd[3], qd[4]) = (2.0, 0.7, -0.4);
    let mut noise = steiner_linalg::Stream::new(5);
    let mut out = Recording { measured: vec![true; dof], ..Recording::default() };
    for sample in 0..(seconds / step) as usize {
        let t = sample as f64 * step;
        let mut qdd = vec![0.0; dof];
        for joint in 6..dof {
            let (size, speed) = (0.3 + 0.03 * joint as f64, 5.0 + 0.9 * joint as f64);
            let phase = speed * t + joint as f64;
            q[joint + 1] = size * phase.sin();
            (qd[joint], qdd[joint]) = (size * speed * phase.cos(), -size * speed * speed * phase.sin());
        }
        let mass = robot.mass_matrix(&q).unwrap();
        let without = robot.inverse_dynamics(&q, &qd, &qdd).unwrap();
        let mut root = Matrix::<f64>::zeros(6, 7);
        for r in 0..6 {
            (0..6).for_each(|c| root[(r, c)] = mass[(r, c)]);
            root[(r, 6)] = -without[r];
        }
        let solved = reduce(root, 6, 1e-12);
        solved.pivots.iter().enumerate().for_each(|(r, &c)| qdd[c] = solved.reduced[(r, 6)]);
        let mut tau = robot.inverse_dynamics(&q, &qd, &qdd).unwrap();
        // Nothing pushes the root, to the last digit.
        tau[..6].fill(0.0);
        out.t.push(t);
        out.q.extend(&q);
        out.qd.extend(&qd);
        out.qdd.extend(qdd.iter().map(|a| a + 1e-3 * noise.uniform()));
        out.tau.extend(&tau);
        out.count += 1;
        (0..6).for_each(|k| qd[k] += step * qdd[k]);
        let delta: Vec<f64> = qd.iter().map(|v| step * v).collect();
        q = robot.tree().displaced(&q, &delta);
    }
    out
}

/// The robot on one foot, without a word of what the foot feels.
fn standing(robot: &steiner_dynamics::Mechanism) -> Recording {
    let foot = SimulatedContact { link: "RL_foot".to_owned(), wrench: ContactWrench::Carries };
    let simulation = Simulation {
        duration: 10.0,
        rate: 100.0,
        drives: false,
        contacts: vec![foot],
        ..Simulation::default()
    };
    Recording { contacts: Vec::new(), ..simulate(robot, &simulation).unwrap() }
}

#[test]
fn a_robot_that_flies_is_identified_without_contacts() {
    let robot = mechanism("go2");
    let found = identify(&robot, &flight(&robot, 3.0), &Settings { drives: false, ..Settings::default() });
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    let mass = found.all[..10 * robot.robot().bodies.len()].iter().step_by(10).sum::<f64>();
    assert!((mass - 16.085).abs() < 0.01, "{mass}");
}

#[test]
fn a_robot_that_stands_is_not_taken_for_one_that_flies() {
    let robot = mechanism("go2");
    let log = standing(&robot);
    for measure in ["all", "base-wrench"] {
        let settings = Settings { measure: sensors(measure), ..Settings::default() };
        match identify(&robot, &log, &settings) {
            Err(IdentificationError::Carried { falls, .. }) => assert!(falls.abs() < 25.0, "{falls}"),
            other => panic!("{measure}: {:?}", other.map(|found| found.training.model.total)),
        }
    }
}

#[test]
fn whoever_says_that_it_flies_is_believed() {
    let robot = mechanism("go2");
    let settings = Settings { free_flight: true, ..Settings::default() };
    assert!(identify(&robot, &standing(&robot), &settings).is_ok());
    // The six equations alone tell ratios of masses, and no mass.
    let settings = Settings { measure: sensors("base-wrench"), ..settings };
    let error = identify(&robot, &flight(&robot, 1.0), &settings).unwrap_err();
    assert_eq!(error, IdentificationError::NoScaleInFlight);
    let joints = Settings { measure: sensors("joints:FL_hip,FL_thigh"), ..Settings::default() };
    assert!(identify(&robot, &standing(&robot), &joints).is_ok());
}
