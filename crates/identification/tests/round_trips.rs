//! From a simulated log back to the parameters it was made with.

use crate::support;
use std::io::Write;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{Problem, Settings, Simulation, identify, simulate};
use steiner_robot::{CentredInertia, PseudoInertia, Robot};
use support::{thorough, truth, with_drives, worst_error, zoo};

fn round_trip(name: &str, mechanism: &Mechanism) -> f64 {
    let simulation = Simulation { duration: 8.0, rate: 100.0, seed: 3, ..Simulation::default() };
    let data = simulate(mechanism, &simulation).unwrap_or_else(|error| panic!("{name}: {error}"));
    let settings = Settings::default();
    let found = identify(mechanism, &data, &settings).unwrap_or_else(|error| panic!("{name}: {error}"));
    let problem = Problem::new(mechanism, &settings).unwrap();
    let truth = truth(&found, &problem);
    assert_eq!(found.excitation.rank, truth.len(), "{name}: the motion shows all");
    let error = worst_error(&found, &truth);
    eprintln!(
        "{name:16} {:3} base parameters, error {error:.1e}, condition {:.0}, residual {:.1e}",
        truth.len(),
        found.excitation.condition_number,
        found.training.least_squares.total
    );
    assert!(error < 1e-7, "{name}: {error:.3e}");
    assert!(found.is_consistent(), "{name}: {:?}", found.consistency);
    error
}

#[test]
fn without_noise_every_base_parameter_comes_back() {
    let names: Vec<&str> = match thorough() {
        true => steiner_formats::zoo::ENTRIES.iter().map(|entry| entry.name).collect(),
        false => vec!["two_link", "puma560", "panda", "go2", "five_bar", "delta"],
    };
    for name in names {
        round_trip(name, &with_drives(zoo(name)));
    }
}

#[test]
fn the_reference_mechanisms_come_back() {
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/mechanisms");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        // Past the test harness, which hides what passing tests print.
        let _ = writeln!(
            std::io::stderr().lock(),
            "skipped: the reference mechanisms are not beside the project"
        );
        return;
    };
    let mut paths: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    // One has loops that cut a quaternion, the others gears; all of them take a while.
    let few = ["rssr", "gear", "rotor"];
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !thorough() && !few.iter().any(|part| name.contains(part)) {
            continue;
        }
        let mut robot = read_robot(&path.to_string_lossy(), &ReadOptions::default()).unwrap().into_parts();
        for (k, body) in robot.bodies.iter_mut().enumerate().filter(|(_, body)| body.inertia.mass == 0.0) {
            body.inertia = PseudoInertia::from_centred(&CentredInertia {
                mass: 1.0 + 0.3 * k as f64,
                com: [0.1, 0.02 * k as f64, -0.05],
                tensor: [0.02, 0.001, 0.03, 0.002, 0.0, 0.025],
            });
        }
        round_trip(&name, &with_drives(Robot::from_parts(robot).unwrap()));
    }
}

#[test]
fn every_kind_of_joint_moves_and_comes_back() {
    let machine = support::written(
        r#"
name = "all-joints"
[[body]]
name = "raft"
parent = "base"
joint = "planar"
axis = [0.1, 0, 1]
frame = { xyz = [0.1, 0, 0.2], rpy = [0, 0, 0.3] }
inertia = { mass = 3, com = [0.1, 0, 0.1], tensor = [0.05, 0, 0.06, 0.01, 0, 0.07] }
[[body]]
name = "ball"
parent = "raft"
joint = "spherical"
xyz = [0.3, 0, 0.1]
frame = { xyz = [0.05, 0.1, 0], rpy = [0.2, 0.1, 0.4] }
inertia = { mass = 2, com = [0.1, 0.05, 0.1], tensor = [0.03, 0, 0.04, 0.01, 0, 0.05] }
[[body]]
name = "cross"
parent = "ball"
joint = "universal"
axis = [1, 0, 0]
axis2 = [0, 1, 0.2]
xyz = [0.2, 0.1, 0]
inertia = { mass = 1.5, com = [0.0, 0.05, 0.1], tensor = [0.03, 0, 0.02, 0.0, 0, 0.03] }
[[body]]
name = "sleeve"
parent = "cross"
joint = "cylindrical"
axis = [0, 0.3, 1]
xyz = [0, 0.1, 0.2]
inertia = { mass = 1.0, com = [0.02, 0.05, 0.1], tensor = [0.02, 0, 0.02, 0.0, 0, 0.01] }
[[body]]
name = "screw"
parent = "sleeve"
joint = "helical"
pitch = 0.05
axis = [1, 0, 0]
xyz = [0, 0.1, 0.1]
inertia = { mass = 0.5, com = [0.02, 0.05, 0.05], tensor = [0.01, 0, 0.012, 0.0, 0, 0.008] }
[[body]]
name = "free"
parent = "base"
joint = "floating"
frame = { xyz = [0.1, 0.1, 0], rpy = [0.3, 0, 0.2] }
inertia = { mass = 0.7, com = [0.02, 0.05, 0.05], tensor = [0.01, 0, 0.012, 0.0, 0, 0.008] }
"#,
    );
    round_trip("all joints", &with_drives(machine.robot().clone()));
}
