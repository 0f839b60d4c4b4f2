//! Examples 1–6 of the PSDM paper: the two-link planar arm. Misprints repaired: the rows of (54) are not in
//! the order of (53), example 6 prints s₂q̇₁² twice, and (19) has a wrong sign.

mod support;

use std::collections::BTreeSet;

use steiner_linalg::elimination::{Matrix, reduce};
use steiner_model::{Acceleration, Function, JointMotion, Psdm, SearchSpace};
use support::{named, simplified_two_link};

const MOTIONS: [JointMotion; 2] = [JointMotion::Revolute; 2];
const A1: f64 = 1.2;
const A2: f64 = 1.1;

/// The functions of (53), as columns of E: exponents of q, s, c, q̇, q̈ (example 4).
const Y: [(&str, [u8; 10]); 10] = [
    ("q̈1", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]),
    ("c2 q̈1", [0, 0, 0, 0, 0, 1, 0, 0, 1, 0]),
    ("q̈2", [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    ("c2 q̈2", [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]),
    ("s2 q̇1²", [0, 0, 0, 1, 0, 0, 2, 0, 0, 0]),
    ("s2 q̇2²", [0, 0, 0, 1, 0, 0, 0, 2, 0, 0]),
    ("s2 q̇1 q̇2", [0, 0, 0, 1, 0, 0, 1, 1, 0, 0]),
    ("s1 s2 g", [0, 0, 1, 1, 0, 0, 0, 0, 0, 0]),
    ("c1 g", [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]),
    ("c1 c2 g", [0, 0, 0, 0, 1, 1, 0, 0, 0, 0]),
];

fn place(model: &Psdm, name: &str) -> usize {
    let exponents = Y.iter().find(|(other, _)| *other == name).unwrap().1;
    let function = Function::from_exponents(&exponents, &MOTIONS).unwrap();
    model.functions().iter().position(|other| *other == function).unwrap()
}

/// A function's row of P_i, dense.
fn row(model: &Psdm, joint: usize, name: &str) -> Vec<f64> {
    let mut out = vec![0.0; model.parameters().len()];
    model.reduction(joint).row(place(model, name)).for_each(|(k, x)| out[k] = x);
    out
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
}

#[test]
fn examples_1_and_2_the_sets_of_functions_have_the_published_sizes() {
    assert_eq!(Acceleration::all(2).len(), 6);
    let order_2 = SearchSpace::of(&MOTIONS).functions;
    assert_eq!((order_2, order_2 / 6.0), (216.0, 36.0));
}

#[test]
fn example_3_the_forces_have_the_parameters_of_euler_and_lagrange() {
    let model = simplified_two_link();
    let robot = named("two_link");
    let [first, second] = [0, 1].map(|k| {
        let p = robot.robot().bodies[k].inertia.parameters();
        // m, m r_x, and I_zz about the body's origin.
        (p[0], p[1] / p[0], p[9])
    });
    let about_joint = |(m, r, izz): (f64, f64, f64), a: f64| izz - m * r * r + m * (a + r) * (a + r);
    let arm = second.0 * (A2 + second.1);
    let izz2 = about_joint(second, A2);
    let izz1 = about_joint(first, A1) + izz2 + A1 * A1 * second.0;
    let weight = second.0 * A1 + first.0 * (A1 + first.1);
    let expected = [
        [izz1, izz2],
        [2.0 * A1 * arm, A1 * arm],
        [izz2, izz2],
        [A1 * arm, 0.0],
        [0.0, A1 * arm],
        [-A1 * arm, 0.0],
        [-2.0 * A1 * arm, 0.0],
        [-arm, -arm],
        [weight, 0.0],
        [arm, arm],
    ];
    let theta = model.nominal();
    for ((name, _), expected) in Y.iter().zip(expected) {
        let found = [0, 1].map(|joint| row(&model, joint, name).iter().zip(&theta).map(|(p, t)| p * t).sum());
        assert!(close(&found, &expected), "{name}: {found:?} {expected:?}");
    }
}

#[test]
fn example_4_the_exponent_matrix() {
    let published: BTreeSet<Vec<u8>> = Y.iter().map(|(_, e)| e.to_vec()).collect();
    let found: BTreeSet<Vec<u8>> = simplified_two_link().exponents().into_iter().collect();
    assert_eq!(found, published);
}

#[test]
fn example_5_the_reduction_matrices_relate_the_functions_as_published() {
    // (54) with its rows in the order they were computed in: gravity, then accelerations, then velocities.
    let rows: [(&str, [f64; 4], [f64; 4]); 10] = [
        ("c1 g", [1.0, 0.0, 0.0, 0.0], [0.0; 4]),
        ("s1 s2 g", [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]),
        ("c1 c2 g", [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, -1.0]),
        ("q̈1", [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]),
        ("c2 q̈1", [0.0, 0.0, 0.0, -2.4], [0.0, 0.0, 0.0, -1.2]),
        ("q̈2", [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0]),
        ("c2 q̈2", [0.0, 0.0, 0.0, -1.2], [0.0; 4]),
        ("s2 q̇1²", [0.0; 4], [0.0, 0.0, 0.0, -1.2]),
        ("s2 q̇2²", [0.0, 0.0, 0.0, 1.2], [0.0; 4]),
        ("s2 q̇1 q̇2", [0.0, 0.0, 0.0, 2.4], [0.0; 4]),
    ];
    let model = simplified_two_link();
    // The paper's θ in ours: the factors of the functions it kept.
    let theta = ["c1 g", "q̈1", "q̈2", "s1 s2 g"].map(|name| row(&model, 0, name));
    let matrix = Matrix::from_fn(4, 4, |r, c| theta[r][c]);
    assert_eq!(reduce(matrix, 4, 1e-9).rank(), 4, "both are base parameters");
    for (name, first, second) in rows {
        for (joint, published) in [first, second].into_iter().enumerate() {
            let mapped: Vec<f64> = (0..4).map(|c| (0..4).map(|k| published[k] * theta[k][c]).sum()).collect();
            assert!(close(&row(&model, joint, name), &mapped), "joint {joint}, {name}");
        }
    }
}

#[test]
fn example_6_the_mass_matrix_and_the_induced_forces() {
    let model = simplified_two_link();
    let theta = model.nominal();
    let factor = |joint: usize, name: &str| -> f64 {
        row(&model, joint, name).iter().zip(&theta).map(|(p, t)| p * t).sum()
    };
    let [t1, t2, t3, t4] = ["c1 g", "q̈1", "q̈2", "s1 s2 g"].map(|name| factor(0, name));
    let arm = model.calibrate(&theta).unwrap();
    let (q, qd) = ([0.7f64, -1.3], [0.4, 0.9]);
    let (s1, c1, s2, c2) = (q[0].sin(), q[0].cos(), q[1].sin(), q[1].cos());
    let coupling = t3 - A1 * c2 * t4;
    let mass = arm.mass_matrix(&q).unwrap();
    assert!(close(mass.entries(), &[t2 - 2.0 * A1 * c2 * t4, coupling, coupling, t3]));
    let g = model.gravity();
    let weight = (s1 * s2 - c1 * c2) * g * t4;
    let induced = [
        c1 * g * t1 + weight + A1 * t4 * s2 * (qd[1] * qd[1] + 2.0 * qd[0] * qd[1]),
        weight - A1 * t4 * s2 * qd[0] * qd[0],
    ];
    assert!(close(&arm.bias(&q, &qd).unwrap(), &induced));
}
