//! The second pass over a log, with parameters given: the scores of blocks of neighbouring samples, and how much
//! later than its motion each force comes.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use steiner_linalg::elimination::Matrix;
use steiner_logs::Role;

use crate::accumulate::{Source, row_residual};
use crate::failure::IdentificationError;
use crate::problem::Problem;

/// What blocks of neighbouring samples pull at the parameters: Σ over a block of w² Yᵀ (y − Yβ).
#[derive(Clone, Debug)]
pub(crate) struct Scores {
    /// For each stretch without gaps its blocks, one after the other.
    stretches: Vec<Vec<Vec<f64>>>,
    /// For each row.
    pub(crate) lags: Vec<Lag>,
}

impl Scores {
    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.stretches.iter().map(Vec::len).sum()
    }

    /// What blocks do to the parameters, C g with C the inverse of the information, and the covariance of their
    /// sum: Σ g gᵀ, with neighbours up to a distance L that falls off linearly (Newey and West), because noise
    /// may last longer than a block.
    pub(crate) fn covariance(&self, inverse: &Matrix<f64>) -> Matrix<f64> {
        let influences: Vec<Vec<Vec<f64>>> = (self.stretches.iter())
            .map(|blocks| blocks.iter().map(|score| inverse.apply(score)).collect())
            .collect();
        let n = inverse.rows();
        let distance = bandwidth(&influences, n, self.blocks());
        let mut out = Matrix::zeros(n, n);
        for blocks in &influences {
            for (k, own) in blocks.iter().enumerate() {
                for (apart, other) in blocks[k..].iter().enumerate().take(distance + 1) {
                    let weight = 1.0 - apart as f64 / (distance + 1) as f64;
                    for i in 0..n {
                        let factor = weight * own[i];
                        for j in 0..n {
                            out[(i, j)] += factor * other[j];
                            if apart > 0 {
                                out[(j, i)] += factor * other[j];
                            }
                        }
                    }
                }
            }
        }
        out
    }
}

/// How far apart blocks still have to do with each other: the distance that Andrews (1991) finds best for weights
/// that fall off linearly, if every parameter's series is autoregressive of first order; at most an eighth of the
/// blocks.
fn bandwidth(influences: &[Vec<Vec<f64>>], parameters: usize, blocks: usize) -> usize {
    let (mut above, mut below) = (0.0, 0.0);
    for k in 0..parameters {
        let (mut own, mut next) = (0.0, 0.0);
        for blocks in influences {
            own += blocks.iter().map(|block| block[k] * block[k]).sum::<f64>();
            next += blocks.windows(2).map(|pair| pair[0][k] * pair[1][k]).sum::<f64>();
        }
        if own > 0.0 {
            let rho = (next / own).clamp(-0.9, 0.9);
            above += 4.0 * rho * rho / ((1.0 - rho).powi(6) * (1.0 + rho).powi(2));
            below += 1.0 / (1.0 - rho).powi(4);
        }
    }
    if below == 0.0 {
        return 0;
    }
    let best = 1.1447 * (above / below * blocks as f64).cbrt();
    (best as usize).min(blocks / 8)
}

/// How residuals e follow the change ṗ of what is predicted: a force that comes later by L has e ≈ −L ṗ.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lag {
    residuals: f64,
    mixed: f64,
    changes: f64,
}

impl Lag {
    fn add(&mut self, residual: f64, change: f64) {
        self.residuals += residual * residual;
        self.mixed += residual * change;
        self.changes += change * change;
    }

    fn merge(&mut self, other: &Lag) {
        self.residuals += other.residuals;
        self.mixed += other.mixed;
        self.changes += other.changes;
    }

    /// L, s; `None` where nothing changes.
    pub(crate) fn seconds(&self) -> Option<f64> {
        (self.changes > 0.0).then(|| -self.mixed / self.changes)
    }

    /// The part of the residual's square that the lag explains.
    pub(crate) fn explains(&self) -> f64 {
        let product = self.residuals * self.changes;
        if product > 0.0 { self.mixed * self.mixed / product } else { 0.0 }
    }
}

/// What one thread gathers.
struct Own {
    blocks: BTreeMap<usize, Vec<f64>>,
    lags: Vec<Lag>,
    /// The last two samples of each row: (sample, prediction, residual).
    last: Vec<[Option<(usize, f64, f64)>; 2]>,
}

/// Gathers the scores of the training samples at given parameters; rows of blocks of `size` samples.
pub(crate) fn scores(
    problem: &Problem,
    source: &mut dyn Source,
    values: &[f64],
    weights: &[f64],
    size: usize,
    threads: NonZeroUsize,
) -> Result<Scores, IdentificationError> {
    let (base, gains) = (problem.base().len(), problem.gains());
    let rows = problem.rows();
    let mut out = Scores { stretches: Vec::new(), lags: vec![Lag::default(); rows.len()] };
    let start = || Own {
        blocks: BTreeMap::new(),
        lags: vec![Lag::default(); rows.len()],
        last: vec![[None; 2]; rows.len()],
    };
    source.chunks(&mut |recording| {
        let period = recording.period();
        for part in recording.parts().into_iter().filter(|part| part.role == Role::Training) {
            let first = part.samples.start;
            let folded = problem.fold(recording, part.samples, threads, start, |own, sample, numbers| {
                let Own { blocks, lags, last } = own;
                let score = blocks.entry((sample - first) / size).or_insert_with(|| vec![0.0; base]);
                for (r, row) in rows.iter().enumerate().filter(|(r, _)| numbers.counts[*r]) {
                    let numbers = numbers.row(r);
                    let residual = row_residual(values, &row.sees, numbers);
                    let pull = weights[r] * weights[r] * residual;
                    row.sees.iter().zip(numbers).for_each(|(&b, a)| score[b] += pull * a);
                    match gains[r] {
                        // The current as predicted, as in `Reduced::with_predicted_currents`.
                        Some(gain) => score[gain] += pull * residual / values[gain],
                        None => {
                            let prediction = numbers[row.sees.len()] - residual;
                            let [before, middle] = &mut last[r];
                            if let (Some((a, earlier, _)), Some((b, _, own)), Some(period)) =
                                (*before, *middle, period)
                                && (b, sample) == (a + 1, a + 2)
                            {
                                lags[r].add(own, (prediction - earlier) / (2.0 * period));
                            }
                            (*before, *middle) = (*middle, Some((sample, prediction, residual)));
                        }
                    }
                }
            })?;
            // A block that two threads shared is one.
            let mut blocks: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            for own in folded {
                out.lags.iter_mut().zip(&own.lags).for_each(|(lag, more)| lag.merge(more));
                for (block, score) in own.blocks {
                    let sum = blocks.entry(block).or_insert_with(|| vec![0.0; base]);
                    sum.iter_mut().zip(score).for_each(|(sum, x)| *sum += x);
                }
            }
            out.stretches.push(blocks.into_values().collect());
        }
        Ok(())
    })?;
    Ok(out)
}
