//! The names a formula is written in, in a given order.

use std::sync::Arc;

/// What a formula depends on: a length, or the sine or cosine of an angle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// The k-th length.
    Length(usize),
    /// The cosine of the k-th angle.
    Cosine(usize),
    /// The sine of the k-th angle.
    Sine(usize),
}

/// Names of lengths and angles. Their order is the order of terms in everything that is written.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Names {
    /// Lengths.
    pub lengths: Vec<String>,
    /// Angles.
    pub angles: Vec<String>,
}

impl Names {
    /// In this order; every polynomial over them shares them.
    pub fn new<S: Into<String>>(
        lengths: impl IntoIterator<Item = S>,
        angles: impl IntoIterator<Item = S>,
    ) -> Arc<Self> {
        Arc::new(Names {
            lengths: lengths.into_iter().map(Into::into).collect(),
            angles: angles.into_iter().map(Into::into).collect(),
        })
    }

    /// How many indeterminates: lengths, and a sine and a cosine for each angle.
    pub fn indeterminates(&self) -> usize {
        self.lengths.len() + 2 * self.angles.len()
    }

    /// How many free numbers: lengths and angles.
    pub fn freedoms(&self) -> usize {
        self.lengths.len() + self.angles.len()
    }

    /// The place of a variable in exponents: lengths first, then cosine and sine of each angle.
    pub(crate) fn place(&self, variable: Variable) -> usize {
        let lengths = self.lengths.len();
        match variable {
            Variable::Length(k) => k,
            Variable::Cosine(k) => lengths + 2 * k,
            Variable::Sine(k) => lengths + 2 * k + 1,
        }
    }

    /// The variable at a place.
    pub(crate) fn variable(&self, place: usize) -> Variable {
        match place.checked_sub(self.lengths.len()) {
            None => Variable::Length(place),
            Some(k) if k % 2 == 0 => Variable::Cosine(k / 2),
            Some(k) => Variable::Sine(k / 2),
        }
    }

    /// The length with a name.
    pub fn length(&self, name: &str) -> Option<Variable> {
        self.lengths.iter().position(|known| known == name).map(Variable::Length)
    }

    /// The place of an angle's name.
    pub fn angle(&self, name: &str) -> Option<usize> {
        self.angles.iter().position(|known| known == name)
    }
}
