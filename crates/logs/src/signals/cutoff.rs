//! Which cut-off: where the filter takes as little from the motion, and leaves as
//! little of the noise, as can be.
//!
//! Accelerations show best where motion ends, because differentiation lifts high frequencies: their spectrum
//! falls with the motion, reaches a valley, and rises with the noise (white noise of positions as ω⁴, of
//! velocities as ω²). Left of the valley stands motion, with noise under it as the law of the valley's floor
//! continues to the left; right of it stands noise. With H the gain of the zero-phase filter of cut-off f,
//!
//! E(f) = ∫ S_motion (1 − H)² + ∫ S_noise H²
//!
//! is the expected squared error of the filtered acceleration, and the f that makes it least is taken. All
//! coordinates and forces get the same filter, so that the equations of motion hold between filtered signals:
//! it is the largest of the coordinates' own.

use super::differences::{first_differences, second_differences};
use super::significant;
use super::spectrum::{Spectrum, power_spectrum};

/// What was found in the spectra of accelerations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutoffChoice {
    /// The cut-off, Hz; `None` where filtering would not help, or nothing moves.
    pub cutoff: Option<f64>,
    /// For each coordinate where its spectrum has its valley, Hz, and the expected error of its filtered
    /// acceleration relative to the motion's; `None` for coordinates that don't move.
    pub valleys: Vec<Option<(f64, f64)>>,
    /// The spectra, (rad/s²)² per Hz.
    pub spectra: Vec<Spectrum>,
}

/// Relative errors of accelerations that nobody needs to filter.
const GOOD_ENOUGH: f64 = 1e-4;

/// Evenly sampled positions or velocities, without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledMotion {
    /// The samples, rad or m, or per s.
    pub samples: Vec<f64>,
    /// How often they must be differentiated to be accelerations: 2 for positions, 1 for velocities. White
    /// noise rises with this power of ω² in the spectrum of the acceleration.
    pub differences: u32,
}

impl SampledMotion {
    /// The acceleration by the simplest differences, without its borders.
    fn acceleration(&self, rate: f64) -> Vec<f64> {
        let mut signal = match self.differences {
            1 => first_differences(&self.samples, 1.0 / rate, 2),
            _ => second_differences(&self.samples, 1.0 / rate, 2),
        };
        signal.pop();
        signal.drain(..signal.len().min(1));
        signal
    }

    /// The spectrum of the acceleration, (rad/s²)² per Hz.
    pub fn acceleration_spectrum(&self, rate: f64) -> Spectrum {
        let signal = self.acceleration(rate);
        // Long windows, so that slow motions don't leak; three of them at least, and
        // the smoothing averages further.
        let bits = (signal.len() / 2).checked_ilog2().unwrap_or(0).clamp(6, 16);
        power_spectrum(&signal, rate, 1 << bits)
    }

    /// Whether neighbours have anything to do with each other: in white noise
    /// they differ by twice its variance.
    fn moves(&self) -> bool {
        let count = self.samples.len().max(1) as f64;
        let mean = self.samples.iter().sum::<f64>() / count;
        let variance = self.samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        let steps = self.samples.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum::<f64>() / count;
        steps < variance
    }
}

/// Chooses the cut-off of a zero-phase Butterworth filter for coordinates that are recorded together.
pub fn choose_cutoff(coordinates: &[SampledMotion], rate: f64, order: usize) -> CutoffChoice {
    let mut choice = CutoffChoice::default();
    for motion in coordinates {
        let spectrum = motion.acceleration_spectrum(rate);
        let found = if motion.moves() { valley(&spectrum, motion.differences, order) } else { None };
        choice.valleys.push(found.map(|found| (found.valley, found.error)));
        if let Some(Found { cutoff: Some(cutoff), .. }) = found {
            choice.cutoff = Some(choice.cutoff.map_or(cutoff, |other: f64| other.max(cutoff)));
        }
        choice.spectra.push(spectrum);
    }
    choice.cutoff = choice.cutoff.map(|cutoff| significant(cutoff, 3));
    choice
}

#[derive(Clone, Copy)]
struct Found {
    valley: f64,
    /// `None` if no filter is as good.
    cutoff: Option<f64>,
    error: f64,
}

fn valley(spectrum: &Spectrum, differences: u32, order: usize) -> Option<Found> {
    let bins = spectrum.frequency.len();
    // The lowest bins hold what the window leaks from the mean.
    if bins < 16 {
        return None;
    }
    let smooth = spectrum.smoothed().density;
    let (first, last) = (1, bins * 9 / 10);
    // Noise alone follows its law from the top down to where motion (or what windows leak) rises above
    // it; motion is strongest below.
    let law = |k: usize| (k as f64).powi(2 * differences as i32);
    let mut top: Vec<f64> = (bins * 6 / 10..last).map(|k| smooth[k] / law(k)).collect();
    let middle = top.len() / 2;
    let level = *top.select_nth_unstable_by(middle, f64::total_cmp).1;
    let end = (first..last).rev().find(|&k| smooth[k] > 10.0 * level * law(k))?;
    let peak = (first..=end).max_by(|&a, &b| smooth[a].total_cmp(&smooth[b]))?;
    let floor = (peak..last).min_by(|&a, &b| smooth[a].total_cmp(&smooth[b]))?;
    let valley = spectrum.frequency[floor];
    if smooth[peak] <= 3.0 * smooth[floor] {
        return None;
    }
    let noise_at = |k: usize| match k <= floor {
        true => (smooth[floor] * law(k) / law(floor)).min(spectrum.density[k]),
        false => spectrum.density[k],
    };
    let noise: Vec<f64> = (0..bins).map(noise_at).collect();
    let motion: Vec<f64> = (0..bins).map(|k| spectrum.density[k] - noise[k]).collect();
    let moved: f64 = motion[first..].iter().sum();
    let unfiltered = (noise[first..].iter().sum::<f64>() / moved).sqrt();
    if moved.is_nan() || moved <= 0.0 {
        return None;
    }
    if unfiltered < GOOD_ENOUGH {
        return Some(Found { valley, cutoff: None, error: unfiltered });
    }
    let error = |cutoff: f64| -> f64 {
        let sum: f64 = (first..bins)
            .map(|k| {
                let gain = 1.0 / (1.0 + (spectrum.frequency[k] / cutoff).powi(2 * order as i32));
                motion[k] * (1.0 - gain).powi(2) + noise[k] * gain * gain
            })
            .sum();
        (sum / moved).sqrt()
    };
    let (low, high) = (spectrum.frequency[2], 0.9 * spectrum.frequency[bins - 1]);
    let steps = 240;
    let candidate = |k: usize| low * (high / low).powf(k as f64 / steps as f64);
    let (cutoff, least) =
        (0..=steps).map(|k| (candidate(k), error(candidate(k)))).min_by(|a, b| a.1.total_cmp(&b.1))?;
    match least < 0.9 * unfiltered {
        true => Some(Found { valley, cutoff: Some(cutoff), error: least }),
        false => Some(Found { valley, cutoff: None, error: unfiltered }),
    }
}
