//! Logs in files as a source to identify from: read part by part, as often as it takes, in memory that does not grow with them.

use std::path::PathBuf;

use steiner_dynamics::Mechanism;

use crate::accumulate::Source;
use crate::dataset::{Dataset, Part, Role};
use crate::failure::IdentificationError;
use crate::log::{LogOptions, LogReader};
use crate::recording::{Processing, RecordingStream, Settled};

/// Files with recordings of one mechanism, some to learn from and some to judge by.
pub struct RecordedLogs<'a> {
    mechanism: &'a Mechanism,
    logs: Vec<(PathBuf, Role)>,
    options: LogOptions,
    processing: Processing,
    /// In logs to learn from, what comes at this time or later is to judge by, s.
    validation_from: Option<f64>,
    progress: Box<dyn FnMut(f64) + 'a>,
    notes: Vec<String>,
    settled: Vec<Settled>,
}

impl<'a> RecordedLogs<'a> {
    /// Logs of any format ([`LogReader::open`]), processed alike.
    pub fn new(
        mechanism: &'a Mechanism,
        logs: Vec<(PathBuf, Role)>,
        options: &LogOptions,
        processing: &Processing,
    ) -> Self {
        RecordedLogs {
            mechanism,
            logs,
            options: options.clone(),
            processing: processing.clone(),
            validation_from: None,
            progress: Box::new(|_| {}),
            notes: Vec::new(),
            settled: Vec::new(),
        }
    }

    /// Keeps what was recorded from this time (s) on for validation.
    pub fn validating_from(mut self, time: f64) -> Self {
        self.validation_from = Some(time);
        self
    }

    /// Tells how much of a pass over all logs is done, from 0 to 1, now and then.
    pub fn telling(mut self, progress: impl FnMut(f64) + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// What was done to the logs, a sentence each; known after a pass.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What the settings became for each log; known after a pass.
    pub fn settled(&self) -> &[Settled] {
        &self.settled
    }

    /// Divides training from validation by time.
    fn divide(&self, dataset: &mut Dataset, role: Role) {
        let start = match (role, self.validation_from) {
            (Role::Validation, _) => 0,
            (Role::Training, None) => dataset.count,
            (Role::Training, Some(time)) => dataset.t.partition_point(|t| *t < time),
        };
        let mut parts = Vec::new();
        for Part { samples, .. } in dataset.parts() {
            let cut = start.clamp(samples.start, samples.end);
            parts.push(Part { samples: samples.start..cut, role: Role::Training });
            parts.push(Part { samples: cut..samples.end, role: Role::Validation });
        }
        dataset.parts = parts.into_iter().filter(|part| !part.samples.is_empty()).collect();
    }
}

impl Source for RecordedLogs<'_> {
    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Dataset) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        let mechanism = self.mechanism;
        let (mut notes, mut settled) = (Vec::new(), Vec::new());
        for (k, (path, role)) in self.logs.clone().into_iter().enumerate() {
            let reader = LogReader::open(&path, &self.options)?;
            let mut stream = RecordingStream::new(mechanism, reader, &self.processing)?;
            while let Some(part) = stream.next_part()? {
                let mut dataset = part.into_dataset(mechanism);
                self.divide(&mut dataset, role);
                each(&dataset)?;
                (self.progress)((k as f64 + stream.progress()) / self.logs.len() as f64);
            }
            for note in stream.notes() {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            settled.push(stream.settled().clone());
        }
        (self.notes, self.settled) = (notes, settled);
        Ok(())
    }
}
