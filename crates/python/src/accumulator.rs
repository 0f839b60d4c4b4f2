//! `steiner.Accumulator`: logs reduced where they are, merged and solved anywhere.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::identification::{Accumulator, BlockScores, ScorePoint};
use steiner::report::identification_json;
use steiner::{Identification, Logs, Settings};

use crate::arrays::{Numbers, matrix_to_numpy, value_error, vector};
use crate::failures::{Interruption, interruptible, refused};
use crate::identification::{PyIdentification, Recipe};
use crate::identify::asked;
use crate::keywords::Keywords;
use crate::logs::divided;
use crate::pickled::{Pickled, Reduced, reduced};
use crate::robot::PyRobot;

/// What logs have shown of a robot so far: small, whatever their length. Accumulators of different logs, machines
/// or days merge in any order; `solve` makes an Identification of them.
///
/// Accumulator(robot, **settings): settings are the keywords of identify. Give measure, and cutoff where motion
/// must be filtered: each log is read by itself, and what a log would suggest for itself is not what the others do.
/// Estimators are "weighted", "ordinary" and "ridge"; terms of friction are those that are asked for.
///
/// The first pass is add() over all logs. A second one, scores(), gives uncertainties that do not trust noise to
/// be white: at = all.point(), then solve(scores of all logs).
#[pyclass(name = "Accumulator", module = "steiner")]
pub(crate) struct PyAccumulator {
    robot: Py<PyRobot>,
    settings: Option<Py<PyDict>>,
    accumulator: Accumulator,
    /// Numbers of logs that were taken in.
    logs: usize,
}

/// What blocks of neighbouring samples pull at the parameters; from Accumulator.scores().
#[pyclass(name = "Scores", module = "steiner")]
pub(crate) struct PyScores {
    scores: BlockScores,
}

/// Numbers as bytes, labels of friction that was not filtered, number of logs.
type State<'py> = (Bound<'py, PyAny>, Vec<String>, usize);

impl PyAccumulator {
    fn made(robot: &Bound<'_, PyRobot>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let py = robot.py();
        let (own, _) = split(robot, None, settings)?;
        let mechanism = robot.get().mechanism();
        let accumulator = py.detach(|| Accumulator::new(mechanism, &own)).map_err(refused)?;
        let settings = settings.map(|given| given.copy().map(Bound::unbind)).transpose()?;
        Ok(PyAccumulator { robot: robot.clone().unbind(), settings, accumulator, logs: 0 })
    }

    /// With the same robot and settings.
    fn like(&self, py: Python<'_>, accumulator: Accumulator, logs: usize) -> Self {
        let settings = self.settings.as_ref().map(|settings| settings.clone_ref(py));
        PyAccumulator { robot: self.robot.clone_ref(py), settings, accumulator, logs }
    }

    /// The identification of what was taken in.
    pub(crate) fn solved(&self, py: Python<'_>, scores: Option<&PyScores>) -> PyResult<Identification> {
        let scores = scores.map(|scores| &scores.scores);
        interruptible(py, || self.accumulator.solve(scores).map_err(refused))
    }

    fn logs_of(&self, log: &Bound<'_, PyAny>) -> PyResult<Logs> {
        let py = log.py();
        let settings = self.settings.as_ref().map(|settings| settings.bind(py));
        let (_, logs) = split(self.robot.bind(py), Some(log), settings)?;
        let logs = logs.unwrap_or_default();
        Ok(Logs { measure: Some(self.accumulator.settings().measure.clone()), ..logs })
    }
}

/// The keywords of identify: what is asked, and how a log is read.
fn split(
    robot: &Bound<'_, PyRobot>,
    log: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Settings, Option<Logs>)> {
    let (py, mut keywords) = (robot.py(), Keywords::new("Accumulator", settings));
    // Without a log its keywords are checked all the same.
    let nothing = PyDict::new(py);
    nothing.set_item("t", [0.0])?;
    let given = log.unwrap_or(nothing.as_any());
    let logs = divided(robot.get().mechanism(), given, &mut keywords)?;
    let own = asked(robot.get(), &mut keywords)?;
    keywords.finish()?;
    let own = Settings { measure: logs.measure.clone().unwrap_or(own.measure), ..own };
    Ok((own, log.map(|_| logs)))
}

#[pymethods]
impl PyAccumulator {
    #[new]
    #[pyo3(signature = (robot, **settings))]
    fn new(robot: &Bound<'_, PyRobot>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Self::made(robot, settings)
    }

