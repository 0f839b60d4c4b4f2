//! The second pass over a log, with parameters given: the scores of blocks of neighbouring samples, and how much
//! later than its motion each force comes.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use steiner_linalg::elimination::Matrix;

use crate::accumulate::{Source, row_residual, training_ranges};
use crate::estimate::Projection;
use crate::failure::IdentificationError;
use crate::long_run::variance_of_sum;
use crate::problem::{Problem, SampleRows};

/// What blocks of neighbouring samples pull at the parameters: Σ over a block of w² Yᵀ (y − Yβ).
#[derive(Clone, Debug)]
pub(crate) struct Scores {
    /// For each stretch without gaps its blocks, one after the other.
    pub(crate) stretches: Vec<Vec<Vec<f64>>>,
    /// For each row.
    pub(crate) lags: Vec<Lag>,
    /// For each row Σ Yᵀ ṗ over base parameters: what a lag does to them.
    pub(crate) along: Vec<Vec<f64>>,
}

impl Scores {
    /// Of no samples.
    pub(crate) fn none(problem: &Problem) -> Self {
        let rows = problem.rows().len();
        Scores {
            stretches: Vec::new(),
            lags: vec![Lag::default(); rows],
            along: vec![vec![0.0; problem.base().len()]; rows],
        }
    }

    /// Takes in those of other stretches.
    pub(crate) fn merge(&mut self, other: &Scores) {
        self.stretches.extend(other.stretches.iter().cloned());
        self.lags.iter_mut().zip(&other.lags).for_each(|(lag, more)| lag.merge(more));
        for (sums, more) in self.along.iter_mut().zip(&other.along) {
            sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
        }
    }

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
        let mut out: Matrix<f64> = Matrix::zeros(n, n);
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
        // Linear weights over a part b of all blocks see 1 − b + b²/3 of the variance (Kiefer and Vogelsang).
        let part = distance as f64 / self.blocks().max(1) as f64;
        out.entries_mut().iter_mut().for_each(|entry| *entry /= 1.0 - part + part * part / 3.0);
        let series = |k: usize| -> Vec<Vec<f64>> {
            influences.iter().map(|blocks| blocks.iter().map(|block| block[k]).collect()).collect()
        };
        let longer: Vec<f64> = (0..n)
            .map(|k| (variance_of_sum(&series(k)) / out[(k, k)].max(f64::MIN_POSITIVE)).max(1.0).sqrt())
            .collect();
        Matrix::from_fn(n, n, |i, j| longer[i] * longer[j] * out[(i, j)])
    }
}

/// How far apart blocks still have to do with each other: the distance that Andrews (1991) finds best for weights
/// that fall off linearly, if every parameter's series is autoregressive of first order; at most a sixth of the
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
    (best as usize).min(blocks / 6)
}

/// How residuals e follow the change ṗ of what is predicted: a force that comes later by L has e ≈ −L ṗ.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lag {
    residuals: f64,
    mixed: f64,
    changes: f64,
}

impl Lag {
    /// Σ e ṗ and Σ ṗ².
    pub(crate) fn moments(&self) -> (f64, f64) {
        (self.mixed, self.changes)
    }

    fn add(&mut self, residual: f64, change: f64) {
        self.residuals += residual * residual;
        self.mixed += residual * change;
        self.changes += change * change;
    }

    /// Its three sums, for another process.
    pub(crate) fn sums(&self) -> [f64; 3] {
        [self.residuals, self.mixed, self.changes]
    }

    /// From these sums.
    pub(crate) fn of_sums([residuals, mixed, changes]: [f64; 3]) -> Self {
        Lag { residuals, mixed, changes }
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
    along: Vec<Vec<f64>>,
    /// The last two samples of each row: (sample, prediction, residual).
    last: Vec<[Option<(usize, f64, f64)>; 2]>,
    /// The coefficients of each row at the last of them.
    coefficients: Vec<Vec<f64>>,
}

/// Where scores are taken.
#[derive(Clone, Copy)]
pub(crate) struct Point<'a> {
    /// Base parameters.
    pub(crate) values: &'a [f64],
    /// Of rows.
    pub(crate) weights: &'a [f64],
    /// With instruments, projected rows pull instead of the rows themselves.
    pub(crate) projection: Option<&'a Projection>,
}

