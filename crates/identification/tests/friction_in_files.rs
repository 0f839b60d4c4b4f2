//! Friction beside viscous and Coulomb friction in robot files: simulated, identified, written, read and compared.

use crate::support;
use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot, write_toml};
use steiner_identification::{
    FileNote, FrictionTerm, JointFriction, PayloadEstimator, PayloadSettings, SensorFaults, Settings,
    Simulation, identify, simulate, write_identified,
};
use steiner_robot::{Friction, FurtherFriction, Lumped, Robot, Stribeck};
use support::carried::{feed, load, loaded, with_tool};
use support::compared::compare;
use support::{mechanism, zoo};

fn everything() -> FurtherFriction {
    FurtherFriction {
        load: 0.08,
        root: 1.3,
        asymmetric: 0.4,
        stribeck: Stribeck { force: 2.5, speed: 0.15 },
        harmonics: [[0.7, -0.5], [0.3, 0.2]],
    }
}

/// An arm with all terms in its second joint, load in the others, rotors and simple friction everywhere.
fn rubbing(name: &str) -> Robot {
    let load = FurtherFriction { load: 0.05, ..FurtherFriction::default() };
    let change = |parts: &mut steiner_robot::RobotParts| {
        for (k, body) in parts.bodies.iter_mut().enumerate() {
            body.joint.rotor_inertia = 0.3 - 0.04 * k as f64;
            let further = if k == 1 { everything() } else { load };
            body.joint.friction = Friction { further, ..Friction::simple(1.5, 0.8, 0.1) };
        }
    };
    zoo(name).changed(change).unwrap()
}

fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("steiner-friction-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn read(path: &std::path::Path) -> Mechanism {
    Mechanism::new(read_robot(path.to_str().unwrap(), &ReadOptions::default()).unwrap()).unwrap()
}

#[test]
fn what_a_file_states_is_simulated_and_identified() {
    let robot = rubbing("ur5");
    let arm = Mechanism::new(robot.clone()).unwrap();
    let log = simulate(&arm, &Simulation { rate: 200.0, duration: 30.0, ..Simulation::default() }).unwrap();
    // The file says which terms there are, and has other numbers.
    let other = robot
        .changed(|parts| {
            let further = &mut parts.bodies[1].joint.friction.further;
            (further.load, further.root, further.stribeck.force) = (0.3, 4.0, 0.1);
            further.harmonics = [[0.1, 0.1], [-0.2, 0.4]];
        })
        .unwrap();
    let found = identify(&Mechanism::new(other).unwrap(), &log, &Settings::default()).unwrap();
    println!("{:?}", found.robot.bodies[1].joint.friction);
    assert!(found.training.model.total < 1e-3, "{}", found.training.model.total);
    for body in [0, 1, 5] {
        let (a, b) = (robot.bodies[body].joint.friction, found.robot.bodies[body].joint.friction);
        let pairs = [(a.further.load, b.further.load), (a.further.root, b.further.root)];
        let pairs = pairs.into_iter().chain([(a.further.stribeck.force, b.further.stribeck.force)]);
        for (truth, value) in pairs.chain([(a.viscous, b.viscous), (a.coulomb, b.coulomb)]) {
            assert!((truth - value).abs() < 0.02 * truth.abs() + 0.01, "{truth} {value}");
        }
    }
}

#[test]
fn a_native_file_gives_the_residual_that_was_identified() {
    let truth = Mechanism::new(rubbing("ur5")).unwrap();
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let log = simulate(&truth, &Simulation { rate: 200.0, duration: 30.0, faults, ..Simulation::default() });
    let (log, arm) = (log.unwrap(), mechanism("ur5"));
    let joint = |k: usize| Some(arm.robot().bodies[k].joint.name.clone());
    let second = [
        FrictionTerm::Root,
        FrictionTerm::Asymmetric,
        FrictionTerm::Stribeck { speed: 0.15 },
        FrictionTerm::Harmonic { multiple: 1 },
        FrictionTerm::Harmonic { multiple: 2 },
    ];
    let mut friction_terms = vec![JointFriction::of_all(FrictionTerm::Load)];
    friction_terms.extend(second.map(|term| JointFriction { joint: joint(1), term }));
    let found = identify(&arm, &log, &Settings { friction_terms, ..Settings::default() }).unwrap();
    let target = place("identified.toml");
    let notes = write_identified("ur5", &target, &arm, &found, Lumped::MovingLink).unwrap();
    assert!(!notes.iter().any(|note| matches!(note, FileNote::NoPlace(_))), "{notes:?}");
    let written = read(&target);
    for (a, b) in found.robot.bodies.iter().zip(&written.robot().bodies) {
        assert_eq!(a.joint.friction, b.joint.friction, "{}", a.name);
    }
    let compared = compare(&arm, &written, &log, &Settings::default());
    let (residual, again) = (found.training.model.total, compared.as_written.total[1]);
    println!("identified {residual}, from the file {again}");
    assert!((again / residual - 1.0).abs() < 0.02, "{residual} {again}");
    // What simulates from the file predicts the forces of the truth.
    let simulated = simulate(&written, &Simulation { rate: 200.0, duration: 30.0, ..Simulation::default() });
    let (a, b) = (simulated.unwrap().tau, log.tau);
    let rms = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    let off = rms(&mut a.iter().zip(&b).map(|(a, b)| a - b)) / rms(&mut b.iter().copied());
    assert!((off / residual - 1.0).abs() < 0.1, "{off}");
}

#[test]
fn a_native_file_states_all_terms() {
    let robot = rubbing("ur5");
    let text = write_toml(&robot.description).unwrap();
    // The description has them only where it was changed with the bodies.
    assert!(!text.contains("stribeck"), "{text}");
    let new = steiner_robot::NewDrive {
        joint: robot.bodies[1].joint.name.clone(),
        rotor_inertia: 0.2,
        friction: robot.bodies[1].joint.friction,
    };
    let new = steiner_robot::NewDynamics { inertias: Vec::new(), drives: vec![new] };
    let robot = robot.with_dynamics(&new).unwrap();
    let target = place("all_terms.toml");
    std::fs::write(&target, write_toml(&robot.description).unwrap()).unwrap();
    assert_eq!(read(&target).robot().bodies[1].joint.friction, robot.bodies[1].joint.friction);
}

#[test]
fn a_payload_is_found_on_an_arm_with_all_its_friction() {
    let robot = with_tool(&rubbing("panda"));
    let log =
        simulate(&loaded(&robot, &load()), &Simulation { rate: 250.0, ..Simulation::default() }).unwrap();
    let arm = Mechanism::new(robot).unwrap();
    let mut estimator = PayloadEstimator::new(&arm, "tool", PayloadSettings::default()).unwrap();
    feed(&mut estimator, &log, 7);
    let found = estimator.estimate().unwrap();
    assert!((found.inertia.mass - load().mass).abs() < 1e-6, "{}", found.inertia.mass);
    // One log at once: friction is the file's.
    let settings = Settings { payload: Some("tool".to_owned()), ..Settings::default() };
    let batch = identify(&arm, &log, &settings).unwrap();
    assert!(batch.training.model.total < 1e-4, "{}", batch.training.model.total);
}
