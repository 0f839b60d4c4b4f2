//! Which columns of which files become which columns of the log.

use steiner_files::did_you_mean;

use super::columns::{ColumnRule, From, Scaling};
use super::reader::{Clocks, Input, MappedReader, Output, Plain};
use super::units::Family;
use super::{FileRule, Mapping};
use crate::error::LogError;
use crate::log::WRENCH;
use crate::log::merge::Merge;
use crate::log::reader::LogReader;

impl MappedReader {
    pub(super) fn new(mapping: Mapping, readers: Vec<LogReader>) -> Result<Self, LogError> {
        let mut inputs: Vec<Input> =
            readers.into_iter().map(|reader| Input { reader, chunk: None, used: 0, ended: false }).collect();
        let mut rules: Vec<ColumnRule> = mapping.columns.clone();
        let has_clock = rules.iter().any(|rule| rule.name == "t") || mapping.rate.is_some();
        if !has_clock
            && inputs.first().is_some_and(|input| input.reader.names().iter().any(|name| name == "t"))
        {
            let from = From::Name("t".to_owned());
            let (family, scaling) = (Family::Time, Scaling::NONE);
            let (name, optional) = ("t".to_owned(), false);
            rules.insert(0, ColumnRule { name, family, file: 0, from, scaling, optional, line: 1 });
        }
        let mut reader = MappedReader {
            inputs: Vec::new(),
            plain: Vec::new(),
            names: Vec::new(),
            outputs: Vec::new(),
            kept: Vec::new(),
            rows: 0,
            clocks: None,
            notes: Vec::new(),
            mapping,
        };
        for rule in &rules {
            reader.resolve(rule, &inputs)?;
        }
        reader.take_native_columns(&inputs);
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
        if found.is_empty() && !rule.optional {
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
            self.plain.push(Plain {
                name,
                input: rule.file,
                place,
                scaling: rule.scaling,
                is_foreign_clock: false,
            });
        }
        Ok(())
    }

    /// Adds the clocks of files that have their own; for each input the plain
    /// column with its clock, or nothing.
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
                    if let Some(clock) = self.plain.last_mut() {
                        clock.is_foreign_clock = input > 0;
                    }
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
        for (index, rule) in self.mapping.wrenches.iter().enumerate() {
            let place = |name: &str| self.plain.iter().position(|plain| plain.name == name);
            let columns = rule.columns(place).map_err(|missing| {
                let problem = format!("there is no column `{missing}`");
                let remedy = "give force and torque (fx, fy, fz, tx, ty, tz), or a centre of pressure and the free \
                              moment (px, py, tz), of the sensor in [columns]";
                self.mapping.wrong(rule.line, "[[wrench]]", problem, remedy)
            })?;
            columns.all().into_iter().for_each(|k| taken[k] = true);
            for (component, end) in WRENCH.iter().enumerate() {
                let name = format!("wrench_{}_{end}", rule.place);
                reduced.push((name, Output::Wrench(index, component, columns)));
            }
        }
        if let Some(plain) = self.plain.iter().zip(&taken).find_map(|(plain, taken)| {
            let is_centre = ["_px", "_py", "_pz"].iter().any(|end| plain.name.ends_with(end));
            (plain.name.starts_with("wrench_") && is_centre && !taken).then_some(plain)
        }) {
            let problem = format!("`{}` is a centre of pressure, but no [[wrench]] uses it", plain.name);
            let remedy = "add [[wrench]] with sensor, link and the place of the sensor";
            return Err(self.mapping.wrong(1, "columns", problem, remedy));
        }
        if self.mapping.rate.is_some() {
            self.names.push("t".to_owned());
            self.outputs.push(Output::Clock);
        }
        for (k, plain) in self.plain.iter().enumerate().filter(|(k, _)| !taken[*k]) {
            if !plain.is_foreign_clock {
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
}

fn shortly(names: &[String]) -> String {
    match names.len() {
        0..=12 => names.join(", "),
        _ => format!("{}, …", names[..12].join(", ")),
    }
}
