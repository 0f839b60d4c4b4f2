//! Which cut-off: where the filter takes as little from the motion, and leaves as little of the noise, as can be.
//!
//! Accelerations show best where motion ends, because differentiation lifts high frequencies: their spectrum
//! falls with the motion, reaches a valley, and rises with the noise (white noise of positions as ω⁴, of
//! velocities as ω²). Samples are differenced once for each derivative and the spectrum is divided by what
//! these differences do to a harmonic, (sin(ωh/2)/(ωh/2))², so that it is that of the derivative up to the
//! Nyquist frequency; central differences fall to zero there, which looks like a valley and is none.
//!
//! The valley is the least of the spectrum between the motion's peak and the summit of the noise, which is the
//! highest point of the upper three quarters of the band: beyond it a sensor's own filter or an interpolation has
//! taken the noise away. Right of the valley stands noise, vibration of what is not rigid included; left of it
//! motion, with noise under it as the law of the valley's floor continues. With H the gain of the zero-phase
//! filter of cut-off f,
//!
//! E(f) = ∫ S_motion (1 − H)² + ∫ S_noise H²
//!
//! is the expected squared error of the filtered acceleration, and the f that makes it least is the coordinate's
//! own. All coordinates and forces get the same filter, so that the equations of motion hold between filtered
//! signals: the largest of the coordinates' own, which cuts into nobody's motion.

use std::f64::consts::PI;

use super::significant;
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
    separated: Vec<Option<Separated>>,
}

impl CutoffChoice {
    /// For each coordinate the part of its acceleration (root mean square, without noise) that a zero-phase filter
    /// takes off; `None` for coordinates that don't move.
    pub fn lost(&self, cutoff: f64, order: usize) -> Vec<Option<f64>> {
        self.separated.iter().map(|one| one.as_ref().map(|one| one.lost(cutoff, order))).collect()
    }
}

/// Relative errors of accelerations that nobody needs to filter.
const GOOD_ENOUGH: f64 = 1e-4;

/// Evenly sampled positions or velocities, without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledMotion {
    /// The samples, rad or m, or per s.
    pub samples: Vec<f64>,
    /// How often they must be differentiated to be accelerations: 2 for positions, 1 for velocities. White noise rises with this power of ω² in the
    /// spectrum of the acceleration.
    pub differences: u32,
}

impl SampledMotion {
    /// Differences to the next sample, as often as it takes to be accelerations, over the interval.
    fn differenced(&self, rate: f64) -> Vec<f64> {
        (0..self.differences).fold(self.samples.clone(), |signal, _| {
            signal.windows(2).map(|pair| (pair[1] - pair[0]) * rate).collect()
        })
    }

    /// The spectrum of the acceleration, (rad/s²)² per Hz.
    pub fn acceleration_spectrum(&self, rate: f64) -> Spectrum {
        let signal = self.differenced(rate);
        // Long windows, so that slow motions don't leak; three of them at least, and the smoothing averages further.
        let bits = (signal.len() / 2).checked_ilog2().unwrap_or(0).clamp(6, 16);
        let mut spectrum = power_spectrum(&signal, rate, 1 << bits);
        for (f, density) in spectrum.frequency.iter().zip(&mut spectrum.density).skip(1) {
            let half = PI * f / rate;
            *density *= (half / half.sin()).powi(2 * self.differences as i32);
        }
        spectrum
    }

    /// Whether neighbours have anything to do with each other: in white noise they differ by twice its variance.
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
    let spectra: Vec<Spectrum> =
        coordinates.iter().map(|motion| motion.acceleration_spectrum(rate)).collect();
    let separate = |(motion, spectrum): (&SampledMotion, &Spectrum)| match motion.moves() {
        true => Separated::of(spectrum, motion.differences),
        false => None,
    };
    let separated: Vec<Option<Separated>> = coordinates.iter().zip(&spectra).map(separate).collect();
    let own = separated.iter().flatten().filter_map(|one| one.best_cutoff(order));
    let cutoff = own.reduce(f64::max);
    let valley = |one: &Option<Separated>| {
        one.as_ref().map(|one| {
            (one.valley, cutoff.map_or_else(|| one.unfiltered(), |cutoff| one.error(cutoff, order)))
        })
    };
    CutoffChoice {
        cutoff: cutoff.map(|cutoff| significant(cutoff, 3)),
        valleys: separated.iter().map(valley).collect(),
        spectra,
        separated,
    }
}

