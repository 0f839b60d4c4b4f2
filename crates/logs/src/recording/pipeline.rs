//! From chunks of a log to parts of a recording: rows are checked, cut at gaps, gathered into
//! stretches, and worked on in blocks.

use std::collections::VecDeque;

use super::Recording;
use super::around::FinePlan;
use super::block::BlockWork;
use super::columns::Columns;
use super::fingerprint::Fingerprint;
use super::jumps::Jumps;
use super::late_stamps::EvenClock;
use super::plateaus::StandingForces;
use super::processing::{Processing, Resample};
use super::rate_check::RateChecks;
use super::rows::{RowChecker, Rows};
use super::segment::{Block, Cutting, Segment};
use super::settle::{EVEN, Plan, settle, works};
use super::stale_rows::StaleRows;
use super::suspicions::{Ranges, suspicions};
use crate::channels::Channels;
use crate::error::LogError;
use crate::friction::FrictionFunction;
use crate::log::{Chunk, LogReader};
use crate::note::{LogNote, ProcessingNote, ReadingNote, Suspicion};
use crate::signals::{Gap, decimation_memory};

/// Where chunks come from.
pub(crate) trait Chunks {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, LogError>;
    fn notes(&self) -> Vec<LogNote>;
    fn progress(&self) -> f64;
}

impl Chunks for LogReader {
    fn next_chunk(&mut self) -> Result<Option<Chunk>, LogError> {
        LogReader::next_chunk(self)
    }
    fn notes(&self) -> Vec<LogNote> {
        LogReader::notes(self)
    }
    fn progress(&self) -> f64 {
        LogReader::progress(self)
    }
}

/// How much is looked at and worked on at a time.
pub(crate) struct Limits {
    pub(crate) survey: usize,
    pub(crate) part: usize,
}

/// From chunks to parts of a recording.
pub(crate) struct Pipeline<'a> {
    channels: &'a Channels,
    pub(crate) source: Box<dyn Chunks + 'a>,
    columns: Columns,
    processing: Processing,
    checker: RowChecker,
    stale: StaleRows,
    jumps: Jumps,
    pub(crate) plan: Plan,
    /// In place of stamps that are late.
    clock: Option<EvenClock>,
    /// What is filtered and thinned out with the forces.
    friction: Vec<FrictionFunction>,
    cutting: Cutting,
    segment: Segment,
    /// Rows that were read but not yet worked on.
    waiting: VecDeque<Rows>,
    ranges: Ranges,
    standing: StandingForces,
    fingerprint: Fingerprint,
    rates: RateChecks,
    gaps: Gaps,
    too_short: Vec<(f64, usize)>,
    handed_on: usize,
    file: String,
    ended: bool,
}

#[derive(Default)]
struct Gaps {
    count: usize,
    longest: Option<Gap>,
    last_time: Option<f64>,
}

impl<'a> Pipeline<'a> {
    pub(crate) fn new(
        channels: &'a Channels,
        mut chunks: Box<dyn Chunks + 'a>,
        columns: Columns,
        names: Vec<String>,
        file: &str,
        processing: &Processing,
        limits: Limits,
    ) -> Result<Self, LogError> {
        processing.check()?;
        let mut checker = RowChecker::new(&columns, processing, names, file);
        let mut survey = Rows::default();
        let (mut ranges, mut fingerprint) = (Ranges::default(), Fingerprint::default());
        let mut standing = StandingForces::new(channels, &columns);
        let mut stale = StaleRows::new(&columns);
        let mut jumps = Jumps::new(&columns);
        let mut ended = true;
        while let Some(chunk) = chunks.next_chunk()? {
            let rows = checker.check(chunk)?;
            fingerprint.add(&rows, &columns);
            let rows = stale.fresh(rows);
            jumps.add(&rows);
            ranges.add(&rows);
            standing.add(&rows);
            survey.append(rows);
            if survey.times.len() >= limits.survey {
                ended = false;
                break;
            }
        }
        let waiting = if ended { stale.end() } else { Rows::default() };
        if !waiting.times.is_empty() {
            ranges.add(&waiting);
            standing.add(&waiting);
            survey.append(waiting);
        }
        checker.check_clock()?;
        let mut clock = match processing.resample != Resample::Never && works(&columns, processing) {
            true => columns.time.and_then(|_| EvenClock::of(&survey, &columns, EVEN)),
            false => None,
        };
        if let Some(clock) = &mut clock {
            clock.set(&mut survey.times);
        }
        let mut plan = settle(&survey, &columns, processing, file)?;
        if let Some(EvenClock { interval, latest, smoother, .. }) = clock {
            let note = ProcessingNote::LateStamps { rate: 1.0 / interval, latest, smoother };
            plan.notes.insert(0, note.into());
        }
        let measured: Vec<usize> = columns.tau.iter().map(|(coordinate, _)| *coordinate).collect();
        let friction = match plan.filters_forces(processing) {
            true => processing.friction.functions(channels, &measured),
            false => Vec::new(),
        };
        let rates = RateChecks::new(&columns, plan.settled.rate);
        let cutting = cutting(&plan, !friction.is_empty(), limits.part);
        let mut pipeline = Pipeline {
            channels,
            source: chunks,
            columns,
            processing: processing.clone(),
            checker,
            stale,
            jumps,
            friction,
            cutting,
            segment: Segment::default(),
            waiting: VecDeque::new(),
            ranges,
            standing,
            fingerprint,
            rates,
            gaps: Gaps::default(),
            too_short: Vec::new(),
            handed_on: 0,
            file: file.to_owned(),
            ended,
            plan,
            clock,
        };
        pipeline.split(survey);
        Ok(pipeline)
    }

