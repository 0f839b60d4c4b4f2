//! Smaller models for a task: functions that hardly contribute are left out, section 4.3.

use steiner_dynamics::Samples;
use steiner_scalar::elimination::{Matrix, reduce};

use super::function::Acceleration;
use super::model::{Psdm, ReductionMatrix, check};
use crate::error::ModelError;

/// How accurate a smaller model must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReductionGoal {
    /// Tolerated ‖τ − τ̂‖/‖τ‖, between 0 and 1: 0.01 (two digits, (67)) unless told otherwise.
    pub accuracy: f64,
    /// Part of the samples that must be that accurate, up to 1: 0.95 unless told otherwise.
    pub confidence: f64,
    /// Whether accelerations will be computed from the model. Then the functions of the mass matrix are all kept, because its
    /// inverse would amplify their absence. No unless told otherwise.
    pub forward: bool,
}

impl Default for ReductionGoal {
    fn default() -> Self {
        ReductionGoal { accuracy: 0.01, confidence: 0.95, forward: false }
    }
}

/// What a function contributes: its relative normed contribution ϱ of (66) over some samples.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Contribution {
    /// Mean over the samples.
    pub mean: f64,
    /// Largest of all samples.
    pub largest: f64,
}

/// A smaller model.
#[derive(Clone, Debug)]
pub struct ReducedPsdm {
    /// The model; its nominal parameters θ̂_b are fitted to the samples.
    pub model: Psdm,
    /// ‖τ − τ̂‖/‖τ‖ that the wanted part of the samples stays below.
    pub error: f64,
}

impl Psdm {
    /// The contribution of each function at given base parameters.
    pub fn contributions(
        &self,
        theta: &[f64],
        samples: &Samples<'_>,
    ) -> Result<Vec<Contribution>, ModelError> {
        let task = Task::new(self, theta, samples)?;
        let phi = self.phi_norms(theta);
        let evaluator = self.evaluator();
        let mut out = vec![Contribution::default(); self.functions.len()];
        for (state, size) in task.states().zip(&task.sizes).filter(|(_, size)| **size > 0.0) {
            let y = evaluator.functions(state.0, state.1, state.2)?;
            for (contribution, (y, phi)) in out.iter_mut().zip(y.iter().zip(&phi)) {
                // τ_{y_k} = y_k Φ_k, a column of (65).
                let relative = (y * phi).abs() / size;
                contribution.mean += relative / samples.count as f64;
                contribution.largest = contribution.largest.max(relative);
            }
        }
        Ok(out)
    }

    /// Leaves out as many functions as the goal allows, those with the smallest mean contribution first, and fits the
    /// parameters that are left to the samples.
    pub fn reduced(
        &self,
        theta: &[f64],
        samples: &Samples<'_>,
        goal: &ReductionGoal,
    ) -> Result<ReducedPsdm, ModelError> {
        for x in [goal.accuracy, goal.confidence] {
            if !(x > 0.0 && x <= 1.0) {
                return Err(ModelError::Accuracy { accuracy: x });
            }
        }
        let task = Task::new(self, theta, samples)?;
        let contributions = self.contributions(theta, samples)?;
        let protected =
            |k: usize| goal.forward && matches!(self.functions[k].acceleration, Acceleration::Joint(_));
        let mut order: Vec<usize> = (0..self.functions.len()).filter(|&k| !protected(k)).collect();
        order.sort_by(|&a, &b| contributions[a].mean.total_cmp(&contributions[b].mean));
        let attempt = |dropped: usize| -> Result<ReducedPsdm, ModelError> {
            let mut kept = vec![true; self.functions.len()];
            order[..dropped].iter().for_each(|&k| kept[k] = false);
            task.fit(self.without(&kept, theta), goal.confidence)
        };
        // The error grows with what is left out, but for the luck of a fit: halving finds a place where it crosses.
        let mut best = attempt(0)?;
        let (mut fine, mut coarse) = (0, order.len() + 1);
        while coarse - fine > 1 {
            let middle = fine + (coarse - fine) / 2;
            let candidate = attempt(middle)?;
            if candidate.error <= goal.accuracy {
                (best, fine) = (candidate, middle);
            } else {
                coarse = middle;
            }
        }
        Ok(best)
    }

    /// ‖Φ_k‖ of each function.
    fn phi_norms(&self, theta: &[f64]) -> Vec<f64> {
        let of_joint = |reduction: &ReductionMatrix, k: usize| -> f64 {
            reduction.row(k).map(|(parameter, x)| x * theta[parameter]).sum()
        };
        let norm = |k: usize| self.reductions.iter().map(|r| of_joint(r, k).powi(2)).sum::<f64>().sqrt();
        (0..self.functions.len()).map(norm).collect()
    }

    /// The model of some functions, with the parameters that still matter.
    fn without(&self, kept: &[bool], theta: &[f64]) -> Psdm {
        let functions: Vec<usize> = (0..kept.len()).filter(|&k| kept[k]).collect();
        let mut place = vec![None; self.parameters.len()];
        for reduction in &self.reductions {
            functions.iter().flat_map(|&k| reduction.row(k)).for_each(|(p, _)| place[p] = Some(0));
        }
        place.iter_mut().flatten().enumerate().for_each(|(index, place)| *place = index);
        let mut reductions = vec![ReductionMatrix::empty(); self.reductions.len()];
        for (to, from) in reductions.iter_mut().zip(&self.reductions) {
            for &k in &functions {
                to.push(from.row(k).filter_map(|(p, x)| Some((place[p]?, x))));
            }
        }
        let parameters = self.parameters.iter().zip(theta).zip(&place).filter(|(_, place)| place.is_some());
        Psdm {
            robot: self.robot.clone(),
            joints: self.joints.clone(),
            gravity: self.gravity,
            labels: self.labels.clone(),
            parameters: parameters
                .map(|((parameter, &value), _)| super::ModelParameter { value, ..parameter.clone() })
                .collect(),
            functions: functions.iter().map(|&k| self.functions[k]).collect(),
            reductions,
        }
    }
}

