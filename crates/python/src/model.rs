//! `steiner.Psdm`, the closed form of a serial arm.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::dynamics::Mechanism;
use steiner::linalg::parts_in_parallel;
use steiner::model::{CalibratedPsdm, ModelError, Notation, Psdm, PsdmOptions, ReductionGoal};

use crate::arrays::{Numbers, Rows, fill_in_slices, output, thread_count, value_error, vector};
use crate::failures::refused;
use crate::hints::with_hint;
use crate::pickled::{Pickled, Reduced, reduced};
use crate::smaller_model::{Reduction, task_states};

/// The equations of motion of a serial arm of revolute and prismatic joints: sums of products of
/// accelerations, velocities, sines and cosines, linear in the base parameters theta. From
/// `Robot.psdm()` or `Psdm.load(path)`.
///
/// Arrays hold one number per joint, from the base; batches are (S, dof). Methods take theta, or
/// else use that of the robot's file.
#[pyclass(name = "Psdm", module = "steiner", frozen)]
pub(crate) struct PyPsdm {
    model: Psdm,
    /// What leaving functions out came to, where that was asked for.
    reduction: Option<Reduction>,
    /// With the parameters of the robot's file, once somebody asks.
    nominal: OnceLock<CalibratedPsdm>,
}

impl PyPsdm {
    pub(crate) fn derive(
        mechanism: &Mechanism,
        neglect: Vec<String>,
        drives: bool,
        goal: Option<(&ReductionGoal, &str)>,
    ) -> PyResult<Self> {
        let options = PsdmOptions { neglect, drives, ..PsdmOptions::default() };
        let whole = Psdm::derive(mechanism, &options).map_err(refused)?;
        let Some((goal, profile)) = goal else { return Ok(Self::of(whole)) };
        let states = task_states(mechanism, profile)?;
        let task = whole.task(&whole.nominal(), &states.samples()).map_err(refused)?;
        let smaller = task.reduced(goal).map_err(refused)?;
        let reduction = Reduction {
            functions_before: whole.functions().len(),
            base_parameters_before: whole.parameters().len(),
            accuracy: goal.accuracy,
            confidence: goal.confidence,
            error: smaller.error,
            truncated_error: smaller.truncated_error,
            profile: profile.to_owned(),
            samples: states.count,
        };
        Ok(PyPsdm { reduction: Some(reduction), ..Self::of(smaller.model) })
    }

    fn of(model: Psdm) -> Self {
        PyPsdm { model, reduction: None, nominal: OnceLock::new() }
    }

    /// Quantities with one number per joint, at the same samples.
    fn state<'a, const N: usize>(
        &self,
        arrays: [(&'static str, &'a Numbers<'_>); N],
    ) -> PyResult<[Rows<'a>; N]> {
        let rows =
            arrays.map(|(what, array)| Rows::new(what, array, self.model.dof(), || self.joints().join(", ")));
        let mut found = Vec::with_capacity(N);
        for row in rows {
            found.push(row?);
        }
        Rows::alike(&arrays.map(|(what, _)| what), &found)?;
        found.try_into().map_err(|_| value_error("arrays went missing"))
    }

    /// The model with given parameters, or with those of the file.
    fn calibrated(&self, py: Python<'_>, theta: Option<Numbers<'_>>) -> PyResult<Cow<'_, CalibratedPsdm>> {
        if let Some(theta) = theta {
            let theta = vector("theta", &theta, self.model.parameters().len())?;
            return py.detach(|| self.model.calibrate(&theta)).map(Cow::Owned).map_err(refused);
        }
        if self.nominal.get().is_none() {
            let nominal = py.detach(|| self.model.calibrate(&self.model.nominal())).map_err(refused)?;
            // Another thread may have been faster, with the same.
            let _ = self.nominal.set(nominal);
        }
        let nominal = self.nominal.get().ok_or_else(|| value_error("the model has no parameters"))?;
        Ok(Cow::Borrowed(nominal))
    }
}

/// Samples one by one that take well below a second, closed loops included.
const SLICE: usize = 1 << 11;

/// Fills an array sample by sample, without the interpreter's lock.
pub(crate) fn filled<'py, E: std::error::Error + Send + 'static>(
    py: Python<'py>,
    out: Bound<'py, PyArrayDyn<f64>>,
    rows: &Rows<'_>,
    threads: NonZeroUsize,
    sample: impl Fn(usize, &mut [f64]) -> Result<(), E> + Sync,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let width = out.len() / rows.count.max(1);
    fill_in_slices(py, &out, (width, SLICE), |first, part| {
        let at = |k: usize, out: &mut [f64]| sample(first + k, out);
        in_parallel(part, width, threads, &at).map_err(|(index, error)| match rows.is_single {
            true => refused(error),
            false => value_error(format!("sample {}: {}", first + index, with_hint(&error))),
        })
    })?;
    Ok(out)
}

