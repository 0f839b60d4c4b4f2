//! What tells whether two logs have samples in common.

use super::columns::Columns;
use super::rows::Rows;

/// One sample of so many is remembered, chosen by its contents: the same ones in every log that has them.
const ONE_OF: u64 = 16;
/// Fewer different samples than this say nothing.
const LEAST: usize = 8;
/// So many samples, evenly over the log, are kept as they are.
const KEPT: usize = 128;
/// A copy in single precision differs by less than this part of the largest value of a column.
const SINGLE: f64 = 1e-6;
/// A copy has this part of the kept samples at least: others agree by chance where digits are few.
const COPY: f64 = 0.5;

/// Some of the samples of a log: positions and forces as they were recorded, whatever the clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Fingerprint {
    /// Sorted and different, once [`Fingerprint::finish`] was called.
    hashes: Vec<u64>,
    /// Every `stride`th sample: what a copy with fewer digits still has.
    kept: Vec<Vec<f64>>,
    stride: usize,
    count: usize,
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self { hashes: Vec::new(), kept: Vec::new(), stride: 1, count: 0 }
    }
}

impl Fingerprint {
    pub(super) fn add(&mut self, rows: &Rows, columns: &Columns) {
        let wrenches = columns.wrenches.iter().flat_map(|(_, slots)| slots.iter().copied());
        let forces: Vec<usize> = columns.tau.iter().map(|(_, slot)| *slot).chain(wrenches).collect();
        // A few columns choose the samples, so that the others need not be looked at.
        let choosing: Vec<usize> =
            [columns.q.first(), forces.first(), forces.last()].into_iter().flatten().copied().collect();
        let hash = |slots: &mut dyn Iterator<Item = usize>, row: usize| {
            slots.fold(0xcbf2_9ce4_8422_2325_u64, |hash, slot| {
                let bits = rows.columns[slot][row].to_bits();
                (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
            })
        };
        let all = || columns.q.iter().copied().chain(forces.iter().copied());
        let is_chosen =
            |row: &usize| (hash(&mut choosing.iter().copied(), *row) >> 32).is_multiple_of(ONE_OF);
        let chosen = (0..rows.times.len()).filter(is_chosen);
        self.hashes.extend(chosen.map(|row| hash(&mut all(), row)));
        for row in 0..rows.times.len() {
            if self.count.is_multiple_of(self.stride) {
                self.kept.push(all().map(|slot| rows.columns[slot][row]).collect());
            }
            self.count += 1;
            if self.kept.len() == 2 * KEPT {
                let mut keep = (0..2 * KEPT).map(|k| k % 2 == 0);
                self.kept.retain(|_| keep.next() == Some(true));
                self.stride *= 2;
            }
        }
    }

    /// The same, ready to be compared. A robot at rest repeats itself: equal samples count once.
    pub(super) fn finish(mut self) -> Self {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self
    }

    /// The part of this log's different samples that another one has, too: from 0 to 1.
    pub fn shared_with(&self, other: &Fingerprint) -> f64 {
        if self.hashes.len() < LEAST {
            return 0.0;
        }
        let common = self.hashes.iter().filter(|hash| other.hashes.binary_search(hash).is_ok()).count();
        (common as f64 / self.hashes.len() as f64).max(self.copies(other))
    }

    /// The part of the kept samples that another log of the same length has, too, up to the digits of the coarser.
    fn copies(&self, other: &Fingerprint) -> f64 {
        if self.count != other.count || self.kept.len() < LEAST {
            return 0.0;
        }
        let column = |of: &Fingerprint, c: usize| -> Vec<f64> {
            of.kept.iter().filter_map(|sample| sample.get(c).copied()).collect()
        };
        let steps: Vec<f64> = (0..self.kept[0].len())
            .map(|c| {
                let (a, b) = (column(self, c), column(other, c));
                let largest = a.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
                (0.501 * decimal_step(&a).max(decimal_step(&b))).max(SINGLE * largest)
            })
            .collect();
        let same = |(a, b): &(&Vec<f64>, &Vec<f64>)| {
            a.len() == b.len() && a.iter().zip(*b).zip(&steps).all(|((a, b), step)| (a - b).abs() <= *step)
        };
        let share = self.kept.iter().zip(&other.kept).filter(same).count() as f64 / self.kept.len() as f64;
        if share < COPY { 0.0 } else { share }
    }
}

/// The step of values that were printed with at most eight decimals; 0 if they were not.
fn decimal_step(values: &[f64]) -> f64 {
    let printed = |step: f64| {
        values
            .iter()
            .all(|value| ((value / step).round() * step - value).abs() < 1e-9 * value.abs().max(step))
    };
    (0..=8).map(|decimals| 10f64.powi(-decimals)).find(|&step| printed(step)).unwrap_or(0.0)
}
