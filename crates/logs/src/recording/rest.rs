//! How fast a coordinate must be to count as moving: some part of its usual speed. One that stays where it is has no
//! usual speed but that of its noise: it counts as standing up to a speed that slow wavering does not reach. Small strokes
//! that are smooth and quick, as of a positioning stage, are motion.

use super::columns::{Columns, RateSource};
use super::rows::Rows;

/// A coordinate that stays within this stands, rad or m.
pub const STILL: f64 = 1e-3;
/// Speed up to which it does, rad/s or m/s: the rest of a log, of which the rows are the beginning, may move it.
const STANDS: f64 = 0.02;
/// Small strokes are motion where they are so many times their noise…
const CLEAR: f64 = 10.0;
/// …and faster than a joint gives way that is held, rad/s or m/s.
const GIVES_WAY: f64 = 0.005;

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
    let mean_speed = |q: &[f64]| {
        let steps = q.iter().zip(q.iter().skip(lag)).zip(times.iter().zip(times.iter().skip(lag)));
        usual(steps.map(|((a, b), (from, to))| (b - a) / (to - from)).fold((0.0, 0), sum))
    };
    let one = |rate: &super::columns::Rate| match (rate.qd, rate.source) {
        (Some(slot), _) => usual(column(slot).iter().copied().fold((0.0, 0), sum)),
        (None, RateSource::Number(number)) => mean_speed(column(columns.q[number])),
        _ => 0.0,
    };
    let stands = |rate: &super::columns::Rate| match rate.source {
        RateSource::Number(number) => {
            let q = column(columns.q[number]).iter().filter(|q| q.is_finite());
            let (least, most) =
                q.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), q| (a.min(*q), b.max(*q)));
            let small = (0.0..STILL).contains(&(most - least));
            let own = column(columns.q[number]);
            small && part > 0.0 && !(mean_speed(own) > GIVES_WAY && deviation(own) > CLEAR * noise(own))
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

/// Root mean square about the mean.
fn deviation(q: &[f64]) -> f64 {
    let finite = || q.iter().copied().filter(|q| q.is_finite());
    let count = finite().count().max(1) as f64;
    let mean = finite().sum::<f64>() / count;
    (finite().map(|q| (q - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// The white noise of a signal that changes little from sample to sample: its second differences have √6 times as much.
fn noise(q: &[f64]) -> f64 {
    let second = q.windows(3).map(|w| w[0] - 2.0 * w[1] + w[2]).filter(|second| second.is_finite());
    let (sum, count) = second.fold((0.0, 0), |(sum, count), second| (sum + second * second, count + 1));
    (sum / (6.0 * f64::from(count.max(1)))).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{CLEAR, deviation, noise};

    #[test]
    fn strokes_are_told_from_noise() {
        let stroke: Vec<f64> = (0..500).map(|k| 4e-4 * (0.2 * f64::from(k)).sin()).collect();
        assert!(deviation(&stroke) > CLEAR * noise(&stroke));
        let flicker: Vec<f64> = (0..500i32).map(|k| 1e-4 * f64::from((k * k * 7919) % 13)).collect();
        assert!(deviation(&flicker) < 2.0 * noise(&flicker));
        let step: Vec<f64> = (0..500).map(|k| if k % 40 < 20 { 0.0 } else { 1e-4 }).collect();
        assert!(deviation(&step) < CLEAR * noise(&step));
    }
}
