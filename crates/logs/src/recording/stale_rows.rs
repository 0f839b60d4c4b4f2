//! Rows that repeat what was recorded before while the robot moves on: a recorder that was not fed.
//!
//! A robot at rest repeats itself, too, and starts again with small steps. One that moved all the while is found
//! elsewhere: where the log goes on, a position has gone about as far as its last step times the number of rows.

use super::columns::Columns;
use super::rows::Rows;

/// So many repeated rows may be chance: values are coarse, or were read twice.
const CHANCE: usize = 1;
/// A position has gone this part of what its last step leads to, at least…
const ON_ITS_WAY: f64 = 0.5;
/// …and more than so many of those steps.
const STEPS: f64 = 2.5;

/// Leaves rows out that repeat the one before while the robot moves.
#[derive(Debug, Default)]
pub(crate) struct StaleRows {
    time: Option<usize>,
    q: Vec<usize>,
    /// The two last rows that differ.
    last: Vec<f64>,
    before: Vec<f64>,
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
            self.before = row_of(&rows, count - 2);
            self.last = row_of(&rows, count - 1);
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
            self.before = std::mem::replace(&mut self.last, row);
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

    /// Hands on what waits, or leaves it out, now that the next row is known.
    fn let_go(&mut self, next: &[f64], out: &mut Rows) {
        let times = std::mem::take(&mut self.waiting);
        if times.len() > CHANCE && self.moved_on(next, times.len()) {
            self.count += times.len() as u64;
            self.first.get_or_insert(times[0]);
            return;
        }
        times.into_iter().for_each(|time| push(out, time, &self.last, self.time));
    }

    fn moved_on(&self, next: &[f64], repeated: usize) -> bool {
        !self.before.is_empty()
            && self.q.iter().any(|&slot| {
                let step = self.last[slot] - self.before[slot];
                let steps = (next[slot] - self.last[slot]) / step;
                step != 0.0 && steps > STEPS.max(ON_ITS_WAY * (repeated + 1) as f64)
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
