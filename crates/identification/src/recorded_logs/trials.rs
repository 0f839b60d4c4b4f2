//! Which cut-off serves the model: recorded forces predicted on blocks that were left out.
//!
//! Spectra of accelerations say where motion ends, but not what noise costs: where inertia and gravity nearly
//! cancel, as in a swinging pendulum, a little noise in accelerations is much beside the force that is left, and
//! least squares shrink all parameters to avoid it. So the cut-off that the spectra suggest is scaled up and
//! down. For every scale the motion is filtered, parameters are estimated without one block of the log, and the
//! forces of that block, *as they were recorded*, are predicted. All scales are judged on the same unfiltered
//! forces at the same samples: too high a cut-off lets noise into the prediction, too low a one cuts motion
//! off, and noise of the forces themselves counts alike for all.

use std::sync::Arc;

use steiner_linalg::all_threads;
use steiner_logs::signals::Decimation;
use steiner_logs::{
    Cutoff, FrictionModel, Log, LogError, LogOptions, LogReader, Processing, Recording, RecordingStream,
    Role, Thinning, Trim,
};

use super::RecordedLogs;
use super::bands::{chosen, left_out, noise_of};
use super::instruments::stronger;
use super::place::LogPlace;
use super::shape::place_wrenches;
use crate::accumulate::{Reduced, TrialPairs};
use crate::checked::check;
use crate::estimate::Noise;
use crate::failure::IdentificationError;
use crate::problem::Problem;
use crate::settings::Settings;

/// Multiples of the suggested cut-off that are tried, from the highest: thirds of octaves.
const SCALES: [f64; 14] =
    [2.0, 1.587, 1.26, 1.0, 0.794, 0.63, 0.5, 0.397, 0.315, 0.25, 0.198, 0.157, 0.125, 0.0992];
/// Of all cut-offs whose error is within this factor of the least, the one nearest to the spectra's is taken:
/// two witnesses are better than one.
const AS_GOOD: f64 = 1.02;
/// Beyond this factor of the least error nobody looks further.
const HOPELESS: f64 = 1.2;
/// Blocks, one of which is left out at a time.
const BLOCKS: usize = 6;
/// The cut-off, of the Nyquist frequency of the samples that are compared: with so many, which instants are picked does
/// not matter.
pub(super) const DENSE: f64 = 0.4;
/// Rows of all logs together that are looked at.
const MOST_ROWS: usize = 40_000;
/// Samples in a period of the highest cut-off that is tried, at least: more are averaged beforehand.
const OVERSAMPLED: f64 = 10.0;
/// Samples of all logs together, where nothing is filtered.
const MOST_SAMPLES: usize = 8000;
/// Equations for each unknown that the lowest cut-off must leave.
const EQUATIONS: f64 = 4.0;
/// Periods of a cut-off that the longest stretch without a gap must last.
const PERIODS: f64 = 6.0;
/// Multiplications for reducing the samples of one scale.
const EFFORT: f64 = 3e7;

/// What other cut-offs would have given.
#[derive(Clone, Debug, PartialEq)]
pub struct CutoffTrials {
    /// (multiple of the cut-off that the spectra suggest, error of predicted forces on blocks left out): the
    /// geometric mean over rows of their root mean squares, relative to those of the recorded forces.
    pub errors: Vec<(f64, f64)>,
    /// (multiple, error of its parameters on blocks left out, in all bands): the geometric mean of relative root
    /// mean squares of filtered forces over rows and over the bands of all multiples in this list. Empty where
    /// that was not compared.
    pub bands: Vec<(f64, f64)>,
    /// (multiple, geometric mean of the expected errors of its base parameters, by noise and by what instruments say of
    /// noise in the motion), of bands that predict not much worse than the best. Empty where only one is left or
    /// nothing can be told.
    pub deviations: Vec<(f64, f64)>,
    /// The multiple whose motion predicts unfiltered forces best.
    pub predicts: f64,
    /// The multiple that was taken.
    pub chosen: f64,
    /// What the spectra suggest for each log, Hz.
    pub suggested: Vec<f64>,
}

