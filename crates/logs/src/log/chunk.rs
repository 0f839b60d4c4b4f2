//! Some rows of a log, with what is known about them.

/// Rows a reader aims at per chunk.
pub(crate) const CHUNK_ROWS: usize = 1 << 16;

/// Consecutive rows of a log, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// Index of the first row in the log, from 0.
    pub first: u64,
    /// Number of rows.
    pub rows: usize,
    /// The columns, in the order of the reader's names; what is no finite number is NaN or infinite.
    pub columns: Vec<Vec<f64>>,
    pub(crate) strange: Vec<Option<Strange>>,
    pub(crate) lines: Lines,
}

impl Chunk {
    /// A chunk of numbers without lines.
    pub(crate) fn of(first: u64, rows: usize, columns: Vec<Vec<f64>>) -> Self {
        Chunk { first, rows, strange: vec![None; columns.len()], columns, lines: Lines::default() }
    }

    /// What the source has at a row of this chunk that is not finite.
    pub(crate) fn text_at(&self, column: usize, row: usize) -> String {
        match &self.strange[column] {
            Some(strange) if strange.row == row => strange.text.clone(),
            _ => format!("{}", self.columns[column][row]),
        }
    }
}

/// An entry that is no finite number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strange {
    /// Its row in the chunk or log.
    pub(crate) row: usize,
    /// What stands there.
    pub(crate) text: String,
}

impl Strange {
    pub(crate) fn first_in(values: &[f64], from: usize) -> Option<Self> {
        // Without a way out of the loop the test runs in lanes.
        if values.iter().fold(true, |finite, x| finite & x.is_finite()) {
            return None;
        }
        let row = values.iter().position(|x| !x.is_finite())?;
        Some(Strange { row: row + from, text: format!("{}", values[row]) })
    }
}

/// Which line of a text each row stands on, as runs of consecutive lines: (first row, its line).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lines {
    runs: Vec<(usize, usize)>,
}

impl Lines {
    /// Row `row` stands on `line`; rows come in order.
    pub(crate) fn push(&mut self, row: usize, line: usize) {
        match self.runs.last() {
            Some(&(first, start)) if line == start + (row - first) => {}
            _ => self.runs.push((row, line)),
        }
    }

    pub(crate) fn append(&mut self, other: &Lines, after: usize) {
        other.runs.iter().for_each(|&(row, line)| self.push(row + after, line));
    }

    /// The lines of some rows, counted from the first of them.
    pub(crate) fn slice(&self, rows: std::ops::Range<usize>, out: &mut Lines) {
        let before = self.runs.partition_point(|(start, _)| *start <= rows.start);
        if before > 0 {
            let (start, line) = self.runs[before - 1];
            out.push(0, line + (rows.start - start));
        }
        for &(start, line) in self.runs[before..].iter().take_while(|(start, _)| *start < rows.end) {
            out.push(start - rows.start, line);
        }
    }

    pub(crate) fn shift(&mut self, lines: usize) {
        self.runs.iter_mut().for_each(|(_, line)| *line += lines);
    }

    /// `file:line`, or `file, row n` (counted from 1) where the source has no lines.
    pub(crate) fn place(&self, file: &str, row: usize, first: u64) -> String {
        match self.runs.partition_point(|(start, _)| *start <= row) {
            0 => format!("{file}, row {}", first + row as u64 + 1),
            k => format!("{file}:{}", self.runs[k - 1].1 + (row - self.runs[k - 1].0)),
        }
    }
}
