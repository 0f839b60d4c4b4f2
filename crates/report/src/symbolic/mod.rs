//! Base parameters as formulas, for readers and programs: text, LaTeX, JSON, and
//! functions in C, Rust and Python.
//!
//! Every writer takes [`Formulas`]: labels, names and weights, wherever they come from.

mod code;
mod derivation;
mod json;
mod latex;
mod notes;
mod page_sections;
mod planar;
mod sensitivity;
mod special;
mod written;

use std::sync::Arc;

use steiner_identifiability::{Analysis, FamilyVariable, SpecialMembers, Symbolic, Weight};
use steiner_robot::{ConstantKind, Label};
use steiner_symbols::algebra::{Names, RationalFunction};

pub use code::formulas_code;
pub use derivation::Derivation;
pub use json::symbolic_json;
pub use latex::formulas_latex;
pub use notes::{modified_frames, planar_axes, planar_note, symbolic_note};
pub(crate) use page_sections::symbolic_sections;
pub use planar::plane_lies_along_frames;
pub use sensitivity::{Sensitivity, no_such_variable};
pub use special::{SpecialOutcomes, special_json};
pub use written::{Written, WrittenWeight};

/// Base parameters as functions of lengths and angles, ready to be written.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// Name of the robot.
    pub robot: String,
    /// Labels of all parameters, owner and parameter apart.
    pub labels: Vec<Label>,
    /// What weights depend on: lengths (m), then angles (rad).
    pub variables: Vec<FamilyVariable>,
    /// Their names, as functions know them.
    pub names: Arc<Names>,
    /// Base parameters with their formulas.
    pub parameters: Vec<BaseFormula>,
    /// Where the weights come from.
    pub derivation: Derivation,
    /// What the reader should know, a sentence each.
    pub notes: Vec<String>,
    /// Time the symbols took, s.
    pub seconds: f64,
}

/// All that was asked about formulas, for a page.
#[derive(Clone, Copy, Debug)]
pub struct SymbolicAnswer<'a> {
    /// Formulas of all base parameters.
    pub formulas: &'a Formulas,
    /// Derivatives, where asked for.
    pub sensitivity: Option<&'a Sensitivity>,
    /// Special lengths, where asked for.
    pub special: Option<&'a SpecialMembers>,
}

/// One base parameter: a sum of weighted parameters.
#[derive(Clone, Debug)]
pub struct BaseFormula {
    /// The parameter it is named after.
    pub column: usize,
    /// Its summands; the parameter it is named after comes first.
    pub terms: Vec<FormulaTerm>,
}

/// A parameter in a base parameter.
#[derive(Clone, Debug)]
pub struct FormulaTerm {
    /// Column of the parameter.
    pub column: usize,
    /// What it is multiplied with.
    pub weight: Weight,
    /// The same as a number, for the lengths of the file. Found without the formula.
    pub value: f64,
}

impl Formulas {
    /// From an analysis and the weights derived for it.
    pub fn derived(analysis: &Analysis, symbolic: &Symbolic) -> Self {
        let one = Weight::Function(RationalFunction::constant(&symbolic.names, 1));
        let parameters = symbolic.parameters.iter().map(|parameter| {
            let base = analysis.regrouping.base.iter().find(|base| base.column == parameter.column);
            let value_of = |column: usize| {
                let found = base.and_then(|base| base.terms.iter().find(|(other, _)| *other == column));
                // What isn't listed vanishes at the lengths of the file.
                found.map_or(0.0, |(_, value)| *value)
            };
            let own = FormulaTerm { column: parameter.column, weight: one.clone(), value: 1.0 };
            let others = parameter.terms.iter().map(|(column, weight)| FormulaTerm {
                column: *column,
                weight: weight.clone(),
                value: value_of(*column),
            });
            BaseFormula { column: parameter.column, terms: std::iter::once(own).chain(others).collect() }
        });
        Formulas {
            robot: symbolic.robot.name.clone(),
            labels: analysis.names(),
            variables: symbolic.variables.clone(),
            names: symbolic.names.clone(),
            parameters: parameters.collect(),
            derivation: Derivation::Interpolated {
                evaluations: symbolic.evaluations,
                checks: symbolic.checks,
                digits: symbolic.digits,
            },
            notes: symbolic.notes.iter().map(symbolic_note).collect(),
            seconds: symbolic.seconds,
        }
    }

    /// All terms of all base parameters, in order, with the place of their base parameter.
    pub fn terms(&self) -> impl Iterator<Item = (usize, &FormulaTerm)> {
        let numbered = self.parameters.iter().enumerate();
        numbered.flat_map(|(k, parameter)| parameter.terms.iter().map(move |term| (k, term)))
    }

    /// Lengths (m) and angles (rad) of the file, in the order functions take them.
    pub fn values(&self) -> (Vec<f64>, Vec<f64>) {
        let of = |kind: ConstantKind| {
            let of_kind = self.variables.iter().filter(|variable| variable.kind == kind);
            of_kind.map(|variable| variable.value).collect()
        };
        (of(ConstantKind::Length), of(ConstantKind::Angle))
    }

    /// The notes, and a sentence for each reason why weights are numbers.
    pub fn remarks(&self) -> Vec<String> {
        let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
        for (k, term) in self.terms() {
            let Weight::Number { reason, .. } = &term.weight else { continue };
            let place = format!("{} in {}", self.labels[term.column], self.labels[self.parameters[k].column]);
            match reasons.iter_mut().find(|(known, _)| known == reason) {
                Some((_, places)) => places.push(place),
                None => reasons.push((reason, vec![place])),
            }
        }
        let sentence = |(reason, places): (&str, Vec<String>)| {
            let numbers = if places.len() == 1 { "a number" } else { "numbers" };
            format!(
                "{} as {numbers}, for the lengths of the file alone ({reason}): {}",
                crate::words::count(places.len(), "weight"),
                crate::words::listed(&places, 6)
            )
        };
        self.notes.iter().cloned().chain(reasons.into_iter().map(sentence)).collect()
    }
}
