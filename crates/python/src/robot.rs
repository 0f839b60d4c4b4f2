//! `steiner.Robot`.

use std::path::PathBuf;

use numpy::{PyArray1, PyArrayDyn, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::dynamics::{Mechanism, Samples, Zeros};
use steiner::formats::{Format, ReadOptions};
use steiner::identification::{DriveForces, IdentificationError};
use steiner::linalg::elimination::Matrix;
use steiner::logs::DryFriction;
use steiner::robot::Robot;
use steiner::scalar::Exact;

use crate::arrays::{Numbers, Rows, fill_in_slices, output, thread_count, value_error, vector};
use crate::failures::refused;
use crate::model::{CodeRequest, PyPsdm, filled, generated};
use crate::origin::Origin;
use crate::pickled::{Reduced, reduced};

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

/// Samples in lanes that take well below a second, closed loops included.
const SLICE: usize = 1 << 14;
/// What knows other packages.
const BRIDGES: &str = "steiner._bridges";

/// States of the robot.
struct Batch {
    q: Rows,
    qd: Rows,
    qdd: Rows,
}

impl Batch {
    /// As many samples as it takes to fill a slice, from one of them on.
    fn samples(&self, first: usize, count: usize) -> Samples<'_> {
        let from = |rows: &'_ Rows| -> (usize, usize) {
            let width = rows.values.len() / rows.count.max(1);
            (first * width, (first + count) * width)
        };
        let ((q0, q1), (v0, v1), (a0, a1)) = (from(&self.q), from(&self.qd), from(&self.qdd));
        Samples {
            q: &self.q.values[q0..q1],
            qd: &self.qd.values[v0..v1],
            qdd: &self.qdd.values[a0..a1],
            count,
        }
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
        self.batch_of([("q", q), ("qd", qd), ("qdd", qdd)])
    }

    /// Configurations and two quantities with a number per degree of freedom.
    fn batch_of(&self, [q, qd, last]: [(&'static str, &PyReadonlyArrayDyn<'_, f64>); 3]) -> PyResult<Batch> {
        let order = || self.mechanism.independent_names().join(", ");
        let dof = self.mechanism.dof();
        let rows = [
            Rows::new(q.0, q.1, self.mechanism.configuration_size(), order)?,
            Rows::new(qd.0, qd.1, dof, order)?,
            Rows::new(last.0, last.1, dof, order)?,
        ];
        Rows::alike(&[q.0, qd.0, last.0], &rows)?;
        let [q, qd, qdd] = rows;
        Ok(Batch { q, qd, qdd })
    }

    fn configurations(&self, q: &PyReadonlyArrayDyn<'_, f64>) -> PyResult<Rows> {
        let order = || self.mechanism.independent_names().join(", ");
        Rows::new("q", q, self.mechanism.configuration_size(), order)
    }

    /// Of an origin, with the mechanism it was read into.
    pub(crate) fn of(mechanism: Mechanism, origin: Origin) -> Self {
        PyRobot { mechanism: Box::new(mechanism), origin }
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
        py.detach(|| {
            let origin = Origin::of(source.to_string_lossy().into_owned(), options)?;
            Ok(PyRobot { mechanism: Box::new(origin.read()?), origin })
        })
    }

    /// A robot from the text of a file; format is "urdf", "xacro", "mjcf" or "toml".
    #[staticmethod]
    #[pyo3(signature = (text, format="urdf", *, name="robot", floating=false, snap=1e-5, mimic=true, independent=Vec::new()))]
    #[allow(clippy::too_many_arguments)]
    fn from_text(
        py: Python<'_>,
        text: String,
        format: &str,
        name: &str,
        floating: bool,
        snap: f64,
        mimic: bool,
        independent: Vec<String>,
    ) -> PyResult<Self> {
        let format = Format::named(format)
            .ok_or_else(|| value_error(format!("format is {format:?}; use urdf, xacro, mjcf or toml")))?;
        let options = ReadOptions { snap, floating, mimic, independent, ..ReadOptions::default() };
        let text = Some(std::sync::Arc::new((text, format)));
        let origin = Origin { source: name.to_owned(), text, only_text: true, options, identified: false };
        py.detach(|| Ok(PyRobot { mechanism: Box::new(origin.read()?), origin }))
    }

    /// The robot of a pinocchio.Model; constraints are its RigidConstraintModels, which close loops.
    #[staticmethod]
    #[pyo3(signature = (model, constraints=None, *, snap=1e-5))]
    fn from_pinocchio<'py>(
        py: Python<'py>,
        model: &Bound<'py, PyAny>,
        constraints: Option<&Bound<'py, PyAny>>,
        snap: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let keywords = PyDict::new(py);
        keywords.set_item("snap", snap)?;
        if let Some(constraints) = constraints {
            keywords.set_item("constraints", constraints)?;
        }
        py.import(BRIDGES)?.call_method("from_pinocchio", (model,), Some(&keywords))
    }

    /// The robot of a compiled mujoco.MjModel, with its constraints connect, weld and joint.
    #[staticmethod]
    #[pyo3(signature = (model, *, snap=1e-5, independent=Vec::new()))]
    fn from_mujoco<'py>(
        py: Python<'py>,
        model: &Bound<'py, PyAny>,
        snap: f64,
        independent: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let keywords = PyDict::new(py);
        keywords.set_item("snap", snap)?;
        keywords.set_item("independent", independent)?;
        py.import(BRIDGES)?.call_method("from_mujoco", (model,), Some(&keywords))
    }

    /// A robot of the package robot_descriptions, as in "panda_description"; options are those of Robot.
    #[staticmethod]
    #[pyo3(signature = (name, **options))]
    fn from_description<'py>(
        py: Python<'py>,
        name: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        py.import(BRIDGES)?.call_method("from_description", (name,), options)
    }

    /// Writes inertias, rotor inertias and friction into a pinocchio.Model of the same robot.
    fn update_pinocchio(slf: &Bound<'_, Self>, model: &Bound<'_, PyAny>) -> PyResult<()> {
        slf.py().import(BRIDGES)?.call_method1("update_pinocchio", (slf, model)).map(drop)
    }

    /// Writes inertias, rotor inertias and friction into a mujoco.MjModel of the same robot.
    fn update_mujoco(slf: &Bound<'_, Self>, model: &Bound<'_, PyAny>) -> PyResult<()> {
        slf.py().import(BRIDGES)?.call_method1("update_mujoco", (slf, model)).map(drop)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduced::<PyRobot>(py, self.state(py)?)
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

    /// The file's 10 N inertial parameters; read-only.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let parameters = PyArray1::from_vec(py, self.mechanism.robot().parameters());
        parameters.call_method1("setflags", (false,))?;
        Ok(parameters)
    }

    /// Every link's own inertia, without what is fixed to it: {link: m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz}
    /// about the origin of its frame.
    #[getter]
    fn link_inertias<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let robot = self.mechanism.robot();
        for body in &robot.bodies {
            let own = body.own_inertia.map(|inertia| inertia.parameters());
            dict.set_item(&body.name, PyArray1::from_slice(py, &own.unwrap_or([0.0; 10])))?;
        }
        for link in robot.bodies.iter().flat_map(|body| &body.lumped).chain(&robot.ground) {
            if let Some(inertia) = link.inertia {
                dict.set_item(&link.name, PyArray1::from_slice(py, &inertia.parameters()))?;
            }
        }
        Ok(dict)
    }

    /// Drives of joints: {joint: {rotor_inertia, viscous, coulomb, offset}}, kg·m² or kg, N·m·s or N·s/m, N·m or N.
    #[getter]
    fn drives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for body in self.mechanism.robot().bodies.iter().filter(|body| body.joint.kind.dof() == 1) {
            let (joint, own) = (&body.joint, PyDict::new(py));
            own.set_item("rotor_inertia", joint.rotor_inertia)?;
            own.set_item("viscous", joint.friction.viscous)?;
            own.set_item("coulomb", joint.friction.coulomb)?;
            own.set_item("offset", joint.friction.offset)?;
            dict.set_item(&joint.name, own)?;
        }
        Ok(dict)
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
        let (threads, width) = (thread_count(threads)?, layout.rows * layout.columns());
        fill_in_slices(py, &out, (width, SLICE), |first, part| {
            let samples = batch.samples(first, part.len() / width.max(1));
            self.mechanism.regressors(&samples, threads, zeros, part).map_err(refused)
        })?;
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
        let (threads, dof) = (thread_count(threads)?, self.mechanism.dof());
        fill_in_slices(py, &out, (dof, SLICE), |first, part| {
            let samples = batch.samples(first, part.len() / dof.max(1));
            self.mechanism.inverse_dynamics_batch(&parameters, &samples, threads, part).map_err(refused)?;
            if drives {
                self.add_drives(&samples, part).map_err(value_error)?;
            }
            Ok(())
        })?;
        Ok(out)
    }

    /// Accelerations that generalised forces cause: (dof,), batched (S, dof). drives: rotor inertia and friction
    /// of the file act too.
    #[pyo3(signature = (q, qd, tau, out=None, threads=None, drives=false))]
    #[allow(clippy::too_many_arguments)]
    fn forward_dynamics<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        qd: Numbers<'py>,
        tau: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
        drives: bool,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let Batch { q, qd, qdd: tau } = self.batch_of([("q", &q), ("qd", &qd), ("tau", &tau)])?;
        let out = output(py, out, &q.shape(&[self.mechanism.dof()]))?;
        let motors = drives
            .then(|| DriveForces::new(&self.mechanism, DryFriction::Sign))
            .transpose()
            .map_err(value_error)?;
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            let found = match &motors {
                None => self.mechanism.forward_dynamics(q.sample(k), qd.sample(k), tau.sample(k))?,
                Some(motors) => {
                    motors.forward_dynamics(&self.mechanism, [q.sample(k), qd.sample(k), tau.sample(k)])?
                }
            };
            out.copy_from_slice(&found);
            Ok::<(), IdentificationError>(())
        })
    }

    /// The mass matrix: (dof, dof), batched (S, dof, dof).
    #[pyo3(signature = (q, out=None, threads=None))]
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (q, dof) = (self.configurations(&q)?, self.mechanism.dof());
        let out = output(py, out, &q.shape(&[dof, dof]))?;
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            out.copy_from_slice(self.mechanism.mass_matrix(q.sample(k))?.entries());
            Ok::<(), steiner::dynamics::DynamicsError>(())
        })
    }

    /// The generalised forces that hold the robot at rest: (dof,), batched (S, dof).
    #[pyo3(signature = (q, out=None, threads=None))]
    fn gravity_force<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let q = self.configurations(&q)?;
        let out = output(py, out, &q.shape(&[self.mechanism.dof()]))?;
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            out.copy_from_slice(&self.mechanism.gravity_force(q.sample(k))?);
            Ok::<(), steiner::dynamics::DynamicsError>(())
        })
    }

    /// The configuration of all tree joints at configurations of the independent ones, loops closed: one, or
    /// (S, ·).
    #[pyo3(signature = (q, out=None, threads=None))]
    fn tree_configuration<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let q = self.configurations(&q)?;
        let out = output(py, out, &q.shape(&[self.mechanism.robot().tree_configuration_size()]))?;
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            out.copy_from_slice(&self.mechanism.tree_configuration(q.sample(k))?);
            Ok::<(), steiner::dynamics::DynamicsError>(())
        })
    }

    /// G with tree velocities = G · independent velocities, (tree_dof, dof), batched (S, tree_dof, dof). With
    /// couplings it is constant: compare Gᵀ Y and Gᵀ τ with a program that ignores them.
    #[pyo3(signature = (q, out=None, threads=None))]
    fn velocity_map<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let q = self.configurations(&q)?;
        let (tree, dof) = (self.mechanism.tree_dof(), self.mechanism.dof());
        let out = output(py, out, &q.shape(&[tree, dof]))?;
        let still = vec![0.0; dof];
        filled(py, out, &q, thread_count(threads)?, |k, out| {
            let state = self.mechanism.feasible(q.sample(k), &still, &still)?;
            let map = state.reduction.unwrap_or_else(|| Matrix::identity(tree));
            out.copy_from_slice(map.entries());
            Ok::<(), steiner::dynamics::DynamicsError>(())
        })
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
        what: Option<Bound<'py, PyAny>>,
        theta: bool,
        float: bool,
        drives: bool,
        method: &str,
        prefix: Option<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        // One word is one quantity.
        let words = |what: Bound<'py, PyAny>| match what.extract::<String>() {
            Ok(word) => Ok(vec![word]),
            Err(_) => what.extract::<Vec<String>>(),
        };
        let what = what.map(words).transpose()?;
        let request = CodeRequest { language, what, theta, float, drives, method, prefix };
        let files = py.detach(|| generated(&self.mechanism, request))?;
        let dict = PyDict::new(py);
        for (name, text) in files {
            dict.set_item(name, text)?;
        }
        Ok(dict)
    }

    /// Tree configurations as Pinocchio stores them, one or (S, ·): continuous and planar joints with cosine and
    /// sine.
    #[pyo3(signature = (q, out=None))]
    fn q_to_pinocchio<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let robot = self.mechanism.robot();
        let q = Rows::new("q", &q, robot.tree_configuration_size(), || self.joints().join(", "))?;
        let out = output(py, out, &q.shape(&[robot.pinocchio_configuration_size()]))?;
        filled(py, out, &q, thread_count(Some(1))?, |k, out| {
            out.copy_from_slice(&robot.q_to_pinocchio(q.sample(k)));
            Ok::<(), std::convert::Infallible>(())
        })
    }

    /// Tree configurations from what Pinocchio stores, one or (S, ·).
    #[pyo3(signature = (q, out=None))]
    fn q_from_pinocchio<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let robot = self.mechanism.robot();
        let q = Rows::new("q", &q, robot.pinocchio_configuration_size(), || self.joints().join(", "))?;
        let out = output(py, out, &q.shape(&[robot.tree_configuration_size()]))?;
        filled(py, out, &q, thread_count(Some(1))?, |k, out| {
            out.copy_from_slice(&robot.q_from_pinocchio(q.sample(k)));
            Ok::<(), std::convert::Infallible>(())
        })
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
