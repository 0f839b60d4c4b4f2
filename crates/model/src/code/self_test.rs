//! States with known forces: what generated code tests itself with.

use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_linalg::Stream;
use steiner_linalg::elimination::Matrix;
use steiner_robot::inertial_count;

use super::drives::Drives;
use super::formulas::Quantity;
use super::solve::solve_leaves_first;

/// A state and its forces by the library's own recursion, or by the model that became code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TestState {
    pub(crate) q: Vec<f64>,
    pub(crate) qd: Vec<f64>,
    pub(crate) qdd: Vec<f64>,
    pub(crate) tau: Vec<f64>,
    /// The forces without further friction: those of Y, and of M and h.
    pub(crate) linear: Vec<f64>,
    /// The same at qdd = 0.
    pub(crate) bias: Vec<f64>,
}

/// How many states.
const STATES: usize = 3;

/// Ten parameters for each of some physically consistent bodies, no two alike: for code whose parameters come
/// from outside, and so for robots whose own are not known.
pub(crate) fn plausible_bodies(bodies: usize) -> Vec<f64> {
    let body = |k: usize| {
        let mass = 1.0 + 0.25 * k as f64;
        let [x, y, z] = [0.05, -0.03 - 0.01 * k as f64, 0.1];
        let [xx, xy, yy] = [0.02 + y * y + z * z, -x * y, 0.03 + x * x + z * z];
        let [xz, yz, zz] = [-x * z, -y * z, 0.025 + x * x + y * y];
        [1.0, x, y, z, xx, xy, yy, xz, yz, zz].map(|moment| mass * moment)
    };
    (0..bodies).flat_map(body).collect()
}

/// States that are the same in every run, with the forces of bodies and drives with these parameters; `in_load` says
/// which rotors count as load.
pub(crate) fn recursive_states(
    mechanism: &Mechanism,
    drives: &Drives,
    in_load: &[bool],
    parameters: &[f64],
) -> Result<Vec<TestState>, DynamicsError> {
    let (bodies, driven) = parameters.split_at(inertial_count(mechanism.robot().bodies.len()));
    test_states(mechanism.configuration_size(), mechanism.dof(), |q, qd, qdd| {
        let bodies = mechanism.inverse_dynamics_with(bodies, q, qd, qdd)?;
        let (mut linear, mut load) = (bodies.clone(), bodies);
        add_drives(mechanism, drives, driven, [q, qd, qdd], &mut linear)?;
        let counted = |(k, x): (usize, &f64)| if k % 4 == 0 && in_load[k / 4] { *x } else { 0.0 };
        let inertias: Vec<f64> = driven.iter().enumerate().map(counted).collect();
        add_drives(mechanism, drives, &inertias, [q, qd, qdd], &mut load)?;
        with_further_friction(mechanism, drives, &load, [q, qd, qdd], linear)
    })
}

/// Forces without further friction and with it; `load` is what inertia and gravity ask of each coordinate.
pub(crate) fn with_further_friction(
    mechanism: &Mechanism,
    drives: &Drives,
    load: &[f64],
    [q, qd, qdd]: [&[f64]; 3],
    linear: Vec<f64>,
) -> Result<Forces, DynamicsError> {
    let mut tau = linear.clone();
    if drives.further.is_empty() {
        return Ok(Forces { linear, tau });
    }
    let (tree, state) = (mechanism.tree_configuration(q)?, mechanism.feasible(q, qd, qdd)?);
    for joint in &drives.further {
        let velocity = state.velocity[joint.velocity];
        let direction = if velocity == 0.0 { 0.0 } else { velocity.signum() };
        let force = joint.friction.force(tree[joint.position], velocity, direction);
        for (row, tau) in tau.iter_mut().enumerate() {
            let by_load = joint.friction.load * direction * load[row].abs();
            *tau += share(&state.reduction, joint.velocity, row) * (force + by_load);
        }
    }
    Ok(Forces { linear, tau })
}

/// Forces without further friction and with it.
pub(crate) struct Forces {
    linear: Vec<f64>,
    tau: Vec<f64>,
}

