//! Ends of stretches: both sides of the equations of motion fade in and out alike.
//!
//! At the end of a stretch a filter needs samples that were not recorded. If forces were continued in one way
//! and the regressor in another, the equations would not hold there. Instead both are multiplied by the same
//! taper w, which is zero where the filter of the motion has not settled: with F any linear filter,
//! F(wτ)/F(w) = F(wY)β/F(w) holds up to the ends. Samples are kept where F(w) is at least one half.

use super::block::in_threads;
use crate::error::LogError;
use crate::signals::LowPass;

/// The taper rises over this part of the trim on both sides of the first sample that is kept.
const HALF_WIDTH: f64 = 0.2;
/// Less of a taper than this divides nothing.
const LEAST: f64 = 0.05;

/// Samples from the end of a stretch beyond which the taper is 1.
pub(crate) fn tapered(trim: usize) -> usize {
    trim + (HALF_WIDTH * trim as f64).ceil() as usize + 1
}

/// The taper of samples `first..first + count` of a stretch whose samples number `length`, if its end is known;
/// empty where all of it is 1.
pub(crate) fn taper(first: usize, count: usize, length: Option<usize>, trim: usize) -> Vec<f64> {
    let far = tapered(trim);
    let until = length.map_or(usize::MAX, |length| length.saturating_sub(far));
    if trim == 0 || (first >= far && first + count <= until) {
        return Vec::new();
    }
    let width = HALF_WIDTH * trim as f64;
    let rise = |distance: usize| {
        let x = ((distance as f64 - trim as f64) / width).clamp(-1.0, 1.0);
        0.5 + 0.5 * (std::f64::consts::FRAC_PI_2 * x).sin()
    };
    let to_end = |at: usize| length.map_or(usize::MAX >> 1, |length| length.saturating_sub(at + 1));
    (first..first + count).map(|at| rise(at) * rise(to_end(at))).collect()
}

/// F(w x)/F(w) for each signal x; what is beyond the ends of the stretch counts as zero.
pub(crate) fn filtered(filter: &LowPass, taper: &[f64], signals: Vec<&mut Vec<f64>>) -> Result<(), LogError> {
    let beyond = filter.memory(1e-6);
    let pad = |end: Option<&f64>| if end.is_some_and(|w| *w < 1.0) { beyond } else { 0 };
    let (before, behind) = (pad(taper.first()), pad(taper.last()));
    let pass = |signal: &[f64]| -> Result<Vec<f64>, LogError> {
        let mut extended = vec![0.0; before];
        extended.extend(signal.iter().zip(taper).map(|(x, w)| x * w));
        extended.resize(extended.len() + behind, 0.0);
        let mut out = filter.zero_phase(&extended, 0)?;
        out.truncate(before + signal.len());
        out.drain(..before);
        Ok(out)
    };
    let sum = pass(&vec![1.0; taper.len()])?;
    in_threads(signals, |signal| {
        *signal = pass(signal)?;
        signal.iter_mut().zip(&sum).for_each(|(x, sum)| *x /= sum.max(LEAST));
        Ok(())
    })
}
