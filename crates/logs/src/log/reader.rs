//! One entry point for all formats: a log is opened by its content and read chunk by chunk.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::chunk::{CHUNK_ROWS, Chunk};
use super::mapping::{MappedReader, Mapping};
use super::{Log, csv};
use crate::error::LogError;
use crate::note::LogNote;

/// How a log is read.
#[derive(Clone, Debug, Default)]
pub struct LogOptions {
    /// Take what stands before the cut of a file that ends in the middle, with a note, instead of refusing
    /// it.
    pub accept_cut: bool,
    /// The topics to read from a bag; empty: all joint states and wrenches.
    pub topics: Vec<String>,
    /// Whether a text file starts with the names of its columns; without, they are called `0`, `1`, ….
    pub no_header: bool,
    /// How the columns of the file become those of a log; see `docs/logs.md`.
    pub mapping: Option<Mapping>,
}

/// What every format offers.
pub(crate) trait RowSource: Send {
    /// Names of all columns, in the order of the file.
    fn names(&self) -> &[String];
    /// Number of rows, where the format says so.
    fn rows(&self) -> Option<u64>;
    /// How much of the file has been read, from 0 to 1.
    fn progress(&self) -> f64;
    /// Later chunks hold only these columns, in this order.
    fn keep(&mut self, columns: &[usize]);
    /// The next rows; `None` at the end.
    fn next(&mut self) -> Result<Option<Chunk>, LogError>;
    /// What was done to get these rows; complete at the end.
    fn notes(&self) -> Vec<LogNote> {
        Vec::new()
    }
}

/// A log that is read chunk by chunk, in memory that does not grow with its length
/// (MAT files alone are read whole).
pub struct LogReader {
    file: String,
    names: Vec<String>,
    source: Box<dyn RowSource>,
    read: u64,
}

impl std::fmt::Debug for LogReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogReader")
            .field("file", &self.file)
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

