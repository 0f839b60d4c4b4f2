//! Extended precision: a number as the unevaluated sum of `N` doubles of falling magnitude.
//!
//! `N = 2` carries about 31 digits, `N = 4` about 62, `N = 8` about 124. Products and sums are formed as longer lists of
//! doubles by error-free transformations (two-sum, two-product) and brought back to `N` components.

mod arithmetic;
mod error_free;
mod evaluate;
mod trigonometry;

use std::cmp::Ordering;

use dashu_ratio::RBig;
use evaluate::evaluate_real;
use trigonometry::PI;

use crate::exact::{Evaluated, EvaluationError, Exact};
use crate::field::{Field, Real, Scalar, Trigonometric};

/// A real number of 30 digits or more.
pub type DoubleDouble = Expansion<2>;
/// A real number of 60 digits or more.
pub type QuadDouble = Expansion<4>;
/// A real number of 120 digits or more.
pub type OctoDouble = Expansion<8>;

/// Components of the constants that all precisions share: two more than the widest number has.
const LONGEST: usize = 10;

/// The unevaluated sum of `N` doubles, each at most half a unit in the last place of the one before.
#[derive(Clone, Copy, Debug)]
pub struct Expansion<const N: usize>([f64; N]);

impl<const N: usize> Expansion<N> {
    /// The components, largest first; their exact sum is the number.
    pub fn components(self) -> [f64; N] {
        self.0
    }

    /// The exact value as a rational number, or `None` when not finite.
    pub fn to_rational(self) -> Option<RBig> {
        let mut sum = RBig::ZERO;
        for x in self.0 {
            sum += RBig::try_from(x).ok()?;
        }
        Some(sum)
    }

    /// The nearest number to a rational.
    pub fn from_rational(r: &RBig) -> Self {
        let mut rest = r.clone();
        let mut out = [0.0; N];
        for x in &mut out {
            *x = rest.to_f64().value();
            match RBig::try_from(*x) {
                Ok(head) => rest -= head,
                Err(_) => break,
            }
        }
        Expansion(out)
    }

    /// The rational with 30 decimal places nearest to the number; zero when not finite.
    pub fn round_to_thirty_places(self) -> RBig {
        let scale = RBig::from(dashu_int::IBig::from(10).pow(30));
        let scaled = self.to_rational().unwrap_or(RBig::ZERO) * &scale;
        RBig::from(scaled.round()) / scale
    }

    /// The first components of a longer sum.
    fn leading(components: &[f64; LONGEST]) -> Self {
        Expansion(std::array::from_fn(|k| components[k]))
    }

    fn map_finite(self, f: impl FnOnce(Self) -> Self) -> Self {
        if self.0[0].is_finite() { f(self) } else { Self::from_f64(f64::NAN) }
    }

    /// An operation on `M` components each, which these have.
    #[inline(always)]
    fn by<const M: usize>(
        self,
        other: Self,
        operation: impl Fn([f64; M], [f64; M]) -> Option<[f64; M]>,
    ) -> Option<Self> {
        let (&a, &b) = (self.0.first_chunk()?, other.0.first_chunk()?);
        let mut out = [0.0; N];
        *out.first_chunk_mut()? = operation(a, b)?;
        Some(Expansion(out))
    }

    fn scale(self, power_of_two: f64) -> Self {
        Expansion(self.0.map(|x| x * power_of_two))
    }
}

impl<const N: usize> PartialEq for Expansion<N> {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl<const N: usize> PartialOrd for Expansion<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        // The leading component carries the sign, of a number as of a difference.
        if self.0[0] == 0.0 || other.0[0] == 0.0 {
            return self.0[0].partial_cmp(&other.0[0]);
        }
        (*self - *other).0[0].partial_cmp(&0.0)
    }
}

impl<const N: usize> Field for Expansion<N> {
    fn zero() -> Self {
        Expansion([0.0; N])
    }
    fn one() -> Self {
        Self::from_f64(1.0)
    }
    fn from_i64(n: i64) -> Self {
        let high = n as f64;
        // The remainder of rounding a 64-bit integer to a double is itself a small integer.
        let low = (n as i128 - high as i128) as f64;
        Self::from_f64(high) + Self::from_f64(low)
    }
    fn try_inv(&self) -> Option<Self> {
        (self.0[0] != 0.0).then(|| Self::one() / *self)
    }
    fn pivot_weight(&self) -> f64 {
        self.0[0].abs()
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        let value = evaluate_real::<N>(source)?;
        if value.0[0].is_finite() {
            Ok(Evaluated { value, rounded: false })
        } else {
            Err(EvaluationError::NotFinite { expression: source.to_string() })
        }
    }
}

impl<const N: usize> Scalar for Expansion<N> {
    const LARGE: bool = true;

    fn from_f64(x: f64) -> Self {
        let mut out = [0.0; N];
        out[0] = x;
        Expansion(out)
    }
    fn inv(self) -> Self {
        Self::one() / self
    }
}

impl<const N: usize> Real for Expansion<N> {
    fn epsilon() -> Self {
        Self::from_f64(2.0f64.powi(-53 * N as i32 + 3))
    }
    fn pi() -> Self {
        Self::leading(&PI)
    }
    fn sqrt(self) -> Self {
        if self.0[0] == 0.0 {
            return self;
        }
        self.map_finite(|x| {
            // Newton on the reciprocal root: each step doubles the digits.
            let mut r = Self::from_f64(1.0 / x.0[0].sqrt());
            for _ in 0..N.next_power_of_two().trailing_zeros() + 1 {
                r += r * (Self::one() - x * r * r).scale(0.5);
            }
            let root = x * r;
            // Karp's correction makes the last component right.
            root + (x - root * root) * r.scale(0.5)
        })
    }
    fn atan2(self, other: Self) -> Self {
        let mut angle = Self::from_f64(f64::atan2(self.0[0], other.0[0]));
        let size = f64::max(self.0[0].abs(), other.0[0].abs());
        if size == 0.0 || !(self.0[0] + other.0[0]).is_finite() {
            return angle;
        }
        // Only the direction counts: bring the squares within reach.
        let to_unit_size = 2f64.powi(-(size.log2() as i32).clamp(-1000, 1000));
        let (y, x) = (self.scale(to_unit_size), other.scale(to_unit_size));
        let radius = (x * x + y * y).sqrt();
        for _ in 0..N.next_power_of_two().trailing_zeros() + 1 {
            let (s, c) = angle.sin_cos();
            // sin(θ − angle) to third order: its error is the fifth power of an error of 1e-16.
            let d = (y * c - x * s) / radius;
            angle += d + d * d * d / Self::from_i64(6);
        }
        angle
    }
    fn to_f64(self) -> f64 {
        self.0[0]
    }
}
