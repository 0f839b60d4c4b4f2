//! What a log says about a mechanism: time, motion, forces and contact wrenches, sample by sample.
//!
//! Velocities and accelerations that were not recorded are derived: positions are filtered without delay, then differentiated. How, and what every default became, is
//! told in sentences ([`Recording::notes`]) and numbers ([`Recording::settled`]).

mod block;
mod columns;
mod pipeline;
mod processing;
mod rates;
mod rest;
mod rows;
mod segment;
mod settle;
mod spectra;
mod stream;
mod suspicions;
mod table;

pub use processing::{Cutoff, Processing, Resample, Settled, Thinning, Trim};
pub use stream::RecordingStream;

use std::path::Path;

use steiner_dynamics::{Mechanism, Samples};

use self::columns::Columns;
use self::pipeline::{Chunks, Pipeline, whole};
use crate::error::LogError;
use crate::friction::FrictionSignal;
use crate::log::{Chunk, Log, LogOptions, LogReader};
use crate::signals::Spectrum;

/// The wrench at one contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactWrench {
    /// The contact's name, as in the log.
    pub contact: String,
    /// Force (N), then torque (N·m), `count × 6`, sample-major.
    pub values: Vec<f64>,
}

/// Spectra of one coordinate's acceleration, smoothed over a third of an octave.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateSpectra {
    /// The coordinate.
    pub name: String,
    /// Unfiltered.
    pub before: Spectrum,
    /// Filtered, if there is a filter.
    pub after: Option<Spectrum>,
    /// Where motion ends and noise begins, Hz.
    pub valley: Option<f64>,
    /// Expected error of the filtered acceleration at the best cut-off, relative to the motion's.
    pub expected_error: Option<f64>,
}

/// What is needed to draw, and judge, the choice of the cut-off.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpectraOfFilter {
    /// One entry for each acceleration that is derived.
    pub coordinates: Vec<CoordinateSpectra>,
    /// The cut-off that the spectra suggest, Hz.
    pub suggested: Option<f64>,
}

/// The motion of a mechanism and what was measured with it; numbers are sample-major, ready for batches of `steiner_dynamics`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Where it came from.
    pub source: String,
    /// Time, s.
    pub time: Vec<f64>,
    /// Configurations, rad or m (quaternions x, y, z, w), `count × configuration_size`.
    pub q: Vec<f64>,
    /// Velocities of the independent coordinates, per s, `count × dof`.
    pub qd: Vec<f64>,
    /// Their accelerations, per s², `count × dof`.
    pub qdd: Vec<f64>,
    /// The independent coordinates whose force was recorded.
    pub measured: Vec<usize>,
    /// Their forces, N·m or N, `count × measured`.
    pub tau: Vec<f64>,
    /// Wrenches at contacts.
    pub wrenches: Vec<ContactWrench>,
    /// Dry friction, filtered and thinned out as the forces were; empty where they were not filtered.
    pub friction: Vec<FrictionSignal>,
    /// For each independent coordinate the speed below which it stands, rad/s or m/s; may be empty.
    pub rest: Vec<f64>,
    /// First samples of the stretches between gaps.
    pub stretches: Vec<usize>,
    /// What the settings became.
    pub settled: Settled,
    /// Spectra to judge the cut-off by.
    pub spectra: SpectraOfFilter,
    /// What was done, and what looks strange, a sentence each.
    pub notes: Vec<String>,
}

impl Recording {
    /// Makes a recording of a log.
    pub fn of(mechanism: &Mechanism, log: &Log, processing: &Processing) -> Result<Self, LogError> {
        let columns = Columns::of(mechanism, log.names(), &log.source, processing.derive)?;
        let kept = columns.all();
        let names: Vec<String> = kept.iter().map(|&k| log.names()[k].clone()).collect();
        let columns = columns.among(&kept);
        let chunks = Box::new(WholeLog { log, kept, read: false });
        let pipeline = Pipeline::new(mechanism, chunks, columns, names, &log.source, processing, whole())?;
        Self::collect(pipeline, &log.source)
    }

    /// Reads a log of any format and makes a recording of it.
    pub fn read(
        mechanism: &Mechanism,
        path: &Path,
        options: &LogOptions,
        processing: &Processing,
    ) -> Result<Self, LogError> {
        let mut reader = LogReader::open(path, options)?;
        let file = reader.file().to_owned();
        let columns = Columns::of(mechanism, reader.names(), &file, processing.derive)?;
        let kept = columns.all();
        let names: Vec<String> = kept.iter().map(|&k| reader.names()[k].clone()).collect();
        reader.keep(|name| names.iter().any(|wanted| wanted == name));
        let columns = columns.among(&kept);
        let pipeline =
            Pipeline::new(mechanism, Box::new(reader), columns, names, &file, processing, whole())?;
        Self::collect(pipeline, &file)
    }

    fn collect(mut pipeline: Pipeline<'_>, source: &str) -> Result<Self, LogError> {
        let mut recording: Option<Recording> = None;
        while let Some(part) = pipeline.next_part()? {
            match &mut recording {
                None => recording = Some(part),
                Some(recording) => recording.append(part),
            }
        }
        let mut recording = recording.unwrap_or_default();
        recording.source = source.to_owned();
        recording.notes = pipeline.notes();
        recording.settled = pipeline.plan.settled;
        recording.spectra = pipeline.plan.spectra;
        Ok(recording)
    }

    /// Number of samples.
    pub fn count(&self) -> usize {
        self.time.len()
    }

    /// The motion, as batches take it.
    pub fn samples(&self) -> Samples<'_> {
        Samples { q: &self.q, qd: &self.qd, qdd: &self.qdd, count: self.count() }
    }

    /// Appends the samples of another recording of the same mechanism with the same forces and contacts; its time may be any.
    pub fn append(&mut self, other: Recording) {
        let before = self.count();
        self.time.extend(other.time);
        self.q.extend(other.q);
        self.qd.extend(other.qd);
        self.qdd.extend(other.qdd);
        self.tau.extend(other.tau);
        for (own, others) in self.wrenches.iter_mut().zip(other.wrenches) {
            own.values.extend(others.values);
        }
        for (own, others) in self.friction.iter_mut().zip(other.friction) {
            own.values.extend(others.values);
        }
        self.stretches.extend(other.stretches.iter().map(|start| start + before));
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
    fn notes(&self) -> Vec<String> {
        self.log.notes.clone()
    }
    fn progress(&self) -> f64 {
        f64::from(u8::from(self.read))
    }
}
