//! Evaluating a model: y_p, the regressor, and with θ_b given forces, mass matrix, bias and accelerations.

use std::ops::Range;

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;

use super::function::Acceleration;
use super::model::{Psdm, check};
use super::monomial::{JointMotion, Monomial};
use crate::error::ModelError;

/// One number per joint, from the base.
const BY_JOINT: &str = "give one per joint, from the base";

/// The distinct υ(q) of a model, each as one factor times an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GeometryPlan {
    motions: Vec<JointMotion>,
    /// (earlier product, joint, function of the joint); the first is the constant 1 and isn't listed.
    steps: Vec<(u32, u8, u8)>,
    /// Which product each function of the model has.
    pub(super) of_function: Vec<u32>,
}

impl GeometryPlan {
    pub(super) fn new(model: &Psdm) -> Self {
        let mut products: Vec<Monomial> = vec![Monomial::default()];
        for function in &model.functions {
            let mut at = function.geometry;
            while let Some((inner, _)) = at.split_last() {
                products.push(at);
                at = inner;
            }
        }
        products.sort_unstable();
        products.dedup();
        let place = |monomial: Monomial| products.partition_point(|other| *other < monomial) as u32;
        let steps = products.iter().filter_map(|&monomial| {
            let (inner, joint) = monomial.split_last()?;
            Some((place(inner), joint as u8, monomial.digit(joint) as u8))
        });
        GeometryPlan {
            motions: model.motions(),
            steps: steps.collect(),
            of_function: model.functions.iter().map(|function| place(function.geometry)).collect(),
        }
    }

    /// All products at a configuration.
    fn values(&self, q: &[f64]) -> Vec<f64> {
        let factors: Vec<[f64; 5]> = self.motions.iter().zip(q).map(|(m, &q)| m.values(q)).collect();
        let mut out = Vec::with_capacity(self.steps.len() + 1);
        out.push(1.0);
        for &(inner, joint, digit) in &self.steps {
            out.push(out[inner as usize] * factors[joint as usize][digit as usize]);
        }
        out
    }
}

impl GeometryPlan {
    /// All products at several configurations at once: `q(joint, lane)`.
    pub(super) fn lane_values<const W: usize>(
        &self,
        q: impl Fn(usize, usize) -> f64,
        out: &mut Vec<[f64; W]>,
    ) {
        let mut factors = vec![[[0.0; W]; 5]; self.motions.len()];
        for (joint, (motion, factors)) in self.motions.iter().zip(&mut factors).enumerate() {
            for lane in 0..W {
                let values = motion.values(q(joint, lane));
                factors.iter_mut().zip(values).for_each(|(factor, value)| factor[lane] = value);
            }
        }
        out.clear();
        out.push([1.0; W]);
        for &(inner, joint, digit) in &self.steps {
            let (inner, factor) = (out[inner as usize], factors[joint as usize][digit as usize]);
            out.push(std::array::from_fn(|lane| inner[lane] * factor[lane]));
        }
    }
}

/// A model ready for evaluation.
#[derive(Clone, Debug)]
pub struct Evaluator<'a> {
    model: &'a Psdm,
    plan: GeometryPlan,
}

impl Psdm {
    /// Prepares the evaluation of functions and regressors.
    pub fn evaluator(&self) -> Evaluator<'_> {
        Evaluator { model: self, plan: GeometryPlan::new(self) }
    }

    /// Fixes the base parameters: Φ_b of (46).
    pub fn calibrate(&self, theta: &[f64]) -> Result<CalibratedPsdm, ModelError> {
        check("theta", theta, self.parameters.len(), "give one per base parameter")?;
        let plan = GeometryPlan::new(self);
        let accelerations = Acceleration::all(self.dof());
        let ranges: Vec<Range<usize>> = accelerations.iter().map(|&a| self.functions_of(a)).collect();
        let forces = self.reductions.iter().map(|reduction| {
            let mut force = Force { starts: vec![0], entries: Vec::new() };
            for range in &ranges {
                for function in range.clone() {
                    let phi: f64 = reduction.row(function).map(|(k, x)| x * theta[k]).sum();
                    if phi != 0.0 {
                        force.entries.push((plan.of_function[function], phi));
                    }
                }
                force.starts.push(force.entries.len());
            }
            force
        });
        Ok(CalibratedPsdm {
            names: self.joints.iter().map(|joint| joint.name.clone()).collect(),
            gravity: self.gravity,
            accelerations,
            forces: forces.collect(),
            plan,
        })
    }
}

impl Psdm {
    /// Largest difference between the forces of the nominal model and those of a mechanism, relative to the
    /// largest force, over some states with q in ±3, q̇ in ±2, q̈ in ±5 (SI).
    pub fn largest_error(&self, mechanism: &Mechanism, states: usize) -> Result<f64, ModelError> {
        let arm = self.calibrate(&self.nominal())?;
        let mut stream = Stream::new(1);
        let mut numbers =
            |scale: f64| -> Vec<f64> { (0..self.dof()).map(|_| scale * stream.uniform()).collect() };
        let mut worst: f64 = 0.0;
        for _ in 0..states {
            let (q, qd, qdd) = (numbers(3.0), numbers(2.0), numbers(5.0));
            let tau = arm.inverse_dynamics(&q, &qd, &qdd)?;
            let recursion = mechanism.inverse_dynamics(&q, &qd, &qdd)?;
            let size = recursion.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
            let difference =
                tau.iter().zip(&recursion).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            worst = worst.max(difference / size);
        }
        Ok(worst)
    }
}

