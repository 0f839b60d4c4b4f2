//! Logs on the command line: how files are read, and which samples are held out for validation.

use std::path::PathBuf;

use clap::Args;
use steiner::identification::{Division, LogPlace, ReadLog, SettingNote};
use steiner::logs::{LogOptions, Mapping};
use steiner::{Logs, SensorSet, Watch};

use crate::output::Failure;
use crate::parse::parse_part;
use crate::progress::Progress;
use crate::signals::SignalArguments;

#[derive(Args, Debug)]
#[command(next_help_heading = "Logs")]
pub(crate) struct LogArguments {
    /// A mapping file, where a log has other column names, units, signs or gears (example below)
    #[arg(long, value_name = "FILE", requires = "logs")]
    pub(crate) mapping: Option<PathBuf>,
    /// Topics to read from bags (default: all joint states and wrenches).
    #[arg(long, value_name = "TOPIC,…", value_delimiter = ',')]
    topics: Vec<String>,
    /// Read a truncated CSV or MCAP up to where it breaks off.
    #[arg(long)]
    accept_cut: bool,
    /// Share of every log, at its end, that is held out for validation (default 0.25).
    #[arg(long, value_name = "PART", value_parser = parse_part)]
    hold_out: Option<f64>,
    /// Hold out what was recorded from this time on, s.
    #[arg(long, value_name = "SECONDS", conflicts_with = "hold_out", allow_negative_numbers = true)]
    validate_from: Option<f64>,
    /// Hold out what was recorded before this time, s; --validate-from 10 --validate-to 20 holds out 10 to 20 s.
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

    /// The logs and how they are read; those of `validate` are for validation only.
    pub(crate) fn logs(
        &self,
        training: &[PathBuf],
        validate: &[PathBuf],
        measure: Option<SensorSet>,
    ) -> Result<Logs, Failure> {
        Ok(Logs {
            validation: validate.iter().cloned().map(LogPlace::from).collect(),
            options: self.options()?,
            processing: self.signals.processing(),
            division: self.division()?,
            measure,
            ..Logs::of(training.iter().cloned())
        })
    }

    fn division(&self) -> Result<Option<Division>, Failure> {
        if self.validate_from.is_none() && self.validate_to.is_none() {
            return Ok(self.hold_out.map(Division::Last));
        }
        let from = self.validate_from.unwrap_or(f64::NEG_INFINITY);
        let to = self.validate_to.unwrap_or(f64::INFINITY);
        match from < to {
            true => Ok(Some(Division::Between { from, to })),
            false => Err(Failure::Message(format!(
                "--validate-from {from} is not before --validate-to {to}; swap them"
            ))),
        }
    }

    /// What was asked for and came to nothing.
    pub(crate) fn idle(&self, logs: &[ReadLog], held_out: bool) -> Vec<SettingNote> {
        let mut notes = Vec::new();
        let untrimmed = |log: &&ReadLog| log.settled.trim == 0;
        if let (true, Some(log)) = (self.signals.trims(), logs.iter().find(untrimmed)) {
            notes.push(SettingNote::NothingTrimmed { log: log.path.clone() });
        }
        if !held_out && (self.validate_from.is_some() || self.validate_to.is_some()) {
            notes.push(SettingNote::NothingHeldOut);
        }
        notes
    }
}

/// A line about a pass over logs, while somebody waits.
pub(crate) fn watch(progress: &Progress, logs: &Logs) -> Watch<'static> {
    let bytes = logs.training.iter().chain(&logs.validation).map(LogPlace::bytes).sum();
    Watch { on_progress: Box::new(progress.reading(bytes)), ..Watch::default() }
}
