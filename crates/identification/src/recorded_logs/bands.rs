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
use crate::estimate::{Noise, values_of, weighted};
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
                recordings.push(self.processed(log, &log.fine, &processing)?);
            }
            let blocks = blocks(problem, &recordings)?;
            let equations: usize = blocks.iter().flat_map(Reduced::counts).sum();
            let as_many = bands.first().is_none_or(|first| first.len() == blocks.len());
            if blocks.len() < 2 || !as_many || equations < EQUATIONS * problem.base().len() {
                break;
            }
            bands.push(blocks);
        }
        let all: Vec<&[Reduced]> = bands.iter().map(Vec::as_slice).collect();
        let score = |own: &&[Reduced]| left_out(problem, own, &all, &noise_of(problem, own)?);
        let scores = all.iter().map(score).collect::<Result<Vec<_>, _>>()?;
        Ok(scales.iter().copied().zip(scores).filter(|(_, score)| score.is_finite()).collect())
    }
}

/// The error of forces on blocks left out, predicted by parameters from the other blocks of one band (`own`): the
/// geometric mean over rows and over all bands of root mean squares, relative to what was recorded; NaN where
/// nothing is left to compare. `noise` weighs the rows.
pub(super) fn left_out(
    problem: &Problem,
    own: &[Reduced],
    bands: &[&[Reduced]],
    noise: &Noise,
) -> Result<f64, IdentificationError> {
    let (prior, gains) = (problem.base_values(problem.prior()), problem.gains());
    // Where a gain is unknown, what was recorded is a current, with a gain of 1.
    let mut ones = problem.prior().to_vec();
    problem.rows().iter().filter_map(|row| problem.gain_of(row.kind)).for_each(|column| ones[column] = 1.0);
    let rows = problem.rows().len();
    let mut left = vec![vec![0.0; rows]; bands.len()];
    let mut measured = left.clone();
    for k in 0..own.len() {
        let rest = without(problem, own, k);
        // Gains make the problem nonlinear, and residuals are then those of currents.
        let values = match gains.iter().any(Option::is_some) {
            true => weighted(&rest, &gains, &prior)?.0.values,
            false => values_of(&rest, noise, &prior),
        };
        let gain = |r: usize| gains[r].map_or(1.0, |gain| values[gain]);
        for (band, blocks) in bands.iter().enumerate() {
            let squares = blocks[k].residual_squares(&values);
            (0..rows).for_each(|r| left[band][r] += squares[r] / gain(r).powi(2));
            let all = blocks[k].measured_squares(problem, &ones);
            measured[band].iter_mut().zip(all).for_each(|(sum, x)| *sum += x);
        }
    }
    let pairs = left.iter().flatten().zip(measured.iter().flatten());
    let told = pairs.filter(|(left, all)| **left > 0.0 && **all > 0.0);
    let logs: Vec<f64> = told.map(|(left, all)| (left / all).ln() / 2.0).collect();
    Ok((logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// The noise of every row, by all blocks.
pub(super) fn noise_of(problem: &Problem, blocks: &[Reduced]) -> Result<Noise, IdentificationError> {
    let prior = problem.base_values(problem.prior());
    Ok(weighted(&without(problem, blocks, usize::MAX), &problem.gains(), &prior)?.1)
}

fn without(problem: &Problem, blocks: &[Reduced], left_out: usize) -> Reduced {
    let mut rest = Reduced::new(problem);
    blocks.iter().enumerate().filter(|(k, _)| *k != left_out).for_each(|(_, block)| rest.merge(block));
    rest
}
