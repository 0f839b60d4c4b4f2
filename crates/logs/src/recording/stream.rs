//! A recording in parts, in memory that does not grow with the log.

use super::columns::Columns;
use super::fingerprint::Fingerprint;
use super::pipeline::{Limits, Pipeline};
use super::processing::{Processing, Settled};
use super::{Recording, SpectraOfFilter};
use crate::channels::Channels;
use crate::error::LogError;
use crate::log::LogReader;
use crate::note::LogNote;

/// Rows that decide about cut-off and clock of a log that is read in parts.
const SURVEY: usize = 1 << 18;
/// Samples of a part.
const PART: usize = 1 << 16;

/// A recording that comes in parts: what [`Recording`] is for a log that fits into memory.
///
/// Filters and derivatives are the same as if the log were read whole: parts overlap by as many
/// samples as the filter remembers to the last digit. Only the cut-off, if it is to be chosen, is
/// chosen by the first 262,144 rows.
pub struct RecordingStream<'a> {
    pipeline: Pipeline<'a>,
}

impl<'a> RecordingStream<'a> {
    /// Starts to read a log.
    pub fn new(
        channels: &'a Channels,
        mut reader: LogReader,
        processing: &Processing,
    ) -> Result<Self, LogError> {
        let file = reader.file().to_owned();
        let columns = Columns::of(channels, reader.names(), &file, processing.derive)?;
        let kept = columns.all();
        let wanted: Vec<String> = kept.iter().map(|&k| reader.names()[k].clone()).collect();
        reader.keep(|name| wanted.iter().any(|wanted| wanted == name));
        let columns = columns.among(&kept);
        let survey = if columns.must_derive() { SURVEY } else { PART };
        let limits = Limits { survey, part: PART };
        let pipeline = Pipeline::new(channels, Box::new(reader), columns, wanted, &file, processing, limits)?;
        Ok(RecordingStream { pipeline })
    }

    /// The next part; `None` at the end. Its notes are empty: those of the whole
    /// are [`RecordingStream::notes`].
    pub fn next_part(&mut self) -> Result<Option<Recording>, LogError> {
        self.pipeline.next_part()
    }

    /// What was done, and what looks strange; complete when the last part has been read.
    pub fn notes(&self) -> Vec<LogNote> {
        self.pipeline.notes()
    }

    /// The even clock that takes the place of late stamps: what it makes of the stamps of a whole log, s. `None` where
    /// stamps are believed.
    pub fn even_times(&self, stamps: &[f64]) -> Option<Vec<f64>> {
        self.pipeline.even_times(stamps)
    }

    /// What the settings became.
    pub fn settled(&self) -> &Settled {
        &self.pipeline.plan.settled
    }

    /// Spectra of the accelerations before and after the filter.
    pub fn spectra(&self) -> &SpectraOfFilter {
        &self.pipeline.plan.spectra
    }

    /// What tells whether another log has the same samples; complete when the last part has been read.
    pub fn fingerprint(&self) -> Fingerprint {
        self.pipeline.fingerprint()
    }

    /// How much of the log has been read, from 0 to 1.
    pub fn progress(&self) -> f64 {
        self.pipeline.source.progress()
    }
}
