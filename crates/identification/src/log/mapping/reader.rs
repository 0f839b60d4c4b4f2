//! A log made of foreign files: their columns side by side, scaled, on the joints' side of the gears.

use std::path::Path;

use steiner_robot::did_you_mean;

use super::columns::{ColumnRule, From, Scaling};
use super::{FileRule, Mapping};
use crate::error::LogError;
use crate::log::chunk::{CHUNK_ROWS, Chunk, Lines, Strange};
use crate::log::merge::Merge;
use crate::log::reader::{LogOptions, LogReader, RowSource};

pub(crate) struct MappedReader {
    mapping: Mapping,
    inputs: Vec<Input>,
    /// Columns of the log before reductions.
    plain: Vec<Plain>,
    names: Vec<String>,
    outputs: Vec<Output>,
    kept: Vec<usize>,
    rows: u64,
    clocks: Option<Clocks>,
}

/// A file that is being read.
struct Input {
    reader: LogReader,
    chunk: Option<Chunk>,
    /// Rows of the chunk that are used up.
    used: usize,
    ended: bool,
}

/// A column of a file, scaled.
struct Plain {
    name: String,
    input: usize,
    /// Its place in the chunks of its file.
    place: usize,
    scaling: Scaling,
}

enum Output {
    /// From the rate.
    Clock,
    Plain(usize),
    /// A joint of a reduction: reduction, family, joint, and the columns of the motors.
    Reduced(usize, &'static str, usize, Vec<usize>),
}

/// Files with clocks of their own are interpolated onto that of the first.
struct Clocks {
    merge: Merge,
    /// For each input, its clock among the plain columns.
    time: Vec<usize>,
    /// For each input, its plain columns.
    columns: Vec<Vec<usize>>,
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
        if mapping.has_files() {
            let line = mapping.files[0].line;
            let remedy = "give the mapping file itself or the folder of its files as the log";
            return Err(mapping.wrong(line, "[[file]]", "the mapping names its own files", remedy));
        }
        // Columns by place need no names.
        let by_place = mapping.columns.iter().all(|rule| matches!(rule.from, From::Index(_)));
        let options =
            LogOptions { no_header: by_place || options.no_header, mapping: None, ..options.clone() };
        let reader = LogReader::open(path, &options)?;
        Self::new(mapping, vec![reader])
    }

    fn new(mapping: Mapping, readers: Vec<LogReader>) -> Result<Self, LogError> {
        let mut inputs: Vec<Input> =
            readers.into_iter().map(|reader| Input { reader, chunk: None, used: 0, ended: false }).collect();
        let mut rules: Vec<ColumnRule> = mapping.columns.clone();
        let has_clock = rules.iter().any(|rule| rule.name == "t") || mapping.rate.is_some();
        if !has_clock
            && inputs.first().is_some_and(|input| input.reader.names().iter().any(|name| name == "t"))
        {
            let from = From::Name("t".to_owned());
            let (family, scaling) = (super::units::Family::Time, Scaling::NONE);
            rules.insert(0, ColumnRule { name: "t".to_owned(), family, file: 0, from, scaling, line: 1 });
        }
        let mut reader = MappedReader {
            inputs: Vec::new(),
            plain: Vec::new(),
            names: Vec::new(),
            outputs: Vec::new(),
            kept: Vec::new(),
            rows: 0,
            clocks: None,
            mapping,
        };
        for rule in &rules {
            reader.resolve(rule, &inputs)?;
        }
        let time = reader.clocks(&mut inputs)?;
        reader.inputs = inputs;
        reader.read_only_what_is_used();
        reader.lay_out()?;
        if !time.is_empty() {
            let columns: Vec<Vec<usize>> = (0..reader.inputs.len())
                .map(|input| (0..reader.plain.len()).filter(|&k| reader.plain[k].input == input).collect())
                .collect();
            let merge = Merge::new(columns[1..].iter().map(Vec::len), i64::MAX);
            reader.clocks = Some(Clocks { merge, time, columns });
        }
        reader.kept = (0..reader.names.len()).collect();
        Ok(reader)
    }

