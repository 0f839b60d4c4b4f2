//! A robot's functions, ready to be written down in some language.

use steiner_dynamics::Mechanism;
use steiner_robot::Robot;
use steiner_symbols::{Expression, Node, Precision, identifier};

use super::closed_form::ClosedForm;
use super::coordinates::Coordinates;
use super::drives::Drives;
use super::error::CodeError;
use super::formulas::{Function, ParameterUse, Quantity, formulas};
use super::parameters::{Parameter, base_parameters};
use super::self_test::{
    TestState, add_drives, has_forward_dynamics, mass_with_drives, plausible_bodies, recursive_states,
    test_states, with_further_friction,
};
use crate::error::ModelError;
use crate::psdm::Psdm;

/// What to generate: functions, parameters and number type.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeOptions {
    /// What every name in the code starts with; the robot's name if `None`. Made an identifier either way.
    pub prefix: Option<String>,
    /// Functions to generate.
    pub quantities: Vec<Quantity>,
    /// How the parameters enter.
    pub parameters: ParameterUse,
    /// The width of numbers.
    pub precision: Precision,
    /// Whether joints with one degree of freedom have drives: τ += Ia q̈ + fv q̇ + fc sign(q̇) + offset.
    pub drives: bool,
}

impl Default for CodeOptions {
    fn default() -> Self {
        CodeOptions {
            prefix: None,
            quantities: Quantity::ALL.to_vec(),
            parameters: ParameterUse::default(),
            precision: Precision::default(),
            drives: false,
        }
    }
}

impl CodeOptions {
    /// The quantities in the order of [`Quantity::ALL`], each once.
    fn sorted_quantities(&self) -> Result<Vec<Quantity>, CodeError> {
        let mut quantities = self.quantities.clone();
        quantities.sort_unstable();
        quantities.dedup();
        if quantities.is_empty() { Err(CodeError::NothingAsked) } else { Ok(quantities) }
    }
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Name of the file, without a folder.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

/// Formulas of a robot in its base parameters.
#[derive(Clone, Debug)]
pub struct Code {
    pub(crate) prefix: String,
    pub(crate) robot_name: String,
    pub(crate) coordinates: Coordinates,
    pub(crate) gravity: [f64; 3],
    pub(crate) parameter_use: ParameterUse,
    pub(crate) precision: Precision,
    pub(crate) has_drives: bool,
    pub(crate) has_further_friction: bool,
    pub(crate) tests: Vec<TestState>,
    /// The parameters the test states were computed with.
    pub(crate) test_theta: Vec<f64>,
    /// The base parameters, in the order of `theta` and of the columns of Y.
    pub parameters: Vec<Parameter>,
    /// The functions, in the order of [`Quantity::ALL`].
    pub functions: Vec<Function>,
}

impl Code {
    /// Derives the formulas of a robot: a tree, on a fixed or floating base, whose joints may be coupled.
    pub fn new(robot: &Robot, options: &CodeOptions) -> Result<Self, CodeError> {
        check(robot)?;
        let quantities = options.sorted_quantities()?;
        let mechanism = Mechanism::new(robot.clone())?;
        if mechanism.dof() == 0 {
            return Err(CodeError::NothingMoves { robot: robot.name.clone() });
        }
        if mechanism.takes_tree_configuration() {
            return Err(CodeError::CoupledPlane { robot: robot.name.clone() });
        }
        let drives = Drives::of(robot, options.drives);
        let parameters = base_parameters(&mechanism, &drives)?;
        let test_parameters: Vec<f64> = match options.parameters {
            ParameterUse::Constants => robot.parameters().into_iter().chain(drives.own()).collect(),
            ParameterUse::Argument => {
                plausible_bodies(robot.bodies.len()).into_iter().chain(drives.plausible()).collect()
            }
        };
        let in_load = drives.rotors_in_load(&parameters);
        let tests = recursive_states(&mechanism, &drives, &in_load, &test_parameters)?;
        let wants_forward = quantities.contains(&Quantity::ForwardDynamics);
        if wants_forward {
            check_load_friction(robot, &drives)?;
        }
        if wants_forward
            && options.parameters == ParameterUse::Constants
            && !has_forward_dynamics(&tests, |q| mass_with_drives(&mechanism, &drives, q))?
        {
            return Err(CodeError::SingularMass { robot: robot.name.clone() });
        }
        let functions = quantities
            .iter()
            .map(|&quantity| formulas(&mechanism, &drives, &parameters, options.parameters, quantity))
            .collect::<Result<_, _>>()?;
        Code {
            prefix: identifier(options.prefix.as_deref().unwrap_or(&robot.name)),
            robot_name: robot.name.clone(),
            coordinates: Coordinates::of(&mechanism)?,
            gravity: mechanism.tree().gravity.0,
            parameter_use: options.parameters,
            precision: options.precision,
            has_drives: !drives.is_empty(),
            has_further_friction: !drives.further.is_empty(),
            test_theta: parameters.iter().map(|p| p.value_with(&test_parameters)).collect(),
            tests,
            parameters,
            functions,
        }
        .checked()
    }

