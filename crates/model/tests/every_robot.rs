//! Generated code of every tree in the zoo agrees with the library's recursion at 10,000 random states.
//!
//! A few robots every day, all of them, fixed and floating, with `STEINER_THOROUGH`.

mod support;

use steiner_dynamics::Mechanism;
use steiner_model::{Code, CodeError, CodeOptions, ParameterUse, Quantity};
use steiner_robot::{ReadOptions, Robot, read_robot, zoo};
use steiner_scalar::elimination::{Matrix, reduce};
use support::compiled::{Answer, Compiler, PREFIX, State, answers};
use support::{Random, is_thorough};

const STATES: usize = 10_000;

/// Errors of forces relative to the largest force of the state.
const ALLOWED: f64 = 1e-11;

fn robot(name: &str, floating: bool) -> Robot {
    read_robot(name, &ReadOptions { floating, ..ReadOptions::default() }).unwrap()
}

/// The trees of the zoo: (name, floating), serial ones first.
fn trees(every_day: &[(&'static str, bool)]) -> Vec<(&'static str, bool)> {
    if !is_thorough() {
        return every_day.to_vec();
    }
    let is_tree = |name: &str| robot(name, false).loops.is_empty();
    let names: Vec<&str> = zoo::ENTRIES.iter().map(|entry| entry.name).filter(|name| is_tree(name)).collect();
    [false, true].into_iter().flat_map(|floating| names.iter().map(move |&name| (name, floating))).collect()
}

/// What can be generated for a robot: a root without mass has no forward dynamics.
fn quantities(robot: &Robot) -> Vec<Quantity> {
    match Code::new(robot, &CodeOptions::default()) {
        Err(CodeError::SingularMass { .. }) => Quantity::ALL[..4].to_vec(),
        code => code.map(|_| Quantity::ALL.to_vec()).unwrap(),
    }
}

fn states(mechanism: &Mechanism) -> Vec<State> {
    let (mut random, dof) = (Random::new(3), mechanism.dof());
    let mut state = || {
        // Several turns of each joint; a quaternion may have any length.
        let q = random.numbers(mechanism.configuration_size(), 40.0);
        let (qd, qdd) = (random.numbers(dof, 3.0), random.numbers(dof, 9.0));
        let tau = mechanism.inverse_dynamics(&q, &qd, &qdd).unwrap();
        State { q, qd, qdd, tau }
    };
    (0..STATES).map(|_| state()).collect()
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

/// One answer against the recursion; the largest error of each quantity in units of what is allowed.
fn compare(mechanism: &Mechanism, state: &State, answer: &Answer, worst: &mut [f64; 5], name: &str) {
    let mass = mechanism.mass_matrix(&state.q).unwrap();
    let bias = mechanism.inverse_dynamics(&state.q, &state.qd, &vec![0.0; mechanism.dof()]).unwrap();
    // Accelerations come from τ − h, whose terms may cancel.
    let forces = largest(&state.tau).max(largest(&bias));
    for (quantity, found) in answer {
        let (wanted, allowed): (&[f64], f64) = match quantity {
            Quantity::InverseDynamics | Quantity::BaseRegressor => (&state.tau, largest(&state.tau)),
            Quantity::MassMatrix => (mass.entries(), largest(mass.entries())),
            Quantity::BiasForces => (&bias, largest(&bias)),
            // The force error that is allowed, magnified by M⁻¹.
            Quantity::ForwardDynamics => (&state.qdd, mobility_norm(&mass) * forces),
        };
        assert_eq!(found.len(), wanted.len());
        for (k, (a, b)) in found.iter().zip(wanted).enumerate() {
            let error = (a - b).abs() / (ALLOWED * allowed);
            assert!(
                error <= 1.0,
                "{name}: {}[{k}] is {a}, not {b} ({error} of what is allowed)",
                quantity.name()
            );
            worst[*quantity as usize] = worst[*quantity as usize].max(error);
        }
    }
}

fn agrees(compilers: &[Compiler], every_day: &[(&'static str, bool)]) {
    for compiler in compilers.iter().filter(|compiler| compiler.is_there()) {
        for (name, floating) in trees(every_day) {
            let robot = robot(name, floating);
            let mechanism = Mechanism::new(robot.clone()).unwrap();
            let states = states(&mechanism);
            let quantities = quantities(&robot);
            let uses = [ParameterUse::Constants, ParameterUse::Argument];
            for &parameters in &uses[..if is_thorough() { 2 } else { 1 }] {
                let label = format!("{name}{}", if floating { "-floating" } else { "" });
                let mut worst = [0.0; 5];
                let options = CodeOptions {
                    prefix: Some(PREFIX.to_owned()),
                    quantities: quantities.clone(),
                    parameters,
                    ..CodeOptions::default()
                };
                let code = Code::new(&robot, &options).unwrap();
                let found = answers(*compiler, &label, &code, parameters, &states);
                for (state, answer) in states.iter().zip(&found) {
                    compare(&mechanism, state, answer, &mut worst, &label);
                }
                println!(
                    "{label} by {} ({parameters:?}): τ, Yθ, M, h, q̈ within {worst:.3?} of what is allowed",
                    compiler.program()
                );
            }
        }
    }
}

#[test]
fn c_agrees_with_the_recursion() {
    let every_day =
        [("two_link", false), ("puma560", false), ("scara_sr6ia", false), ("panda", false), ("go2", true)];
    agrees(&Compiler::C, &every_day);
}

#[test]
fn rust_agrees_with_the_recursion() {
    agrees(&[Compiler::Rustc], &[("double_pendulum", false), ("gantry", false), ("lbr7", false)]);
}
