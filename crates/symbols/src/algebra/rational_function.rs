//! Quotients of polynomials, in lowest terms and one form.

use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

use steiner_scalar::{Field, Fp, Rational};

use super::gcd::gcd;
use super::half_angle::{from_tangents, powers_for, to_tangents, weight};
use super::names::Names;
use super::polynomial::Polynomial;
use super::radical::{Radical, rational_gcd};
use super::terms::Terms;

/// A rational function of named lengths, sines and cosines.
///
/// Common factors are cancelled in the half-angle tangents, where factors are unique; coefficients are
/// integers (or integer sums of roots) without a common factor, and the denominator's first is positive. So
/// equal functions have equal parts.
///
/// ```
/// use steiner_symbols::algebra::{Names, Polynomial, RationalFunction, Variable};
/// let names = Names::new(["l1", "l2"], ["a"]);
/// let of = |variable| Polynomial::variable(&names, variable);
/// let (l1, l2) = (of(Variable::Length(0)), of(Variable::Length(1)));
/// let f = RationalFunction::new(&(&l1 * &l1) - &(&l2 * &l2), &l1 + &l2).unwrap();
/// assert_eq!(f.text(), "l1 - l2");
/// let (s, c) = (of(Variable::Sine(0)), of(Variable::Cosine(0)));
/// let one = Polynomial::one(&names);
/// let tangent = RationalFunction::new(&one - &c, s.clone()).unwrap();
/// assert_eq!(tangent, RationalFunction::new(s, &one + &c).unwrap());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RationalFunction {
    numerator: Polynomial,
    denominator: Polynomial,
}

impl RationalFunction {
    /// A quotient; `None` if the denominator is zero.
    ///
    /// # Panics
    /// If numerator and denominator are written in different names.
    pub fn new(numerator: Polynomial, denominator: Polynomial) -> Option<Self> {
        assert_eq!(numerator.names, denominator.names, "polynomials over the same names");
        if denominator.is_zero() {
            return None;
        }
        if denominator.to_constant().is_some() {
            return Some(Self::in_lowest_terms(numerator, denominator));
        }
        let names = numerator.names.clone();
        let (n, n_powers) = to_tangents(&numerator);
        let (d, d_powers) = to_tangents(&denominator);
        let missing = |own: &[u16], other: &[u16]| -> Vec<u16> {
            own.iter().zip(other).map(|(own, other)| other.saturating_sub(*own)).collect()
        };
        // N/(1 + t²)ⁿ over D/(1 + t²)ᵈ: the difference of the powers goes to the other side.
        let n = n.times(&weight(&names, &missing(&n_powers, &d_powers)));
        let d = d.times(&weight(&names, &missing(&d_powers, &n_powers)));
        let common = gcd(&n, &d);
        let lowest = |p: &Terms| p.over(&common).expect("a common divisor divides");
        Some(Self::of_coprime(&names, &lowest(&n), &lowest(&d)))
    }

    /// From parts in lengths and tangents that have no factor in common.
    pub(crate) fn of_coprime(names: &Arc<Names>, numerator: &Terms, denominator: &Terms) -> Self {
        let powers = powers_for(names, [numerator, denominator]);
        let n = from_tangents(names, numerator, &powers);
        let d = from_tangents(names, denominator, &powers);
        Self::in_lowest_terms(n, d)
    }

    /// With coefficients in their one form; the parts have no factor in common.
    pub(crate) fn in_lowest_terms(numerator: Polynomial, denominator: Polynomial) -> Self {
        let lead = denominator.terms.leading().and_then(|(_, c)| c.try_inv());
        let inverse = lead.expect("a denominator is not zero");
        let (n, d) = (numerator.scaled(&inverse), denominator.scaled(&inverse));
        let content = rational_gcd(&n.content(), &d.content());
        let sign = if d.is_written_negative() { -1 } else { 1 };
        let factor = Radical::from(Rational::from(sign) / content);
        RationalFunction { numerator: n.scaled(&factor), denominator: d.scaled(&factor) }
    }

    /// A polynomial.
    pub fn polynomial(polynomial: Polynomial) -> Self {
        let one = Polynomial::one(&polynomial.names);
        Self::in_lowest_terms(polynomial, one)
    }

