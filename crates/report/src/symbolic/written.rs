//! Weights as text, with common sums under names, gathered like numbers are.

use steiner_identifiability::Weight;
use steiner_symbols::algebra::{Abbreviated, Definition, Notation, RationalFunction, abbreviate};

use super::{BaseFormula, Formulas, Sensitivity};
use crate::family::Family;
use crate::formula::{Coefficient, Summand, gathered, summands};

/// Digits of weights that are numbers.
const DIGITS: usize = 6;
/// What stands for a derivative that isn't known.
const UNKNOWN: &str = "?";

/// All weights of some formulas and their derivatives, written in one notation.
/// A name means the same in both.
#[derive(Clone, Debug)]
pub struct Written {
    notation: Notation,
    short: Abbreviated,
    /// How many of the abbreviated functions are weights; derivatives follow.
    functions: usize,
    /// For each base parameter, its weights.
    weights: Vec<Vec<WrittenWeight>>,
    /// For each base parameter with derivatives, those.
    derivatives: Vec<Vec<WrittenWeight>>,
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
    fn bucket(&self) -> i64 {
        // Texts of one size have one length.
        2 * self.size.len() as i64
    }
}

impl Written {
    /// Writes all formulas in one notation.
    pub fn new(formulas: &Formulas, sensitivity: Option<&Sensitivity>, notation: Notation) -> Self {
        let derived = sensitivity.map_or(&[][..], |sensitivity| &sensitivity.parameters);
        let functions_of = |parameters: &[BaseFormula]| -> Vec<RationalFunction> {
            let terms = parameters.iter().flat_map(|parameter| &parameter.terms);
            let function = |weight: &Weight| match weight {
                Weight::Function(function) => Some(function.clone()),
                Weight::Number { .. } => None,
            };
            terms.filter_map(|term| function(&term.weight)).collect()
        };
        let mut all = functions_of(&formulas.parameters);
        let functions = all.len();
        all.extend(functions_of(derived));
        // Bodies and joints have names on the same page.
        let taken: Vec<&str> = formulas.labels.iter().map(|label| label.owner.as_str()).collect();
        let short = abbreviate(&all, &taken);
        let mut next = 0..;
        let mut written = |weight: &Weight| match weight {
            Weight::Function(_) => {
                let (negative, size) = short.factor(next.next().unwrap_or_default(), notation);
                WrittenWeight { negative, size }
            }
            Weight::Number { value, .. } if value.is_nan() => {
                WrittenWeight { negative: false, size: UNKNOWN.to_owned() }
            }
            Weight::Number { value, .. } => {
                let text = crate::words::number(value.abs(), DIGITS);
                WrittenWeight { negative: *value < 0.0, size: if text == "1" { String::new() } else { text } }
            }
        };
        let mut rows = |parameters: &[BaseFormula]| -> Vec<Vec<WrittenWeight>> {
            let row =
                |parameter: &BaseFormula| parameter.terms.iter().map(|term| written(&term.weight)).collect();
            parameters.iter().map(row).collect()
        };
        let weights = rows(&formulas.parameters);
        let derivatives = rows(derived);
        Written { notation, functions, weights, derivatives, short }
    }

    /// The common sums of weights: `λ2² = λx2² + λy2²`.
    pub fn definitions(&self) -> Vec<String> {
        self.defined(|is_weights| is_weights)
    }

    /// Those that only derivatives need.
    pub fn further_definitions(&self) -> Vec<String> {
        self.defined(|is_weights| !is_weights)
    }

    fn defined(&self, wanted: impl Fn(bool) -> bool) -> Vec<String> {
        let of_weights = |definition: &&Definition| {
            let mut weights = self.short.formulas[..self.functions].iter();
            weights.any(|formula| formula.factors.iter().any(|(factor, _)| *factor == definition.polynomial))
        };
        let chosen = self.short.definitions.iter().filter(|definition| wanted(of_weights(definition)));
        chosen.map(|definition| definition.written(self.notation)).collect()
    }

    /// The summands of a base parameter, those with equal weights gathered.
    pub fn summands(&self, formulas: &Formulas, family: &Family, parameter: usize) -> Vec<Summand> {
        let terms = columns(&formulas.parameters[parameter], &self.weights[parameter]);
        summands(family, &formulas.labels, &terms)
    }

    /// The summands of a derivative; no term leads there.
    pub fn derivative(
        &self,
        formulas: &Formulas,
        sensitivity: &Sensitivity,
        family: &Family,
        parameter: usize,
    ) -> Vec<Summand> {
        let terms = columns(&sensitivity.parameters[parameter], &self.derivatives[parameter]);
        gathered(family, &formulas.labels, &terms)
    }
}

/// (column, weight) of a base parameter.
fn columns(parameter: &BaseFormula, weights: &[WrittenWeight]) -> Vec<(usize, WrittenWeight)> {
    parameter.terms.iter().map(|term| term.column).zip(weights.iter().cloned()).collect()
}
