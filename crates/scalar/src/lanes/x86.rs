//! Lanes of AVX2 with FMA and of AVX-512. Both types are private: outside of this file they are met only as
//! the parameter of a kernel, and a kernel is run with them only where the processor has been asked. That is
//! why their operations are sound.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::arithmetic::lane_arithmetic;
use super::{LaneKernel, Lanes};

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

pub(super) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && has_avx2()
}

/// Runs a kernel in four lanes. Panics without AVX2, as that marks a broken invariant.
pub(super) fn run_with_avx2<K: LaneKernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx2,fma")]
    fn run<K: LaneKernel>(kernel: K) -> K::Output {
        kernel.run::<Avx2>()
    }
    assert!(has_avx2(), "lanes of AVX2 on a processor without");
    // SAFETY: the processor has what the function is compiled for.
    unsafe { run(kernel) }
}

/// Runs a kernel in eight lanes. Panics without AVX-512, as that marks a broken invariant.
pub(super) fn run_with_avx512<K: LaneKernel>(kernel: K) -> K::Output {
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
    fn run<K: LaneKernel>(kernel: K) -> K::Output {
        kernel.run::<Avx512>()
    }
    assert!(has_avx512(), "lanes of AVX-512 on a processor without");
    // SAFETY: the processor has what the function is compiled for.
    unsafe { run(kernel) }
}

macro_rules! x86_lanes {
    (
        $name:ident, $register:ty, $width:literal,
        $splat:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $fma:ident
    ) => {
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(super) struct $name($register);

        // SAFETY, of all of these: a value of this type exists only where the processor has its instructions,
        // see above; loads and stores are of whole arrays and need no alignment.
        impl $name {
            #[inline(always)]
            fn new(values: [f64; $width]) -> Self {
                Self(unsafe { $load(values.as_ptr()) })
            }
            #[inline(always)]
            fn to_array(self) -> [f64; $width] {
                let mut out = [0.0; $width];
                unsafe { $store(out.as_mut_ptr(), self.0) };
                out
            }
            #[inline(always)]
            fn splat(x: f64) -> Self {
                Self(unsafe { $splat(x) })
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Self(unsafe { $add(self.0, other.0) })
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                Self(unsafe { $sub(self.0, other.0) })
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                Self(unsafe { $mul(self.0, other.0) })
            }
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                Self(unsafe { $div(self.0, other.0) })
            }
            #[inline(always)]
            fn fused(self, a: Self, b: Self) -> Self {
                Self(unsafe { $fma(self.0, a.0, b.0) })
            }
        }

        lane_arithmetic!($name);

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
            fn load(values: &[f64]) -> Self {
                let values: &[f64] = &values[..$width];
                Self(unsafe { $load(values.as_ptr()) })
            }
            #[inline(always)]
            fn store(self, out: &mut [f64]) {
                let out: &mut [f64] = &mut out[..$width];
                unsafe { $store(out.as_mut_ptr(), self.0) }
            }
            #[inline(always)]
            fn within(self, bound: f64) -> bool {
                self.all_below(bound)
            }
            #[inline(always)]
            fn store_rows<const N: usize>(values: &[Self; N], out: &mut [f64], stride: usize) {
                for four in 0..$width / 4 {
                    let mut part = [values[0].four(four); N];
                    for k in 1..N {
                        part[k] = values[k].four(four);
                    }
                    store_four_rows(&part, &mut out[4 * four * stride..], stride);
                }
            }
        }
    };
}

x86_lanes!(
    Avx2,
    __m256d,
    4,
    _mm256_set1_pd,
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_div_pd,
    _mm256_fmadd_pd
);
x86_lanes!(
    Avx512,
    __m512d,
    8,
    _mm512_set1_pd,
    _mm512_loadu_pd,
    _mm512_storeu_pd,
    _mm512_add_pd,
    _mm512_sub_pd,
    _mm512_mul_pd,
    _mm512_div_pd,
    _mm512_fmadd_pd
);

// SAFETY: as above.
impl Avx2 {
    #[inline(always)]
    fn all_below(self, bound: f64) -> bool {
        unsafe {
            let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0);
            _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(size, _mm256_set1_pd(bound))) == 0b1111
        }
    }
    #[inline(always)]
    fn four(self, _which: usize) -> __m256d {
        self.0
    }
}

// SAFETY: as above.
impl Avx512 {
    #[inline(always)]
    fn all_below(self, bound: f64) -> bool {
        unsafe {
            let size = _mm512_abs_pd(self.0);
            _mm512_cmp_pd_mask::<_CMP_LT_OQ>(size, _mm512_set1_pd(bound)) == 0xff
        }
    }
    #[inline(always)]
    fn four(self, which: usize) -> __m256d {
        unsafe {
            match which {
                0 => _mm512_castpd512_pd256(self.0),
                _ => _mm512_extractf64x4_pd::<1>(self.0),
            }
        }
    }
}

/// Writes a row of N doubles for each of four lanes: transpositions with shuffles of whole registers, which
/// the compiler does not find by itself.
// SAFETY: as above; every store is into a slice of four or two doubles.
#[inline(always)]
fn store_four_rows<const N: usize>(values: &[__m256d; N], out: &mut [f64], stride: usize) {
    let mut k = 0;
    while k + 4 <= N {
        let turned = unsafe {
            let [a, b, c, d] = [values[k], values[k + 1], values[k + 2], values[k + 3]];
            let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            [
                _mm256_permute2f128_pd::<0x20>(ab_even, cd_even),
                _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
                _mm256_permute2f128_pd::<0x31>(ab_even, cd_even),
                _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd),
            ]
        };
        for lane in 0..4 {
            let four: &mut [f64] = &mut out[lane * stride + k..lane * stride + k + 4];
            unsafe { _mm256_storeu_pd(four.as_mut_ptr(), turned[lane]) };
        }
        k += 4;
    }
    while k + 2 <= N {
        let turned = unsafe {
            let even = _mm256_unpacklo_pd(values[k], values[k + 1]);
            let odd = _mm256_unpackhi_pd(values[k], values[k + 1]);
            [
                _mm256_castpd256_pd128(even),
                _mm256_castpd256_pd128(odd),
                _mm256_extractf128_pd::<1>(even),
                _mm256_extractf128_pd::<1>(odd),
            ]
        };
        for lane in 0..4 {
            let two: &mut [f64] = &mut out[lane * stride + k..lane * stride + k + 2];
            unsafe { _mm_storeu_pd(two.as_mut_ptr(), turned[lane]) };
        }
        k += 2;
    }
    if k < N {
        let mut last = [0.0; 4];
        unsafe { _mm256_storeu_pd(last.as_mut_ptr(), values[k]) };
        for (lane, x) in last.into_iter().enumerate() {
            out[lane * stride + k] = x;
        }
    }
}
