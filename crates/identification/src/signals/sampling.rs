//! The clock of a log: how evenly it ticks, where it pauses.

/// Intervals longer than this many usual ones are gaps; shorter ones are bridged by interpolation.
const LONGEST_BRIDGE: f64 = 5.5;

/// A pause of the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The sample behind it.
    pub sample: usize,
    /// When it begins, s.
    pub from: f64,
    /// How long it is, s.
    pub duration: f64,
}

/// What the stamps of a log say about its sampling.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// The usual interval, s: the mean of those that are not gaps and have no missing samples.
    pub interval: f64,
    /// Root mean square distance of the stamps from even ones, in intervals; gaps start anew.
    pub jitter: f64,
    /// Samples that are missing in intervals that are no gaps.
    pub missing: usize,
    /// Pauses of more than five samples.
    pub gaps: Vec<Gap>,
}

impl Sampling {
    /// Looks at stamps (s), which must increase. `None` for fewer than two.
    pub fn of(times: &[f64]) -> Option<Self> {
        let mut intervals: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let middle = intervals.len() / 2;
        if intervals.is_empty() {
            return None;
        }
        let all = intervals.clone();
        let median = *intervals.select_nth_unstable_by(middle, f64::total_cmp).1;
        // The median of coarse stamps is one of their steps; the mean of ordinary intervals is the interval itself.
        let ordinary: Vec<f64> = all.iter().copied().filter(|x| (0.5..1.5).contains(&(x / median))).collect();
        let interval = ordinary.iter().sum::<f64>() / ordinary.len().max(1) as f64;
        let mut sampling = Sampling { interval, jitter: 0.0, missing: 0, gaps: Vec::new() };
        let mut deviations = (0.0, 0usize);
        let mut start = 0;
        for (k, x) in all.iter().enumerate() {
            if *x > LONGEST_BRIDGE * interval {
                sampling.gaps.push(Gap { sample: k + 1, from: times[k], duration: *x });
                add(&mut deviations, deviation(&times[start..=k]));
                start = k + 1;
            } else {
                sampling.missing += ((x / interval).round() as usize).saturating_sub(1);
            }
        }
        add(&mut deviations, deviation(&times[start..]));
        sampling.jitter = (deviations.0 / deviations.1.max(1) as f64).sqrt() / interval;
        Some(sampling)
    }

    /// Samples per second.
    pub fn rate(&self) -> f64 {
        1.0 / self.interval
    }
}

fn add(sum: &mut (f64, usize), other: (f64, usize)) {
    sum.0 += other.0;
    sum.1 += other.1;
}

/// Sum of squared distances of stamps from the best even ones, and their number.
fn deviation(times: &[f64]) -> (f64, usize) {
    let count = times.len();
    if count < 3 {
        return (0.0, count);
    }
    // The straight line through (k, t_k), with indices and times counted from their middle.
    let middle = 0.5 * (count - 1) as f64;
    let mean = times.iter().map(|t| t - times[0]).sum::<f64>() / count as f64;
    let (mut along, mut square) = (0.0, 0.0);
    for (k, t) in times.iter().enumerate() {
        let x = k as f64 - middle;
        along += x * (t - times[0] - mean);
        square += x * x;
    }
    let slope = along / square;
    let distance = |(k, t): (usize, &f64)| (t - times[0] - mean - slope * (k as f64 - middle)).powi(2);
    (times.iter().enumerate().map(distance).sum(), count)
}