/// The beginning of a log, with what spectra say about it.
#[derive(Clone)]
pub(super) struct Beginning {
    /// Which of the logs.
    index: usize,
    /// As it was recorded.
    recorded: Arc<Log>,
    /// Averages of a quarter of the neighbours: fine enough for dry friction beside noise.
    pub(super) fine: Arc<Log>,
    /// Averages of neighbours, where there are more samples than the highest cut-off needs.
    log: Arc<Log>,
    /// Hz; `None` where nothing is filtered.
    cutoff: Option<f64>,
    /// Samples per second.
    rate: f64,
    /// The longest stretch without a gap, s.
    longest: f64,
}

impl Beginning {
    /// The cut-off that the spectra suggest, Hz.
    pub(super) fn suggested(&self) -> f64 {
        self.cutoff.unwrap_or(self.rate)
    }

    /// Seconds to cut off at each end for a multiple of it.
    pub(super) fn border(&self, scale: f64) -> f64 {
        (2.5 / (scale * self.suggested()))
            .min(self.length() as f64 / (20.0 * self.rate))
            .min(self.longest / 4.0)
    }

    fn length(&self) -> usize {
        self.log.samples()
    }
}

/// A log with other times.
fn with_times(log: &Log, times: &[f64]) -> Result<Log, LogError> {
    let mut columns = Vec::new();
    for name in log.names() {
        let Some(values) = log.column(name)? else { continue };
        columns.push((name.clone(), if name == "t" { times.to_vec() } else { values.to_vec() }));
    }
    Log::from_columns(&log.source, columns)
}

/// A log with averages in place of so many neighbours; what pauses are between is left out.
fn averaged(log: &Log, together: usize, rate: f64) -> Result<Log, LogError> {
    let clock = log.column("t")?;
    let longest = 1.5 * together as f64 / rate;
    let in_one_go = |start: usize| clock.is_none_or(|t| t[start + together - 1] - t[start] < longest);
    let starts: Vec<usize> =
        (0..(log.samples() / together)).map(|k| k * together).filter(|s| in_one_go(*s)).collect();
    let mut columns = Vec::new();
    for name in log.names() {
        let Some(values) = log.column(name)? else { continue };
        let mean = |&start: &usize| values[start..start + together].iter().sum::<f64>() / together as f64;
        columns.push((name.clone(), starts.iter().map(mean).collect()));
    }
    Log::from_columns(&log.source, columns)
}

