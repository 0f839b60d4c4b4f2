//! How fast a coordinate must be to count as moving: some part of its usual speed. One that stays where it is has no
//! usual speed but that of its noise: it counts as standing up to a speed that slow wavering does not reach.

use super::columns::{Columns, RateSource};
use super::rows::Rows;

/// A coordinate that stays within this stands, rad or m.
pub const STILL: f64 = 1e-3;
/// Speed up to which it does, rad/s or m/s: the rest of a log, of which the rows are the beginning, may move it.
const STANDS: f64 = 0.02;

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
    let stands = |rate: &super::columns::Rate| match rate.source {
        RateSource::Number(number) => {
            let q = column(columns.q[number]).iter().filter(|q| q.is_finite());
            let (least, most) =
                q.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), q| (a.min(*q), b.max(*q)));
            (0.0..STILL).contains(&(most - least)) && part > 0.0
        }
        _ => false,
    };
    let least = |rate| part * one(rate);
    columns
        .rates
        .iter()
        .map(|rate| if stands(rate) { least(rate).max(STANDS) } else { least(rate) })
        .collect()
}
