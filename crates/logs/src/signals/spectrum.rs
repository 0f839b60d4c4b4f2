//! Power spectral density by Welch's method \[welch1967\]: windows of Hann, half overlapping,
//! each without its mean, averaged.

use std::f64::consts::TAU;
use std::sync::Arc;

use realfft::{RealFftPlanner, RealToComplex};

/// Windows that are averaged at most: more would not make a spectrum smoother.
const WINDOWS: usize = 32;

/// A one-sided power spectral density.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spectrum {
    /// Frequencies, Hz, from 0 to half the rate.
    pub frequency: Vec<f64>,
    /// Density, (unit of the signal)² per Hz.
    pub density: Vec<f64>,
}

/// The power spectral density of a signal in windows of `length` samples (a power of two), averaged over all
/// windows that fit, or 32 of them all over the signal. Empty if the signal is shorter than a window.
pub fn power_spectrum(signal: &[f64], rate: f64, length: usize) -> Spectrum {
    let length = length.next_power_of_two();
    if signal.len() < length || length < 2 {
        return Spectrum::default();
    }
    let mut welch = Welch::new(length);
    let thinning = ((signal.len() - length) / (length / 2) + 1).div_ceil(WINDOWS);
    for start in (0..=signal.len() - length).step_by(thinning * (length / 2)) {
        welch.add(&signal[start..start + length]);
    }
    welch.spectrum(rate)
}

/// The spectrum of a signal that comes sample by sample, in memory that does not grow with it.
#[derive(Clone)]
pub struct Welch {
    transform: Arc<dyn RealToComplex<f64>>,
    window: Vec<f64>,
    /// Samples of the window that is not yet complete.
    buffer: Vec<f64>,
    /// Σ over windows of |X_k|², for k = 0 … length/2.
    power: Vec<f64>,
    windows: usize,
}

impl Welch {
    /// Windows of `length` samples: an even number.
    pub fn new(length: usize) -> Self {
        let window = (0..length).map(|k| 0.5 - 0.5 * (TAU * k as f64 / length as f64).cos()).collect();
        Welch {
            transform: RealFftPlanner::new().plan_fft_forward(length),
            window,
            buffer: Vec::with_capacity(length),
            power: vec![0.0; length / 2 + 1],
            windows: 0,
        }
    }

    /// Takes in the next sample.
    pub fn push(&mut self, x: f64) {
        self.buffer.push(x);
        if self.buffer.len() == self.window.len() {
            let mut buffer = std::mem::take(&mut self.buffer);
            self.add(&buffer);
            buffer.drain(..self.window.len() / 2);
            self.buffer = buffer;
        }
    }

    /// The next sample is no neighbour of the last.
    pub fn interrupt(&mut self) {
        self.buffer.clear();
    }

    /// Adds the samples of one window.
    fn add(&mut self, part: &[f64]) {
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        let mut windowed: Vec<f64> = part.iter().zip(&self.window).map(|(x, w)| w * (x - mean)).collect();
        let mut transformed = self.transform.make_output_vec();
        self.transform.process(&mut windowed, &mut transformed).expect("lengths are those of the transform");
        for (power, x) in self.power.iter_mut().zip(transformed) {
            *power += x.norm_sqr();
        }
        self.windows += 1;
    }

    /// The spectrum so far, for so many samples per second; empty as long as no window is complete.
    pub fn spectrum(&self, rate: f64) -> Spectrum {
        if self.windows == 0 {
            return Spectrum::default();
        }
        let energy: f64 = self.window.iter().map(|w| w * w).sum();
        let last = self.power.len() - 1;
        let density = |(k, power): (usize, &f64)| {
            // What negative frequencies carry is counted with the positive ones.
            let both_sides = if k == 0 || k == last { 1.0 } else { 2.0 };
            both_sides * power / (self.windows as f64 * rate * energy)
        };
        Spectrum {
            frequency: (0..=last).map(|k| k as f64 * rate / self.window.len() as f64).collect(),
            density: self.power.iter().enumerate().map(density).collect(),
        }
    }
}

impl Spectrum {
    /// Means over a third of an octave around each frequency: what is left when the raggedness is gone.
    pub fn smoothed(&self) -> Spectrum {
        let reach = 2f64.powf(1.0 / 6.0);
        let bins = self.frequency.len();
        let mut sums = vec![0.0; bins + 1];
        for k in 0..bins {
            sums[k + 1] = sums[k] + self.density[k];
        }
        // Bins are evenly spaced: bin k stands for frequencies k/reach … k·reach.
        let mean = |k: usize| {
            let low = ((k as f64 / reach).ceil() as usize).min(k);
            let high = ((k as f64 * reach).floor() as usize).clamp(k, bins - 1);
            ((sums[high + 1] - sums[low]) / (high + 1 - low) as f64).max(0.0)
        };
        Spectrum { frequency: self.frequency.clone(), density: (0..bins).map(mean).collect() }
    }

    /// Power between two frequencies, (unit of the signal)².
    pub fn power(&self, from: f64, to: f64) -> f64 {
        let width = self.frequency.get(1).copied().unwrap_or(0.0);
        let inside = |f: &f64| (from..=to).contains(f);
        let bins = self.frequency.iter().zip(&self.density).filter(|(f, _)| inside(f));
        bins.map(|(_, density)| density * width).sum()
    }
}