/// The same states, with any forces.
pub(crate) fn test_states<E>(
    configuration_size: usize,
    dof: usize,
    forces: impl Fn(&[f64], &[f64], &[f64]) -> Result<Forces, E>,
) -> Result<Vec<TestState>, E> {
    let mut stream = Stream::new(1);
    // Three digits are enough for a generic state, and short in the code.
    let mut numbers = |count: usize, size: f64| -> Vec<f64> {
        (0..count).map(|_| (stream.uniform() * size * 1e3).round() / 1e3).collect()
    };
    let mut states = Vec::with_capacity(STATES);
    for _ in 0..STATES {
        let (q, qd) = (numbers(configuration_size, 2.0), numbers(dof, 3.0));
        let qdd = numbers(dof, 9.0);
        let Forces { linear, tau } = forces(&q, &qd, &qdd)?;
        let bias = forces(&q, &qd, &vec![0.0; dof])?.linear;
        states.push(TestState { q, qd, qdd, tau, linear, bias });
    }
    Ok(states)
}

/// The forces of drives, seen from the independent coordinates.
pub(crate) fn add_drives(
    mechanism: &Mechanism,
    drives: &Drives,
    parameters: &[f64],
    [q, qd, qdd]: [&[f64]; 3],
    tau: &mut [f64],
) -> Result<(), DynamicsError> {
    let state = mechanism.feasible(q, qd, qdd)?;
    for (&k, drive) in drives.velocities.iter().zip(parameters.chunks(4)) {
        let (velocity, acceleration) = (state.velocity[k], state.acceleration[k]);
        let direction = if velocity == 0.0 { 0.0 } else { velocity.signum() };
        let force = drive[0] * acceleration + drive[1] * velocity + drive[2] * direction + drive[3];
        let movers = tau.iter_mut().enumerate();
        movers.for_each(|(row, tau)| *tau += share(&state.reduction, k, row) * force);
    }
    Ok(())
}

/// How a velocity of the tree follows an independent one.
fn share(reduction: &Option<Matrix<f64>>, tree: usize, row: usize) -> f64 {
    match reduction {
        Some(z) => z[(tree, row)],
        None => f64::from(u8::from(tree == row)),
    }
}

/// The mass matrix of a robot and its drives.
pub(crate) fn mass_with_drives(
    mechanism: &Mechanism,
    drives: &Drives,
    q: &[f64],
) -> Result<Matrix<f64>, DynamicsError> {
    let (bodies, still) = (mechanism.mass_matrix(q)?, vec![0.0; mechanism.dof()]);
    let z = mechanism.feasible(q, &still, &still)?.reduction;
    Ok(Matrix::from_fn(still.len(), still.len(), |r, c| {
        let drives = drives.velocities.iter().zip(drives.own().step_by(4));
        drives.fold(bodies[(r, c)], |sum, (&k, inertia)| sum + share(&z, k, r) * inertia * share(&z, k, c))
    }))
}

/// Whether forces determine accelerations at these states.
pub(crate) fn has_forward_dynamics<E>(
    states: &[TestState],
    mass: impl Fn(&[f64]) -> Result<Matrix<f64>, E>,
) -> Result<bool, E> {
    for TestState { q, qdd, linear, bias, .. } in states {
        let driving: Vec<f64> = linear.iter().zip(bias).map(|(tau, h)| tau - h).collect();
        let found = solve_leaves_first(&mass(q)?, &driving);
        let wrong =
            |(found, wanted): (&f64, &f64)| (found - wanted).is_nan() || (found - wanted).abs() > 1e-6;
        if found.iter().zip(qdd).any(wrong) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The columns with which a quantity is tested. All need the forces, which say what error is small.
pub(crate) fn columns_for(quantity: Quantity, further_friction: bool) -> &'static [&'static str] {
    match quantity {
        Quantity::BaseRegressor if further_friction => &["q", "qd", "qdd", "tau", "linear"],
        Quantity::MassMatrix if further_friction => &["q", "qdd", "tau", "linear", "h"],
        Quantity::InverseDynamics | Quantity::BaseRegressor | Quantity::ForwardDynamics => {
            &["q", "qd", "qdd", "tau"]
        }
        Quantity::MassMatrix => &["q", "qdd", "tau", "h"],
        Quantity::BiasForces => &["q", "qd", "tau", "h"],
    }
}

/// A column of the test: its name in code, and where it is.
type TestColumn = (&'static str, fn(&TestState) -> &[f64]);

/// The columns of the test.
pub(crate) const COLUMNS: [TestColumn; 6] = [
    ("q", |state| &state.q),
    ("qd", |state| &state.qd),
    ("qdd", |state| &state.qdd),
    ("tau", |state| &state.tau),
    ("linear", |state| &state.linear),
    ("h", |state| &state.bias),
];