/// Cut-offs that are tried, evenly on a logarithmic scale.
const CANDIDATES: usize = 240;
/// How much higher than the valley motion must stand, as a factor of the density.
const CLEAR_VALLEY: f64 = 3.0;

/// A spectrum of an acceleration, taken apart.
#[derive(Clone, Debug, PartialEq)]
struct Separated {
    /// Hz, from the second bin on: the lowest hold what the window leaks from the mean.
    frequency: Vec<f64>,
    /// (rad/s²)² per Hz.
    motion: Vec<f64>,
    noise: Vec<f64>,
    /// Hz.
    valley: f64,
}

impl Separated {
    /// `None` where nothing moves, or noise cannot be told from motion.
    fn of(spectrum: &Spectrum, differences: u32) -> Option<Self> {
        let bins = spectrum.frequency.len();
        if bins < 16 {
            return None;
        }
        let (frequency, density) = (&spectrum.frequency[1..], &spectrum.density[1..]);
        let smooth = &spectrum.smoothed().density[1..];
        let highest = |from: usize, to: usize| (from..to).max_by(|&a, &b| smooth[a].total_cmp(&smooth[b]));
        // Noise alone follows its law from the top down to where motion (or what windows leak) rises above it;
        // motion is strongest below.
        let (quarter, top) = (smooth.len() / 4, smooth.len() * 9 / 10);
        let law = |k: usize| frequency[k].powi(2 * differences as i32);
        let mut levels: Vec<f64> = (smooth.len() * 6 / 10..top).map(|k| smooth[k] / law(k)).collect();
        let middle = levels.len() / 2;
        let level = *levels.select_nth_unstable_by(middle, f64::total_cmp).1;
        let end = (0..top).rev().find(|&k| smooth[k] > 10.0 * level * law(k))?;
        let peak = highest(0, end + 1)?;
        let summit = highest(quarter.max(peak), top.max(quarter.max(peak) + 1))?;
        let floor = (peak..=summit).min_by(|&a, &b| smooth[a].total_cmp(&smooth[b]))?;
        if smooth[peak] <= CLEAR_VALLEY * smooth[floor] {
            return None;
        }
        let under = |k: usize| density[k].min(smooth[floor] * law(k) / law(floor));
        let noise: Vec<f64> =
            (0..density.len()).map(|k| if k <= floor { under(k) } else { density[k] }).collect();
        let motion: Vec<f64> = density.iter().zip(&noise).map(|(all, noise)| all - noise).collect();
        let moved: f64 = motion.iter().sum();
        let valley = frequency[floor];
        (moved > 0.0).then(|| Separated { frequency: frequency.to_vec(), motion, noise, valley })
    }

    /// The error of the acceleration without a filter, relative to the motion's.
    fn unfiltered(&self) -> f64 {
        (self.noise.iter().sum::<f64>() / self.motion.iter().sum::<f64>()).sqrt()
    }

    /// The cut-off with the least expected error, Hz; `None` where filtering would not help.
    fn best_cutoff(&self, order: usize) -> Option<f64> {
        let unfiltered = self.unfiltered();
        let (low, high) = (self.frequency[1], 0.9 * self.frequency[self.frequency.len() - 1]);
        let candidate = |k: usize| low * (high / low).powf(k as f64 / CANDIDATES as f64);
        let candidates = (0..=CANDIDATES).map(|k| (candidate(k), self.error(candidate(k), order)));
        let (cutoff, least) = candidates.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (unfiltered >= GOOD_ENOUGH && least < 0.9 * unfiltered).then_some(cutoff)
    }

    /// The part of the motion that a filter takes off.
    fn lost(&self, cutoff: f64, order: usize) -> f64 {
        let gain = |f: f64| 1.0 / (1.0 + (f / cutoff).powi(2 * order as i32));
        let lost = self.frequency.iter().zip(&self.motion).map(|(f, x)| x * (1.0 - gain(*f)).powi(2));
        (lost.sum::<f64>() / self.motion.iter().sum::<f64>()).sqrt()
    }

    /// The expected error of the acceleration filtered at a cut-off (Hz), relative to the motion's.
    fn error(&self, cutoff: f64, order: usize) -> f64 {
        let at = |((f, motion), noise): ((&f64, &f64), &f64)| {
            let gain = 1.0 / (1.0 + (f / cutoff).powi(2 * order as i32));
            motion * (1.0 - gain).powi(2) + noise * gain * gain
        };
        let squares: f64 = self.frequency.iter().zip(&self.motion).zip(&self.noise).map(at).sum();
        (squares / self.motion.iter().sum::<f64>()).sqrt()
    }
}