impl Evaluator<'_> {
    /// y_p: the values of all functions, the gravity functions times g.
    pub fn functions(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Vec<f64>, ModelError> {
        check_state(self.model.dof(), q, qd, qdd)?;
        let geometry = self.plan.values(q);
        let value = |(function, &at): (&super::Function, &u32)| {
            function.acceleration.value(qd, qdd, self.model.gravity) * geometry[at as usize]
        };
        Ok(self.model.functions.iter().zip(&self.plan.of_function).map(value).collect())
    }

    /// The regressor Y, n × ℓ, with rows y_p P_i: τ = Y θ_b, equation (45).
    pub fn regressor(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Matrix<f64>, ModelError> {
        let y = self.functions(q, qd, qdd)?;
        let mut out = Matrix::zeros(self.model.dof(), self.model.parameters.len());
        for (joint, reduction) in self.model.reductions.iter().enumerate() {
            let row = out.row_mut(joint);
            for (function, &y) in y.iter().enumerate() {
                reduction.row(function).for_each(|(k, x)| row[k] += x * y);
            }
        }
        Ok(out)
    }
}

/// One joint's column of Φ_b.
#[derive(Clone, Debug, PartialEq)]
struct Force {
    /// Where the entries of each acceleration start; one more than there are.
    starts: Vec<usize>,
    /// (product υ, factor).
    entries: Vec<(u32, f64)>,
}

impl Force {
    /// The factor of an acceleration.
    fn factor(&self, acceleration: usize, geometry: &[f64]) -> f64 {
        let range = self.starts[acceleration]..self.starts[acceleration + 1];
        self.entries[range].iter().map(|&(at, phi)| geometry[at as usize] * phi).sum()
    }
}

/// A model with its base parameters: τ = y_p Φ_b, equation (46).
#[derive(Clone, Debug, PartialEq)]
pub struct CalibratedPsdm {
    names: Vec<String>,
    gravity: f64,
    accelerations: Vec<Acceleration>,
    forces: Vec<Force>,
    plan: GeometryPlan,
}

impl CalibratedPsdm {
    /// Generalised forces τ (N·m or N).
    pub fn inverse_dynamics(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Vec<f64>, ModelError> {
        check_state(self.forces.len(), q, qd, qdd)?;
        Ok(self.sums(&self.plan.values(q), 0, qd, qdd))
    }

    /// The mass matrix D(q) of (63): kg m², kg m or kg.
    pub fn mass_matrix(&self, q: &[f64]) -> Result<Matrix<f64>, ModelError> {
        check("q", q, self.forces.len(), BY_JOINT)?;
        Ok(self.mass_at(&self.plan.values(q)))
    }

    /// τ_ind of (62): what velocities and gravity demand without any acceleration (N·m or N).
    pub fn bias(&self, q: &[f64], qd: &[f64]) -> Result<Vec<f64>, ModelError> {
        let n = self.forces.len();
        check_state(n, q, qd, qd)?;
        Ok(self.sums(&self.plan.values(q), n, qd, &[]))
    }

    /// Accelerations q̈ = D⁻¹(τ − τ_ind), equation (59), in rad/s² or m/s².
    pub fn forward_dynamics(&self, q: &[f64], qd: &[f64], tau: &[f64]) -> Result<Vec<f64>, ModelError> {
        let n = self.forces.len();
        check_state(n, q, qd, qd)?;
        check("tau", tau, n, BY_JOINT)?;
        let geometry = self.plan.values(q);
        let bias = self.sums(&geometry, n, qd, &[]);
        let rest: Vec<f64> = tau.iter().zip(&bias).map(|(tau, bias)| tau - bias).collect();
        let mass = Cholesky::new(self.mass_at(&geometry))
            .map_err(|found| ModelError::MassNotPositive { joint: self.names[found.row].clone() })?;
        Ok(mass.solve(&rest))
    }

    /// The forces of all accelerations from the `first` on.
    fn sums(&self, geometry: &[f64], first: usize, qd: &[f64], qdd: &[f64]) -> Vec<f64> {
        let force = |force: &Force| {
            let terms = self.accelerations.iter().enumerate().skip(first);
            terms.map(|(k, a)| a.value(qd, qdd, self.gravity) * force.factor(k, geometry)).sum()
        };
        self.forces.iter().map(force).collect()
    }

    /// The joint accelerations come first, so the factor of the k-th in τ_i is D_ik.
    fn mass_at(&self, geometry: &[f64]) -> Matrix<f64> {
        let n = self.forces.len();
        let mut mass = Matrix::zeros(n, n);
        for i in 0..n {
            for k in 0..=i {
                mass[(i, k)] = self.forces[i].factor(k, geometry);
                mass[(k, i)] = mass[(i, k)];
            }
        }
        mass
    }
}

fn check_state(n: usize, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<(), ModelError> {
    check("q", q, n, BY_JOINT)?;
    check("qd", qd, n, BY_JOINT)?;
    check("qdd", qdd, n, BY_JOINT)
}