    /// Cuts rows at gaps and lets them wait.
    fn split(&mut self, rows: Rows) {
        let gap = self.plan.gap.unwrap_or(f64::INFINITY);
        let mut starts = vec![0];
        for k in 0..rows.times.len() {
            let before = if k == 0 { self.gaps.last_time } else { Some(rows.times[k - 1]) };
            let Some(before) = before else { continue };
            let duration = rows.times[k] - before;
            if duration > gap {
                self.gaps.count += 1;
                if self.gaps.longest.is_none_or(|longest| duration > longest.duration) {
                    self.gaps.longest = Some(Gap { sample: k, from: before, duration });
                }
                starts.push(k);
            }
        }
        self.gaps.last_time = rows.times.last().copied().or(self.gaps.last_time);
        if starts.len() == 1 {
            self.waiting.push_back(rows);
            return;
        }
        starts.push(rows.times.len());
        for (k, pair) in starts.windows(2).enumerate() {
            let range = pair[0]..pair[1];
            self.waiting.push_back(Rows {
                times: rows.times[range.clone()].to_vec(),
                columns: rows.columns.iter().map(|column| column[range.clone()].to_vec()).collect(),
                starts_anew: k > 0,
            });
        }
    }

    pub(crate) fn next_part(&mut self) -> Result<Option<Recording>, LogError> {
        loop {
            if let Some(block) = self.segment.block(&self.cutting) {
                return self.work(block).map(Some);
            }
            match self.waiting.front() {
                Some(rows) if rows.starts_anew && self.segment.length() > 0 => {
                    let finished = std::mem::take(&mut self.segment);
                    if let Some(part) = self.finish(finished)? {
                        return Ok(Some(part));
                    }
                }
                Some(_) => {
                    if let Some(rows) = self.waiting.pop_front() {
                        self.segment.push(rows, &self.cutting);
                    }
                }
                None if self.ended => {
                    let finished = std::mem::take(&mut self.segment);
                    if finished.started().is_none() {
                        return self.end().map(|()| None);
                    }
                    if let Some(part) = self.finish(finished)? {
                        return Ok(Some(part));
                    }
                }
                None => match self.source.next_chunk()? {
                    Some(chunk) => {
                        let rows = self.checker.check(chunk)?;
                        self.fingerprint.add(&rows, &self.columns);
                        let rows = self.stale.fresh(rows);
                        self.take(rows);
                    }
                    None => {
                        let rows = self.stale.end();
                        self.take(rows);
                        self.ended = true;
                    }
                },
            }
        }
    }

    /// Takes checked rows in.
    fn take(&mut self, mut rows: Rows) {
        if rows.times.is_empty() {
            return;
        }
        self.jumps.add(&rows);
        self.ranges.add(&rows);
        self.standing.add(&rows);
        if let Some(clock) = &mut self.clock {
            clock.set(&mut rows.times);
        }
        self.split(rows);
    }

    /// The end of a stretch; `None` if it is too short.
    fn finish(&mut self, mut segment: Segment) -> Result<Option<Recording>, LogError> {
        let (started, length) = (segment.started(), segment.length());
        // A stretch shorter than what the filter remembers is all border.
        let trim = self.plan.settled.trim;
        let least = if self.plan.fine.is_some() { 3 * trim + 1 } else { 2 * trim + 1 };
        match segment.last_block(&self.cutting) {
            Some(block) if length >= least => self.work(block).map(Some),
            _ => {
                self.too_short.push((started.unwrap_or(0.0), length));
                Ok(None)
            }
        }
    }

