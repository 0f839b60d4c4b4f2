//! SIMD lanes of f64: one sample per lane, the same kernel for all.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::exact::{Evaluated, EvaluationError, Exact};
use crate::field::{Field, Scalar, Trigonometric};

/// Several samples side by side in one scalar: what a batched kernel asks of its lanes.
pub trait Lanes: Trigonometric {
    /// Number of samples carried.
    const WIDTH: usize;
    /// Fills each lane.
    fn from_lanes(value: impl FnMut(usize) -> f64) -> Self;
    /// One lane.
    fn lane(self, index: usize) -> f64;
    /// Writes a run of lane vectors as contiguous runs of doubles, that of lane l starting at `out[l * stride]`.
    fn store_transposed(run: &[Self], out: &mut [f64], stride: usize);
}

macro_rules! lanes {
    ($name:ident, $inner:ty, $width:literal) => {
        #[doc = concat!(stringify!($width), " samples side by side. Equality compares all lanes; there is no order.")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// Number of samples carried.
            pub const WIDTH: usize = $width;

            /// Packs one value per lane.
            #[inline(always)]
            pub fn new(values: [f64; $width]) -> Self {
                Self(<$inner>::from(values))
            }
            /// The value of each lane.
            #[inline(always)]
            pub fn to_array(self) -> [f64; $width] {
                self.0.to_array()
            }
            /// Turns `WIDTH` lane vectors into `WIDTH` contiguous runs, one per sample.
            #[inline(always)]
            pub fn transpose(block: [Self; $width]) -> [Self; $width] {
                <$inner>::transpose(block.map(|x| x.0)).map(Self)
            }
        }

        impl Add for $name {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl Sub for $name {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl Mul for $name {
            type Output = Self;
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                Self(self.0 * other.0)
            }
        }
        impl Neg for $name {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
        impl AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl SubAssign for $name {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl Field for $name {
            #[inline(always)]
            fn zero() -> Self {
                Self(<$inner>::ZERO)
            }
            #[inline(always)]
            fn one() -> Self {
                Self(<$inner>::ONE)
            }
            #[inline(always)]
            fn from_i64(n: i64) -> Self {
                Self(<$inner>::from(n as f64))
            }
            fn try_inv(&self) -> Option<Self> {
                let lanes = self.to_array();
                lanes.iter().all(|x| *x != 0.0).then(|| Self::new(lanes.map(|x| 1.0 / x)))
            }
            fn pivot_weight(&self) -> f64 {
                self.to_array().into_iter().fold(f64::INFINITY, |least, x| least.min(x.abs()))
            }
            fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
                let one = f64::evaluate(source)?;
                Ok(Evaluated { value: Self(<$inner>::from(one.value)), rounded: one.rounded })
            }
        }
        impl Scalar for $name {
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                Self(<$inner>::from(x))
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                Self(self.0.mul_add(a.0, b.0))
            }
            #[inline(always)]
            fn inv(self) -> Self {
                Self(<$inner>::ONE / self.0)
            }
        }
        impl Lanes for $name {
            const WIDTH: usize = $width;
            #[inline(always)]
            fn from_lanes(value: impl FnMut(usize) -> f64) -> Self {
                Self::new(std::array::from_fn(value))
            }
            #[inline(always)]
            fn lane(self, index: usize) -> f64 {
                self.to_array()[index]
            }
            #[inline(always)]
            fn store_transposed(run: &[Self], out: &mut [f64], stride: usize) {
                let length = run.len();
                if length < $width {
                    for (k, x) in run.iter().enumerate() {
                        for (lane, value) in x.to_array().into_iter().enumerate() {
                            out[lane * stride + k] = value;
                        }
                    }
                    return;
                }
                let mut start = 0;
                loop {
                    let block: [Self; $width] = std::array::from_fn(|k| run[start + k]);
                    for (lane, values) in Self::transpose(block).into_iter().enumerate() {
                        let at = lane * stride + start;
                        out[at..at + $width].copy_from_slice(&values.to_array());
                    }
                    if start + $width == length {
                        return;
                    }
                    // The last block overlaps the one before rather than being shorter.
                    start = (start + $width).min(length - $width);
                }
            }
        }
        impl Trigonometric for $name {
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                // The vector polynomial reduces its argument in double precision only: accurate for the angles of
                // joints, not for thousands of turns. Those go through the library, lane by lane.
                if self.to_array().iter().all(|x| x.abs() < 1.0e3) {
                    let (sin, cos) = self.0.sin_cos();
                    (Self(sin), Self(cos))
                } else {
                    let lanes = self.to_array().map(f64::sin_cos);
                    (Self::new(lanes.map(|x| x.0)), Self::new(lanes.map(|x| x.1)))
                }
            }
        }
    };
}

lanes!(F64x4, wide::f64x4, 4);
lanes!(F64x8, wide::f64x8, 8);