    /// Nests the functions of a closed form, with its nominal parameters as constants or all as an argument.
    /// `robot` is the one it was derived from; a model with drives gets their friction as well (and keeps a
    /// weight that an offset could stand for). What the code is tested with are the forces of the model
    /// itself, which may be a reduced one.
    pub fn closed_form(robot: &Robot, model: &Psdm, options: &CodeOptions) -> Result<Self, CodeError> {
        let quantities = options.sorted_quantities()?;
        let mechanism = Mechanism::new(robot.clone())?;
        model.check_nestable()?;
        let closed = ClosedForm::new(robot, model);
        let (test_theta, friction) = closed.test_parameters(options.parameters)?;
        let rotors = closed.drives.own_rotors(&closed.parameters, &test_theta);
        let arm = model.calibrate(&closed.of_model(&test_theta))?;
        let tests = test_states(model.dof(), model.dof(), |q, qd, qdd| {
            let mut load = arm.inverse_dynamics(q, qd, qdd)?;
            let mut tau = load.clone();
            add_drives(&mechanism, &closed.drives, &friction, [q, qd, qdd], &mut tau)?;
            for (drive, &joint) in closed.drives.velocities.iter().enumerate() {
                load[joint] -= rotors[drive] * qdd[joint];
            }
            Ok::<_, ModelError>(with_further_friction(&mechanism, &closed.drives, &load, [q, qd, qdd], tau)?)
        })?;
        let wants_forward = quantities.contains(&Quantity::ForwardDynamics);
        if wants_forward {
            check_load_friction(robot, &closed.drives)?;
        }
        if wants_forward && !has_forward_dynamics(&tests, |q| arm.mass_matrix(q))? {
            return Err(CodeError::SingularMass { robot: robot.name.clone() });
        }
        Code {
            prefix: identifier(options.prefix.as_deref().unwrap_or(&robot.name)),
            robot_name: robot.name.clone(),
            coordinates: Coordinates::of(&mechanism)?,
            gravity: mechanism.tree().gravity.0,
            parameter_use: options.parameters,
            precision: options.precision,
            has_drives: model.has_drives(),
            has_further_friction: !closed.drives.further.is_empty(),
            tests,
            test_theta,
            functions: quantities.iter().map(|&q| closed.formulas(options.parameters, q)).collect(),
            parameters: closed.parameters,
        }
        .checked()
    }

    /// Compares the formulas with the test states before anybody compiles them.
    fn checked(self) -> Result<Self, CodeError> {
        let Some(inverse) = self.functions.iter().find(|f| f.quantity == Quantity::InverseDynamics) else {
            return Ok(self);
        };
        for state in &self.tests {
            let value = |name: &str| {
                let (array, place) = name.trim_end_matches(']').split_once('[').unwrap_or((name, "0"));
                let place: usize = place.parse().unwrap_or_default();
                let values = match array {
                    "q" => &state.q,
                    "qd" => &state.qd,
                    "qdd" => &state.qdd,
                    _ => &self.test_theta,
                };
                values.get(place).copied().unwrap_or(f64::NAN)
            };
            let found = inverse.graph.evaluate(&inverse.outputs, &value);
            let size = state.tau.iter().chain(&state.bias).fold(0.0, |most: f64, x| most.max(x.abs()));
            let error = found.iter().zip(&state.tau).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            if error > 1e-9 * size || error.is_nan() {
                return Err(CodeError::Inexact { robot: self.robot_name.clone(), error: error / size });
            }
        }
        Ok(self)
    }

