//! Rows that repeat what was recorded before while the robot moves on: a recorder that was not fed.
//!
//! A robot at rest repeats itself, too, but it brakes before that: its last steps shrink. One that moved all the while had
//! even steps, and is found elsewhere: where the log goes on, a position has gone about as far as its last step times the
//! number of rows.

use super::columns::Columns;
use super::rows::Rows;

/// So many repeated rows may be chance: values are coarse, or were read twice.
const CHANCE: usize = 1;
/// A position has gone this part of what its last step leads to, at least, and one over it, at most…
const ON_ITS_WAY: f64 = 0.5;
/// …and more than so many of those steps…
const STEPS: f64 = 2.5;
/// …and its last step is at least this part of the one before, and one over it at most. Who brakes smoothly, even in one
/// sample, has less than a third.
const EVEN: f64 = 0.5;

/// Leaves rows out that repeat the one before while the robot moves.
#[derive(Debug, Default)]
pub(crate) struct StaleRows {
    time: Option<usize>,
    q: Vec<usize>,
    /// The last row, and up to two before it without a repeated one in between, the latest last.
    last: Vec<f64>,
    before: Vec<Vec<f64>>,
    /// Times of the rows that repeat the last one, and may have to be left out.
    waiting: Vec<f64>,
    /// How many were left out.
    pub(crate) count: u64,
    /// When the first of them was recorded, s.
    pub(crate) first: Option<f64>,
}

impl StaleRows {
    pub(crate) fn new(columns: &Columns) -> Self {
        // Without a clock nothing would show that rows are missing.
        let q = if columns.time.is_some() { columns.q.clone() } else { Vec::new() };
        StaleRows { time: columns.time, q, ..StaleRows::default() }
    }

    /// What is fresh of these rows; those at the end that may be stale wait for the next ones.
    pub(crate) fn fresh(&mut self, rows: Rows) -> Rows {
        let count = rows.times.len();
        if self.q.is_empty() {
            return rows;
        }
        let repeats =
            |k: usize| self.q.iter().all(|&slot| rows.columns[slot][k] == rows.columns[slot][k - 1]);
        if self.waiting.is_empty() && count > 1 && !self.repeats_last(&rows, 0) && !(1..count).any(repeats) {
            for k in count.saturating_sub(3)..count {
                self.follow(row_of(&rows, k));
            }
            return rows;
        }
        let mut out = Rows {
            times: Vec::with_capacity(count),
            columns: vec![Vec::with_capacity(count); rows.columns.len()],
            starts_anew: rows.starts_anew,
        };
        for k in 0..count {
            if self.repeats_last(&rows, k) {
                self.waiting.push(rows.times[k]);
                continue;
            }
            let row = row_of(&rows, k);
            self.let_go(&row, &mut out);
            push(&mut out, rows.times[k], &row, None);
            self.follow(row);
        }
        out
    }

    /// Rows that still wait where the log ends: nothing says that they are stale.
    pub(crate) fn end(&mut self) -> Rows {
        let mut out = Rows { columns: vec![Vec::new(); self.last.len()], ..Rows::default() };
        let times = std::mem::take(&mut self.waiting);
        times.into_iter().for_each(|time| push(&mut out, time, &self.last, self.time));
        out
    }

    fn repeats_last(&self, rows: &Rows, k: usize) -> bool {
        let same = |slot: usize| self.last.get(slot) == Some(&rows.columns[slot][k]);
        let clock = |slot: &usize| Some(*slot) == self.time;
        self.q.iter().all(|&slot| same(slot)) && (0..rows.columns.len()).filter(|slot| !clock(slot)).all(same)
    }

    /// Takes a row as the last one.
    fn follow(&mut self, row: Vec<f64>) {
        let last = std::mem::replace(&mut self.last, row);
        if !last.is_empty() {
            self.before.push(last);
        }
        if self.before.len() > 2 {
            self.before.remove(0);
        }
    }

    /// Hands on what waits, or leaves it out, now that the next row is known.
    fn let_go(&mut self, next: &[f64], out: &mut Rows) {
        let times = std::mem::take(&mut self.waiting);
        if times.is_empty() {
            return;
        }
        let stale = times.len() > CHANCE && self.moved_on(next, times.len());
        // Steps begin anew behind repeated rows.
        self.before.clear();
        if stale {
            self.count += times.len() as u64;
            self.first.get_or_insert(times[0]);
            return;
        }
        times.into_iter().for_each(|time| push(out, time, &self.last, self.time));
    }

    fn moved_on(&self, next: &[f64], repeated: usize) -> bool {
        let [earlier, before] = &self.before[..] else { return false };
        let expected = (repeated + 1) as f64;
        self.q.iter().any(|&slot| {
            let step = self.last[slot] - before[slot];
            let evenness = step / (before[slot] - earlier[slot]);
            let steps = (next[slot] - self.last[slot]) / step;
            (EVEN..=1.0 / EVEN).contains(&evenness)
                && steps > STEPS
                && (ON_ITS_WAY * expected..=expected / ON_ITS_WAY).contains(&steps)
        })
    }
}

fn row_of(rows: &Rows, k: usize) -> Vec<f64> {
    rows.columns.iter().map(|column| column[k]).collect()
}

fn push(out: &mut Rows, time: f64, row: &[f64], clock: Option<usize>) {
    out.times.push(time);
    for (slot, (column, value)) in out.columns.iter_mut().zip(row).enumerate() {
        column.push(if Some(slot) == clock { time } else { *value });
    }
}
