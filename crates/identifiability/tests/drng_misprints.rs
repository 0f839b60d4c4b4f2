//! Where the algorithms of [sun2025] are printed wrong: what the print would claim, what the equations say,
//! and that the regressor agrees with the equations.

mod support;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Measurement, NullVector, Principle, drng_nullspace, structural_nullspace};
use support::drng::compared;
use support::{dense, mechanism, rank};

/// The largest change of a generalised force that a change of parameters makes, over a few motions.
fn force(mechanism: &Mechanism, change: &[(&str, f64)]) -> f64 {
    let labels = mechanism.robot().labels();
    let mut parameters = vec![0.0; labels.len()];
    for (label, value) in change {
        parameters[labels.iter().position(|other| other == label).unwrap()] = *value;
    }
    let mut largest = 0.0f64;
    for sample in 0..5 {
        let numbers = |start: f64, count: usize| -> Vec<f64> {
            (0..count).map(|k| (start + 1.7 * k as f64 + 2.3 * sample as f64).sin()).collect()
        };
        let (q, dof) = (numbers(0.4, mechanism.configuration_size()), mechanism.dof());
        let y = mechanism.regressor(&q, &numbers(1.1, dof), &numbers(2.9, dof)).unwrap();
        largest = y.apply(&parameters).iter().fold(largest, |most, x| most.max(x.abs()));
    }
    largest
}

fn vanishes(mechanism: &Mechanism, change: &[(&str, f64)]) -> bool {
    force(mechanism, change) < 1e-12
}

fn labelled<'l>(labels: &'l [String], vector: &NullVector) -> Vec<(&'l str, f64)> {
    vector.entries.iter().map(|&(column, x)| (labels[column].as_str(), x)).collect()
}

#[test]
fn algorithm_1_line_9_a_free_body_shares_nothing_with_the_base() {
    let trunk = mechanism("[[body]]\nname = \"trunk\"\nparent = \"base\"\njoint = \"floating\"\n");
    assert!(!vanishes(&trunk, &[("trunk.m", 1.0)]));
    assert_eq!(compared("trunk", &trunk), (0, 0));
}

/// A joint about or along an axis at the tip of the previous body.
fn link(name: &str, parent: &str, joint: &str, axis: &str) -> String {
    format!(
        "[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\naxis = {axis}\nxyz = [0.4, 0, 0]\n"
    )
}

/// Algorithm 2 as printed, for a chain of R (with the direction of its axis at
/// zero) and P (with zero): is_pr.
fn printed_planar_rotations(directions: &[[f64; 3]]) -> Vec<bool> {
    let crossed = |a: [f64; 3], b: [f64; 3]| {
        let k = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        [k(1, 2), k(2, 0), k(0, 1)]
    };
    let mut planar = Vec::new();
    for i in 0..directions.len() {
        planar.push(i == 0 || (planar[i - 1] && crossed(directions[i], directions[i - 1]) == [0.0; 3]));
    }
    planar
}

#[test]
fn algorithm_2_line_8_a_prismatic_joint_does_not_hide_the_rotation_before_it() {
    let chain = |last: &str| {
        mechanism(
            &[
                link("a", "base", "revolute", "[0, 0, 1]"),
                link("b", "a", "prismatic", "[0, 0, 1]"),
                link("c", "b", "revolute", last),
            ]
            .concat(),
        )
    };
    // L_d of the P joint is zero, so that any axis behind it passes for parallel, and (83b) claims the
    // product of inertia across the axis of c.
    let skew = chain("[0, 1, 0]");
    assert_eq!(printed_planar_rotations(&[[0.0, 0.0, 1.0], [0.0; 3], [0.0, 1.0, 0.0]]), [true; 3]);
    assert!(force(&skew, &[("c.Ixz", 1.0)]) > 0.1);
    let claims_c =
        |vector: &NullVector| vector.principle() == Principle::PlanarRotation && vector.bodies == [2];
    assert!(!drng_nullspace(&skew).unwrap().iter().any(claims_c));
    assert_eq!(compared("skew", &skew).1, 0);
    // Compared with d_pr, an axis that is parallel still passes.
    let parallel = chain("[0, 0, -1]");
    assert!(vanishes(&parallel, &[("c.Ixy", 1.0)]));
    assert_eq!(drng_nullspace(&parallel).unwrap().iter().filter(|vector| claims_c(vector)).count(), 4);
    assert_eq!(compared("parallel", &parallel).1, 0);
}

