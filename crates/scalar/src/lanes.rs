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
    /// Writes one row of N doubles per lane, that of lane l starting at `out[l * stride]`.
    fn store_rows<const N: usize>(values: &[Self; N], out: &mut [f64], stride: usize);
}

/// A 4×4 transposition with shuffles of whole registers, which the compiler does not find by itself.
#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[inline(always)]
fn transposed(rows: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    use safe_arch::{m256d, permute2z_m256d, unpack_hi_m256d, unpack_lo_m256d};
    let [a, b, c, d] =
        [m256d::from(rows[0]), m256d::from(rows[1]), m256d::from(rows[2]), m256d::from(rows[3])];
    let (ab_even, ab_odd) = (unpack_lo_m256d(a, b), unpack_hi_m256d(a, b));
    let (cd_even, cd_odd) = (unpack_lo_m256d(c, d), unpack_hi_m256d(c, d));
    [
        permute2z_m256d::<0x20>(ab_even, cd_even).to_array(),
        permute2z_m256d::<0x20>(ab_odd, cd_odd).to_array(),
        permute2z_m256d::<0x31>(ab_even, cd_even).to_array(),
        permute2z_m256d::<0x31>(ab_odd, cd_odd).to_array(),
    ]
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
#[inline(always)]
fn transposed_pair(a: [f64; 4], b: [f64; 4]) -> [[f64; 2]; 4] {
    use safe_arch::{m256d, unpack_hi_m256d, unpack_lo_m256d};
    let even = unpack_lo_m256d(m256d::from(a), m256d::from(b)).to_array();
    let odd = unpack_hi_m256d(m256d::from(a), m256d::from(b)).to_array();
    [[even[0], even[1]], [odd[0], odd[1]], [even[2], even[3]], [odd[2], odd[3]]]
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
fn transposed(rows: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|lane| std::array::from_fn(|k| rows[k][lane]))
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
fn transposed_pair(a: [f64; 4], b: [f64; 4]) -> [[f64; 2]; 4] {
    std::array::from_fn(|lane| [a[lane], b[lane]])
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
            fn store_rows<const N: usize>(values: &[Self; N], out: &mut [f64], stride: usize) {
                for first in (0..$width).step_by(4) {
                    let four = |k: usize| -> [f64; 4] {
                        let lanes = values[k].to_array();
                        std::array::from_fn(|lane| lanes[first + lane])
                    };
                    let mut rows = [[0.0; N]; 4];
                    let mut k = 0;
                    while k + 4 <= N {
                        let turned = transposed([four(k), four(k + 1), four(k + 2), four(k + 3)]);
                        for lane in 0..4 {
                            rows[lane][k..k + 4].copy_from_slice(&turned[lane]);
                        }
                        k += 4;
                    }
                    while k + 2 <= N {
                        let turned = transposed_pair(four(k), four(k + 1));
                        for lane in 0..4 {
                            rows[lane][k..k + 2].copy_from_slice(&turned[lane]);
                        }
                        k += 2;
                    }
                    if k < N {
                        let last = four(k);
                        for lane in 0..4 {
                            rows[lane][k] = last[lane];
                        }
                    }
                    for lane in 0..4 {
                        let at = (first + lane) * stride;
                        out[at..at + N].copy_from_slice(&rows[lane]);
                    }
                }
            }
        }
        impl Trigonometric for $name {
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                // The vector polynomial reduces its argument in double precision only: accurate for the
                // angles of joints, not for thousands of turns. Those go through the library, lane by lane.
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
