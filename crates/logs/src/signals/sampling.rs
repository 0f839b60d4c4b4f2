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
    /// The usual interval, s: the time that is no gap by the steps counted in it.
    pub interval: f64,
    /// Root mean square distance of the stamps from even ones, in intervals; missing
    /// samples count, gaps start anew.
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
        // The median of coarse stamps is one of their steps; the mean of ordinary intervals
        // is nearly the interval itself.
        let ordinary: Vec<f64> = all.iter().copied().filter(|x| (0.5..1.5).contains(&(x / median))).collect();
        let usual = ordinary.iter().sum::<f64>() / ordinary.len().max(1) as f64;
        let mut sampling = Sampling { interval: usual, jitter: 0.0, missing: 0, gaps: Vec::new() };
        let mut stretches = vec![Stretch::starting(times[0])];
        for (k, &x) in all.iter().enumerate() {
            match stretches.last_mut() {
                Some(stretch) if x <= LONGEST_BRIDGE * usual => stretch.push(times[k + 1], usual),
                _ => {
                    sampling.gaps.push(Gap { sample: k + 1, from: times[k], duration: x });
                    stretches.push(Stretch::starting(times[k + 1]));
                }
            }
        }
        let total = |of: fn(&Stretch) -> f64| stretches.iter().map(of).sum::<f64>();
        let steps = total(|stretch| stretch.step);
        if steps > 0.0 {
            sampling.interval = total(Stretch::span) / steps;
        }
        sampling.missing = (steps as usize).saturating_sub(all.len() - sampling.gaps.len());
        let deviation = total(Stretch::deviation) / times.len() as f64;
        sampling.jitter = deviation.sqrt() / sampling.interval;
        Some(sampling)
    }

    /// Samples per second, Hz.
    pub fn rate(&self) -> f64 {
        1.0 / self.interval
    }
}

/// Stamps between two gaps with the steps of an even clock they belong to.
struct Stretch {
    stamps: Vec<(f64, f64)>,
    /// Number of the last step.
    step: f64,
    /// When an even clock would have made it.
    tick: f64,
}

impl Stretch {
    fn starting(time: f64) -> Self {
        Stretch { stamps: vec![(0.0, time)], step: 0.0, tick: time }
    }

    /// Counts the steps to a stamp. They are counted from an even clock that follows the stamps slowly: a
    /// late stamp is no missing sample, and if it was taken for one, the next stamp makes no step.
    fn push(&mut self, time: f64, interval: f64) {
        let steps = ((time - self.tick) / interval).round().max(0.0);
        self.step += steps;
        self.tick += steps * interval;
        self.tick += 0.1 * (time - self.tick);
        self.stamps.push((self.step, time));
    }

    fn span(&self) -> f64 {
        self.stamps[self.stamps.len() - 1].1 - self.stamps[0].1
    }

    /// Sum of squared distances from the best even stamps: from the straight line through (step, time).
    fn deviation(&self) -> f64 {
        let count = self.stamps.len() as f64;
        let origin = self.stamps[0].1;
        let middle = self.stamps.iter().map(|(step, _)| step).sum::<f64>() / count;
        let time = self.stamps.iter().map(|(_, t)| t - origin).sum::<f64>() / count;
        let (mut along, mut square) = (0.0, f64::MIN_POSITIVE);
        for (step, t) in &self.stamps {
            along += (step - middle) * (t - origin - time);
            square += (step - middle).powi(2);
        }
        let slope = along / square;
        self.stamps.iter().map(|(step, t)| (t - origin - time - slope * (step - middle)).powi(2)).sum()
    }
}
