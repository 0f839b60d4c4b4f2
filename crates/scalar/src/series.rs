//! Power series over F_p, cut off after `N` coefficients: functions along a curve, seen from one of its points.
//!
//! A series is invertible when its constant term is not zero, and only such numbers are pivots: an elimination
//! that finds them is the one at the point itself, carried along the curve. So Newton's iteration, started at
//! one exact solution of polynomial equations, gives the curve of solutions through it coefficient by
//! coefficient (Hensel), and nothing is ever rounded.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::exact::{Evaluated, EvaluationError, Exact};
use crate::field::{Field, Scalar};
use crate::prime::{Fp, Products};

/// c₀ + c₁ t + … + c_{N−1} t^{N−1}, modulo t^N, N ≤ 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series<const N: usize>([Fp; N]);

impl<const N: usize> Series<N> {
    /// From its coefficients, the constant one first.
    pub fn new(coefficients: [Fp; N]) -> Self {
        Series(coefficients)
    }

    /// A constant.
    pub fn constant(c: Fp) -> Self {
        let mut out = [Fp::zero(); N];
        out[0] = c;
        Series(out)
    }

    /// Its coefficients, the constant one first.
    pub fn coefficients(&self) -> &[Fp; N] {
        &self.0
    }

    /// Coefficients up to the last that is not zero.
    fn length(&self) -> usize {
        self.0.iter().rposition(|c| *c != Fp::zero()).map_or(0, |last| last + 1)
    }

    /// Whether all coefficients are zero.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|c| *c == Fp::zero())
    }

    /// (cos x, sin x / √n) of x = √n·self for a series without constant term: both are series in n and the
    /// argument, so no root is needed.
    pub fn turned(self, n: Self) -> (Self, Self) {
        let square = -(n * self * self);
        let (mut cos, mut sin) = (Self::one(), self);
        let (mut even, mut odd) = (Self::one(), self);
        // The argument starts with t: its k-th power starts with t^k.
        for k in (2..=N as i64).step_by(2) {
            even = even * square * Self::from_i64(k * (k - 1)).inv();
            odd = odd * square * Self::from_i64(k * (k + 1)).inv();
            cos += even;
            sin += odd;
        }
        (cos, sin)
    }
}

impl<const N: usize> Add for Series<N> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const N: usize> Sub for Series<N> {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<const N: usize> Neg for Series<N> {
    type Output = Self;
    fn neg(self) -> Self {
        Series(self.0.map(|c| -c))
    }
}

impl<const N: usize> Mul for Series<N> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        const { assert!(N <= Products::MOST, "sums of products are reduced once") };
        // Most numbers of a tree are constants or low powers.
        let mut out = [Fp::zero(); N];
        let (own, others) = (&self.0[..self.length()], &other.0[..other.length()]);
        match (own, others) {
            ([], _) | (_, []) => return Series(out),
            ([factor], terms) | (terms, [factor]) => {
                out.iter_mut().zip(terms).for_each(|(x, term)| *x = *factor * *term);
                return Series(out);
            }
            _ => {}
        }
        let mut sums = [Products::default(); N];
        for (i, a) in own.iter().enumerate().filter(|(_, a)| **a != Fp::zero()) {
            sums[i..].iter_mut().zip(others).for_each(|(sum, b)| sum.add(*a, *b));
        }
        let long = own.len() + others.len() - 1;
        out.iter_mut().zip(&sums).take(long).for_each(|(x, sum)| *x = sum.residue());
        Series(out)
    }
}

impl<const N: usize> AddAssign for Series<N> {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl<const N: usize> SubAssign for Series<N> {
    fn sub_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a -= b);
    }
}

impl<const N: usize> Field for Series<N> {
    const EXACT: bool = true;
    fn zero() -> Self {
        Series([Fp::zero(); N])
    }
    fn one() -> Self {
        Self::constant(Fp::one())
    }
    fn from_i64(n: i64) -> Self {
        Self::constant(Fp::from_i64(n))
    }
    /// `None` without a constant term: no unit of the ring.
    fn try_inv(&self) -> Option<Self> {
        let first = self.0[0].try_inv()?;
        let mut out = [Fp::zero(); N];
        out[0] = first;
        let length = self.length();
        if length == 1 {
            return Some(Series(out));
        }
        for k in 1..N {
            let mut sum = Products::default();
            let (own, others) = (&self.0[1..length.min(k + 1)], &out[..k]);
            own.iter().zip(others.iter().rev()).for_each(|(a, b)| sum.add(*a, *b));
            out[k] = -(sum.residue() * first);
        }
        Some(Series(out))
    }
    fn pivot_weight(&self) -> f64 {
        self.0[0].pivot_weight()
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        let found = Fp::evaluate(source)?;
        Ok(Evaluated { value: Self::constant(found.value), rounded: found.rounded })
    }
    fn evaluate_sin_cos(angle: &Exact) -> Result<Evaluated<(Self, Self)>, EvaluationError> {
        let Evaluated { value: (sin, cos), rounded } = Fp::evaluate_sin_cos(angle)?;
        Ok(Evaluated { value: (Self::constant(sin), Self::constant(cos)), rounded })
    }
}

impl<const N: usize> Scalar for Series<N> {
    const LARGE: bool = true;

    fn from_f64(x: f64) -> Self {
        Self::constant(Fp::from_f64(x))
    }
    fn inv(self) -> Self {
        self.try_inv().expect("a series without constant term has no inverse")
    }
    fn half(self) -> Self {
        Series(self.0.map(Fp::half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Series<8> {
        Series::new(std::array::from_fn(|k| Fp::new(3 * k as u64 + 2)))
    }

    #[test]
    fn a_series_times_its_inverse_is_one() {
        assert_eq!(ramp() * ramp().inv(), Series::one());
        assert_eq!((ramp() - Series::from_i64(2)).try_inv(), None);
    }

    #[test]
    fn the_largest_residues_of_the_longest_series_are_multiplied_exactly() {
        // (−1 − t − t² − …)² = 1 + 2 t + 3 t² + …
        let series = Series::<64>::new([-Fp::one(); 64]);
        let square = series * series;
        assert!((0..64).all(|k| square.coefficients()[k] == Fp::new(k as u64 + 1)));
        assert_eq!(series * series.inv(), Series::one());
    }

    #[test]
    fn sine_and_cosine_lie_on_the_ellipse_of_their_axis() {
        let (x, n) = (ramp() - Series::from_i64(2), Series::from_i64(7));
        let (cos, sin) = x.turned(n);
        assert_eq!(cos * cos + n * sin * sin, Series::one());
        // sin x = x − x³/6 for n = 1, to the fourth order of t.
        let (_, sin) = Series::<4>::new([0, 1, 0, 0].map(Fp::new)).turned(Series::one());
        assert_eq!(sin.coefficients()[3], -Fp::new(6).inv());
    }
}
