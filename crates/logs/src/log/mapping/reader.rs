//! A log made of foreign files: their columns side by side, scaled, on the joints' side of the gears.

use std::path::Path;

use super::Mapping;
use super::columns::{From, Scaling};
use super::wrench::SensorColumns;
use crate::error::LogError;
use crate::log::chunk::{CHUNK_ROWS, Chunk, Lines, Strange};
use crate::log::merge::Merge;
use crate::log::reader::{LogOptions, LogReader, RowSource};
use crate::note::{LogNote, ReadingNote};

pub(crate) struct MappedReader {
    pub(super) mapping: Mapping,
    pub(super) inputs: Vec<Input>,
    /// Columns of the log before reductions.
    pub(super) plain: Vec<Plain>,
    pub(super) names: Vec<String>,
    pub(super) outputs: Vec<Output>,
    pub(super) kept: Vec<usize>,
    pub(super) rows: u64,
    pub(super) clocks: Option<Clocks>,
    /// About columns that the mapping leaves out.
    pub(super) notes: Vec<LogNote>,
}

/// A file that is being read.
pub(super) struct Input {
    pub(super) reader: LogReader,
    pub(super) chunk: Option<Chunk>,
    /// Rows of the chunk that are used up.
    pub(super) used: usize,
    pub(super) ended: bool,
}

/// A column of a file, scaled.
pub(super) struct Plain {
    pub(super) name: String,
    pub(super) input: usize,
    /// Its place in the chunks of its file.
    pub(super) place: usize,
    pub(super) scaling: Scaling,
    /// The clock of a file beside the first: it places rows and is no column of the log.
    pub(super) is_foreign_clock: bool,
}

pub(super) enum Output {
    /// From the rate.
    Clock,
    Plain(usize),
    /// A joint of a reduction: reduction, family, joint, and the columns of the motors.
    Reduced(usize, &'static str, usize, Vec<usize>),
    /// A component of a sensor's wrench: which rule, which of six, and the sensor's columns.
    Wrench(usize, usize, SensorColumns),
}

/// Files with clocks of their own are interpolated onto that of the first.
pub(super) struct Clocks {
    pub(super) merge: Merge,
    /// For each input, its clock among the plain columns.
    pub(super) time: Vec<usize>,
    /// For each input, its plain columns.
    pub(super) columns: Vec<Vec<usize>>,
}

impl MappedReader {
    /// A log of the mapping's own files.
    pub(crate) fn open(mapping: Mapping, options: &LogOptions) -> Result<Self, LogError> {
        let mut readers = Vec::new();
        for rule in &mapping.files {
            let options = LogOptions {
                no_header: rule.no_header,
                topics: rule.topics.clone(),
                mapping: None,
                ..options.clone()
            };
            let path = mapping.folder.join(&rule.path);
            if !path.exists() {
                let problem = format!("there is no file {}", path.display());
                return Err(mapping.wrong(
                    rule.line,
                    "[[file]]",
                    problem,
                    "correct `path`, relative to the mapping file",
                ));
            }
            readers.push(LogReader::open(&path, &options)?);
        }
        Self::new(mapping, readers)
    }

    /// A log of one file that the mapping does not name.
    pub(crate) fn open_one(mapping: Mapping, path: &Path, options: &LogOptions) -> Result<Self, LogError> {
        mapping.must_name_no_files()?;
        // Columns by place need no names.
        let by_place = mapping.columns.iter().all(|rule| matches!(rule.from, From::Index(_)));
        let options =
            LogOptions { no_header: by_place || options.no_header, mapping: None, ..options.clone() };
        let reader = LogReader::open(path, &options)?;
        Self::new(mapping, vec![reader])
    }

    /// A log of what another reader reads.
    pub(crate) fn over(mapping: Mapping, reader: LogReader) -> Result<Self, LogError> {
        mapping.must_name_no_files()?;
        Self::new(mapping, vec![reader])
    }

