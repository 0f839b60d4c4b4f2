//! Rationals behind real numbers of many digits.
//!
//! Continued fractions give the best approximations n/d of x. Among numbers of b bits a random one is approximated to its last bit only by n·d ≈ 2ᵇ;
//! an n/d much shorter than that explains digits it did not need, and those left over are the evidence.

use steiner_scalar::{DoubleDouble, Expansion, Fp, QuadDouble, Rational, Real};

use super::radical::Radical;

/// Bits that must be left over: a random number is mistaken for a rational once in a million, and found out when the function it led to
/// meets fresh values.
pub const EVIDENCE_BITS: f64 = 20.0;

/// A real with a known number of digits.
pub trait Digits: Real {
    /// Its exact value; `None` if it is not finite.
    fn exactly(self) -> Option<Rational>;
    /// Bits of its mantissa.
    const BITS: f64;
}

impl Digits for DoubleDouble {
    fn exactly(self) -> Option<Rational> {
        self.to_rational()
    }
    const BITS: f64 = 104.0;
}

impl Digits for QuadDouble {
    fn exactly(self) -> Option<Rational> {
        self.to_rational()
    }
    const BITS: f64 = 208.0;
}

/// The rational a number is, where `error` bounds the relative error of the number (rounding and what its computation added; 0 stands for the
/// type's own).
///
/// n/d is accepted if it lies within the error and n·d has [`EVIDENCE_BITS`] fewer bits than the number has correct ones; numbers below
/// the error in absolute value are 0.
///
/// ```
/// use steiner_scalar::{DoubleDouble, Field, QuadDouble, Rational, Real};
/// use steiner_symbols::algebra::{recognise_radical, recognise_rational};
/// let third = DoubleDouble::one() / DoubleDouble::from_i64(3);
/// assert_eq!(recognise_rational(third, 0.0), Some(Rational::ONE / Rational::from(3)));
/// assert_eq!(recognise_rational(DoubleDouble::pi(), 0.0), None);
/// let root = QuadDouble::from_i64(12).sqrt() / QuadDouble::from_i64(7);
/// assert_eq!(recognise_radical(root, 0.0).unwrap().to_string(), "2/7*sqrt(3)");
/// ```
pub fn recognise_rational<R: Digits>(x: R, error: f64) -> Option<Rational> {
    let error = error.max((-R::BITS).exp2());
    let exact = x.exactly()?;
    if exact.is_zero() || x.abs().to_f64() < error {
        return Some(Rational::ZERO);
    }
    let correct_bits = -error.log2();
    let tolerance = Rational::try_from(error).ok()? * absolute(&exact);
    let (mut rest, mut before, mut last) = (exact.clone(), (0.into(), 1.into()), (1.into(), 0.into()));
    loop {
        let whole = rest.floor();
        let next: (dashu_int::IBig, dashu_int::IBig) =
            (&whole * &last.0 + &before.0, &whole * &last.1 + &before.1);
        (before, last) = (last, next);
        let candidate = Rational::from_parts_signed(last.0.clone(), last.1.clone());
        let (n, d) = (candidate.numerator().clone(), candidate.denominator().clone());
        if bits(&n) + bits(&d.into()) > correct_bits - EVIDENCE_BITS {
            return None;
        }
        if absolute(&(&candidate - &exact)) <= tolerance {
            return Some(candidate);
        }
        let fraction = rest - Rational::from(whole);
        if fraction.is_zero() {
            return None;
        }
        rest = Rational::ONE / fraction;
    }
}

/// The number q or q √d (d a product of 2, 3, 5, 7) a real is, under the same conditions.
pub fn recognise_radical<R: Digits>(x: R, error: f64) -> Option<Radical> {
    if let Some(q) = recognise_rational(x, error) {
        return Some(q.into());
    }
    let error = error.max((-R::BITS).exp2());
    let radicands = (2..=210u64).filter(|d| 210 % d == 0);
    radicands.into_iter().find_map(|d| {
        let root = R::from_i64(d as i64).sqrt();
        // The quotient has an error of its own.
        let q = recognise_rational(x / root, 4.0 * error)?;
        Radical::root(q, d)
    })
}

/// The image in the prime field of the number a real is.
pub fn recognise_residue<const N: usize>(x: Expansion<N>, error: f64) -> Option<Fp>
where
    Expansion<N>: Digits,
{
    recognise_radical(x, error)?.to_fp()
}

fn absolute(r: &Rational) -> Rational {
    if *r < Rational::ZERO { -r.clone() } else { r.clone() }
}

fn bits(n: &dashu_int::IBig) -> f64 {
    use dashu_int::ops::BitTest;
    n.bit_len() as f64
}
