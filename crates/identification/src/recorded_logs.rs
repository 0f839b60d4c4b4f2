//! Logs in files as a source to identify from: read part by part, as often as it takes, in
//! memory that does not grow with them.
//!
//! Short logs are kept, so that later passes do not read them again; long ones are read anew for each pass.
//! Both hand over the same parts.

mod bands;
mod division;
mod instruments;
mod loads;
mod place;
mod repetition;
mod sensors;
mod shape;
mod trials;
mod unfiltered;

use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_robot::SensorSet;

pub use division::Division;
pub use loads::KnownLoad;
use loads::Loads;
pub use place::LogPlace;
use shape::{Shape, place_wrenches, strange_wrench};
pub use trials::CutoffTrials;
pub(crate) use trials::{INDEPENDENT, blocks};

use crate::accumulate::{Source, TrialPairs};
use crate::channels::channels;
use crate::failure::IdentificationError;
use crate::problem::Problem;
use crate::settings::Settings;
use steiner_logs::signals::significant;
use steiner_logs::{
    Channels, Cutoff, Fingerprint, FrictionModel, LogError, LogNote, LogOptions, Processing, ProcessingNote,
    Recording, RecordingStream, Role, Settled, SpectraOfFilter,
};

/// Recordings of up to this size are kept, bytes.
const KEPT: usize = 256 << 20;

/// What was done to one log.
#[derive(Clone, Debug)]
pub struct ReadLog {
    /// Path of the log.
    pub path: PathBuf,
    /// What the whole of it is for; of a log to learn from, the [`Division`] may set a part aside.
    pub role: Role,
    /// Number of samples after filtering and thinning.
    pub samples: usize,
    /// What the settings became.
    pub settled: Settled,
    /// Spectra of the accelerations, which show whether the cut-off is right.
    pub spectra: SpectraOfFilter,
    /// Whether another log has the same samples.
    pub fingerprint: Fingerprint,
}

/// Two logs with samples in common.
#[derive(Clone, Debug, PartialEq)]
pub struct RepeatedLog {
    /// The log that repeats; for validation, if one of them is.
    pub log: PathBuf,
    /// The one that it repeats.
    pub of: PathBuf,
    /// Whether it is for validation and the other is not.
    pub validates: bool,
    /// The part of its samples that the other has, too, from 0 to 1.
    pub share: f64,
}

/// Logs that have this part of their samples in common repeat each other.
const REPEATS: f64 = 0.05;

/// Logs that repeat others, samples for samples.
fn repeated(logs: &[ReadLog]) -> Vec<RepeatedLog> {
    let mut out = Vec::new();
    for (k, later) in logs.iter().enumerate() {
        let earlier = logs[..k].iter().filter(|earlier| earlier.role == Role::Training);
        let shares = earlier.map(|earlier| (earlier, later.fingerprint.shared_with(&earlier.fingerprint)));
        let most = shares.max_by(|a, b| a.1.total_cmp(&b.1));
        out.extend(most.filter(|(_, share)| *share > REPEATS).map(|(of, share)| RepeatedLog {
            log: later.path.clone(),
            of: of.path.clone(),
            validates: later.role == Role::Validation,
            share,
        }));
    }
    out
}

/// What is to be said about one of several logs.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteOfLog {
    /// The log, where the note does not tell by itself and there are several.
    pub file: Option<PathBuf>,
    /// What was done to it, or looks strange in it.
    pub note: LogNote,
}

/// Files with recordings of one mechanism, some for training and some for validation.
pub struct RecordedLogs<'a> {
    mechanism: &'a Mechanism,
    channels: Channels,
    logs: Vec<(LogPlace, Role)>,
    options: LogOptions,
    processing: Processing,
    division: Division,
    sensors: Vec<String>,
    loads: Option<Loads>,
    keep: usize,
    progress: Box<dyn FnMut(f64) + 'a>,
    cancelled: Box<dyn FnMut() -> bool + 'a>,
    /// What all logs measure, once the first is known.
    shape: Option<Shape>,
    /// All parts, with the log each is of, where they are kept.
    kept: Option<Vec<(usize, Recording)>>,
    surveyed: bool,
    /// Cut-offs that spectra suggested for the training logs when multiples of them were tried, Hz.
    suggested: Vec<f64>,
    /// What models are tried on, once it was read.
    beginnings: Option<Vec<trials::Beginning>>,
    notes: Vec<NoteOfLog>,
    read: Vec<ReadLog>,
}

