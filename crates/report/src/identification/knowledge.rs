//! How well a base parameter is known, in the words that table, page and terminal share.

use steiner_identification::{Identification, IdentifiedParameter};

use crate::words::number;

/// The remark beside a value that the log says nothing about.
pub(super) const NOT_OBSERVABLE: &str = "not observable: the file's value";
/// The same where identified groups or physical consistency moved the value.
pub(super) const ADJUSTED: &str = "not observable: moved to fit the rest, not by the log";
/// The remark beside a value that only groups with other parameters determine.
pub(super) const NOT_ALONE: &str = "not observable alone";
/// Changes of a value that is not observable up to this part of it, or of one, are the solver's.
const SOLVER: f64 = 1e-4;
/// Relative deviations above this, in %, say nothing but "large".
const LARGE: f64 = 1000.0;

/// How well a log determines a base parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// Nothing: the value is the file's, or near it where the log determines a sum that it is part of.
    NotObservable,
    /// It cannot be negative, and least squares would have it so: the value is zero but for the solver.
    AtBound,
    /// It is zero within its standard deviation, which is small.
    AboutZero,
    /// The log does not determine it well.
    PoorlyExcited,
    /// A value with a standard deviation.
    Measured,
}

impl Knowledge {
    /// Of the k-th base parameter.
    pub fn of(identification: &Identification, k: usize) -> Self {
        let parameter = &identification.parameters[k];
        let close_to_zero = parameter.value.abs() <= parameter.sigma;
        if !parameter.sigma.is_finite() {
            return Knowledge::NotObservable;
        }
        if close_to_zero && parameter.least_squares <= 0.0 && is_bounded(identification, k) {
            return Knowledge::AtBound;
        }
        match identification.excitation.weak.iter().any(|weak| weak.parameter == k) {
            true => Knowledge::PoorlyExcited,
            false if close_to_zero => Knowledge::AboutZero,
            false => Knowledge::Measured,
        }
    }

    /// What to remark about the value in a table, if anything: "poorly excited".
    pub fn remark(self, parameter: &IdentifiedParameter) -> Option<&'static str> {
        match self {
            Knowledge::NotObservable if is_the_files(parameter) => Some(NOT_OBSERVABLE),
            Knowledge::NotObservable => Some(ADJUSTED),
            Knowledge::PoorlyExcited => Some("poorly excited"),
            Knowledge::AtBound | Knowledge::AboutZero | Knowledge::Measured => None,
        }
    }

    /// The value, given as text where it is an ordinary one: "≈ 0 (± 0.0004)", "at its bound 0", or "–" if the
    /// log says nothing about it.
    pub fn value(self, parameter: &IdentifiedParameter, ordinary: impl Fn(f64) -> String) -> String {
        match self {
            Knowledge::AtBound => "at its bound 0".to_owned(),
            // Whatever number the model has here, the log did not give it.
            Knowledge::NotObservable => "–".to_owned(),
            Knowledge::AboutZero => format!("≈ 0 (± {})", number(parameter.sigma, 2)),
            _ => ordinary(parameter.value),
        }
    }

    /// The standard deviation relative to the value, in %; empty where that has no meaning.
    pub fn relative_sigma(self, parameter: &IdentifiedParameter) -> String {
        match self {
            Knowledge::NotObservable | Knowledge::AtBound | Knowledge::AboutZero => String::new(),
            _ if parameter.relative_sigma <= LARGE => number(parameter.relative_sigma, 2),
            _ => format!("> {LARGE}"),
        }
    }
}

/// Whether the model's value is that of the file, but for the solver.
fn is_the_files(parameter: &IdentifiedParameter) -> bool {
    (parameter.value - parameter.prior).abs() <= SOLVER * (1.0 + parameter.prior.abs())
}

/// Whether the model keeps it from being negative.
fn is_bounded(identification: &Identification, k: usize) -> bool {
    let problem = identification.problem();
    let base = &problem.base()[k];
    identification.settings.consistent.is_some()
        && base.terms.len() == 1
        && problem.cannot_be_negative()[base.column]
}

/// A base parameter by name: "link2.my", or "link6.Ixx + …" for a group that is named after its first term.
pub fn group_name(parameter: &IdentifiedParameter) -> String {
    group(&parameter.name, parameter.terms.len())
}

/// The same from a label and the number of terms.
pub fn group(label: &str, terms: usize) -> String {
    if terms > 1 { format!("{label} + …") } else { label.to_owned() }
}
