//! Fewer samples without folding high frequencies down: SciPy's `decimate` with zero phase.

use std::f64::consts::PI;

use super::low_pass::LowPass;
use crate::error::LogError;

/// How a signal is thinned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimation {
    /// Chebyshev's filter of type I, order 8, 0.05 dB of ripple, 0.8 of the new Nyquist frequency, forwards
    /// and backwards, as SciPy's `ftype="iir"`. Two passes have a gain of −0.1 dB (0.9886) at 0 Hz: right for
    /// equations of which both sides are filtered, wrong for positions.
    Chebyshev,
    /// The same filter with gain 1 at 0 Hz.
    UnitChebyshev,
    /// A Hamming-windowed sinc of 20 `factor` + 1 samples, as SciPy's `ftype="fir"`;
    /// the signal is taken as 0 outside.
    Hamming,
    /// Every `factor`-th sample, for signals that are filtered already.
    Pick,
}

/// Every `factor`-th sample of a signal, filtered without delay; the first sample stays the first.
pub fn decimate(signal: &[f64], factor: usize, how: Decimation) -> Result<Vec<f64>, LogError> {
    if factor == 0 {
        return Err(LogError::Setting {
            setting: "decimate",
            problem: "a factor of 0 leaves nothing".to_owned(),
            remedy: "choose 1 or more".to_owned(),
        });
    }
    if factor == 1 {
        return Ok(signal.to_vec());
    }
    match how {
        Decimation::Pick => Ok(signal.iter().step_by(factor).copied().collect()),
        Decimation::Chebyshev | Decimation::UnitChebyshev => {
            let filter = decimation_filter(factor, how)?;
            let filtered = filter.zero_phase(signal, filter.usual_padding())?;
            Ok(filtered.into_iter().step_by(factor).collect())
        }
        Decimation::Hamming => {
            let taps = hamming_taps(factor);
            let half = taps.len() / 2;
            let at = |k: usize| {
                let first = k.saturating_sub(half);
                let last = (k + half).min(signal.len() - 1);
                (first..=last).map(|j| taps[k + half - j] * signal[j]).sum()
            };
            Ok((0..signal.len()).step_by(factor).map(at).collect())
        }
    }
}

/// How many samples around a kept one it depends on, to the last digit.
pub(crate) fn decimation_memory(factor: usize, how: Decimation) -> usize {
    match how {
        Decimation::Pick => 0,
        Decimation::Hamming => 10 * factor,
        _ => decimation_filter(factor.max(2), how).map_or(0, |filter| filter.memory(1e-16)),
    }
}

/// The filter in front of every `factor`-th sample.
fn decimation_filter(factor: usize, how: Decimation) -> Result<LowPass, LogError> {
    let filter = LowPass::chebyshev(8, 0.05, 0.8 / factor as f64, 2.0)?;
    Ok(if how == Decimation::UnitChebyshev { filter.with_unit_gain() } else { filter })
}

/// A sinc that ends at the new Nyquist frequency, under Hamming's window, with sum 1.
fn hamming_taps(factor: usize) -> Vec<f64> {
    let count = 20 * factor + 1;
    let cutoff = 1.0 / factor as f64;
    let mut taps: Vec<f64> = (0..count)
        .map(|k| {
            let m = PI * cutoff * (k as f64 - 10.0 * factor as f64);
            let sinc = if m == 0.0 { 1.0 } else { m.sin() / m };
            sinc * (0.54 - 0.46 * (2.0 * PI * k as f64 / (count - 1) as f64).cos())
        })
        .collect();
    let sum: f64 = taps.iter().sum();
    taps.iter_mut().for_each(|tap| *tap /= sum);
    taps
}
