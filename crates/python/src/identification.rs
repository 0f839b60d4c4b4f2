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
use steiner::identification::predict;
use steiner::report::{file_notes, framed};
use steiner::robot::Lumped;
use steiner::{Identification, Logs, identification_page, write_identified};

use crate::accumulator::{PyAccumulator, PyScores};
use crate::analysis::{matrix, python};
use crate::arrays::value_error;
use crate::failures::{Interruption, read_error};
use crate::found::{COLUMNS, Found};
use crate::identify::identified;
use crate::keywords::Keywords;
use crate::logs::undivided;
use crate::payload::PyPayload;
use crate::pickled::{Pickled, Reduced, packed, reduced, unpacked};
use crate::robot::PyRobot;

/// Inertias and friction found in logs, with their uncertainties; from `steiner.identify`.
///
/// Base parameters are in the order of `base_names`, all parameters of the model in that of `labels`. SI
/// units; residuals are relative (1 is all that was measured).
#[pyclass(name = "Identification", module = "steiner", frozen)]
pub(crate) struct PyIdentification {
    robot: Py<PyRobot>,
    identified: Py<PyRobot>,
    found: Found,
    document: Value,
    recipe: Recipe,
    /// The whole answer and its logs; made again when somebody asks for them, in another process.
    live: OnceLock<(Identification, Logs)>,
    /// Made when somebody asks for it.
    page: OnceLock<String>,
}

/// How an identification is made again.
pub(crate) enum Recipe {
    /// From logs and keywords.
    Logs { log: Py<PyAny>, settings: Option<Py<PyDict>> },
    /// From what was accumulated.
    Accumulated { accumulator: Py<PyAccumulator>, scores: Option<Py<PyScores>> },
}

impl PyIdentification {
    /// From what was identified and its document; the logs are kept for the curves of the page.
    pub(crate) fn new(
        robot: Py<PyRobot>,
        identified: Py<PyRobot>,
        answer: Identification,
        document: Value,
        logs: Logs,
        recipe: Recipe,
    ) -> Self {
        let found = Found::of(&answer, &robot.get().mechanism().robot().name);
        let live = OnceLock::from((answer, logs));
        PyIdentification { robot, identified, found, document, recipe, live, page: OnceLock::new() }
    }

    /// What was found; in another process than it was found in, it is found again.
    pub(crate) fn answer(&self, py: Python<'_>) -> PyResult<&Identification> {
        self.live(py).map(|(answer, _)| answer)
    }

    fn live(&self, py: Python<'_>) -> PyResult<&(Identification, Logs)> {
        if let Some(live) = self.live.get() {
            return Ok(live);
        }
        let live = match &self.recipe {
            Recipe::Logs { log, settings } => {
                let settings = settings.as_ref().map(|settings| settings.bind(py));
                let (answer, _, logs) = identified(py, self.robot.bind(py), log.bind(py), settings)?;
                (answer, logs)
            }
            Recipe::Accumulated { accumulator, scores } => {
                let scores = scores.as_ref().map(|scores| scores.bind(py).borrow());
                (accumulator.bind(py).borrow().solved(py, scores.as_deref())?, Logs::default())
            }
        };
        Ok(self.live.get_or_init(|| live))
    }

    /// The page; the logs are run through once more for its curves.
    fn page(&self, py: Python<'_>) -> PyResult<&str> {
        if let Some(page) = self.page.get() {
            return Ok(page);
        }
        if matches!(self.recipe, Recipe::Accumulated { .. }) {
            let sentence = "an accumulator keeps no samples, and the page draws them; use table, to_dict and save, or                 identify from one of the logs";
            return Err(value_error(sentence));
        }
        let (answer, logs) = self.live(py)?;
        let interruption = Interruption::default();
        let page = py.detach(|| identification_page(answer, logs, interruption.watch()));
        let page = page.map_err(|error| interruption.exception(error))?;
        Ok(self.page.get_or_init(|| page).as_str())
    }

