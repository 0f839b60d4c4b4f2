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
