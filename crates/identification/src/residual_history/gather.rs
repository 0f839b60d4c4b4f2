//! The run through a log that fills the history.

use std::ops::Range;

use steiner_linalg::{all_threads, chunks_in_parallel};
use steiner_logs::signals::Welch;
use steiner_logs::{FrictionSignal, Recording, Role, WrenchSignal};

use super::curve::{Envelope, RunningSize};
use super::spectrum::{amplitudes, window_length};
use super::timeline::used;
use super::{
    BLOCKS, ForceHistory, FrictionHistory, Histogram, ModelHistory, ResidualHistory, Squares, Timeline,
    role_index,
};
use crate::accumulate::Source;
use crate::failure::IdentificationError;
use crate::predict::Prediction;

/// Samples that are predicted at a time.
const WINDOW: usize = 1 << 15;
/// Bins of histograms, and their reach in root mean squares.
const BINS: usize = 61;
const REACH: f64 = 4.2;
/// Stretches for the size of what is left are so much longer than those of curves.
const COARSER: f64 = 6.0;

/// What one signal becomes.
struct Signal {
    envelope: Envelope,
    /// Of the part that residuals are made of.
    counted: Envelope,
    size: RunningSize,
    spectrum: Option<Welch>,
    squares: Squares,
}

impl Signal {
    fn new(width: f64, segment: Option<usize>) -> Self {
        let squares = Squares { by_role: [0.0; 2], blocks: vec![0.0; BLOCKS] };
        let size = RunningSize::new(COARSER * width);
        let counted = Envelope::new(width);
        Signal { envelope: Envelope::new(width), counted, size, spectrum: segment.map(Welch::new), squares }
    }

    /// A value to draw, and the part of it that residuals are made of.
    fn push(&mut self, moment: &Moment, value: f64, counted: f64, counts: bool) {
        if moment.breaks {
            self.interrupt();
        }
        self.envelope.push(moment.time, value);
        self.counted.push(moment.time, counted);
        self.size.push(moment.time, counted);
        self.spectrum.iter_mut().for_each(|spectrum| spectrum.push(counted));
        if counts {
            self.squares.add(counted, moment.role, moment.block);
        }
    }

    /// Nothing can be said at this moment.
    fn pause(&mut self, moment: &Moment) {
        if moment.breaks {
            self.interrupt();
        }
        self.envelope.pause(moment.time);
        self.counted.pause(moment.time);
        self.spectrum.iter_mut().for_each(|spectrum| spectrum.push(0.0));
    }

    fn interrupt(&mut self) {
        self.envelope.interrupt();
        self.counted.interrupt();
        self.size.interrupt();
        self.spectrum.iter_mut().for_each(Welch::interrupt);
    }

    fn densities(&self, period: Option<f64>) -> Vec<(f64, f64)> {
        let spectrum = self.spectrum.as_ref().zip(period).map(|(welch, period)| welch.spectrum(1.0 / period));
        spectrum.as_ref().map_or(Vec::new(), amplitudes)
    }
}

/// What one row becomes.
struct RowInTheMaking {
    measured: Signal,
    left: Vec<Signal>,
    histograms: Vec<Histogram>,
}

/// What a sample is, whatever the row.
struct Moment {
    time: f64,
    /// Training, validation.
    role: usize,
    /// Of the samples that models are evaluated on.
    block: Option<usize>,
    /// Whether it is no neighbour of the one before.
    breaks: bool,
}

