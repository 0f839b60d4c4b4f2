//! `steiner.analyze`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use steiner::identifiability::{Analysis, Method, Question, compare as compare_sensors};
use steiner::report::{
    FurtherAnswers, analysis_html, analysis_html_with, analysis_json, comparison_json, excitation_json,
    framed, log_notes, setting_note,
};
use steiner::robot::SensorSet;
use steiner::{LogExcitation, Logs, excitation_of_logs};

use crate::arrays::value_error;
use crate::failures::{Interruption, interruptible, refused};
use crate::hints::KEYWORDS;
use crate::identification::written;
use crate::keywords::Keywords;
use crate::logs::divided;
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
    /// Made when somebody asks for it; at once, where other sensors or logs are on it.
    page: OnceLock<String>,
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
        let analysis = Python::attach(|py| {
            interruptible(py, || steiner::identifiability::analyze(mechanism, &question).map_err(refused))
        })?;
        Ok(self.analysis.get_or_init(|| analysis))
    }

    fn page(&self) -> PyResult<&str> {
        if let Some(page) = self.page.get() {
            return Ok(page);
        }
        let page = analysis_html(self.robot.get().mechanism(), self.analysis()?);
        Ok(self.page.get_or_init(|| page).as_str())
    }
}

impl Pickled for PyAnalysis {
    const NAME: &'static str = "Analysis";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        type State<'py> =
            (Bound<'py, PyRobot>, String, String, (bool, bool), Vec<(String, f64)>, [Vec<String>; 2]);
        type Shown<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);
        let (state, (document, shown)): (State<'_>, Shown<'_>) = state.extract()?;
        let (robot, measure, method, (certify, drives), known, [keep, eliminate]) = state;
        let asked = Asked { measure, method, certify, drives, known, keep, eliminate };
        let document = serde_json::from_str(&unpacked(&document)?).map_err(value_error)?;
        let page = shown.as_ref().map(unpacked).transpose()?.map_or_else(OnceLock::new, OnceLock::from);
        Ok(PyAnalysis { analysis: OnceLock::new(), asked, document, robot: robot.unbind(), page })
    }
}

/// What is measured, from the words for it.
pub(crate) fn sensors(text: &str) -> PyResult<SensorSet> {
    text.parse().map_err(|error: steiner::robot::UnknownSensor| PyValueError::new_err(error.to_string()))
}

/// Which inertial parameters can be identified from what is measured: all, static, joints:a,b, wrench:joint,
/// base-wrench, or several joined by +.
///
/// drives adds rotor inertia, friction and offset of every one-dof joint. fix ({parameter: value}) is known
/// beforehand; keep and eliminate are wishes about the names of base parameters. compare lists other sensors: what
/// each would add is in `comparison`. log (as in identify, with its keywords for logs and signals) is recorded
/// motion: which base parameters it excites is in `log`. Ctrl-C ends the work within a second.
#[pyfunction]
#[pyo3(
    signature = (robot, measure="all", *, drives=false, fix=None, keep=None, eliminate=None, method="auto", certify=true, compare=None, log=None, **settings),
    text_signature = "(robot, measure='all', *, drives=False, fix=None, keep=None, eliminate=None, method='auto', certify=True, compare=None, \
        log=None, hold_out=None, validate_from=None, validate_to=None, mapping=None, topics=None, accept_cut=False, cutoff='auto', \
        filter_order=4, padding=None, filter_forces=True, differences=8, derive=False, trim='auto', thin='auto', resample='auto', \
        start=None, end=None, skip_bad_rows=False, rest=0.02)"
)]
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
    compare: Option<Vec<String>>,
    log: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
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
    let others = compare.iter().flatten().map(|set| sensors(set)).collect::<PyResult<Vec<_>>>()?;
    let mut keywords = Keywords::new("analyze", settings);
    let logs = log.map(|log| divided(mechanism, log, &mut keywords)).transpose()?;
    keywords.finish()?;
    let (analysis, mut document, comparison) = interruptible(py, || {
        let analysis = steiner::identifiability::analyze(mechanism, &question).map_err(refused)?;
        let document = analysis_json(mechanism, &analysis);
        let comparison = compare_sensors(mechanism, &question, &analysis, &others).map_err(refused)?;
        Ok((analysis, document, comparison))
    })?;
    if compare.is_some() {
        document["comparison"] = comparison_json(&comparison);
    }
    let interruption = Interruption::default();
    let excited = logs.as_ref().map(|logs| {
        py.detach(|| excitation_of_logs(mechanism, &question, &analysis, logs, interruption.watch()))
    });
    let excited = excited.transpose().map_err(|error| interruption.exception(error))?;
    let excited = excited.map(|LogExcitation { excitation, notes }| {
        let held_out = logs.as_ref().and_then(Logs::held_out_by_default);
        let held_out = held_out.filter(|_| excitation.held_out > 0).map(|note| setting_note(&note, KEYWORDS));
        (excitation, held_out.into_iter().chain(log_notes(&notes)).collect::<Vec<String>>())
    });
    if let Some((excitation, notes)) = &excited {
        document["log"] = excitation_json(&analysis, excitation, notes);
    }
    let page = match compare.is_some() || excited.is_some() {
        false => OnceLock::new(),
        true => {
            let log = excited.as_ref().map(|(excitation, notes)| (excitation, &notes[..]));
            let further = FurtherAnswers { comparison: &comparison, log, ..FurtherAnswers::default() };
            OnceLock::from(py.detach(|| analysis_html_with(mechanism, &analysis, &further)))
        }
    };
    let analysis = OnceLock::from(analysis);
    Ok(PyAnalysis { analysis, asked, document, robot: robot.clone().unbind(), page })
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

    /// What other sensors would add, where compare asked for it: a list of dicts with measure, parameters and
    /// identifiable (of that set alone), together (with both), adds, now_visible, now_alone; None otherwise.
    #[getter]
    fn comparison<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["comparison"])
    }

    /// What the log excites, where there is one: samples, held_out, rank, condition_number, weakly_excited,
    /// base_parameters (name, shown, inflation), dominated_by, notes; None otherwise.
    #[getter]
    fn log<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["log"])
    }

    /// The whole answer: what `steiner analyze --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document)
    }

    /// A self-contained page with pictures, formulas and reasons: what `steiner analyze --html` writes; with a
    /// path it is written there.
    #[pyo3(signature = (path=None))]
    fn to_html(&self, path: Option<PathBuf>) -> PyResult<Option<String>> {
        Ok(written(self.page()?, path)?.map(str::to_owned))
    }

    /// The page, in a frame of its own for notebooks.
    fn _repr_html_(&self) -> PyResult<String> {
        Ok(framed(self.page()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Asked { measure, method, certify, drives, known, keep, eliminate } = &self.asked;
        let asked = (&self.robot, measure, method, (*certify, *drives), known, [keep, eliminate]);
        // A page that only the analysis takes is made again.
        let further = ["comparison", "log"].iter().any(|key| !self.document[*key].is_null());
        let page = self.page.get().filter(|_| further).map(|page| packed(py, page)).transpose()?;
        reduced::<PyAnalysis>(py, (asked, (packed(py, &self.document.to_string())?, page)))
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
