//! `steiner.Robot`.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::dynamics::{Mechanism, Samples, Zeros};
use steiner::formats::ReadOptions;
use steiner::identification::{DriveForces, IdentificationError};
use steiner::linalg::elimination::Matrix;
use steiner::logs::DryFriction;
use steiner::robot::Robot;
use steiner::scalar::Exact;

use crate::arrays::{Numbers, Rows, matrix_to_numpy, output, thread_count, value_error, vector};
use crate::failures::refused;
use crate::model::{CodeRequest, PyPsdm, generated};
use crate::origin::Origin;

/// A robot: a file (URDF, URDF+, xacro, MJCF, TOML) or a name from `steiner.zoo()`.
///
/// Coordinates are those of `independent`, in order; inertial parameters those
/// of `labels`. SI units, radians.
///
/// Robot(source, floating=False, gravity=None, snap=1e-5, mimic=True, package_path=(), xacro={}, lock={}, independent=())
///
/// gravity is the file's, or (0, 0, -9.81) m/s². Angles within snap (rad) of a multiple of 15°
/// are read as that multiple. mimic=False ignores <mimic>, as Pinocchio does by default. xacro
/// gives values to xacro arguments. lock holds joints at values ({"finger": 0.04}, rad or m): what they
/// carry is one body with what carries them. independent chooses coordinates where loops leave a choice.
#[pyclass(name = "Robot", module = "steiner", frozen)]
pub(crate) struct PyRobot {
    /// In a box of its own: Python aligns its objects to 16 bytes, lanes of doubles want 32.
    mechanism: Box<Mechanism>,
    origin: Origin,
}

/// States of the robot.
struct Batch {
    q: Rows,
    qd: Rows,
    qdd: Rows,
}

impl Batch {
    fn samples(&self) -> Samples<'_> {
        Samples { q: &self.q.values, qd: &self.qd.values, qdd: &self.qdd.values, count: self.q.count }
    }

    /// (S, …) for a batch, (…) for one sample.
    fn shape(&self, rest: &[usize]) -> Vec<usize> {
        self.q.shape(rest)
    }
}

impl PyRobot {
    /// The mechanism behind the object.
    pub(crate) fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Where it comes from.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The same robot with the inertias and drives of an identification.
    pub(crate) fn identified(&self, robot: Robot) -> PyResult<Self> {
        let mechanism = Box::new(Mechanism::new(robot).map_err(refused)?);
        Ok(PyRobot { mechanism, origin: Origin { identified: true, ..self.origin.clone() } })
    }

    /// Adds the forces of drives to those of the bodies, sample by sample.
    fn add_drives(&self, samples: &Samples<'_>, forces: &mut [f64]) -> Result<(), IdentificationError> {
        let drives = DriveForces::new(&self.mechanism, DryFriction::Sign)?;
        let (nq, dof) = (self.mechanism.configuration_size(), self.mechanism.dof());
        for (k, forces) in forces.chunks_exact_mut(dof.max(1)).enumerate() {
            let (qd, qdd) = (&samples.qd[dof * k..][..dof], &samples.qdd[dof * k..][..dof]);
            drives.add(&self.mechanism, [&samples.q[nq * k..][..nq], qd, qdd], forces)?;
        }
        Ok(())
    }

    fn batch(
        &self,
        q: &PyReadonlyArrayDyn<'_, f64>,
        qd: &PyReadonlyArrayDyn<'_, f64>,
        qdd: &PyReadonlyArrayDyn<'_, f64>,
    ) -> PyResult<Batch> {
        let order = || self.mechanism.independent_names().join(", ");
        let dof = self.mechanism.dof();
        let rows = [
            Rows::new("q", q, self.mechanism.configuration_size(), order)?,
            Rows::new("qd", qd, dof, order)?,
            Rows::new("qdd", qdd, dof, order)?,
        ];
        Rows::alike(&["q", "qd", "qdd"], &rows)?;
        let [q, qd, qdd] = rows;
        Ok(Batch { q, qd, qdd })
    }
}

