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
    /// Blocks.
    pub(crate) blocks: usize,
    /// Σ over blocks of score · scoreᵀ.
    pub(crate) products: Matrix<f64>,
    /// For each row.
    pub(crate) lags: Vec<Lag>,
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
    let mut out =
        Scores { blocks: 0, products: Matrix::zeros(base, base), lags: vec![Lag::default(); rows.len()] };
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
            out.blocks += blocks.len();
            for score in blocks.values() {
                for i in 0..base {
                    (0..base).for_each(|j| out.products[(i, j)] += score[i] * score[j]);
                }
            }
        }
        Ok(())
    })?;
    Ok(out)
}
