//! Logs, how they are read, and which samples are held out.

use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_identification::{
    Division, IdentificationError, IdentificationNote, KnownLoad, LogPlace, RecordedLogs, SettingNote, Source,
};
use steiner_logs::{FrictionModel, LogOptions, Processing, Recording, Role};
use steiner_robot::SensorSet;

/// Share of every log that is held out for validation where nothing else is said.
pub const HELD_OUT: f64 = 0.25;

/// Logs and how they are read. They can be opened as often as it takes.
#[derive(Clone, Debug, Default)]
pub struct Logs {
    /// Logs to learn from.
    pub training: Vec<LogPlace>,
    /// Logs that are for validation alone.
    pub validation: Vec<LogPlace>,
    /// How files are read.
    pub options: LogOptions,
    /// What is done to signals.
    pub processing: Processing,
    /// Which part of the logs to learn from is held out; `None`: the last [`HELD_OUT`] of each, or nothing
    /// where there are logs for validation.
    pub division: Option<Division>,
    /// What is measured; `None`: all that the logs have.
    pub measure: Option<SensorSet>,
    /// Known loads that the robot carried while some logs were recorded; those for validation count on
    /// behind those to learn from.
    pub loads: Vec<KnownLoad>,
    /// Logs that were recorded with an unknown load: not identified from, the load of each follows from what
    /// the others identify.
    pub weighed: Vec<LogPlace>,
    /// Forces are shifted onto their motion, where a fit shows that they come later or earlier.
    pub align: bool,
    /// The link that carries loads, moving or fixed to one that does; `None`: the last body.
    pub loads_on: Option<String>,
}

/// What a caller hears of a pass over logs, and how it ends one.
pub struct Watch<'a> {
    /// Is told how much of a pass is done, from 0 to 1, now and then.
    pub on_progress: Box<dyn FnMut(f64) + 'a>,
    /// Is asked before every part of a log whether to stop.
    pub cancel_when: Box<dyn FnMut() -> bool + 'a>,
}

impl Default for Watch<'_> {
    fn default() -> Self {
        Watch { on_progress: Box::new(|_| {}), cancel_when: Box::new(|| false) }
    }
}

impl Logs {
    /// Logs to learn from, with the usual processing.
    pub fn of(training: impl IntoIterator<Item = impl Into<LogPlace>>) -> Self {
        Logs { training: training.into_iter().map(Into::into).collect(), ..Logs::default() }
    }

    /// Says that a share is held out, where nobody asked for that or anything else.
    pub fn held_out_by_default(&self) -> Option<SettingNote> {
        let usual = self.division.is_none() && self.validation.is_empty();
        usual.then_some(SettingNote::HeldOutByDefault { part: HELD_OUT })
    }

    /// The logs as a source that is read part by part. The dry friction of a model is filtered as the forces
    /// are.
    pub fn open<'a>(
        &self,
        mechanism: &'a Mechanism,
        friction: FrictionModel,
        watch: Watch<'a>,
    ) -> Result<RecordedLogs<'a>, IdentificationError> {
        let Watch { on_progress, cancel_when } = watch;
        let usual = if self.validation.is_empty() { Division::Last(HELD_OUT) } else { Division::Nothing };
        let places = |places: &[LogPlace], role: Role| -> Vec<(LogPlace, Role)> {
            places.iter().map(|place| (place.clone(), role)).collect()
        };
        let mut all = places(&self.training, Role::Training);
        all.extend(places(&self.validation, Role::Validation));
        let mut logs = RecordedLogs::new(mechanism, all, &self.options, &self.processing)
            .divided(self.division.unwrap_or(usual))
            .with_friction(friction)
            .on_progress(on_progress)
            .cancel_when(cancel_when);
        if !self.loads.is_empty() {
            logs = logs.carrying(self.carrier(mechanism), &self.loads)?;
        }
        match &self.measure {
            Some(measure) => logs.measuring(measure),
            None => Ok(logs),
        }
    }

    /// The link that carries loads.
    pub(crate) fn carrier<'s>(&'s self, mechanism: &'s Mechanism) -> &'s str {
        let last = mechanism.robot().bodies.last().map_or("", |body| body.name.as_str());
        self.loads_on.as_deref().unwrap_or(last)
    }

    /// What known loads were taken into account.
    pub(crate) fn load_notes(&self, mechanism: &Mechanism) -> Vec<IdentificationNote> {
        let places: Vec<&LogPlace> = self.training.iter().chain(&self.validation).collect();
        let note = |load: &KnownLoad| {
            let log = places.get(load.log)?.path();
            let (link, mass, com) = (self.carrier(mechanism).to_owned(), load.mass, load.com);
            Some(IdentificationNote::KnownLoad { log, link, mass, com })
        };
        self.loads.iter().filter_map(note).collect()
    }

    /// The log of a name, among those to learn from and then those for validation: its path, or the last
    /// part of it.
    pub fn log_named(&self, name: &str) -> Result<usize, IdentificationError> {
        let paths: Vec<PathBuf> = self.training.iter().chain(&self.validation).map(LogPlace::path).collect();
        let whole = |path: &PathBuf| path.as_os_str() == name;
        let last = |path: &PathBuf| path.file_name().is_some_and(|last| last == name);
        let found: Vec<usize> = match paths.iter().position(whole) {
            Some(log) => vec![log],
            None => (0..paths.len()).filter(|&log| last(&paths[log])).collect(),
        };
        let listed = || paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        match found[..] {
            [log] => Ok(log),
            _ => Err(IdentificationError::Setting {
                what: "the log of a known payload".to_owned(),
                value: format!("`{name}`"),
                remedy: format!("name one of the logs: {}", listed()),
            }),
        }
    }

    /// Takes a log out of those to learn from, as one with an unknown load.
    pub fn weigh_log(&mut self, log: usize) -> Result<(), IdentificationError> {
        if log >= self.training.len() || self.training.len() == 1 {
            return Err(IdentificationError::Setting {
                what: "the log of an unknown payload".to_owned(),
                value: format!("log {} of {}", log + 1, self.training.len()),
                remedy:
                    "name one of several logs to identify from: the others tell the robot's own parameters"
                        .to_owned(),
            });
        }
        self.weighed.push(self.training.remove(log));
        Ok(())
    }

    /// What is measured: as was asked for, or all that the logs have.
    pub fn measured(&self, logs: &mut RecordedLogs<'_>) -> Result<SensorSet, IdentificationError> {
        self.measure.clone().map_or_else(|| logs.measures(), Ok)
    }

    /// All samples in memory.
    pub fn gathered(
        &self,
        mechanism: &Mechanism,
        friction: FrictionModel,
        watch: Watch<'_>,
    ) -> Result<Recording, IdentificationError> {
        let mut all: Option<Recording> = None;
        let mut source = self.open(mechanism, friction, watch)?;
        source.chunks(&mut |part| {
            match &mut all {
                None => all = Some(part.clone()),
                Some(all) => all.append(part.clone())?,
            }
            Ok(())
        })?;
        Ok(all.unwrap_or_default())
    }
}
