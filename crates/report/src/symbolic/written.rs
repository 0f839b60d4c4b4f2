//! Weights as text, with common sums under names, gathered like numbers are.

use steiner_identifiability::Weight;
use steiner_symbols::algebra::{Abbreviated, Notation, RationalFunction, abbreviate};

use super::{BaseFormula, Formulas};
use crate::family::Family;
use crate::formula::{Coefficient, Summand, gathered, summands};

/// Digits of weights that are numbers.
const DIGITS: usize = 6;

/// All weights of some formulas, written in one notation.
#[derive(Clone, Debug)]
pub struct Written {
    notation: Notation,
    short: Abbreviated,
    /// For each base parameter, its weights.
    weights: Vec<Vec<WrittenWeight>>,
}

/// A weight as text.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenWeight {
    negative: bool,
    size: String,
}

impl Coefficient for WrittenWeight {
    fn is_negative(&self) -> bool {
        self.negative
    }
    fn has_size_of(&self, other: &Self) -> bool {
        self.size == other.size
    }
    fn size(&self) -> String {
        self.size.clone()
    }
}

impl Written {
    /// In a notation.
    pub fn new(formulas: &Formulas, notation: Notation) -> Self {
        Self::of(&formulas.parameters, notation)
    }

    /// Any base parameters, in a notation.
    pub(crate) fn of(parameters: &[BaseFormula], notation: Notation) -> Self {
        let all = || parameters.iter().flat_map(|parameter| &parameter.terms);
        let functions: Vec<RationalFunction> = all()
            .filter_map(|term| match &term.weight {
                Weight::Function(function) => Some(function.clone()),
                Weight::Number { .. } => None,
            })
            .collect();
        let short = abbreviate(&functions);
        let mut next = 0..;
        let mut written = |weight: &Weight| match weight {
            Weight::Function(_) => {
                let (negative, size) = short.factor(next.next().unwrap_or_default(), notation);
                WrittenWeight { negative, size }
            }
            Weight::Number { value, .. } => {
                let text = crate::words::number(value.abs(), DIGITS);
                WrittenWeight { negative: *value < 0.0, size: if text == "1" { String::new() } else { text } }
            }
        };
        let weights = parameters
            .iter()
            .map(|parameter| parameter.terms.iter().map(|term| written(&term.weight)).collect())
            .collect();
        Written { notation, short, weights }
    }

    /// The common sums: `λ2² = λx2² + λy2²`.
    pub fn definitions(&self) -> Vec<String> {
        self.short.definitions.iter().map(|definition| definition.written(self.notation)).collect()
    }

    /// The summands of a base parameter, those with equal weights gathered.
    pub fn summands(&self, formulas: &Formulas, family: &Family, parameter: usize) -> Vec<Summand> {
        summands(family, &formulas.labels, &self.terms(&formulas.parameters[parameter], parameter))
    }

    /// The same where no term leads, as in derivatives.
    pub fn gathered(&self, formulas: &Formulas, family: &Family, parameter: usize) -> Vec<Summand> {
        gathered(family, &formulas.labels, &self.terms(&formulas.parameters[parameter], parameter))
    }

    /// (column, weight) of a base parameter.
    pub fn terms(&self, parameter: &BaseFormula, place: usize) -> Vec<(usize, WrittenWeight)> {
        parameter.terms.iter().map(|term| term.column).zip(self.weights[place].iter().cloned()).collect()
    }
}
