//! From a block of samples to a recording: filter, differentiate, thin out, and lay out sample by sample.

use std::sync::Arc;

use steiner_linalg::{all_threads, chunks_in_parallel};

use super::around::{Around, FinePlan, motion_only};
use super::columns::{Columns, RateSource};
use super::processing::{Processing, Settled};
use super::rate_check::{Motion, RateChecks};
use super::rates::{BodyRates, body_rates};
use super::segment::Block;
use super::taper::{filtered, taper};
use super::{Part, Recording, Role, WrenchSignal};
use crate::channels::{Channels, WrenchPlace};
use crate::error::LogError;
use crate::friction::{FrictionFunction, FrictionSignal};
use crate::signals::{
    Decimation, LowPass, decimate, first_differences, second_differences, uneven_first_differences,
    uneven_second_differences,
};

/// What is done to every block.
pub(crate) struct BlockWork<'a> {
    pub(crate) channels: &'a Channels,
    pub(crate) columns: &'a Columns,
    pub(crate) processing: &'a Processing,
    pub(crate) settled: &'a Settled,
    pub(crate) filter: Option<&'a LowPass>,
    /// Whether samples are even, so that wide stencils may be used.
    pub(crate) even: bool,
    /// How motion is kept around the samples.
    pub(crate) fine: Option<&'a FinePlan>,
    /// What is made of the velocities and then filtered and thinned out with the forces.
    pub(crate) friction: &'a [FrictionFunction],
}

/// The signals of a block, all with the same samples.
struct Signals {
    times: Vec<f64>,
    q: Vec<Vec<f64>>,
    qd: Vec<Vec<f64>>,
    qdd: Vec<Vec<f64>>,
    tau: Vec<Vec<f64>>,
    wrenches: Vec<Vec<f64>>,
    friction: Vec<Vec<f64>>,
}

/// Columns of q, q̇ and q̈ around samples, their taper, and where the first of the samples is in them.
type MotionAround = ([Vec<Vec<f64>>; 3], Arc<[f64]>, usize);

