//! Positions that jump between small steps: rows that are missing without a trace in the time stamps, spikes,
//! encoders that stood still or slipped.

use std::collections::VecDeque;

use super::columns::Columns;
use super::rows::Rows;
use crate::channels::Channels;
use crate::note::Suspicion;

/// A jump is so many times longer than the steps around it, but for one of them: a spike jumps back…
const LONGER: f64 = 5.0;
/// …and than the least step of the column, that of its encoder.
const QUANTA: f64 = 6.0;
/// Steps around a jump that are looked at, and the place of the jump among them.
const AROUND: usize = 9;
const MIDDLE: usize = AROUND / 2;
/// A step over a pause is none.
const PAUSE: f64 = 2.5;
/// Jumps that are kept to be judged, at most.
const KEPT: usize = 1000;

/// Looks for jumps row by row.
#[derive(Debug, Default)]
pub(crate) struct Jumps {
    columns: Vec<ColumnJumps>,
    times: VecDeque<f64>,
}

#[derive(Clone, Debug, Default)]
struct ColumnJumps {
    slot: usize,
    last: f64,
    steps: VecDeque<f64>,
    /// The least step that is not zero.
    least: f64,
    /// (time, step).
    found: Vec<(f64, f64)>,
}

impl Jumps {
    pub(crate) fn new(columns: &Columns) -> Self {
        let of = |&slot: &usize| ColumnJumps { slot, least: f64::INFINITY, ..ColumnJumps::default() };
        // Without a clock nobody knows of pauses.
        let slots = if columns.time.is_some() { &columns.q[..] } else { &[] };
        Jumps { columns: slots.iter().map(of).collect(), times: VecDeque::new() }
    }

    pub(crate) fn add(&mut self, rows: &Rows) {
        for (k, &time) in rows.times.iter().enumerate() {
            self.times.push_back(time);
            if self.times.len() > AROUND + 1 {
                self.times.pop_front();
            }
            let whole = self.times.len() == AROUND + 1;
            let took =
                self.times[if whole { MIDDLE + 1 } else { 0 }] - self.times[if whole { MIDDLE } else { 0 }];
            let all = time - self.times[0];
            let flows = whole && took <= PAUSE * (all - took) / (AROUND - 1) as f64;
            for own in &mut self.columns {
                let value = rows.columns[own.slot][k];
                let step = value - own.last;
                own.last = value;
                if self.times.len() == 1 {
                    continue;
                }
                if step != 0.0 {
                    own.least = own.least.min(step.abs());
                }
                own.steps.push_back(step);
                if own.steps.len() > AROUND {
                    own.steps.pop_front();
                }
                if flows && own.found.len() < KEPT && own.jumps() {
                    own.found.push((self.times[MIDDLE + 1], own.steps[MIDDLE]));
                }
            }
        }
    }

    /// Columns that jump, those that jump at the same time first among each other.
    pub(crate) fn suspicions(&self, channels: &Channels, columns: &Columns) -> Vec<Suspicion> {
        let mut out = Vec::new();
        for own in &self.columns {
            let real = own.found.iter().filter(|(_, step)| step.abs() > QUANTA * own.least);
            let real: Vec<(f64, f64)> = real.copied().collect();
            let (Some(&(time, _)), Some(number)) =
                (real.first(), columns.q.iter().position(|slot| *slot == own.slot))
            else {
                continue;
            };
            let size = real.iter().fold(0.0, |most: f64, (_, step)| most.max(step.abs()));
            let column = format!("q_{}", channels.configuration[number].name);
            out.push(Suspicion::Jumps { columns: vec![column], times: real.len(), size, first: time });
        }
        // What is missing in all columns is one thing.
        let together = |a: &Suspicion, b: &Suspicion| match (a, b) {
            (Suspicion::Jumps { times, first, .. }, Suspicion::Jumps { times: others, first: other, .. }) => {
                times == others && first == other
            }
            _ => false,
        };
        let mut merged: Vec<Suspicion> = Vec::new();
        for next in out {
            match merged.iter_mut().find(|one| together(one, &next)) {
                Some(Suspicion::Jumps { columns, size, .. }) => {
                    if let Suspicion::Jumps { columns: more, size: other, .. } = next {
                        columns.extend(more);
                        *size = size.max(other);
                    }
                }
                _ => merged.push(next),
            }
        }
        merged
    }
}

impl ColumnJumps {
    /// Whether the step in the middle is much longer than all others but one.
    fn jumps(&self) -> bool {
        let own = self.steps[MIDDLE].abs();
        if self.steps.len() < AROUND || own == 0.0 {
            return false;
        }
        let (mut most, mut second) = (0.0f64, 0.0f64);
        for (_, step) in self.steps.iter().enumerate().filter(|(k, _)| *k != MIDDLE) {
            let step = step.abs();
            (most, second) = if step > most { (step, most) } else { (most, second.max(step)) };
        }
        own > LONGER * second && own >= most
    }
}
