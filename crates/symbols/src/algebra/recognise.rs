//! Rationals behind real numbers of many digits.
//!
//! Continued fractions give the best approximations n/d of x. Among numbers of b bits a random one is
//! approximated to its last bit only by n·d ≈ 2ᵇ; an n/d much shorter than that explains digits it did not
//! need, and those left over are the evidence.

use steiner_scalar::{DoubleDouble, Expansion, Fp, QuadDouble, Rational, Real};

use super::lattice::shortest;
use super::radical::Radical;

/// Bits that must be left over: a random number is mistaken for a rational once in a million, and found out
/// when the function it led to meets fresh values.
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

/// The rational a number is, where `error` bounds the relative error of the number (rounding and what its
/// computation added; 0 stands for the type's own).
///
/// n/d is accepted if it lies within the error and n·d has [`EVIDENCE_BITS`] fewer bits than the number has
/// correct ones; numbers below the error in absolute value are 0.
///
/// ```
/// use steiner_scalar::{DoubleDouble, Field, Rational, Real};
/// use steiner_symbols::algebra::recognise_rational;
/// let third = DoubleDouble::one() / DoubleDouble::from_i64(3);
/// assert_eq!(recognise_rational(third, 0.0), Some(Rational::ONE / Rational::from(3)));
/// assert_eq!(recognise_rational(DoubleDouble::pi(), 0.0), None);
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

/// The number a + b √d, or a √c + b √d, a real is, for some of the given c and d (products of 2, 3, 5, 7;
/// they say in which field the number is to be looked for), under the same conditions.
///
/// ```
/// use steiner_scalar::{Field, QuadDouble, Real};
/// use steiner_symbols::algebra::recognise_radical;
/// let x = (QuadDouble::from_i64(5) - QuadDouble::from_i64(12).sqrt()) / QuadDouble::from_i64(7);
/// assert_eq!(recognise_radical(x, 0.0, &[2, 3]).unwrap().to_string(), "5/7 + (-2/7)*sqrt(3)");
/// assert_eq!(recognise_radical(x, 0.0, &[2]), None);
/// let both = QuadDouble::from_i64(2).sqrt() + QuadDouble::from_i64(3).sqrt();
/// assert_eq!(recognise_radical(both, 0.0, &[2, 3, 6]).unwrap().to_string(), "sqrt(2) + sqrt(3)");
/// ```
pub fn recognise_radical<R: Digits>(x: R, error: f64, roots: &[u64]) -> Option<Radical> {
    if let Some(q) = recognise_rational(x, error) {
        return Some(q.into());
    }
    let error = error.max((-R::BITS).exp2());
    let root = |d: u64| R::from_i64(d as i64).sqrt();
    // The quotient has an error of its own.
    let single = roots.iter().find_map(|&d| Radical::root(recognise_rational(x / root(d), 4.0 * error)?, d));
    let sum = |x: R, error: f64| roots.iter().find_map(|&d| sum_with_root(x, error, d, root(d).exactly()?));
    let of_two = || {
        roots.iter().filter(|_| roots.len() > 1).find_map(|&c| {
            // a √c + b √d is √c (a + b √(c d)/c).
            Some(sum(x / root(c), 4.0 * error)? * Radical::root(Rational::ONE, c)?)
        })
    };
    single.or_else(|| sum(x, error)).or_else(of_two)
}

/// a + b √d: the short vector (a, b, c) among those for which a + b √d − c x is as small as errors allow.
fn sum_with_root<R: Digits>(x: R, error: f64, d: u64, root: Rational) -> Option<Radical> {
    let exact = x.exactly()?;
    let size = absolute(&exact).to_f64().value().max(1.0);
    // In units of its last bit, what is left of the number is as many bits long as were lost on the way.
    let unit = Rational::try_from(R::BITS.exp2() / size).ok()?;
    let scaled = |r: Rational| r.round();
    let (zero, one) = (dashu_int::IBig::ZERO, dashu_int::IBig::ONE);
    let basis = [
        [one.clone(), zero.clone(), zero.clone(), scaled(unit.clone())],
        [zero.clone(), one.clone(), zero.clone(), scaled(&unit * &root)],
        [zero.clone(), zero, one, scaled(-(&unit * &exact))],
    ];
    let [a, b, c, left] = shortest(basis);
    let evidence = R::BITS - size.log2() - bits(&a) - bits(&b) - bits(&c) - bits(&left);
    let lost = bits(&left) - bits(&c) + size.log2();
    if c.is_zero() || evidence < EVIDENCE_BITS || lost > R::BITS + error.log2() {
        return None;
    }
    let over = |n: dashu_int::IBig| Rational::from_parts_signed(n, c.clone());
    Some(Radical::from(over(a)) + Radical::root(over(b), d)?)
}

/// The image in the prime field of the number a real is.
pub fn recognise_residue<const N: usize>(x: Expansion<N>, error: f64, roots: &[u64]) -> Option<Fp>
where
    Expansion<N>: Digits,
{
    recognise_radical(x, error, roots)?.to_fp()
}

fn absolute(r: &Rational) -> Rational {
    if *r < Rational::ZERO { -r.clone() } else { r.clone() }
}

fn bits(n: &dashu_int::IBig) -> f64 {
    use dashu_int::ops::BitTest;
    n.bit_len() as f64
}
