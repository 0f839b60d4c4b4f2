//! `steiner.PayloadEstimator`: what a robot carries, tick by tick.

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use steiner::identification::CentreBound;
use steiner::linalg::elimination::Matrix;
use steiner::logs::DryFriction;
use steiner::report::{payload_line, payload_remarks};
use steiner::robot::to_matrix;
use steiner::{Payload, PayloadEstimator, PayloadSettings};

use crate::arrays::{Numbers, Rows, matrix_to_numpy, value_error};
use crate::identification::PyIdentification;
use crate::keywords::shown;
use crate::pickled::{Pickled, Reduced, reduced};
use crate::robot::PyRobot;

/// Mass, centre of mass and inertia of what a link carries, from one sample after the other.
///
/// robot is a Robot whose own inertias and friction are taken as exact, or an Identification: then σ also
/// counts the errors of the identified parameters. link is a moving link, or one fixed to it (tool,
/// gripper). noise: of each joint's force (dof,), N·m or N; by default the identification's, or all
/// joints alike. forgetting: what a tick makes of the weight of all before it (0.999: a thousand ticks).
/// drives: whether rotor inertia and friction of the robot act. tanh: speed of smoothed dry friction.
/// least_speed: joints with dry friction count only while they are faster, rad/s or m/s. block: samples
/// whose noise may be alike. mass: least and greatest, kg; centre: two corners of a box for the centre of
/// mass, in the link's frame, m.
#[pyclass(name = "PayloadEstimator", module = "steiner")]
pub(crate) struct PyPayloadEstimator {
    estimator: PayloadEstimator,
    joints: Vec<String>,
    size: usize,
    /// How it was made.
    robot: Py<PyAny>,
    link: String,
    asked: Asked,
}

/// The settings as they were given.
#[derive(Clone, Debug)]
struct Asked {
    noise: Option<Vec<f64>>,
    forgetting: f64,
    drives: bool,
    tanh: Option<f64>,
    least_speed: f64,
    block: usize,
    mass: Option<(f64, f64)>,
    centre: Option<([f64; 3], [f64; 3])>,
}

impl PyPayloadEstimator {
    fn made(robot: &Bound<'_, PyAny>, link: &str, asked: Asked) -> PyResult<Self> {
        let Asked { noise, forgetting, drives, tanh, least_speed, block, mass, centre } = asked.clone();
        if let Some(speed) = tanh.filter(|speed| !(*speed > 0.0 && speed.is_finite())) {
            return Err(value_error(format!("tanh is {speed}; give a speed above 0, rad/s or m/s")));
        }
        let settings = PayloadSettings {
            noise,
            forgetting,
            drives,
            dry_friction: tanh.map_or(DryFriction::Sign, |speed| DryFriction::Smoothed { speed }),
            least_speed,
            block,
            mass,
            centre: centre.map(|(lower, upper)| CentreBound::Box { lower, upper }),
        };
        let (estimator, mechanism) = if let Ok(found) = robot.cast::<PyIdentification>() {
            let found = found.get().answer(robot.py())?;
            let estimator = PayloadEstimator::on_identified(found, link, settings);
            (estimator, found.problem().mechanism())
        } else if let Ok(robot) = robot.cast::<PyRobot>() {
            let mechanism = robot.get().mechanism();
            (PayloadEstimator::new(mechanism, link, settings), mechanism)
        } else {
            let given = shown(robot);
            return Err(PyTypeError::new_err(format!(
                "robot is {given}; give a Robot, or an Identification so that its errors count"
            )));
        };
        Ok(PyPayloadEstimator {
            estimator: estimator.map_err(value_error)?,
            joints: mechanism.independent_names(),
            size: mechanism.configuration_size(),
            robot: robot.clone().unbind(),
            link: link.to_owned(),
            asked,
        })
    }
}

impl Pickled for PyPayloadEstimator {
    const NAME: &'static str = "PayloadEstimator";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        type Settings = (
            Option<Vec<f64>>,
            f64,
            bool,
            Option<f64>,
            f64,
            usize,
            Option<(f64, f64)>,
            Option<([f64; 3], [f64; 3])>,
        );
        let (robot, link, asked, sums): (Bound<'_, PyAny>, String, Settings, Vec<f64>) = state.extract()?;
        let (noise, forgetting, drives, tanh, least_speed, block, mass, centre) = asked;
        let asked = Asked { noise, forgetting, drives, tanh, least_speed, block, mass, centre };
        let mut out = Self::made(&robot, &link, asked)?;
        out.estimator = out.estimator.with_state(&sums).map_err(value_error)?;
        Ok(out)
    }
}

