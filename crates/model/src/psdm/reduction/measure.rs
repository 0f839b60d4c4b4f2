//! How the error of a model is measured: in its forces, or in the accelerations that follow from them.
//!
//! Forces: ‖τ − τ̂‖/‖τ‖ of (67). Accelerations of a model whose mass matrix is D̂, from the forces τ of the
//! full one: q̈̂ − q̈ = D̂⁻¹(τ − τ̂), so ‖D⁻¹(τ − τ̂)‖/‖q̈‖ as long as D̂ is D, which is what keeping the
//! functions of the mass matrix is for.

use std::num::NonZeroUsize;

use steiner_dynamics::Samples;
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::{in_parallel, norm};

use super::states::{Factors, Functions, Lane, Phi, WIDTH, pieces};
use crate::error::ModelError;

/// The measure at the states of a task.
pub(super) struct Measure {
    /// 1/‖τ‖ or 1/‖q̈‖ of each state, 0 where that is nothing.
    pub(super) weights: Vec<f64>,
    /// D⁻¹ of every eight states, row by row.
    inverse_mass: Option<Vec<Lane>>,
    joints: usize,
}

impl Measure {
    /// For forces, which are given sample-major.
    pub(super) fn of_forces(tau: &[f64], joints: usize) -> Self {
        Measure {
            weights: tau.chunks_exact(joints).map(reciprocal_norm).collect(),
            inverse_mass: None,
            joints,
        }
    }

    /// For accelerations.
    pub(super) fn of_accelerations(
        functions: &Functions<'_>,
        theta: &[f64],
        samples: &Samples<'_>,
        threads: NonZeroUsize,
    ) -> Result<Self, ModelError> {
        let joints = functions.model.dof();
        let arm = functions.model.calibrate(theta)?;
        let blocks = in_parallel(samples.count.div_ceil(WIDTH), threads, |block| {
            let mut lanes = vec![[0.0; WIDTH]; joints * joints];
            for lane in 0..WIDTH.min(samples.count - block * WIDTH) {
                let state = (block * WIDTH + lane) * joints;
                let mass = arm.mass_matrix(&samples.q[state..state + joints])?;
                let factor = Cholesky::new(mass).map_err(|found| ModelError::MassNotPositive {
                    joint: functions.model.joints[found.row].name.clone(),
                })?;
                lanes.iter_mut().zip(factor.inverse().entries()).for_each(|(lanes, x)| lanes[lane] = *x);
            }
            Ok::<_, ModelError>(lanes)
        });
        let mut inverse_mass = Vec::with_capacity(samples.count.div_ceil(WIDTH) * joints * joints);
        for block in blocks {
            inverse_mass.extend(block?);
        }
        let weights = samples.qdd.chunks_exact(joints).map(reciprocal_norm).collect();
        Ok(Measure { weights, inverse_mass: Some(inverse_mass), joints })
    }

    /// Whether each joint's force counts by itself.
    pub(super) fn is_of_forces(&self) -> bool {
        self.inverse_mass.is_none()
    }

    /// Forces (or columns of such, joint by joint) at the eight states from the
    /// `first` on, as they are measured.
    #[inline(always)]
    pub(super) fn apply(&self, first: usize, forces: &mut [Lane], columns: usize) {
        let Some(inverse_mass) = &self.inverse_mass else { return };
        let n = self.joints;
        let inverse_mass = &inverse_mass[first / WIDTH * n * n..][..n * n];
        for column in 0..columns {
            let mut out = [[0.0; WIDTH]; crate::psdm::chain::MOST_JOINTS];
            for (i, out) in out.iter_mut().enumerate().take(n) {
                for j in 0..n {
                    let (d, force) = (&inverse_mass[i * n + j], &forces[j * columns + column]);
                    (0..WIDTH).for_each(|lane| out[lane] += d[lane] * force[lane]);
                }
            }
            (0..n).for_each(|i| forces[i * columns + column] = out[i]);
        }
    }
}

fn reciprocal_norm(v: &[f64]) -> f64 {
    let size = norm(v);
    if size > 0.0 { size.recip() } else { 0.0 }
}

/// Forces τ at all states, sample-major.
pub(super) fn forces(
    functions: &Functions<'_>,
    phi: &Phi,
    samples: &Samples<'_>,
    threads: NonZeroUsize,
) -> Vec<f64> {
    let joints = functions.model.dof();
    let pieces = pieces(samples.count);
    let done = in_parallel(pieces.len(), threads, |piece| {
        let range = pieces[piece].clone();
        let mut out = Vec::with_capacity(range.len() * joints);
        let mut factors = Factors::default();
        for first in range.clone().step_by(WIDTH) {
            functions.evaluate(samples, first, |_| 1.0, &mut factors);
            let mut tau = vec![[0.0; WIDTH]; joints];
            for function in 0..functions.model.functions.len() {
                let y = functions.value(function, &factors);
                for &(joint, phi) in phi.row(function) {
                    let tau = &mut tau[usize::from(joint)];
                    (0..WIDTH).for_each(|lane| tau[lane] += phi * y[lane]);
                }
            }
            (0..WIDTH.min(range.end - first)).for_each(|lane| out.extend(tau.iter().map(|tau| tau[lane])));
        }
        out
    });
    done.concat()
}
