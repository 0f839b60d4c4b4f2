//! Torques near their limits: how each of them changes with the coefficients of a motion.
//!
//! A barrier at a torque bends the more the nearer the torque is. Along the torque's own gradient that bend is
//! known, and an optimiser need not learn it anew after every step.

use steiner_linalg::elimination::Matrix;

use crate::error::ExcitationError;
use crate::information::TreeInformation;
use crate::model::Motions;
use crate::task::ForceLimit;

/// Torques that leave less than this part of their limit count as near.
const NEAR: f64 = 0.3;

/// A torque of one sample that is near its limit.
#[derive(Clone, Debug)]
pub(crate) struct NearEffort {
    /// Which limit, and which sample.
    at: (usize, usize),
    /// What is left to the lower and to the upper limit, N·m or N.
    slack: [f64; 2],
    /// Forces with which the two limits hold the motion.
    held: [f64; 2],
    /// By the coefficients of the motion.
    slope: Vec<f64>,
}

/// The near torques of a motion, in the order of limits and samples.
pub(crate) fn near_efforts(
    tree: &mut TreeInformation<'_>,
    limits: &[ForceLimit],
    motions: &Motions,
    forces: &[f64],
    weight: f64,
    slope_of: impl Fn(usize, &[f64]) -> Vec<f64>,
) -> Result<Vec<NearEffort>, ExcitationError> {
    let mut out = Vec::new();
    for (limit, own) in limits.iter().enumerate() {
        let Some(effort) = own.room() else { continue };
        let force = |t: usize| forces[t * motions.dof + own.velocity];
        let near: Vec<usize> =
            (0..motions.count).filter(|&t| force(t).abs() > (1.0 - NEAR) * effort).collect();
        if near.is_empty() {
            continue;
        }
        let rows = tree.force_gradients(motions, own.velocity, &near)?;
        for (&t, row) in near.iter().zip(rows.chunks_exact(3 * motions.dof)) {
            let slack = [force(t) + effort, effort - force(t)];
            out.push(NearEffort {
                at: (limit, t),
                slack,
                held: slack.map(|slack| weight / slack),
                slope: slope_of(t, row),
            });
        }
    }
    Ok(out)
}

impl NearEffort {
    /// The longest step along a direction that keeps it within its limits, to first order.
    pub(crate) fn longest_step(&self, direction: &[f64]) -> f64 {
        let along = steiner_linalg::dot(&self.slope, direction);
        match along {
            along if along > 0.0 => self.slack[1] / along,
            along if along < 0.0 => -self.slack[0] / along,
            _ => f64::INFINITY,
        }
    }

    /// Adds the derivative of its barrier.
    pub(crate) fn add_gradient(&self, weight: f64, out: &mut [f64]) {
        let by = weight * (1.0 / self.slack[1] - 1.0 / self.slack[0]);
        out.iter_mut().zip(&self.slope).for_each(|(out, slope)| *out += by * slope);
    }

    /// Adds the curvature of its barrier along its slope, to the lower triangle.
    pub(crate) fn add_curvature(&self, hessian: &mut Matrix<f64>) {
        let by = self.held[0] / self.slack[0] + self.held[1] / self.slack[1];
        for a in (0..self.slope.len()).filter(|&a| self.slope[a] != 0.0) {
            let by = by * self.slope[a];
            let into = &mut hessian.row_mut(a)[..=a];
            into.iter_mut().zip(&self.slope).for_each(|(h, s)| *h += by * s);
        }
    }
}

/// Hands the forces of the limits on from one motion to the next, by Newton's step of slack × force = weight; answers
/// what the change of the slopes did to the gradient of the Lagrangian.
pub(crate) fn carry_on(before: &[NearEffort], now: &mut [NearEffort], weight: f64, part: f64) -> Vec<f64> {
    let mut out = vec![0.0; now.first().map_or(0, |near| near.slope.len())];
    let mut earlier = before.iter().peekable();
    for now in now {
        while earlier.next_if(|before| before.at < now.at).is_some() {}
        let Some(before) = earlier.next_if(|before| before.at == now.at) else { continue };
        for side in 0..2 {
            let (from, to) = (before.slack[side], now.slack[side]);
            now.held[side] = newton_of_force(before.held[side], (from, to), weight, part);
        }
        let by = now.held[1] - now.held[0];
        let slopes = now.slope.iter().zip(&before.slope);
        out.iter_mut().zip(slopes).for_each(|(out, (now, before))| *out += by * (now - before));
    }
    out
}

/// How far forces of limits may be from those of their barriers, as a factor.
const FAR_OFF: f64 = 1e3;

/// The force of a limit after a step by a part of Newton's direction, kept near weight / slack.
pub(crate) fn newton_of_force(held: f64, (from, to): (f64, f64), weight: f64, part: f64) -> f64 {
    let balanced = weight / from - held * (to - from) / (part * from);
    (held + part * (balanced - held)).clamp(weight / (FAR_OFF * to), FAR_OFF * weight / to)
}
