//! Formulas of a closed form, section 4.1: the functions of a PSDM model nested into few operations.

use steiner_identifiability::DRIVE_PARAMETERS;
use steiner_linalg::elimination::Matrix;
use steiner_robot::Robot;
use steiner_scalar::{Field, Scalar, Trigonometric};
use steiner_symbols::{
    Expression, MOST_ALPHABETS, Operations, ProductTerm, Traced, Tracer, factor, nested_sums, trace,
};

use super::drives::Drives;
use super::formulas::{Function, ParameterUse, Quantity};
use super::further_friction::RowFriction;
use super::method::Method;
use super::parameters::Parameter;
use super::self_test::plausible_bodies;
use super::solve::solve_leaves_first;
use crate::error::ModelError;
use crate::psdm::{Acceleration, JointMotion, Psdm};

/// Where a product and its square come from: sin q cos q and cos² q, or the sine and cosine of 2 q.
/// Derivatives of the latter have one term, of the former two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Angles {
    Single,
    Double,
}

/// Functions times joints beyond which no code is made: a hundred times what serial arms in use have.
const MOST_PRODUCTS: usize = 3_000_000;

/// A closed form with the parameters of its code: base parameters, and what its drives rub.
pub(crate) struct ClosedForm<'a> {
    model: &'a Psdm,
    /// θ, in the order of the columns of the parameters they are named after.
    pub(crate) parameters: Vec<Parameter>,
    /// The place of each base parameter of the model in θ.
    places: Vec<usize>,
    pub(crate) drives: Drives,
}

impl<'a> ClosedForm<'a> {
    pub(crate) fn new(robot: &Robot, model: &'a Psdm) -> Self {
        let drives = Drives::of(robot, model.has_drives());
        let mut parameters = drives.friction(robot);
        parameters
            .extend(model.parameters().iter().map(|p| Parameter::of_model(p, model.labels(), model.dof())));
        parameters.sort_by_key(|parameter| parameter.column);
        let place = |label: &String| parameters.iter().position(|parameter| parameter.name == *label);
        let places = model.parameters().iter().filter_map(|parameter| place(&parameter.label)).collect();
        ClosedForm { model, parameters, places, drives }
    }

    /// The base parameters of the model, out of θ.
    pub(crate) fn of_model(&self, theta: &[f64]) -> Vec<f64> {
        self.places.iter().map(|&place| theta[place]).collect()
    }

    /// θ to test the code with, and the parameters of the drives without their inertias.
    pub(crate) fn test_parameters(
        &self,
        parameter_use: ParameterUse,
    ) -> Result<(Vec<f64>, Vec<f64>), ModelError> {
        let mut driven: Vec<f64> = match parameter_use {
            ParameterUse::Constants => self.drives.own().collect(),
            ParameterUse::Argument => self.drives.plausible().collect(),
        };
        let theta = match parameter_use {
            ParameterUse::Constants => self.parameters.iter().map(|parameter| parameter.value).collect(),
            ParameterUse::Argument => {
                let all: Vec<f64> =
                    plausible_bodies(self.model.dof()).into_iter().chain(driven.clone()).collect();
                self.parameters.iter().map(|parameter| parameter.value_with(&all)).collect()
            }
        };
        // The model has the inertias of the drives.
        driven.iter_mut().step_by(DRIVE_PARAMETERS.len()).for_each(|inertia| *inertia = 0.0);
        Ok((theta, driven))
    }

    /// The formulas of a quantity, in the cheaper of both bases.
    pub(crate) fn formulas(&self, parameter_use: ParameterUse, quantity: Quantity) -> Function {
        let [single, double] =
            [Angles::Single, Angles::Double].map(|angles| self.in_basis(parameter_use, quantity, angles));
        let cost = |function: &Function| {
            let operations = function.operations();
            operations.multiplications + operations.additions
        };
        if cost(&double) < cost(&single) { double } else { single }
    }

