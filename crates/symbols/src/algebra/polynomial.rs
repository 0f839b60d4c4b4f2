//! Polynomials in named lengths and the sines and cosines of named angles.

use std::ops::{Add, Mul, Neg, Sub};
use std::sync::Arc;

use steiner_scalar::{Field, Fp, Rational};

use super::monomial::Monomial;
use super::names::{Names, Variable};
use super::radical::Radical;
use super::terms::{Terms, monomial_value};

/// A polynomial with exact coefficients over [`Names`].
///
/// sin² is held as 1 − cos², so that every polynomial has one form and equality is equality of
/// terms. Text has whichever is shorter; terms are written by their degree in the lengths,
/// then by the order of the names.
///
/// ```
/// use steiner_symbols::algebra::{Names, Polynomial, Variable};
/// let names = Names::new(["l1", "l2"], ["a"]);
/// let of = |variable| Polynomial::variable(&names, variable);
/// let (l1, s, c) = (of(Variable::Length(0)), of(Variable::Sine(0)), of(Variable::Cosine(0)));
/// let once = &(&l1 * &s) * &s;
/// assert_eq!(once, &l1 - &(&(&l1 * &c) * &c));
/// assert_eq!(once.text(), "l1·sin(a)²");
/// ```
#[derive(Clone, Debug)]
pub struct Polynomial {
    pub(crate) names: Arc<Names>,
    pub(crate) terms: Terms,
}

impl PartialEq for Polynomial {
    fn eq(&self, other: &Self) -> bool {
        self.terms == other.terms && (Arc::ptr_eq(&self.names, &other.names) || self.names == other.names)
    }
}

impl Polynomial {
    /// Zero.
    pub fn zero(names: &Arc<Names>) -> Self {
        Polynomial { names: names.clone(), terms: Terms::zero(names.indeterminates()) }
    }

    /// A number.
    pub fn constant(names: &Arc<Names>, value: impl Into<Radical>) -> Self {
        Polynomial { names: names.clone(), terms: Terms::constant(names.indeterminates(), value.into()) }
    }

    /// One.
    pub fn one(names: &Arc<Names>) -> Self {
        Self::constant(names, 1)
    }

    /// A variable by itself.
    ///
    /// # Panics
    /// If the names have no such variable.
    pub fn variable(names: &Arc<Names>, variable: Variable) -> Self {
        let places = names.indeterminates();
        Polynomial { names: names.clone(), terms: Terms::indeterminate(places, names.place(variable)) }
    }

    /// The length of a name, if there is one.
    pub fn length(names: &Arc<Names>, name: &str) -> Option<Self> {
        names.length(name).map(|variable| Self::variable(names, variable))
    }

    /// From terms in which sines may have any power.
    pub(crate) fn reduced(names: &Arc<Names>, terms: Terms) -> Self {
        let lengths = names.lengths.len();
        let mut terms = terms;
        for k in 0..names.angles.len() {
            let (cosine, sine) = (lengths + 2 * k, lengths + 2 * k + 1);
            if terms.degree_in(sine) < 2 {
                continue;
            }
            let places = terms.places();
            let square = Terms::indeterminate(places, cosine).power(2);
            let rest = Terms::constant(places, Radical::one()).minus(&square);
            let mut out = Terms::zero(places);
            for (power, coefficient) in terms.coefficients_in(sine).iter().enumerate() {
                let odd = Monomial::one(places).with(sine, (power % 2) as u16);
                out = out.plus(&coefficient.times(&rest.power(power as u32 / 2)).times_monomial(&odd));
            }
            terms = out;
        }
        Polynomial { names: names.clone(), terms }
    }

    /// The names it is written in.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// Whether the first term, as it is written, has a minus.
    pub(crate) fn is_written_negative(&self) -> bool {
        super::reading::in_reading_order(self).first().is_some_and(|(_, c)| c.is_negative())
    }

    /// Terms as they are written: sin² instead of 1 − cos² where that is shorter, by degree in the lengths,
    /// then more of the first names first.
    pub fn written_terms(&self) -> Vec<(Monomial, Radical)> {
        super::reading::in_reading_order(self)
    }

