//! Recorded rates compared with what they should be rates of, along the way through a log.
//!
//! Over a window of time T the mean of a velocity is (q(t+T) − q(t))/T and that of an acceleration
//! (q̇(t+T) − q̇(t))/T, whatever happens in between: so both sides are means over windows, which noise of
//! positions hardly touches. Velocities of bodies are means of Rᵀ ṗ and 2 Im(q̄ q̇).

mod bodies;
mod sums;

use std::ops::Range;

use self::bodies::BodyCheck;
use self::sums::{Sums, Window};
use super::columns::{Columns, RateSource};
use crate::rate_fault::RateDisagreement;

/// Length of a window, s.
const WINDOW: f64 = 0.05;
/// A rate whose RMS is below this is none: per s, and per s².
const LEAST_VELOCITY: f64 = 0.01;
const LEAST_ACCELERATION: f64 = 0.1;
/// Samples that differences reach to each side.
const REACH: usize = 4;

/// The motion of a block at the full rate.
pub(super) struct Motion<'a> {
    pub(super) times: &'a [f64],
    pub(super) q: &'a [Vec<f64>],
    pub(super) qd: &'a [Vec<f64>],
    pub(super) qdd: &'a [Vec<f64>],
    /// Seconds between samples, where they are even.
    pub(super) interval: Option<f64>,
}

impl Motion<'_> {
    fn duration(&self, window: &Range<usize>) -> f64 {
        self.times[window.end] - self.times[window.start]
    }

    /// The mean of a signal over a window, both ends included.
    fn mean(&self, x: &[f64], window: &Range<usize>) -> f64 {
        let (from, to) = (window.start, window.end);
        match self.interval {
            Some(_) => {
                let inner: f64 = x[from + 1..to].iter().sum();
                // The trapezoidal rule with the end correction of Euler and Maclaurin.
                let ends = (x[to + 1] - x[to - 1]) - (x[from + 1] - x[from - 1]);
                (inner + 0.5 * (x[from] + x[to]) - ends / 24.0) / (to - from) as f64
            }
            None => {
                let steps = (from..to).map(|k| 0.5 * (x[k] + x[k + 1]) * (self.times[k + 1] - self.times[k]));
                steps.sum::<f64>() / self.duration(window)
            }
        }
    }

    /// The mean rate of a signal over a window.
    fn change(&self, x: &[f64], window: &Range<usize>) -> f64 {
        (x[window.end] - x[window.start]) / self.duration(window)
    }
}

/// What was recorded of a coordinate's rates, and its sums.
#[derive(Clone, Debug)]
struct CoordinateCheck {
    rate: usize,
    number: usize,
    velocity: Option<Sums>,
    acceleration: Option<Sums>,
}

/// The comparisons of a log.
#[derive(Clone, Debug)]
pub(super) struct RateChecks {
    coordinates: Vec<CoordinateCheck>,
    bodies: Vec<BodyCheck>,
    names: Vec<String>,
    /// Samples of a window; none without a clock.
    window: Option<usize>,
}

impl RateChecks {
    /// Compares what was recorded; `rate` is that of the samples, Hz.
    pub(super) fn new(columns: &Columns, rate: Option<f64>) -> Self {
        let recorded = |there: Option<usize>| there.map(|_| Sums::default());
        let coordinates = columns.rates.iter().enumerate().filter_map(|(k, rate)| match rate.source {
            RateSource::Number(number) if rate.qd.is_some() || rate.qdd.is_some() => Some(CoordinateCheck {
                rate: k,
                number,
                velocity: recorded(rate.qd),
                acceleration: recorded(rate.qdd),
            }),
            _ => None,
        });
        RateChecks {
            coordinates: coordinates.collect(),
            bodies: bodies::checks(columns),
            names: columns.rates.iter().map(|rate| rate.name.clone()).collect(),
            window: rate
                .filter(|_| columns.time.is_some())
                .map(|rate| (WINDOW * rate).round().max(1.0) as usize),
        }
    }

    /// Takes a part of a block in.
    pub(super) fn absorb(&mut self, motion: &Motion<'_>, part: Range<usize>) {
        let Some(length) = self.window else { return };
        if self.coordinates.is_empty() && self.bodies.is_empty() {
            return;
        }
        let last = motion.times.len().saturating_sub(REACH);
        let starts = (part.start.max(REACH)..part.end.min(last)).step_by(length);
        let windows: Vec<Range<usize>> =
            starts.map(|start| start..start + length).filter(|window| window.end < last).collect();
        for check in &mut self.coordinates {
            let (qd, qdd) = (&motion.qd[check.rate], &motion.qdd[check.rate]);
            for window in &windows {
                let turned = motion.change(qd, window);
                if let Some(sums) = &mut check.velocity {
                    let right = motion.change(&motion.q[check.number], window);
                    sums.add(&Window {
                        right: &[right],
                        recorded: &[motion.mean(qd, window)],
                        change: &[turned],
                    });
                }
                if let Some(sums) = &mut check.acceleration {
                    let (recorded, change) = (motion.mean(qdd, window), motion.change(qdd, window));
                    sums.add(&Window { right: &[turned], recorded: &[recorded], change: &[change] });
                }
            }
        }
        for check in &mut self.bodies {
            check.absorb(motion, &windows);
        }
    }

    /// What does not agree.
    pub(super) fn disagreements(&self) -> Vec<RateDisagreement> {
        let mut out: Vec<RateDisagreement> = Vec::new();
        let mut say = |sums: Option<&Sums>, acceleration: bool, name: &dyn Fn(&str) -> String| {
            let least = if acceleration { LEAST_ACCELERATION } else { LEAST_VELOCITY };
            let family = if acceleration { "qdd" } else { "qd" };
            let Some((relative, fault)) = sums.and_then(|sums| sums.verdict(least)) else { return };
            let new = RateDisagreement { columns: vec![name(family)], acceleration, relative, fault };
            match out.iter_mut().find(|known| known.is_like(&new)) {
                Some(known) => known.merge(new),
                None => out.push(new),
            }
        };
        for check in &self.coordinates {
            let name = |family: &str| format!("{family}_{}", self.names[check.rate]);
            say(check.velocity.as_ref(), false, &name);
            say(check.acceleration.as_ref(), true, &name);
        }
        for check in &self.bodies {
            for vector in check.vectors() {
                let (first, last) = (&self.names[vector.rate], &self.names[vector.rate + 2]);
                let name = |family: &str| format!("{family}_{first} … {family}_{last}");
                say(vector.velocity.as_ref(), false, &name);
                say(vector.acceleration.as_ref(), true, &name);
            }
        }
        out
    }
}
