//! Sparse polynomials over plain indeterminates, without names and without relations between them.

use std::collections::BTreeMap;

use steiner_scalar::{Field, Fp, Rational};

use super::monomial::Monomial;
use super::radical::{Radical, rational_gcd};

/// A sum of coefficients times monomials; no coefficient is zero.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Terms {
    places: usize,
    map: BTreeMap<Monomial, Radical>,
}

impl Terms {
    pub(crate) fn zero(places: usize) -> Self {
        Terms { places, map: BTreeMap::new() }
    }
    pub(crate) fn constant(places: usize, value: Radical) -> Self {
        Self::monomial(Monomial::one(places), value)
    }
    pub(crate) fn monomial(monomial: Monomial, factor: Radical) -> Self {
        let mut out = Self::zero(monomial.exponents().len());
        out.add_term(monomial, factor);
        out
    }
    pub(crate) fn indeterminate(places: usize, place: usize) -> Self {
        Self::monomial(Monomial::one(places).with(place, 1), Radical::one())
    }
    pub(crate) fn places(&self) -> usize {
        self.places
    }
    pub(crate) fn is_zero(&self) -> bool {
        self.map.is_empty()
    }
    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }
    /// The value, if it is a number.
    pub(crate) fn to_constant(&self) -> Option<Radical> {
        match self.map.len() {
            0 => Some(Radical::zero()),
            1 => self.leading().filter(|(m, _)| m.is_one()).map(|(_, c)| c.clone()),
            _ => None,
        }
    }
    /// Greatest first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Radical)> {
        self.map.iter().rev()
    }
    pub(crate) fn leading(&self) -> Option<(&Monomial, &Radical)> {
        self.map.last_key_value()
    }
    pub(crate) fn add_term(&mut self, monomial: Monomial, factor: Radical) {
        if factor.is_zero() {
            return;
        }
        match self.map.entry(monomial) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(factor);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                let sum = place.get().clone() + factor;
                if sum.is_zero() {
                    place.remove();
                } else {
                    place.insert(sum);
                }
            }
        }
    }
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut out = self.clone();
        other.map.iter().for_each(|(m, c)| out.add_term(m.clone(), c.clone()));
        out
    }
    pub(crate) fn minus(&self, other: &Self) -> Self {
        let mut out = self.clone();
        other.map.iter().for_each(|(m, c)| out.add_term(m.clone(), -c.clone()));
        out
    }
    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut out = Self::zero(self.places);
        for (m, c) in &self.map {
            out.add_multiple(other, m, c);
        }
        out
    }
    fn add_multiple(&mut self, other: &Self, monomial: &Monomial, factor: &Radical) {
        for (m, c) in &other.map {
            self.add_term(m.times(monomial), c.clone() * factor.clone());
        }
    }
    pub(crate) fn scaled(&self, factor: &Radical) -> Self {
        let mut out = Self::zero(self.places);
        self.map.iter().for_each(|(m, c)| out.add_term(m.clone(), c.clone() * factor.clone()));
        out
    }
    pub(crate) fn power(&self, n: u32) -> Self {
        (0..n).fold(Self::constant(self.places, Radical::one()), |power, _| power.times(self))
    }
    pub(crate) fn times_monomial(&self, monomial: &Monomial) -> Self {
        let map = self.map.iter().map(|(m, c)| (m.times(monomial), c.clone())).collect();
        Terms { places: self.places, map }
    }
    /// The quotient by a monomial that divides every term.
    pub(crate) fn over_monomial(&self, monomial: &Monomial) -> Option<Self> {
        let map =
            self.map.iter().map(|(m, c)| Some((m.over(monomial)?, c.clone()))).collect::<Option<_>>()?;
        Some(Terms { places: self.places, map })
    }
    /// The quotient, if the division leaves nothing.
    pub(crate) fn over(&self, divisor: &Self) -> Option<Self> {
        let (lead, coefficient) = divisor.leading()?;
        let inverse = coefficient.try_inv()?;
        let mut rest = self.clone();
        let mut quotient = Self::zero(self.places);
        while let Some((m, c)) = rest.leading() {
            let (m, c) = (m.over(lead)?, c.clone() * inverse.clone());
            rest.add_multiple(divisor, &m, &-c.clone());
            quotient.add_term(m, c);
        }
        Some(quotient)
    }
    /// Highest power at a place.
    pub(crate) fn degree_in(&self, place: usize) -> u16 {
        self.map.keys().map(|m| m.exponent(place)).max().unwrap_or(0)
    }
    /// The places it depends on.
    pub(crate) fn support(&self) -> Vec<usize> {
        (0..self.places).filter(|&place| self.degree_in(place) > 0).collect()
    }
    /// Coefficients as a polynomial in one indeterminate, lowest power first.
    pub(crate) fn coefficients_in(&self, place: usize) -> Vec<Terms> {
        let mut out = vec![Self::zero(self.places); usize::from(self.degree_in(place)) + 1];
        for (m, c) in &self.map {
            out[usize::from(m.exponent(place))].add_term(m.with(place, 0), c.clone());
        }
        out
    }
    pub(crate) fn derivative(&self, place: usize) -> Self {
        let mut out = Self::zero(self.places);
        for (m, c) in &self.map {
            let e = m.exponent(place);
            if e > 0 {
                out.add_term(m.with(place, e - 1), c.clone() * i64::from(e).into());
            }
        }
        out
    }
    /// The greatest monomial that divides every term.
    pub(crate) fn monomial_content(&self) -> Monomial {
        let mut keys = self.map.keys();
        let first = keys.next().cloned().unwrap_or_else(|| Monomial::one(self.places));
        keys.fold(first, |common, m| common.common(m))
    }
    /// The greatest rational of which every coefficient is an integer multiple.
    pub(crate) fn content(&self) -> Rational {
        self.map.values().fold(Rational::ZERO, |c, x| rational_gcd(&c, &x.content()))
    }
    /// Value in a field, coefficients already there.
    pub(crate) fn to_fp(&self) -> Option<Vec<(&Monomial, Fp)>> {
        self.map.iter().map(|(m, c)| Some((m, c.to_fp()?))).collect()
    }
}

/// Value of a monomial.
pub(crate) fn monomial_value<F: Field>(monomial: &Monomial, values: &[F]) -> F {
    let mut product = F::one();
    for (e, x) in monomial.exponents().iter().zip(values) {
        for _ in 0..*e {
            product = product * x.clone();
        }
    }
    product
}