    /// Terms, greatest total degree first: exponents in the order of [`Names`] (lengths, then cosine and sine
    /// of each angle) and coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &Radical)> {
        self.terms.iter()
    }

    /// Number of its terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether it has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_zero()
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.terms.is_zero()
    }

    /// The number it is, if it is one.
    pub fn to_constant(&self) -> Option<Radical> {
        self.terms.to_constant()
    }

    /// Highest total degree; 0 for zero.
    pub fn degree(&self) -> u32 {
        self.terms.leading().map_or(0, |(m, _)| m.degree())
    }

    /// Highest power of a variable.
    pub fn degree_in(&self, variable: Variable) -> u32 {
        self.terms.degree_in(self.names.place(variable)).into()
    }

    /// The degree in the lengths, if all terms have the same.
    pub fn dimension(&self) -> Option<u32> {
        let lengths = self.names.lengths.len();
        let degree = |m: &Monomial| m.exponents()[..lengths].iter().map(|e| u32::from(*e)).sum::<u32>();
        let mut degrees = self.terms.iter().map(|(m, _)| degree(m));
        let first = degrees.next()?;
        degrees.all(|d| d == first).then_some(first)
    }

    /// The variables in it.
    pub fn variables(&self) -> Vec<Variable> {
        self.terms.support().into_iter().map(|place| self.names.variable(place)).collect()
    }

    /// Multiplied by a number.
    pub fn scaled(&self, factor: &Radical) -> Self {
        Polynomial { names: self.names.clone(), terms: self.terms.scaled(factor) }
    }

    /// The polynomial raised to a power.
    pub fn power(&self, n: u32) -> Self {
        (0..n).fold(Self::one(&self.names), |power, _| &power * self)
    }

    /// The quotient, if this is that times a polynomial. Without angles the answer is complete; with angles
    /// the division is tried in the half-angle tangents, where it is complete too.
    pub fn over(&self, divisor: &Self) -> Option<Self> {
        super::half_angle::over(self, divisor)
    }

    /// The derivative by a length.
    ///
    /// # Panics
    /// If the names have no such length.
    pub fn derivative_by_length(&self, length: usize) -> Self {
        Polynomial { names: self.names.clone(), terms: self.terms.derivative(length) }
    }

    /// The derivative by an angle: sin becomes cos, cos becomes −sin.
    ///
    /// # Panics
    /// If the names have no such angle.
    pub fn derivative_by_angle(&self, angle: usize) -> Self {
        let places = self.terms.places();
        let (c, s) = (self.names.place(Variable::Cosine(angle)), self.names.place(Variable::Sine(angle)));
        let by_sine = self.terms.derivative(s).times(&Terms::indeterminate(places, c));
        let by_cosine = self.terms.derivative(c).times(&Terms::indeterminate(places, s));
        Self::reduced(&self.names, by_sine.minus(&by_cosine))
    }

    /// Value in doubles: lengths in m, angles in rad, in the order of the names.
    pub fn evaluate(&self, lengths: &[f64], angles: &[f64]) -> f64 {
        let values = circle_values(lengths, angles.iter().map(|a| a.sin_cos()));
        self.terms.iter().map(|(m, c)| c.to_f64() * monomial_value(m, &values)).sum()
    }

    /// Value in a field, where angles are pairs (sine, cosine); `None` where the field lacks a coefficient.
    pub fn evaluate_in<F: Field>(&self, lengths: &[F], angles: &[(F, F)]) -> Option<F> {
        let values = circle_values(lengths, angles.iter().cloned());
        let mut sum = F::zero();
        for (m, c) in self.terms.iter() {
            sum = sum + c.to_field::<F>()? * monomial_value(m, &values);
        }
        Some(sum)
    }

    /// Value in the prime field, angles as pairs (sine, cosine).
    pub fn evaluate_fp(&self, lengths: &[Fp], angles: &[(Fp, Fp)]) -> Option<Fp> {
        let values = circle_values(lengths, angles.iter().copied());
        let mut sum = Fp::zero();
        for (m, c) in self.terms.iter() {
            sum += c.to_fp()? * monomial_value(m, &values);
        }
        Some(sum)
    }

    /// The greatest rational of which every coefficient is an integer multiple; zero for zero.
    pub fn content(&self) -> Rational {
        self.terms.content()
    }

    fn checked(&self, other: &Self) {
        assert!(
            Arc::ptr_eq(&self.names, &other.names) || self.names == other.names,
            "polynomials over the same names"
        );
    }
}

/// Values of all indeterminates.
fn circle_values<F: Field>(lengths: &[F], angles: impl Iterator<Item = (F, F)>) -> Vec<F> {
    lengths.iter().cloned().chain(angles.flat_map(|(s, c)| [c, s])).collect()
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, other: &Polynomial) -> Polynomial {
        self.checked(other);
        Polynomial { names: self.names.clone(), terms: self.terms.plus(&other.terms) }
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, other: &Polynomial) -> Polynomial {
        self.checked(other);
        Polynomial { names: self.names.clone(), terms: self.terms.minus(&other.terms) }
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;
    fn mul(self, other: &Polynomial) -> Polynomial {
        self.checked(other);
        Polynomial::reduced(&self.names, self.terms.times(&other.terms))
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        self.scaled(&Radical::from_i64(-1))
    }
}
