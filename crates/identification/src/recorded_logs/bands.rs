//! From which band parameters should come.
//!
//! Both sides of the equations of motion pass the filter, so that any cut-off is right: a high one has more
//! equations, a low one less noise in the motion, which shrinks parameters ([`crate::attenuation`]). Parameters from
//! every band are judged by the forces of blocks left out, in all bands: those of the robot predict best in each
//! band whose motion is clean; those that noise has shrunk only where there is noise.

use steiner_logs::{Cutoff, Processing, Trim};

use super::trials::Beginning;
use super::{RecordedLogs, blocks};
use crate::accumulate::Reduced;
use crate::estimate::{values_of, weighted};
use crate::failure::IdentificationError;
use crate::problem::Problem;

/// Equations for each unknown that a band must have.
const EQUATIONS: usize = 4;

impl RecordedLogs<'_> {
    /// For each of these multiples of the suggested cut-off, falling, the error of its parameters on blocks left
    /// out: the geometric mean over rows and over the bands of all. Ends where equations become too few.
    pub(super) fn compare_bands(
        &mut self,
        problem: &Problem,
        beginnings: &[Beginning],
        scales: &[f64],
    ) -> Result<Vec<(f64, f64)>, IdentificationError> {
        let lowest = scales.last().copied().unwrap_or(1.0);
        let mut bands: Vec<Vec<Reduced>> = Vec::new();
        for scale in scales {
            let mut recordings = Vec::new();
            for log in beginnings {
                super::unless_cancelled(&mut self.cancelled)?;
                let processing = Processing {
                    cutoff: Cutoff::Hertz(scale * log.suggested()),
                    trim: Trim::Seconds(log.border(lowest)),
                    ..self.processing.clone()
                };
                recordings.push(self.processed_means(log, &processing)?);
            }
            let blocks = blocks(problem, &recordings)?;
            let equations: usize = blocks.iter().flat_map(Reduced::counts).sum();
            let as_many = bands.first().is_none_or(|first| first.len() == blocks.len());
            if blocks.len() < 2 || !as_many || equations < EQUATIONS * problem.base().len() {
                break;
            }
            bands.push(blocks);
        }
        let scores = bands.iter().map(|own| score(problem, own, &bands)).collect::<Result<Vec<_>, _>>()?;
        Ok(scales.iter().copied().zip(scores).filter(|(_, score)| score.is_finite()).collect())
    }
}

/// The error in all bands of parameters from one of them.
fn score(problem: &Problem, own: &[Reduced], bands: &[Vec<Reduced>]) -> Result<f64, IdentificationError> {
    let (prior, gains) = (problem.base_values(problem.prior()), problem.gains());
    let without = |left_out: usize| {
        let mut rest = Reduced::new(problem);
        own.iter().enumerate().filter(|(k, _)| *k != left_out).for_each(|(_, block)| rest.merge(block));
        rest
    };
    let noise = weighted(&without(usize::MAX), &gains, &prior)?.1;
    let rows = problem.rows().len();
    let mut left = vec![vec![0.0; rows]; bands.len()];
    let mut measured = left.clone();
    for k in 0..own.len() {
        // Gains make the problem nonlinear, and residuals are then those of currents.
        let values = match gains.iter().any(Option::is_some) {
            true => weighted(&without(k), &gains, &prior)?.0.values,
            false => values_of(&without(k), &noise, &prior),
        };
        let mut all = problem.prior().to_vec();
        for row in problem.rows() {
            problem.gain_of(row.kind).into_iter().for_each(|column| all[column] = 1.0);
        }
        for (band, blocks) in bands.iter().enumerate() {
            let squares = blocks[k].residual_squares(&values);
            let gain = |r: usize| gains[r].map_or(1.0, |gain| values[gain]);
            (0..rows).for_each(|r| left[band][r] += squares[r] / gain(r).powi(2));
            let own = blocks[k].measured_squares(problem, &all);
            measured[band].iter_mut().zip(own).for_each(|(sum, x)| *sum += x);
        }
    }
    let pairs = left.iter().flatten().zip(measured.iter().flatten());
    let logs: Vec<f64> = pairs
        .filter(|(left, all)| **left > 0.0 && **all > 0.0)
        .map(|(left, all)| (left / all).ln() / 2.0)
        .collect();
    Ok((logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp())
}
