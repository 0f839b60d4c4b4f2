//! Signals with clocks of their own, brought onto one: rows come at the stamps of the
//! first, the others are interpolated.

use std::collections::VecDeque;

/// Two samples further apart than this are not joined by a line, nanoseconds.
const LONGEST_BRIDGE: i64 = 500_000_000;
/// How long a row waits for a signal that is silent in a recording of several,
/// nanoseconds of the first clock.
pub(crate) const PATIENCE: i64 = 2_000_000_000;

/// A sample: stamp in nanoseconds, values.
pub(crate) type Sample = (i64, Vec<f64>);

/// Rows at the stamps of the first signal.
#[derive(Debug, Default)]
pub(crate) struct Merge {
    first: VecDeque<Sample>,
    others: Vec<Track>,
    /// The newest stamp of the first signal.
    newest: i64,
    /// How much newer than a row it may be before the row is given up.
    patience: i64,
}

#[derive(Debug)]
struct Track {
    width: usize,
    samples: VecDeque<Sample>,
    ended: bool,
    /// Rows that had to be left out because this signal had nothing around them.
    left_out: u64,
}

impl Merge {
    /// A merge of one leading signal with others of these widths.
    pub(crate) fn new(widths: impl IntoIterator<Item = usize>, patience: i64) -> Self {
        let track = |width| Track { width, samples: VecDeque::new(), ended: false, left_out: 0 };
        let others = widths.into_iter().map(track).collect();
        Merge { others, newest: i64::MIN, patience, ..Merge::default() }
    }

    /// A sample of the leading signal.
    pub(crate) fn push_first(&mut self, stamp: i64, values: Vec<f64>) {
        self.newest = self.newest.max(stamp);
        self.first.push_back((stamp, values));
    }

    /// A sample of another signal; stamps that go back are passed over.
    pub(crate) fn push_other(&mut self, other: usize, stamp: i64, values: Vec<f64>) {
        let track = &mut self.others[other];
        if track.samples.back().is_none_or(|(last, _)| *last < stamp) {
            track.samples.push_back((stamp, values));
        }
    }

    /// No more samples of another signal will come.
    pub(crate) fn end_other(&mut self, other: usize) {
        self.others[other].ended = true;
    }

    /// No more samples will come at all.
    pub(crate) fn end(&mut self) {
        self.others.iter_mut().for_each(|track| track.ended = true);
    }

    /// Whose samples the next row waits for: 0 the leading signal, k + 1 another.
    pub(crate) fn waits_for(&self) -> usize {
        match self.first.front() {
            None => 0,
            Some((stamp, _)) => {
                1 + self.others.iter().position(|track| track.wants_more(*stamp)).unwrap_or(0)
            }
        }
    }

    /// The next row that is complete.
    pub(crate) fn next(&mut self) -> Option<Sample> {
        'rows: while let Some((stamp, _)) = self.first.front() {
            let stamp = *stamp;
            let waited = self.newest.saturating_sub(stamp) > self.patience;
            if !waited && self.others.iter().any(|track| track.wants_more(stamp)) {
                return None;
            }
            let (_, mut values) = self.first.pop_front()?;
            for track in &mut self.others {
                if !track.interpolate(stamp, &mut values) {
                    track.left_out += 1;
                    continue 'rows;
                }
            }
            return Some((stamp, values));
        }
        None
    }

    /// Rows left out because of each of the other signals.
    pub(crate) fn left_out(&self) -> Vec<u64> {
        self.others.iter().map(|track| track.left_out).collect()
    }
}

impl Track {
    /// Whether a sample at or behind the stamp is still to come.
    fn wants_more(&self, stamp: i64) -> bool {
        !self.ended && self.samples.back().is_none_or(|(last, _)| *last < stamp)
    }

    /// Appends the values at a stamp; `false` if there is nothing around it.
    fn interpolate(&mut self, stamp: i64, out: &mut Vec<f64>) -> bool {
        while self.samples.len() > 1 && self.samples[1].0 <= stamp {
            self.samples.pop_front();
        }
        let Some((before, values)) = self.samples.front() else { return false };
        if *before == stamp {
            out.extend_from_slice(values);
            return true;
        }
        let Some((after, next)) = self.samples.get(1) else { return false };
        if *before > stamp || after.saturating_sub(*before) > LONGEST_BRIDGE {
            return false;
        }
        let part = (stamp - before) as f64 / (after - before) as f64;
        out.extend((0..self.width).map(|k| values[k] + part * (next[k] - values[k])));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    #[test]
    fn rows_come_at_the_first_clock_with_the_others_between_their_samples() {
        let mut merge = Merge::new([1], PATIENCE);
        (0..5).for_each(|k| merge.push_first(10 * k * MS, vec![k as f64]));
        merge.push_other(0, 5 * MS, vec![100.0]);
        assert_eq!(merge.next(), None); // nothing before 5 ms will ever come, but 10 ms waits
        merge.push_other(0, 25 * MS, vec![300.0]);
        assert_eq!(merge.next(), Some((10 * MS, vec![1.0, 150.0])));
        assert_eq!(merge.next(), Some((20 * MS, vec![2.0, 250.0])));
        assert_eq!(merge.next(), None);
        merge.end();
        assert_eq!(merge.next(), None);
        assert_eq!(merge.left_out(), [3]); // 0, 30 and 40 ms
    }

    #[test]
    fn a_signal_that_falls_silent_is_not_bridged_and_not_waited_for() {
        let mut merge = Merge::new([1], PATIENCE);
        merge.push_other(0, 0, vec![1.0]);
        (0..300).for_each(|k| merge.push_first(10 * k * MS, vec![k as f64]));
        assert_eq!(merge.next(), Some((0, vec![0.0, 1.0])));
        assert_eq!(merge.next(), None);
        assert!(merge.first.len() <= 201, "{}", merge.first.len());
    }
}
