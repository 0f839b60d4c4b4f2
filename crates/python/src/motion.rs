//! `steiner.Motion`, what `steiner.excite` answers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use steiner::excitation::Trajectory;
use steiner::identification::LogInformation;
use steiner::report::{MotionReport, framed, motion_headline, motion_html, motion_json};
use steiner::{Design, Designed, MotionFileError, RobotShape, write_motion};

use crate::analysis::python;
use crate::failures::{log_error, refused};
use crate::hints::KEYWORDS;
use crate::identification::written;
use crate::robot::PyRobot;

/// A motion that shows the base parameters of a robot; from `steiner.excite`.
///
/// t (S,) in s; q (S, nq), qd (S, dof), qdd (S, dof) in the order of the robot's coordinates, rad or m, per s, per
/// s², at the rate that was asked for, both ends included. SI units.
#[pyclass(name = "Motion", module = "steiner", frozen)]
pub(crate) struct PyMotion {
    robot: Py<PyRobot>,
    design: Design,
    designed: Designed,
    after: Option<LogInformation>,
    shape: RobotShape,
    samples: Trajectory,
    page: OnceLock<String>,
}

impl PyMotion {
    pub(crate) fn new(
        robot: Py<PyRobot>,
        design: Design,
        designed: Designed,
        after: Option<LogInformation>,
        shape: RobotShape,
    ) -> Self {
        let samples = designed.trajectory(robot.get().mechanism(), design.rate);
        PyMotion { robot, design, designed, after, shape, samples, page: OnceLock::new() }
    }

    fn report(&self) -> MotionReport<'_> {
        MotionReport {
            mechanism: self.robot.get().mechanism(),
            design: &self.design,
            designed: &self.designed,
            after: self.after.as_ref(),
            without_shape: &self.shape.without,
            touching: &self.shape.touching,
            spelling: KEYWORDS,
        }
    }

    fn page(&self) -> PyResult<&str> {
        if let Some(page) = self.page.get() {
            return Ok(page);
        }
        let page = motion_html(&self.report()).map_err(refused)?;
        Ok(self.page.get_or_init(|| page).as_str())
    }

    fn rows<'py>(&self, py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let count = self.samples.t.len();
        PyArray1::from_slice(py, values).reshape([count, values.len() / count.max(1)])
    }
}

#[pymethods]
impl PyMotion {
    /// The robot it is for.
    #[getter]
    fn robot(&self, py: Python<'_>) -> Py<PyRobot> {
        self.robot.clone_ref(py)
    }

    /// Times, s, (S,); for poses their numbers.
    #[getter]
    fn t<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.samples.t)
    }

    /// Configurations, rad or m, (S, nq).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, &self.samples.q)
    }

    /// Velocities, rad/s or m/s, (S, dof).
    #[getter]
    fn qd<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, &self.samples.qd)
    }

    /// Accelerations, rad/s² or m/s², (S, dof).
    #[getter]
    fn qdd<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.rows(py, &self.samples.qdd)
    }

    /// The motion at other times (s): q, qd, qdd.
    #[allow(clippy::type_complexity)]
    fn at<'py>(
        &self,
        py: Python<'py>,
        t: Vec<f64>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
        let count = t.len();
        let found = self.designed.at(self.robot.get().mechanism(), t);
        let rows =
            |values: &[f64]| PyArray1::from_slice(py, values).reshape([count, values.len() / count.max(1)]);
        Ok((rows(&found.q)?, rows(&found.qd)?, rows(&found.qdd)?))
    }

    /// The standard deviation to be expected of each base parameter, by name.
    #[getter]
    fn sd(&self) -> HashMap<String, f64> {
        self.designed.deviations.iter().map(|deviation| (deviation.name.clone(), deviation.sd)).collect()
    }

    /// Names of the base parameters, in the order of `information`.
    #[getter]
    fn base_names(&self) -> Vec<String> {
        self.designed.deviations.iter().map(|deviation| deviation.name.clone()).collect()
    }

    /// Σ YᵀWY / samples on the base parameters, (b, b).
    #[getter]
    fn information<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        crate::arrays::matrix_to_numpy(py, &self.designed.information)
    }

    /// log det of that matrix.
    #[getter]
    fn log_det(&self) -> f64 {
        self.designed.log_det
    }

    /// Condition number of the weighted base regressor.
    #[getter]
    fn condition_number(&self) -> f64 {
        self.designed.condition_number
    }

    /// Whether all limits are kept.
    #[getter]
    fn feasible(&self) -> bool {
        self.designed.feasible
    }

    /// Every limit: of, quantity, value, limit, unit, time, margin (part of half the range), bound ("proven",
    /// "sampled" or "violated").
    #[getter]
    fn margins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &motion_json(&self.report())["margins"])
    }

    /// What it is in sentences, assumptions included.
    #[getter]
    fn summary(&self) -> Vec<String> {
        motion_headline(&self.report())
    }

    /// Whether time or Ctrl-C ended the search.
    #[getter]
    fn stopped(&self) -> bool {
        self.designed.stopped
    }

    /// Time the search took, s.
    #[getter]
    fn seconds(&self) -> f64 {
        self.designed.seconds
    }

    /// Writes the motion: .csv or .npz (t, q_JOINT, qd_JOINT, qdd_JOINT), .yaml or .json
    /// (trajectory_msgs/JointTrajectory), .xml (MuJoCo keyframes). One that is not feasible is refused, unless
    /// force is True.
    #[pyo3(signature = (path, force=false))]
    fn save(&self, path: PathBuf, force: bool) -> PyResult<()> {
        if !self.designed.feasible && !force {
            return Err(crate::arrays::value_error(
                "the motion violates limits (see margins) and is not written; force=True writes it all the same",
            ));
        }
        write_motion(self.robot.get().mechanism(), &self.samples, &path).map_err(|error| match error {
            MotionFileError::Log(error) => log_error(error),
            MotionFileError::Unwritable { .. } => PyOSError::new_err(error.to_string()),
            error => refused(error),
        })
    }

    /// The whole answer: what `steiner excite --json` prints.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &motion_json(&self.report()))
    }

    /// A self-contained page with the motion in 3D, limits, deviations and information; with a path it is
    /// written there.
    #[pyo3(signature = (path=None))]
    fn to_html(&self, path: Option<PathBuf>) -> PyResult<Option<&str>> {
        written(self.page()?, path)
    }

    /// The page, in a frame of its own for notebooks.
    fn _repr_html_(&self) -> PyResult<String> {
        Ok(framed(self.page()?))
    }

    fn __repr__(&self) -> String {
        format!("<steiner.Motion: {}>", motion_headline(&self.report())[..3].join(" "))
    }
}