/// Calls for each piece of `width` numbers, or says of the first that failed why.
fn in_parallel<E: Send>(
    out: &mut [f64],
    width: usize,
    threads: NonZeroUsize,
    sample: &(impl Fn(usize, &mut [f64]) -> Result<(), E> + Sync),
) -> Result<(), (usize, E)> {
    let count = out.len().checked_div(width).unwrap_or(0);
    let share = count.div_ceil(threads.get()).max(1);
    let results = parts_in_parallel(out.chunks_mut((share * width).max(1)), |part, piece| {
        let mut samples = (part * share..).zip(piece.chunks_mut(width.max(1)));
        samples.try_for_each(|(index, out)| sample(index, out).map_err(|error| (index, error)))
    });
    results.into_iter().collect()
}

/// A file that cannot be read or written is what Python calls FileNotFoundError or OSError;
/// everything else is a ValueError.
pub(crate) fn file_error(path: &Path, error: ModelError) -> PyErr {
    match &error {
        ModelError::Access { missing: true, .. } => PyFileNotFoundError::new_err(error.to_string()),
        ModelError::Access { .. } => PyOSError::new_err(error.to_string()),
        _ => value_error(format!("{}: {error}", path.display())),
    }
}

#[pymethods]
impl PyPsdm {
    /// Reads a model that `save` wrote.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| Psdm::load(&path)).map(Self::of).map_err(|error| file_error(&path, error))
    }

    /// Writes the model to a text file: all of it or, on failure, nothing.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.model.save(&path)).map_err(|error| file_error(&path, error))
    }

    /// Name of the robot.
    #[getter]
    fn robot(&self) -> &str {
        self.model.robot()
    }

    /// Number of joints.
    #[getter]
    fn dof(&self) -> usize {
        self.model.dof()
    }

    /// Names of the joints, from the base.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.model.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    /// The functions y of which forces are sums, as text: s2 and c2 are sine and cosine of q2,
    /// q̈1 an acceleration, g gravity.
    #[getter]
    fn functions(&self) -> Vec<String> {
        self.model.function_names(Notation::Text)
    }

    /// Exponents of the functions, (5 dof, functions): those of q, sin q, cos q, qd and qdd of each joint.
    #[getter]
    fn exponents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let columns = self.model.exponents();
        let rows = 5 * self.model.dof();
        let flat = (0..rows).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        PyArray1::from_vec(py, flat).reshape([rows, columns.len()])
    }

    /// What leaving functions out came to: a dict with functions_before, base_parameters_before, accuracy,
    /// confidence, error, truncated_error, profile and samples; None for the whole model.
    #[getter]
    fn reduction(&self) -> Option<Reduction> {
        self.reduction.clone()
    }

    /// Labels of the parameters that base parameters are made of: ten for each body,
    /// then `joint.Ia` of the drives.
    #[getter]
    fn labels(&self) -> Vec<&str> {
        self.model.labels().iter().map(String::as_str).collect()
    }

    /// The base parameters: a list of dicts with name, terms (pairs of label and factor) and
    /// value with the file's inertias.
    #[getter]
    fn base_parameters<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let labels = self.model.labels();
        let described = self.model.parameters().iter().map(|parameter| {
            let terms: Vec<(&str, f64)> =
                parameter.terms.iter().map(|&(label, factor)| (labels[label].as_str(), factor)).collect();
            let dict = PyDict::new(py);
            dict.set_item("name", &parameter.label)?;
            dict.set_item("terms", terms)?;
            dict.set_item("value", parameter.value)?;
            Ok(dict)
        });
        described.collect()
    }

    /// Values of the base parameters with the file's inertias.
    #[getter]
    fn theta<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.model.nominal())
    }

    /// Generalised forces, N m or N: (dof,), batched (S, dof).
    #[pyo3(signature = (q, qd, qdd, theta=None, out=None, threads=None))]
    #[allow(clippy::too_many_arguments)]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        qd: Numbers<'py>,
        qdd: Numbers<'py>,
        theta: Option<Numbers<'py>>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let [q, qd, qdd] = self.state([("q", &q), ("qd", &qd), ("qdd", &qdd)])?;
        let out = output(py, out, &q.shape(&[self.model.dof()]))?;
        let (arm, threads) = (self.calibrated(py, theta)?, thread_count(threads)?);
        filled(py, out, &q, threads, |k, out| {
            out.copy_from_slice(&arm.inverse_dynamics(q.sample(k), qd.sample(k), qdd.sample(k))?);
            Ok::<(), ModelError>(())
        })
    }

    /// The regressor Y with Y @ theta = generalised forces: (dof, parameters), batched (S, dof, parameters).
    #[pyo3(signature = (q, qd, qdd, out=None, threads=None))]
    fn regressor<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        qd: Numbers<'py>,
        qdd: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let [q, qd, qdd] = self.state([("q", &q), ("qd", &qd), ("qdd", &qdd)])?;
        let out = output(py, out, &q.shape(&[self.model.dof(), self.model.parameters().len()]))?;
        let (evaluator, threads) = (self.model.evaluator(), thread_count(threads)?);
        filled(py, out, &q, threads, |k, out| {
            out.copy_from_slice(evaluator.regressor(q.sample(k), qd.sample(k), qdd.sample(k))?.entries());
            Ok::<(), ModelError>(())
        })
    }

    /// The mass matrix: (dof, dof), batched (S, dof, dof).
    #[pyo3(signature = (q, theta=None, out=None, threads=None))]
    #[allow(clippy::too_many_arguments)]
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        theta: Option<Numbers<'py>>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let [q] = self.state([("q", &q)])?;
        let out = output(py, out, &q.shape(&[self.model.dof(), self.model.dof()]))?;
        let arm = self.calibrated(py, theta)?;
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            out.copy_from_slice(arm.mass_matrix(q.sample(k))?.entries());
            Ok::<(), ModelError>(())
        })
    }

    /// The forces that velocities and gravity demand without acceleration: (dof,), batched (S, dof).
    #[pyo3(signature = (q, qd, theta=None, out=None, threads=None))]
    #[allow(clippy::too_many_arguments)]
    fn bias_forces<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        qd: Numbers<'py>,
        theta: Option<Numbers<'py>>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let [q, qd] = self.state([("q", &q), ("qd", &qd)])?;
        let out = output(py, out, &q.shape(&[self.model.dof()]))?;
        let arm = self.calibrated(py, theta)?;
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            out.copy_from_slice(&arm.bias(q.sample(k), qd.sample(k))?);
            Ok::<(), ModelError>(())
        })
    }

    /// Accelerations that generalised forces cause: (dof,), batched (S, dof).
    #[pyo3(signature = (q, qd, tau, theta=None, out=None, threads=None))]
    #[allow(clippy::too_many_arguments)]
    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        qd: Numbers<'py>,
        tau: Numbers<'py>,
        theta: Option<Numbers<'py>>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let [q, qd, tau] = self.state([("q", &q), ("qd", &qd), ("tau", &tau)])?;
        let out = output(py, out, &q.shape(&[self.model.dof()]))?;
        let arm = self.calibrated(py, theta)?;
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            out.copy_from_slice(&arm.forward_dynamics(q.sample(k), qd.sample(k), tau.sample(k))?);
            Ok::<(), ModelError>(())
        })
    }

    /// The equations of all forces and base parameters, as "text" or "latex".
    #[pyo3(signature = (notation="text"))]
    fn equations(&self, notation: &str) -> PyResult<String> {
        match notation {
            "text" => Ok(self.model.equations(Notation::Text)),
            "latex" => Ok(self.model.equations(Notation::Latex)),
            _ => Err(value_error(format!("notation={notation:?}: use text or latex"))),
        }
    }

    fn _repr_latex_(&self) -> String {
        format!("$$\\begin{{aligned}}{}\\end{{aligned}}$$", self.model.equations(Notation::Latex))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let model = crate::pickled::packed(py, &self.model.to_text())?;
        reduced::<PyPsdm>(py, (model, self.reduction.clone()))
    }

    fn __repr__(&self) -> String {
        format!(
            "<steiner.Psdm {:?}: {} functions in {} base parameters>",
            self.model.robot(),
            self.model.functions().len(),
            self.model.parameters().len()
        )
    }
}

impl Pickled for PyPsdm {
    const NAME: &'static str = "Psdm";

    fn restored(py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (model, reduction): (Bound<'_, PyAny>, Option<Reduction>) = state.extract()?;
        let text = crate::pickled::unpacked(&model)?;
        let model = py.detach(|| Psdm::from_text(&text)).map_err(refused)?;
        Ok(PyPsdm { reduction, ..Self::of(model) })
    }
}
