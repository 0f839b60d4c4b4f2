//! States with known forces, from the spatial recursion of `steiner-dynamics`: what generated code tests itself with.

use steiner_dynamics::{DynamicsError, Mechanism};

/// A state and its forces by the library's own recursion, in the robot's own parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TestState {
    pub(crate) q: Vec<f64>,
    pub(crate) qd: Vec<f64>,
    pub(crate) qdd: Vec<f64>,
    pub(crate) tau: Vec<f64>,
    /// The forces at qdd = 0.
    pub(crate) bias: Vec<f64>,
}

/// How many states.
const STATES: usize = 3;

/// States that are the same in every run.
pub(crate) fn test_states(mechanism: &Mechanism) -> Result<Vec<TestState>, DynamicsError> {
    let mut seed = 1u64;
    // Three digits are enough for a generic state, and short in the code.
    let mut number = move |size: f64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as f64 / (1u64 << 31) as f64 * 2.0 - 1.0) * size
    };
    let mut numbers = |count: usize, size: f64| -> Vec<f64> {
        (0..count).map(|_| (number(size) * 1e3).round() / 1e3).collect()
    };
    let dof = mechanism.dof();
    let mut states = Vec::with_capacity(STATES);
    for _ in 0..STATES {
        let (q, qd) = (numbers(mechanism.configuration_size(), 2.0), numbers(dof, 3.0));
        let qdd = numbers(dof, 9.0);
        let tau = mechanism.inverse_dynamics(&q, &qd, &qdd)?;
        let bias = mechanism.inverse_dynamics(&q, &qd, &vec![0.0; dof])?;
        states.push(TestState { q, qd, qdd, tau, bias });
    }
    Ok(states)
}

/// The columns of the test, by the names they have in code.
pub(crate) const COLUMNS: [(&str, fn(&TestState) -> &[f64]); 5] = [
    ("q", |state| &state.q),
    ("qd", |state| &state.qd),
    ("qdd", |state| &state.qdd),
    ("tau", |state| &state.tau),
    ("h", |state| &state.bias),
];
