//! Logs read whole.

use std::path::Path;

use super::Recording;
use super::columns::Columns;
use super::pipeline::{Chunks, Pipeline, whole};
use super::processing::Processing;
use crate::channels::Channels;
use crate::error::LogError;
use crate::log::{Chunk, Log, LogOptions, LogReader};
use crate::note::LogNote;

impl Recording {
    /// Makes a recording of a log: one part for each stretch between gaps, all for training. Wrenches
    /// named `base` are those of the ground, those named like a joint are carried by it, all others
    /// act on the link of their name.
    pub fn of(channels: &Channels, log: &Log, processing: &Processing) -> Result<Self, LogError> {
        let columns = Columns::of(channels, log.names(), &log.source, processing.derive)?;
        let kept = columns.all();
        let names: Vec<String> = kept.iter().map(|&k| log.names()[k].clone()).collect();
        let columns = columns.among(&kept);
        let chunks = Box::new(WholeLog { log, kept, read: false });
        let pipeline = Pipeline::new(channels, chunks, columns, names, &log.source, processing, whole())?;
        Self::collect(pipeline, &log.source)
    }

    /// Reads a log of any format and makes a recording of it; see [`Recording::of`].
    pub fn read(
        channels: &Channels,
        path: &Path,
        options: &LogOptions,
        processing: &Processing,
    ) -> Result<Self, LogError> {
        let mut reader = LogReader::open(path, options)?;
        let file = reader.file().to_owned();
        let columns = Columns::of(channels, reader.names(), &file, processing.derive)?;
        let kept = columns.all();
        let names: Vec<String> = kept.iter().map(|&k| reader.names()[k].clone()).collect();
        reader.keep(|name| names.iter().any(|wanted| wanted == name));
        let columns = columns.among(&kept);
        let pipeline = Pipeline::new(channels, Box::new(reader), columns, names, &file, processing, whole())?;
        Self::collect(pipeline, &file)
    }

    fn collect(mut pipeline: Pipeline<'_>, source: &str) -> Result<Self, LogError> {
        let mut recording: Option<Recording> = None;
        while let Some(part) = pipeline.next_part()? {
            match &mut recording {
                None => recording = Some(part),
                Some(recording) => recording.append(part)?,
            }
        }
        let mut recording = recording.unwrap_or_default();
        recording.source = source.to_owned();
        recording.notes = pipeline.notes();
        recording.settled = pipeline.plan.settled;
        recording.spectra = pipeline.plan.spectra;
        Ok(recording)
    }
}

/// A log in memory, as one chunk.
struct WholeLog<'a> {
    log: &'a Log,
    kept: Vec<usize>,
    read: bool,
}

impl Chunks for WholeLog<'_> {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, LogError> {
        match std::mem::replace(&mut self.read, true) {
            true => Ok(None),
            false => Ok(Some(self.log.chunk(&self.kept))),
        }
    }
    fn notes(&self) -> Vec<LogNote> {
        self.log.notes.clone()
    }
    fn progress(&self) -> f64 {
        f64::from(u8::from(self.read))
    }
}
