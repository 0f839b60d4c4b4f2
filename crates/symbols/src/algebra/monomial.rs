//! Products of powers, ordered by degree and then by names.

use std::cmp::Ordering;

/// Exponents of the indeterminates, by their place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monomial(Box<[u16]>);

impl Monomial {
    /// A monomial with these exponents.
    pub fn new(exponents: impl Into<Box<[u16]>>) -> Self {
        Monomial(exponents.into())
    }
    /// 1.
    pub fn one(places: usize) -> Self {
        Monomial(vec![0; places].into())
    }
    /// Exponents, one for each variable.
    pub fn exponents(&self) -> &[u16] {
        &self.0
    }
    /// The exponent at a place.
    pub fn exponent(&self, place: usize) -> u16 {
        self.0[place]
    }
    /// The same with another exponent at a place.
    pub(crate) fn with(&self, place: usize, exponent: u16) -> Self {
        let mut out = self.clone();
        out.0[place] = exponent;
        out
    }
    /// Sum of the exponents.
    pub fn degree(&self) -> u32 {
        self.0.iter().map(|e| u32::from(*e)).sum()
    }
    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        self.0.iter().all(|e| *e == 0)
    }
    pub(crate) fn times(&self, other: &Self) -> Self {
        Monomial(self.0.iter().zip(&other.0).map(|(a, b)| a + b).collect())
    }
    /// The quotient, if it is a monomial.
    pub(crate) fn over(&self, other: &Self) -> Option<Self> {
        self.0.iter().zip(&other.0).map(|(a, b)| a.checked_sub(*b)).collect::<Option<Vec<_>>>().map(Self::new)
    }
    /// What both are multiples of.
    pub(crate) fn common(&self, other: &Self) -> Self {
        Monomial(self.0.iter().zip(&other.0).map(|(a, b)| *a.min(b)).collect())
    }
}

impl Ord for Monomial {
    /// Graded: by degree, then the one with more of the first names is greater.
    fn cmp(&self, other: &Self) -> Ordering {
        self.degree().cmp(&other.degree()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
