//! The parameters of the code: base parameters, with what is regrouped into each.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, IdentifiabilityError, Question, analyze};

/// A base parameter of the generated code.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The parameter it is named after, in the order of `Robot::labels`.
    pub column: usize,
    /// Its label.
    pub name: String,
    /// What it is the sum of: (label, factor), itself first.
    pub terms: Vec<(String, f64)>,
    /// Its value with the robot's own inertias.
    pub value: f64,
    columns: Vec<(usize, f64)>,
}

impl Parameter {
    /// Its value when the bodies have these parameters, in the order of `Robot::labels`.
    pub fn value_with(&self, parameters: &[f64]) -> f64 {
        self.columns.iter().map(|&(column, factor)| factor * parameters[column]).sum()
    }

    /// `link2.Izz + 0.18645 link3.m`.
    pub fn formula(&self) -> String {
        let mut text = String::new();
        for (k, (label, factor)) in self.terms.iter().enumerate() {
            let sign = match (k, *factor < 0.0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let size = factor.abs();
            let coefficient = if size == 1.0 { String::new() } else { format!("{size} ") };
            text.push_str(&format!("{sign}{coefficient}{label}"));
        }
        text
    }
}

/// The base parameters of a mechanism whose generalised forces matter.
pub(crate) fn base_parameters(mechanism: &Mechanism) -> Result<Vec<Parameter>, IdentifiabilityError> {
    let question = Question { certify: false, ..Question::default() };
    let analysis: Analysis = analyze(mechanism, &question)?;
    let own = mechanism.robot().parameters();
    let parameter = |base: &steiner_identifiability::BaseParameter| {
        let mut parameter = Parameter {
            column: base.column,
            name: analysis.labels[base.column].clone(),
            terms: base
                .terms
                .iter()
                .map(|&(column, factor)| (analysis.labels[column].clone(), factor))
                .collect(),
            value: 0.0,
            columns: base.terms.clone(),
        };
        parameter.value = parameter.value_with(&own);
        parameter
    };
    Ok(analysis.regrouping.base.iter().map(parameter).collect())
}
