//! Sine and cosine in lanes, without a branch.
//!
//! With x = (2h + d)·π/2 + r, d in {−1, 0, 1} and |r| ≤ π/4: sin x = (−1)^h ((1 − d²) sin r + d cos r), and
//! likewise the cosine. One of the two products is by zero and the other by ±1, so nothing is rounded.
//!
//! # Reference
//! Polynomials and the parts of π/2 are those of fdlibm ([fdlibm]).

use super::Lanes;

/// Below it, a multiple of π/2 times its first part is exact.
pub(super) const REACH: f64 = 1.0e3;

/// π/2 in parts of 33 bits, and the rest.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

const SINE: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sine and cosine of lanes within [`REACH`].
#[inline(always)]
pub(super) fn sin_cos<L: Lanes>(x: L) -> (L, L) {
    let number = L::from_f64;
    let quarters = rounded_product(x, std::f64::consts::FRAC_2_PI);
    let halves = rounded_product(quarters, 0.5);
    let fulls = rounded_product(halves, 0.5);
    let odd = quarters - (halves + halves);
    let odd_half = halves - (fulls + fulls);
    let sign = number(-2.0) * odd_half * odd_half + number(1.0);
    let even = number(1.0) - odd * odd;

    let [first, second, third] = HALF_PI;
    let r = x - quarters * number(first) - quarters * number(second) - quarters * number(third);
    let z = r * r;
    let sine = (r * z).mul_add(horner(&SINE, z), r);
    // 1 − z/2 with its rounding error.
    let half = z.half();
    let whole = number(1.0) - half;
    let cosine = whole + ((number(1.0) - whole) - half + z * z * horner(&COSINE, z));
    (sign * (even * sine + odd * cosine), sign * (even * cosine - odd * sine))
}

/// The integer nearest to a product below 2^51: adding 1.5·2^52 leaves no bits for a fraction.
#[inline(always)]
fn rounded_product<L: Lanes>(x: L, factor: f64) -> L {
    let magic = L::from_f64(6_755_399_441_055_744.0);
    x.mul_add(L::from_f64(factor), magic) - magic
}

/// c0 + c1 z + … + c5 z^5.
#[inline(always)]
fn horner<L: Lanes>(c: &[f64; 6], z: L) -> L {
    let mut sum = L::from_f64(c[5]);
    for k in (0..5).rev() {
        sum = sum.mul_add(z, L::from_f64(c[k]));
    }
    sum
}

/// Sines and cosines one by one.
#[cold]
pub(super) fn by_the_library<const N: usize>(lanes: [f64; N]) -> ([f64; N], [f64; N]) {
    let both = lanes.map(f64::sin_cos);
    (both.map(|x| x.0), both.map(|x| x.1))
}
