//! The run through a log that fills the courses.

use std::ops::Range;

use steiner_identification::{Dataset, IdentificationError, Prediction, Source, WrenchSignal};

use super::curve::{Envelope, RunningSize};
use super::timeline::used;
use super::{BLOCKS, Course, Courses, Histogram, ModelCourse, Squares, Timeline, role_index};
use crate::spectrum::Welch;

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
    size: RunningSize,
    spectrum: Option<Welch>,
    squares: Squares,
}

impl Signal {
    fn new(width: f64, segment: Option<usize>) -> Self {
        let squares = Squares { by_role: [0.0; 2], blocks: vec![0.0; BLOCKS] };
        let size = RunningSize::new(COARSER * width);
        Signal { envelope: Envelope::new(width), size, spectrum: segment.map(Welch::new), squares }
    }

    fn interrupt(&mut self) {
        self.envelope.interrupt();
        self.size.interrupt();
        self.spectrum.iter_mut().for_each(Welch::interrupt);
    }

    fn densities(&self, period: Option<f64>) -> Vec<(f64, f64)> {
        self.spectrum.as_ref().zip(period).map_or(Vec::new(), |(welch, period)| welch.densities(period))
    }
}

/// Runs through the logs: `rows` are names and units, `predicted` answers for each model.
pub(super) fn gather(
    rows: &[(String, &'static str)],
    models: usize,
    scales: Option<&[f64]>,
    source: &mut dyn Source,
    predicted: &mut dyn FnMut(&Dataset) -> Result<Vec<Prediction>, IdentificationError>,
) -> Result<Courses, IdentificationError> {
    let timeline = Timeline::of(source)?;
    // Pages of robots with many joints stay as light as those of arms.
    let points = (9000 / rows.len().max(1)).clamp(250, 620);
    let width = timeline.end() / points as f64;
    let segment = Welch::length_for(timeline.stretches.iter().map(|s| s.samples).max().unwrap_or(0));
    let signal = || Signal::new(width, segment);
    let mut measured: Vec<Signal> = rows.iter().map(|_| signal()).collect();
    let mut left: Vec<Vec<Signal>> = rows.iter().map(|_| (0..models).map(|_| signal()).collect()).collect();
    let histogram = |r: usize| match scales.map(|scales| scales[r]).filter(|scale| *scale > 0.0) {
        Some(scale) => {
            Histogram { reach: REACH * scale, counts: [vec![0.0; BINS], vec![0.0; BINS]], samples: [0.0; 2] }
        }
        None => Histogram::default(),
    };
    let mut histograms: Vec<Vec<Histogram>> =
        (0..rows.len()).map(|r| (0..models).map(|_| histogram(r)).collect()).collect();

    let (judged, judged_samples) = timeline.judged();
    let (mut seen, mut stretch, mut within, mut judged_seen) = (0usize, 0usize, 0usize, 0usize);
    source.chunks(&mut |dataset| {
        for (samples, role) in used(dataset) {
            for start in (samples.start..samples.end).step_by(WINDOW) {
                let range = start..samples.end.min(start + WINDOW);
                let predictions = predicted(&window(dataset, range.clone()))?;
                for (k, sample) in range.enumerate() {
                    // A log that grew since the first run goes on as the last stretch.
                    let more = stretch + 1 < timeline.stretches.len();
                    if more && within == timeline.stretches[stretch].samples {
                        (stretch, within) = (stretch + 1, 0);
                        if !timeline.stretches[stretch].joined {
                            measured.iter_mut().for_each(Signal::interrupt);
                            left.iter_mut().flatten().for_each(Signal::interrupt);
                        }
                    }
                    let time = match dataset.t.get(sample) {
                        Some(t) => t + timeline.stretches[stretch].offset,
                        None => seen as f64,
                    };
                    let block = (role == judged)
                        .then(|| (BLOCKS * judged_seen / judged_samples.max(1)).min(BLOCKS - 1));
                    judged_seen += usize::from(block.is_some());
                    let role = role_index(role);
                    for (r, measured) in measured.iter_mut().enumerate() {
                        let at = rows.len() * k + r;
                        let Some(first) = predictions.first() else { continue };
                        let (value, counts) = (first.measured[at], first.counted[at]);
                        measured.envelope.push(time, value);
                        measured.spectrum.iter_mut().for_each(|spectrum| spectrum.push(value));
                        if counts {
                            measured.squares.add(value, role, block);
                        }
                        for (m, prediction) in predictions.iter().enumerate() {
                            let (value, signal) = (prediction.predicted[at], &mut left[r][m]);
                            let rest = prediction.measured[at] - value;
                            signal.envelope.push(time, value);
                            signal.size.push(time, rest);
                            signal.spectrum.iter_mut().for_each(|spectrum| spectrum.push(rest));
                            if counts {
                                signal.squares.add(rest, role, block);
                                histograms[r][m].count(rest, role);
                            }
                        }
                    }
                    seen += 1;
                    within += 1;
                }
            }
        }
        Ok(())
    })?;

    let period = timeline.period.filter(|period| *period > 0.0);
    let rows =
        rows.iter().zip(measured).zip(left).zip(histograms).map(|(((row, measured), left), histograms)| {
            let models = left.into_iter().zip(histograms).map(|(signal, histogram)| ModelCourse {
                spectrum: signal.densities(period),
                predicted: signal.envelope.finish(),
                left: signal.size.finish(),
                squares: signal.squares,
                histogram,
            });
            Course {
                name: row.0.clone(),
                unit: row.1,
                spectrum: measured.densities(period),
                measured: measured.envelope.finish(),
                squares: measured.squares,
                models: models.collect(),
            }
        });
    Ok(Courses { rows: rows.collect(), timeline })
}

impl Histogram {
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

/// Some samples of a recording.
fn window(dataset: &Dataset, range: Range<usize>) -> Dataset {
    let cut = |values: &[f64]| match dataset.count {
        0 => Vec::new(),
        count => values[values.len() / count * range.start..values.len() / count * range.end].to_vec(),
    };
    let signals = |signals: &[WrenchSignal]| -> Vec<WrenchSignal> {
        let one =
            |signal: &WrenchSignal| WrenchSignal { place: signal.place.clone(), values: cut(&signal.values) };
        signals.iter().map(one).collect()
    };
    Dataset {
        count: range.len(),
        t: cut(&dataset.t),
        q: cut(&dataset.q),
        qd: cut(&dataset.qd),
        qdd: cut(&dataset.qdd),
        tau: cut(&dataset.tau),
        measured: dataset.measured.clone(),
        base_wrench: dataset.base_wrench.as_deref().map(cut),
        joint_wrenches: signals(&dataset.joint_wrenches),
        contacts: signals(&dataset.contacts),
        parts: Vec::new(),
    }
}