    fn in_basis(&self, parameter_use: ParameterUse, quantity: Quantity, angles: Angles) -> Function {
        let (graph, outputs) = trace(|tracer| {
            let state = State { closed: self, parameter_use, angles, tracer };
            state.results(quantity).into_iter().map(Traced::expression).collect::<Vec<_>>()
        });
        let (graph, outputs) = factor(&graph, &outputs);
        Function { quantity, method: Method::Psdm, graph, outputs }
    }
}

impl Psdm {
    /// Multiplications and additions of the inverse dynamics without any factoring, as table 2 has them
    /// "before": one product for each factor of each function, then y_p Φ_b with a dense Φ_b.
    pub fn unfactored_operations(&self) -> (usize, usize) {
        let (functions, joints) = (self.functions().len(), self.dof());
        let gravity = |k: usize| usize::from(self.functions()[k].acceleration == Acceleration::Gravity);
        let factors =
            |(k, exponents): (usize, Vec<u8>)| exponents.iter().filter(|e| **e > 0).count() + gravity(k);
        let products: usize = self
            .exponents()
            .into_iter()
            .enumerate()
            .map(|function| factors(function).saturating_sub(1))
            .sum();
        (products + functions * joints, functions.saturating_sub(1) * joints)
    }

    /// Whether code of the model is worth its while: nesting takes memory and time
    /// in proportion to its products.
    pub(crate) fn check_nestable(&self) -> Result<(), ModelError> {
        let functions = self.functions().len();
        match functions * self.dof() > MOST_PRODUCTS {
            true => Err(ModelError::TooManyFunctions { robot: self.robot().to_owned(), functions }),
            false => Ok(()),
        }
    }

    /// What the inverse dynamics cost as code, with the nominal parameters as constants and without friction.
    pub fn operations(&self) -> Result<Operations, ModelError> {
        self.check_nestable()?;
        let closed =
            ClosedForm { model: self, parameters: Vec::new(), places: Vec::new(), drives: Drives::none() };
        Ok(closed.formulas(ParameterUse::Constants, Quantity::InverseDynamics).operations())
    }
}

/// Which sums of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// τ.
    Forces,
    /// τ at q̈ = 0.
    Bias,
    /// The lower triangle of D(q), as if it were whole.
    Mass,
    /// The coefficient of each parameter in τ.
    Regressor,
}

impl Part {
    fn takes(self, acceleration: Acceleration, joint: usize) -> bool {
        match (self, acceleration) {
            (Part::Forces | Part::Regressor, _) => true,
            (Part::Bias, acceleration) => !matches!(acceleration, Acceleration::Joint(_)),
            (Part::Mass, Acceleration::Joint(k)) => k <= joint,
            (Part::Mass, _) => false,
        }
    }
}

/// A closed form at a state of recording numbers.
struct State<'a> {
    closed: &'a ClosedForm<'a>,
    parameter_use: ParameterUse,
    angles: Angles,
    tracer: &'a Tracer,
}

