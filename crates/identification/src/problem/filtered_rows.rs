//! Rows that pass the filter of the forces.
//!
//! F(τ) = F(Y) β holds for every filter F, but F(τ) = Y(F(q)) β does not: products of motions have frequencies
//! beyond the cut-off, which the forces have lost. The rows of a sample become the mean, by the weights of the
//! filter, of the rows around it. What was recorded or filtered at the full rate (forces, contacts, currents, dry
//! friction) is zero in the motion around, and so keeps what the sample itself says.
//!
//! Friction that depends on load is a product: F(s |τ|) = F(s) |τ₀| + F(s (|τ| − |τ₀|)) with the load τ₀ of the sample.
//! The sign s jumps, so F(s) comes from the full rate; what multiplies it in the second term is small around the sample.

use std::num::NonZeroUsize;
use std::ops::Range;

use steiner_linalg::parts_in_parallel;
use steiner_logs::{Around, Recording};

use super::Problem;
use super::passes::split;
use super::rows::{OwnRows, SampleRows};
use crate::failure::IdentificationError;

/// Samples whose rows are held at a time.
const HELD: usize = 256;

impl Problem {
    /// As [`Problem::fold_instants`], with rows that pass the filter of the forces.
    pub(super) fn fold_filtered<A: Send>(
        &self,
        log: (&Recording, &Around),
        range: Range<usize>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &SampleRows<'_>) + Sync,
    ) -> Result<Vec<A>, IdentificationError> {
        let of_thread = |range: Range<usize>| {
            let mut own = start();
            let mut from = range.start;
            while from < range.end {
                let piece = log.1.piece(log.1.at[from]);
                let samples = &log.1.at[from..range.end.min(from + HELD)];
                let until = from + samples.partition_point(|at| *at < piece.end);
                self.absorb_filtered(log, from..until, &mut |sample, rows| absorb(&mut own, sample, rows))?;
                from = until;
            }
            Ok(own)
        };
        parts_in_parallel(split(range, threads), |_, range| of_thread(range)).into_iter().collect()
    }

    /// Absorbs samples whose motion around is in one piece.
    fn absorb_filtered(
        &self,
        (recording, around): (&Recording, &Around),
        samples: Range<usize>,
        absorb: &mut dyn FnMut(usize, &SampleRows<'_>),
    ) -> Result<(), IdentificationError> {
        let one = NonZeroUsize::MIN;
        let width = *self.plan.offsets.last().unwrap_or(&0);
        let kernel = &*around.kernel;
        let centres = &around.at[samples.clone()];
        let (Some(first), Some(last)) = (centres.first(), centres.last()) else { return Ok(()) };
        let piece = around.piece(*first);
        let start = first.saturating_sub(kernel.reach()).max(piece.start);
        let fine = start..(last + kernel.reach() + 1).min(piece.end);
        let hold = |own: &mut Vec<f64>, _: usize, rows: &SampleRows<'_>| own.extend_from_slice(rows.values);
        // Friction that the log does not carry follows the speed, here as there.
        let carried = self.carried_friction(recording);
        let of_load = (0..self.extras.len()).filter(|&k| carried.carries(k));
        let signs: Vec<_> = of_load.filter_map(|k| Some((k, self.sign_under_load(k)?))).collect();
        let mut bound = self.bind(&around.motion)?;
        signs.iter().for_each(|(k, _)| bound.friction.exchange(*k, None));
        let held = self.fold_bound(&bound, fine.clone(), one, Vec::new, hold)?.concat();
        let row = |at: usize| &held[width * (at - start)..][..width];
        let neighbours = |sample: usize| reached(around, around.at[sample], &fine);
        let bare = recording.motion(samples.clone());
        let mut bound = self.bind(&bare)?;
        for (k, sign) in &signs {
            let mean = |sample: usize| {
                let (mut mean, mut sum) = (0.0, 0.0);
                for (at, weight) in neighbours(sample) {
                    mean += weight * sign(&around.motion, at);
                    sum += weight;
                }
                mean / sum
            };
            bound.friction.exchange(*k, Some(samples.clone().map(mean).collect()));
        }
        let instants = self.fold_bound(&bound, 0..bare.count, one, Vec::new, hold)?.concat();
        let keep =
            |kept: &mut Vec<OwnRows>, _: usize, rows: &SampleRows<'_>| kept.push(OwnRows::copied(rows));
        let kept = self.fold_instants(recording, samples.clone(), one, Vec::new, keep)?;
        for (k, (sample, mut kept)) in samples.zip(kept.into_iter().flatten()).enumerate() {
            // The row of the instant leaves, the mean over its neighbours comes.
            let (mut mean, mut sum) = (vec![0.0; width], 0.0);
            for (at, weight) in neighbours(sample) {
                mean.iter_mut().zip(row(at)).for_each(|(mean, x)| *mean += weight * x);
                sum += weight;
            }
            let instant = &instants[width * k..][..width];
            for (value, (mean, instant)) in kept.values.iter_mut().zip(mean.iter().zip(instant)) {
                *value += mean / sum - instant;
            }
            absorb(sample, &kept.rows(&self.plan));
        }
        Ok(())
    }
}

/// The samples of the motion around one of them that the kernel reaches, with what they count.
fn reached(around: &Around, centre: usize, fine: &Range<usize>) -> impl Iterator<Item = (usize, f64)> {
    let (kernel, fine) = (&*around.kernel, fine.clone());
    let weights = kernel.weights.iter().enumerate();
    weights.flat_map(move |(k, weight)| {
        let apart = k * kernel.spacing;
        let below = centre.checked_sub(apart).filter(|at| *at >= fine.start);
        let above = Some(centre + apart).filter(|at| k > 0 && *at < fine.end);
        below.into_iter().chain(above).map(move |at| (at, weight * around.taper[at]))
    })
}