    /// Takes a log in, or several: files or arrays, as identify takes them. Answers itself.
    fn add<'py>(slf: Bound<'py, Self>, log: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let py = slf.py();
        {
            let mut own = slf.try_borrow_mut()?;
            let logs = own.logs_of(log)?;
            let robot = own.robot.clone_ref(py);
            // What fails in the middle of a log leaves everything as it was.
            let mut taken = own.accumulator.clone();
            let interruption = Interruption::default();
            py.detach(|| {
                let friction = taken.settings().friction();
                let mut source = logs.open(robot.get().mechanism(), friction, interruption.watch())?;
                taken.absorb(&mut source)
            })
            .map_err(|error| interruption.exception(error))?;
            own.accumulator = taken;
            own.logs += logs.training.len() + logs.validation.len();
        }
        Ok(slf)
    }

    /// Takes in what another has taken in, of the same robot and settings. Answers itself.
    fn merge<'py>(slf: Bound<'py, Self>, other: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        {
            // One may be merged with itself.
            let (theirs, logs) = {
                let other = other.try_borrow()?;
                (other.accumulator.clone(), other.logs)
            };
            let mut own = slf.try_borrow_mut()?;
            own.accumulator.merge(&theirs).map_err(refused)?;
            own.logs += logs;
        }
        Ok(slf)
    }

    fn __add__(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let other = other.try_borrow()?;
        let mut accumulator = self.accumulator.clone();
        accumulator.merge(&other.accumulator).map_err(refused)?;
        Ok(self.like(py, accumulator, self.logs + other.logs))
    }

    /// One of the same robot and settings that has taken nothing in. Cheaper than making it anew.
    fn empty(&self, py: Python<'_>) -> Self {
        self.like(py, self.accumulator.emptied(), 0)
    }

    /// As if base parameters (b,) had been smaller by `by` while the logs were recorded. Robots of one type whose
    /// drives differ become alike by it, and merge.
    fn moved(&self, py: Python<'_>, by: Numbers<'_>) -> PyResult<Self> {
        let by = vector("by", &by, self.accumulator.problem().base().len())?;
        let accumulator = py.detach(|| self.accumulator.with_parameters_moved(&by)).map_err(refused)?;
        Ok(self.like(py, accumulator, self.logs))
    }

    /// All that was taken in, without robot and settings: for whoever has these already.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<State<'py>> {
        let (numbers, labels) = self.accumulator.state();
        Ok((PyArray1::from_vec(py, numbers).call_method0("tobytes")?, labels, self.logs))
    }

    /// One of the same robot and settings with the state of another.
    fn with_state(&self, py: Python<'_>, state: State<'_>) -> PyResult<Self> {
        let (bytes, labels, logs) = state;
        let bytes: Vec<u8> = bytes.extract()?;
        let accumulator = self.accumulator.emptied().with_state(&numbers(&bytes), labels).map_err(refused)?;
        Ok(self.like(py, accumulator, logs))
    }

    /// Where the second pass takes scores: a dict with values (b,), weights (rows,) and block.
    fn point<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let at = py.detach(|| self.accumulator.point()).map_err(refused)?;
        let point = PyDict::new(py);
        point.set_item("values", PyArray1::from_vec(py, at.values))?;
        point.set_item("weights", PyArray1::from_vec(py, at.weights))?;
        point.set_item("block", at.block)?;
        Ok(point)
    }

    /// The second pass over a log, or several, at a point: Scores.
    fn scores(&self, py: Python<'_>, log: &Bound<'_, PyAny>, at: &Bound<'_, PyDict>) -> PyResult<PyScores> {
        let number = |key: &str| {
            at.get_item(key)?
                .ok_or_else(|| value_error(format!("at has no `{key}`; give what point() answers")))
        };
        let point = ScorePoint {
            values: number("values")?.extract()?,
            weights: number("weights")?.extract()?,
            block: number("block")?.extract()?,
        };
        let (logs, robot) = (self.logs_of(log)?, self.robot.get());
        let interruption = Interruption::default();
        let scores = py.detach(|| {
            let friction = self.accumulator.settings().friction();
            let mut source = logs.open(robot.mechanism(), friction, interruption.watch())?;
            self.accumulator.scores(&mut source, &point)
        });
        Ok(PyScores { scores: scores.map_err(|error| interruption.exception(error))? })
    }

    /// Parameters, uncertainties and the physically consistent model of all that was taken in; without scores
    /// uncertainties are for white noise. Samples are gone: the Identification has no page.
    #[pyo3(signature = (scores=None))]
    fn solve(slf: Bound<'_, Self>, scores: Option<Bound<'_, PyScores>>) -> PyResult<PyIdentification> {
        let py = slf.py();
        let own = slf.try_borrow()?;
        let given = scores.as_ref().map(|scores| scores.try_borrow()).transpose()?;
        let answer = own.solved(py, given.as_deref())?;
        let document = identification_json(&answer);
        let identified = Py::new(py, own.robot.get().identified(answer.robot.clone())?)?;
        // Further logs may be taken in: the identification keeps its own.
        let copy = own.like(py, own.accumulator.clone(), own.logs);
        let recipe =
            Recipe::Accumulated { accumulator: Py::new(py, copy)?, scores: scores.map(Bound::unbind) };
        Ok(PyIdentification::new(
            own.robot.clone_ref(py),
            identified,
            answer,
            document,
            Logs::default(),
            recipe,
        ))
    }

    /// The robot.
    #[getter]
    fn robot(&self, py: Python<'_>) -> Py<PyRobot> {
        self.robot.clone_ref(py)
    }

    /// Samples to learn from.
    #[getter]
    fn samples(&self) -> usize {
        self.accumulator.samples().0
    }

    /// Samples held out.
    #[getter]
    fn held_out(&self) -> usize {
        self.accumulator.samples().1
    }

    /// Number of logs.
    #[getter]
    fn logs(&self) -> usize {
        self.logs
    }

    /// Names of the base parameters.
    #[getter]
    fn base_names(&self) -> Vec<&str> {
        let problem = self.accumulator.problem();
        problem.base().iter().map(|base| problem.labels()[base.column].as_str()).collect()
    }

    /// Whether each base parameter belongs to drives (friction, rotor inertia, gains), (b,).
    #[getter]
    fn of_drives<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let problem = self.accumulator.problem();
        let inertial = steiner::robot::inertial_count(problem.body_count());
        PyArray1::from_vec(py, problem.base().iter().map(|base| base.column >= inertial).collect())
    }

    /// R (b + 1, b + 1), an upper triangle over the base parameters and what was measured, each row divided by its
    /// noise: the information is RᵀR.
    #[getter]
    fn triangle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let triangle = py.detach(|| self.accumulator.information()).map_err(refused)?;
        matrix_to_numpy(py, &triangle)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced::<PyAccumulator>(py, (&self.robot, &self.settings, self.state(py)?))
    }

    fn __repr__(&self) -> String {
        let (training, held_out) = self.accumulator.samples();
        let name = &self.robot.get().mechanism().robot().name;
        format!("<steiner.Accumulator {name:?}: {} logs, {training} samples, {held_out} held out>", self.logs)
    }
}

