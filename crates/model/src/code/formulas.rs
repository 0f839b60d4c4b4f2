//! The formulas: the kernels of `steiner-dynamics`, run once with numbers that record what happens to them.

use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_robot::Robot;
use steiner_scalar::Scalar;
use steiner_symbols::{Expression, Graph, Operations, Order, Traced, count, factor, trace};

use super::drives::Drives;
use super::method::Method;
use super::parameters::Parameter;
use super::recursion::State;

/// What a generated function computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// τ from q, q̇, q̈.
    InverseDynamics,
    /// Y_b with τ = Y_b θ, rows by coordinates, columns by base parameters.
    BaseRegressor,
    /// M(q), by rows.
    MassMatrix,
    /// The forces at q̈ = 0: Coriolis, centrifugal and gravity.
    BiasForces,
    /// q̈ from q, q̇, τ.
    ForwardDynamics,
}

impl Quantity {
    /// All quantities, in the order of the generated file.
    pub const ALL: [Quantity; 5] = [
        Quantity::InverseDynamics,
        Quantity::BaseRegressor,
        Quantity::MassMatrix,
        Quantity::BiasForces,
        Quantity::ForwardDynamics,
    ];

    /// The words of the command line, in the order of [`Quantity::ALL`].
    pub const WORDS: [&'static str; 5] = ["inverse", "regressor", "mass", "bias", "forward"];

    /// All that code of a robot can have: where friction grows with load, accelerations depend on themselves.
    pub fn usual(robot: &Robot, drives: bool) -> Vec<Quantity> {
        let rubs = |body: &steiner_robot::Body| body.joint.friction.further.load != 0.0;
        let implicit = drives && robot.bodies.iter().any(rubs);
        Quantity::ALL.into_iter().filter(|&q| !(implicit && q == Quantity::ForwardDynamics)).collect()
    }

    /// From a word of the command line.
    pub fn worded(word: &str) -> Option<Quantity> {
        Quantity::WORDS.iter().position(|known| *known == word).map(|place| Quantity::ALL[place])
    }

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        Quantity::WORDS[self as usize]
    }

    /// The function's name after that of the robot.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::InverseDynamics => "inverse_dynamics",
            Quantity::BaseRegressor => "base_regressor",
            Quantity::MassMatrix => "mass_matrix",
            Quantity::BiasForces => "bias_forces",
            Quantity::ForwardDynamics => "forward_dynamics",
        }
    }

    /// The arrays it takes, the parameters aside.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Quantity::InverseDynamics | Quantity::BaseRegressor => &["q", "qd", "qdd"],
            Quantity::MassMatrix => &["q"],
            Quantity::BiasForces => &["q", "qd"],
            Quantity::ForwardDynamics => &["q", "qd", "tau"],
        }
    }

    /// The array it fills.
    pub fn result(self) -> &'static str {
        match self {
            Quantity::InverseDynamics => "tau",
            Quantity::BaseRegressor => "Y",
            Quantity::MassMatrix => "M",
            Quantity::BiasForces => "h",
            Quantity::ForwardDynamics => "qdd",
        }
    }

    /// One line about it.
    pub fn summary(self) -> &'static str {
        match self {
            Quantity::InverseDynamics => "Generalised forces tau that go with the accelerations qdd.",
            Quantity::BaseRegressor => "Y with tau = Y theta, by rows: one row for each coordinate.",
            Quantity::MassMatrix => "The mass matrix M, by rows.",
            Quantity::BiasForces => "Generalised forces h at qdd = 0: tau = M qdd + h.",
            Quantity::ForwardDynamics => "Accelerations qdd that generalised forces tau cause.",
        }
    }

    /// Whether it depends on the parameters.
    pub fn takes_parameters(self) -> bool {
        self != Quantity::BaseRegressor
    }
}

/// How the parameters enter the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ParameterUse {
    /// As an argument `theta`, so that they can be estimated or changed.
    Argument,
    /// As constants in the code: the robot's own.
    #[default]
    Constants,
}

/// A quantity as a graph of operations.
#[derive(Clone, Debug)]
pub struct Function {
    /// Quantity that the function computes.
    pub quantity: Quantity,
    /// How its formulas were found.
    pub method: Method,
    /// Expression graph of the outputs.
    pub graph: Graph,
    /// The result, element by element; [`Expression::ZERO`] where it is always zero.
    pub outputs: Vec<Expression>,
}

impl Function {
    /// The order of its statements, as measured: a recursion is best left as it is, a regressor has many
    /// results, and the inner sums of a closed form are best made when they are needed.
    pub(crate) fn order(&self) -> Order {
        match (self.method, self.quantity) {
            (Method::Recursive, Quantity::BaseRegressor) | (Method::Psdm, _) => Order::DepthFirst,
            (Method::Recursive, _) => Order::Recorded,
        }
    }
    /// What one evaluation costs.
    pub fn operations(&self) -> Operations {
        count(&self.graph, &self.outputs)
    }
}

/// Records the formulas of a quantity.
pub(crate) fn formulas(
    mechanism: &Mechanism,
    drives: &Drives,
    parameters: &[Parameter],
    parameter_use: ParameterUse,
    quantity: Quantity,
) -> Result<Function, DynamicsError> {
    let (graph, outputs) = trace(|tracer| {
        let state = State::new(mechanism, drives, tracer)?;
        let values = match parameter_use {
            ParameterUse::Argument => tracer.inputs("theta", parameters.len()),
            ParameterUse::Constants => parameters.iter().map(|p| Traced::from_f64(p.value)).collect(),
        };
        Ok(state
            .results(quantity, parameters, &values)
            .into_iter()
            .map(Traced::expression)
            .collect::<Vec<_>>())
    });
    let outputs = outputs?;
    let (graph, outputs) = factor(&graph, &outputs);
    Ok(Function { quantity, method: Method::Recursive, graph, outputs })
}
