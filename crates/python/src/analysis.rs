//! `steiner.analyze`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::Value;
use steiner::identifiability::{Analysis, Method, Question};
use steiner::report::{analysis_html, analysis_json, framed};
use steiner::robot::SensorSet;

use crate::arrays::value_error;
use crate::failures::refused;
use crate::identification::written;
use crate::pickled::{Pickled, Reduced, packed, reduced, unpacked};
use crate::robot::PyRobot;

/// What can be identified: the exact structural nullspace, the base parameters and the certificate.
#[pyclass(name = "Analysis", module = "steiner", frozen)]
pub(crate) struct PyAnalysis {
    /// Made when somebody asks for it, where the object comes from another process.
    analysis: OnceLock<Analysis>,
    asked: Asked,
    document: Value,
    robot: Py<PyRobot>,
}

/// A question in words.
#[derive(Clone, Debug)]
struct Asked {
    measure: String,
    method: String,
    certify: bool,
    drives: bool,
    known: Vec<(String, f64)>,
    keep: Vec<String>,
    eliminate: Vec<String>,
}

impl Asked {
    fn question(&self) -> PyResult<Question> {
        let method = &self.method;
        let unknown = || PyValueError::new_err(format!("method={method:?}: use auto, drng, rpna or numeric"));
        if let Some((name, value)) = self.known.iter().find(|(_, value)| !value.is_finite()) {
            return Err(PyValueError::new_err(format!("fix: {name} = {value} is not finite")));
        }
        Ok(Question {
            measure: sensors(&self.measure)?,
            method: Method::named(method).ok_or_else(unknown)?,
            certify: self.certify,
            drives: self.drives,
            known: self.known.clone(),
            keep: self.keep.clone(),
            eliminate: self.eliminate.clone(),
        })
    }
}

impl PyAnalysis {
    fn analysis(&self) -> PyResult<&Analysis> {
        if let Some(analysis) = self.analysis.get() {
            return Ok(analysis);
        }
        let (mechanism, question) = (self.robot.get().mechanism(), self.asked.question()?);
        let analysis =
            Python::attach(|py| py.detach(|| steiner::identifiability::analyze(mechanism, &question)));
        let analysis = analysis.map_err(refused)?;
        Ok(self.analysis.get_or_init(|| analysis))
    }
}

impl Pickled for PyAnalysis {
    const NAME: &'static str = "Analysis";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        type State<'py> =
            (Bound<'py, PyRobot>, String, String, (bool, bool), Vec<(String, f64)>, [Vec<String>; 2]);
        let (state, document): (State<'_>, Bound<'_, PyAny>) = state.extract()?;
        let (robot, measure, method, (certify, drives), known, [keep, eliminate]) = state;
        let asked = Asked { measure, method, certify, drives, known, keep, eliminate };
        let document = serde_json::from_str(&unpacked(&document)?).map_err(value_error)?;
        Ok(PyAnalysis { analysis: OnceLock::new(), asked, document, robot: robot.unbind() })
    }
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
    let asked = Asked {
        measure: measure.to_owned(),
        method: method.to_owned(),
        certify,
        drives,
        known: fix.unwrap_or_default().into_iter().collect(),
        keep: keep.unwrap_or_default(),
        eliminate: eliminate.unwrap_or_default(),
    };
    let question = asked.question()?;
    let (analysis, document) = py.detach(|| -> PyResult<_> {
        let analysis = steiner::identifiability::analyze(mechanism, &question).map_err(refused)?;
        let document = analysis_json(mechanism, &analysis);
        Ok((analysis, document))
    })?;
    Ok(PyAnalysis { analysis: OnceLock::from(analysis), asked, document, robot: robot.clone().unbind() })
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
    fn labels(&self) -> PyResult<Vec<String>> {
        Ok(self.analysis()?.labels.clone())
    }

    /// Number of base parameters (identifiable combinations): the rank.
    #[getter]
    fn identifiable(&self) -> PyResult<usize> {
        Ok(self.analysis()?.identifiable())
    }

    /// A basis of the structural nullspace, (parameters, nullity).
    #[getter]
    fn nullspace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let analysis = self.analysis()?;
        let vectors = analysis.vectors.iter().enumerate();
        let entries = vectors.flat_map(|(k, vector)| vector.entries.iter().map(move |&(c, x)| (c, k, x)));
        matrix(py, analysis.labels.len(), analysis.vectors.len(), entries)
    }

    /// The base parameters as rows over the parameters, (identifiable, parameters): base @ parameters.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let analysis = self.analysis()?;
        let base = analysis.regrouping.base.iter().enumerate();
        let entries = base.flat_map(|(r, base)| base.terms.iter().map(move |&(c, x)| (r, c, x)));
        matrix(py, analysis.regrouping.base.len(), analysis.labels.len(), entries)
    }

    /// Names of the base parameters: those of the parameters they are named after.
    #[getter]
    fn base_names(&self) -> PyResult<Vec<&str>> {
        let analysis = self.analysis()?;
        Ok(analysis.regrouping.base.iter().map(|base| analysis.labels[base.column].as_str()).collect())
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

    /// A self-contained page with pictures, formulas and reasons: what `steiner analyze --html` writes; with a
    /// path it is written there.
    #[pyo3(signature = (path=None))]
    fn to_html(&self, path: Option<PathBuf>) -> PyResult<Option<String>> {
        let page = analysis_html(self.robot.get().mechanism(), self.analysis()?);
        Ok(written(&page, path)?.map(str::to_owned))
    }

    /// The page, in a frame of its own for notebooks.
    fn _repr_html_(&self) -> PyResult<String> {
        Ok(framed(&analysis_html(self.robot.get().mechanism(), self.analysis()?)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Asked { measure, method, certify, drives, known, keep, eliminate } = &self.asked;
        let asked = (&self.robot, measure, method, (*certify, *drives), known, [keep, eliminate]);
        reduced::<PyAnalysis>(py, (asked, packed(py, &self.document.to_string())?))
    }

    fn __repr__(&self) -> PyResult<String> {
        let analysis = self.analysis()?;
        Ok(format!(
            "<steiner.Analysis {:?}, measuring {}: {} of {} parameters identifiable>",
            self.robot.get().mechanism().robot().name,
            analysis.measure,
            analysis.identifiable(),
            analysis.parameters()
        ))
    }
}
