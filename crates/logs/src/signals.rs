//! Signals: from noisy samples to positions, velocities and accelerations that belong together.
//!
//! Each idea is a file and a function of plain slices: [`Sampling`] looks at the clock, [`Resampling`] makes
//! it uniform, [`LowPass`] filters without delay (Butterworth, forwards and backwards), [`first_differences`]
//! and [`second_differences`] differentiate, [`decimate`] thins out, [`power_spectrum`] shows where motion
//! ends and noise begins, and [`choose_cutoff`] finds the cut-off that leaves the smallest error.

mod cutoff;
mod decimate;
mod differences;
mod low_pass;
mod resample;
mod sampling;
mod spectrum;
mod zero_phase;

pub use cutoff::{CutoffChoice, SampledMotion, choose_cutoff};
pub(crate) use decimate::decimation_memory;
pub use decimate::{Decimation, decimate};
pub use differences::{
    first_differences, second_differences, uneven_first_differences, uneven_second_differences,
};
pub use low_pass::{LowPass, Section};
pub use resample::Resampling;
pub use sampling::{Gap, Sampling};
pub use spectrum::{Spectrum, Welch, power_spectrum};

/// A number rounded to some significant digits: nobody wants to read more.
pub fn significant(x: f64, digits: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let power = digits - 1 - x.abs().log10().floor() as i32;
    let scale = 10f64.powi(power.abs());
    if power >= 0 { (x * scale).round() / scale } else { (x / scale).round() * scale }
}
