//! `steiner.Robot`.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use steiner::dynamics::Mechanism;
use steiner::formats::{Format, ReadOptions, zoo};
use steiner::linalg::elimination::Matrix;
use steiner::report::info_json;
use steiner::robot::Robot;
use steiner::scalar::Exact;

use crate::analysis::python;
use crate::arrays::{Numbers, value_error, vector};
use crate::code::{CodeRequest, generated};
use crate::failures::{interruptible, refused};
use crate::model::PyPsdm;
use crate::origin::Origin;
use crate::pickled::{Reduced, reduced};
use crate::robot_batches::{Answered, Making};
use crate::smaller_model::reduction_goal;

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

/// What knows other packages.
const BRIDGES: &str = "steiner._bridges";

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

    /// What `steiner info --json` prints.
    fn document(&self) -> Value {
        let note = zoo::find(&self.origin.source).ok().and_then(|entry| entry.note);
        info_json(&self.mechanism, note)
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
    ) -> Answered<'py> {
        let at = self.batch([("q", &q), ("qd", &qd), ("qdd", &qdd)])?;
        self.regressors(py, &at, Making { out, threads })
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
    ) -> Answered<'py> {
        let at = self.batch([("q", &q), ("qd", &qd), ("qdd", &qdd)])?;
        let parameters = match parameters {
            Some(given) => vector("parameters", &given, 10 * self.mechanism.robot().bodies.len())?,
            None => self.mechanism.robot().parameters(),
        };
        self.forces(py, &at, &parameters, drives, Making { out, threads })
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
    ) -> Answered<'py> {
        let at = self.batch([("q", &q), ("qd", &qd), ("tau", &tau)])?;
        self.accelerations(py, &at, drives, Making { out, threads })
    }

    /// The mass matrix: (dof, dof), batched (S, dof, dof).
    #[pyo3(signature = (q, out=None, threads=None))]
    fn mass_matrix<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
        threads: Option<isize>,
    ) -> Answered<'py> {
        let (mechanism, dof) = (&self.mechanism, self.mechanism.dof());
        self.at_configurations(py, &q, &[dof, dof], Making { out, threads }, |q, out| {
            out.copy_from_slice(mechanism.mass_matrix(q)?.entries());
            Ok(())
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
    ) -> Answered<'py> {
        let mechanism = &self.mechanism;
        self.at_configurations(py, &q, &[mechanism.dof()], Making { out, threads }, |q, out| {
            out.copy_from_slice(&mechanism.gravity_force(q)?);
            Ok(())
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
    ) -> Answered<'py> {
        let (mechanism, size) = (&self.mechanism, self.mechanism.robot().tree_configuration_size());
        self.at_configurations(py, &q, &[size], Making { out, threads }, |q, out| {
            out.copy_from_slice(&mechanism.tree_configuration(q)?);
            Ok(())
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
    ) -> Answered<'py> {
        let (mechanism, tree, dof) = (&self.mechanism, self.mechanism.tree_dof(), self.mechanism.dof());
        let still = vec![0.0; dof];
        self.at_configurations(py, &q, &[tree, dof], Making { out, threads }, |q, out| {
            let map = mechanism.feasible(q, &still, &still)?.reduction;
            out.copy_from_slice(map.unwrap_or_else(|| Matrix::identity(tree)).entries());
            Ok(())
        })
    }

    /// Tree configurations as Pinocchio stores them, one or (S, ·): continuous and planar joints with cosine and
    /// sine.
    #[pyo3(signature = (q, out=None))]
    fn q_to_pinocchio<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Answered<'py> {
        let robot = self.mechanism.robot();
        let sizes = [robot.tree_configuration_size(), robot.pinocchio_configuration_size()];
        self.rewritten(py, &q, sizes, out, |q| robot.q_to_pinocchio(q))
    }

    /// Tree configurations from what Pinocchio stores, one or (S, ·).
    #[pyo3(signature = (q, out=None))]
    fn q_from_pinocchio<'py>(
        &self,
        py: Python<'py>,
        q: Numbers<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> Answered<'py> {
        let robot = self.mechanism.robot();
        let sizes = [robot.pinocchio_configuration_size(), robot.tree_configuration_size()];
        self.rewritten(py, &q, sizes, out, |q| robot.q_from_pinocchio(q))
    }

    /// The equations of motion in closed form, for a serial arm of revolute and prismatic joints. neglect
    /// lists parameters to take as zero; drives adds the inertias of the drives.
    ///
    /// accuracy (a relative error, as in 1e-3) leaves out functions that a task hardly needs, so that forces stay
    /// within it in a part (confidence) of its states. profile is the task: "slow" (rates within 0.1 per s,
    /// accelerations within 1 per s²), "fast" (1 and 10), a .toml file with ranges or a recorded motion. forward
    /// keeps the mass matrix whole, and accuracy is that of accelerations. refit lets the base parameters make
    /// up for a little of what is left out. Psdm.reduction says what was reached.
    #[pyo3(signature = (neglect=Vec::new(), drives=false, *, accuracy=None, confidence=0.999, profile="fast", forward=false, refit=true))]
    #[allow(clippy::too_many_arguments)]
    fn psdm(
        &self,
        py: Python<'_>,
        neglect: Vec<String>,
        drives: bool,
        accuracy: Option<f64>,
        confidence: f64,
        profile: &str,
        forward: bool,
        refit: bool,
    ) -> PyResult<PyPsdm> {
        let goal = reduction_goal(accuracy, confidence, forward, refit)?;
        interruptible(py, || {
            PyPsdm::derive(&self.mechanism, neglect, drives, goal.as_ref().map(|goal| (goal, profile)))
        })
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
        let files = interruptible(py, || generated(&self.mechanism, request))?;
        let dict = PyDict::new(py);
        for (name, text) in files {
            dict.set_item(name, text)?;
        }
        Ok(dict)
    }

    /// What the file says, checked: bodies, joints, loops, couplings, limits, drives and the consistency of the
    /// inertias, as `steiner info --json` prints it.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document())
    }

    /// A table of the bodies for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        py.import("steiner._shown")?.call_method1("robot", (self.info(py)?,))?.extract()
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
