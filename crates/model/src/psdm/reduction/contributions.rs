//! What each function contributes to the forces of a task: (65) and (66).

use std::num::NonZeroUsize;

use steiner_dynamics::Samples;
use steiner_linalg::in_parallel;

use super::measure::Measure;
use super::states::{Factors, Functions, Lane, Phi, WIDTH, pieces};

/// What a function contributes: its relative normed contribution ϱ = ‖τ_y‖/‖τ‖ of (66) over some states.
/// Contributions that cancel one another may exceed 1.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Contribution {
    /// Mean over the states.
    pub mean: f64,
    /// Half of the states have less; to a few percent of itself.
    pub median: f64,
    /// Largest of all states.
    pub largest: f64,
}

/// Feeds every function at every eight states, weighted, to accumulators, one for each range of states:
/// `absorb(accumulator, function, values, first state)`.
fn fold<A: Send>(
    functions: &Functions<'_>,
    measure: &Measure,
    samples: &Samples<'_>,
    ranges: &[std::ops::Range<usize>],
    threads: NonZeroUsize,
    start: impl Fn() -> A + Sync,
    absorb: impl Fn(&mut A, usize, Lane, usize) + Sync,
) -> Vec<A> {
    in_parallel(ranges.len(), threads, |range| {
        let range = ranges[range].clone();
        let mut accumulator = start();
        let mut factors = Factors::default();
        for first in range.clone().step_by(WIDTH) {
            functions.evaluate(samples, first, |state| measure.weights[state], &mut factors);
            for function in 0..functions.model.functions.len() {
                absorb(&mut accumulator, function, functions.value(function, &factors), first);
            }
        }
        accumulator
    })
}

/// The mean contribution of each function, in the measure given.
pub(super) fn means(
    functions: &Functions<'_>,
    phi: &Phi,
    measure: &Measure,
    samples: &Samples<'_>,
    threads: NonZeroUsize,
) -> Vec<f64> {
    let count = functions.model.functions.len();
    let joints = functions.model.dof();
    let is_of_forces = measure.is_of_forces();
    let norms: Vec<f64> = (0..count).map(|k| phi.norm(k)).collect();
    let sums = fold(
        functions,
        measure,
        samples,
        &pieces(samples.count),
        threads,
        || (vec![0.0; count], vec![[0.0; WIDTH]; joints]),
        // Lanes past the end weigh nothing.
        |(sums, force), function, y, first| {
            if is_of_forces {
                sums[function] += norms[function] * y.iter().map(|y| y.abs()).sum::<f64>();
                return;
            }
            // τ_{y_k} = y_k Φ_k, a column of (65).
            force.fill([0.0; WIDTH]);
            phi.row(function).iter().for_each(|&(joint, phi)| force[usize::from(joint)] = y.map(|y| phi * y));
            measure.apply(first, force, 1);
            let size = |lane: usize| force.iter().map(|f| f[lane] * f[lane]).sum::<f64>().sqrt();
            sums[function] += (0..WIDTH).map(size).sum::<f64>();
        },
    );
    (0..count).map(|k| sums.iter().map(|(sums, _)| sums[k]).sum::<f64>() / samples.count as f64).collect()
}

/// Mean, median and largest contribution of each function to the forces.
pub(super) fn statistics(
    functions: &Functions<'_>,
    phi: &Phi,
    measure: &Measure,
    samples: &Samples<'_>,
    threads: NonZeroUsize,
) -> Vec<Contribution> {
    let count = functions.model.functions.len();
    // Tallies are large: one for each thread, not for each piece.
    let length = samples.count.div_ceil(threads.get()).next_multiple_of(WIDTH);
    let ranges: Vec<_> = (0..samples.count.div_ceil(length))
        .map(|k| k * length..((k + 1) * length).min(samples.count))
        .collect();
    let norms: Vec<f64> = (0..count).map(|k| phi.norm(k)).collect();
    let tallies = fold(
        functions,
        measure,
        samples,
        &ranges,
        threads,
        || (vec![0.0f64; count], vec![0u32; count * BINS]),
        |(largest, tally), function, y, first| {
            for y in &y[..WIDTH.min(samples.count - first)] {
                let contribution = norms[function] * y.abs();
                largest[function] = largest[function].max(contribution);
                tally[function * BINS + bin(contribution)] += 1;
            }
        },
    );
    let means = means(functions, phi, measure, samples, threads);
    let contribution = |k: usize| {
        let largest = tallies.iter().map(|(largest, _)| largest[k]).fold(0.0, f64::max);
        let tally = |bin: usize| tallies.iter().map(|(_, tally)| tally[k * BINS + bin] as usize).sum();
        Contribution { mean: means[k], median: median(tally, samples.count).min(largest), largest }
    };
    (0..count).map(contribution).collect()
}

/// Bins per octave, as a power of two: eight.
const DIGITS: u32 = 3;
/// Contributions below 2⁻⁴⁴ count as nothing, those above 2⁴ as that.
const LOWEST: i64 = -44;
const BINS: usize = ((4 - LOWEST) << DIGITS) as usize + 2;

/// The exponent of a double and the first digits of its mantissa are a logarithm good enough to sort by.
fn bin(contribution: f64) -> usize {
    let steps = (contribution.to_bits() >> (52 - DIGITS)) as i64 - ((1023 + LOWEST) << DIGITS);
    (steps + 1).clamp(0, BINS as i64 - 1) as usize
}

/// Where half of the values are reached, as if those of a bin were evenly spread in it.
fn median(tally: impl Fn(usize) -> usize, count: usize) -> f64 {
    let (half, mut below) = (0.5 * count as f64, 0.0);
    for bin in 0..BINS {
        let inside = tally(bin) as f64;
        if inside > 0.0 && below + inside >= half {
            let steps = bin as u64 + ((1023 + LOWEST) << DIGITS) as u64 - 1;
            let [low, high] = [steps, steps + 1].map(|steps| f64::from_bits(steps << (52 - DIGITS)));
            return if bin == 0 { 0.0 } else { low + (high - low) * (half - below) / inside };
        }
        below += inside;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::{BINS, bin, median};

    #[test]
    fn medians_from_tallies_are_within_six_percent() {
        for exponent in -44..4 {
            for mantissa in [1.0, 1.06, 1.3, 1.77, 1.999] {
                let value = mantissa * 2f64.powi(exponent);
                let found = median(|k| usize::from(k == bin(value)), 1);
                assert!((found / value - 1.0).abs() < 0.063, "{value} became {found}");
            }
        }
        assert_eq!((bin(0.0), bin(1e-30), bin(1e30)), (0, 0, BINS - 1));
        assert_eq!(median(|k| usize::from(k == 0), 1), 0.0);
    }
}
