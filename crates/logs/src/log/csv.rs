//! CSV and its relatives: a header, then numbers.
//!
//! Separators are commas, semicolons, tabs or blanks, found in the header; with any but the comma, `0,5` is
//! read as 0.5. Lines that start with `#` or `%` are remarks, and the last of them is the header if the first
//! other line holds numbers (as NumPy's `savetxt` writes it). A block of the file is cut at line breaks into
//! one part per core, and the parts are read at the same time.

mod header;
mod rows;

use std::io::Read;

use steiner_linalg::parts_in_parallel;

use self::header::Layout;
use self::rows::{Part, RowProblem, RowReader};
use super::chunk::Chunk;
use super::reader::{LogOptions, RowSource, unreadable};
use crate::error::LogError;
use crate::note::{LogNote, ReadingNote};

/// Bytes read at once for each thread.
const BLOCK: usize = 1 << 22;
/// Longer lines are taken for damage: a small packed file may have one that fills the memory.
const LONGEST_LINE: usize = 1 << 26;

pub(crate) struct CsvReader {
    file: String,
    input: Box<dyn Read + Send>,
    size: u64,
    consumed: u64,
    layout: Layout,
    /// For each column of the file the place in the chunk it goes to.
    slots: Vec<Option<usize>>,
    kept: usize,
    /// Bytes that are read but not yet understood.
    pending: Vec<u8>,
    /// Line of the first pending byte, from 1.
    line: usize,
    at_end: bool,
    accept_cut: bool,
    notes: Vec<LogNote>,
}

impl CsvReader {
    pub(crate) fn new(
        mut input: Box<dyn Read + Send>,
        size: u64,
        file: &str,
        options: &LogOptions,
    ) -> Result<Self, LogError> {
        let mut pending = Vec::new();
        let mut at_end = false;
        let (layout, start, line) = loop {
            // As much again every time, so that a long first line is not searched a thousand times.
            let more = pending.len().max(1 << 16);
            at_end |= fill(&mut *input, &mut pending, more).map_err(|error| unreadable(file, error))?;
            if pending.iter().take(1 << 12).any(|byte| *byte == 0) {
                return Err(LogError::UnknownFormat { file: file.to_owned() });
            }
            if let Some(found) = Layout::find(&pending, at_end, file, options.no_header)? {
                break found;
            }
            if at_end {
                return Err(LogError::Empty { file: file.to_owned() });
            }
            if pending.len() > LONGEST_LINE {
                let problem = format!("a header and a row are longer than {} MB", LONGEST_LINE >> 20);
                return Err(LogError::Damaged { file: file.to_owned(), problem });
            }
        };
        pending.drain(..start);
        let kept = layout.names.len();
        Ok(CsvReader {
            file: file.to_owned(),
            input,
            size,
            consumed: 0,
            slots: (0..kept).map(Some).collect(),
            kept,
            layout,
            pending,
            line,
            at_end,
            accept_cut: options.accept_cut,
            notes: Vec::new(),
        })
    }

    /// Reads on until whole lines are there; how many bytes they have.
    fn whole_lines(&mut self, wanted: usize) -> Result<usize, LogError> {
        loop {
            if !self.at_end && self.pending.len() < wanted {
                let missing = wanted - self.pending.len();
                self.at_end = fill(&mut *self.input, &mut self.pending, missing)
                    .map_err(|error| unreadable(&self.file, error))?;
            }
            if self.at_end {
                return Ok(self.pending.len());
            }
            match self.pending.iter().rposition(|byte| *byte == b'\n') {
                Some(last) => return Ok(last + 1),
                None if self.pending.len() > LONGEST_LINE => {
                    let problem = format!("line {} is longer than {} MB", self.line, LONGEST_LINE >> 20);
                    return Err(LogError::Damaged { file: self.file.clone(), problem });
                }
                // A line longer than all that was read: read as much again.
                None => {
                    let length = self.pending.len();
                    self.at_end = fill(&mut *self.input, &mut self.pending, length.max(BLOCK))
                        .map_err(|error| unreadable(&self.file, error))?;
                }
            }
        }
    }

