//! The number traits: what an algorithm may ask of its scalar.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use crate::exact::{Evaluated, EvaluationError, Exact, Function};

/// A commutative field (floating point stands in for one).
///
/// Implemented by numbers of any size: F_p and the reals here, rationals and rational functions elsewhere.
pub trait Field:
    Clone
    + Debug
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// Whether its arithmetic is exact, so that any non-zero number is as good a pivot as any other.
    const EXACT: bool = false;
    /// The additive identity.
    fn zero() -> Self;
    /// The multiplicative identity.
    fn one() -> Self;
    /// The image of an integer.
    fn from_i64(n: i64) -> Self;
    /// The multiplicative inverse, or `None` for zero.
    fn try_inv(&self) -> Option<Self>;
    /// How good a pivot this number is: 0 exactly for zero, larger is better. In a finite field every
    /// non-zero number is as good as any other.
    fn pivot_weight(&self) -> f64;
    /// Evaluates an exact source in this field, and says whether it had to be rounded to a number the
    /// field can represent. (Floating point always rounds to its own precision; that doesn't count.)
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError>;
    /// Sine and cosine of an exact angle, on the unit circle exactly even where they are rounded.
    fn evaluate_sin_cos(angle: &Exact) -> Result<Evaluated<(Self, Self)>, EvaluationError> {
        let sin = Self::evaluate(&angle.clone().call(Function::Sin))?;
        let cos = Self::evaluate(&angle.clone().call(Function::Cos))?;
        Ok(Evaluated { value: (sin.value, cos.value), rounded: sin.rounded || cos.rounded })
    }
}

/// What kernels need: a `Copy` field with fused operations and no order, so that SIMD lanes qualify.
pub trait Scalar: Field + Copy + AddAssign + SubAssign + Send + Sync {
    /// Whether its operations are functions of their own, beside which another call is cheap. Formulas of
    /// such numbers are compiled once each; those of small ones are inlined.
    const LARGE: bool = false;
    /// The image of a double, exact in every scalar (a double is a dyadic rational).
    fn from_f64(x: f64) -> Self;
    /// `self * a + b`, fused where the hardware can.
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        self * a + b
    }
    /// The inverse of a number known to be non-zero. Floating point answers an infinity for zero; F_p
    /// panics, as it marks a broken invariant of the caller.
    fn inv(self) -> Self;
    /// One half, which every scalar here has.
    #[inline(always)]
    fn half(self) -> Self {
        self * Self::from_f64(0.5)
    }
}

/// Scalars in which an angle makes sense.
pub trait Trigonometric: Scalar {
    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);
}

/// Ordered real numbers of some precision.
pub trait Real: Trigonometric + PartialOrd + Div<Output = Self> {
    /// Distance from 1 to the next number, the unit of every tolerance.
    fn epsilon() -> Self;
    /// π.
    fn pi() -> Self;
    /// Square root of a non-negative number (NaN otherwise).
    fn sqrt(self) -> Self;
    /// The angle of the point (x = `other`, y = `self`), in (−π, π].
    fn atan2(self, other: Self) -> Self;
    /// The nearest double.
    fn to_f64(self) -> f64;
    /// Absolute value.
    fn abs(self) -> Self {
        if self < Self::zero() { -self } else { self }
    }
    /// The larger of two numbers.
    fn max(self, other: Self) -> Self {
        if self < other { other } else { self }
    }
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }
}

impl Field for f64 {
    #[inline(always)]
    fn zero() -> Self {
        0.0
    }
    #[inline(always)]
    fn one() -> Self {
        1.0
    }
    #[inline(always)]
    fn from_i64(n: i64) -> Self {
        n as f64
    }
    fn try_inv(&self) -> Option<Self> {
        (*self != 0.0).then(|| 1.0 / self)
    }
    fn pivot_weight(&self) -> f64 {
        f64::abs(*self)
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        // Through double-double, so that a sum such as 0.45 - 0.31 is the double nearest to 0.14.
        let wide = crate::DoubleDouble::evaluate(source)?;
        Ok(Evaluated { value: wide.value.to_f64(), rounded: wide.rounded })
    }
}

impl Scalar for f64 {
    #[inline(always)]
    fn from_f64(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        // Without hardware FMA, `f64::mul_add` is a slow library call.
        if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
            f64::mul_add(self, a, b)
        } else {
            self * a + b
        }
    }
    #[inline(always)]
    fn inv(self) -> Self {
        1.0 / self
    }
}

impl Trigonometric for f64 {
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
}

impl Real for f64 {
    fn epsilon() -> Self {
        f64::EPSILON
    }
    fn pi() -> Self {
        std::f64::consts::PI
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn atan2(self, other: Self) -> Self {
        f64::atan2(self, other)
    }
    fn to_f64(self) -> f64 {
        self
    }
}
