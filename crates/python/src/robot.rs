//! `steiner.Robot`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use numpy::{
    AllowTypeChange, PyArray1, PyArray2, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use steiner_dynamics::{Mechanism, Samples, Zeros, all_threads};
use steiner_robot::{ReadOptions, RobotError, read_robot};
use steiner_scalar::Exact;
use steiner_scalar::elimination::Matrix;

/// An array, or anything NumPy can make one of: lists, integers. Arrays of f64 are not copied.
type Numbers<'py> = PyArrayLikeDyn<'py, f64, AllowTypeChange>;

fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A file that cannot be read is what Python calls FileNotFoundError or OSError; everything else is a ValueError.
fn read_error(error: RobotError) -> PyErr {
    match &error {
        RobotError::Unreadable { reason, .. } if reason.contains("no such file") => {
            PyFileNotFoundError::new_err(error.to_string())
        }
        RobotError::Unreadable { .. } => PyOSError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// A robot: a file (URDF, URDF+, xacro, MJCF, TOML) or a name from `steiner.zoo()`.
///
/// Coordinates are those of `independent`, in order; inertial parameters those of `labels`. SI units, radians.
///
/// Robot(source, floating=False, gravity=None, snap=1e-5, mimic=True, package_path=(), xacro={})
///
/// gravity is the file's, or (0, 0, -9.81) m/s². Angles within snap (rad) of a multiple of 15° are read as that
/// multiple. mimic=False ignores <mimic>, as Pinocchio does by default. xacro gives values to xacro arguments.
#[pyclass(name = "Robot", module = "steiner", frozen)]
pub(crate) struct PyRobot {
    /// In a box of its own: Python aligns its objects to 16 bytes, lanes of doubles want 32.
    mechanism: Box<Mechanism>,
}

/// One sample or a batch of them.
struct Batch {
    q: Vec<f64>,
    qd: Vec<f64>,
    qdd: Vec<f64>,
    count: usize,
    is_single: bool,
}

impl Batch {
    fn samples(&self) -> Samples<'_> {
        Samples { q: &self.q, qd: &self.qd, qdd: &self.qdd, count: self.count }
    }

    /// (S, …) for a batch, (…) for one sample.
    fn shape(&self, rest: &[usize]) -> Vec<usize> {
        let batch = (!self.is_single).then_some(self.count);
        batch.into_iter().chain(rest.iter().copied()).collect()
    }
}

impl PyRobot {
    /// The mechanism behind the object.
    pub(crate) fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    fn rows(
        &self,
        what: &str,
        array: &PyReadonlyArrayDyn<'_, f64>,
        width: usize,
    ) -> PyResult<(Vec<f64>, usize, bool)> {
        let shape = array.shape();
        let (count, is_single, found) = match *shape {
            [found] => (1, true, found),
            [count, found] => (count, false, found),
            _ => {
                return Err(value_error(format!(
                    "{what} has shape {shape:?}; give ({width},) or (S, {width})"
                )));
            }
        };
        if found != width {
            return Err(value_error(format!(
                "{what} has shape {shape:?}; give ({width},) or (S, {width}), in the order {}",
                self.mechanism.independent_names().join(", ")
            )));
        }
        Ok((array.as_array().iter().copied().collect(), count, is_single))
    }

    fn batch(
        &self,
        q: &PyReadonlyArrayDyn<'_, f64>,
        qd: &PyReadonlyArrayDyn<'_, f64>,
        qdd: &PyReadonlyArrayDyn<'_, f64>,
    ) -> PyResult<Batch> {
        let dof = self.mechanism.dof();
        let (q, count, is_single) = self.rows("q", q, self.mechanism.configuration_size())?;
        let (qd, qd_count, qd_single) = self.rows("qd", qd, dof)?;
        let (qdd, qdd_count, qdd_single) = self.rows("qdd", qdd, dof)?;
        if qd_single != is_single || qdd_single != is_single {
            return Err(value_error(
                "q, qd and qdd mix one sample with batches; give all as (n,) or all as (S, n)",
            ));
        }
        if qd_count != count || qdd_count != count {
            return Err(value_error(format!(
                "q, qd and qdd have {count}, {qd_count} and {qdd_count} samples; give the same number of each"
            )));
        }
        Ok(Batch { q, qd, qdd, count, is_single })
    }

    fn threads(threads: Option<isize>) -> PyResult<NonZeroUsize> {
        let Some(n) = threads else { return Ok(all_threads()) };
        let positive = usize::try_from(n).ok().and_then(NonZeroUsize::new);
        positive.ok_or_else(|| value_error(format!("threads is {n}; give at least 1")))
    }

    /// The caller's array, or a new one of the right shape.
    fn output<'py>(
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let Some(out) = out else { return Ok(PyArrayDyn::zeros(py, shape.to_vec(), false)) };
        let Ok(out) = out.cast_into::<PyArrayDyn<f64>>() else {
            return Err(value_error(format!(
                "out is not an array of float64; give a C-contiguous float64 array of shape {shape:?}"
            )));
        };
        if out.shape() != shape || !out.is_c_contiguous() {
            let order = if out.is_c_contiguous() { "" } else { " and is not C-contiguous" };
            return Err(value_error(format!(
                "out has shape {:?}{order}; give a C-contiguous float64 array of shape {shape:?}",
                out.shape()
            )));
        }
        Ok(out)
    }

    fn tree_q(&self, what: &str, q: &PyReadonlyArrayDyn<'_, f64>, width: usize) -> PyResult<Vec<f64>> {
        if q.shape() != [width] {
            return Err(value_error(format!("{what} has shape {:?}; give ({width},)", q.shape())));
        }
        Ok(q.as_array().iter().copied().collect())
    }
}

