//! The formulas: the kernels of `steiner-dynamics`, run once with numbers that record what happens to them.

use steiner_dynamics::{
    DynamicsError, Feasible, Mechanism, SpatialInertia, Tree, link_frame_inverse_dynamics, regressor,
    tree_mass_matrix,
};
use steiner_scalar::{Field, Scalar};
use steiner_symbols::{Expression, Graph, Operations, Order, Traced, Tracer, count, factor, trace};

use super::method::Method;
use super::parameters::Parameter;
use super::solve::solve_leaves_first;

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
    /// All of them.
    pub const ALL: [Quantity; 5] = [
        Quantity::InverseDynamics,
        Quantity::BaseRegressor,
        Quantity::MassMatrix,
        Quantity::BiasForces,
        Quantity::ForwardDynamics,
    ];

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
    /// What it computes.
    pub quantity: Quantity,
    /// How its formulas were found.
    pub method: Method,
    /// The formulas.
    pub graph: Graph,
    /// The result, element by element; [`Expression::ZERO`] where it is always zero.
    pub outputs: Vec<Expression>,
}

impl Function {
    /// The order of its statements, as measured: a recursion is best left as it is, a regressor has many results, and the
    /// inner sums of a closed form are best made when they are needed.
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
    parameters: &[Parameter],
    parameter_use: ParameterUse,
    quantity: Quantity,
) -> Result<Function, DynamicsError> {
    let (graph, outputs) = trace(|tracer| {
        let state = State::new(mechanism, tracer)?;
        let values = match parameter_use {
            ParameterUse::Argument => tracer.inputs("theta", parameters.len()),
            ParameterUse::Constants => parameters.iter().map(|p| Traced::from_f64(p.value)).collect(),
        };
        let results = match quantity {
            Quantity::BaseRegressor => state.base_regressor(mechanism, parameters),
            _ => state.forces(quantity, &by_body(mechanism, parameters, &values)),
        };
        Ok(results.into_iter().map(Traced::expression).collect::<Vec<_>>())
    });
    let outputs = outputs?;
    let (graph, outputs) = factor(&graph, &outputs);
    Ok(Function { quantity, method: Method::Recursive, graph, outputs })
}

/// Ten parameters for each body: the base parameters where they belong, zero for those they have absorbed.
fn by_body(mechanism: &Mechanism, parameters: &[Parameter], values: &[Traced]) -> Vec<[Traced; 10]> {
    let mut all = vec![[Traced::zero(); 10]; mechanism.robot().bodies.len()];
    for (parameter, &value) in parameters.iter().zip(values) {
        all[parameter.column / 10][parameter.column % 10] = value;
    }
    all
}

/// A symbolic state of a tree.
struct State<'t> {
    tracer: &'t Tracer,
    tree: Tree<Traced>,
    poses: Vec<steiner_robot::Pose<Traced>>,
}

impl<'t> State<'t> {
    fn new(mechanism: &Mechanism, tracer: &'t Tracer) -> Result<Self, DynamicsError> {
        let tree = Tree::<Traced>::new(mechanism.robot())?;
        let mut poses = Vec::new();
        tree.poses_at(&tracer.inputs("q", tree.configuration_size), &mut poses);
        Ok(State { tracer, tree, poses })
    }

    fn rates(&self, array: &str) -> Vec<Traced> {
        self.tracer.inputs(array, self.tree.dof)
    }

    fn base_regressor(&self, mechanism: &Mechanism, parameters: &[Parameter]) -> Vec<Traced> {
        let state = Feasible {
            poses: self.poses.clone(),
            velocity: self.rates("qd"),
            acceleration: self.rates("qdd"),
            reduction: None,
        };
        let y = regressor(&self.tree, mechanism.layout(), &state);
        (0..y.rows())
            .flat_map(|row| parameters.iter().map(move |p| (row, p.column)))
            .map(|at| y[at])
            .collect()
    }

    fn forces(&self, quantity: Quantity, bodies: &[[Traced; 10]]) -> Vec<Traced> {
        let inverse = |qdd: &[Traced]| {
            link_frame_inverse_dynamics(&self.tree, bodies, &self.poses, &self.rates("qd"), qdd)
        };
        let mass = || {
            let inertias: Vec<_> = bodies.iter().map(SpatialInertia::from_scalars).collect();
            tree_mass_matrix(&self.tree, &inertias, &self.poses)
        };
        let still = vec![Traced::zero(); self.tree.dof];
        match quantity {
            Quantity::InverseDynamics => inverse(&self.rates("qdd")),
            Quantity::BiasForces => inverse(&still),
            Quantity::MassMatrix => mass().entries().to_vec(),
            Quantity::ForwardDynamics => {
                let driving: Vec<Traced> =
                    self.rates("tau").iter().zip(inverse(&still)).map(|(&tau, h)| tau - h).collect();
                solve_leaves_first(&mass(), &driving)
            }
            Quantity::BaseRegressor => Vec::new(),
        }
    }
}
