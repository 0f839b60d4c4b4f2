//! Friction beside viscous and Coulomb friction: every term is found where it is, and none where it is not.

use crate::support;
use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{
    FileNote, FrictionTerm, Identification, JointFriction, SensorFaults, Settings, Simulation, identify,
    simulate, write_identified,
};
use steiner_logs::Recording;
use steiner_robot::{Lumped, Robot};
use support::mechanism;

const VISCOUS: f64 = 2.0;
const COULOMB: f64 = 1.5;

/// What one joint of an arm adds to the rigid body's torque, written out once more.
fn friction(term: Option<FrictionTerm>, size: f64, q: f64, v: f64, load: f64) -> f64 {
    let simple = VISCOUS * v + COULOMB * v.signum();
    let more = match term {
        None => 0.0,
        Some(FrictionTerm::Stribeck { speed }) => v.signum() * (-(v * v) / (speed * speed)).exp(),
        Some(FrictionTerm::Root) => v.signum() * v.abs().sqrt(),
        Some(FrictionTerm::Asymmetric) => v.abs(),
        Some(FrictionTerm::Load) => v.signum() * load.abs(),
        Some(FrictionTerm::Harmonic { multiple }) => {
            (f64::from(multiple) * q).sin() - 0.5 * (f64::from(multiple) * q).cos()
        }
    };
    simple + size * more
}

/// An arm whose joints have these terms of a size, with noise in its torques.
fn recorded(arm: &Mechanism, terms: &[(usize, FrictionTerm, f64)], noise: f64, seed: u64) -> Recording {
    let faults = SensorFaults { relative_force: noise, ..SensorFaults::default() };
    let mut data = simulate(arm, &Simulation { seed, drives: false, ..Simulation::default() }).unwrap();
    let noisy = simulate(arm, &Simulation { seed, drives: false, faults, ..Simulation::default() }).unwrap();
    let dof = arm.dof();
    for at in 0..data.tau.len() {
        let own = terms.iter().find(|(joint, ..)| *joint == at % dof);
        let rigid = data.tau[at];
        let more =
            friction(own.map(|own| own.1), own.map_or(0.0, |own| own.2), data.q[at], data.qd[at], rigid);
        data.tau[at] = noisy.tau[at] + more;
    }
    data
}

fn value(found: &Identification, name: &str) -> (f64, f64) {
    let parameter = found.parameters.iter().find(|parameter| parameter.name == name);
    let parameter = parameter.unwrap_or_else(|| panic!("{name} is not among the parameters"));
    (parameter.least_squares, parameter.sigma)
}

#[test]
fn every_term_is_found() {
    let arm = mechanism("ur5");
    let joint = arm.independent_names()[1].clone();
    let cases = [
        (FrictionTerm::Stribeck { speed: 0.2 }, 3.0, "fs"),
        (FrictionTerm::Root, 4.0, "fr"),
        (FrictionTerm::Asymmetric, 1.0, "fa"),
        (FrictionTerm::Load, 0.2, "fl"),
        (FrictionTerm::Harmonic { multiple: 2 }, 2.0, "s2"),
    ];
    for (term, size, name) in cases {
        let data = recorded(&arm, &[(1, term, size)], 0.002, 5);
        let terms = vec![JointFriction { joint: Some(joint.clone()), term }];
        let settings = Settings { friction_terms: terms, ..Settings::default() };
        let found = identify(&arm, &data, &settings).unwrap();
        let (value, sigma) = value(&found, &format!("{joint}.{name}"));
        println!("{term:?}: {value} ± {sigma}");
        assert!((value - size).abs() < 4.0 * sigma, "{term:?}: {value} ± {sigma}, not {size}");
        assert!(sigma < 0.1 * size, "{term:?}: ± {sigma}");
    }
}

#[test]
fn what_is_there_is_chosen_and_nothing_else() {
    let arm = mechanism("ur5");
    let names = arm.independent_names();
    let settings = Settings { choose_friction: true, ..Settings::default() };
    for seed in 0..6 {
        let simple = identify(&arm, &recorded(&arm, &[], 0.03, seed), &settings).unwrap();
        for trials in &simple.friction_trials {
            assert!(trials.chosen.is_empty(), "seed {seed}: {trials:?}");
        }
        assert_eq!(simple.friction_trials.len(), arm.dof());
        let there = [(1, FrictionTerm::Load, 0.15), (2, FrictionTerm::Root, 5.0)];
        let found = identify(&arm, &recorded(&arm, &there, 0.01, seed), &settings).unwrap();
        for (k, trials) in found.friction_trials.iter().enumerate() {
            let right = match k {
                1 => trials.chosen == [FrictionTerm::Load],
                2 => trials.chosen == [FrictionTerm::Root],
                _ => trials.chosen.is_empty(),
            };
            assert!(right, "seed {seed}, {}: {trials:?}", names[k]);
        }
        let (value, sigma) = value(&found, &format!("{}.fl", names[1]));
        assert!((value - 0.15).abs() < 4.0 * sigma, "seed {seed}: {value} ± {sigma}");
    }
}