fn matrix_to_numpy<'py>(py: Python<'py>, matrix: &Matrix<f64>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let flat = PyArray1::from_slice(py, matrix.entries());
    Ok(flat.reshape([matrix.rows(), matrix.columns()])?.cast_into::<PyArray2<f64>>()?)
}

#[pymethods]
impl PyRobot {
    #[new]
    #[pyo3(signature = (source, floating=false, gravity=None, snap=1e-5, mimic=true, package_path=Vec::new(), xacro=Default::default()))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        source: PathBuf,
        floating: bool,
        gravity: Option<[f64; 3]>,
        snap: f64,
        mimic: bool,
        package_path: Vec<PathBuf>,
        xacro: std::collections::BTreeMap<String, String>,
    ) -> PyResult<Self> {
        if !(0.0..=0.1).contains(&snap) {
            return Err(value_error(format!("snap is {snap}; give an angle from 0 to 0.1 rad")));
        }
        let gravity = match gravity {
            None => None,
            Some(g) => {
                let exact =
                    |x: f64| Exact::from_f64(x).ok_or_else(|| value_error(format!("gravity holds {x}")));
                Some([exact(g[0])?, exact(g[1])?, exact(g[2])?])
            }
        };
        let options = ReadOptions {
            snap,
            floating,
            gravity,
            mimic,
            package_path,
            xacro_arguments: xacro.into_iter().collect(),
        };
        let source = source.to_string_lossy().into_owned();
        py.detach(|| {
            let robot = read_robot(&source, &options).map_err(read_error)?;
            Ok(PyRobot { mechanism: Box::new(Mechanism::new(robot).map_err(value_error)?) })
        })
    }

    /// Name of the robot.
    #[getter]
    fn name(&self) -> &str {
        &self.mechanism.robot().name
    }

    /// Names of the moving bodies, parents before children.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.mechanism.robot().bodies.iter().map(|body| body.name.as_str()).collect()
    }

    /// Names of the joints that carry them.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.mechanism.robot().bodies.iter().map(|body| body.joint.name.as_str()).collect()
    }

    /// Kinds of these joints.
    #[getter]
    fn joint_kinds(&self) -> Vec<&str> {
        self.mechanism.robot().bodies.iter().map(|body| body.joint.kind.name()).collect()
    }

    /// Independent velocities: the rows of the regressor.
    #[getter]
    fn dof(&self) -> usize {
        self.mechanism.dof()
    }

    /// The same number, as mechanism theory calls it.
    #[getter]
    fn mobility(&self) -> usize {
        self.mechanism.dof()
    }

    /// Velocities before loops and couplings.
    #[getter]
    fn tree_dof(&self) -> usize {
        self.mechanism.tree_dof()
    }

    /// Length of a configuration q.
    #[getter]
    fn nq(&self) -> usize {
        self.mechanism.configuration_size()
    }

    /// Number of loops.
    #[getter]
    fn loops(&self) -> usize {
        self.mechanism.robot().loops.len()
    }

    /// Names of the independent coordinates.
    #[getter]
    fn independent(&self) -> Vec<String> {
        self.mechanism.independent_names()
    }

    /// Labels of the 10 N inertial parameters.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.mechanism.robot().labels()
    }

    /// The file's 10 N inertial parameters.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.mechanism.robot().parameters())
    }

    /// Gravitational acceleration, m/s².
    #[getter]
    fn gravity(&self) -> [f64; 3] {
        self.mechanism.robot().gravity_vector()
    }

    /// An assembled configuration.
    #[getter]
    fn reference<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.mechanism.reference())
    }

    /// How many printed angles were read as a multiple of 15°.
    #[getter]
    fn snapped(&self) -> usize {
        self.mechanism.robot().snapped
    }

    /// What is wrong with the given inertias: a dict from body to sentence, empty when all are consistent.
    #[getter]
    fn inconsistencies(&self) -> std::collections::BTreeMap<String, String> {
        let bodies = self.mechanism.robot().bodies.iter();
        bodies.filter_map(|body| Some((body.name.clone(), body.inertia.check().err()?.to_string()))).collect()
    }

    /// The regressor Y with Y·parameters = generalised forces. One sample: (dof, 10 N). Batched (S, ·) inputs:
    /// (S, dof, 10 N). out= reuses a C-contiguous buffer of that shape.
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
        let batch = self.batch(&q, &qd, &qdd)?;
        let layout = self.mechanism.layout();
        let zeros = if out.is_some() { Zeros::Write } else { Zeros::AlreadyThere };
        let out = Self::output(py, out, &batch.shape(&[layout.rows, layout.columns()]))?;
        let threads = Self::threads(threads)?;
        {
            let mut writable: PyReadwriteArrayDyn<'_, f64> = out.try_readwrite().map_err(value_error)?;
            let slice = writable.as_slice_mut().map_err(value_error)?;
            py.detach(|| self.mechanism.regressors(&batch.samples(), threads, zeros, slice))
                .map_err(value_error)?;
        }
        Ok(out)
    }

    /// Generalised forces by recursion, with the file's inertias or the given 10 N parameters. One sample: (dof,);
    /// batched: (S, dof).
    #[pyo3(signature = (q, qd, qdd, parameters=None, out=None, threads=None))]
    #[allow(clippy::too_many_arguments)]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        qd: Numbers<'py>,
        qdd: Numbers<'py>,
        parameters: Option<Numbers<'py>>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let batch = self.batch(&q, &qd, &qdd)?;
        let parameters = match parameters {
            Some(given) => self.tree_q("parameters", &given, self.mechanism.layout().columns())?,
            None => self.mechanism.robot().parameters(),
        };
        let out = Self::output(py, out, &batch.shape(&[self.mechanism.dof()]))?;
        let threads = Self::threads(threads)?;
        {
            let mut writable: PyReadwriteArrayDyn<'_, f64> = out.try_readwrite().map_err(value_error)?;
            let slice = writable.as_slice_mut().map_err(value_error)?;
            py.detach(|| {
                self.mechanism.inverse_dynamics_batch(&parameters, &batch.samples(), threads, slice)
            })
            .map_err(value_error)?;
        }
        Ok(out)
    }

    /// The mass matrix (dof, dof) at one configuration.
    fn mass_matrix<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let q = self.tree_q("q", &q, self.mechanism.configuration_size())?;
        let mass = py.detach(|| self.mechanism.mass_matrix(&q)).map_err(value_error)?;
        matrix_to_numpy(py, &mass)
    }

    /// The generalised forces that hold the robot at rest at one configuration.
    fn gravity_force<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let q = self.tree_q("q", &q, self.mechanism.configuration_size())?;
        let force = py.detach(|| self.mechanism.gravity_force(&q)).map_err(value_error)?;
        Ok(PyArray1::from_vec(py, force))
    }

    /// The configuration of all tree joints at one configuration of the independent ones, loops closed.
    fn tree_configuration<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let q = self.tree_q("q", &q, self.mechanism.configuration_size())?;
        let tree = py.detach(|| self.mechanism.tree_configuration(&q)).map_err(value_error)?;
        Ok(PyArray1::from_vec(py, tree))
    }

    /// G with tree velocities = G · independent velocities, (tree_dof, dof), at one configuration. With couplings it is
    /// constant: compare Gᵀ Y and Gᵀ τ with a program that ignores them.
    fn velocity_map<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let q = self.tree_q("q", &q, self.mechanism.configuration_size())?;
        let still = vec![0.0; self.mechanism.dof()];
        let state = py.detach(|| self.mechanism.feasible(&q, &still, &still)).map_err(value_error)?;
        match &state.reduction {
            Some(z) => matrix_to_numpy(py, z),
            None => matrix_to_numpy(py, &Matrix::identity(self.mechanism.tree_dof())),
        }
    }

    /// A tree configuration as Pinocchio stores it: continuous and planar joints with cosine and sine.
    fn q_to_pinocchio<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let robot = self.mechanism.robot();
        let q = self.tree_q("q", &q, robot.tree_configuration_size())?;
        Ok(PyArray1::from_vec(py, robot.q_to_pinocchio(&q)))
    }

    /// A tree configuration from what Pinocchio stores.
    fn q_from_pinocchio<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let robot = self.mechanism.robot();
        let q = self.tree_q("q", &q, robot.pinocchio_configuration_size())?;
        Ok(PyArray1::from_vec(py, robot.q_from_pinocchio(&q)))
    }

    fn __repr__(&self) -> String {
        let robot = self.mechanism.robot();
        format!(
            "<steiner.Robot {:?}: {} bodies, mobility {}, {} loops>",
            robot.name,
            robot.bodies.len(),
            self.mechanism.dof(),
            robot.loops.len()
        )
    }
}
