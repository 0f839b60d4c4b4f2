//! What tells whether two logs have samples in common.

use super::columns::Columns;
use super::rows::Rows;

/// One sample of so many is remembered, chosen by its contents: the same ones in every log that has them.
const ONE_OF: u64 = 16;
/// Fewer different samples than this say nothing.
const LEAST: usize = 8;

/// Hashes of some of the samples of a log: positions and forces as they were recorded, whatever the clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Sorted and different, once [`Fingerprint::finish`] was called.
    hashes: Vec<u64>,
}

impl Fingerprint {
    pub(super) fn add(&mut self, rows: &Rows, columns: &Columns) {
        let forces = columns.tau.iter().map(|(_, slot)| *slot);
        let wrenches = columns.wrenches.iter().flat_map(|(_, slots)| slots.iter().copied());
        let mut hashes = vec![0xcbf2_9ce4_8422_2325_u64; rows.times.len()];
        for slot in columns.q.iter().copied().chain(forces).chain(wrenches) {
            for (hash, x) in hashes.iter_mut().zip(&rows.columns[slot]) {
                *hash = (*hash ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
            }
        }
        self.hashes.extend(hashes.into_iter().filter(|hash| (hash >> 32).is_multiple_of(ONE_OF)));
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
        common as f64 / self.hashes.len() as f64
    }
}