impl Pickled for PyAccumulator {
    const NAME: &'static str = "Accumulator";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        type Made<'py> = (Bound<'py, PyRobot>, Option<Bound<'py, PyDict>>, State<'py>);
        let (robot, settings, state): Made<'_> = state.extract()?;
        Self::made(&robot, settings.as_ref())?.with_state(robot.py(), state)
    }
}

/// Doubles from their bytes.
fn numbers(bytes: &[u8]) -> Vec<f64> {
    let number = |eight: &[u8]| f64::from_ne_bytes(std::array::from_fn(|k| eight[k]));
    bytes.chunks_exact(8).map(number).collect()
}

#[pymethods]
impl PyScores {
    /// Takes in those of other logs. Answers itself.
    fn merge<'py>(slf: Bound<'py, Self>, other: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        {
            let theirs = other.try_borrow()?.scores.clone();
            slf.try_borrow_mut()?.scores.merge(&theirs).map_err(refused)?;
        }
        Ok(slf)
    }

    fn __add__(&self, other: &Bound<'_, Self>) -> PyResult<Self> {
        let mut scores = self.scores.clone();
        scores.merge(&other.try_borrow()?.scores).map_err(refused)?;
        Ok(PyScores { scores })
    }

    /// Number of blocks.
    #[getter]
    fn blocks(&self) -> usize {
        self.scores.blocks()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let (sizes, blocks, numbers) = self.scores.state();
        let numbers = PyArray1::from_vec(py, numbers).call_method0("tobytes")?;
        reduced::<PyScores>(py, (sizes, blocks, numbers))
    }

    fn __repr__(&self) -> String {
        format!("<steiner.Scores: {} blocks>", self.scores.blocks())
    }
}

impl Pickled for PyScores {
    const NAME: &'static str = "Scores";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (sizes, blocks, bytes): ([usize; 2], Vec<usize>, Vec<u8>) = state.extract()?;
        let scores = BlockScores::of_state(sizes, &blocks, &numbers(&bytes));
        let scores = scores.ok_or_else(|| value_error("pickled scores are damaged; make them anew"))?;
        Ok(PyScores { scores })
    }
}
