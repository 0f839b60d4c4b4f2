//! A stretch of rows without gaps, made even where it must be, and cut into blocks that
//! overlap as far as filters remember.

use super::rows::Rows;
use super::taper::tapered;
use crate::signals::Resampling;

/// How a stretch is cut into blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cutting {
    /// The even interval, if samples are interpolated onto one.
    pub(crate) even: Option<f64>,
    /// Samples cut off at both ends of the stretch.
    pub(crate) trim: usize,
    /// Samples a block hands on; a multiple of the thinning factor.
    pub(crate) block: usize,
    /// Samples around them that it needs; a multiple of the thinning factor.
    pub(crate) context: usize,
}

/// Samples to work on, and those of them that are handed on.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) times: Vec<f64>,
    pub(crate) columns: Vec<Vec<f64>>,
    /// The part that settles nothing but filters: trimmed at real ends of the stretch.
    pub(crate) usable: std::ops::Range<usize>,
    /// The part that is handed on; starts a multiple of the thinning factor behind `usable`.
    pub(crate) inner: std::ops::Range<usize>,
    /// The first sample's number in its stretch.
    pub(crate) first: usize,
    /// How many samples the stretch has, if its end is here.
    pub(crate) length: Option<usize>,
}

/// A stretch that is being read.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    /// Samples at hand, the first of them number `first` of the stretch.
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
    first: usize,
    /// Number of the next sample to hand on.
    next: Option<usize>,
    /// Rows between which even samples are still to come.
    raw: Rows,
    start: Option<f64>,
    grid: usize,
}

impl Segment {
    pub(crate) fn push(&mut self, rows: Rows, cutting: &Cutting) {
        let Some(interval) = cutting.even else {
            append(&mut self.times, &mut self.columns, rows.times, rows.columns);
            return;
        };
        append(&mut self.raw.times, &mut self.raw.columns, rows.times, rows.columns);
        // Two rows behind every new sample, as the cubic wants them.
        let known = self.raw.times.len();
        if known >= 4 {
            self.interpolate(self.raw.times[known - 2], interval);
        }
    }

    /// Even samples up to a time.
    fn interpolate(&mut self, until: f64, interval: f64) {
        let Some(&first) = self.raw.times.first() else { return };
        let start = *self.start.get_or_insert(first);
        // A stamp that is even but for rounding counts as reached.
        let reached = ((until - start) / interval + 1e-6).floor();
        let count = (reached as i64 + 1 - self.grid as i64).max(0) as usize;
        if count == 0 {
            return;
        }
        let from = start + self.grid as f64 * interval;
        let resampling = Resampling::new(&self.raw.times, from, interval, count);
        let columns = self.raw.columns.iter().map(|column| resampling.apply(column)).collect();
        let times = (0..count).map(|k| start + (self.grid + k) as f64 * interval).collect();
        append(&mut self.times, &mut self.columns, times, columns);
        self.grid += count;
        let next = start + self.grid as f64 * interval;
        let used = self.raw.times.partition_point(|t| *t <= next).saturating_sub(2);
        self.raw.times.drain(..used);
        self.raw.columns.iter_mut().for_each(|column| drop(column.drain(..used)));
    }

    /// A block that is complete before the stretch has ended.
    pub(crate) fn block(&mut self, cutting: &Cutting) -> Option<Block> {
        let next = self.next.unwrap_or(cutting.trim);
        let end = next.checked_add(cutting.block)?.checked_add(cutting.context)?;
        // The trim at the end is not yet known to be needed: wait until it cannot matter.
        if self.first + self.times.len() < end.checked_add(tapered(cutting.trim))? {
            return None;
        }
        Some(self.cut(next, next + cutting.block, Some(end), cutting))
    }

    /// What is left when the stretch has ended; `None` if it is too short for anything.
    pub(crate) fn last_block(&mut self, cutting: &Cutting) -> Option<Block> {
        if let (Some(interval), Some(&until)) = (cutting.even, self.raw.times.last()) {
            self.interpolate(until, interval);
        }
        let next = self.next.unwrap_or(cutting.trim);
        let end = (self.first + self.times.len()).checked_sub(cutting.trim)?;
        (end > next).then(|| self.cut(next, end, None, cutting))
    }

    /// Samples read so far; rows, as long as there are too few to make even samples of.
    pub(crate) fn length(&self) -> usize {
        match self.first + self.times.len() {
            0 => self.raw.times.len(),
            samples => samples,
        }
    }

    /// When it starts, s.
    pub(crate) fn started(&self) -> Option<f64> {
        self.times.first().or(self.raw.times.first()).copied()
    }

    fn cut(&mut self, next: usize, end: usize, known: Option<usize>, cutting: &Cutting) -> Block {
        let low = next.saturating_sub(cutting.context);
        let high = known.unwrap_or(self.first + self.times.len());
        let length = known.is_none().then_some(high);
        let range = low - self.first..high - self.first;
        let whole = range == (0..self.times.len()) && known.is_none();
        let (times, columns) = match whole {
            true => (std::mem::take(&mut self.times), std::mem::take(&mut self.columns)),
            false => (
                self.times[range.clone()].to_vec(),
                self.columns.iter().map(|column| column[range.clone()].to_vec()).collect(),
            ),
        };
        let usable_from = if low == 0 { cutting.trim } else { 0 };
        let usable_to = if known.is_none() { end - low } else { high - low };
        self.next = Some(end);
        // The context of the next block stays.
        let keep = end.saturating_sub(cutting.context).max(self.first);
        if !whole {
            let gone = keep - self.first;
            self.times.drain(..gone);
            self.columns.iter_mut().for_each(|column| drop(column.drain(..gone)));
            self.first = keep;
        }
        let (usable, inner) = (usable_from..usable_to, next - low..end - low);
        Block { times, columns, usable, inner, first: low, length }
    }
}

fn append(times: &mut Vec<f64>, columns: &mut Vec<Vec<f64>>, more: Vec<f64>, more_columns: Vec<Vec<f64>>) {
    if times.is_empty() {
        *times = more;
        *columns = more_columns;
        return;
    }
    times.extend_from_slice(&more);
    columns.iter_mut().zip(more_columns).for_each(|(column, more)| column.extend_from_slice(&more));
}