#[pymethods]
impl PyRobot {
    #[new]
    #[pyo3(signature = (source, floating=false, gravity=None, snap=1e-5, mimic=true, package_path=Vec::new(), xacro=Default::default(), lock=Default::default(), independent=Vec::new()))]
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
        lock: std::collections::BTreeMap<String, f64>,
        independent: Vec<String>,
    ) -> PyResult<Self> {
        if !(0.0..=0.1).contains(&snap) {
            return Err(value_error(format!("snap is {snap}; give an angle from 0 to 0.1 rad")));
        }
        let exact = |x: f64, whose: &str| {
            Exact::from_f64(x).ok_or_else(|| value_error(format!("{whose} holds {x}; give finite numbers")))
        };
        let gravity = match gravity.map(|g| g.map(|x| exact(x, "gravity"))) {
            None => None,
            Some([x, y, z]) => Some([x?, y?, z?]),
        };
        let held = |(joint, value): (String, f64)| Ok((joint, exact(value, "lock")?));
        let lock = lock.into_iter().map(held).collect::<PyResult<_>>()?;
        let options = ReadOptions {
            snap,
            floating,
            gravity,
            mimic,
            package_path,
            xacro_arguments: xacro.into_iter().collect(),
            independent,
            lock,
        };
        let origin = Origin { source: source.to_string_lossy().into_owned(), options, identified: false };
        py.detach(|| Ok(PyRobot { mechanism: Box::new(origin.read()?), origin }))
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

    /// The regressor Y with Y·parameters = generalised forces. One sample: (dof, 10 N). Batched (S, ·)
    /// inputs: (S, dof, 10 N). out= reuses a C-contiguous buffer of that shape.
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
        let out = output(py, out, &batch.shape(&[layout.rows, layout.columns()]))?;
        let threads = thread_count(threads)?;
        {
            let mut writable: PyReadwriteArrayDyn<'_, f64> = out.try_readwrite().map_err(value_error)?;
            let slice = writable.as_slice_mut().map_err(value_error)?;
            py.detach(|| self.mechanism.regressors(&batch.samples(), threads, zeros, slice))
                .map_err(refused)?;
        }
        Ok(out)
    }

    /// Generalised forces by recursion, with the file's inertias or the given 10 N parameters. drives adds
    /// rotor inertia and all friction of the file. One sample: (dof,); batched: (S, dof).
    #[pyo3(signature = (q, qd, qdd, parameters=None, out=None, threads=None, drives=false))]
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
        drives: bool,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let batch = self.batch(&q, &qd, &qdd)?;
        let parameters = match parameters {
            Some(given) => vector("parameters", &given, 10 * self.mechanism.robot().bodies.len())?,
            None => self.mechanism.robot().parameters(),
        };
        let out = output(py, out, &batch.shape(&[self.mechanism.dof()]))?;
        let threads = thread_count(threads)?;
        {
            let mut writable: PyReadwriteArrayDyn<'_, f64> = out.try_readwrite().map_err(value_error)?;
            let slice = writable.as_slice_mut().map_err(value_error)?;
            py.detach(|| {
                self.mechanism.inverse_dynamics_batch(&parameters, &batch.samples(), threads, slice)
            })
            .map_err(refused)?;
            if drives {
                py.detach(|| self.add_drives(&batch.samples(), slice)).map_err(value_error)?;
            }
        }
        Ok(out)
    }

    /// The mass matrix (dof, dof) at one configuration.
    fn mass_matrix<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let q = vector("q", &q, self.mechanism.configuration_size())?;
        let mass = py.detach(|| self.mechanism.mass_matrix(&q)).map_err(refused)?;
        matrix_to_numpy(py, &mass)
    }

    /// The generalised forces that hold the robot at rest at one configuration.
    fn gravity_force<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let q = vector("q", &q, self.mechanism.configuration_size())?;
        let force = py.detach(|| self.mechanism.gravity_force(&q)).map_err(refused)?;
        Ok(PyArray1::from_vec(py, force))
    }

    /// The configuration of all tree joints at one configuration of the independent ones, loops closed.
    fn tree_configuration<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let q = vector("q", &q, self.mechanism.configuration_size())?;
        let tree = py.detach(|| self.mechanism.tree_configuration(&q)).map_err(refused)?;
        Ok(PyArray1::from_vec(py, tree))
    }

    /// G with tree velocities = G · independent velocities, (tree_dof, dof), at one configuration. With
    /// couplings it is constant: compare Gᵀ Y and Gᵀ τ with a program that ignores them.
    fn velocity_map<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let q = vector("q", &q, self.mechanism.configuration_size())?;
        let still = vec![0.0; self.mechanism.dof()];
        let state = py.detach(|| self.mechanism.feasible(&q, &still, &still)).map_err(refused)?;
        match &state.reduction {
            Some(z) => matrix_to_numpy(py, z),
            None => matrix_to_numpy(py, &Matrix::identity(self.mechanism.tree_dof())),
        }
    }

    /// The equations of motion in closed form, for a serial arm of revolute and prismatic joints. neglect
    /// lists parameters to take as zero; drives adds the inertias of the drives.
    #[pyo3(signature = (neglect=Vec::new(), drives=false))]
    fn psdm(&self, py: Python<'_>, neglect: Vec<String>, drives: bool) -> PyResult<PyPsdm> {
        py.detach(|| PyPsdm::derive(&self.mechanism, neglect, drives))
    }

    /// Straight-line code for the dynamics of a tree: a dict from file name to text.
    ///
    /// language is "c" (header and source) or "rust"; what lists some of inverse, regressor, mass, bias,
    /// forward (all if None); theta makes the base parameters an argument, float makes single precision,
    /// drives adds rotor inertia and friction. method is recursive (any tree), psdm (the closed form of a
    /// serial arm) or fastest (the faster on this machine).
    #[pyo3(signature = (language="c", what=None, theta=false, float=false, drives=false, method="recursive", prefix=None))]
    #[allow(clippy::too_many_arguments)]
    fn code<'py>(
        &self,
        py: Python<'py>,
        language: &str,
        what: Option<Vec<String>>,
        theta: bool,
        float: bool,
        drives: bool,
        method: &str,
        prefix: Option<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let request = CodeRequest { language, what, theta, float, drives, method, prefix };
        let files = py.detach(|| generated(&self.mechanism, request))?;
        let dict = PyDict::new(py);
        for (name, text) in files {
            dict.set_item(name, text)?;
        }
        Ok(dict)
    }

    /// A tree configuration as Pinocchio stores it: continuous and planar joints with cosine and sine.
    fn q_to_pinocchio<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let robot = self.mechanism.robot();
        let q = vector("q", &q, robot.tree_configuration_size())?;
        Ok(PyArray1::from_vec(py, robot.q_to_pinocchio(&q)))
    }

    /// A tree configuration from what Pinocchio stores.
    fn q_from_pinocchio<'py>(&self, py: Python<'py>, q: Numbers<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let robot = self.mechanism.robot();
        let q = vector("q", &q, robot.pinocchio_configuration_size())?;
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
