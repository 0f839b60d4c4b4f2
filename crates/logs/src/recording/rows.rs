//! Rows of a log, checked one after the other: finite, in time, without jumps of angles.

use super::columns::Columns;
use super::processing::Processing;
use crate::error::LogError;
use crate::log::Chunk;
use crate::note::{LogNote, ProcessingNote, ReadingNote};

/// Checked rows; the columns are those of the log that are needed, the clock among them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) times: Vec<f64>,
    pub(crate) columns: Vec<Vec<f64>>,
    /// A gap lies between the rows before and these.
    pub(crate) starts_anew: bool,
}

impl Rows {
    pub(crate) fn append(&mut self, more: Rows) {
        if self.times.is_empty() {
            *self = more;
            return;
        }
        self.times.extend_from_slice(&more.times);
        self.columns.iter_mut().zip(&more.columns).for_each(|(column, more)| column.extend_from_slice(more));
    }
}

/// How far from a whole turn a jump may be, in turns: what a fast joint moves between two samples.
const NEARLY_A_TURN: f64 = 0.05;

/// Checks rows as they come.
pub(crate) struct RowChecker {
    /// Places of the clock, of angles (those without end first), and of quaternions.
    time: Option<usize>,
    angles: Vec<usize>,
    /// How many of them turn without end.
    endless: usize,
    quaternions: Vec<[usize; 4]>,
    from: f64,
    to: f64,
    skip_bad_rows: bool,
    names: Vec<String>,
    file: String,
    last_time: Option<f64>,
    last: Vec<f64>,
    /// What was added to angles, and their last steps, in turns.
    turns: Vec<f64>,
    turned: Vec<f64>,
    pub(crate) rows: u64,
    pub(crate) bad: u64,
    first_bad: Option<String>,
    pub(crate) repeated: u64,
    first_repeated: Option<(String, f64)>,
    unwrapped: Vec<bool>,
    /// The last interval (NaN before there is one) and stamp of the rows before, s.
    steps: (f64, Option<f64>),
}

impl RowChecker {
    pub(crate) fn new(columns: &Columns, processing: &Processing, names: Vec<String>, file: &str) -> Self {
        RowChecker {
            time: columns.time,
            angles: columns.endless.iter().chain(&columns.angles).map(|&number| columns.q[number]).collect(),
            endless: columns.endless.len(),
            quaternions: columns
                .quaternions
                .iter()
                .map(|&first| std::array::from_fn(|c| columns.q[first + c]))
                .collect(),
            from: processing.from.unwrap_or(f64::NEG_INFINITY),
            to: processing.to.unwrap_or(f64::INFINITY),
            skip_bad_rows: processing.skip_bad_rows,
            file: file.to_owned(),
            last_time: None,
            last: vec![0.0; names.len()],
            names,
            turns: vec![0.0; columns.endless.len() + columns.angles.len()],
            turned: vec![0.0; columns.endless.len() + columns.angles.len()],
            rows: 0,
            bad: 0,
            first_bad: None,
            repeated: 0,
            first_repeated: None,
            unwrapped: vec![false; columns.endless.len() + columns.angles.len()],
            steps: (f64::NAN, None),
        }
    }

    /// The good rows of a chunk.
    pub(crate) fn check(&mut self, mut chunk: Chunk) -> Result<Rows, LogError> {
        let mut good = vec![true; chunk.rows];
        self.mark_bad_rows(&chunk, &mut good)?;
        if let Some(time) = self.time {
            self.mark_times(&chunk, &chunk.columns[time], &mut good)?;
        }
        let columns: Vec<Vec<f64>> = match good.iter().all(|good| *good) {
            true => std::mem::take(&mut chunk.columns),
            false => {
                let kept = |column: &Vec<f64>| -> Vec<f64> {
                    column.iter().zip(&good).filter(|(_, good)| **good).map(|(x, _)| *x).collect()
                };
                chunk.columns.iter().map(kept).collect()
            }
        };
        let rows = good.iter().filter(|good| **good).count();
        let times = match self.time {
            Some(time) => columns[time].clone(),
            None => (0..rows as u64).map(|row| (self.rows + row) as f64).collect(),
        };
        let mut rows = Rows { times, columns, starts_anew: false };
        self.straighten(&mut rows);
        self.rows += rows.times.len() as u64;
        Ok(rows)
    }

