//! Ordinary, weighted and Huber's least squares.

use std::num::NonZeroUsize;

use steiner_logs::Role;

use super::gains::with_gains;
use super::least_squares::{LeastSquares, least_squares, values_only};
use crate::accumulate::{HuberWeights, Reduced, Source};
use crate::failure::IdentificationError;
use crate::problem::Problem;

/// Rounds of reweighting, at most; a handful is usual.
const MOST_ROUNDS: usize = 30;
/// Change of the noise, relative, that ends them.
const SETTLED: f64 = 1e-8;
/// No sensor is better than this fraction of what the log shows: keeps the weights of noise-free logs finite.
const BEST_SENSOR: f64 = 1e-11;

/// Standard deviation of the residual of every row.
#[derive(Clone, Debug)]
pub(crate) struct Noise {
    pub(crate) sigma: Vec<f64>,
}

impl Noise {
    /// From residuals; the parameters' share of freedom is taken off every row alike.
    pub(crate) fn of(reduced: &Reduced, values: &[f64], rank: usize) -> Self {
        let counts = reduced.counts();
        let rows: usize = counts.iter().sum();
        let free = (rows.saturating_sub(rank)).max(1) as f64 / rows.max(1) as f64;
        let rms = |squares: f64, count: usize| if count == 0 { 0.0 } else { (squares / count as f64).sqrt() };
        let largest = reduced
            .squares()
            .iter()
            .zip(&counts)
            .fold(0.0, |most: f64, (square, &count)| most.max(rms(*square, count)));
        let least = (BEST_SENSOR * largest).max(f64::MIN_POSITIVE.sqrt());
        let sigma = reduced.residual_squares(values).into_iter().zip(&counts);
        Noise { sigma: sigma.map(|(square, &count)| (rms(square, count) / free.sqrt()).max(least)).collect() }
    }

    /// All rows alike.
    pub(crate) fn pooled(reduced: &Reduced, values: &[f64], rank: usize) -> Self {
        let squares: f64 = reduced.residual_squares(values).iter().sum();
        let rows: usize = reduced.counts().iter().sum();
        let sigma = (squares / rows.saturating_sub(rank).max(1) as f64).sqrt();
        let scale = (reduced.squares().iter().sum::<f64>() / rows.max(1) as f64).sqrt();
        let least = (BEST_SENSOR * scale).max(f64::MIN_POSITIVE.sqrt());
        Noise { sigma: vec![sigma.max(least); reduced.counts().len()] }
    }

    /// Largest relative change of a row's noise.
    fn change_from(&self, before: &Noise) -> f64 {
        self.sigma.iter().zip(&before.sigma).fold(0.0, |most: f64, (a, b)| most.max((a / b - 1.0).abs()))
    }

    /// Of every row so many times larger.
    pub(crate) fn inflated(&self, factor: f64) -> Self {
        Noise { sigma: self.sigma.iter().map(|sigma| factor * sigma).collect() }
    }

    /// One over the noise.
    pub(crate) fn weights(&self) -> Vec<f64> {
        self.sigma.iter().map(|sigma| 1.0 / sigma).collect()
    }
}

/// Every row counts the same.
pub(crate) fn ordinary(reduced: &Reduced, prior: &[f64]) -> (LeastSquares, Noise) {
    let (values, rank) = values_only(&reduced.stacked(&vec![1.0; reduced.counts().len()]), prior);
    let noise = Noise::pooled(reduced, &values, rank);
    // Once more in units of the noise, so that the inverse is the covariance.
    (least_squares(&reduced.stacked(&noise.weights()), prior), noise)
}

/// Rows count by their noise, which follows from the residuals; with the log as it is linear near the solution,
/// which differs from what was recorded where gains are unknown (`gains`, for each row among the base parameters).
pub(crate) fn weighted(
    reduced: &Reduced,
    gains: &[Option<usize>],
    prior: &[f64],
) -> Result<(LeastSquares, Noise, Reduced), IdentificationError> {
    if gains.iter().any(Option::is_some) {
        return with_gains(reduced, gains, prior);
    }
    let (solution, noise) = reweighted(reduced, reduced, prior);
    Ok((solution, noise, reduced.clone()))
}

/// Base parameters by least squares of rows that count by a given noise.
pub(crate) fn values_of(reduced: &Reduced, noise: &Noise, prior: &[f64]) -> Vec<f64> {
    values_only(&reduced.stacked(&noise.weights()), prior).0
}

/// Weights from residuals and residuals from weights, until they settle. Parameters are those of `solved`, residuals
/// those of `log`: with instruments, the one is a projection of the other.
pub(super) fn reweighted(solved: &Reduced, log: &Reduced, prior: &[f64]) -> (LeastSquares, Noise) {
    let (mut values, mut rank) = values_only(&solved.stacked(&vec![1.0; log.counts().len()]), prior);
    let mut noise = Noise::pooled(log, &values, rank);
    for _ in 0..MOST_ROUNDS {
        let next = Noise::of(log, &values, rank);
        let change = next.change_from(&noise);
        noise = next;
        if change < SETTLED {
            break;
        }
        (values, rank) = values_only(&solved.stacked(&noise.weights()), prior);
    }
    (least_squares(&solved.stacked(&noise.weights()), prior), noise)
}

/// Passes over the log, at most.
const MOST_PASSES: usize = 12;
/// Change of the residual, relative, that ends them.
const PASSES_SETTLED: f64 = 1e-6;

/// Huber's: residuals beyond `threshold` times the noise count linearly. Each round is a pass over the log;
/// the noise is the root mean square of what is left after weighting down, so that shocks do not widen it.
pub(crate) fn huber(
    problem: &Problem,
    source: &mut dyn Source,
    reduced: &Reduced,
    prior: &[f64],
    threshold: f64,
    threads: NonZeroUsize,
) -> Result<(LeastSquares, Noise, Reduced), IdentificationError> {
    let gains = problem.gains();
    let (mut solution, mut noise, mut current) = weighted(reduced, &gains, prior)?;
    for _ in 0..MOST_PASSES {
        let mut next = Reduced::new(problem);
        let huber = HuberWeights { values: &solution.values, sigma: &noise.sigma, threshold };
        source.chunks(&mut |recording| {
            next.absorb_weighted(problem, recording, Role::Training, threads, Some(&huber))
        })?;
        let (found, noise_now, near) = match gains.iter().any(Option::is_some) {
            true => with_gains(&next, &gains, prior)?,
            false => {
                let noise = Noise::of(&next, &solution.values, solution.rank);
                (least_squares(&next.stacked(&noise.weights()), prior), noise, next)
            }
        };
        let change = noise_now.change_from(&noise);
        (solution, noise, current) = (found, noise_now, near);
        if change < PASSES_SETTLED {
            break;
        }
    }
    Ok((solution, noise, current))
}
