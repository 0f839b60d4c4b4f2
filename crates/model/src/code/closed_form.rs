//! Formulas of a closed form, section 4.1: the functions of a PSDM model nested into few operations.

use steiner_scalar::elimination::Matrix;
use steiner_scalar::{Field, Scalar, Trigonometric};
use steiner_symbols::{
    Expression, Operations, ProductTerm, Traced, Tracer, count, factor, nested_sums, trace,
};

use super::formulas::{Function, ParameterUse, Quantity};
use super::method::Method;
use super::solve::solve_leaves_first;
use crate::psdm::{Acceleration, JointMotion, Psdm};

/// Where a product and its square come from: sin q cos q and cos² q, or the sine and cosine of 2 q. Derivatives of the latter
/// have one term, of the former two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Angles {
    Single,
    Double,
}

/// The formulas of a quantity, in the cheaper of both bases.
pub(crate) fn closed_formulas(model: &Psdm, parameter_use: ParameterUse, quantity: Quantity) -> Function {
    let functions =
        [Angles::Single, Angles::Double].map(|angles| formulas(model, parameter_use, quantity, angles));
    let cost = |function: &Function| {
        let operations = count(&function.graph, &function.outputs);
        operations.multiplications + operations.additions
    };
    let [single, double] = functions;
    if cost(&double) < cost(&single) { double } else { single }
}

impl Psdm {
    /// Multiplications and additions of the inverse dynamics without any factoring, as table 2 has them "before": one product
    /// for each factor of each function, then y_p Φ_b with a dense Φ_b.
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

    /// What the inverse dynamics cost as code, with the nominal parameters as constants.
    pub fn operations(&self) -> Operations {
        closed_formulas(self, ParameterUse::Constants, Quantity::InverseDynamics).operations()
    }
}

fn formulas(model: &Psdm, parameter_use: ParameterUse, quantity: Quantity, angles: Angles) -> Function {
    let (graph, outputs) = trace(|tracer| {
        let closed = ClosedForm { model, parameter_use, angles, tracer };
        let mass = || {
            let n = model.dof();
            let entries = closed.sums(Part::Mass, n * n);
            Matrix::from_fn(n, n, |i, k| entries[i.max(k) * n + i.min(k)])
        };
        let n = model.dof();
        let outputs = match quantity {
            Quantity::InverseDynamics => closed.sums(Part::Forces, n),
            Quantity::BaseRegressor => closed.sums(Part::Regressor, n * model.parameters().len()),
            Quantity::MassMatrix => mass().entries().to_vec(),
            Quantity::BiasForces => closed.sums(Part::Bias, n),
            Quantity::ForwardDynamics => {
                let bias = closed.sums(Part::Bias, n);
                let driving: Vec<Traced> =
                    tracer.inputs("tau", n).into_iter().zip(bias).map(|(tau, h)| tau - h).collect();
                solve_leaves_first(&mass(), &driving)
            }
        };
        outputs.into_iter().map(Traced::expression).collect::<Vec<_>>()
    });
    let (graph, outputs) = factor(&graph, &outputs);
    Function { quantity, method: Method::Psdm, graph, outputs }
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

struct ClosedForm<'a> {
    model: &'a Psdm,
    parameter_use: ParameterUse,
    angles: Angles,
    tracer: &'a Tracer,
}

impl ClosedForm<'_> {
    fn sums(&self, part: Part, outputs: usize) -> Vec<Traced> {
        let mut alphabets: Vec<Vec<Expression>> = (0..self.model.dof()).map(|k| self.joint(k)).collect();
        alphabets.push(match part {
            Part::Mass => vec![Expression::ONE],
            _ => self.accelerations(),
        });
        alphabets.push(match (part, self.parameter_use) {
            (Part::Regressor, _) | (_, ParameterUse::Constants) => vec![Expression::ONE],
            _ => expressions(self.tracer.inputs("theta", self.model.parameters().len())),
        });
        let terms = self.terms(part);
        self.tracer.record(|graph| nested_sums(graph, &alphabets, outputs, &terms))
    }

    /// 1, s, c, and products of two of them, or 1, x, x².
    fn joint(&self, joint: usize) -> Vec<Expression> {
        let q = self.tracer.input(&format!("q[{joint}]"));
        let one = Traced::one();
        expressions(match (self.model.joints()[joint].motion, self.angles) {
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
        expressions(Acceleration::all(self.model.dof()).into_iter().map(value).collect())
    }

    /// All products.
    fn terms(&self, part: Part) -> Vec<ProductTerm> {
        let (n, parameters) = (self.model.dof(), self.model.parameters().len());
        let theta = self.model.nominal();
        let accelerations = Acceleration::all(n);
        let mut terms = Vec::new();
        for (k, function) in self.model.functions().iter().enumerate() {
            let place = accelerations.partition_point(|other| *other < function.acceleration);
            let size = match function.acceleration {
                Acceleration::Gravity => self.model.gravity(),
                _ => 1.0,
            };
            let geometry = self.geometry(k);
            for joint in (0..n).filter(|&joint| part.takes(function.acceleration, joint)) {
                let row = self.model.reduction(joint).row(k);
                let (output, acceleration) = match (part, function.acceleration) {
                    (Part::Mass, Acceleration::Joint(k)) => (joint * n + k, 0),
                    (Part::Regressor, _) => (joint * parameters, place),
                    _ => (joint, place),
                };
                let entries: Vec<(usize, usize, f64)> = match (part, self.parameter_use) {
                    (Part::Regressor, _) => row.map(|(p, x)| (output + p, 0, x)).collect(),
                    (_, ParameterUse::Argument) => row.map(|(p, x)| (output, p, x)).collect(),
                    (_, ParameterUse::Constants) => vec![(output, 0, row.map(|(p, x)| x * theta[p]).sum())],
                };
                for (output, parameter, x) in entries {
                    for (digits, share) in &geometry {
                        let digits = digits.iter().copied().chain([acceleration as u8, parameter as u8]);
                        let factor = x * size * share;
                        terms.push(ProductTerm { output, digits: digits.collect(), factor });
                    }
                }
            }
        }
        terms
    }

    /// υ of a function as products of the values of [`Self::joint`]: cos² q is (1 + cos 2 q)/2.
    fn geometry(&self, function: usize) -> Vec<(Vec<u8>, f64)> {
        let mut products = vec![(Vec::new(), 1.0)];
        for (k, joint) in self.model.joints().iter().enumerate() {
            let digit = self.model.functions()[function].geometry.digit(k) as u8;
            let shares: &[(u8, f64)] = match (joint.motion, self.angles, digit) {
                (JointMotion::Revolute, Angles::Double, 3) => &[(3, 0.5)],
                (JointMotion::Revolute, Angles::Double, 4) => &[(0, 0.5), (4, 0.5)],
                _ => &[(digit, 1.0)],
            };
            let with = |(digits, factor): &(Vec<u8>, f64), &(digit, share): &(u8, f64)| {
                let mut digits = digits.clone();
                digits.push(digit);
                (digits, factor * share)
            };
            products =
                products.iter().flat_map(|product| shares.iter().map(|share| with(product, share))).collect();
        }
        products
    }
}

fn expressions(values: Vec<Traced>) -> Vec<Expression> {
    values.into_iter().map(Traced::expression).collect()
}
