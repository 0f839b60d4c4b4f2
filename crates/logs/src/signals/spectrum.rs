//! Power spectral density by Welch's method \[welch1967\]: windows of Hann, half overlapping, each without its mean, averaged.

use std::f64::consts::PI;

use super::fourier::Transform;

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

/// The power spectral density of a signal in windows of `length` samples (a power of two), averaged over all windows that fit, or 32 of them all over the signal. Empty if the signal is
/// shorter than a window.
pub fn power_spectrum(signal: &[f64], rate: f64, length: usize) -> Spectrum {
    let length = length.next_power_of_two();
    if signal.len() < length || length < 2 {
        return Spectrum::default();
    }
    let window: Vec<f64> =
        (0..length).map(|k| 0.5 - 0.5 * (2.0 * PI * k as f64 / length as f64).cos()).collect();
    let power: f64 = window.iter().map(|w| w * w).sum();
    let bins = length / 2 + 1;
    let mut density = vec![0.0; bins];
    let mut windows = 0;
    let (mut re, mut im) = (vec![0.0; length], vec![0.0; length]);
    let transform = Transform::new(length);
    let thinning = ((signal.len() - length) / (length / 2) + 1).div_ceil(WINDOWS);
    for start in (0..=signal.len() - length).step_by(thinning * (length / 2)) {
        let part = &signal[start..start + length];
        let mean = part.iter().sum::<f64>() / length as f64;
        for k in 0..length {
            (re[k], im[k]) = (window[k] * (part[k] - mean), 0.0);
        }
        transform.apply(&mut re, &mut im);
        for k in 0..bins {
            let both_sides = if k == 0 || k == length / 2 { 1.0 } else { 2.0 };
            density[k] += both_sides * (re[k] * re[k] + im[k] * im[k]);
        }
        windows += 1;
    }
    density.iter_mut().for_each(|x| *x /= windows as f64 * rate * power);
    let frequency = (0..bins).map(|k| k as f64 * rate / length as f64).collect();
    Spectrum { frequency, density }
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