    /// Stamps must increase; those that repeat, or lie outside of what is wanted, are passed over.
    fn mark_times(&mut self, chunk: &Chunk, times: &[f64], good: &mut [bool]) -> Result<(), LogError> {
        for (row, &t) in times.iter().enumerate() {
            if !good[row] {
                continue;
            }
            if t < self.from || t > self.to {
                good[row] = false;
                continue;
            }
            if let Some(before) = self.last_time.filter(|before| t <= *before) {
                let place = chunk.lines.place(&self.file, row, chunk.first);
                if t < before {
                    return Err(LogError::NotIncreasing { place, time: t, before });
                }
                self.first_repeated.get_or_insert((place, t));
                self.repeated += 1;
                good[row] = false;
                continue;
            }
            self.last_time = Some(t);
        }
        Ok(())
    }

    fn mark_bad_rows(&mut self, chunk: &Chunk, good: &mut [bool]) -> Result<(), LogError> {
        for (column, values) in chunk.columns.iter().enumerate() {
            if values.iter().fold(true, |finite, x| finite & x.is_finite()) {
                continue;
            }
            for row in 0..chunk.rows {
                if values[row].is_finite() {
                    continue;
                }
                // What lies outside of the time that is wanted may be anything.
                let t = self.time.map(|time| chunk.columns[time][row]);
                let outside = t.is_some_and(|t| t < self.from || t > self.to);
                let place = chunk.lines.place(&self.file, row, chunk.first);
                if !outside && !self.skip_bad_rows {
                    return Err(LogError::NotANumber {
                        place,
                        column: self.names[column].clone(),
                        text: chunk.text_at(column, row),
                    });
                }
                if !outside && good[row] {
                    self.bad += 1;
                    self.first_bad.get_or_insert(place);
                }
                good[row] = false;
            }
        }
        Ok(())
    }

    /// Angles go on where they jump by a turn, and quaternions keep their sign.
    fn straighten(&mut self, rows: &mut Rows) {
        let turn = 2.0 * std::f64::consts::PI;
        let follows = self.follow(&rows.times);
        for (k, &slot) in self.angles.iter().enumerate() {
            for (row, x) in rows.columns[slot].iter_mut().enumerate() {
                *x += self.turns[k];
                let turned = (*x - self.last[slot]) / turn;
                let jump = -turn * turned.round();
                // A joint with an end jumps by whole turns, between small steps, only where somebody cut its
                // angle to one turn.
                let whole = (turned - turned.round()).abs().max(self.turned[k].abs()) < NEARLY_A_TURN;
                let cut = k < self.endless || (follows[row] && whole);
                if jump != 0.0 && cut && self.rows + row as u64 > 0 {
                    self.turns[k] += jump;
                    *x += jump;
                    self.unwrapped[k] = true;
                }
                self.turned[k] = (*x - self.last[slot]) / turn;
                self.last[slot] = *x;
            }
        }
        for &slots in &self.quaternions {
            for row in 0..rows.times.len() {
                let now = slots.map(|slot| rows.columns[slot][row]);
                let along: f64 = (0..4).map(|c| now[c] * self.last[slots[c]]).sum();
                let sign = if along < 0.0 { -1.0 } else { 1.0 };
                for (slot, x) in slots.into_iter().zip(now) {
                    rows.columns[slot][row] = sign * x;
                    self.last[slot] = sign * x;
                }
            }
        }
    }

    /// For each row whether it follows the one before without a pause.
    fn follow(&mut self, times: &[f64]) -> Vec<bool> {
        let (mut usual, mut last) = self.steps;
        let mut out = Vec::with_capacity(times.len());
        for &t in times {
            let step = last.map_or(f64::INFINITY, |last| t - last);
            out.push(step.is_finite() && step < 3.0 * usual);
            (usual, last) = (if step.is_finite() { step } else { usual }, Some(t));
        }
        self.steps = (usual, last);
        out
    }

    /// Whether the clock is too coarse for the sampling.
    pub(crate) fn check_clock(&self) -> Result<(), LogError> {
        let rows = self.rows + self.repeated;
        match &self.first_repeated {
            Some((place, time)) if 10 * self.repeated > rows => Err(LogError::CoarseClock {
                file: self.file.clone(),
                repeated: self.repeated,
                rows,
                place: place.clone(),
                time: *time,
            }),
            _ => Ok(()),
        }
    }

    pub(crate) fn notes(&self) -> Vec<LogNote> {
        let mut notes: Vec<LogNote> = Vec::new();
        if let Some(place) = &self.first_bad {
            notes.push(ReadingNote::BadRows { rows: self.bad, first: place.clone() }.into());
        }
        if let Some((place, time)) = &self.first_repeated {
            let (rows, first) = (self.repeated, place.clone());
            notes.push(ReadingNote::RepeatedTimes { rows, first, time: *time }.into());
        }
        for (&slot, _) in self.angles.iter().zip(&self.unwrapped).filter(|(_, unwrapped)| **unwrapped) {
            notes.push(ProcessingNote::TurnsUndone { column: self.names[slot].clone() }.into());
        }
        notes
    }
}