#[test]
fn algorithm_3_what_the_child_gains_the_parent_loses() {
    let arm = mechanism(
        &[
            "gravity = [0, -9.81, 0]\n".to_owned(),
            link("a", "base", "revolute", "[0, 0, 1]"),
            link("b", "a", "revolute", "[0, 0, 1]"),
        ]
        .concat(),
    );
    // A point mass at the elbow, 0.4 m along a.
    let of_a = [("a.m", 1.0), ("a.mx", 0.4), ("a.Iyy", 0.16), ("a.Izz", 0.16)];
    let with = |sign: f64| of_a.map(|(label, x)| (label, sign * x)).into_iter().chain([("b.m", 1.0)]);
    // Lines 7 and 9 print one sign for both, (60) has opposite ones.
    assert!(force(&arm, &with(1.0).collect::<Vec<_>>()) > 1.0);
    assert!(vanishes(&arm, &with(-1.0).collect::<Vec<_>>()));
    let labels = arm.robot().labels();
    let found = drng_nullspace(&arm).unwrap();
    let elbow = found.iter().find(|v| labelled(&labels, v).contains(&("b.m", 1.0))).unwrap();
    assert_eq!(labelled(&labels, elbow).len(), 5);
    for (label, x) in labelled(&labels, elbow) {
        let (_, expected) = with(-1.0).find(|(other, _)| *other == label).unwrap();
        assert!((x - expected).abs() < 1e-15, "{label}: {x}");
    }
}

#[test]
fn algorithm_4_line_13_first_moments_of_a_spherical_pendulum_hide_without_gravity() {
    let pendulum = |gravity: &str| {
        mechanism(&format!(
            "gravity = {gravity}\n[[body]]\nname = \"bob\"\nparent = \"base\"\njoint = \"spherical\"\n"
        ))
    };
    let (heavy, weightless) = (pendulum("[0, 0, -9.81]"), pendulum("[0, 0, 0]"));
    // Printed: (72) if G ≠ 0.
    assert!(force(&heavy, &[("bob.mx", 1.0)]) > 1.0);
    assert!(vanishes(&weightless, &[("bob.mx", 1.0)]));
    assert_eq!(compared("heavy", &heavy), (1, 0));
    assert_eq!(compared("weightless", &weightless), (4, 0));
}

#[test]
fn algorithm_4_line_25_shared_points_are_not_counted_twice() {
    let pendulum = mechanism("[[body]]\nname = \"bob\"\nparent = \"base\"\njoint = \"spherical\"\n");
    let found = dense(&drng_nullspace(&pendulum).unwrap(), 10);
    // Under gravity principle 2 adds nothing to a spherical joint, yet line 25
    // appends j_null, still that of line 8.
    let printed = [found.clone(), found.clone()].concat();
    assert_eq!((printed.len(), rank(&printed, 10)), (2, 1));
    assert_eq!(found.len(), 1);
}

#[test]
fn algorithm_4_line_42_neither_are_fixed_points() {
    // A first link on rails is planar (is_pr = 1) and at the base: no branch of lines 29 to 41 is its own,
    // and line 42 appends (73) a second time.
    let cart = mechanism(&link("cart", "base", "prismatic", "[1, 0, 0]"));
    let found = drng_nullspace(&cart).unwrap();
    let fixed = |vector: &&NullVector| vector.entries.iter().all(|(column, _)| (1..4).contains(column));
    assert_eq!(found.iter().filter(fixed).count(), 3);
    assert_eq!(compared("cart", &cart), (9, 0));
}

#[test]
fn algorithm_4_lines_47_to_50_loops_stand_behind_the_bodies() {
    let four_bar = support::named("four_bar");
    let found = drng_nullspace(&four_bar).unwrap();
    let nullity = structural_nullspace(&four_bar, &Measurement::all()).unwrap().vectors.len();
    let of = |joint: &str| found.iter().filter(|vector| vector.joint() == Some(joint)).count();
    assert_eq!((found.len(), of("b3"), of("closure")), (nullity, 7, 1));
    // Printed, B_null{i} with i = n left over from the bodies: the last body's vectors would be overwritten.
    let overwritten: Vec<NullVector> =
        found.iter().filter(|vector| vector.joint() != Some("b3")).cloned().collect();
    assert_eq!(rank(&dense(&overwritten, 30), 30), nullity - 7);
}

#[test]
fn equation_84_says_nothing_before_the_first_rotation() {
    // d_pr is zero along a chain of P joints: (84) would be a zero vector, while (89) and (90) are true.
    let gantry = mechanism(
        &[link("x", "base", "prismatic", "[1, 0, 0]"), link("y", "x", "prismatic", "[0, 1, 0]")].concat(),
    );
    let found = drng_nullspace(&gantry).unwrap();
    assert!(found.iter().all(|vector| !vector.entries.is_empty()));
    assert_eq!(compared("gantry", &gantry), (17, 1));
    // The one it misses.
    assert!(vanishes(&gantry, &[("y.my", 1.0)]));
}
