//! `steiner.compare`: which model predicts the measured torques better.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use steiner::identification::ComparisonNote;
use steiner::logs::DryFriction;
use steiner::report::{framed, robot_comparison_html, robot_comparison_json, verdict};
use steiner::{Settings, compare_logs};

use crate::analysis::python;
use crate::arrays::value_error;
use crate::failures::Interruption;
use crate::hints::KEYWORDS;
use crate::identification::written;
use crate::keywords::Keywords;
use crate::logs::divided;
use crate::pickled::{Pickled, Reduced, packed, reduced, unpacked};
use crate::progress::Listener;
use crate::robot::PyRobot;

/// Two models compared on one log; from `steiner.compare`.
#[pyclass(name = "Comparison", module = "steiner", frozen)]
pub(crate) struct PyComparison {
    document: Value,
    verdict: Vec<String>,
    page: String,
}

/// Which of two robots predicts recorded forces better: as they are, and with the drives that suit each of
/// them best (these are fitted to the part of the log that is not held out). log and the keywords for logs
/// and signals are those of identify; names is what to call the two; tanh is the
/// speed (rad/s or m/s) of smoothed dry friction, tanh(q̇/speed).
#[pyfunction]
#[pyo3(
    signature = (first, second, log, **settings),
    text_signature = "(first, second, log, *, names=None, validate=None, hold_out=None, validate_from=None, validate_to=None, mapping=None, \
        topics=None, accept_cut=False, cutoff='auto', filter_order=4, padding=None, filter_forces=True, differences=8, derive=False, \
        trim='auto', thin='auto', resample='auto', start=None, end=None, skip_bad_rows=False, rest=0.02, measure=None, tanh=None, on_progress=None)"
)]
pub(crate) fn compare(
    py: Python<'_>,
    first: &Bound<'_, PyRobot>,
    second: &Bound<'_, PyRobot>,
    log: &Bound<'_, PyAny>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyComparison> {
    let (one, other) = (first.get().mechanism(), second.get().mechanism());
    let mut keywords = Keywords::new("compare", settings);
    let names: Option<[String; 2]> = keywords.take("names", "two names")?;
    let [own, others] = names.unwrap_or_else(|| [called(first.get()), called(second.get())]);
    let logs = divided(one, log, &mut keywords)?;
    let tanh = keywords.number("tanh")?;
    let listener = Listener::of(py, &mut keywords, "comparing")?;
    if let Some(speed) = tanh.filter(|speed| speed.is_nan() || *speed <= 0.0) {
        return Err(value_error(format!("tanh is {speed}; give a speed above 0, rad/s or m/s")));
    }
    let usual = Settings::default();
    let dry_friction = tanh.map_or(usual.dry_friction, |speed| DryFriction::Smoothed { speed });
    let settings = Settings { dry_friction, ..usual };
    keywords.finish()?;
    let interruption = Interruption::default();
    py.detach(|| {
        let (first, second) = ((own.as_str(), one), (others.as_str(), other));
        let told = || Python::attach(|py| listener.function(py));
        let watch = || interruption.watch_with(told());
        let mut comparison = compare_logs(first, second, &logs, &settings, &watch)?;
        let told = |note| ComparisonNote::Setting { note, spelling: KEYWORDS };
        comparison.notes.splice(0..0, logs.held_out_by_default().map(told));
        Ok(PyComparison {
            document: robot_comparison_json(&comparison),
            verdict: verdict(&comparison),
            page: robot_comparison_html(one, other, &comparison),
        })
    })
    .map_err(|error| interruption.exception(error))
}

/// What a robot is called: its file, and whether that is all.
fn called(robot: &PyRobot) -> String {
    let origin = robot.origin();
    format!("{}{}", origin.source, if origin.identified { ", identified" } else { "" })
}

#[pymethods]
impl PyComparison {
    /// Relative residuals of both, as they are: total and joints (pairs), and which predicts better
    /// (None where the log cannot decide).
    #[getter]
    fn as_written<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["as_written"])
    }

    /// The same with the drives that suit each best; None where nothing of drives is measured.
    #[getter]
    fn drives_fitted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["drives_fitted"])
    }

    /// The answer in sentences.
    #[getter]
    fn verdict(&self) -> Vec<String> {
        self.verdict.clone()
    }

    /// What a user should know, a sentence each.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["notes"])
    }

    /// The whole answer: what `steiner compare --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document)
    }

    /// A self-contained page with the curves of both; with a path it is written there.
    #[pyo3(signature = (path=None))]
    fn to_html(&self, path: Option<PathBuf>) -> PyResult<Option<&str>> {
        written(&self.page, path)
    }

    /// The page, in a frame of its own for notebooks.
    fn _repr_html_(&self) -> String {
        framed(&self.page)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let state = (packed(py, &self.document.to_string())?, &self.verdict, packed(py, &self.page)?);
        reduced::<PyComparison>(py, state)
    }

    fn __repr__(&self) -> String {
        format!("<steiner.Comparison: {}>", self.verdict.join(" "))
    }
}

impl Pickled for PyComparison {
    const NAME: &'static str = "Comparison";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (document, verdict, page): (Bound<'_, PyAny>, Vec<String>, Bound<'_, PyAny>) = state.extract()?;
        let document = serde_json::from_str(&unpacked(&document)?).map_err(value_error)?;
        Ok(PyComparison { document, verdict, page: unpacked(&page)? })
    }
}