impl LogReader {
    pub(crate) fn new(file: &str, source: Box<dyn RowSource>) -> Result<Self, LogError> {
        let names = source.names().to_vec();
        if names.is_empty() {
            return Err(LogError::NoColumns { file: file.to_owned() });
        }
        let mut seen = HashSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(LogError::Twice { file: file.to_owned(), column: twice.clone() });
        }
        Ok(LogReader { file: file.to_owned(), names, source, read: 0 })
    }

    pub(crate) fn open_csv(path: &Path, options: &LogOptions) -> Result<Self, LogError> {
        let file = path.display().to_string();
        let input = std::fs::File::open(path).map_err(|error| unreadable(&file, error))?;
        let size = input.metadata().map_or(0, |metadata| metadata.len());
        Self::new(&file, Box::new(csv::CsvReader::new(Box::new(input), size, &file, options)?))
    }

    pub(crate) fn from_csv_text(text: &str, file: &str, options: &LogOptions) -> Result<Self, LogError> {
        let bytes = text.as_bytes().to_vec();
        let size = bytes.len() as u64;
        let input: Box<dyn Read + Send> = Box::new(std::io::Cursor::new(bytes));
        Self::new(file, Box::new(csv::CsvReader::new(input, size, file, options)?))
    }

    pub(crate) fn from_log(log: Arc<Log>) -> Self {
        let (file, names) = (log.source.clone(), log.names.clone());
        let kept = (0..names.len()).collect();
        LogReader { file, names, source: Box::new(InMemory { log, kept, at: 0 }), read: 0 }
    }

    /// Reads a log that is in memory already, through the mapping of the options if there is one.
    pub fn of(log: &Arc<Log>, options: &LogOptions) -> Result<Self, LogError> {
        let reader = Self::from_log(log.clone());
        match &options.mapping {
            None => Ok(reader),
            Some(mapping) => Self::new(&log.source, Box::new(MappedReader::over(mapping.clone(), reader)?)),
        }
    }

    /// The file, as it was given.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Names of the columns that chunks hold.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of rows, where the format says so before they are read.
    pub fn rows(&self) -> Option<u64> {
        self.source.rows()
    }

    /// How much of the file has been read, from 0 to 1.
    pub fn progress(&self) -> f64 {
        self.source.progress().clamp(0.0, 1.0)
    }

    /// What was done to get the rows, a sentence each; complete when the last chunk has been read.
    pub fn notes(&self) -> Vec<LogNote> {
        self.source.notes()
    }

    /// Reads only the named columns from here on: the others cost nothing, or little. Names that are not
    /// there are ignored; the order of the file stays.
    pub fn keep(&mut self, wanted: impl Fn(&str) -> bool) {
        let all = self.source.names();
        let kept: Vec<usize> = (0..all.len()).filter(|&k| wanted(&all[k])).collect();
        self.names = kept.iter().map(|&k| all[k].clone()).collect();
        self.source.keep(&kept);
    }

    /// The next rows, about 65,536 of them; `None` at the end.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk>, LogError> {
        // Rows of nothing: a header may promise more of them than anybody can count.
        if self.names.is_empty() {
            return Ok(None);
        }
        let mut chunk = self.source.next()?;
        if let Some(chunk) = &mut chunk {
            chunk.first = self.read;
            self.read += chunk.rows as u64;
        }
        Ok(chunk)
    }

    /// All that is left, in memory.
    pub fn read_all(self) -> Result<Log, LogError> {
        self.read_first(usize::MAX)
    }

    /// At least so many of the next rows, or all that are left, in memory.
    pub fn read_first(mut self, rows: usize) -> Result<Log, LogError> {
        let wanted = rows;
        let mut log = Log::empty(&self.file, self.names.clone());
        if let Some(rows) = self.rows().filter(|rows| *rows as usize > CHUNK_ROWS) {
            // A header may promise anything: trust it as far as a chunk's memory, then
            // as far as it has kept its word.
            log.reserve((rows as usize).min(1 << 24).min(wanted));
        }
        while let Some(chunk) = self.next_chunk()? {
            if self.rows().is_none() && chunk.first == 0 && self.progress() < 1.0 {
                // As long as the rows go on as they began; a little more, so that nothing is copied twice.
                let all = (1.02 * chunk.rows as f64 / self.progress().max(1e-3)) as usize;
                log.reserve(all.min(wanted));
            }
            log.append(chunk);
            if log.samples() >= wanted {
                break;
            }
        }
        log.notes = self.notes();
        Ok(log)
    }
}

pub(crate) fn unreadable(file: &str, error: std::io::Error) -> LogError {
    let missing = error.kind() == std::io::ErrorKind::NotFound;
    LogError::Unreadable { file: file.to_owned(), reason: plain(&error), missing }
}

fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// A log in memory, cut into chunks.
struct InMemory {
    log: Arc<Log>,
    kept: Vec<usize>,
    at: usize,
}

impl RowSource for InMemory {
    fn names(&self) -> &[String] {
        self.log.names()
    }
    fn rows(&self) -> Option<u64> {
        Some(self.log.samples as u64)
    }
    fn progress(&self) -> f64 {
        self.at as f64 / self.log.samples.max(1) as f64
    }
    fn keep(&mut self, columns: &[usize]) {
        self.kept = columns.to_vec();
    }
    fn next(&mut self) -> Result<Option<Chunk>, LogError> {
        let rows = CHUNK_ROWS.min(self.log.samples - self.at);
        if rows == 0 {
            return Ok(None);
        }
        let range = self.at..self.at + rows;
        let columns = self.kept.iter().map(|&k| self.log.columns[k][range.clone()].to_vec()).collect();
        let mut chunk = Chunk::of(self.at as u64, rows, columns);
        for (out, &k) in chunk.strange.iter_mut().zip(&self.kept) {
            let here = self.log.strange[k].clone().filter(|strange| range.contains(&strange.row));
            *out = here.map(|strange| super::Strange { row: strange.row - range.start, ..strange });
        }
        self.log.lines.slice(range, &mut chunk.lines);
        self.at += rows;
        Ok(Some(chunk))
    }
    fn notes(&self) -> Vec<LogNote> {
        self.log.notes.clone()
    }
}