impl BlockWork<'_> {
    pub(crate) fn run(&self, block: Block, checks: &mut RateChecks) -> Result<Recording, LogError> {
        let Block { times, columns, usable, inner, first, length } = block;
        // Where rows pass the filter of the forces, both fade out at the ends of the stretch.
        let taper = match self.fine {
            Some(_) => taper(first, times.len(), length, self.settled.trim),
            None => Vec::new(),
        };
        let around = self.fine.map(|plan| self.motion_around(plan, &times, &columns)).transpose()?;
        let mut signals = self.differentiate(&times, self.filtered(columns, &taper)?);
        signals.times = times;
        let Signals { times, q, qd, qdd, .. } = &signals;
        let interval = self.settled.rate.filter(|_| self.even).map(|rate| 1.0 / rate);
        checks.absorb(&Motion { times, q, qd, qdd, interval }, inner.clone());
        let velocities = around.as_ref().map_or(&signals.qd, |motion| &motion.qd);
        signals.friction = self.friction_along(velocities, signals.times.len(), &taper)?;
        let factor = self.settled.factor();
        let from = (inner.start - usable.start) / factor;
        let to = (inner.end - usable.start).div_ceil(factor);
        let around = self.fine.zip(around).filter(|_| from < to).map(|(plan, motion)| {
            let (first, last) = (usable.start + factor * from, usable.start + factor * (to - 1));
            self.around(&motion, &taper, plan, first, last)
        });
        let cut = |signal: &mut Vec<f64>| {
            signal.truncate(usable.end);
            signal.drain(..usable.start);
        };
        signals.all().for_each(cut);
        let before = signals.times.len();
        for &(stage, how) in &self.settled.stages {
            // Stamps are picked, signals filtered as well.
            signals.times = decimate(&signals.times, stage, Decimation::Pick)?;
            let thinned = in_threads(signals.all().skip(1).collect(), |signal| {
                *signal = decimate(signal, stage, how)?;
                Ok(())
            });
            thinned?;
        }
        debug_assert_eq!(signals.times.len(), before.div_ceil(factor));
        signals.all().for_each(|signal| {
            signal.truncate(to);
            signal.drain(..from);
        });
        self.normalise(&mut signals.q, signals.times.len());
        let mut recording = self.lay_out(signals);
        if let (Some((motion, taper, first)), Some(plan)) = (around, self.fine) {
            let count = motion[0].first().map_or(0, Vec::len);
            let motion = motion.map(|columns| by_sample(&columns, count));
            recording.around = Some(Around {
                motion: motion_only(motion, count, &recording, self.friction).into(),
                ends: vec![count],
                taper,
                at: (0..recording.count).map(|k| first + factor / plan.step * k).collect(),
                kernel: plan.kernel.clone(),
            });
        }
        Ok(recording)
    }

    /// The motion whose rows pass the filter of the forces, at the full rate.
    fn motion_around(
        &self,
        plan: &FinePlan,
        times: &[f64],
        columns: &[Vec<f64>],
    ) -> Result<Signals, LogError> {
        let forces = self.forces();
        let is_motion = |k: usize| self.columns.time != Some(k) && !forces.contains(&k);
        let kept = columns.iter().enumerate();
        let mut kept: Vec<Vec<f64>> =
            kept.map(|(k, column)| if is_motion(k) { column.clone() } else { Vec::new() }).collect();
        self.low_pass(&plan.motion, kept.iter_mut().filter(|column| !column.is_empty()).collect())?;
        Ok(self.differentiate(times, kept))
    }

    /// The columns of forces and wrenches.
    fn forces(&self) -> Vec<usize> {
        let forces = self.columns.tau.iter().map(|(_, column)| *column);
        let wrenches = self.columns.wrenches.iter().flat_map(|(_, columns)| columns.iter().copied());
        forces.chain(wrenches).collect()
    }

    /// Motion around the samples from `first` to `last` with its taper, and where the first of these is in it.
    fn around(
        &self,
        signals: &Signals,
        taper: &[f64],
        plan: &FinePlan,
        first: usize,
        last: usize,
    ) -> MotionAround {
        let before = first.min(plan.reach()) / plan.step;
        let start = first - before * plan.step;
        let end = (last + plan.reach() + 1).min(signals.q.first().map_or(0, Vec::len));
        let pick = |columns: &[Vec<f64>]| -> Vec<Vec<f64>> {
            columns
                .iter()
                .map(|column| column[start..end].iter().step_by(plan.step).copied().collect())
                .collect()
        };
        let mut q = pick(&signals.q);
        let count = q.first().map_or(0, Vec::len);
        self.normalise(&mut q, count);
        let taper = match taper.is_empty() {
            true => vec![1.0; count].into(),
            false => taper[start..end].iter().step_by(plan.step).copied().collect(),
        };
        ([q, pick(&signals.qd), pick(&signals.qdd)], taper, before)
    }

    fn filtered(&self, mut columns: Vec<Vec<f64>>, taper: &[f64]) -> Result<Vec<Vec<f64>>, LogError> {
        let Some(filter) = self.filter else { return Ok(columns) };
        let forces = self.forces();
        let (mut motion, mut measured) = (Vec::new(), Vec::new());
        for (k, column) in columns.iter_mut().enumerate() {
            match (self.columns.time == Some(k), forces.contains(&k)) {
                (true, _) => {}
                (false, true) => measured.push(column),
                (false, false) => motion.push(column),
            }
        }
        self.low_pass(filter, motion)?;
        if self.processing.filter_forces {
            self.low_pass_forces(filter, taper, measured)?;
        }
        Ok(columns)
    }

    /// What passes the filter as the regressor does.
    fn low_pass_forces(
        &self,
        filter: &LowPass,
        taper: &[f64],
        signals: Vec<&mut Vec<f64>>,
    ) -> Result<(), LogError> {
        match taper.is_empty() {
            true => self.low_pass(filter, signals),
            false => filtered(filter, taper, signals),
        }
    }

    fn low_pass(&self, filter: &LowPass, signals: Vec<&mut Vec<f64>>) -> Result<(), LogError> {
        in_threads(signals, |signal| {
            let most = signal.len().saturating_sub(1);
            let padding = self.processing.padding.unwrap_or_else(|| filter.memory(1e-3).min(most));
            *signal = filter.zero_phase(signal, padding)?;
            Ok(())
        })
    }

    /// Dry friction at the full rate, filtered as the forces are.
    fn friction_along(
        &self,
        qd: &[Vec<f64>],
        count: usize,
        taper: &[f64],
    ) -> Result<Vec<Vec<f64>>, LogError> {
        let mut signals: Vec<Vec<f64>> =
            self.friction.iter().map(|function| function.along_columns(qd, count)).collect();
        if let Some(filter) = self.filter {
            self.low_pass_forces(filter, taper, signals.iter_mut().collect())?;
        }
        Ok(signals)
    }

    /// Takes the columns apart and adds what was not recorded; `times` count where samples are uneven.
    fn differentiate(&self, times: &[f64], mut columns: Vec<Vec<f64>>) -> Signals {
        let interval = self.settled.rate.map_or(1.0, |rate| 1.0 / rate);
        let order = self.processing.differences;
        let once = |x: &[f64]| match self.even {
            true => first_differences(x, interval, order),
            false => uneven_first_differences(times, x),
        };
        let twice = |x: &[f64]| match self.even {
            true => second_differences(x, interval, order),
            false => uneven_second_differences(times, x),
        };
        // Every column is needed once.
        let mut column = |slot: usize| std::mem::take(&mut columns[slot]);
        let q: Vec<Vec<f64>> = self.columns.q.iter().map(|&slot| column(slot)).collect();
        let needed = |joint: usize| {
            self.columns.rates.iter().any(
                |rate| matches!(rate.source, RateSource::Body { joint: own, .. } if own == joint && rate.qd.is_none()),
            )
        };
        let rates_of = |index: usize| {
            let joint = &self.columns.body_joints[index];
            let numbers: Vec<&[f64]> = q[joint.first..][..joint.numbers].iter().map(Vec::as_slice).collect();
            let first: Vec<Vec<f64>> = numbers.iter().map(|column| once(column)).collect();
            let second: Vec<Vec<f64>> = numbers.iter().map(|column| twice(column)).collect();
            body_rates(joint.motion, &numbers, &first, &second)
        };
        let bodies = (0..self.columns.body_joints.len())
            .map(|index| if needed(index) { rates_of(index) } else { BodyRates::default() });
        let mut bodies: Vec<BodyRates> = bodies.collect();
        let (mut qd, mut qdd) = (Vec::new(), Vec::new());
        for rate in &self.columns.rates {
            let velocity = match (rate.qd, rate.source) {
                (Some(slot), _) => column(slot),
                (None, RateSource::Number(number)) => once(&q[number]),
                (None, RateSource::Body { joint, component }) => {
                    std::mem::take(&mut bodies[joint].velocity[component])
                }
                (None, RateSource::Unknown) => Vec::new(), // refused when the columns were chosen
            };
            qdd.push(match (rate.qdd, rate.qd, rate.source) {
                (Some(slot), _, _) => column(slot),
                (None, None, RateSource::Number(number)) => twice(&q[number]),
                (None, None, RateSource::Body { joint, component }) => {
                    std::mem::take(&mut bodies[joint].acceleration[component])
                }
                (None, _, _) => once(&velocity),
            });
            qd.push(velocity);
        }
        let tau = self.columns.tau.iter().map(|(_, slot)| column(*slot)).collect();
        let wrenches = self.columns.wrenches.iter().flat_map(|(_, slots)| *slots);
        let wrenches: Vec<Vec<f64>> = wrenches.map(&mut column).collect();
        Signals { q, qd, qdd, tau, wrenches, times: Vec::new(), friction: Vec::new() }
    }

    /// Filtered quaternions are brought back to length 1.
    fn normalise(&self, q: &mut [Vec<f64>], count: usize) {
        if self.filter.is_none() && !self.settled.resampled && self.settled.stages.is_empty() {
            return;
        }
        for &first in &self.columns.quaternions {
            for k in 0..count {
                let length = (0..4).map(|c| q[first + c][k].powi(2)).sum::<f64>().sqrt();
                (0..4).for_each(|c| q[first + c][k] /= length);
            }
        }
    }

    fn lay_out(&self, signals: Signals) -> Recording {
        let count = signals.times.len();
        let mut measured = vec![false; self.channels.velocities.len()];
        let mut tau = vec![Vec::new(); measured.len()];
        for (&(coordinate, _), force) in self.columns.tau.iter().zip(signals.tau) {
            measured[coordinate] = true;
            tau[coordinate] = force;
        }
        let mut recording = Recording {
            count,
            q: by_sample(&signals.q, count),
            qd: by_sample(&signals.qd, count),
            qdd: by_sample(&signals.qdd, count),
            tau: by_sample(&tau, count),
            measured,
            friction: self
                .friction
                .iter()
                .zip(signals.friction)
                .map(|(function, values)| FrictionSignal { function: function.clone(), values })
                .collect(),
            rest: self.settled.rest.clone(),
            parts: if count > 0 {
                vec![Part { samples: 0..count, role: Role::Training }]
            } else {
                Vec::new()
            },
            t: signals.times,
            ..Recording::default()
        };
        for ((place, _), columns) in self.columns.wrenches.iter().zip(signals.wrenches.chunks(6)) {
            let signal = WrenchSignal { place: place.clone(), values: by_sample(columns, count) };
            match self.channels.wrench_place(place) {
                WrenchPlace::Base => recording.base_wrench = Some(signal.values),
                WrenchPlace::Joint => recording.joint_wrenches.push(signal),
                WrenchPlace::Link => recording.contacts.push(signal),
            }
        }
        // What nothing holds feels no force: that is a measurement, too.
        let on_ground = recording.base_wrench.is_some();
        for (measured, velocity) in recording.measured.iter_mut().zip(&self.channels.velocities) {
            let floats = self.channels.floats(velocity) && !on_ground;
            *measured |= floats || self.channels.joint_of(velocity).passive;
        }
        recording
    }
}