/// Gathers the scores of the training samples at given parameters; rows of blocks of `size` samples.
pub(crate) fn scores(
    problem: &Problem,
    source: &mut dyn Source,
    at: Point<'_>,
    size: usize,
    threads: NonZeroUsize,
) -> Result<Scores, IdentificationError> {
    let gathering = Gathering { problem, gains: problem.gains(), at, size };
    let mut out = Scores::none(problem);
    let start = || gathering.start();
    match at.projection {
        None => source.chunks(&mut |recording| {
            let period = recording.period();
            for range in training_ranges(recording) {
                let first = range.start;
                let folded = problem.fold(recording, range, threads, start, |own, sample, rows| {
                    gathering.absorb(own, (sample, first), period, rows, None);
                })?;
                out.take(folded);
            }
            Ok(())
        })?,
        Some(_) => source.chunks_with_instruments(&mut |recording, instruments| {
            let (period, pair) = (recording.period(), (recording, instruments));
            for range in training_ranges(recording) {
                let first = range.start;
                let folded = problem.fold_with_instruments(
                    pair,
                    range,
                    threads,
                    start,
                    |own, sample, rows, beside| {
                        gathering.absorb(own, (sample, first), period, rows, Some(beside));
                    },
                )?;
                out.take(folded);
            }
            Ok(())
        })?,
    }
    Ok(out)
}

struct Gathering<'a> {
    problem: &'a Problem,
    gains: Vec<Option<usize>>,
    at: Point<'a>,
    size: usize,
}

impl Gathering<'_> {
    fn start(&self) -> Own {
        let rows = self.problem.rows().len();
        Own {
            blocks: BTreeMap::new(),
            lags: vec![Lag::default(); rows],
            along: vec![vec![0.0; self.at.values.len()]; rows],
            last: vec![[None; 2]; rows],
            coefficients: self.problem.rows().iter().map(|row| vec![0.0; row.sees.len()]).collect(),
        }
    }

    fn absorb(
        &self,
        own: &mut Own,
        (sample, first): (usize, usize),
        period: Option<f64>,
        numbers: &SampleRows<'_>,
        instruments: Option<&SampleRows<'_>>,
    ) {
        let Point { values, weights, projection } = self.at;
        let Own { blocks, lags, along, last, coefficients } = own;
        let score = blocks.entry((sample - first) / self.size).or_insert_with(|| vec![0.0; values.len()]);
        let rows = self.problem.rows().iter().enumerate();
        for (r, row) in rows.filter(|(r, _)| numbers.counts[*r]) {
            let numbers = numbers.row(r);
            let residual = row_residual(values, &row.sees, numbers);
            let pull = weights[r] * weights[r] * residual;
            match (projection, instruments) {
                (Some(projection), Some(instruments)) => {
                    projection.project(r, instruments.row(r), |k, a| score[row.sees[k]] += pull * a);
                }
                _ => row.sees.iter().zip(numbers).for_each(|(&b, a)| score[b] += pull * a),
            }
            match self.gains[r] {
                // The current as predicted, as in `Reduced::with_predicted_currents`.
                Some(gain) => score[gain] += pull * residual / values[gain],
                None => {
                    let prediction = numbers[row.sees.len()] - residual;
                    let [before, middle] = &mut last[r];
                    if let (Some((a, earlier, _)), Some((b, _, own)), Some(period)) =
                        (*before, *middle, period)
                        && (b, sample) == (a + 1, a + 2)
                    {
                        let change = (prediction - earlier) / (2.0 * period);
                        lags[r].add(own, change);
                        row.sees.iter().zip(&coefficients[r]).for_each(|(&b, a)| along[r][b] += a * change);
                    }
                    coefficients[r].copy_from_slice(&numbers[..row.sees.len()]);
                    (*before, *middle) = (*middle, Some((sample, prediction, residual)));
                }
            }
        }
    }
}

impl Scores {
    /// Takes in a stretch; a block that two threads shared is one.
    fn take(&mut self, folded: Vec<Own>) {
        let mut blocks: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for own in folded {
            self.lags.iter_mut().zip(&own.lags).for_each(|(lag, more)| lag.merge(more));
            for (sums, more) in self.along.iter_mut().zip(&own.along) {
                sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
            }
            for (block, score) in own.blocks {
                match blocks.get_mut(&block) {
                    Some(sum) => sum.iter_mut().zip(score).for_each(|(sum, x)| *sum += x),
                    None => drop(blocks.insert(block, score)),
                }
            }
        }
        self.stretches.push(blocks.into_values().collect());
    }
}
