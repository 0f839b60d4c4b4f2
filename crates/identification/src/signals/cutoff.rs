//! Which cut-off: where the filter takes as little from the motion, and leaves as little of the noise, as can be.
//!
//! Accelerations show best where motion ends, because differentiation lifts high frequencies: their spectrum falls with the motion, reaches a
//! valley, and rises with the noise (white noise of positions as ω⁴). Left of the valley stands motion, with noise under it as the law of the valley's floor
//! continues to the left; right of it stands noise. With H the gain of the zero-phase filter of cut-off f,
//!
//! E(f) = ∫ S_motion (1 − H)² + ∫ S_noise H²
//!
//! is the expected squared error of the filtered acceleration, and the f that makes it least is taken. All coordinates and forces get the same
//! filter, so that the equations of motion hold between filtered signals: it is the largest of the coordinates' own.

use super::spectrum::{Spectrum, power_spectrum};

/// What was found in the spectra of accelerations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CutoffChoice {
    /// The cut-off, Hz; `None` where filtering would not help, or nothing moves.
    pub cutoff: Option<f64>,
    /// For each coordinate where its spectrum has its valley, Hz, and the expected error of its filtered acceleration relative to the motion's; `None` for
    /// coordinates that don't move.
    pub valleys: Vec<Option<(f64, f64)>>,
    /// The spectra, (rad/s²)² per Hz.
    pub spectra: Vec<Spectrum>,
}

/// Relative errors of accelerations that nobody needs to filter.
const GOOD_ENOUGH: f64 = 1e-4;

/// Chooses the cut-off of a zero-phase Butterworth filter for coordinates whose unfiltered accelerations are given, in stretches without gaps.
pub fn choose_cutoff(accelerations: &[Vec<f64>], rate: f64, order: usize) -> CutoffChoice {
    let mut choice = CutoffChoice::default();
    for signal in accelerations {
        // Long windows, so that slow motions don't leak; three of them at least, and the smoothing averages further.
        let bits = (signal.len() / 2).checked_ilog2().unwrap_or(0).clamp(6, 16);
        let spectrum = power_spectrum(signal, rate, 1 << bits);
        let found = valley(&spectrum, order);
        choice.valleys.push(found.map(|found| (found.valley, found.error)));
        if let Some(Found { cutoff: Some(cutoff), .. }) = found {
            choice.cutoff = Some(choice.cutoff.map_or(cutoff, |other: f64| other.max(cutoff)));
        }
        choice.spectra.push(spectrum);
    }
    choice.cutoff = choice.cutoff.map(three_digits);
    choice
}

#[derive(Clone, Copy)]
struct Found {
    valley: f64,
    /// `None` if no filter is as good.
    cutoff: Option<f64>,
    error: f64,
}

fn valley(spectrum: &Spectrum, order: usize) -> Option<Found> {
    let bins = spectrum.frequency.len();
    // The lowest bins hold what the window leaks from the mean.
    if bins < 16 {
        return None;
    }
    let smooth = spectrum.smoothed().density;
    let (first, last) = (1, bins * 9 / 10);
    // Motion is strongest where positions are; what comes before it may be as quiet as the valley behind it.
    let position = |k: usize| smooth[k] / (k as f64).powi(4);
    let peak = (first..last).max_by(|&a, &b| position(a).total_cmp(&position(b)))?;
    let floor = (peak..last).min_by(|&a, &b| smooth[a].total_cmp(&smooth[b]))?;
    let valley = spectrum.frequency[floor];
    // What only rises is noise alone.
    if smooth[peak..=floor].iter().fold(0.0, |most: f64, x| most.max(*x)) <= 3.0 * smooth[floor] {
        return None;
    }
    let noise_at = |k: usize| match k <= floor {
        true => (smooth[floor] * (k as f64 / floor as f64).powi(4)).min(spectrum.density[k]),
        false => spectrum.density[k],
    };
    let noise: Vec<f64> = (0..bins).map(noise_at).collect();
    let motion: Vec<f64> = (0..bins).map(|k| spectrum.density[k] - noise[k]).collect();
    let moved: f64 = motion[first..].iter().sum();
    let unfiltered = (noise[first..].iter().sum::<f64>() / moved).sqrt();
    if !(moved > 0.0) {
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
    let (cutoff, least) = (0..=steps)
        .map(|k| (candidate(k), error(candidate(k))))
        .min_by(|a, b| a.1.total_cmp(&b.1))?;
    match least < 0.9 * unfiltered {
        true => Some(Found { valley, cutoff: Some(cutoff), error: least }),
        false => Some(Found { valley, cutoff: None, error: unfiltered }),
    }
}

/// A number with three digits: nobody wants to read more.
fn three_digits(x: f64) -> f64 {
    let scale = 10f64.powf(2.0 - x.abs().log10().floor());
    (x * scale).round() / scale
}