    /// Rows that all files have ready, read in step.
    fn ready_rows(&mut self) -> Result<usize, LogError> {
        for input in &mut self.inputs {
            input.refill()?;
        }
        let left = |input: &Input| input.chunk.as_ref().map_or(0, |chunk| chunk.rows - input.used);
        let rows = self.inputs.iter().map(left).min().unwrap_or(0);
        if rows == 0 && self.inputs.iter().any(|input| left(input) > 0) {
            let shorter = self.inputs.iter().position(|input| left(input) == 0).unwrap_or(0);
            let others: Vec<&str> =
                self.inputs.iter().filter(|input| left(input) > 0).map(|i| i.reader.file()).collect();
            return Err(LogError::Mapping {
                place: self.mapping.source.clone(),
                key: "[[file]]".to_owned(),
                problem: format!(
                    "{} ends after {} rows, {} goes on",
                    self.inputs[shorter].reader.file(),
                    self.rows,
                    others.join(", ")
                ),
                remedy: "cut them to the same span, or give each its clock (`time` in its [[file]])"
                    .to_owned(),
            });
        }
        Ok(rows)
    }

    /// Columns of the log from plain columns.
    fn finish(&self, plain: &[Vec<f64>], rows: usize) -> Vec<Vec<f64>> {
        // The joints of reductions and families that were asked for already.
        let mut keys: Vec<(usize, &str)> = Vec::new();
        let mut joints: Vec<Vec<Vec<f64>>> = Vec::new();
        let mut wrenches: Vec<Option<[Vec<f64>; 6]>> = vec![None; self.mapping.wrenches.len()];
        self.kept
            .iter()
            .map(|&k| match &self.outputs[k] {
                Output::Clock => {
                    let rate = self.mapping.rate.unwrap_or(1.0);
                    (0..rows as u64).map(|row| (self.rows + row) as f64 / rate).collect()
                }
                Output::Plain(k) => plain[*k].clone(),
                Output::Reduced(reduction, family, joint, motors) => {
                    let known = keys.iter().position(|key| *key == (*reduction, *family));
                    let known = known.unwrap_or_else(|| {
                        let motors: Vec<&[f64]> = motors.iter().map(|&motor| &plain[motor][..]).collect();
                        joints.push(self.mapping.reductions[*reduction].apply(family, &motors));
                        keys.push((*reduction, *family));
                        keys.len() - 1
                    });
                    joints[known][*joint].clone()
                }
                Output::Wrench(rule, component, columns) => {
                    let moved = || self.mapping.wrenches[*rule].apply(columns, plain, rows);
                    wrenches[*rule].get_or_insert_with(moved)[*component].clone()
                }
            })
            .collect()
    }

    /// Rows of files that are sampled together.
    fn next_in_step(&mut self) -> Result<Option<Chunk>, LogError> {
        let rows = self.ready_rows()?;
        if rows == 0 {
            return Ok(None);
        }
        let mut strange: Vec<Option<Strange>> = Vec::new();
        let mut plain = Vec::new();
        for column in &self.plain {
            let input = &self.inputs[column.input];
            let Some(chunk) = &input.chunk else { continue };
            let range = input.used..input.used + rows;
            plain.push(column.scaling.apply(&chunk.columns[column.place][range.clone()]));
            let here = chunk.strange[column.place].clone().filter(|strange| range.contains(&strange.row));
            strange.push(here.map(|strange| Strange { row: strange.row - range.start, ..strange }));
        }
        let mut chunk = Chunk::of(0, rows, self.finish(&plain, rows));
        for (out, &k) in chunk.strange.iter_mut().zip(&self.kept) {
            *out = match &self.outputs[k] {
                Output::Clock => None,
                Output::Plain(k) => strange[*k].clone(),
                Output::Reduced(_, _, _, motors) => motors.iter().find_map(|&motor| strange[motor].clone()),
                Output::Wrench(_, _, columns) => {
                    columns.all().into_iter().find_map(|column| strange[column].clone())
                }
            };
        }
        if let [only] = &self.inputs[..]
            && let Some(source) = &only.chunk
        {
            let mut lines = Lines::default();
            source.lines.slice(only.used..only.used + rows, &mut lines);
            chunk.lines = lines;
        }
        self.inputs.iter_mut().for_each(|input| input.used += rows);
        self.rows += rows as u64;
        Ok(Some(chunk))
    }

