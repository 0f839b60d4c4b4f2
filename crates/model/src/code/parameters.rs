//! The parameters of the code: base parameters, with what is regrouped into each.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, DRIVE_PARAMETERS, IdentifiabilityError, Question, analyze, sharpen};
use steiner_robot::inertial_count;

use super::drives::Drives;
use crate::psdm::ModelParameter;

/// Sums below this fraction of their terms are rounding.
const CANCELLED: f64 = 4.0 * f64::EPSILON;

/// A base parameter of the generated code.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The parameter it is named after, in the order of `Robot::labels`, then of the drives.
    pub column: usize,
    /// Label of the parameter it is named after.
    pub name: String,
    /// What it is the sum of: (label, factor), itself first.
    pub terms: Vec<(String, f64)>,
    /// Its value with the robot's own inertias and drives.
    pub value: f64,
    /// The same terms by column, with all digits.
    columns: Vec<(usize, f64)>,
}

impl Parameter {
    /// A parameter that stands for nothing but itself.
    pub(crate) fn alone(column: usize, name: String, value: f64) -> Self {
        Parameter { column, terms: vec![(name.clone(), 1.0)], name, value, columns: vec![(column, 1.0)] }
    }

    /// A base parameter of a closed form with these labels: of its drives it has the inertias alone.
    pub(crate) fn of_model(parameter: &ModelParameter, labels: &[String], joints: usize) -> Self {
        let place = |label: usize| match label.checked_sub(inertial_count(joints)) {
            None => label,
            Some(drive) => inertial_count(joints) + DRIVE_PARAMETERS.len() * drive,
        };
        let terms = || parameter.terms.iter();
        Parameter {
            column: place(parameter.terms[0].0),
            name: parameter.label.clone(),
            terms: terms().map(|&(label, factor)| (labels[label].clone(), factor)).collect(),
            value: parameter.value,
            columns: terms().map(|&(label, factor)| (place(label), factor)).collect(),
        }
    }

    /// Its value when the bodies have these parameters, in the order of `Robot::labels`, followed by `Ia, fv,
    /// fc, offset` of each drive where the code has them.
    pub fn value_with(&self, parameters: &[f64]) -> f64 {
        let terms = || self.columns.iter().map(|&(column, factor)| factor * parameters[column]);
        let (sum, size) = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
        // What symmetric bodies cancel is zero, not rounding that code would multiply by.
        if sum.abs() <= CANCELLED * size { 0.0 } else { sum }
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

/// The base parameters of a mechanism whose generalised forces matter, those of its drives included.
pub(crate) fn base_parameters(
    mechanism: &Mechanism,
    drives: &Drives,
) -> Result<Vec<Parameter>, IdentifiabilityError> {
    let question = Question { certify: false, drives: !drives.is_empty(), ..Question::default() };
    let analysis: Analysis = analyze(mechanism, &question)?;
    let own: Vec<f64> = mechanism.robot().parameters().into_iter().chain(drives.own()).collect();
    let mut sharp = analysis.regrouping.base.clone();
    sharpen(&mut sharp, &analysis.vectors);
    let labelled = |terms: &[(usize, f64)]| {
        terms.iter().map(|&(column, factor)| (analysis.labels[column].clone(), factor)).collect()
    };
    let parameters = analysis.regrouping.base.iter().zip(sharp).map(|(base, sharp)| {
        let mut parameter = Parameter {
            column: base.column,
            name: analysis.labels[base.column].clone(),
            terms: labelled(&base.terms),
            value: 0.0,
            columns: sharp.terms,
        };
        parameter.value = parameter.value_with(&own);
        parameter
    });
    Ok(parameters.collect())
}
