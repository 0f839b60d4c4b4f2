//! Sines and cosines in extended precision.

use std::sync::LazyLock;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::error_free::{distil, two_product};
use super::{Expansion, LONGEST};
use crate::field::{Field, Real, Scalar, Trigonometric};

/// π as a sum of doubles: two more than the widest number has, for the reduction of angles.
pub(super) static PI: LazyLock<[f64; LONGEST]> =
    LazyLock::new(|| Expansion::<LONGEST>::from_rational(&(&*HALF_PI * RBig::from(2))).0);

/// π/2 to 1500 bits: enough to reduce the largest double, by Machin's π/4 = 4 atan(1/5) − atan(1/239).
static HALF_PI: LazyLock<RBig> = LazyLock::new(|| {
    let unit = IBig::ONE << 1500;
    let arctangent_of_inverse = |n: u32| {
        let square = IBig::from(n * n);
        let mut power = &unit / IBig::from(n);
        let mut sum = IBig::ZERO;
        for k in (1u32..).step_by(2) {
            if power.is_zero() {
                break;
            }
            let term = &power / IBig::from(k);
            sum = if k % 4 == 1 { sum + term } else { sum - term };
            power /= &square;
        }
        sum
    };
    let quarter = arctangent_of_inverse(5) * IBig::from(4) - arctangent_of_inverse(239);
    RBig::from(quarter * IBig::from(2)) / RBig::from(unit)
});

/// 1/n! as sums of doubles.
static INVERSE_FACTORIALS: LazyLock<Vec<[f64; LONGEST]>> = LazyLock::new(|| {
    let factorials = (0u32..42).scan(IBig::ONE, |product, n| {
        *product *= IBig::from(n.max(1));
        Some(product.clone())
    });
    factorials.map(|n| Expansion::<LONGEST>::from_rational(&(RBig::ONE / RBig::from(n))).0).collect()
});

impl<const N: usize> Expansion<N> {
    /// The nearest multiple of π/2, modulo four, and the signed rest, without cancellation.
    fn reduced_by_quarter_turns(self) -> (i64, Self) {
        let quarters = (self.0[0] / std::f64::consts::FRAC_PI_2).round();
        if quarters.abs() > 2f64.powi(40) {
            return self.reduced_exactly();
        }
        let mut terms = [0.0; 32];
        let used = N + 2 * (N + 2);
        terms[..N].copy_from_slice(&self.0);
        let pi = &*PI;
        for i in 0..N + 2 {
            let (product, error) = two_product(-quarters, pi[i] * 0.5);
            (terms[N + 2 * i], terms[N + 2 * i + 1]) = (product, error);
        }
        (quarters as i64, Expansion(distil(&mut terms[..used])))
    }

    /// The same for angles of more turns than a few doubles of π can take away.
    fn reduced_exactly(self) -> (i64, Self) {
        let angle = self.to_rational().unwrap_or(RBig::ZERO);
        let quarters = (&angle / &*HALF_PI).round();
        let rest = angle - RBig::from(quarters.clone()) * &*HALF_PI;
        ((quarters & IBig::from(3)).try_into().unwrap_or(0), Self::from_rational(&rest))
    }

    /// Sine and cosine of a small argument by Taylor series, after halving it eight times and undoing that
    /// with the double-angle formulas (on 1 − cos, so that nothing cancels).
    fn sin_cos_small(self) -> (Self, Self) {
        const HALVINGS: i32 = 8;
        let x = self.scale(0.5f64.powi(HALVINGS));
        let x2 = x * x;
        let (mut sin, mut versine) = (x, x2.scale(0.5));
        let (mut power, factorials) = (x2, &*INVERSE_FACTORIALS);
        for k in (1..factorials.len() / 2 - 1).map(|k| 2 * k + 1) {
            let sign = if k % 4 == 3 { -1.0 } else { 1.0 };
            let term = Self::leading(&factorials[k]) * power;
            sin += (x * term).scale(sign);
            power = power * x2;
            versine += (Self::leading(&factorials[k + 1]) * power).scale(sign);
            if term.0[0].abs() <= Self::epsilon().0[0] * 1e-6 {
                break;
            }
        }
        for _ in 0..HALVINGS {
            let cos = Self::one() - versine;
            // 1 − cos 2x = 2 sin² x.
            versine = (sin * sin).scale(2.0);
            sin = (sin * cos).scale(2.0);
        }
        (sin, Self::one() - versine)
    }
}

/// Sine and cosine of r·π; exact zeros and ones at the quarter turns.
pub(super) fn sin_cos_pi<const N: usize>(r: &RBig) -> (Expansion<N>, Expansion<N>) {
    let quarters = (r * RBig::from(2)).round();
    let rest = r - RBig::from(quarters.clone()) / RBig::from(2);
    let (s, c) = if rest.is_zero() {
        (Expansion::zero(), Expansion::one())
    } else {
        (Expansion::pi() * Expansion::from_rational(&rest)).sin_cos_small()
    };
    let quadrant: i64 = (quarters & IBig::from(3)).try_into().unwrap_or(0);
    turn_by_quarters(quadrant, s, c)
}

fn turn_by_quarters<const N: usize>(
    quarters: i64,
    s: Expansion<N>,
    c: Expansion<N>,
) -> (Expansion<N>, Expansion<N>) {
    match quarters.rem_euclid(4) {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

impl<const N: usize> Trigonometric for Expansion<N> {
    fn sin_cos(self) -> (Self, Self) {
        if !self.0[0].is_finite() {
            let nan = Self::from_f64(f64::NAN);
            return (nan, nan);
        }
        let (quarters, rest) = self.reduced_by_quarter_turns();
        let (s, c) = rest.sin_cos_small();
        turn_by_quarters(quarters, s, c)
    }
}