impl State<'_> {
    fn results(&self, quantity: Quantity) -> Vec<Traced> {
        let n = self.closed.model.dof();
        let mass = || {
            let entries = self.sums(Part::Mass, n * n);
            Matrix::from_fn(n, n, |i, k| entries[i.max(k) * n + i.min(k)])
        };
        match quantity {
            Quantity::InverseDynamics => {
                let forces = self.sums(Part::Forces, n);
                let mut tau = self.with_friction(forces.clone());
                if let Some(further) = self.further_friction() {
                    further.add(&self.load(forces), &mut tau);
                }
                tau
            }
            Quantity::BaseRegressor => self.regressor(),
            Quantity::MassMatrix => mass().entries().to_vec(),
            Quantity::BiasForces => self.with_friction(self.sums(Part::Bias, n)),
            Quantity::ForwardDynamics => {
                let bias = self.with_friction(self.sums(Part::Bias, n));
                let tau = self.tracer.inputs("tau", n).into_iter();
                let mut driving: Vec<Traced> = tau.zip(bias).map(|(tau, h)| tau - h).collect();
                if let Some(further) = self.further_friction() {
                    further.take_off(&mut driving);
                }
                solve_leaves_first(&mass(), &driving)
            }
        }
    }

    fn regressor(&self) -> Vec<Traced> {
        let (n, columns) = (self.closed.model.dof(), self.closed.parameters.len());
        let mut y = self.sums(Part::Regressor, n * columns);
        if self.closed.drives.is_empty() {
            return y;
        }
        let (qd, qdd) = (self.tracer.inputs("qd", n), self.tracer.inputs("qdd", n));
        for (column, parameter) in self.closed.parameters.iter().enumerate() {
            let entry = self.closed.drives.regressor_entry(parameter.column, &qd, &qdd);
            if let Some((joint, entry)) = entry.filter(|_| !self.closed.places.contains(&column)) {
                y[joint * columns + column] = entry;
            }
        }
        y
    }

    /// Further friction of the joints of an arm, all independent.
    fn further_friction(&self) -> Option<RowFriction> {
        let (n, joints) = (self.closed.model.dof(), &self.closed.drives.further);
        let (q, qd) = (self.tracer.inputs("q", n), self.tracer.inputs("qd", n));
        let share = |tree: usize, row: usize| if tree == row { Traced::one() } else { Traced::zero() };
        (!joints.is_empty()).then(|| RowFriction::new(joints, &q, &qd, n, share))
    }

    /// The parameters of each drive.
    fn driven(&self) -> Vec<[Traced; DRIVE_PARAMETERS.len()]> {
        let parameters = &self.closed.parameters;
        let values: Vec<Traced> = match self.parameter_use {
            ParameterUse::Argument => self.tracer.inputs("theta", parameters.len()),
            ParameterUse::Constants => parameters.iter().map(|p| Traced::from_f64(p.value)).collect(),
        };
        self.closed.drives.by_drive(parameters, &values)
    }

    /// What of the model's forces is a load: all but rotors that are parameters of their own.
    fn load(&self, mut forces: Vec<Traced>) -> Vec<Traced> {
        let qdd = self.tracer.inputs("qdd", forces.len());
        for (&joint, [inertia, ..]) in self.closed.drives.velocities.iter().zip(self.driven()) {
            forces[joint] -= inertia * qdd[joint];
        }
        forces
    }

    fn with_friction(&self, mut tau: Vec<Traced>) -> Vec<Traced> {
        if self.closed.drives.is_empty() {
            return tau;
        }
        let mut driven = self.driven();
        // The model has the inertias of the drives.
        driven.iter_mut().for_each(|drive| drive[0] = Traced::zero());
        let still = vec![Traced::zero(); tau.len()];
        self.closed.drives.add_forces(&driven, &self.tracer.inputs("qd", tau.len()), &still, &mut tau);
        tau
    }

    fn sums(&self, part: Part, outputs: usize) -> Vec<Traced> {
        let model = self.closed.model;
        let mut alphabets: Vec<Vec<Expression>> = (0..model.dof()).map(|k| self.joint(k)).collect();
        alphabets.push(match part {
            Part::Mass => vec![Expression::ONE],
            _ => self.accelerations(),
        });
        alphabets.push(match (part, self.parameter_use) {
            (Part::Regressor, _) | (_, ParameterUse::Constants) => vec![Expression::ONE],
            _ => expressions(self.tracer.inputs("theta", self.closed.parameters.len())),
        });
        let terms = self.terms(part);
        self.tracer.record(|graph| nested_sums(graph, &alphabets, outputs, &terms))
    }

    /// 1, s, c, and products of two of them, or 1, x, x².
    fn joint(&self, joint: usize) -> Vec<Expression> {
        let q = self.tracer.input(&format!("q[{joint}]"));
        let one = Traced::one();
        expressions(match (self.closed.model.joints()[joint].motion, self.angles) {
            (JointMotion::Prismatic, _) => vec![one, q, q * q],
            (JointMotion::Revolute, Angles::Single) => {
                let (s, c) = q.sin_cos();
                vec![one, s, c, s * c, c * c]
            }
            (JointMotion::Revolute, Angles::Double) => {
                let (s, c) = q.sin_cos();
                let two = Traced::from_f64(2.0);
                vec![one, s, c, two * (s * c), two * (c * c) - one]
            }
        })
    }

    /// In the order of [`Acceleration::all`]; g is part of the numbers.
    fn accelerations(&self) -> Vec<Expression> {
        let rate = |k: usize| self.tracer.input(&format!("qd[{k}]"));
        let value = |acceleration: Acceleration| match acceleration {
            Acceleration::Joint(k) => self.tracer.input(&format!("qdd[{k}]")),
            Acceleration::Centrifugal(k) => rate(k) * rate(k),
            Acceleration::Coriolis(j, k) => rate(j) * rate(k),
            Acceleration::Gravity => Traced::one(),
        };
        expressions(Acceleration::all(self.closed.model.dof()).into_iter().map(value).collect())
    }

    /// All products.
    fn terms(&self, part: Part) -> Vec<ProductTerm> {
        let (n, parameters) = (self.closed.model.dof(), self.closed.parameters.len());
        let places = &self.closed.places;
        let theta = self.closed.model.nominal();
        let accelerations = Acceleration::all(n);
        let mut terms = Vec::new();
        for (k, function) in self.closed.model.functions().iter().enumerate() {
            let place = accelerations.partition_point(|other| *other < function.acceleration);
            let size = match function.acceleration {
                Acceleration::Gravity => self.closed.model.gravity(),
                _ => 1.0,
            };
            let geometry = self.geometry(k);
            for joint in (0..n).filter(|&joint| part.takes(function.acceleration, joint)) {
                let row = self.closed.model.reduction(joint).row(k);
                let (output, acceleration) = match (part, function.acceleration) {
                    (Part::Mass, Acceleration::Joint(k)) => (joint * n + k, 0),
                    (Part::Regressor, _) => (joint * parameters, place),
                    _ => (joint, place),
                };
                let entries: Vec<(usize, usize, f64)> = match (part, self.parameter_use) {
                    (Part::Regressor, _) => row.map(|(p, x)| (output + places[p], 0, x)).collect(),
                    (_, ParameterUse::Argument) => row.map(|(p, x)| (output, places[p], x)).collect(),
                    (_, ParameterUse::Constants) => vec![(output, 0, row.map(|(p, x)| x * theta[p]).sum())],
                };
                for (output, parameter, x) in entries {
                    for (digits, share) in &geometry {
                        let mut digits = *digits;
                        [digits[n], digits[n + 1]] = [acceleration as u8, parameter as u8];
                        terms.push(ProductTerm { output: output as u16, digits, factor: x * size * share });
                    }
                }
            }
        }
        terms
    }

    /// υ of a function as products of the values of [`Self::joint`]: cos² q is (1 + cos 2 q)/2.
    fn geometry(&self, function: usize) -> Vec<([u8; MOST_ALPHABETS], f64)> {
        let mut products = vec![([0; MOST_ALPHABETS], 1.0)];
        for (k, joint) in self.closed.model.joints().iter().enumerate() {
            let digit = self.closed.model.functions()[function].geometry.digit(k) as u8;
            let shares: &[(u8, f64)] = match (joint.motion, self.angles, digit) {
                (JointMotion::Revolute, Angles::Double, 3) => &[(3, 0.5)],
                (JointMotion::Revolute, Angles::Double, 4) => &[(0, 0.5), (4, 0.5)],
                _ => &[(digit, 1.0)],
            };
            let with = |(mut digits, factor): ([u8; MOST_ALPHABETS], f64), &(digit, share): &(u8, f64)| {
                digits[k] = digit;
                (digits, factor * share)
            };
            products = products
                .into_iter()
                .flat_map(|product| shares.iter().map(move |share| with(product, share)))
                .collect();
        }
        products
    }
}

fn expressions(values: Vec<Traced>) -> Vec<Expression> {
    values.into_iter().map(Traced::expression).collect()
}
