//! `steiner.Identification`, what `steiner.identify` answers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use steiner::files::write_atomically;
use steiner::identification::{IdentificationNote, IdentifiedParameter, predict};
use steiner::report::{file_notes, framed, identification_note};
use steiner::robot::Lumped;
use steiner::{Identification, Logs, identification_page, write_identified};

use crate::analysis::{matrix, python};
use crate::arrays::{matrix_to_numpy, value_error};
use crate::failures::Interruption;
use crate::failures::read_error;
use crate::keywords::Keywords;
use crate::logs::undivided;
use crate::payload::PyPayload;
use crate::robot::PyRobot;

/// Inertias and friction found in logs, with their uncertainties; from `steiner.identify`.
///
/// Base parameters are in the order of `base_names`, all parameters of the model in that of `labels`. SI
/// units; residuals are relative (1 is all that was measured).
#[pyclass(name = "Identification", module = "steiner", frozen)]
pub(crate) struct PyIdentification {
    robot: Py<PyRobot>,
    identified: Py<PyRobot>,
    answer: Identification,
    document: Value,
    logs: Logs,
    /// Made when somebody asks for it.
    page: OnceLock<String>,
}

impl PyIdentification {
    /// From what was identified and its document; the logs are kept for the curves of the page.
    pub(crate) fn new(
        robot: Py<PyRobot>,
        identified: Py<PyRobot>,
        answer: Identification,
        document: Value,
        logs: Logs,
    ) -> Self {
        PyIdentification { robot, identified, answer, document, logs, page: OnceLock::new() }
    }

    /// What was found.
    pub(crate) fn answer(&self) -> &Identification {
        &self.answer
    }

    fn each(&self, value: impl Fn(&IdentifiedParameter) -> f64) -> Vec<f64> {
        self.answer.parameters.iter().map(value).collect()
    }

    /// The page; the logs are run through once more for its curves.
    fn page(&self, py: Python<'_>) -> PyResult<&str> {
        if let Some(page) = self.page.get() {
            return Ok(page);
        }
        let interruption = Interruption::default();
        let page = py.detach(|| identification_page(&self.answer, &self.logs, interruption.watch()));
        let page = page.map_err(|error| interruption.exception(error))?;
        Ok(self.page.get_or_init(|| page).as_str())
    }
}

/// Writes a page, or hands it out.
pub(crate) fn written(page: &str, path: Option<PathBuf>) -> PyResult<Option<&str>> {
    let Some(path) = path else { return Ok(Some(page)) };
    write_atomically(&path, page).map_err(|error| {
        PyOSError::new_err(format!("{} cannot be written ({error}); choose another place", path.display()))
    })?;
    Ok(None)
}

#[pymethods]
impl PyIdentification {
    /// Loads of logs that were recorded with an unknown one: {log: Payload}.
    #[getter]
    fn payloads(&self) -> HashMap<String, PyPayload> {
        let weighed = self.answer.notes.iter().filter_map(|note| match note {
            IdentificationNote::Weighed { log, payload } => {
                Some((log.display().to_string(), PyPayload { payload: (**payload).clone() }))
            }
            _ => None,
        });
        weighed.collect()
    }

    /// The robot with its identified inertias, ready for regressors and dynamics.
    #[getter]
    fn robot(&self, py: Python<'_>) -> Py<PyRobot> {
        self.identified.clone_ref(py)
    }

    /// Names of the base parameters: those of the parameters they are named after.
    #[getter]
    fn base_names(&self) -> Vec<&str> {
        self.answer.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
    }

