//! Which cut-off: where the filter takes as little from the motion, and leaves as little of the noise, as can be.
//!
//! Accelerations show best where motion ends, because differentiation lifts high frequencies: their spectrum
//! falls with the motion, reaches a valley, and rises with the noise (white noise of positions as ω⁴, of
//! velocities as ω²). Samples are differenced once for each derivative and the spectrum is divided by what
//! these differences do to a harmonic, (sin(ωh/2)/(ωh/2))², so that it is that of the derivative up to the
//! Nyquist frequency; central differences fall to zero there, which looks like a valley and is none.
//!
//! The valley is the point from which one must climb most to leave it on either side. Right of it noise
//! grows up to its summit (beyond, a sensor's own filter or an interpolation has taken it away), so that the
//! noise at f is the least of the spectrum between f and that summit: harmonics of the motion that stand
//! above are motion. Left of the valley the noise is at most what it is there, and falls. With H the gain of
//! the zero-phase filter of cut-off f,
//!
//! E(f) = ∫ S_motion (1 − H)² + ∫ S_noise H²
//!
//! is the expected squared error of the filtered acceleration. All coordinates and forces get the same filter,
//! so that the equations of motion hold between filtered signals: the f is taken that makes the sum over
//! coordinates of E(f), relative to their motion, least.

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
    let moving: Vec<&Separated> = separated.iter().flatten().collect();
    let noisy: Vec<&&Separated> = moving.iter().filter(|one| one.unfiltered() >= GOOD_ENOUGH).collect();
    let error = |cutoff: f64| noisy.iter().map(|one| one.error(cutoff, order).powi(2)).sum::<f64>();
    let unfiltered: f64 = noisy.iter().map(|one| one.unfiltered().powi(2)).sum();
    let best = noisy.first().and_then(|one| {
        let (low, high) = (one.frequency[2], 0.9 * one.frequency[one.frequency.len() - 1]);
        let candidate = |k: usize| low * (high / low).powf(k as f64 / CANDIDATES as f64);
        let candidates = (0..=CANDIDATES).map(|k| (candidate(k), error(candidate(k))));
        candidates.min_by(|a, b| a.1.total_cmp(&b.1))
    });
    let cutoff = best.filter(|(_, least)| *least < 0.8 * unfiltered).map(|(cutoff, _)| cutoff);
    let valley = |one: &Option<Separated>| {
        one.as_ref().map(|one| {
            (one.valley, cutoff.map_or_else(|| one.unfiltered(), |cutoff| one.error(cutoff, order)))
        })
    };
    CutoffChoice {
        cutoff: cutoff.map(|cutoff| significant(cutoff, 3)),
        valleys: separated.iter().map(valley).collect(),
        spectra,
    }
}

/// Cut-offs that are tried, evenly on a logarithmic scale.
const CANDIDATES: usize = 240;
/// How far one must climb from a valley, as a factor of the density.
const CLEAR_VALLEY: f64 = 3.0;

/// A spectrum of an acceleration, taken apart.
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
        let summit = |range: std::ops::Range<usize>| {
            range.max_by(|&a, &b| smooth[a].total_cmp(&smooth[b])).map(|k| (k, smooth[k]))
        };
        let mut highest_right = vec![0.0f64; smooth.len() + 1];
        for k in (0..smooth.len()).rev() {
            highest_right[k] = highest_right[k + 1].max(smooth[k]);
        }
        let mut highest_left = 0.0f64;
        let mut best = (0, 0.0);
        for k in 0..smooth.len() {
            let climb = highest_left.min(highest_right[k + 1]) / smooth[k];
            if climb > best.1 {
                best = (k, climb);
            }
            highest_left = highest_left.max(smooth[k]);
        }
        let (floor, climb) = best;
        let noise = match climb > CLEAR_VALLEY {
            true => {
                let (summit, _) = summit(floor..smooth.len())?;
                let mut noise = density.to_vec();
                let mut least = f64::INFINITY;
                for k in (floor..=summit).rev() {
                    least = least.min(smooth[k]);
                    noise[k] = noise[k].min(least);
                }
                let law = |k: usize| (frequency[k] / frequency[floor]).powi(2 * differences as i32);
                (0..floor).for_each(|k| noise[k] = noise[k].min(least * law(k)));
                noise
            }
            // Without a valley: what the top of the spectrum would be if all of it were noise.
            false => {
                let top = smooth.len() * 3 / 4;
                let level = smooth[top..].iter().copied().fold(f64::INFINITY, f64::min);
                let law = |k: usize| (frequency[k] / frequency[top]).powi(2 * differences as i32).min(1.0);
                (0..density.len()).map(|k| density[k].min(level * law(k))).collect()
            }
        };
        let motion: Vec<f64> = density.iter().zip(&noise).map(|(all, noise)| all - noise).collect();
        let moved: f64 = motion.iter().sum();
        let valley = frequency[floor];
        (moved > 0.0).then(|| Separated { frequency: frequency.to_vec(), motion, noise, valley })
    }

    /// The error of the acceleration without a filter, relative to the motion's.
    fn unfiltered(&self) -> f64 {
        (self.noise.iter().sum::<f64>() / self.motion.iter().sum::<f64>()).sqrt()
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
