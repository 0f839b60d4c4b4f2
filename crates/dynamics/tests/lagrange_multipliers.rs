//! Closed loops: forces of the independent coordinates against Lagrange multipliers in a mechanics
//! of the test's own (support/classical.rs), in which every derivative is a difference along a
//! closed path in extended precision.

#[path = "support/classical.rs"]
mod classical;
#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use classical::Classical;
use steiner_dynamics::Mechanism;
use support::{Noise, closed_mechanisms, discrepancy, random_configuration};

/// Forces of a random state, ours and the classical ones: largest difference over the largest force.
fn disagreement(mechanism: &Mechanism, noise: &mut Noise, size: f64) -> f64 {
    let classical = Classical::new(mechanism.robot());
    let start = random_configuration(mechanism, noise, size);
    let tree = mechanism.tree_configuration(&start).unwrap_or_else(|error| panic!("{error}"));
    let q = mechanism.independent_part(&tree);
    let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
    let motion = classical.motion(&tree, &mechanism.plan().independent, &qd, &qdd);
    let y = mechanism.regressor(&q, &qd, &qdd).unwrap_or_else(|error| panic!("{error}"));
    discrepancy(&motion.forces(), &y.apply(&mechanism.robot().parameters()))
}

#[test]
fn loops_of_the_zoo_and_the_references_carry_the_forces_their_multipliers_say() {
    for (name, mechanism, mut noise) in closed_mechanisms(21) {
        for _ in 0..2 {
            let wrong = disagreement(&mechanism, &mut noise, 0.25);
            println!("{name}: {wrong:.1e}");
            assert!(wrong < 1e-11, "{name}: {wrong:e}");
        }
    }
}

#[test]
fn random_chains_closed_by_every_kind_of_loop_joint_agree_with_their_multipliers() {
    for (index, kind) in random_robot::LOOP_KINDS.iter().enumerate() {
        for seed in 0..6 {
            let mut noise = Noise::new(6000 + 100 * index as u64 + seed);
            let chain = random_robot::loop_chain(&mut noise, kind);
            let robot = random_robot::random_loop(&mut noise, &chain, kind);
            let mechanism =
                Mechanism::new(robot).unwrap_or_else(|error| panic!("{kind} {seed} {chain:?}: {error}"));
            println!("{kind} {seed} {chain:?} {:?}", mechanism.independent_names());
            let wrong = disagreement(&mechanism, &mut noise, 0.2);
            assert!(wrong < 1e-9, "{kind} {seed} {chain:?}: {wrong:e}");
        }
    }
}

#[test]
fn random_trees_without_loops_agree_with_the_classical_forces() {
    for seed in 0..24 {
        let mut noise = Noise::new(4000 + seed);
        let bodies = 1 + noise.below(7);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 3 == 0, 0);
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        let wrong = disagreement(&mechanism, &mut noise, 1.5);
        assert!(wrong < 1e-12, "seed {seed}: {wrong:e}");
    }
}

#[test]
fn random_couplings_agree_with_their_multipliers() {
    for seed in 0..16 {
        let mut noise = Noise::new(5000 + seed);
        let bodies = 3 + noise.below(5);
        let robot = random_robot::random_tree(&mut noise, bodies, seed % 2 == 0, 2);
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        let wrong = disagreement(&mechanism, &mut noise, 1.0);
        assert!(wrong < 1e-11, "seed {seed}: {wrong:e}");
    }
}

#[test]
fn power_spent_by_the_independent_forces_is_the_rate_of_the_total_energy() {
    for (name, mechanism, mut noise) in closed_mechanisms(77) {
        let classical = Classical::new(mechanism.robot());
        let start = random_configuration(&mechanism, &mut noise, 0.25);
        let tree = mechanism.tree_configuration(&start).unwrap_or_else(|error| panic!("{error}"));
        let q = mechanism.independent_part(&tree);
        let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
        let motion = classical.motion(&tree, &mechanism.plan().independent, &qd, &qdd);
        let tau = mechanism.inverse_dynamics(&q, &qd, &qdd).unwrap();
        let terms: Vec<f64> = tau.iter().zip(&qd).map(|(f, v)| f * v).collect();
        let spent: f64 = terms.iter().sum();
        let scale = terms.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
        let gained = motion.power();
        assert!((spent - gained).abs() < 1e-10 * scale, "{name}: {spent} against {gained}");
        // ½ q̇ᵀMq̇ is the kinetic energy of all bodies.
        let mass = mechanism.mass_matrix(&q).unwrap().apply(&qd);
        let terms: Vec<f64> = mass.iter().zip(&qd).map(|(p, v)| 0.5 * p * v).collect();
        let scale = terms.iter().fold(1e-3, |most: f64, x| most.max(x.abs()));
        let kinetic = steiner_scalar::Real::to_f64(motion.energies(0.0).0);
        assert!((terms.iter().sum::<f64>() - kinetic).abs() < 1e-10 * scale, "{name}: {kinetic}");
    }
}