    /// Name of the robot that the code is for.
    pub fn robot(&self) -> &str {
        &self.robot_name
    }

    /// Velocities of the robot.
    pub fn dof(&self) -> usize {
        self.coordinates.velocities.len()
    }

    /// Gravity in base axes, m/s².
    pub fn gravity(&self) -> [f64; 3] {
        self.gravity
    }

    /// Whether sines and cosines are needed at all.
    pub(crate) fn has_angles(&self) -> bool {
        self.functions.iter().any(|function| function.operations().angles > 0)
    }

    /// Numbers in an array of the code.
    pub(crate) fn size_of(&self, array: &str) -> usize {
        let (dof, parameters) = (self.dof(), self.parameters.len());
        match array {
            "q" => self.coordinates.configuration.len(),
            "theta" => parameters,
            "Y" => dof * parameters,
            "M" => dof * dof,
            _ => dof,
        }
    }

    /// The elements of the result that are not always zero (all of them, except
    /// of a regressor), as assignments.
    pub(crate) fn written(&self, function: &Function, result: &str) -> Vec<(String, Expression)> {
        let sparse = function.quantity == Quantity::BaseRegressor;
        let elements = function.outputs.iter().enumerate();
        elements
            .filter(|(_, value)| !sparse || **value != Expression::ZERO)
            .map(|(k, &value)| (format!("{result}[{k}]"), value))
            .collect()
    }

    /// The arguments some output depends on.
    pub(crate) fn used_arrays(&self, function: &Function) -> Vec<&str> {
        let needed = function.graph.needed(&function.outputs);
        let nodes = function.graph.nodes().iter().zip(needed).filter(|(_, needed)| *needed);
        let places =
            nodes.filter_map(|(node, _)| if let Node::Input(place) = node { Some(*place) } else { None });
        let arrays =
            places.map(|place| function.graph.input_names()[place].split('[').next().unwrap_or_default());
        let names: std::collections::BTreeSet<&str> = arrays.collect();
        self.arguments(function.quantity).into_iter().filter(|name| names.contains(name)).collect()
    }

    /// How far generated code may be from the library, relative to the size of the forces.
    pub(crate) fn tolerance(&self) -> f64 {
        match self.precision {
            Precision::Double => 1e-11,
            Precision::Single => 1e-4,
        }
    }

    /// The same for accelerations, which suffer from the condition of the mass matrix.
    pub(crate) fn acceleration_tolerance(&self) -> f64 {
        match self.precision {
            Precision::Double => 1e-9,
            Precision::Single => 1e-2,
        }
    }

    /// The arrays a function takes, in order.
    pub(crate) fn arguments(&self, quantity: Quantity) -> Vec<&'static str> {
        let theta = self.parameter_use == ParameterUse::Argument && quantity.takes_parameters();
        quantity.arguments().iter().copied().chain(theta.then_some("theta")).collect()
    }
}

/// Where friction depends on load, accelerations depend on themselves.
fn check_load_friction(robot: &Robot, drives: &Drives) -> Result<(), CodeError> {
    let Some(joint) = drives.further.iter().find(|joint| joint.friction.load != 0.0) else {
        return Ok(());
    };
    let offsets = robot.velocity_offsets();
    let body = offsets.iter().position(|&velocity| velocity == joint.velocity);
    let name = body.map_or("?", |body| &robot.bodies[body].joint.name);
    Err(CodeError::LoadFriction { robot: robot.name.clone(), joint: name.to_owned() })
}

fn check(robot: &Robot) -> Result<(), CodeError> {
    if !robot.loops.is_empty() {
        let loops = robot.loops.iter().map(|closure| closure.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(CodeError::Loops { robot: robot.name.clone(), loops });
    }
    if robot.bodies.is_empty() {
        return Err(CodeError::NothingMoves { robot: robot.name.clone() });
    }
    Ok(())
}