impl<'a> RecordedLogs<'a> {
    /// Logs of any format ([`LogReader::open`](steiner_logs::LogReader::open)) or in memory, processed alike.
    pub fn new(
        mechanism: &'a Mechanism,
        logs: Vec<(impl Into<LogPlace>, Role)>,
        options: &LogOptions,
        processing: &Processing,
    ) -> Self {
        RecordedLogs {
            mechanism,
            channels: channels(mechanism),
            logs: logs.into_iter().map(|(place, role)| (place.into(), role)).collect(),
            options: options.clone(),
            processing: processing.clone(),
            division: Division::Nothing,
            sensors: Vec::new(),
            loads: None,
            keep: KEPT,
            progress: Box::new(|_| {}),
            cancelled: Box::new(|| false),
            shape: None,
            kept: None,
            surveyed: false,
            suggested: Vec::new(),
            beginnings: None,
            notes: Vec::new(),
            read: Vec::new(),
        }
    }

    /// Holds out a part of each training log for validation.
    pub fn divided(mut self, division: Division) -> Self {
        self.division = division;
        self
    }

    /// Keeps what was recorded from this time (s) on for validation.
    pub fn validating_from(self, time: f64) -> Self {
        self.divided(Division::Between { from: time, to: f64::INFINITY })
    }

    /// Joints with a force–torque sensor inside: wrenches of their name are what they carry,
    /// even if a link has the same name.
    pub fn with_sensors_in(mut self, joints: Vec<String>) -> Self {
        self.sensors = joints;
        self
    }

    /// Filters the dry friction of a model together with the forces; see [`Processing::friction`].
    pub fn with_friction(mut self, friction: FrictionModel) -> Self {
        self.processing.friction = friction;
        self
    }

    /// Filters at the cut-offs that trials chose, where they were left open: training logs at those that were tried,
    /// others at so many times what their spectra suggest.
    pub fn set_cutoff(&mut self, trials: &CutoffTrials) {
        if self.processing.cutoff == Cutoff::Auto {
            self.processing.cutoff = Cutoff::Scaled(trials.chosen);
            self.suggested.clone_from(&trials.suggested);
            (self.kept, self.surveyed) = (None, false);
        }
    }

    /// Keeps recordings of up to so many bytes in memory instead of reading them
    /// for every pass. Default 256 MiB.
    pub fn keeping(mut self, bytes: usize) -> Self {
        self.keep = bytes;
        self
    }

