//! The nullspace of a tree, decided joint by joint: against all rows of the regressor, and on trees that are
//! too large for these.

mod random;

use std::fmt::Write;

use proptest::prelude::*;
use random::singular_values::independent;
use random::trees::trees;
use random::{Noise, cases, dense, description, mechanism, nullspace_of};
use steiner_dynamics::Mechanism;
use steiner_identifiability::{Question, analyze};

/// The same question with every joint named: decided by the rows of all of them.
fn every_joint(robot: &Mechanism) -> String {
    let names: Vec<&str> = robot.robot().bodies.iter().map(|body| body.joint.name.as_str()).collect();
    format!("joints:{}", names.join(","))
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn joint_by_joint_and_by_all_rows_the_nullspace_is_the_same(tree in trees(6, any::<bool>(), false)) {
        let robot = mechanism(tree.description());
        prop_assume!(!robot.robot().bodies.is_empty());
        let (local, whole) = (nullspace_of(&robot, "all"), nullspace_of(&robot, &every_joint(&robot)));
        prop_assert!(local.certificate.complete && whole.certificate.complete);
        prop_assert_eq!(local.certificate.rank, whole.certificate.rank);
        let mut both = dense(&local);
        both.extend(dense(&whole));
        prop_assert_eq!(independent(&both), local.vectors.len());
    }
}

/// Hinges in all directions, each body on the one that `parent` says.
fn tree(bodies: usize, parent: impl Fn(usize) -> usize, turned: bool) -> String {
    let mut noise = Noise::new(5);
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for k in 0..bodies {
        let mut three = || [0; 3].map(|_| (1000.0 * noise.uniform()).round() / 1000.0);
        let (axis, xyz, turn) = (three(), three(), three());
        let rpy = if turned { turn } else { [0.0; 3] };
        let parent = if k == 0 { "base".to_owned() } else { format!("l{}", parent(k)) };
        let _ = writeln!(
            text,
            "[[body]]\nname = \"l{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\n\
             axis = {axis:?}\nxyz = {xyz:?}\nrpy = {rpy:?}"
        );
    }
    text
}

#[test]
fn long_chains_and_bushes_with_unaligned_axes_are_proven_complete() {
    for turned in [false, true] {
        for (text, bodies) in [(tree(150, |k| k - 1, turned), 150), (tree(150, |k| (k - 1) / 2, turned), 150)]
        {
            let robot = mechanism(description(&text));
            let found = analyze(&robot, &Question::default()).unwrap_or_else(|error| panic!("{error}"));
            let certificate = found.certificate.as_ref().unwrap_or_else(|| panic!("certified"));
            // The first body shows one moment about a fixed axis and two of gravity, each further one seven.
            assert_eq!((certificate.rank, certificate.complete), (7 * bodies - 4, true));
            assert_eq!(certificate.exact_geometry, !turned);
            assert!(found.vectors.iter().all(|vector| vector.bodies.len() <= 2));
            assert_eq!(found.unexplained(), 0);
            // A random combination of all null vectors moves nothing.
            let mut noise = Noise::new(8);
            let mut change = vec![0.0; 10 * bodies];
            for vector in &found.vectors {
                let share = noise.uniform();
                vector.entries.iter().for_each(|&(c, x)| change[c] += share * x);
            }
            let [q, qd, qdd] = [0; 3].map(|_| noise.vector(bodies));
            let forces = |parameters: &[f64]| {
                let found = robot.inverse_dynamics_with(parameters, &q, &qd, &qdd);
                found.unwrap_or_else(|error| panic!("{error}")).iter().fold(0.0, |m: f64, x| m.max(x.abs()))
            };
            let some: Vec<f64> = noise.vector(10 * bodies);
            assert!(forces(&change) < 1e-9 * forces(&some), "{} of {}", forces(&change), forces(&some));
        }
    }
}

/// The arm of the Puma's kind with the third axis `tilt` from parallel to the second and the first `tilt` from
/// gravity.
fn calibrated(tilt: f64) -> String {
    let axes = [[tilt, 0.0, 1.0], [0.0, 1.0, 0.0], [tilt, 1.0, tilt], [0.0, tilt, 1.0]];
    let xyz = [[0.0, 0.0, 0.5], [0.0, 0.1, 0.0], [0.43, 0.0, 0.0], [0.02, 0.0, 0.4]];
    let mut text = String::from("gravity = [0, 0, -9.81]\n");
    for (k, (axis, xyz)) in axes.iter().zip(xyz).enumerate() {
        let parent = if k == 0 { "base".to_owned() } else { format!("l{}", k - 1) };
        let _ = writeln!(
            text,
            "[[body]]\nname = \"l{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\naxis = {axis:?}\nxyz = {xyz:?}"
        );
    }
    text
}

#[test]
fn no_base_parameter_is_named_after_one_that_shows_by_a_misalignment_alone() {
    for tilt in [3e-2, 3e-3, 1e-4, 1e-6] {
        let robot = mechanism(description(&calibrated(tilt)));
        let found = analyze(&robot, &Question::default()).unwrap_or_else(|error| panic!("{error}"));
        for base in &found.regrouping.base {
            for &(column, factor) in &base.terms {
                // Squares of the lengths, times a few bodies; not one over the tilt.
                assert!(
                    factor.abs() < 5.0,
                    "tilt {tilt}: {} takes {factor} of {}",
                    found.labels[base.column],
                    found.labels[column]
                );
            }
        }
    }
}
