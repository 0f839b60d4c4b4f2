//! Intervals that surely hold a number, and with it its rate over time: for proofs in floating point.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::exact::{Evaluated, EvaluationError, Exact};
use crate::field::{Field, Scalar, Trigonometric};

/// All numbers from `low` to `high`. Every operation rounds outwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Least number.
    pub low: f64,
    /// Greatest number.
    pub high: f64,
}

impl Interval {
    /// A single number.
    #[inline]
    pub fn point(x: f64) -> Self {
        Interval { low: x, high: x }
    }

    /// All numbers within a distance of one, rounded outwards.
    #[inline]
    pub fn around(middle: f64, radius: f64) -> Self {
        outwards(middle - radius, middle + radius)
    }

    /// The largest size of a number in it.
    #[inline]
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Sine and cosine: library functions are exact to an ulp, the neighbours make up for it.
    fn sine_range(self) -> Self {
        const QUARTER: f64 = std::f64::consts::FRAC_PI_2;
        // Far angles lose digits of π; wide intervals are everything.
        let width = self.high - self.low;
        if width.is_nan() || width >= 6.25 || self.magnitude() > 1e6 {
            return Interval { low: -1.0, high: 1.0 };
        }
        let (a, b) = (self.low.sin(), self.high.sin());
        let mut out = Interval { low: a.min(b) - SINE_ERROR, high: a.max(b) + SINE_ERROR };
        // Does a crest (π/2 + 2πk) or a trough lie inside, or so near that rounding cannot tell?
        let holds = |at: f64| {
            let turns = ((self.low - at - SINE_ERROR) / (4.0 * QUARTER)).ceil();
            at + turns * 4.0 * QUARTER <= self.high + 1e-9
        };
        if holds(QUARTER) {
            out.high = 1.0;
        }
        if holds(-QUARTER) {
            out.low = -1.0;
        }
        out
    }
}

/// More than the error of the library's sine of a moderate angle.
const SINE_ERROR: f64 = 1e-9;

#[inline]
fn outwards(low: f64, high: f64) -> Interval {
    Interval { low: low.next_down(), high: high.next_up() }
}

impl Add for Interval {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        outwards(self.low + other.low, self.high + other.high)
    }
}

impl Sub for Interval {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        outwards(self.low - other.high, self.high - other.low)
    }
}

impl Neg for Interval {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Interval { low: -self.high, high: -self.low }
    }
}

impl Mul for Interval {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let ends =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let low = ends[0].min(ends[1]).min(ends[2].min(ends[3]));
        let high = ends[0].max(ends[1]).max(ends[2].max(ends[3]));
        // Exact zeros stay exact: most products in a kinematic tree have one.
        if low == 0.0 && high == 0.0 { Interval::point(0.0) } else { outwards(low, high) }
    }
}

/// A function of time over an interval: where its values lie, and where its rates lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// Values.
    pub value: Interval,
    /// Rates, per s.
    pub rate: Interval,
}

impl Flow {
    /// A constant.
    pub fn constant(x: f64) -> Self {
        Flow { value: Interval::point(x), rate: Interval::point(0.0) }
    }
}

impl Add for Flow {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Flow { value: self.value + other.value, rate: self.rate + other.rate }
    }
}

impl Sub for Flow {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Flow { value: self.value - other.value, rate: self.rate - other.rate }
    }
}

impl Neg for Flow {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Flow { value: -self.value, rate: -self.rate }
    }
}

impl Mul for Flow {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        Flow { value: self.value * other.value, rate: self.rate * other.value + self.value * other.rate }
    }
}

impl AddAssign for Flow {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Flow {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Field for Flow {
    fn zero() -> Self {
        Flow::constant(0.0)
    }
    fn one() -> Self {
        Flow::constant(1.0)
    }
    fn from_i64(n: i64) -> Self {
        Flow::constant(n as f64)
    }
    /// Of intervals without zero alone.
    fn try_inv(&self) -> Option<Self> {
        let Interval { low, high } = self.value;
        if low <= 0.0 && high >= 0.0 {
            return None;
        }
        let value = outwards(1.0 / high, 1.0 / low);
        Some(Flow { value, rate: -(self.rate * value * value) })
    }
    fn pivot_weight(&self) -> f64 {
        let Interval { low, high } = self.value;
        if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) }
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        let found = f64::evaluate(source)?;
        let value = outwards(found.value, found.value);
        Ok(Evaluated { value: Flow { value, rate: Interval::point(0.0) }, rounded: found.rounded })
    }
}

impl Scalar for Flow {
    fn from_f64(x: f64) -> Self {
        Flow::constant(x)
    }
    fn inv(self) -> Self {
        let everything = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
        self.try_inv().unwrap_or(Flow { value: everything, rate: everything })
    }
}

impl Trigonometric for Flow {
    fn sin_cos(self) -> (Self, Self) {
        let sine = self.value.sine_range();
        let quarter = outwards(std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2);
        let cosine = (self.value + quarter).sine_range();
        (Flow { value: sine, rate: cosine * self.rate }, Flow { value: cosine, rate: -(sine * self.rate) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_rates_stay_inside() {
        // f(t) = sin(2t) (3 − t cos t) over pieces of time.
        let f = |t: f64| (2.0 * t).sin() * (3.0 - t * t.cos());
        for k in 0..400 {
            let (from, to) = (0.05 * f64::from(k) - 10.0, 0.05 * f64::from(k) - 9.93);
            let t = Flow { value: Interval { low: from, high: to }, rate: Interval::point(1.0) };
            let value = (t + t).sin_cos().0 * (Flow::constant(3.0) - t * t.sin_cos().1);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for j in 0..=50 {
                let at = from + (to - from) * f64::from(j) / 50.0;
                let (x, rate) = (f(at), (f(at + 1e-6) - f(at - 1e-6)) / 2e-6);
                assert!(value.value.low <= x && x <= value.value.high, "{at}: {x} {value:?}");
                assert!(
                    value.rate.low - 1e-6 <= rate && rate <= value.rate.high + 1e-6,
                    "{at}: {rate} {value:?}"
                );
                (low, high) = (low.min(x), high.max(x));
            }
            // Not so wide that nothing is said.
            assert!(value.value.high - value.value.low < 3.0 * (high - low) + 2.5);
        }
    }

    #[test]
    fn the_inverse_holds_all_inverses_and_refuses_zero() {
        let x = Flow { value: Interval { low: 0.5, high: 4.0 }, rate: Interval::point(1.0) };
        let y = x.inv();
        assert!(
            y.value.low <= 0.25 && y.value.high >= 2.0 && y.rate.low <= -4.0 && y.rate.high >= -1.0 / 16.0
        );
        assert!(Flow { value: Interval { low: -1.0, high: 1.0 }, rate: x.rate }.try_inv().is_none());
    }
}
