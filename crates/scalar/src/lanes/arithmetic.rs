//! What all lanes have in common, written once: operators, and their place among the scalars.

/// Gives lanes their operators. The type has `splat`, `new`, `to_array`, `plus`, `minus`, `times`, `over` and
/// `fused`, all `#[inline(always)]`.
macro_rules! lane_arithmetic {
    ($name:ty) => {
        impl std::ops::Add for $name {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.plus(other)
            }
        }
        impl std::ops::Sub for $name {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.minus(other)
            }
        }
        impl std::ops::Mul for $name {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.times(other)
            }
        }
        impl std::ops::Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                // Zero changes its sign, too.
                Self::splat(-0.0).minus(self)
            }
        }
        impl std::ops::AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = self.plus(other);
            }
        }
        impl std::ops::SubAssign for $name {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = self.minus(other);
            }
        }
        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_array() == other.to_array()
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.to_array().fmt(f)
            }
        }
        impl $crate::field::Field for $name {
            #[inline(always)]
            fn zero() -> Self {
                Self::splat(0.0)
            }
            #[inline(always)]
            fn one() -> Self {
                Self::splat(1.0)
            }
            #[inline(always)]
            fn from_i64(n: i64) -> Self {
                Self::splat(n as f64)
            }
            fn try_inv(&self) -> Option<Self> {
                let lanes = self.to_array();
                lanes.iter().all(|x| *x != 0.0).then(|| Self::new(lanes.map(|x| 1.0 / x)))
            }
            fn pivot_weight(&self) -> f64 {
                self.to_array().into_iter().fold(f64::INFINITY, |least, x| least.min(x.abs()))
            }
            fn evaluate(
                source: &$crate::exact::Exact,
            ) -> Result<$crate::exact::Evaluated<Self>, $crate::exact::EvaluationError> {
                let one = f64::evaluate(source)?;
                Ok($crate::exact::Evaluated { value: Self::splat(one.value), rounded: one.rounded })
            }
        }
        impl $crate::field::Scalar for $name {
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                Self::splat(x)
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.fused(a, b)
            }
            #[inline(always)]
            fn inv(self) -> Self {
                Self::splat(1.0).over(self)
            }
        }
        impl $crate::field::Trigonometric for $name {
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                // The polynomials reduce their argument for the angles of joints, not for thousands of turns.
                // Those go through the library, lane by lane.
                if $crate::lanes::Lanes::within(self, $crate::lanes::sine::REACH) {
                    $crate::lanes::sine::sin_cos(self)
                } else {
                    let lanes = $crate::lanes::sine::by_the_library(self.to_array());
                    (Self::new(lanes.0), Self::new(lanes.1))
                }
            }
        }
    };
}

pub(super) use lane_arithmetic;