/// Runs through the logs: `rows` are names and units, `predicted` answers for each model.
pub(super) fn gather(
    rows: &[(String, &'static str)],
    models: usize,
    scales: Option<&[f64]>,
    source: &mut dyn Source,
    predicted: &mut dyn FnMut(&Recording) -> Result<Vec<Prediction>, IdentificationError>,
) -> Result<ResidualHistory, IdentificationError> {
    let timeline = Timeline::of(source)?;
    // Pages of robots with many joints stay as light as those of arms.
    let points = (9000 / rows.len().max(1)).clamp(250, 620);
    let width = timeline.end() / points as f64;
    let segment = window_length(timeline.stretches.iter().map(|s| s.samples).max().unwrap_or(0));
    let mut made: Vec<RowInTheMaking> = (0..rows.len())
        .map(|r| RowInTheMaking {
            measured: Signal::new(width, segment),
            left: (0..models).map(|_| Signal::new(width, segment)).collect(),
            histograms: vec![Histogram::reaching(scales.map_or(0.0, |scales| REACH * scales[r])); models],
        })
        .collect();
    let mut clock = Clock::new(&timeline);
    source.chunks(&mut |recording| {
        for (samples, role) in used(recording) {
            for start in (samples.start..samples.end).step_by(WINDOW) {
                let range = start..samples.end.min(start + WINDOW);
                let predictions = predicted(&window(recording, range.clone()))?;
                let moments: Vec<Moment> =
                    range.map(|sample| clock.next(recording.t.get(sample).copied(), role)).collect();
                absorb(&mut made, &moments, &predictions);
            }
        }
        Ok(())
    })?;

    let period = timeline.period.filter(|period| *period > 0.0);
    let rows = rows.iter().zip(made).map(|((name, unit), made)| {
        let models = made.left.into_iter().zip(made.histograms).map(|(signal, histogram)| ModelHistory {
            spectrum: signal.densities(period),
            predicted: signal.envelope.finish(),
            residual: signal.size.finish(),
            difference: signal.counted.finish(),
            squares: signal.squares,
            histogram,
        });
        ForceHistory {
            name: name.clone(),
            unit,
            spectrum: made.measured.densities(period),
            measured: made.measured.envelope.finish(),
            squares: made.measured.squares,
            models: models.collect(),
            friction: FrictionHistory::default(),
        }
    });
    Ok(ResidualHistory { rows: rows.collect(), timeline, filters: Vec::new() })
}

/// Where in the logs a run is.
struct Clock<'a> {
    timeline: &'a Timeline,
    evaluated: Role,
    evaluated_samples: usize,
    evaluated_seen: usize,
    seen: usize,
    stretch: usize,
    within: usize,
}

impl<'a> Clock<'a> {
    fn new(timeline: &'a Timeline) -> Self {
        let (evaluated, evaluated_samples) = timeline.evaluated();
        Clock { timeline, evaluated, evaluated_samples, evaluated_seen: 0, seen: 0, stretch: 0, within: 0 }
    }

    /// The next sample, with the time its log gives it.
    fn next(&mut self, time: Option<f64>, role: Role) -> Moment {
        let stretches = &self.timeline.stretches;
        let mut breaks = false;
        // A log that grew since the first run goes on as the last stretch.
        if self.stretch + 1 < stretches.len() && self.within == stretches[self.stretch].samples {
            (self.stretch, self.within) = (self.stretch + 1, 0);
            breaks = !stretches[self.stretch].joined;
        }
        let offset = stretches.get(self.stretch).map_or(0.0, |stretch| stretch.offset);
        let time = time.map_or(self.seen as f64, |t| t + offset);
        let block = (role == self.evaluated).then(|| {
            self.evaluated_seen += 1;
            (BLOCKS * (self.evaluated_seen - 1) / self.evaluated_samples.max(1)).min(BLOCKS - 1)
        });
        self.seen += 1;
        self.within += 1;
        Moment { time, role: role_index(role), block, breaks }
    }
}

/// Takes a window in, rows side by side.
fn absorb(made: &mut [RowInTheMaking], moments: &[Moment], predictions: &[Prediction]) {
    let rows = made.len();
    chunks_in_parallel(made, all_threads(), |first, made| {
        for (k, row) in made.iter_mut().enumerate() {
            row.absorb(first + k, rows, moments, predictions);
        }
    });
}

impl RowInTheMaking {
    fn absorb(&mut self, r: usize, rows: usize, moments: &[Moment], predictions: &[Prediction]) {
        let Some(first) = predictions.first() else { return };
        for (k, moment) in moments.iter().enumerate() {
            let at = rows * k + r;
            let counts = first.counted[at];
            self.measured.push(moment, first.measured[at], first.measured[at], counts);
            for ((signal, histogram), prediction) in
                self.left.iter_mut().zip(&mut self.histograms).zip(predictions)
            {
                if !counts {
                    signal.pause(moment);
                    continue;
                }
                let rest = prediction.measured[at] - prediction.predicted[at];
                signal.push(moment, prediction.predicted[at], rest, counts);
                histogram.count(rest, moment.role);
            }
        }
    }
}

impl Histogram {
    fn reaching(reach: f64) -> Self {
        match reach > 0.0 {
            true => Histogram { reach, counts: [vec![0.0; BINS], vec![0.0; BINS]], samples: [0.0; 2] },
            false => Histogram::default(),
        }
    }

    fn count(&mut self, value: f64, role: usize) {
        self.samples[role] += 1.0;
        let bins = self.counts[role].len();
        if bins == 0 || value.abs() > self.reach {
            return;
        }
        let place = 0.5 * (value / self.reach + 1.0) * bins as f64;
        self.counts[role][(place as usize).min(bins - 1)] += 1.0;
    }
}

/// Samples of a recording that follow each other.
pub(super) fn window(recording: &Recording, range: Range<usize>) -> Recording {
    let cut = |values: &[f64], width: usize| values[width * range.start..width * range.end].to_vec();
    let around = recording.around.as_ref().map(|around| around.of(range.clone()));
    Recording { around, ..selected(recording, range.len(), &cut) }
}

/// So many samples of a recording, without the motion around them; `select` takes them out of values, which it is given with their number per
/// sample.
pub(super) fn selected(
    recording: &Recording,
    count: usize,
    select: &dyn Fn(&[f64], usize) -> Vec<f64>,
) -> Recording {
    let cut = |values: &[f64]| match recording.count {
        0 => Vec::new(),
        count => select(values, values.len() / count),
    };
    let signals = |signals: &[WrenchSignal]| -> Vec<WrenchSignal> {
        let one =
            |signal: &WrenchSignal| WrenchSignal { place: signal.place.clone(), values: cut(&signal.values) };
        signals.iter().map(one).collect()
    };
    Recording {
        count,
        t: cut(&recording.t),
        q: cut(&recording.q),
        qd: cut(&recording.qd),
        qdd: cut(&recording.qdd),
        tau: cut(&recording.tau),
        measured: recording.measured.clone(),
        base_wrench: recording.base_wrench.as_deref().map(cut),
        joint_wrenches: signals(&recording.joint_wrenches),
        contacts: signals(&recording.contacts),
        friction: recording
            .friction
            .iter()
            .map(|signal| FrictionSignal { values: cut(&signal.values), ..signal.clone() })
            .collect(),
        rest: recording.rest.clone(),
        ..Recording::default()
    }
}
