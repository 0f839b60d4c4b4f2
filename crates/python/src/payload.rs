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
            let found = found.get().answer();
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
        })
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
        py.detach(|| self.estimator.estimate()).map(|payload| PyPayload { payload }).map_err(value_error)
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
#[pyclass(name = "Payload", module = "steiner", frozen)]
pub(crate) struct PyPayload {
    pub(crate) payload: Payload,
}

#[pymethods]
impl PyPayload {
    /// The link that carries it.
    #[getter]
    fn link(&self) -> &str {
        &self.payload.link
    }

    /// Number of samples it was found in.
    #[getter]
    fn samples(&self) -> usize {
        self.payload.samples
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.payload.centred.mass
    }

    /// Standard deviation of the mass, kg.
    #[getter]
    fn mass_sigma(&self) -> f64 {
        self.payload.mass_sigma
    }

    /// Centre of mass (3,), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.payload.centred.com)
    }

    /// Its standard deviations (3,), m.
    #[getter]
    fn com_sigma<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.payload.com_sigma)
    }

    /// Rotational inertia about the centre of mass (3, 3), kg·m².
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        square(py, &to_matrix(self.payload.centred.tensor).0)
    }

    /// Its standard deviations (3, 3), kg·m².
    #[getter]
    fn inertia_sigma<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        square(py, &to_matrix(self.payload.tensor_sigma).0)
    }

    /// m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the link's origin (10,).
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.payload.inertia.parameters())
    }

    /// Their covariance (10, 10).
    #[getter]
    fn covariance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        square(py, &self.payload.covariance)
    }

    /// Whether σ counts the errors of the robot's own parameters; else it holds for a perfectly known robot.
    #[getter]
    fn counts_arm(&self) -> bool {
        self.payload.counts_arm
    }

    /// What is not seen yet and what to do about it, and what σ leaves out: a sentence each.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        payload_remarks(&self.payload)
    }

    fn __repr__(&self) -> String {
        format!("<steiner.Payload: {}>", payload_line(&self.payload))
    }

    fn __str__(&self) -> String {
        payload_line(&self.payload)
    }
}

fn square<'py, const N: usize>(py: Python<'py>, rows: &[[f64; N]; N]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    matrix_to_numpy(py, &Matrix::from_fn(N, N, |r, c| rows[r][c]))
}
