//! The first property: Y·π = inverse dynamics, by two code paths.

#[path = "support/random_robot.rs"]
mod random_robot;
#[path = "support/mod.rs"]
mod support;

use steiner_dynamics::{Mechanism, link_frame_inverse_dynamics};
use steiner_formats::{ReadOptions, read_robot, zoo};
use support::{Noise, discrepancy, random_configuration};

fn check(mechanism: &Mechanism, noise: &mut Noise, states: usize, size: f64) {
    let pi = mechanism.robot().parameters();
    for _ in 0..states {
        let q = random_configuration(mechanism, noise, size);
        let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
        let y = mechanism.regressor(&q, &qd, &qdd).unwrap_or_else(|error| panic!("{error}"));
        let tau = mechanism.inverse_dynamics(&q, &qd, &qdd).unwrap_or_else(|error| panic!("{error}"));
        let wrong = discrepancy(&tau, &y.apply(&pi));
        assert!(wrong < 1e-10, "{}: {wrong}", mechanism.robot().name);
        // And in link frames, linear in the parameters.
        let state = mechanism.feasible(&q, &qd, &qdd).unwrap();
        let bodies = pi.as_chunks::<10>().0;
        let (tree, poses) = (mechanism.tree(), &state.poses);
        let forces = link_frame_inverse_dynamics(tree, bodies, poses, &state.velocity, &state.acceleration);
        let forces = state.reduction.as_ref().map_or(forces.clone(), |z| z.transpose().apply(&forces));
        assert!(discrepancy(&tau, &forces) < 1e-10, "{}", mechanism.robot().name);
        // And with the mass matrix: τ(q̈) − τ(0) = M q̈.
        let still = vec![0.0; mechanism.dof()];
        let bias = mechanism.inverse_dynamics(&q, &qd, &still).unwrap();
        let inertial: Vec<f64> = tau.iter().zip(&bias).map(|(a, b)| a - b).collect();
        let mass = mechanism.mass_matrix(&q).unwrap();
        assert!(discrepancy(&inertial, &mass.apply(&qdd)) < 1e-9, "{}", mechanism.robot().name);
        // Energy rows: mass matrix and gravity force are linear in the parameters.
        let rows = mechanism.energy_rows(&q).unwrap();
        let entries = rows.mass.apply(&pi);
        let upper: Vec<f64> = (0..mechanism.dof())
            .flat_map(|j| (j..mechanism.dof()).map(move |k| (j, k)))
            .map(|jk| mass[jk])
            .collect();
        assert!(discrepancy(&upper, &entries) < 1e-10, "{}", mechanism.robot().name);
        let gravity = mechanism.gravity_force(&q).unwrap();
        let scale = discrepancy(&gravity, &rows.gravity.apply(&pi));
        assert!(
            scale < 1e-10 || gravity.iter().all(|g| g.abs() < 1e-9),
            "{}: {scale}",
            mechanism.robot().name
        );
    }
}

#[test]
fn random_trees_of_all_joint_kinds_obey_the_identity() {
    for seed in 0..64 {
        let mut noise = Noise::new(seed);
        let bodies = 1 + noise.below(9);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 3 == 0, 0);
        check(&Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}")), &mut noise, 3, 1.5);
    }
}

#[test]
fn random_couplings_obey_the_identity() {
    for seed in 0..64 {
        let mut noise = Noise::new(1000 + seed);
        let bodies = 3 + noise.below(8);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 2 == 0, 3);
        check(&Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}")), &mut noise, 3, 1.0);
    }
}

#[test]
fn the_whole_zoo_obeys_the_identity() {
    for entry in zoo::ENTRIES {
        let robot = read_robot(entry.name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        check(&mechanism, &mut Noise::new(5), 5, 0.3);
    }
}

#[test]
fn the_reference_mechanisms_obey_the_identity() {
    let Some(folder) = support::reference("mechanisms") else { return };
    for path in support::files(&folder) {
        let mut noise = Noise::new(11);
        let robot = support::with_random_inertias(support::read(&path), &mut noise);
        check(&Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}")), &mut noise, 3, 0.3);
    }
}
