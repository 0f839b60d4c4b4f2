//! Polynomials in the sine and cosine of angles, by linearly independent functions.
//!
//! A polynomial of degree k in sin a and cos a is a combination of the 2k + 1 functions 1, c, s, c
//! s, s², c s², s³ …, numbered from 0: sⁿ has the number 2n, c sⁿ the number 2n + 1, where the
//! last is sᵏ. As weights of mechanisms are made of squares of sines rather than of powers of
//! half-angle tangents, few of them occur.

use std::sync::Arc;

use steiner_scalar::{Field, Fp};

use super::half_angle::circle;
use super::monomial::Monomial;
use super::names::Names;
use super::polynomial::Polynomial;
use super::rational_function::RationalFunction;
use super::terms::Terms;
use super::univariate::Fraction;

impl Fraction {
    /// The degree in sine and cosine, if the fraction in t = tan(a/2) is a polynomial in them: its
    /// denominator is (1 + t²)ᵏ then.
    pub(crate) fn harmonics(&self) -> Option<u16> {
        let order = self.denominator.len().checked_sub(1)?;
        if order % 2 == 1 || self.numerator.len() > order + 1 {
            return None;
        }
        let degree = order / 2;
        // Binomial coefficients, of which the first is 1.
        let mut power = vec![Fp::one()];
        for _ in 0..degree {
            let shifted = [Fp::zero(), Fp::zero()].into_iter().chain(power.iter().copied());
            let same = power.iter().copied().chain([Fp::zero(), Fp::zero()]);
            power = same.zip(shifted).map(|(a, b)| a + b).collect();
        }
        let scale = self.denominator[0];
        let same = power.iter().zip(&self.denominator).all(|(a, b)| *a * scale == *b);
        same.then_some(degree as u16)
    }
}

/// Powers of the lengths and the numbered functions of the angles at a point of lengths and half-angle
/// tangents, as far as bounds ask for them.
pub(crate) fn powers(point: &[Fp], bounds: &[u16], degrees: &[u16]) -> Vec<Vec<Fp>> {
    let lengths = point.len() - degrees.len();
    let of_angle = |t: Fp, most: u16| {
        let (sine, cosine) = circle(t);
        let of_sine = powers_of(sine, most / 2);
        let interleaved = of_sine.iter().flat_map(|&power| [power, cosine * power]);
        interleaved.take(usize::from(most) + 1).collect()
    };
    let each = point.iter().zip(bounds).enumerate();
    each.map(|(place, (&x, &most))| if place < lengths { powers_of(x, most) } else { of_angle(x, most) })
        .collect()
}

/// 1, x, x² …
pub(crate) fn powers_of(x: Fp, most: u16) -> Vec<Fp> {
    std::iter::successors(Some(Fp::one()), |power| Some(*power * x)).take(usize::from(most) + 1).collect()
}

/// The quotient of a numerator in lengths and numbered functions and a denominator in
/// lengths, without common factors.
pub(crate) fn function(names: &Arc<Names>, numerator: &Terms, denominator: &Terms) -> RationalFunction {
    let named = |terms: &Terms| {
        let mut out = Terms::zero(names.indeterminates());
        for (monomial, factor) in terms.iter() {
            let (lengths, angles) = monomial.exponents().split_at(names.lengths.len());
            let pairs = angles.iter().flat_map(|e| [e % 2, e / 2]);
            let exponents: Vec<u16> = lengths.iter().copied().chain(pairs).collect();
            out.add_term(Monomial::new(exponents), factor.clone());
        }
        Polynomial::reduced(names, out)
    };
    RationalFunction::in_lowest_terms(named(numerator), named(denominator))
}