#[pymethods]
impl PyPayloadEstimator {
    #[new]
    #[pyo3(signature = (robot, link, *, noise=None, forgetting=1.0, drives=true, tanh=None, least_speed=0.01, block=200, mass=None, centre=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        robot: &Bound<'_, PyAny>,
        link: &str,
        noise: Option<Vec<f64>>,
        forgetting: f64,
        drives: bool,
        tanh: Option<f64>,
        least_speed: f64,
        block: usize,
        mass: Option<(f64, f64)>,
        centre: Option<([f64; 3], [f64; 3])>,
    ) -> PyResult<Self> {
        let asked = Asked { noise, forgetting, drives, tanh, least_speed, block, mass, centre };
        Self::made(robot, link, asked)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Asked { noise, forgetting, drives, tanh, least_speed, block, mass, centre } = &self.asked;
        let asked = (noise, forgetting, drives, tanh, least_speed, block, mass, centre);
        reduced::<PyPayloadEstimator>(py, (&self.robot, &self.link, asked, self.estimator.state()))
    }

    /// Takes one sample in, q (nq,), qd, qdd, tau (dof,), or many, (S, …). SI units; forces of the
    /// independent joints.
    fn update(
        &mut self,
        py: Python<'_>,
        q: Numbers<'_>,
        qd: Numbers<'_>,
        qdd: Numbers<'_>,
        tau: Numbers<'_>,
    ) -> PyResult<()> {
        let (joints, dof) = (&self.joints, self.joints.len());
        let order = || joints.join(", ");
        let rows = [
            Rows::new("q", &q, self.size, order)?,
            Rows::new("qd", &qd, dof, order)?,
            Rows::new("qdd", &qdd, dof, order)?,
            Rows::new("tau", &tau, dof, order)?,
        ];
        Rows::alike(&["q", "qd", "qdd", "tau"], &rows)?;
        let [q, qd, qdd, tau] = &rows;
        let estimator = &mut self.estimator;
        py.detach(|| {
            (0..q.count)
                .try_for_each(|k| estimator.update(q.sample(k), qd.sample(k), qdd.sample(k), tau.sample(k)))
        })
        .map_err(value_error)
    }

    /// The physically consistent payload, with standard deviations and what is not seen yet.
    fn estimate(&self, py: Python<'_>) -> PyResult<PyPayload> {
        py.detach(|| self.estimator.estimate()).map(|payload| PyPayload::from(&payload)).map_err(value_error)
    }

    /// Forgets all samples: another payload is taken up.
    fn reset(&mut self) {
        self.estimator.reset();
    }

    /// Number of samples so far.
    #[getter]
    fn samples(&self) -> usize {
        self.estimator.samples()
    }
}

/// What a link carries, in the link's frame; from PayloadEstimator.estimate(). σ is inf where nothing is
/// seen.
#[pyclass(name = "Payload", module = "steiner", frozen, from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct PyPayload {
    link: String,
    samples: usize,
    mass: [f64; 2],
    com: [[f64; 3]; 2],
    inertia: [[[f64; 3]; 3]; 2],
    parameters: [f64; 10],
    covariance: [[f64; 10]; 10],
    counts_arm: bool,
    remarks: Vec<String>,
    line: String,
}

impl From<&Payload> for PyPayload {
    fn from(payload: &Payload) -> Self {
        PyPayload {
            link: payload.link.clone(),
            samples: payload.samples,
            mass: [payload.centred.mass, payload.mass_sigma],
            com: [payload.centred.com, payload.com_sigma],
            inertia: [to_matrix(payload.centred.tensor).0, to_matrix(payload.tensor_sigma).0],
            parameters: payload.inertia.parameters(),
            covariance: payload.covariance,
            counts_arm: payload.counts_arm,
            remarks: payload_remarks(payload),
            line: payload_line(payload),
        }
    }
}

#[pymethods]
impl PyPayload {
    /// The link that carries it.
    #[getter]
    fn link(&self) -> &str {
        &self.link
    }

    /// Number of samples it was found in.
    #[getter]
    fn samples(&self) -> usize {
        self.samples
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.mass[0]
    }

    /// Standard deviation of the mass, kg.
    #[getter]
    fn mass_sigma(&self) -> f64 {
        self.mass[1]
    }

    /// Centre of mass (3,), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.com[0])
    }

    /// Its standard deviations (3,), m.
    #[getter]
    fn com_sigma<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.com[1])
    }

    /// Rotational inertia about the centre of mass (3, 3), kg·m².
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        square(py, &self.inertia[0])
    }

    /// Its standard deviations (3, 3), kg·m².
    #[getter]
    fn inertia_sigma<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        square(py, &self.inertia[1])
    }

    /// m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the link's origin (10,).
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.parameters)
    }

    /// Their covariance (10, 10).
    #[getter]
    fn covariance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        square(py, &self.covariance)
    }

    /// Whether σ counts the errors of the robot's own parameters; else it holds for a perfectly known robot.
    #[getter]
    fn counts_arm(&self) -> bool {
        self.counts_arm
    }

    /// What is not seen yet and what to do about it, and what σ leaves out: a sentence each.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let numbers = (self.mass, self.com, self.inertia, self.parameters, self.covariance.to_vec());
        let words = (&self.link, self.samples, self.counts_arm, &self.remarks, &self.line);
        reduced::<PyPayload>(py, (words, numbers))
    }

    fn __repr__(&self) -> String {
        format!("<steiner.Payload: {}>", self.line)
    }

    fn __str__(&self) -> &str {
        &self.line
    }
}

impl Pickled for PyPayload {
    const NAME: &'static str = "Payload";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        type Words = (String, usize, bool, Vec<String>, String);
        type Figures = ([f64; 2], [[f64; 3]; 2], [[[f64; 3]; 3]; 2], [f64; 10], [[f64; 10]; 10]);
        let (words, figures): (Words, Figures) = state.extract()?;
        let (link, samples, counts_arm, remarks, line) = words;
        let (mass, com, inertia, parameters, covariance) = figures;
        Ok(PyPayload { link, samples, mass, com, inertia, parameters, covariance, counts_arm, remarks, line })
    }
}

fn square<'py, const N: usize>(py: Python<'py>, rows: &[[f64; N]; N]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    matrix_to_numpy(py, &Matrix::from_fn(N, N, |r, c| rows[r][c]))
}