    /// Rows at the stamps of the first file.
    fn next_on_clock(&mut self, clocks: &mut Clocks) -> Result<Option<Chunk>, LogError> {
        let mut plain = vec![Vec::new(); self.plain.len()];
        let mut rows = 0;
        while rows < CHUNK_ROWS {
            if let Some((_, values)) = clocks.merge.next() {
                for (k, value) in clocks.columns.iter().flatten().zip(values) {
                    plain[*k].push(value);
                }
                rows += 1;
                continue;
            }
            let k = clocks.merge.waits_for();
            if !self.inputs[k].refill()? {
                match k {
                    0 => break,
                    other => clocks.merge.end_other(other - 1),
                }
                continue;
            }
            let input = &mut self.inputs[k];
            let Some(chunk) = input.chunk.take() else { continue };
            for row in input.used..chunk.rows {
                let value = |plain: &Plain| plain.scaling.one(chunk.columns[plain.place][row]);
                let stamp = (1e9 * value(&self.plain[clocks.time[k]])).round() as i64;
                let values = clocks.columns[k].iter().map(|&column| value(&self.plain[column])).collect();
                match k {
                    0 => clocks.merge.push_first(stamp, values),
                    other => clocks.merge.push_other(other - 1, stamp, values),
                }
            }
        }
        if rows == 0 {
            return Ok(None);
        }
        let chunk = Chunk::of(0, rows, self.finish(&plain, rows));
        self.rows += rows as u64;
        Ok(Some(chunk))
    }
}

impl Input {
    /// Reads on when the chunk is used up; whether rows are there.
    fn refill(&mut self) -> Result<bool, LogError> {
        while !self.ended && self.chunk.as_ref().is_none_or(|chunk| self.used >= chunk.rows) {
            self.chunk = self.reader.next_chunk()?;
            self.used = 0;
            self.ended = self.chunk.is_none();
        }
        Ok(self.chunk.is_some())
    }
}

impl RowSource for MappedReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(&self) -> Option<u64> {
        self.inputs.iter().filter_map(|input| input.reader.rows()).min()
    }

    fn progress(&self) -> f64 {
        self.inputs.first().map_or(0.0, |input| input.reader.progress())
    }

    fn keep(&mut self, columns: &[usize]) {
        self.kept = columns.to_vec();
    }

    fn next(&mut self) -> Result<Option<Chunk>, LogError> {
        match self.clocks.take() {
            None => self.next_in_step(),
            Some(mut clocks) => {
                let chunk = self.next_on_clock(&mut clocks);
                self.clocks = Some(clocks);
                chunk
            }
        }
    }

    fn notes(&self) -> Vec<LogNote> {
        let mut notes: Vec<LogNote> = self.inputs.iter().flat_map(|input| input.reader.notes()).collect();
        notes.extend(self.notes.iter().cloned());
        if let Some(clocks) = &self.clocks {
            let onto = self.inputs[0].reader.file().to_owned();
            for (input, left_out) in self.inputs[1..].iter().zip(clocks.merge.left_out()) {
                let file = input.reader.file().to_owned();
                let onto = onto.clone();
                notes.push(ReadingNote::FileInterpolated { file: file.clone(), onto }.into());
                if left_out > 0 {
                    notes.push(ReadingNote::FileSilent { file, rows: left_out }.into());
                }
            }
        }
        notes
    }
}