    /// The columns a rule speaks of.
    fn resolve(&mut self, rule: &ColumnRule, inputs: &[Input]) -> Result<(), LogError> {
        let names = inputs[rule.file].reader.names();
        let found = rule.matches(names);
        if found.is_empty() {
            let (wanted, hint) = match &rule.from {
                From::Name(name) => {
                    (format!("`{name}`"), did_you_mean(name, names.iter().map(String::as_str)))
                }
                From::Index(index) => (format!("number {index}"), String::new()),
            };
            let file = inputs[rule.file].reader.file();
            let problem = format!("{file} has no column {wanted}{hint}");
            let remedy = format!("its {} columns are {}", names.len(), shortly(names));
            return Err(self.mapping.wrong(rule.line, &format!("columns.{}", rule.name), problem, remedy));
        }
        for (name, place) in found {
            if self.plain.iter().any(|other| other.name == name) {
                let problem = format!("`{name}` is given twice");
                return Err(self.mapping.wrong(
                    rule.line,
                    &format!("columns.{}", rule.name),
                    problem,
                    "keep one",
                ));
            }
            self.plain.push(Plain { name, input: rule.file, place, scaling: rule.scaling });
        }
        Ok(())
    }

    /// Adds the clocks of files that have their own; for each input the plain column with its clock, or nothing.
    fn clocks(&mut self, inputs: &mut [Input]) -> Result<Vec<usize>, LogError> {
        let own: Vec<&FileRule> = self.mapping.files.iter().filter(|rule| rule.time.is_some()).collect();
        let Some(first) = own.first() else { return Ok(Vec::new()) };
        let (line, name) = (first.line, first.name.clone());
        if own.len() + usize::from(self.mapping.files[0].time.is_none()) != self.mapping.files.len() {
            let remedy = "give `time` for every file but the first, or for none";
            return Err(self.mapping.wrong(
                line,
                &format!("file `{name}`"),
                "only some files have a clock",
                remedy,
            ));
        }
        let mut time = Vec::new();
        for (input, rule) in self.mapping.files.clone().iter().enumerate() {
            match &rule.time {
                None => {
                    let clock = self.plain.iter().position(|plain| plain.name == "t");
                    time.push(clock.ok_or_else(|| {
                        let problem = "other files have clocks, but the first has none";
                        self.mapping.wrong(rule.line, "[[file]]", problem, "give `t` in [columns]")
                    })?);
                }
                Some(clock) if input == 0 && self.plain.iter().any(|plain| plain.name == "t") => {
                    let problem = "the clock of the first file is given twice";
                    return Err(self.mapping.wrong(clock.line, "[[file]]", problem, "remove `time` there"));
                }
                Some(clock) => {
                    let name = if input == 0 { "t".to_owned() } else { format!("t of file {input}") };
                    time.push(self.plain.len());
                    self.resolve(&ColumnRule { name, ..clock.clone() }, inputs)?;
                }
            }
        }
        Ok(time)
    }

    fn read_only_what_is_used(&mut self) {
        for (k, input) in self.inputs.iter_mut().enumerate() {
            let names = input.reader.names().to_vec();
            let mut used: Vec<usize> =
                self.plain.iter().filter(|plain| plain.input == k).map(|plain| plain.place).collect();
            used.sort_unstable();
            used.dedup();
            let wanted: Vec<&String> = used.iter().map(|&place| &names[place]).collect();
            input.reader.keep(|name| wanted.iter().any(|wanted| *wanted == name));
            for plain in self.plain.iter_mut().filter(|plain| plain.input == k) {
                plain.place = used.partition_point(|&place| place < plain.place);
            }
        }
    }

