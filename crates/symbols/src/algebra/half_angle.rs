//! Half-angle tangents: sin a = 2t/(1 + t²), cos a = (1 − t²)/(1 + t²).
//!
//! Polynomials in sines and cosines do not factor uniquely (sin² = (1 − cos)(1 + cos)), those in t do. A
//! polynomial of degree k in the sine and cosine of an angle is one of degree ≤ 2k in t over (1 + t²)ᵏ, and
//! the reverse. So common factors are sought in t, and what is read is written in sines and cosines.

use std::sync::Arc;

use steiner_scalar::{Field, Fp};

use super::monomial::Monomial;
use super::names::{Names, Variable};
use super::polynomial::Polynomial;
use super::radical::Radical;
use super::terms::Terms;

/// Sine and cosine of the angle with the half-angle tangent t; zero where t² = −1.
pub(crate) fn circle(t: Fp) -> (Fp, Fp) {
    let norm = (Fp::one() + t * t).try_inv().unwrap_or(Fp::zero());
    ((t + t) * norm, (Fp::one() - t * t) * norm)
}

/// 1 + σ x² at a place.
fn one_and_square(places: usize, place: usize, sign: i64) -> Terms {
    let square = Terms::monomial(Monomial::one(places).with(place, 2), sign.into());
    square.plus(&Terms::constant(places, 1.into()))
}

/// (1 + t²)ᵏ for each angle.
pub(crate) fn weight(names: &Names, powers: &[u16]) -> Terms {
    let (lengths, places) = (names.lengths.len(), names.freedoms());
    powers.iter().enumerate().fold(Terms::constant(places, 1.into()), |product, (k, &power)| {
        product.times(&one_and_square(places, lengths + k, 1).power(power.into()))
    })
}

/// P and k with polynomial = P(lengths, tangents) / Π (1 + t²)ᵏ, k as small as it can be.
pub(crate) fn to_tangents(polynomial: &Polynomial) -> (Terms, Vec<u16>) {
    let names = &polynomial.names;
    let (lengths, angles, places) = (names.lengths.len(), names.angles.len(), names.freedoms());
    let pair = |m: &Monomial, k: usize| (m.exponent(lengths + 2 * k), m.exponent(lengths + 2 * k + 1));
    let powers: Vec<u16> = (0..angles)
        .map(|k| {
            let degree = |m: &Monomial| pair(m, k).0 + pair(m, k).1;
            polynomial.terms.iter().map(|(m, _)| degree(m)).max().unwrap_or(0)
        })
        .collect();
    let mut out = Terms::zero(places);
    for (m, c) in polynomial.terms.iter() {
        let mut exponents = m.exponents()[..lengths].to_vec();
        exponents.resize(places, 0);
        let mut term = Terms::monomial(Monomial::new(exponents), c.clone());
        for (k, &power) in powers.iter().enumerate() {
            let ((cosines, sines), place) = (pair(m, k), lengths + k);
            let twice = Terms::indeterminate(places, place).scaled(&2.into());
            term = term.times(&one_and_square(places, place, -1).power(cosines.into()));
            term = term.times(&twice.power(sines.into()));
            term = term.times(&one_and_square(places, place, 1).power((power - cosines - sines).into()));
        }
        out = out.plus(&term);
    }
    (out, powers)
}

/// P / Π (1 + t²)ᵏ as a polynomial in sines and cosines; the degree of P in each t is at most 2k.
pub(crate) fn from_tangents(names: &Arc<Names>, terms: &Terms, powers: &[u16]) -> Polynomial {
    let (lengths, places) = (names.lengths.len(), names.indeterminates());
    let half = Radical::from(steiner_scalar::Rational::ONE / steiner_scalar::Rational::from(2));
    let mut out = Terms::zero(places);
    for (m, c) in terms.iter() {
        let mut exponents = m.exponents()[..lengths].to_vec();
        exponents.resize(places, 0);
        let mut term = Terms::monomial(Monomial::new(exponents), c.clone());
        for (k, &power) in powers.iter().enumerate() {
            let e = m.exponent(lengths + k);
            let cosine = Terms::indeterminate(places, lengths + 2 * k);
            let one = Terms::constant(places, 1.into());
            // t²/(1 + t²) = (1 − cos)/2, 1/(1 + t²) = (1 + cos)/2, t/(1 + t²) = sin/2.
            let lower = one.minus(&cosine).scaled(&half).power(u32::from(e / 2));
            let upper = one.plus(&cosine).scaled(&half).power(u32::from(power - e / 2 - e % 2));
            term = term.times(&lower).times(&upper);
            if e % 2 == 1 {
                term = term.times(&Terms::indeterminate(places, lengths + 2 * k + 1).scaled(&half));
            }
        }
        out = out.plus(&term);
    }
    Polynomial::reduced(names, out)
}

/// The powers of 1 + t² under which both are polynomials in sines and cosines.
pub(crate) fn powers_for(names: &Names, parts: [&Terms; 2]) -> Vec<u16> {
    let lengths = names.lengths.len();
    (0..names.angles.len())
        .map(|k| parts.iter().map(|part| part.degree_in(lengths + k)).max().unwrap_or(0).div_ceil(2))
        .collect()
}

/// The quotient of two polynomials in sines and cosines, if it is one.
pub(crate) fn over(dividend: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
    let names = &dividend.names;
    let of = |terms: Terms| Polynomial { names: names.clone(), terms };
    let sines = |k: usize| names.place(Variable::Sine(k));
    // Where each sine has a power of at most one, their products are independent over all else,
    // and each is divided by itself.
    if (0..names.angles.len()).all(|k| divisor.terms.degree_in(sines(k)) == 0) {
        return dividend.terms.over(&divisor.terms).map(of);
    }
    if let Some(k) =
        (0..names.angles.len()).find(|&k| *divisor == Polynomial::variable(names, Variable::Sine(k)))
    {
        return over_sine(dividend, k).map(of);
    }
    let (a, high) = to_tangents(dividend);
    let (b, low) = to_tangents(divisor);
    // The divisor is no multiple of 1 + t², as its k is the smallest, so its factors
    // are factors of the dividend's P.
    let quotient = a.over(&b)?;
    let powers = high.iter().zip(&low).map(|(a, b)| a.checked_sub(*b)).collect::<Option<Vec<_>>>()?;
    let fits = |k: usize| quotient.degree_in(names.lengths.len() + k) <= 2 * powers[k];
    (0..powers.len()).all(fits).then(|| from_tangents(names, &quotient, &powers))
}

/// (A + B sin) / sin = B + sin A/(1 − cos²).
fn over_sine(dividend: &Polynomial, angle: usize) -> Option<Terms> {
    let names = &dividend.names;
    let [cosine, sine] = [Variable::Cosine(angle), Variable::Sine(angle)].map(|v| names.place(v));
    let mut parts = dividend.terms.coefficients_in(sine).into_iter();
    let (without, with) = (parts.next()?, parts.next());
    let places = dividend.terms.places();
    let quotient = without.over(&one_and_square(places, cosine, -1))?;
    let first = quotient.times_monomial(&Monomial::one(places).with(sine, 1));
    Some(with.map_or(first.clone(), |with| with.plus(&first)))
}
