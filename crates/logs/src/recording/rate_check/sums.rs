//! Sums over windows of a log, from which it follows what recorded rates look like.

use crate::rate_fault::RateFault;

/// A lag counts if it explains this part of the square of the disagreement…
const LAG_EXPLAINS: f64 = 0.5;
/// …and is longer than this, s.
const LEAST_LAG: f64 = 3e-4;
/// Another reading of the columns counts if it leaves less than this part of the square.
const READING_LEAVES: f64 = 0.25;
/// A factor counts if it leaves less than this part…
const FACTOR_LEAVES: f64 = 0.1;
/// …and differs that much from 1.
const LEAST_FACTOR: f64 = 0.02;
/// Disagreements below this are rounding.
const LEAST: f64 = 1e-3;
/// Squared correlation below which a recorded rate does not follow.
const FOLLOWS: f64 = 0.25;
/// Correlation of neighbouring windows above which a rate is more motion than noise.
const SMOOTH: f64 = 0.5;
/// Gravity is more than this, m/s².
const LEAST_GRAVITY: f64 = 1.0;

/// Means over one window of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    /// What the recorded rate should be.
    pub(super) right: &'a [f64],
    /// The recorded rate.
    pub(super) recorded: &'a [f64],
    /// The change of the recorded rate over the window, per s.
    pub(super) change: &'a [f64],
}

/// A comparison of one rate, or of the three of a vector.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    windows: usize,
    right: f64,
    recorded: f64,
    mixed: f64,
    difference: f64,
    /// Difference by change, change by change.
    late: (f64, f64),
    /// Each window by the next.
    neighbours: f64,
    last: Vec<f64>,
    /// Other things that the recorded rate may be, and the square of what they leave.
    readings: Vec<(RateFault, f64)>,
    /// The same with a constant vector of the world added, and the sum of that.
    with_gravity: Vec<(f64, [f64; 3])>,
}

impl Sums {
    pub(super) fn add(&mut self, window: &Window<'_>) {
        self.windows += 1;
        for ((right, recorded), change) in window.right.iter().zip(window.recorded).zip(window.change) {
            let difference = right - recorded;
            self.right += right * right;
            self.recorded += recorded * recorded;
            self.mixed += right * recorded;
            self.difference += difference * difference;
            self.late.0 += difference * change;
            self.late.1 += change * change;
        }
        self.neighbours += self.last.iter().zip(window.right).map(|(a, b)| a * b).sum::<f64>();
        self.last.clear();
        self.last.extend_from_slice(window.right);
    }

    /// What a reading leaves of the recorded rate in a window.
    pub(super) fn add_reading(&mut self, fault: RateFault, left: [f64; 3]) {
        let square: f64 = left.iter().map(|x| x * x).sum();
        match self.readings.iter_mut().find(|(known, _)| *known == fault) {
            Some((_, sum)) => *sum += square,
            None => self.readings.push((fault, square)),
        }
    }

    /// The same for readings that have gravity in them: what is left, in the axes of the world.
    pub(super) fn add_with_gravity(&mut self, reading: usize, left: [f64; 3]) {
        self.with_gravity.resize(self.with_gravity.len().max(reading + 1), (0.0, [0.0; 3]));
        let (square, sum) = &mut self.with_gravity[reading];
        *square += left.iter().map(|x| x * x).sum::<f64>();
        sum.iter_mut().zip(left).for_each(|(sum, x)| *sum += x);
    }

    /// What the recorded rate looks like, with its relative disagreement; `None` where nothing is wrong.
    /// `least` is the RMS of a rate that is none, per s or per s².
    pub(super) fn verdict(&self, least: f64) -> Option<(f64, RateFault)> {
        let floor = self.windows as f64 * least * least;
        if self.windows < 4 || self.right.max(self.recorded) <= floor {
            return None;
        }
        let relative = (self.difference / self.right.max(floor)).sqrt();
        if relative < LEAST {
            return None;
        }
        let fault = self.reading().or_else(|| self.factor()).or_else(|| self.late());
        fault.or_else(|| self.unexplained()).map(|fault| (relative, fault))
    }

    /// The reading that leaves least.
    fn reading(&self) -> Option<RateFault> {
        let gravity = self.with_gravity.iter().filter_map(|(square, sum)| {
            let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt() / self.windows as f64;
            let left = square - self.windows as f64 * length * length;
            (length > LEAST_GRAVITY).then_some((RateFault::Accelerometer { gravity: length }, left))
        });
        let best = self.readings.iter().copied().chain(gravity).min_by(|(_, a), (_, b)| a.total_cmp(b));
        best.filter(|(_, left)| *left < READING_LEAVES * self.difference).map(|(fault, _)| fault)
    }

    fn factor(&self) -> Option<RateFault> {
        let factor = self.mixed / self.right;
        let left = self.recorded - factor * self.mixed;
        ((factor - 1.0).abs() > LEAST_FACTOR
            && factor != 0.0
            && left < FACTOR_LEAVES * self.difference.min(self.recorded))
        .then_some(RateFault::Factor { factor })
    }

    /// A rate that comes later by L has right − recorded ≈ L times its change.
    fn late(&self) -> Option<RateFault> {
        let (mixed, changes) = self.late;
        let seconds = mixed / changes;
        (seconds.abs() > LEAST_LAG && mixed * mixed > LAG_EXPLAINS * self.difference * changes)
            .then_some(RateFault::Late { seconds })
    }

    /// The rate is clearly there, and what was recorded is something else.
    fn unexplained(&self) -> Option<RateFault> {
        let follows = self.mixed > 0.0 && self.mixed * self.mixed > FOLLOWS * self.right * self.recorded;
        (!follows && self.neighbours > SMOOTH * self.right).then_some(RateFault::Unexplained)
    }
}