    /// The error of a line, unless it is the cut end of a file whose beginning is wanted.
    fn problem(&mut self, line: usize, problem: &RowProblem, last_line_cut: bool) -> Result<(), LogError> {
        let wanted = self.layout.names.len();
        if last_line_cut && problem.found < wanted {
            if self.accept_cut {
                self.notes.push(ReadingNote::LastLineCut { file: self.file.clone(), line }.into());
                return Ok(());
            }
            return Err(LogError::LastLineCut {
                file: self.file.clone(),
                found: format!("line {line} has {} values where the header has {wanted}", problem.found),
            });
        }
        Err(LogError::WrongCount { file: self.file.clone(), line, found: problem.found, wanted })
    }
}

/// Appends up to `count` bytes; whether the input is at its end.
fn fill(input: &mut dyn Read, pending: &mut Vec<u8>, count: usize) -> std::io::Result<bool> {
    let read = input.take(count as u64).read_to_end(pending)?;
    Ok(read < count)
}

/// Cuts bytes at line breaks into about equal parts.
fn parts(bytes: &[u8], count: usize) -> Vec<&[u8]> {
    let mut out = Vec::new();
    let mut rest = bytes;
    for left in (1..=count).rev() {
        let goal = rest.len() / left;
        let end = match rest[goal..].iter().position(|byte| *byte == b'\n') {
            Some(more) if left > 1 => goal + more + 1,
            _ => rest.len(),
        };
        let (part, others) = rest.split_at(end);
        if !part.is_empty() {
            out.push(part);
        }
        rest = others;
    }
    out
}

impl RowSource for CsvReader {
    fn names(&self) -> &[String] {
        &self.layout.names
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn progress(&self) -> f64 {
        self.consumed as f64 / self.size.max(1) as f64
    }

    fn keep(&mut self, columns: &[usize]) {
        self.slots = vec![None; self.layout.names.len()];
        columns.iter().enumerate().for_each(|(slot, &column)| self.slots[column] = Some(slot));
        self.kept = columns.len();
    }

    fn next(&mut self) -> Result<Option<Chunk>, LogError> {
        let threads = steiner_linalg::all_threads().get();
        loop {
            let end = self.whole_lines(threads * BLOCK)?;
            if end == 0 {
                return Ok(None);
            }
            if self.layout.decimal_comma {
                self.pending[..end].iter_mut().filter(|byte| **byte == b',').for_each(|byte| *byte = b'.');
            }
            let reader = RowReader { separator: self.layout.separator, slots: &self.slots, kept: self.kept };
            let pieces = parts(&self.pending[..end], if end > BLOCK / 4 { threads } else { 1 });
            let read: Vec<Part> = parts_in_parallel(pieces, |_, piece| reader.read(piece));
            let last_line_cut = self.at_end && self.pending[..end].last() != Some(&b'\n');
            let mut chunk = Chunk::of(0, 0, vec![Vec::new(); self.kept]);
            let (mut line, count) = (self.line, read.len());
            for (k, mut part) in read.into_iter().enumerate() {
                if let Some(problem) = &part.problem {
                    let at_the_cut = last_line_cut && k + 1 == count && problem.last;
                    self.problem(line + problem.line, problem, at_the_cut)?;
                }
                part.lines.shift(line);
                chunk.lines.append(&part.lines, chunk.rows);
                for (column, values) in part.columns.into_iter().enumerate() {
                    if chunk.strange[column].is_none() {
                        chunk.strange[column] = part.strange[column].take().map(|mut strange| {
                            strange.row += chunk.rows;
                            strange
                        });
                    }
                    match chunk.columns[column].is_empty() {
                        true => chunk.columns[column] = values,
                        false => chunk.columns[column].extend_from_slice(&values),
                    }
                }
                chunk.rows += part.rows;
                line += part.line_breaks;
            }
            self.line = line;
            self.consumed += end as u64;
            self.pending.drain(..end);
            if chunk.rows > 0 {
                return Ok(Some(chunk));
            }
        }
    }

    fn notes(&self) -> Vec<LogNote> {
        self.notes.clone()
    }
}
