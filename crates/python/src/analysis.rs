//! `steiner.analyze`.

use std::collections::BTreeMap;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use steiner::identifiability::{Analysis, Method, Question};
use steiner::report::{analysis_html, analysis_json, framed};
use steiner::robot::SensorSet;

use crate::failures::refused;
use crate::robot::PyRobot;

/// What can be identified: the exact structural nullspace, the base parameters and the certificate.
#[pyclass(name = "Analysis", module = "steiner", frozen)]
pub(crate) struct PyAnalysis {
    analysis: Analysis,
    document: Value,
    robot: Py<PyRobot>,
}

/// What is measured, from the words for it.
pub(crate) fn sensors(text: &str) -> PyResult<SensorSet> {
    text.parse().map_err(|error: steiner::robot::UnknownSensor| PyValueError::new_err(error.to_string()))
}

/// Which inertial parameters can be identified from what is measured: all, static, joints:a,b, wrench:joint,
/// base-wrench, or several joined by +.
#[pyfunction]
#[pyo3(signature = (robot, measure="all", *, drives=false, fix=None, keep=None, eliminate=None, method="auto", certify=true))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn analyze(
    py: Python<'_>,
    robot: &Bound<'_, PyRobot>,
    measure: &str,
    drives: bool,
    fix: Option<BTreeMap<String, f64>>,
    keep: Option<Vec<String>>,
    eliminate: Option<Vec<String>>,
    method: &str,
    certify: bool,
) -> PyResult<PyAnalysis> {
    let mechanism = robot.get().mechanism();
    let unknown = || PyValueError::new_err(format!("method={method:?}: use auto, drng, rpna or numeric"));
    let known: Vec<(String, f64)> = fix.unwrap_or_default().into_iter().collect();
    if let Some((name, value)) = known.iter().find(|(_, value)| !value.is_finite()) {
        return Err(PyValueError::new_err(format!("fix: {name} = {value} is not finite")));
    }
    let question = Question {
        measure: sensors(measure)?,
        method: Method::named(method).ok_or_else(unknown)?,
        certify,
        drives,
        known,
        keep: keep.unwrap_or_default(),
        eliminate: eliminate.unwrap_or_default(),
    };
    let (analysis, document) = py.detach(|| -> PyResult<_> {
        let analysis = steiner::identifiability::analyze(mechanism, &question).map_err(refused)?;
        let document = analysis_json(mechanism, &analysis);
        Ok((analysis, document))
    })?;
    Ok(PyAnalysis { analysis, document, robot: robot.clone().unbind() })
}

/// A part of the document as Python objects.
pub(crate) fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// A dense matrix from entries (row, column, value).
pub(crate) fn matrix<'py>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut flat = vec![0.0; rows * columns];
    entries.for_each(|(r, c, x)| flat[r * columns + c] = x);
    PyArray1::from_vec(py, flat).reshape([rows, columns])
}

#[pymethods]
impl PyAnalysis {
    /// Labels of the parameters, in order.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.analysis.labels.clone()
    }

    /// Number of base parameters (identifiable combinations): the rank.
    #[getter]
    fn identifiable(&self) -> usize {
        self.analysis.identifiable()
    }

    /// A basis of the structural nullspace, (parameters, nullity).
    #[getter]
    fn nullspace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let vectors = self.analysis.vectors.iter().enumerate();
        let entries = vectors.flat_map(|(k, vector)| vector.entries.iter().map(move |&(c, x)| (c, k, x)));
        matrix(py, self.analysis.labels.len(), self.analysis.vectors.len(), entries)
    }

    /// The base parameters as rows over the parameters, (identifiable, parameters): base @ parameters.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let base = self.analysis.regrouping.base.iter().enumerate();
        let entries = base.flat_map(|(r, base)| base.terms.iter().map(move |&(c, x)| (r, c, x)));
        matrix(py, self.analysis.regrouping.base.len(), self.analysis.labels.len(), entries)
    }

    /// Names of the base parameters: those of the parameters they are named after.
    #[getter]
    fn base_names(&self) -> Vec<&str> {
        self.analysis.regrouping.base.iter().map(|base| self.analysis.labels[base.column].as_str()).collect()
    }

    /// The null vectors with their stories: a list of dicts with principle, joint, bodies, text, entries.
    #[getter]
    fn vectors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["nullspace"])
    }

    /// Combinations that only small misalignments make identifiable.
    #[getter]
    fn weak<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["weak"])
    }

    /// What is proven, and in which arithmetic; None if nobody asked for it.
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["certificate"])
    }

    /// The whole answer: what `steiner analyze --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document)
    }

    /// A self-contained page with pictures, formulas and reasons: what `steiner analyze --html` writes.
    fn to_html(&self) -> String {
        analysis_html(self.robot.get().mechanism(), &self.analysis)
    }

    /// The page, in a frame of its own for notebooks.
    fn _repr_html_(&self) -> String {
        framed(&self.to_html())
    }

    fn __repr__(&self) -> String {
        format!(
            "<steiner.Analysis {:?}, measuring {}: {} of {} parameters identifiable>",
            self.robot.get().mechanism().robot().name,
            self.analysis.measure,
            self.analysis.identifiable(),
            self.analysis.parameters()
        )
    }
}