    /// Calls this now and then with the part of a pass over all logs that is done, from 0 to 1.
    pub fn on_progress(mut self, progress: impl FnMut(f64) + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Asked before every part of a log: once it returns true, the pass ends with
    /// [`IdentificationError::Interrupted`].
    pub fn cancel_when(mut self, cancelled: impl FnMut() -> bool + 'a) -> Self {
        self.cancelled = Box::new(cancelled);
        self
    }

    /// What was done to the logs; known after a pass.
    pub fn notes(&self) -> &[NoteOfLog] {
        &self.notes
    }

    /// What became of each log; known after a pass.
    pub fn read(&self) -> &[ReadLog] {
        &self.read
    }

    /// Logs that have samples of a log for training; known after a pass.
    pub fn repeated(&self) -> Vec<RepeatedLog> {
        repeated(&self.read)
    }

    /// The time after which held-out samples repeat the motion of training samples of the same log, s: they test
    /// the noise, not another motion. Known of logs that are kept in memory.
    pub fn held_out_repeats(&self) -> Option<f64> {
        self.kept.iter().flatten().find_map(|(_, recording)| repetition::repetition(recording))
    }

    /// What the settings became for each log; known after a pass.
    pub fn settled(&self) -> Vec<Settled> {
        self.read.iter().map(|log| log.settled.clone()).collect()
    }

    /// What the logs measure. Reads the beginning of the logs, or all of short ones.
    pub fn measures(&mut self) -> Result<SensorSet, IdentificationError> {
        match self.processing.cutoff {
            // The cut-off is still to be chosen: what is read now is not what will be kept.
            Cutoff::Auto if self.shape.is_none() => drop(self.stream(&mut |_, _, _| Ok(false))?),
            _ => self.survey()?,
        }
        Ok(self.shape.as_ref().map_or_else(SensorSet::all, |shape| shape.measures(self.mechanism)))
    }

    /// Runs through the logs once, keeping what is short and counting samples where the division needs it.
    fn survey(&mut self) -> Result<(), IdentificationError> {
        if self.surveyed {
            return Ok(());
        }
        let (mut kept, mut bytes) = (Some(Vec::new()), 0);
        let (limit, counts) = (self.keep, self.division.needs_counts());
        let whole = self.stream(&mut |log, _, recording| {
            bytes += size(&recording);
            if bytes > limit {
                kept = None;
            }
            if let Some(kept) = &mut kept {
                kept.push((log, recording));
            }
            Ok(counts || kept.is_some())
        })?;
        self.surveyed = true;
        if let (Some(mut kept), true) = (kept, whole) {
            let mut first = vec![0; self.logs.len()];
            for (log, recording) in &mut kept {
                let (role, count) = (self.logs[*log].1, self.read[*log].samples);
                self.division.divide(recording, role, first[*log], count);
                first[*log] += recording.count;
            }
            self.kept = Some(kept);
        }
        Ok(())
    }

    /// How a log is processed: at the cut-off that was tried on it, if so.
    fn processing_of_log(&self, log: usize) -> Processing {
        let is_training = |(_, role): &&(LogPlace, Role)| *role == Role::Training;
        let (before, all) = (
            self.logs[..log].iter().filter(is_training).count(),
            self.logs.iter().filter(is_training).count(),
        );
        let mut processing = self.processing.clone();
        if let Cutoff::Scaled(times) = processing.cutoff
            && self.logs[log].1 == Role::Training
            && self.suggested.len() == all
        {
            processing.cutoff = Cutoff::Hertz(significant(times * self.suggested[before], 3));
        }
        processing
    }

    /// What lacks a column may come from a mapping that names the wrong joint.
    fn explained(&self, error: LogError) -> LogError {
        let missing = matches!(error, LogError::Missing { .. });
        let stranger = self.options.mapping.as_ref().filter(|_| missing);
        stranger.and_then(|mapping| mapping.stranger(&self.channels)).unwrap_or(error)
    }

    /// Reads all logs: `each` is told the log, how many samples of it came before, and whether to go on is
    /// its answer. Whether the end was reached.
    fn stream(
        &mut self,
        each: &mut dyn FnMut(usize, usize, Recording) -> Result<bool, IdentificationError>,
    ) -> Result<bool, IdentificationError> {
        let mechanism = self.mechanism;
        let mut notes: Vec<NoteOfLog> = Vec::new();
        let mut read = Vec::new();
        let sizes: Vec<f64> = self.logs.iter().map(|(place, _)| place.bytes().max(1) as f64).collect();
        let all: f64 = sizes.iter().sum();
        for (k, (place, role)) in self.logs.clone().into_iter().enumerate() {
            let (reader, path) = (place.open(&self.options)?, place.path());
            let stream = RecordingStream::new(&self.channels, reader, &self.processing_of_log(k));
            let mut stream = stream.map_err(|error| self.explained(error))?;
            let (mut samples, before): (usize, f64) = (0, sizes[..k].iter().sum());
            let mut remarks = Vec::new();
            while let Some(mut recording) = stream.next_part()? {
                unless_cancelled(&mut self.cancelled)?;
                remarks = place_wrenches(&mut recording, mechanism, &self.sensors);
                strange_wrench(&recording, mechanism, &path)?;
                let shape = Shape::of(&recording, &path);
                match &self.shape {
                    None => self.shape = Some(shape),
                    Some(first) => first.must_be(&shape, mechanism)?,
                }
                if let Some(loads) = &self.loads {
                    loads.add_to(&mut recording, k, mechanism)?;
                }
                let count = recording.count;
                if !each(k, samples, recording)? {
                    return Ok(false);
                }
                samples += count;
                (self.progress)((before + sizes[k] * stream.progress()) / all);
            }
            let several = self.logs.len() > 1;
            // Trials know what a cut-off of theirs takes away.
            let chosen = |note: &LogNote| {
                let cuts = matches!(note, LogNote::Processing(ProcessingNote::CutsMotion { .. }));
                cuts && !matches!(self.processing.cutoff, Cutoff::Hertz(_))
            };
            for note in stream.notes().into_iter().chain(remarks).filter(|note| !chosen(note)) {
                let file = (several && !note.names_file()).then(|| path.clone());
                let note = NoteOfLog { file, note };
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            let (settled, spectra) = (stream.settled().clone(), stream.spectra().clone());
            let fingerprint = stream.fingerprint();
            read.push(ReadLog { path, role, samples, settled, spectra, fingerprint });
        }
        (self.notes, self.read) = (notes, read);
        Ok(true)
    }
}

impl Source for RecordedLogs<'_> {
    fn prepare(
        &mut self,
        problem: &Problem,
        settings: &Settings,
    ) -> Result<Option<CutoffTrials>, IdentificationError> {
        if self.processing.cutoff != Cutoff::Auto {
            return Ok(None);
        }
        let trials = match self.try_cutoffs(problem, settings) {
            Ok(trials) => trials,
            Err(IdentificationError::Interrupted) => return Err(IdentificationError::Interrupted),
            // Whatever is wrong with a log, the pass over all of it says better.
            Err(_) => None,
        };
        if let Some(trials) = &trials {
            self.set_cutoff(trials);
        }
        Ok(trials)
    }

    fn prepare_again(
        &mut self,
        problem: &Problem,
        settings: &Settings,
    ) -> Result<Option<CutoffTrials>, IdentificationError> {
        let before = self.processing.cutoff;
        if !matches!(before, Cutoff::Scaled(_)) || self.suggested.is_empty() {
            return Ok(None);
        }
        self.processing.cutoff = Cutoff::Auto;
        let trials = self.prepare(problem, settings);
        if self.processing.cutoff == Cutoff::Auto {
            self.processing.cutoff = before;
        }
        trials
    }

    fn widest_band(
        &mut self,
        trials: &CutoffTrials,
        friction: FrictionModel,
    ) -> Result<Option<Vec<Recording>>, IdentificationError> {
        match trials.predicts > trials.chosen {
            true => self.begin_in_band(friction, trials.predicts).map(Some),
            false => Ok(None),
        }
    }

    fn fixes_scale(&self) -> bool {
        self.loads.as_ref().is_some_and(Loads::weigh)
    }

    fn trial_recordings(&mut self, friction: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        self.begin(friction)
    }

    fn at_hand(&mut self, friction: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        self.begin(friction)
    }

    fn trial_pairs(&mut self, friction: FrictionModel) -> Result<Option<TrialPairs>, IdentificationError> {
        self.begin_pairs(friction)
    }

    fn carry(&mut self, friction: FrictionModel) {
        if self.processing.friction != friction {
            self.processing.friction = friction;
            (self.kept, self.surveyed) = (None, false);
        }
    }

    fn unfiltered(&mut self) -> Result<Vec<Recording>, IdentificationError> {
        self.read_unfiltered()
    }

    fn working(&mut self, part: f64) -> Result<(), IdentificationError> {
        (self.progress)(part);
        unless_cancelled(&mut self.cancelled)
    }

    fn chunks_with_instruments(
        &mut self,
        each: &mut dyn FnMut(&Recording, &Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        self.with_instruments(each)
    }

    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        self.parts_of_logs(&mut |_, recording| each(recording))
    }
}

impl RecordedLogs<'_> {
    /// All parts, with the log each is of.
    fn parts_of_logs(
        &mut self,
        each: &mut dyn FnMut(usize, &Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        if self.keep > 0 || self.division.needs_counts() {
            self.survey()?;
        }
        if let Some(kept) = &self.kept {
            return kept.iter().try_for_each(|(log, recording)| {
                unless_cancelled(&mut self.cancelled)?;
                each(*log, recording)
            });
        }
        let (division, logs) = (self.division, self.logs.clone());
        let counts: Vec<usize> = self.read.iter().map(|log| log.samples).collect();
        self.stream(&mut |log, first, mut recording| {
            division.divide(&mut recording, logs[log].1, first, counts.get(log).copied().unwrap_or(0));
            each(log, &recording)?;
            Ok(true)
        })?;
        Ok(())
    }
}

/// Bytes of a recording's numbers.
fn size(recording: &Recording) -> usize {
    let Recording { t, q, qd, qdd, tau, base_wrench, joint_wrenches, contacts, friction, .. } = recording;
    let signals = joint_wrenches.iter().chain(contacts).map(|signal| signal.values.len());
    let signals = signals.chain(friction.iter().map(|signal| signal.values.len()));
    let numbers = [t, q, qd, qdd, tau].iter().map(|values| values.len()).sum::<usize>()
        + base_wrench.as_ref().map_or(0, Vec::len)
        + signals.sum::<usize>();
    8 * numbers
}

fn unless_cancelled(cancelled: &mut dyn FnMut() -> bool) -> Result<(), IdentificationError> {
    if cancelled() { Err(IdentificationError::Interrupted) } else { Ok(()) }
}
