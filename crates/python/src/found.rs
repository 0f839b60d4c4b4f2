//! What an identification found, as plain numbers and words: they stay when its logs are gone, and go to other processes.

use pyo3::prelude::*;
use steiner::Identification;
use steiner::identification::{IdentificationNote, IdentifiedParameter};
use steiner::report::identification_note;

use crate::payload::PyPayload;

/// What was found, as numbers and words.
#[derive(Clone, Debug, IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Found {
    pub(crate) names: Vec<String>,
    pub(crate) terms: Vec<Vec<(String, f64)>>,
    /// In the order of COLUMNS.
    pub(crate) columns: Vec<Vec<f64>>,
    pub(crate) covariance: Vec<f64>,
    pub(crate) robust_covariance: Option<Vec<f64>>,
    pub(crate) labels: Vec<String>,
    pub(crate) all: Vec<f64>,
    pub(crate) condition_number: f64,
    pub(crate) weakly_excited: Vec<String>,
    pub(crate) consistent: Vec<(String, bool)>,
    pub(crate) notes: Vec<String>,
    pub(crate) headline: String,
    pub(crate) payloads: Vec<(String, PyPayload)>,
}

impl Found {
    pub(crate) fn of(answer: &Identification, robot: &str) -> Self {
        let weighed = answer.notes.iter().filter_map(|note| match note {
            IdentificationNote::Weighed { log, payload } => {
                Some((log.display().to_string(), PyPayload::from(&**payload)))
            }
            _ => None,
        });
        Found {
            names: answer.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            terms: answer.parameters.iter().map(|parameter| parameter.terms.clone()).collect(),
            columns: COLUMNS.iter().map(|(_, value)| answer.parameters.iter().map(value).collect()).collect(),
            covariance: answer.covariance.entries().to_vec(),
            robust_covariance: answer.robust_covariance.as_ref().map(|robust| robust.entries().to_vec()),
            labels: answer.labels().to_vec(),
            all: answer.all.clone(),
            condition_number: answer.excitation.condition_number,
            weakly_excited: answer.weakly_excited().into_iter().map(str::to_owned).collect(),
            consistent: answer
                .consistency
                .iter()
                .map(|link| (link.link.clone(), link.is_consistent()))
                .collect(),
            notes: answer.notes.iter().map(identification_note).collect(),
            headline: headline(answer, robot),
            payloads: weighed.collect(),
        }
    }

    /// The numbers of a column.
    pub(crate) fn column(&self, name: &str) -> Vec<f64> {
        let place = COLUMNS.iter().position(|(other, _)| *other == name);
        place.map_or_else(Vec::new, |place| self.columns[place].clone())
    }
}

/// What an identification is in a line.
fn headline(answer: &Identification, robot: &str) -> String {
    let percent = steiner::report::percent;
    let validated = answer.validation.as_ref().map_or_else(
        || "nothing held out".to_owned(),
        |residuals| format!("{} on what was held out", percent(residuals.model.total)),
    );
    let consistent = if answer.is_consistent() { "" } else { ", not consistent" };
    format!(
        "{robot:?}, measuring {}: {} base parameters, residual {}, {validated}{consistent}",
        answer.settings.measure,
        answer.parameters.len(),
        percent(answer.training.model.total),
    )
}

/// A column of the table and its numbers.
pub(crate) type Column = (&'static str, fn(&IdentifiedParameter) -> f64);

/// Columns of the table.
pub(crate) const COLUMNS: [Column; 7] = [
    ("value", |parameter| parameter.value),
    ("sigma", |parameter| parameter.sigma),
    ("white_sigma", |parameter| parameter.white_sigma),
    ("robust_sigma", |parameter| parameter.robust_sigma.unwrap_or(f64::NAN)),
    ("relative_sigma_percent", |parameter| parameter.relative_sigma),
    ("least_squares", |parameter| parameter.least_squares),
    ("prior", |parameter| parameter.prior),
];
