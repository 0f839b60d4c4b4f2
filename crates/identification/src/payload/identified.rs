//! What an identification with everything but one link known says of that link's load.

use steiner_linalg::cholesky::{inverse_lower, lower_factor};
use steiner_linalg::elimination::Matrix;
use steiner_linalg::square::{Square, identity};
use steiner_robot::{PseudoInertia, inertial_columns};

use super::described::Payload;
use super::square_root::{SquareRoot, TEN};
use super::unconstrained::Unconstrained;
use super::{BELIEF, scales};
use crate::identification::Identification;
use crate::problem::payload_place;

/// A payload as the difference between what was identified and what the file has.
#[derive(Clone, Debug)]
pub struct IdentifiedPayload {
    /// The difference, in the link's frame. Only what the body has in all is made physically consistent.
    pub payload: Payload,
    /// The moving body that the link belongs to.
    pub body: String,
    /// Mass that the file gives this body with all that is fixed to it, kg.
    pub file_mass: f64,
}

impl Identification {
    /// The load on [`Settings::payload`](crate::Settings::payload), if one link was asked for.
    pub fn payload(&self) -> Option<IdentifiedPayload> {
        let (problem, link) = (self.problem(), self.settings.payload.as_ref()?);
        let mechanism = problem.mechanism();
        let (body, pose) = payload_place(mechanism, problem.measurement(), link).ok()?;
        let columns = inertial_columns(body);
        let prior = &problem.prior()[columns.clone()];
        let difference: [f64; TEN] = std::array::from_fn(|k| self.all[columns.start + k] - prior[k]);
        let scales = scales(mechanism, None);
        let root = self.information(columns.start).with_belief(&scales.ten().map(|x| BELIEF * x));
        let found = Unconstrained::new(&root, &difference, &identity(), &pose);
        let (inertia, covariance) = (PseudoInertia::from_parameters(&found.values), found.covariance());
        let samples = self.training.model.samples;
        Some(IdentifiedPayload {
            payload: Payload::of((link.clone(), samples), inertia, covariance, scales, false),
            body: problem.measurement().bodies(mechanism).swap_remove(body),
            file_mass: prior[0],
        })
    }

    /// What the base parameters say of the ten parameters from a column on, in units of their σ.
    fn information(&self, first: usize) -> SquareRoot {
        let base = self.problem().base();
        let part = |k: usize, slot: usize| -> f64 {
            let terms = base[k].terms.iter().filter(|(column, _)| *column == first + slot);
            terms.map(|(_, factor)| factor).sum()
        };
        let own: Vec<usize> = (0..base.len())
            .filter(|&k| self.parameters[k].sigma.is_finite() && (0..TEN).any(|slot| part(k, slot) != 0.0))
            .collect();
        let mut root = SquareRoot::new();
        let covariance = self.reported_covariance(&own);
        // Beyond what there is, the unit matrix: such rows are left out.
        let one = |r: usize, c: usize| f64::from(u8::from(r == c));
        let is_there = |r: usize, c: usize| r < own.len() && c < own.len();
        let square: Square<TEN> = std::array::from_fn(|r| {
            std::array::from_fn(|c| if is_there(r, c) { covariance[(r, c)] } else { one(r, c) })
        });
        let Ok(lower) = lower_factor(&square) else { return root };
        // Rows of L⁻¹ B, with cov = L Lᵀ.
        for weights in inverse_lower(&lower).iter().take(own.len()) {
            let mut row = [0.0; TEN + 1];
            for (slot, x) in row[..TEN].iter_mut().enumerate() {
                *x = own.iter().zip(weights).map(|(&k, weight)| weight * part(k, slot)).sum();
            }
            root.push(row);
        }
        root
    }

    /// Covariance of some base parameters: from blocks, or for white noise, stretched to σ as it is
    /// reported.
    pub(super) fn reported_covariance(&self, which: &[usize]) -> Matrix<f64> {
        let shape = self.robust_covariance.as_ref().unwrap_or(&self.covariance);
        let scale = |k: usize| match shape[(k, k)] {
            variance if variance > 0.0 => self.parameters[k].sigma / variance.sqrt(),
            _ => 0.0,
        };
        let entry = |r: usize, c: usize| {
            let (r, c) = (which[r], which[c]);
            scale(r) * scale(c) * shape[(r, c)]
        };
        Matrix::from_fn(which.len(), which.len(), entry)
    }
}
