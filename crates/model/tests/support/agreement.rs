//! Whether compiled code agrees with forces and masses that come from elsewhere.

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_model::{Code, CodeOptions, ParameterUse, Quantity};
use steiner_robot::Robot;

use super::Random;
use super::compiled::{Answer, Compiler, PREFIX, State, answers};

/// Errors of forces relative to the largest force of the state.
const ALLOWED: f64 = 1e-11;

/// What must come out at a state.
pub(crate) struct Truth {
    pub(crate) state: State,
    pub(crate) bias: Vec<f64>,
    pub(crate) mass: Matrix<f64>,
}

/// Forces at (q, q̇, q̈), or the mass matrix at q.
pub(crate) trait Physics {
    fn forces(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64>;
    fn mass(&self, q: &[f64]) -> Matrix<f64>;
}

/// The library's recursion: rigid bodies alone.
impl Physics for Mechanism {
    fn forces(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64> {
        self.inverse_dynamics(q, qd, qdd).unwrap()
    }
    fn mass(&self, q: &[f64]) -> Matrix<f64> {
        self.mass_matrix(q).unwrap()
    }
}

/// Random states: several turns of each joint, quaternions of any length.
pub(crate) fn truths(mechanism: &Mechanism, physics: &impl Physics, count: usize) -> Vec<Truth> {
    let (mut random, dof) = (Random::new(3), mechanism.dof());
    let mut truth = || {
        let q = random.numbers(mechanism.configuration_size(), 40.0);
        let (qd, qdd) = (random.numbers(dof, 3.0), random.numbers(dof, 9.0));
        let tau = physics.forces(&q, &qd, &qdd);
        let bias = physics.forces(&q, &qd, &vec![0.0; dof]);
        Truth { mass: physics.mass(&q), bias, state: State { q, qd, qdd, tau } }
    };
    (0..count).map(|_| truth()).collect()
}

/// Generates, compiles and runs the code of a robot, and compares all it computes.
pub(crate) fn agree(compiler: Compiler, label: &str, robot: &Robot, options: &CodeOptions, truths: &[Truth]) {
    let options = CodeOptions { prefix: Some(PREFIX.to_owned()), ..options.clone() };
    let code = Code::new(robot, &options).unwrap();
    code_agrees(compiler, label, &code, options.parameters, truths);
}

/// Compiles and runs code whose names start with [`PREFIX`], and compares all it computes.
pub(crate) fn code_agrees(
    compiler: Compiler,
    label: &str,
    code: &Code,
    parameters: ParameterUse,
    truths: &[Truth],
) {
    let states: Vec<State> = truths.iter().map(|truth| truth.state.clone()).collect();
    let mut worst = [0.0; Quantity::ALL.len()];
    for (truth, answer) in truths.iter().zip(answers(compiler, label, code, parameters, &states)) {
        compare(truth, &answer, &mut worst, label);
    }
    let compiler = compiler.program();
    println!("{label} by {compiler} ({parameters:?}): τ, Yθ, M, h, q̈ within {worst:.3?} of what is allowed");
}

/// One answer; the largest error of each quantity in units of what is allowed.
fn compare(truth: &Truth, answer: &Answer, worst: &mut [f64], label: &str) {
    let Truth { state, bias, mass } = truth;
    // Accelerations come from τ − h, whose terms may cancel.
    let forces = largest(&state.tau).max(largest(bias));
    for (quantity, found) in answer {
        let (wanted, allowed): (&[f64], f64) = match quantity {
            Quantity::InverseDynamics | Quantity::BaseRegressor => (&state.tau, largest(&state.tau)),
            Quantity::MassMatrix => (mass.entries(), largest(mass.entries())),
            Quantity::BiasForces => (bias, largest(bias)),
            // The force error that is allowed, magnified by M⁻¹.
            Quantity::ForwardDynamics => (&state.qdd, mobility_norm(mass) * forces),
        };
        assert_eq!(found.len(), wanted.len());
        for (k, (a, b)) in found.iter().zip(wanted).enumerate() {
            let error = (a - b).abs() / (ALLOWED * allowed);
            let name = quantity.name();
            assert!(error <= 1.0, "{label}: {name}[{k}] is {a}, not {b} ({error} of what is allowed)");
            let most = &mut worst[*quantity as usize];
            *most = most.max(error);
        }
    }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// ‖M⁻¹‖∞: what becomes of an error in forces.
fn mobility_norm(mass: &Matrix<f64>) -> f64 {
    let n = mass.rows();
    let beside = Matrix::from_fn(n, 2 * n, |r, c| match c.checked_sub(n) {
        None => mass[(r, c)],
        Some(c) => f64::from(u8::from(r == c)),
    });
    let solved = reduce(beside, n, 0.0);
    assert_eq!(solved.pivots.len(), n);
    (0..n).map(|r| solved.reduced.row(r)[n..].iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}