    fn work(&mut self, block: Block) -> Result<Recording, LogError> {
        let work = BlockWork {
            channels: self.channels,
            columns: &self.columns,
            processing: &self.processing,
            settled: &self.plan.settled,
            filter: self.plan.filter.as_ref(),
            even: self.plan.even,
            fine: self.plan.fine.as_ref(),
            friction: &self.friction,
        };
        let part = work.run(block, &mut self.rates)?;
        self.handed_on += part.count;
        Ok(part)
    }

    fn end(&self) -> Result<(), LogError> {
        self.checker.check_clock()?;
        if self.handed_on == 0 {
            let border = self.plan.settled.trim;
            return Err(LogError::TooShort {
                file: self.file.clone(),
                found: self.checker.rows as usize,
                after: self.processing.window_in_words(),
                what: if border > 0 { "derivatives need" } else { "a recording needs" },
                wanted: 2 * border + 1,
            });
        }
        Ok(())
    }

    /// What the clock in place of late stamps makes of all stamps of a log.
    pub(crate) fn even_times(&self, stamps: &[f64]) -> Option<Vec<f64>> {
        let mut times = stamps.to_vec();
        self.clock.as_ref()?.anew().set(&mut times);
        Some(times)
    }

    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.fingerprint.clone().finish()
    }

    pub(crate) fn notes(&self) -> Vec<LogNote> {
        let mut notes = self.source.notes();
        notes.extend(self.columns.notes.iter().cloned());
        notes.extend(self.checker.notes());
        if let Some(time) = self.stale.first {
            notes.push(ReadingNote::StaleRows { rows: self.stale.count, time }.into());
        }
        if let Some(Gap { from, duration, .. }) = self.gaps.longest {
            let times = self.gaps.count;
            notes.push(ProcessingNote::Pauses { times, longest: duration, after: from }.into());
        }
        if let Some(&(time, samples)) = self.too_short.first() {
            let (stretches, all) = (self.too_short.len(), self.too_short.iter().map(|(_, n)| n).sum());
            notes.push(ProcessingNote::ShortStretches { stretches, all, samples, time }.into());
        }
        notes.extend(self.plan.notes.iter().cloned());
        let interval = self.plan.settled.rate.filter(|_| self.checker.rows > 20).map(|rate| 1.0 / rate);
        let strange = suspicions(self.channels, &self.columns, &self.ranges, interval);
        let standing = self.standing.suspicions(self.channels, &self.columns, |slot| self.ranges.span(slot));
        let jumps = self.jumps.suspicions(self.channels, &self.columns);
        notes.extend(strange.into_iter().chain(jumps).chain(standing).map(LogNote::from));
        notes.extend(self.rates.disagreements().into_iter().map(|rate| Suspicion::Rates(rate).into()));
        notes
    }
}

/// How stretches are cut into blocks so that nobody sees where.
fn cutting(plan: &Plan, friction: bool, part: usize) -> Cutting {
    let settled = &plan.settled;
    let factor = settled.factor();
    // What is left of a filter's memory beyond the context is rounding; differences reach four samples further.
    // The finer motion passes a filter of its own, and its rows the kernel.
    let around = |plan: &FinePlan| plan.motion.memory(1e-16) + plan.step * plan.kernel.reach();
    let own = plan.filter.as_ref().map_or(0, |filter| filter.memory(1e-16));
    let mut context = own.max(plan.fine.as_ref().map_or(0, around));
    if !settled.derived_accelerations.is_empty() || !settled.derived_velocities.is_empty() {
        context += 8;
    }
    // Dry friction comes from what the filter left of the motion and passes through the filter again.
    if let (Some(filter), true) = (&plan.filter, friction) {
        context += filter.memory(1e-16);
    }
    let mut stage_rate = 1;
    for &(stage, how) in &settled.stages {
        context += stage_rate * decimation_memory(stage, how);
        stage_rate *= stage;
    }
    let context = context.next_multiple_of(factor);
    let block = match part {
        usize::MAX => usize::MAX / 4,
        _ => part.max(4 * context).next_multiple_of(factor),
    };
    let even = settled.resampled.then(|| 1.0 / settled.rate.unwrap_or(1.0));
    Cutting { even, trim: settled.trim, block, context }
}

/// The settings of a recording that is read whole.
pub(crate) fn whole() -> Limits {
    Limits { survey: usize::MAX, part: usize::MAX }
}