#[test]
fn unknown_joints_and_nonsense_are_refused() {
    let arm = mechanism("ur5");
    let data = recorded(&arm, &[], 0.01, 1);
    let with = |joint: Option<&str>, term: FrictionTerm| {
        let terms = vec![JointFriction { joint: joint.map(str::to_owned), term }];
        let settings = Settings { friction_terms: terms, ..Settings::default() };
        identify(&arm, &data, &settings).unwrap_err().to_string()
    };
    assert!(with(Some("elbow"), FrictionTerm::Load).contains("elbow"));
    assert!(with(None, FrictionTerm::Harmonic { multiple: 7 }).contains("give 1 or 2"));
}

/// An arm as a URDF, two joints.
const URDF: &str = r#"<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="4"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.08" iyz="0" izz="0.08"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.15 0.02 0"/><mass value="2"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="3" effort="200"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.4 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="3" effort="100"/></joint>
</robot>
"#;

#[test]
fn a_urdf_gets_the_friction_that_is_best_without_further_terms() {
    let folder = std::env::temp_dir().join(format!("steiner-urdf-friction-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, target) = (folder.join("arm.urdf"), folder.join("identified.urdf"));
    std::fs::write(&source, URDF).unwrap();
    let read = |path: &std::path::Path| read_robot(path.to_str().unwrap(), &ReadOptions::default()).unwrap();
    let arm = Mechanism::new(read(&source)).unwrap();
    let data = recorded(&arm, &[(1, FrictionTerm::Root, 8.0)], 0.005, 2);
    let settings = Settings { choose_friction: true, ..Settings::default() };
    let rich = identify(&arm, &data, &settings).unwrap();
    let simple = identify(&arm, &data, &Settings::default()).unwrap();
    assert_eq!(rich.friction_trials[1].chosen, [FrictionTerm::Root]);
    let source = source.to_str().unwrap();
    let notes = write_identified(source, &target, &arm, &rich, Lumped::MovingLink).unwrap();
    let said = notes.iter().any(|note| *note == FileNote::FurtherFriction(vec!["elbow.fr".to_owned()]));
    assert!(said, "{notes:?}");
    let joint = |robot: &Robot| robot.bodies[1].joint.friction;
    let (file, direct, own) = (joint(&read(&target)), joint(&simple.robot), joint(&rich.robot));
    assert!((file.viscous - direct.viscous).abs() < 0.1 * direct.viscous, "{file:?} {direct:?}");
    assert!((file.coulomb - direct.coulomb).abs() < 0.1 * direct.coulomb, "{file:?} {direct:?}");
    // Its own numbers, without √|q̇|, would be far off.
    assert!(
        (own.coulomb - COULOMB).abs() < 0.3 && (file.coulomb - own.coulomb).abs() > 1.0,
        "{own:?} {file:?}"
    );
    assert!((own.further.root - 8.0).abs() < 0.3, "{own:?}");
}

#[test]
fn a_joint_with_an_unknown_gain_gets_its_friction_too() {
    let arm = mechanism("ur5");
    let there: Vec<(usize, FrictionTerm, f64)> =
        (0..arm.dof()).map(|joint| (joint, FrictionTerm::Load, 0.15)).collect();
    let mut data = recorded(&arm, &there, 0.01, 3);
    // A current of 1 A for 4 N·m.
    let dof = arm.dof();
    data.tau.iter_mut().skip(1).step_by(dof).for_each(|force| *force /= 4.0);
    let joint = arm.independent_names()[1].clone();
    let unknown_gains = vec![joint.clone()];
    let settings = Settings { choose_friction: true, unknown_gains, ..Settings::default() };
    let found = identify(&arm, &data, &settings).unwrap();
    assert_eq!(found.friction_trials.len(), dof);
    assert!(found.friction_trials[1].chosen.contains(&FrictionTerm::Load), "{:?}", found.friction_trials[1]);
    for (name, expected) in [("gain", 4.0), ("fl", 0.15)] {
        let (value, sigma) = value(&found, &format!("{joint}.{name}"));
        assert!((value - expected).abs() < 4.0 * sigma, "{name}: {value} ± {sigma}");
    }
}