    fn square<'py>(&self, py: Python<'py>, entries: &[f64]) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let size = self.found.names.len();
        PyArray1::from_slice(py, entries).reshape([size, size])
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
        self.found.payloads.iter().cloned().collect()
    }

    /// The robot with its identified inertias, ready for regressors and dynamics.
    #[getter]
    fn robot(&self, py: Python<'_>) -> Py<PyRobot> {
        self.identified.clone_ref(py)
    }

    /// Names of the base parameters: those of the parameters they are named after.
    #[getter]
    fn base_names(&self) -> Vec<String> {
        self.found.names.clone()
    }

    /// The base parameters of the identified model, (b,).
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.found.column("value"))
    }

    /// Their standard deviations, the larger of those for white noise and from blocks of neighbouring
    /// samples, (b,); infinite where the log does not excite them.
    #[getter]
    fn sigma<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.found.column("sigma"))
    }

    /// Covariance of their least-squares values for white noise, (b, b).
    #[getter]
    fn covariance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.square(py, &self.found.covariance)
    }

    /// The same without trusting the noise to be white, from blocks of neighbouring
    /// samples; None where there are too few.
    #[getter]
    fn robust_covariance<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        self.found.robust_covariance.as_ref().map(|robust| self.square(py, robust)).transpose()
    }

    /// The base parameters as rows over all parameters, (b, labels): base @ model.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let labels = &self.found.labels;
        let rows = self.found.terms.iter().enumerate();
        let entries = rows.flat_map(|(r, terms)| {
            let place = move |label: &String| labels.iter().position(|other| other == label);
            terms.iter().filter_map(move |(label, x)| Some((r, place(label)?, *x)))
        });
        matrix(py, self.found.names.len(), labels.len(), entries)
    }

    /// Labels of all parameters of the model: ten of every body, then those of drives.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.found.labels.clone()
    }

    /// All parameters of the identified model; where the log determines nothing, the file's.
    #[getter]
    fn model<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.found.all.clone())
    }

    /// The base parameters as columns: name, value, sigma, white_sigma, robust_sigma,
    /// relative_sigma_percent, least_squares, prior, terms.
    #[getter]
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = PyDict::new(py);
        table.set_item("name", self.base_names())?;
        for ((name, _), values) in COLUMNS.iter().zip(&self.found.columns) {
            table.set_item(name, PyArray1::from_slice(py, values))?;
        }
        table.set_item("terms", &self.found.terms)?;
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
        self.found.condition_number
    }

    /// Base parameters that the log excites poorly.
    #[getter]
    fn weakly_excited(&self) -> Vec<String> {
        self.found.weakly_excited.clone()
    }

    /// For every link whether a body can have such an inertia.
    #[getter]
    fn consistent<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let links = PyDict::new(py);
        for (link, consistent) in &self.found.consistent {
            links.set_item(link, consistent)?;
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
        self.found.notes.clone()
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
        let answer = self.answer(py)?;
        let logs = Logs { measure: Some(answer.settings.measure.clone()), ..logs };
        let interruption = Interruption::default();
        let (t, prediction) = py
            .detach(|| {
                let settings = &answer.settings;
                let data = logs.gathered(mechanism, settings.friction(), interruption.watch())?;
                let problem = answer.problem();
                Ok((data.t.clone(), predict(problem, &data, &answer.all, settings.threads())?))
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
        let answer = self.answer(py)?;
        py.detach(|| {
            // The file is read again: the robot may itself come from an identification, and the file
            // still holds what was before it.
            let origin = self.robot.get().origin();
            let mechanism = origin.read()?;
            let notes = write_identified(&origin.source, &path, &mechanism, answer, lumped);
            notes.map(|notes| file_notes(&notes)).map_err(read_error)
        })
    }

    /// The page, in a frame of its own for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(framed(self.page(py)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let recipe = match &self.recipe {
            Recipe::Logs { log, settings } => {
                (false, log.clone_ref(py), settings.as_ref().map(|s| s.clone_ref(py).into_any()))
            }
            Recipe::Accumulated { accumulator, scores } => (
                true,
                accumulator.clone_ref(py).into_any(),
                scores.as_ref().map(|s| s.clone_ref(py).into_any()),
            ),
        };
        let document = packed(py, &self.document.to_string())?;
        reduced::<PyIdentification>(py, (&self.robot, &self.identified, self.found.clone(), document, recipe))
    }

    fn __repr__(&self) -> String {
        format!("<steiner.Identification {}>", self.found.headline)
    }
}

impl Pickled for PyIdentification {
    const NAME: &'static str = "Identification";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        type Made<'py> = (bool, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);
        type State<'py> = (Bound<'py, PyRobot>, Bound<'py, PyRobot>, Found, Bound<'py, PyAny>, Made<'py>);
        let (robot, identified, found, document, recipe): State<'_> = state.extract()?;
        let recipe = match recipe {
            (false, log, settings) => Recipe::Logs {
                log: log.unbind(),
                settings: settings.map(|given| given.cast_into::<PyDict>()).transpose()?.map(Bound::unbind),
            },
            (true, accumulator, scores) => Recipe::Accumulated {
                accumulator: accumulator.cast_into::<PyAccumulator>()?.unbind(),
                scores: scores.map(|given| given.cast_into::<PyScores>()).transpose()?.map(Bound::unbind),
            },
        };
        Ok(PyIdentification {
            robot: robot.unbind(),
            identified: identified.unbind(),
            found,
            document: serde_json::from_str(&unpacked(&document)?).map_err(value_error)?,
            recipe,
            live: OnceLock::new(),
            page: OnceLock::new(),
        })
    }
}