impl Signals {
    /// The clock first, then everything else.
    fn all(&mut self) -> impl Iterator<Item = &mut Vec<f64>> {
        let Signals { times, q, qd, qdd, tau, wrenches, friction } = self;
        [times].into_iter().chain(q).chain(qd).chain(qdd).chain(tau).chain(wrenches).chain(friction)
    }
}

/// Columns as rows: `count × columns` numbers, sample-major, zero where a column is empty.
fn by_sample(columns: &[Vec<f64>], count: usize) -> Vec<f64> {
    let width = columns.len();
    let mut out = vec![0.0; count * width];
    // In pieces that stay in the cache while their columns are spread.
    for start in (0..count).step_by(256) {
        let end = (start + 256).min(count);
        for (c, column) in columns.iter().enumerate().filter(|(_, column)| !column.is_empty()) {
            for k in start..end {
                out[k * width + c] = column[k];
            }
        }
    }
    out
}

/// Runs work on signals, shared out among the cores if it is worth it.
pub(crate) fn in_threads(
    mut signals: Vec<&mut Vec<f64>>,
    work: impl Fn(&mut Vec<f64>) -> Result<(), LogError> + Sync,
) -> Result<(), LogError> {
    let threads = all_threads();
    let numbers: usize = signals.iter().map(|signal| signal.len()).sum();
    if threads.get() == 1 || numbers < 1 << 16 {
        return signals.into_iter().try_for_each(work);
    }
    let done = chunks_in_parallel(&mut signals, threads, |_, part| {
        part.iter_mut().try_for_each(|signal| work(signal))
    });
    done.into_iter().collect()
}