    /// The columns of the log: the plain ones, with motors replaced by joints.
    fn lay_out(&mut self) -> Result<(), LogError> {
        let mut taken = vec![false; self.plain.len()];
        let mut reduced = Vec::new();
        for (index, reduction) in self.mapping.reductions.iter().enumerate() {
            for family in ["q", "qd", "qdd", "tau"] {
                let wanted = |motor: &String| format!("{family}_{motor}");
                let found: Vec<Option<usize>> = reduction
                    .motors
                    .iter()
                    .map(|motor| self.plain.iter().position(|plain| plain.name == wanted(motor)))
                    .collect();
                if found.iter().all(Option::is_none) {
                    continue;
                }
                if let Some(missing) = found.iter().position(Option::is_none) {
                    let problem = format!("there is no column `{}`", wanted(&reduction.motors[missing]));
                    let remedy = "add it to [columns], all motors of a reduction are needed";
                    return Err(self.mapping.wrong(reduction.line, "[[reduction]]", problem, remedy));
                }
                let motors: Vec<usize> = found.into_iter().flatten().collect();
                motors.iter().for_each(|&k| taken[k] = true);
                for (joint, name) in reduction.joints.iter().enumerate() {
                    let output = Output::Reduced(index, family, joint, motors.clone());
                    reduced.push((format!("{family}_{name}"), output));
                }
            }
        }
        if let Some(reduction) = self.mapping.reductions.iter().find(|reduction| {
            !reduction
                .motors
                .iter()
                .any(|motor| self.plain.iter().any(|plain| plain.name.ends_with(&format!("_{motor}"))))
        }) {
            let problem = format!("no column is one of the motors {}", reduction.motors.join(", "));
            let remedy = "give them in [columns], as q_<motor> and tau_<motor>";
            return Err(self.mapping.wrong(reduction.line, "[[reduction]]", problem, remedy));
        }
        if self.mapping.rate.is_some() {
            self.names.push("t".to_owned());
            self.outputs.push(Output::Clock);
        }
        for (k, plain) in self.plain.iter().enumerate().filter(|(k, _)| !taken[*k]) {
            if !plain.name.starts_with("t of file ") {
                self.names.push(plain.name.clone());
                self.outputs.push(Output::Plain(k));
            }
        }
        for (name, output) in reduced {
            self.names.push(name);
            self.outputs.push(output);
        }
        Ok(())
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
        let mut cache: Vec<((usize, &str), Vec<Vec<f64>>)> = Vec::new();
        self.kept
            .iter()
            .map(|&k| match &self.outputs[k] {
                Output::Clock => {
                    let rate = self.mapping.rate.unwrap_or(1.0);
                    (0..rows as u64).map(|row| (self.rows + row) as f64 / rate).collect()
                }
                Output::Plain(k) => plain[*k].clone(),
                Output::Reduced(reduction, family, joint, motors) => {
                    let known = cache.iter().position(|(key, _)| *key == (*reduction, *family));
                    let known = known.unwrap_or_else(|| {
                        let motors: Vec<&[f64]> = motors.iter().map(|&motor| &plain[motor][..]).collect();
                        let joints = self.mapping.reductions[*reduction].apply(family, &motors);
                        cache.push(((*reduction, *family), joints));
                        cache.len() - 1
                    });
                    cache[known].1[*joint].clone()
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

fn shortly(names: &[String]) -> String {
    match names.len() {
        0..=12 => names.join(", "),
        _ => format!("{}, …", names[..12].join(", ")),
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

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.inputs.iter().flat_map(|input| input.reader.notes()).collect();
        if let Some(clocks) = &self.clocks {
            let first = self.inputs[0].reader.file();
            for (input, left_out) in self.inputs[1..].iter().zip(clocks.merge.left_out()) {
                let file = input.reader.file();
                notes.push(format!("{file} is interpolated onto the stamps of {first}"));
                if left_out > 0 {
                    notes.push(format!(
                        "{left_out} rows are left out because {file} says nothing around their time"
                    ));
                }
            }
        }
        notes
    }
}