/// One instant: q, q̇, q̈.
type State<'a> = (&'a [f64], &'a [f64], &'a [f64]);

/// States with the forces of the full model.
struct Task<'a> {
    samples: &'a Samples<'a>,
    joints: usize,
    forces: Vec<Vec<f64>>,
    /// ‖τ‖ of each state.
    sizes: Vec<f64>,
}

impl<'a> Task<'a> {
    fn new(model: &Psdm, theta: &[f64], samples: &'a Samples<'a>) -> Result<Self, ModelError> {
        let joints = model.dof();
        if samples.count == 0 {
            return Err(ModelError::TooFewSamples { count: samples.count });
        }
        for (what, values) in [("q", samples.q), ("qd", samples.qd), ("qdd", samples.qdd)] {
            check(what, values, samples.count * joints, "give one per joint and sample, sample by sample")?;
        }
        let full = model.calibrate(theta)?;
        let mut task = Task { samples, joints, forces: Vec::new(), sizes: Vec::new() };
        let forces: Result<_, _> =
            task.states().map(|(q, qd, qdd)| full.inverse_dynamics(q, qd, qdd)).collect();
        task.forces = forces?;
        task.sizes = task.forces.iter().map(|tau| norm(tau)).collect();
        Ok(task)
    }

    fn states(&self) -> impl Iterator<Item = State<'a>> + use<'a> {
        let Samples { q, qd, qdd, .. } = *self.samples;
        let rows = |values: &'a [f64], joints: usize| values.chunks_exact(joints);
        let n = self.joints;
        rows(q, n).zip(rows(qd, n)).zip(rows(qdd, n)).map(|((q, qd), qdd)| (q, qd, qdd))
    }

    /// The relative error that a part of the samples stays below.
    fn error(&self, model: &Psdm, confidence: f64) -> Result<f64, ModelError> {
        let calibrated = model.calibrate(&model.nominal())?;
        let mut errors = Vec::with_capacity(self.forces.len());
        for ((state, tau), size) in self.states().zip(&self.forces).zip(&self.sizes) {
            let estimate = calibrated.inverse_dynamics(state.0, state.1, state.2)?;
            let difference: Vec<f64> = tau.iter().zip(&estimate).map(|(a, b)| a - b).collect();
            errors.push(if *size > 0.0 { norm(&difference) / size } else { 0.0 });
        }
        errors.sort_by(f64::total_cmp);
        let place = (confidence * errors.len() as f64).ceil() as usize;
        Ok(errors[place.clamp(1, errors.len()) - 1])
    }

    /// Corrects the nominal parameters by least squares of the relative errors, where that helps.
    fn fit(&self, mut model: Psdm, confidence: f64) -> Result<ReducedPsdm, ModelError> {
        let error = self.error(&model, confidence)?;
        let before = model.nominal();
        let correction = self.correction(&model)?;
        model.parameters.iter_mut().zip(correction).for_each(|(parameter, by)| parameter.value += by);
        let fitted = self.error(&model, confidence)?;
        if fitted <= error {
            return Ok(ReducedPsdm { model, error: fitted });
        }
        model.parameters.iter_mut().zip(before).for_each(|(parameter, value)| parameter.value = value);
        Ok(ReducedPsdm { model, error })
    }

    /// Δθ of min Σ ‖τ − Y(θ + Δθ)‖²/‖τ‖². Normal equations do: they are solved for a correction only.
    fn correction(&self, model: &Psdm) -> Result<Vec<f64>, ModelError> {
        let theta = model.nominal();
        let size = theta.len();
        let evaluator = model.evaluator();
        let mut normal: Matrix<f64> = Matrix::zeros(size, size + 1);
        for ((state, tau), weight) in self.states().zip(&self.forces).zip(&self.sizes) {
            if *weight == 0.0 {
                continue;
            }
            let regressor = evaluator.regressor(state.0, state.1, state.2)?;
            for (joint, tau) in tau.iter().enumerate() {
                let row = regressor.row(joint);
                let residual = tau - row.iter().zip(&theta).map(|(y, t)| y * t).sum::<f64>();
                for (r, y) in row.iter().enumerate().filter(|(_, y)| **y != 0.0) {
                    let scaled = y / (weight * weight);
                    let out = normal.row_mut(r);
                    out.iter_mut().zip(row.iter().chain([&residual])).for_each(|(sum, x)| *sum += scaled * x);
                }
            }
        }
        // Parameters have different units: bring the diagonal to 1.
        let scales: Vec<f64> = (0..size).map(|k| normal[(k, k)].sqrt().recip()).collect();
        let scale = |k: usize| if scales[k].is_finite() { scales[k] } else { 0.0 };
        let scaled = Matrix::from_fn(size, size + 1, |r, c| {
            normal[(r, c)] * scale(r) * if c < size { scale(c) } else { 1.0 }
        });
        let echelon = reduce(scaled, size, 1e-10);
        let mut out = vec![0.0; size];
        for (row, &parameter) in echelon.pivots.iter().enumerate() {
            out[parameter] = echelon.reduced[(row, size)] * scale(parameter);
        }
        Ok(out)
    }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}
