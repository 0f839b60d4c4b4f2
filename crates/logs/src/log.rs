//! A log as it was recorded: named columns of numbers, whatever file they came from.

mod arrays;
mod bag;
mod chunk;
mod csv;
mod features;
#[cfg(feature = "parquet")]
mod lerobot;
mod mapping;
#[cfg(feature = "mat")]
mod mat;
mod merge;
#[cfg(feature = "npz")]
mod npz;
#[cfg(any(feature = "npz", feature = "mat"))]
mod number_kind;
mod open;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod positioned;
mod reader;
#[cfg(feature = "npz")]
mod zip;

pub use chunk::Chunk;
pub use mapping::Mapping;
pub use reader::{LogOptions, LogReader};

use std::collections::HashSet;
use std::path::Path;

use arrays::{ArrayShape, Layout};
use chunk::{Lines, Strange};

use crate::error::LogError;
use crate::note::LogNote;

pub use arrays::{NamedArray, WRENCH, is_of_contract};

/// Named columns of equal length.
///
/// Columns of the contract are `t` (s), `q_<joint>`, `qd_<joint>`, `qdd_<joint>` (rad or m, per s, per s²),
/// `tau_<joint>` (N·m or N) and `wrench_<contact>_{fx,fy,fz,tx,ty,tz}` (N, N·m). Column k of a
/// two-dimensional array `q` is called `q[k]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// Where it came from, for messages.
    pub source: String,
    /// What the reader did to get these columns.
    pub notes: Vec<LogNote>,
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
    /// For each column the first entry that is no finite number: only whoever needs the column minds.
    strange: Vec<Option<Strange>>,
    lines: Lines,
    samples: usize,
}

impl Log {
    /// Reads a whole file of any known format; see [`LogReader::open`].
    pub fn read(path: &Path, options: &LogOptions) -> Result<Self, LogError> {
        LogReader::open(path, options)?.read_all()
    }

    /// Reads the text of a CSV file.
    pub fn parse_csv(text: &str, file: &str) -> Result<Self, LogError> {
        LogReader::from_csv_text(text, file, &LogOptions::default())?.read_all()
    }

    /// A log of columns that are in memory already; they must have one length.
    pub fn from_columns(source: &str, columns: Vec<(String, Vec<f64>)>) -> Result<Self, LogError> {
        let mut log = Log::empty(source, Vec::new());
        log.samples = columns.first().map_or(0, |(_, values)| values.len());
        let mut seen = HashSet::new();
        for (name, values) in columns {
            if values.len() != log.samples {
                return Err(LogError::Lengths {
                    file: source.to_owned(),
                    name,
                    found: values.len() as u64,
                    others: format!("`{}`", log.names.first().map_or("t", String::as_str)),
                    wanted: log.samples as u64,
                    remedy: "give columns of one length",
                });
            }
            if !seen.insert(name.clone()) {
                return Err(LogError::Twice { file: source.to_owned(), column: name });
            }
            log.strange.push(Strange::first_in(&values, 0));
            log.names.push(name);
            log.columns.push(values);
        }
        Ok(log)
    }

    /// A log of named arrays, as NPZ and MAT files hold them: a vector is a column, a matrix with one row per
    /// sample as many as it has (`q[0]`, `q[1]`, …; six of a wrench `wrench_<contact>_fx` …), one with a
    /// column per sample is read transposed. Arrays that are not part of a log are left out.
    pub fn from_arrays(source: &str, arrays: Vec<NamedArray>) -> Result<Self, LogError> {
        let shapes: Vec<ArrayShape> = arrays.iter().map(NamedArray::shape).collect();
        let layout = Layout::of(&shapes, source)?;
        let mut columns = Vec::new();
        for (array, place) in arrays.into_iter().zip(layout.arrays) {
            let Some((names, transposed)) = place else { continue };
            let (samples, width) = (layout.samples as usize, names.len());
            for (k, name) in names.into_iter().enumerate() {
                let values = match transposed {
                    false => array.values[k * samples..(k + 1) * samples].to_vec(),
                    true => array.values[k..].iter().step_by(width).copied().collect(),
                };
                columns.push((name, values));
            }
        }
        let mut log = Log::from_columns(source, columns)?;
        log.notes = layout.notes;
        Ok(log)
    }

    pub(crate) fn empty(source: &str, names: Vec<String>) -> Self {
        Log {
            source: source.to_owned(),
            notes: Vec::new(),
            columns: vec![Vec::new(); names.len()],
            strange: vec![None; names.len()],
            names,
            lines: Lines::default(),
            samples: 0,
        }
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        // Where there is not so much memory, the columns grow as they come.
        self.columns.iter_mut().for_each(|column| drop(column.try_reserve_exact(rows)));
    }

    pub(crate) fn append(&mut self, chunk: Chunk) {
        self.lines.append(&chunk.lines, self.samples);
        for (k, values) in chunk.columns.into_iter().enumerate() {
            if self.strange[k].is_none() {
                let found = chunk.strange[k].clone().or_else(|| Strange::first_in(&values, 0));
                self.strange[k] = found.map(|strange| Strange { row: strange.row + self.samples, ..strange });
            }
            match self.columns[k].is_empty() && self.columns[k].capacity() == 0 {
                true => self.columns[k] = values,
                false => self.columns[k].extend_from_slice(&values),
            }
        }
        self.samples += chunk.rows;
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Names of the columns, as in the header.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A column by its name, if it is there; all of its values are finite.
    pub fn column(&self, name: &str) -> Result<Option<&[f64]>, LogError> {
        let Some(k) = self.names.iter().position(|other| other == name) else { return Ok(None) };
        match &self.strange[k] {
            Some(strange) => Err(LogError::NotANumber {
                place: self.place(strange.row),
                column: name.to_owned(),
                text: strange.text.clone(),
            }),
            None => Ok(Some(&self.columns[k])),
        }
    }

    /// Where a sample stands in the source: `log.csv:17`, or `log.npz, row 16` where there are no lines.
    pub fn place(&self, sample: usize) -> String {
        self.lines.place(&self.source, sample, 0)
    }

    /// Some columns as one chunk.
    pub(crate) fn chunk(&self, kept: &[usize]) -> Chunk {
        Chunk {
            first: 0,
            rows: self.samples,
            columns: kept.iter().map(|&k| self.columns[k].clone()).collect(),
            strange: kept.iter().map(|&k| self.strange[k].clone()).collect(),
            lines: self.lines.clone(),
        }
    }

    /// Cuts the log into one that is read chunk by chunk.
    pub fn into_reader(self) -> LogReader {
        LogReader::from_log(std::sync::Arc::new(self))
    }
}
