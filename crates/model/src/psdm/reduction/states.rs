//! States of a task, eight at a time: most of the work is the same for all of them.

use std::ops::Range;

use steiner_dynamics::Samples;

use crate::error::ModelError;
use crate::psdm::evaluate::GeometryPlan;
use crate::psdm::function::Acceleration;
use crate::psdm::model::{Psdm, check};

/// States that are evaluated together.
pub(super) const WIDTH: usize = 8;
/// One number per state.
pub(super) type Lane = [f64; WIDTH];

/// How to evaluate the functions of a model at many states.
pub(super) struct Functions<'a> {
    pub(super) model: &'a Psdm,
    plan: GeometryPlan,
    accelerations: Vec<Acceleration>,
    /// Which of the accelerations each function has.
    of_function: Vec<u8>,
}

/// The factors of all functions at eight states.
#[derive(Default)]
pub(super) struct Factors {
    geometry: Vec<Lane>,
    accelerations: Vec<Lane>,
}

impl<'a> Functions<'a> {
    pub(super) fn new(model: &'a Psdm) -> Self {
        let accelerations = Acceleration::all(model.dof());
        let place = |a: Acceleration| accelerations.iter().position(|other| *other == a).unwrap_or(0) as u8;
        let of_function = model.functions.iter().map(|f| place(f.acceleration)).collect();
        Functions { model, plan: GeometryPlan::new(model), accelerations, of_function }
    }

    /// Evaluates the factors at the states from the `first` on; where states end, the last one is repeated.
    /// The functions of each state will be multiplied by its weight; states past the end weigh nothing.
    pub(super) fn evaluate(
        &self,
        samples: &Samples<'_>,
        first: usize,
        weight: impl Fn(usize) -> f64,
        out: &mut Factors,
    ) {
        let joints = self.model.dof();
        let state = |lane: usize| (first + lane).min(samples.count - 1) * joints;
        self.plan.lane_values(|joint, lane| samples.q[state(lane) + joint], &mut out.geometry);
        out.accelerations.clear();
        out.accelerations.resize(self.accelerations.len(), [0.0; WIDTH]);
        for lane in (0..WIDTH).filter(|lane| first + lane < samples.count) {
            let state = state(lane)..state(lane) + joints;
            let (qd, qdd, weight) = (&samples.qd[state.clone()], &samples.qdd[state], weight(first + lane));
            for (out, acceleration) in out.accelerations.iter_mut().zip(&self.accelerations) {
                out[lane] = weight * acceleration.value(qd, qdd, self.model.gravity);
            }
        }
    }

    /// A function at the eight states.
    #[inline(always)]
    pub(super) fn value(&self, function: usize, factors: &Factors) -> Lane {
        let a = &factors.accelerations[usize::from(self.of_function[function])];
        let u = &factors.geometry[self.plan.of_function[function] as usize];
        std::array::from_fn(|lane| a[lane] * u[lane])
    }
}

/// Φ_b of (46), function by function.
pub(super) struct Phi {
    starts: Vec<u32>,
    /// (joint, factor).
    entries: Vec<(u8, f64)>,
}

impl Phi {
    pub(super) fn new(model: &Psdm, theta: &[f64]) -> Self {
        let mut phi = Phi { starts: vec![0], entries: Vec::new() };
        for function in 0..model.functions.len() {
            for (joint, reduction) in model.reductions.iter().enumerate() {
                let factor: f64 = reduction.row(function).map(|(k, x)| x * theta[k]).sum();
                if factor != 0.0 {
                    phi.entries.push((joint as u8, factor));
                }
            }
            phi.starts.push(phi.entries.len() as u32);
        }
        phi
    }

    pub(super) fn row(&self, function: usize) -> &[(u8, f64)] {
        &self.entries[self.starts[function] as usize..self.starts[function + 1] as usize]
    }

    /// ‖Φ_k‖.
    pub(super) fn norm(&self, function: usize) -> f64 {
        self.row(function).iter().map(|(_, x)| x * x).sum::<f64>().sqrt()
    }
}

/// Refuses states that are none or that aren't those of the model.
pub(super) fn check_samples(model: &Psdm, samples: &Samples<'_>) -> Result<(), ModelError> {
    if samples.count == 0 {
        return Err(ModelError::TooFewSamples { count: samples.count });
    }
    for (what, values) in [("q", samples.q), ("qd", samples.qd), ("qdd", samples.qdd)] {
        check(what, values, samples.count * model.dof(), "give one per joint and sample, sample by sample")?;
    }
    Ok(())
}

/// Ranges of states, whole groups each. They depend on nothing but the number of states, so
/// that sums over them do not either.
pub(super) fn pieces(count: usize) -> Vec<Range<usize>> {
    let length = (count / 48).clamp(128, 2048).next_multiple_of(WIDTH);
    (0..count.div_ceil(length)).map(|k| k * length..((k + 1) * length).min(count)).collect()
}