    /// A number.
    pub fn constant(names: &Arc<Names>, value: impl Into<Radical>) -> Self {
        Self::polynomial(Polynomial::constant(names, value))
    }

    /// Zero.
    pub fn zero(names: &Arc<Names>) -> Self {
        Self::constant(names, 0)
    }

    /// The numerator.
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// The denominator, a positive integer where there is nothing to divide by but numbers.
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// The names it is written in.
    pub fn names(&self) -> &Arc<Names> {
        &self.numerator.names
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The number it is, if it is one.
    pub fn to_constant(&self) -> Option<Radical> {
        Some(self.numerator.to_constant()? * self.denominator.to_constant()?.try_inv()?)
    }

    /// 1/f; `None` for zero.
    pub fn inverse(&self) -> Option<Self> {
        (!self.is_zero()).then(|| Self::in_lowest_terms(self.denominator.clone(), self.numerator.clone()))
    }

    /// f/g; `None` if g is zero.
    pub fn over(&self, divisor: &Self) -> Option<Self> {
        Some(self * &divisor.inverse()?)
    }

    /// The derivative by a length.
    pub fn derivative_by_length(&self, length: usize) -> Self {
        self.derivative(|p| p.derivative_by_length(length))
    }

    /// The derivative by an angle.
    pub fn derivative_by_angle(&self, angle: usize) -> Self {
        self.derivative(|p| p.derivative_by_angle(angle))
    }

    /// (N′D − ND′)/D², with the part of D that does not change taken out first
    /// so that less must be cancelled.
    fn derivative(&self, of: impl Fn(&Polynomial) -> Polynomial) -> Self {
        let (n, d) = (&self.numerator, &self.denominator);
        let slope = of(d);
        if slope.is_zero() {
            return Self::new(of(n), d.clone()).expect("its denominator is not zero");
        }
        Self::new(&(&of(n) * d) - &(n * &slope), d * d).expect("its denominator is not zero")
    }

    /// Value in doubles: lengths in m, angles in rad; not finite where the denominator vanishes.
    pub fn evaluate(&self, lengths: &[f64], angles: &[f64]) -> f64 {
        self.numerator.evaluate(lengths, angles) / self.denominator.evaluate(lengths, angles)
    }

    /// Value in a field, angles as pairs (sine, cosine); `None` where the denominator vanishes.
    pub fn evaluate_in<F: Field>(&self, lengths: &[F], angles: &[(F, F)]) -> Option<F> {
        let denominator = self.denominator.evaluate_in(lengths, angles)?.try_inv()?;
        Some(self.numerator.evaluate_in(lengths, angles)? * denominator)
    }

    /// Value in the prime field, angles as pairs (sine, cosine); `None` where the denominator vanishes.
    pub fn evaluate_fp(&self, lengths: &[Fp], angles: &[(Fp, Fp)]) -> Option<Fp> {
        let denominator = self.denominator.evaluate_fp(lengths, angles)?.try_inv()?;
        Some(self.numerator.evaluate_fp(lengths, angles)? * denominator)
    }
}

impl Add for &RationalFunction {
    type Output = RationalFunction;
    fn add(self, other: &RationalFunction) -> RationalFunction {
        let numerator = &(&self.numerator * &other.denominator) + &(&other.numerator * &self.denominator);
        RationalFunction::new(numerator, &self.denominator * &other.denominator)
            .expect("products of denominators are not zero")
    }
}

impl Neg for &RationalFunction {
    type Output = RationalFunction;
    fn neg(self) -> RationalFunction {
        RationalFunction { numerator: -&self.numerator, denominator: self.denominator.clone() }
    }
}

impl Sub for &RationalFunction {
    type Output = RationalFunction;
    fn sub(self, other: &RationalFunction) -> RationalFunction {
        self + &-other
    }
}

impl Mul for &RationalFunction {
    type Output = RationalFunction;
    fn mul(self, other: &RationalFunction) -> RationalFunction {
        RationalFunction::new(&self.numerator * &other.numerator, &self.denominator * &other.denominator)
            .expect("products of denominators are not zero")
    }
}