impl RecordedLogs<'_> {
    /// Tries cut-offs around the one that the spectra suggest; `None` where there is nothing to choose.
    pub(super) fn try_cutoffs(
        &mut self,
        problem: &Problem,
        settings: &Settings,
    ) -> Result<Option<CutoffTrials>, IdentificationError> {
        let mut beginnings = self.beginnings()?;
        beginnings.retain(|log| log.cutoff.is_some());
        let rows = problem.rows().len().max(1) as f64;
        let seconds: f64 = beginnings.iter().map(|log| log.length() as f64 / log.rate).sum();
        let Some(lowest) = beginnings.iter().filter_map(|log| log.cutoff).reduce(f64::min) else {
            return Ok(None);
        };
        // A band of width f has 2 f independent samples a second.
        let unknown = problem.base().len() as f64;
        let fits = |log: &Beginning, scale: f64| scale * log.suggested() * log.longest >= PERIODS;
        let possible = |scale: f64| {
            let equations = 2.0 * scale * lowest * seconds * rows;
            equations >= EQUATIONS * unknown && beginnings.iter().all(|log| fits(log, scale))
        };
        let scales: Vec<f64> = SCALES.into_iter().filter(|scale| *scale >= 1.0 || possible(*scale)).collect();
        let squares: usize = problem.rows().iter().map(|row| row.sees.len().pow(2)).sum();
        let samples = (EFFORT / (2 * squares).max(1) as f64).clamp(600.0, 3000.0);
        let mut trials = CutoffTrials {
            errors: Vec::new(),
            bands: Vec::new(),
            deviations: Vec::new(),
            predicts: 1.0,
            chosen: 1.0,
            suggested: beginnings.iter().filter_map(|log| log.cutoff).collect(),
        };
        let mut noise: Option<Noise> = None;
        let all: usize = beginnings.iter().map(Beginning::length).sum();
        // The suggested one first: its weights are those of all. Then up, then down, until it is clearly worse.
        let (up, down): (Vec<f64>, Vec<f64>) = scales.iter().partition(|scale| **scale > 1.0);
        let mut least = f64::INFINITY;
        for way in [down, up.into_iter().rev().collect()] {
            for scale in way {
                let mut recordings = Vec::new();
                for log in &beginnings {
                    super::unless_cancelled(&mut self.cancelled)?;
                    let share = samples * log.length() as f64 / all as f64;
                    recordings.push(self.filtered(log, scale, scales[scales.len() - 1], share)?);
                }
                let blocks = blocks(problem, &recordings)?;
                if blocks.len() < 2 {
                    continue;
                }
                // Weighed by whoever comes first: all scales are to be judged alike.
                let noise = match &mut noise {
                    Some(noise) => noise,
                    None => noise.insert(noise_of(problem, &blocks)?),
                };
                let error = left_out(problem, &blocks, &[&blocks], noise)?;
                if !error.is_finite() {
                    continue;
                }
                trials.errors.push((scale, error));
                least = least.min(error);
                if error > HOPELESS * least {
                    break;
                }
            }
        }
        trials.errors.sort_by(|a, b| b.0.total_cmp(&a.0));
        let Some(least) = trials.errors.iter().map(|(_, error)| *error).reduce(f64::min) else {
            return Ok(None);
        };
        let as_good = trials.errors.iter().filter(|(_, error)| *error <= AS_GOOD * least);
        let nearest = as_good.min_by(|a, b| a.0.ln().abs().total_cmp(&b.0.ln().abs()));
        trials.predicts = nearest.map_or(1.0, |(scale, _)| *scale);
        trials.chosen = trials.predicts;
        if self.processing.filter_forces && self.processing.thinning == Thinning::Auto {
            let lower: Vec<f64> = scales.into_iter().filter(|scale| *scale <= trials.predicts).collect();
            let bands = self.compare_bands(problem, settings, &beginnings, &lower)?;
            trials.bands = bands.iter().map(|band| (band.scale, band.error)).collect();
            trials.deviations = bands.iter().filter_map(|band| Some((band.scale, band.deviation?))).collect();
            trials.chosen = chosen(&bands).unwrap_or(trials.predicts);
        }
        Ok(Some(trials))
    }

    /// The beginnings of all training logs, read once.
    fn beginnings(&mut self) -> Result<Vec<Beginning>, IdentificationError> {
        if let Some(known) = &self.beginnings {
            return Ok(known.clone());
        }
        let logs = self.logs.iter().enumerate().filter(|(_, (_, role))| *role == Role::Training);
        let training: Vec<(usize, LogPlace)> = logs.map(|(log, (place, _))| (log, place.clone())).collect();
        let each = MOST_ROWS / training.len().max(1);
        let mut out = Vec::new();
        for (index, place) in training {
            super::unless_cancelled(&mut self.cancelled)?;
            let recorded = Arc::new(self.first_rows(&place, each.max(1000))?);
            let stream = self.stream_of(&recorded, &self.processing)?;
            let settled = stream.settled().clone();
            // Means of late stamps would look less late.
            let even = match recorded.column("t")? {
                Some(stamps) => stream.even_times(stamps),
                None => None,
            };
            drop(stream);
            let recorded = match even {
                Some(times) => Arc::new(with_times(&recorded, &times)?),
                None => recorded,
            };
            let (cutoff, rate) = (settled.cutoff, settled.rate.unwrap_or(1.0));
            let most = cutoff.map_or(1, |cutoff| (rate / (OVERSAMPLED * SCALES[0] * cutoff)) as usize);
            let together = most.max(1);
            let mean = |together: usize| match together {
                0 | 1 => Ok(Arc::clone(&recorded)),
                _ => averaged(&recorded, together, rate).map(Arc::new),
            };
            let (log, fine) = (mean(together)?, mean(together / 4)?);
            let (rate, longest) = (rate / together as f64, settled.longest_stretch);
            out.push(Beginning { index, recorded, fine, log, cutoff, rate, longest });
        }
        self.beginnings = Some(out.clone());
        Ok(out)
    }

    /// The first rows of a log that are wanted.
    fn first_rows(&self, place: &LogPlace, count: usize) -> Result<Log, LogError> {
        let mut skipped = 0;
        if let Some(from) = self.processing.from {
            let head = place.open(&self.options)?.read_first(1000)?;
            if let Some([first, .., last]) = head.column("t")? {
                let rate = (head.samples() - 1) as f64 / (last - first);
                skipped = if rate.is_finite() { ((from - first) * rate).max(0.0) as usize } else { 0 };
            }
        }
        let wanted = skipped.saturating_add(count);
        let log = place.open(&self.options)?.read_first(wanted)?;
        let mut columns = Vec::new();
        for name in log.names() {
            let Some(values) = log.column(name)? else { continue };
            columns
                .push((name.clone(), values[skipped.min(values.len())..wanted.min(values.len())].to_vec()));
        }
        Log::from_columns(&log.source, columns)
    }

    fn stream_of(&self, log: &Arc<Log>, processing: &Processing) -> Result<RecordingStream<'_>, LogError> {
        // The mapping was applied when the beginning was read.
        RecordingStream::new(&self.channels, LogReader::of(log, &LogOptions::default())?, processing)
    }

    /// The training samples of a beginning: motion filtered at a multiple of the suggested cut-off, forces as
    /// they were recorded. Borders and instants are the same for all multiples.
    fn filtered(
        &self,
        log: &Beginning,
        scale: f64,
        least: f64,
        samples: f64,
    ) -> Result<Recording, IdentificationError> {
        let factor = (log.length() as f64 / samples).floor().max(1.0) as usize;
        let processing = Processing {
            cutoff: Cutoff::Hertz(scale * log.suggested()),
            filter_forces: false,
            trim: Trim::Seconds(log.border(least)),
            thinning: Thinning::By(vec![(factor, Decimation::Pick)]),
            ..self.processing.clone()
        };
        self.processed(log, &log.log, &processing)
    }

    /// The training samples of a beginning, from its rows as they were recorded or from means of them.
    pub(super) fn processed(
        &self,
        log: &Beginning,
        rows: &Arc<Log>,
        processing: &Processing,
    ) -> Result<Recording, IdentificationError> {
        let mut stream = self.stream_of(rows, processing)?;
        let mut all: Option<Recording> = None;
        while let Some(mut part) = stream.next_part()? {
            place_wrenches(&mut part, self.mechanism, &self.sensors);
            match &mut all {
                None => all = Some(part),
                Some(all) => all.append(part)?,
            }
        }
        let mut recording = all.unwrap_or_default();
        if let Some(loads) = &self.loads {
            loads.add_to(&mut recording, log.index, self.mechanism)?;
        }
        let count = recording.count;
        self.division.divide(&mut recording, Role::Training, 0, count);
        check(&recording, self.mechanism)?;
        Ok(recording)
    }

    /// How the beginning of a log is processed: as the whole will be.
    fn processing_of(&self, log: &Beginning, friction: &FrictionModel) -> Processing {
        let cutoff = match (self.processing.cutoff, log.cutoff) {
            (Cutoff::Scaled(scale), Some(cutoff)) => Cutoff::Hertz(scale * cutoff),
            (_, Some(cutoff)) => Cutoff::Hertz(cutoff),
            (_, None) => Cutoff::Off,
        };
        Processing { friction: friction.clone(), cutoff, ..self.processing.clone() }
    }

    /// The beginnings of all training logs with their instruments; `None` where something is not filtered.
    pub(super) fn begin_pairs(
        &mut self,
        friction: FrictionModel,
    ) -> Result<Option<TrialPairs>, IdentificationError> {
        let beginnings = self.beginnings()?;
        if beginnings.iter().any(|log| log.cutoff.is_none()) {
            return Ok(None);
        }
        let mut out = Vec::new();
        for log in &beginnings {
            super::unless_cancelled(&mut self.cancelled)?;
            let processing = self.processing_of(log, &friction);
            match self.with_its_instruments(log, &log.recorded, &processing)? {
                Some(pair) => out.push(pair),
                None => return Ok(None),
            }
        }
        Ok(Some(out))
    }

    /// The beginning of a log with its instruments; `None` where their samples are not the same.
    pub(super) fn with_its_instruments(
        &self,
        log: &Beginning,
        rows: &Arc<Log>,
        processing: &Processing,
    ) -> Result<Option<(Recording, Recording)>, IdentificationError> {
        let settled = self.stream_of(rows, processing)?.settled().clone();
        let instruments = self.processed(log, rows, &stronger(processing, &settled, &log.log.source)?)?;
        let recording = self.processed(log, rows, processing)?;
        Ok((instruments.t == recording.t).then_some((recording, instruments)))
    }

    /// The beginnings of all training logs in the band up to a multiple of the cut-offs that spectra suggest.
    pub(super) fn begin_in_band(
        &mut self,
        friction: FrictionModel,
        scale: f64,
    ) -> Result<Vec<Recording>, IdentificationError> {
        let mut out = Vec::new();
        for log in &self.beginnings()? {
            super::unless_cancelled(&mut self.cancelled)?;
            let processing = Processing { friction: friction.clone(), ..self.in_band(log, scale, scale) };
            out.push(self.processed(log, &log.fine, &processing)?);
        }
        Ok(out)
    }

    /// The beginnings of all training logs, processed as the whole will be but for thinning.
    pub(super) fn begin(&mut self, friction: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        let beginnings = self.beginnings()?;
        let all: usize = beginnings.iter().map(Beginning::length).sum();
        let mut out = Vec::new();
        for log in &beginnings {
            super::unless_cancelled(&mut self.cancelled)?;
            let mut processing = self.processing_of(log, &friction);
            if log.cutoff.is_some() && processing.thinning == Thinning::Auto {
                processing.thinning = Thinning::To(DENSE);
            }
            if log.cutoff.is_none() && processing.thinning == Thinning::Auto && all > MOST_SAMPLES {
                processing.thinning = Thinning::By(vec![(all.div_ceil(MOST_SAMPLES), Decimation::Pick)]);
            }
            out.push(self.processed(log, &log.recorded, &processing)?);
        }
        Ok(out)
    }
}

/// How many of so dense samples are independent of each other, on average of one.
pub(crate) const INDEPENDENT: f64 = DENSE;

/// The training samples, cut into blocks of neighbours of about equal length.
pub(crate) fn blocks(
    problem: &Problem,
    recordings: &[Recording],
) -> Result<Vec<Reduced>, IdentificationError> {
    let all: usize = recordings.iter().map(|recording| recording.samples_for(Role::Training)).sum();
    let length = all.div_ceil(BLOCKS).max(1);
    let mut out: Vec<Reduced> = Vec::new();
    let mut filled = length;
    for recording in recordings {
        for part in recording.parts().into_iter().filter(|part| part.role == Role::Training) {
            let mut start = part.samples.start;
            while start < part.samples.end {
                if filled >= length {
                    out.push(Reduced::new(problem));
                    filled = 0;
                }
                let end = part.samples.end.min(start + length - filled);
                let Some(block) = out.last_mut() else { break };
                block.absorb_range(problem, recording, start..end, all_threads(), None)?;
                filled += end - start;
                start = end;
            }
        }
    }
    Ok(out)
}
