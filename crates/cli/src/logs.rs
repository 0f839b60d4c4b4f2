//! Logs on the command line: how files are read, and which samples only judge.

use std::path::{Path, PathBuf};

use clap::Args;
use steiner_dynamics::Mechanism;
use steiner_identification::{Division, ReadLog, RecordedLogs};
use steiner_logs::Role;
use steiner_logs::{LogOptions, Mapping};
use steiner_robot::SensorSet;

use crate::output::Failure;
use crate::parse::parse_part;
use crate::progress::Progress;
use crate::signals::SignalArguments;

/// Part of every log that is held out where nobody says otherwise.
const HELD_OUT: f64 = 0.25;

#[derive(Args, Debug)]
#[command(next_help_heading = "Logs")]
pub(crate) struct LogArguments {
    /// A mapping file: columns, units, signs, gears of other people's logs (docs/logs.md).
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,
    /// Topics to read from bags (default: all joint states and wrenches).
    #[arg(long, value_name = "TOPIC,…", value_delimiter = ',')]
    topics: Vec<String>,
    /// Take what stands before the cut of a CSV or MCAP that ends in the middle.
    #[arg(long)]
    accept_cut: bool,
    /// Last part of every log that only judges the result (default 0.25).
    #[arg(long, value_name = "PART", value_parser = parse_part)]
    hold_out: Option<f64>,
    /// What was recorded from this time on only judges the result, s.
    #[arg(long, value_name = "SECONDS", conflicts_with = "hold_out", allow_negative_numbers = true)]
    validate_from: Option<f64>,
    /// What was recorded before this time only judges the result, s; with --validate-from, what lies between.
    #[arg(long, value_name = "SECONDS", conflicts_with = "hold_out", allow_negative_numbers = true)]
    validate_to: Option<f64>,
    #[command(flatten)]
    pub(crate) signals: SignalArguments,
}

impl LogArguments {
    pub(crate) fn options(&self) -> Result<LogOptions, Failure> {
        Ok(LogOptions {
            accept_cut: self.accept_cut,
            topics: self.topics.clone(),
            mapping: self.mapping.as_deref().map(Mapping::read).transpose()?,
            ..LogOptions::default()
        })
    }

    /// The logs as a source that is read part by part; those of `validate` only judge.
    pub(crate) fn open<'a>(
        &self,
        mechanism: &'a Mechanism,
        logs: &[PathBuf],
        validate: &[PathBuf],
        measure: Option<&SensorSet>,
        progress: &Progress,
    ) -> Result<RecordedLogs<'a>, Failure> {
        let training = logs.iter().map(|path| (path.clone(), Role::Training));
        let judging = validate.iter().map(|path| (path.clone(), Role::Validation));
        let bytes = logs.iter().chain(validate).map(|path| bytes_of(path)).sum();
        let processing = self.signals.processing();
        let logs =
            RecordedLogs::new(mechanism, training.chain(judging).collect(), &self.options()?, &processing)
                .divided(self.division(validate)?)
                .telling(progress.reading(bytes));
        Ok(match measure {
            Some(measure) => logs.measuring(measure)?,
            None => logs,
        })
    }

    fn division(&self, validate: &[PathBuf]) -> Result<Division, Failure> {
        if self.validate_from.is_none() && self.validate_to.is_none() {
            let default = if validate.is_empty() { HELD_OUT } else { 0.0 };
            return Ok(Division::Last(self.hold_out.unwrap_or(default)));
        }
        let from = self.validate_from.unwrap_or(f64::NEG_INFINITY);
        let to = self.validate_to.unwrap_or(f64::INFINITY);
        match from < to {
            true => Ok(Division::Between { from, to }),
            false => Err(Failure::Message(format!(
                "--validate-from {from} is not before --validate-to {to}; swap them"
            ))),
        }
    }

    /// What judges, where nobody asked for anything.
    pub(crate) fn division_note(&self, validate: &[PathBuf]) -> Option<String> {
        let chosen = self.hold_out.is_some() || self.validate_from.is_some() || self.validate_to.is_some();
        (!chosen && validate.is_empty()).then(|| {
            "the last quarter of every log only judges the result (--hold-out, --validate-from or --validate change that)"
                .to_owned()
        })
    }

    /// What was asked for and came to nothing.
    pub(crate) fn idle(&self, logs: &[ReadLog], held_out: bool) -> Vec<String> {
        let mut notes = Vec::new();
        let untrimmed = |log: &&ReadLog| log.settled.trim == 0;
        if let (true, Some(log)) = (self.signals.trims(), logs.iter().find(untrimmed)) {
            notes.push(format!(
                "--trim cuts nothing off {}: its signals are neither filtered nor derived, so no filter has to settle (--from and --to cut it)",
                log.path.display()
            ));
        }
        if !held_out && (self.validate_from.is_some() || self.validate_to.is_some()) {
            notes.push(
                "nothing was recorded in the time of --validate-from and --validate-to: no samples judge the result"
                    .to_owned(),
            );
        }
        notes
    }
}

/// Bytes of a log, or of the files in its folder.
fn bytes_of(path: &Path) -> u64 {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| size(&entry.path())).sum(),
        Err(_) => size(path),
    }
}