    /// The base parameters of the identified model, (b,).
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.each(|parameter| parameter.value))
    }

    /// Their standard deviations, the larger of those for white noise and from blocks of neighbouring
    /// samples, (b,); infinite where the log does not excite them.
    #[getter]
    fn sigma<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.each(|parameter| parameter.sigma))
    }

    /// Covariance of their least-squares values for white noise, (b, b).
    #[getter]
    fn covariance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix_to_numpy(py, &self.answer.covariance)
    }

    /// The same without trusting the noise to be white, from blocks of neighbouring
    /// samples; None where there are too few.
    #[getter]
    fn robust_covariance<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.answer.robust_covariance.as_ref().map(|covariance| matrix_to_numpy(py, covariance)).transpose()
    }

    /// The base parameters as rows over all parameters, (b, labels): base @ model.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let labels = self.answer.labels();
        let rows = self.answer.parameters.iter().enumerate();
        let entries = rows.flat_map(|(r, parameter)| {
            let terms = parameter.terms.iter();
            terms.filter_map(move |(label, x)| Some((r, labels.iter().position(|other| other == label)?, *x)))
        });
        matrix(py, self.answer.parameters.len(), labels.len(), entries)
    }

    /// Labels of all parameters of the model: ten of every body, then those of drives.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.answer.labels().to_vec()
    }

    /// All parameters of the identified model; where the log determines nothing, the file's.
    #[getter]
    fn model<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.answer.all.clone())
    }

    /// The base parameters as columns: name, value, sigma, white_sigma, robust_sigma,
    /// relative_sigma_percent, least_squares, prior, terms.
    #[getter]
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = PyDict::new(py);
        let terms = |parameter: &IdentifiedParameter| -> Vec<(String, f64)> { parameter.terms.clone() };
        table.set_item("name", self.base_names())?;
        for (name, value) in COLUMNS {
            table.set_item(name, PyArray1::from_vec(py, self.each(value)))?;
        }
        table.set_item("terms", self.answer.parameters.iter().map(terms).collect::<Vec<_>>())?;
        Ok(table)
    }

    /// The table as a pandas DataFrame.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.call_method1("DataFrame", (self.table(py)?,))
    }

    /// Residuals on the training samples: total, joints and rms of each, samples; and the same of least
    /// squares and of the file (least_squares, prior).
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["residual"]["train"])
    }

    /// The same for what was held out; None if nothing was.
    #[getter]
    fn validation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["residual"]["validation"])
    }

    /// Condition number of the scaled regressor.
    #[getter]
    fn condition_number(&self) -> f64 {
        self.answer.excitation.condition_number
    }

    /// Base parameters that the log excites poorly.
    #[getter]
    fn weakly_excited(&self) -> Vec<&str> {
        self.answer.weakly_excited()
    }

    /// For every link whether a body can have such an inertia.
    #[getter]
    fn consistent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let links = PyDict::new(py);
        for link in &self.answer.consistency {
            links.set_item(&link.link, link.is_consistent())?;
        }
        Ok(links)
    }

    /// What was asked, with what the defaults became.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["settings"])
    }

    /// What a user should know, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.answer.notes.iter().map(identification_note).collect()
    }

    /// Prediction of the model for a log: a dict with t (S,), rows (their names), measured and predicted (S,
    /// rows), and counted (S, rows): whether a sample counts for the row. The log is read as those of
    /// identify, with its keywords for logs and signals.
    #[pyo3(signature = (log, **settings))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        log: &Bound<'py, PyAny>,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mechanism = self.robot.get().mechanism();
        let mut keywords = Keywords::new("predict", settings);
        let logs = undivided(mechanism, log, &mut keywords)?;
        keywords.finish()?;
        let logs = Logs { measure: Some(self.answer.settings.measure.clone()), ..logs };
        let interruption = Interruption::default();
        let (t, prediction) = py
            .detach(|| {
                let settings = &self.answer.settings;
                let data = logs.gathered(mechanism, settings.friction(), interruption.watch())?;
                let problem = self.answer.problem();
                Ok((data.t.clone(), predict(problem, &data, &self.answer.all, settings.threads())?))
            })
            .map_err(|error| interruption.exception(error))?;
        let shape = [prediction.measured.len() / prediction.rows.len().max(1), prediction.rows.len()];
        let out = PyDict::new(py);
        out.set_item("t", PyArray1::from_vec(py, t))?;
        out.set_item("rows", prediction.rows)?;
        out.set_item("measured", PyArray1::from_vec(py, prediction.measured).reshape(shape)?)?;
        out.set_item("predicted", PyArray1::from_vec(py, prediction.predicted).reshape(shape)?)?;
        out.set_item("counted", PyArray1::from_vec(py, prediction.counted).reshape(shape)?)?;
        Ok(out)
    }

    /// The whole answer: what `steiner identify --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document)
    }

    /// A self-contained page with tables, curves, residuals and ellipsoids; with a path it is written there.
    /// Runs through the logs once more.
    #[pyo3(signature = (path=None))]
    fn to_html(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Option<&str>> {
        written(self.page(py)?, path)
    }

    /// Writes the robot with its identified numbers, .urdf or .toml: the file it was read from with
    /// nothing else changed, or a new native file. lumped says where the inertia of links that are
    /// fixed to each other goes: "moving-link", or "proportional" to what each had. Answers what a
    /// user should know, a sentence each.
    #[pyo3(signature = (path, lumped="moving-link"))]
    fn save(&self, py: Python<'_>, path: PathBuf, lumped: &str) -> PyResult<Vec<String>> {
        let lumped = match lumped {
            "moving-link" => Lumped::MovingLink,
            "proportional" => Lumped::Proportional,
            other => {
                return Err(value_error(format!("lumped is {other:?}; use moving-link or proportional")));
            }
        };
        py.detach(|| {
            // The file is read again: the robot may itself come from an identification, and the file
            // still holds what was before it.
            let origin = self.robot.get().origin();
            let mechanism = origin.read()?;
            let notes = write_identified(&origin.source, &path, &mechanism, &self.answer, lumped);
            notes.map(|notes| file_notes(&notes)).map_err(read_error)
        })
    }

    /// The page, in a frame of its own for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(framed(self.page(py)?))
    }

    fn __repr__(&self) -> String {
        let percent = steiner::report::percent;
        let validation = self.answer.validation.as_ref();
        let validated = validation.map_or_else(
            || "nothing held out".to_owned(),
            |residuals| format!("{} on what was held out", percent(residuals.model.total)),
        );
        let consistent = match self.answer.is_consistent() {
            true => "",
            false => ", not consistent",
        };
        format!(
            "<steiner.Identification {:?}, measuring {}: {} base parameters, residual {}, {validated}{consistent}>",
            self.robot.get().mechanism().robot().name,
            self.answer.settings.measure,
            self.answer.parameters.len(),
            percent(self.answer.training.model.total),
        )
    }
}

/// A column of the table and its numbers.
type Column = (&'static str, fn(&IdentifiedParameter) -> f64);

const COLUMNS: [Column; 7] = [
    ("value", |parameter| parameter.value),
    ("sigma", |parameter| parameter.sigma),
    ("white_sigma", |parameter| parameter.white_sigma),
    ("robust_sigma", |parameter| parameter.robust_sigma.unwrap_or(f64::NAN)),
    ("relative_sigma_percent", |parameter| parameter.relative_sigma),
    ("least_squares", |parameter| parameter.least_squares),
    ("prior", |parameter| parameter.prior),
];
