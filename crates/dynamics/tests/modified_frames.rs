//! Modified Denavit–Hartenberg frames describe the same robot, by parameters Khalil
//! and Kleinfinger would have found.

#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_robot::{NoModifiedFrames, Orientation, Robot};
use support::{Noise, discrepancy, random_configuration};

/// The forces of a robot don't depend on the frames its bodies are described in. False
/// for robots without such frames.
fn assert_same_forces(name: &str, robot: Robot, seed: u64) -> bool {
    let modified = match robot.in_modified_frames() {
        Ok(modified) => modified,
        Err(NoModifiedFrames::Joint { .. }) => return false,
        Err(error) => panic!("{name}: {error}"),
    };
    for (child, body) in modified.bodies.iter().enumerate() {
        let siblings = modified.bodies[..child].iter().filter(|other| other.parent == body.parent).count();
        // An only or eldest child has α, a, θ, d alone: one displacement along x, one along z.
        let floats = body.parent.is_some_and(|p| !modified.bodies[p.0].joint.kind.has_axis());
        if body.parent.is_some() && siblings == 0 && !floats {
            let steps = body.joint.placement.steps();
            assert_eq!(steps.len(), 2, "{name}, {}", body.name);
            assert!(steps[0].xyz[1].is_zero() && steps[0].xyz[2].is_zero(), "{name}, {}", body.name);
            assert!(steps[1].xyz[0].is_zero() && steps[1].xyz[1].is_zero(), "{name}, {}", body.name);
            let Orientation::RollPitchYaw([_, pitch, yaw]) = &steps[0].orientation else { panic!() };
            assert!(pitch.is_zero() && yaw.is_zero(), "{name}, {}", body.name);
        }
    }
    let (first, second) = (Mechanism::new(robot).unwrap(), Mechanism::new(modified).unwrap());
    let mut noise = Noise::new(seed);
    for _ in 0..5 {
        let q = random_configuration(&first, &mut noise, 0.2);
        let mut rates = || -> Vec<f64> { (0..first.dof()).map(|_| noise.uniform()).collect() };
        let (qd, qdd) = (rates(), rates());
        let forces = first.inverse_dynamics(&q, &qd, &qdd).unwrap();
        let again = second.inverse_dynamics(&q, &qd, &qdd).unwrap();
        assert!(discrepancy(&forces, &again) < 1e-11, "{name}: {forces:?} {again:?}");
    }
    true
}

#[test]
fn forces_do_not_depend_on_the_frames() {
    for name in [
        "puma560",
        "kr6",
        "lbr7",
        "panda",
        "ur5",
        "scara_sr6ia",
        "two_link",
        "gantry",
        "four_bar",
        "five_bar",
        "palletizer",
    ] {
        assert!(assert_same_forces(name, read_robot(name, &ReadOptions::default()).unwrap(), 11), "{name}");
    }
    let mut compared = 0;
    for seed in 0..600 {
        let mut noise = Noise::new(400 + seed);
        let bodies = 2 + noise.below(6);
        let robot = random_robot::random_tree(&mut noise, bodies, false, 0);
        compared += usize::from(assert_same_forces(&format!("seed {seed}"), robot, seed));
    }
    assert!(compared > 20, "{compared}");
}

/// The zoo's Puma560 is written in modified frames: they are found again.
#[test]
fn a_robot_in_modified_frames_keeps_them() {
    let puma = read_robot("puma560", &ReadOptions::default()).unwrap();
    let again = puma.in_modified_frames().unwrap();
    for (old, new) in puma.bodies.iter().zip(&again.bodies) {
        let (a, b) = (old.inertia.parameters(), new.inertia.parameters());
        assert!(discrepancy(&a, &b) < 1e-14, "{}: {a:?} {b:?}", old.name);
        let (p, q) = (old.joint.placement.pose(), new.joint.placement.pose());
        assert!(discrepancy(&p.translation.0, &q.translation.0) < 1e-14, "{}", old.name);
    }
    let named: Vec<String> = again.with_named_constants().constants.iter().map(|c| c.name.clone()).collect();
    assert_eq!(named, ["a3", "d3", "a4", "d4"]);
}
