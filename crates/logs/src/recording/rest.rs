//! How fast a coordinate must be to count as moving: some part of its usual speed.

use super::columns::{Columns, RateSource};
use super::rows::Rows;

/// For each independent coordinate `part` of the root mean square of its velocity, rad/s or m/s; 0 where the
/// rows do not tell. What was not recorded are mean velocities over a quarter period of the filter's end
/// (Hz), which noise hardly touches, or from sample to sample.
pub(crate) fn rest_speeds(rows: &Rows, columns: &Columns, cutoff: Option<f64>, part: f64) -> Vec<f64> {
    let times = &rows.times;
    let interval = match (times.first(), times.last()) {
        (Some(first), Some(last)) if times.len() > 1 => (last - first) / (times.len() - 1) as f64,
        _ => 0.0,
    };
    let lag =
        cutoff.filter(|_| interval > 0.0).map_or(1, |cutoff| (0.25 / (cutoff * interval)).round() as usize);
    let lag = lag.clamp(1, times.len().max(2) - 1);
    let usual = |(sum, count): (f64, usize)| if count == 0 { 0.0 } else { (sum / count as f64).sqrt() };
    let sum = |(sum, count): (f64, usize), speed: f64| match speed.is_finite() {
        true => (sum + speed * speed, count + 1),
        false => (sum, count),
    };
    // A log without rows may have no columns here.
    let column = |slot: usize| rows.columns.get(slot).map_or(&[][..], Vec::as_slice);
    let one = |rate: &super::columns::Rate| match (rate.qd, rate.source) {
        (Some(slot), _) => usual(column(slot).iter().copied().fold((0.0, 0), sum)),
        (None, RateSource::Number(number)) => {
            let q = column(columns.q[number]);
            let steps = q.iter().zip(q.iter().skip(lag)).zip(times.iter().zip(times.iter().skip(lag)));
            usual(steps.map(|((a, b), (from, to))| (b - a) / (to - from)).fold((0.0, 0), sum))
        }
        _ => 0.0,
    };
    columns.rates.iter().map(|rate| part * one(rate)).collect()
}
