//! `steiner.Motion`, what `steiner.excite` answers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use serde_json::Value;
use steiner::dynamics::Mechanism;
use steiner::excitation::{Basis, Foot, Shape, Trajectory, course_at, standing};
use steiner::identification::LogInformation;
use steiner::report::{MotionReport, framed, motion_headline, motion_html, motion_json};
use steiner::{Design, Designed, MotionFileError, RobotShape, tree_motion, write_motion};

use crate::analysis::python;
use crate::failures::{log_error, refused};
use crate::hints::KEYWORDS;
use crate::identification::written;
use crate::pickled::{Pickled, Reduced, packed, reduced, unpacked};
use crate::robot::PyRobot;

/// A motion that shows the base parameters of a robot; from `steiner.excite`.
///
/// t (S,) in s; q (S, nq), qd (S, dof), qdd (S, dof) in the order of the robot's coordinates, rad or m, per s, per
/// s², at the rate that was asked for, both ends included. SI units.
#[pyclass(name = "Motion", module = "steiner", frozen)]
pub(crate) struct PyMotion {
    robot: Py<PyRobot>,
    /// Where the robot stands on its feet.
    stance: Option<Stance>,
    course: Course,
    found: Found,
    document: Value,
    summary: Vec<String>,
    samples: Trajectory,
    /// What the page is made of; it is there where the motion was designed.
    design: Option<(Design, Designed, Option<LogInformation>, RobotShape)>,
    page: OnceLock<String>,
    /// Another motion, to test the identified model with.
    second: Option<Py<PyMotion>>,
}

/// A robot on its feet, whose trunk moves as the legs want.
#[derive(Clone)]
pub(crate) struct Stance {
    feet: Vec<Foot>,
    /// The pose of the legs, by joint.
    pose: Vec<(String, f64)>,
    /// The robot with its feet held to the ground.
    pub(crate) mechanism: Mechanism,
}

impl Stance {
    pub(crate) fn new(robot: &Mechanism, feet: Vec<Foot>, pose: Vec<(String, f64)>) -> PyResult<Self> {
        let held = standing(robot.robot(), &feet, &pose).map_err(refused)?;
        Ok(Stance { feet, pose, mechanism: Mechanism::new(held).map_err(refused)? })
    }
}

/// The motion as sums of functions of time.
struct Course {
    basis: Basis,
    coefficients: Vec<Vec<f64>>,
    movable: Vec<(usize, usize)>,
}

/// What is expected of it.
#[derive(Clone, Debug)]
struct Found {
    deviations: Vec<(String, f64)>,
    information: Vec<f64>,
    log_det: f64,
    condition_number: f64,
    feasible: bool,
    stopped: bool,
    seconds: f64,
}

impl PyMotion {
    pub(crate) fn new(
        robot: Py<PyRobot>,
        stance: Option<Stance>,
        design: Design,
        designed: Designed,
        after: Option<LogInformation>,
        shape: RobotShape,
    ) -> PyResult<Self> {
        let mechanism = stance.as_ref().map_or_else(|| robot.get().mechanism(), |stance| &stance.mechanism);
        let mut samples = designed.trajectory(mechanism, design.rate);
        if stance.is_some() {
            samples = tree_motion(mechanism, &samples).map_err(refused)?;
        }
        let course = Course {
            basis: designed.basis.clone(),
            coefficients: designed.coefficients.clone(),
            movable: designed.movable().to_vec(),
        };
        let found = Found {
            deviations: designed.deviations.iter().map(|of| (of.name.clone(), of.sd)).collect(),
            information: designed.information.entries().to_vec(),
            log_det: designed.log_det,
            condition_number: designed.condition_number,
            feasible: designed.feasible,
            stopped: designed.stopped,
            seconds: designed.seconds,
        };
        let parts = (design, designed, after, shape);
        let (document, summary) = {
            let report = report(mechanism, &parts);
            (motion_json(&report), motion_headline(&report))
        };
        let design = Some(parts);
        let page = OnceLock::new();
        Ok(PyMotion { robot, stance, course, found, document, summary, samples, design, page, second: None })
    }

    /// What moves: the robot, or the robot on its feet.
    fn mechanism(&self) -> &Mechanism {
        self.stance.as_ref().map_or_else(|| self.robot.get().mechanism(), |stance| &stance.mechanism)
    }

    /// With another motion, to test the identified model with.
    pub(crate) fn with_validation(self, second: Option<Py<PyMotion>>) -> Self {
        PyMotion { second, ..self }
    }

    fn page(&self) -> PyResult<&str> {
        if let Some(page) = self.page.get() {
            return Ok(page);
        }
        // A motion of another process brings its page along.
        let parts =
            self.design.as_ref().ok_or_else(|| crate::arrays::value_error("the page went missing"))?;
        let page = motion_html(&report(self.mechanism(), parts)).map_err(refused)?;
        Ok(self.page.get_or_init(|| page).as_str())
    }

    fn rows<'py>(&self, py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let count = self.samples.t.len();
        PyArray1::from_slice(py, values).reshape([count, values.len() / count.max(1)])
    }

    /// In the coordinates of the robot, on its feet too.
    fn at_times(&self, t: Vec<f64>) -> PyResult<Trajectory> {
        let Course { basis, coefficients, movable } = &self.course;
        let motion = course_at(self.mechanism(), basis, coefficients, movable, t);
        match &self.stance {
            None => Ok(motion),
            Some(stance) => tree_motion(&stance.mechanism, &motion).map_err(refused),
        }
    }
}

fn report<'a>(
    mechanism: &'a Mechanism,
    (design, designed, after, shape): &'a (Design, Designed, Option<LogInformation>, RobotShape),
) -> MotionReport<'a> {
    MotionReport {
        mechanism,
        design,
        designed,
        after: after.as_ref(),
        without_shape: &shape.without,
        touching: &shape.touching,
        spelling: KEYWORDS,
    }
}

/// A shape as numbers.
fn shape_numbers(shape: Shape) -> (u8, usize, usize) {
    match shape {
        Shape::Fourier { harmonics, periods } => (0, harmonics, periods),
        Shape::Spline { points } => (1, points, 0),
        Shape::Poses { count } => (2, count, 0),
    }
}

impl Pickled for PyMotion {
    const NAME: &'static str = "Motion";

    fn restored(_: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        type Curve = ((u8, usize, usize), f64, Vec<Vec<f64>>, Vec<(usize, usize)>, Vec<f64>);
        type Figures = (Vec<(String, f64)>, Vec<f64>, f64, f64, bool, bool, f64);
        type Words<'py> = (Bound<'py, PyAny>, Vec<String>, Bound<'py, PyAny>);
        type Standing = (Vec<(String, [f64; 3])>, Vec<(String, f64)>);
        type Parts<'py> = (Bound<'py, PyRobot>, Option<Standing>);
        type State<'py> = (Parts<'py>, Curve, Figures, Words<'py>, Option<Py<PyMotion>>);
        let ((robot, stance), curve, figures, words, validation): State<'_> = state.extract()?;
        let stance = stance.map(|(feet, pose)| {
            let feet = feet.into_iter().map(|(link, point)| Foot { link, point }).collect();
            Stance::new(robot.get().mechanism(), feet, pose)
        });
        let ((kind, first, second), duration, coefficients, movable, t) = curve;
        let shape = match kind {
            0 => Shape::Fourier { harmonics: first, periods: second },
            1 => Shape::Spline { points: first },
            _ => Shape::Poses { count: first },
        };
        let (deviations, information, log_det, condition_number, feasible, stopped, seconds) = figures;
        let found = Found { deviations, information, log_det, condition_number, feasible, stopped, seconds };
        let (document, summary, page) = words;
        let mut out = PyMotion {
            robot: robot.unbind(),
            stance: stance.transpose()?,
            course: Course { basis: Basis::new(shape, duration), coefficients, movable },
            found,
            document: serde_json::from_str(&unpacked(&document)?).map_err(crate::arrays::value_error)?,
            summary,
            samples: Trajectory::default(),
            design: None,
            page: OnceLock::from(unpacked(&page)?),
            second: validation,
        };
        out.samples = out.at_times(t)?;
        Ok(out)
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
        let found = self.at_times(t)?;
        let rows =
            |values: &[f64]| PyArray1::from_slice(py, values).reshape([count, values.len() / count.max(1)]);
        Ok((rows(&found.q)?, rows(&found.qd)?, rows(&found.qdd)?))
    }

    /// The standard deviation to be expected of each base parameter, by name.
    #[getter]
    fn sd(&self) -> HashMap<String, f64> {
        self.found.deviations.iter().cloned().collect()
    }

    /// Names of the base parameters, in the order of `information`.
    #[getter]
    fn base_names(&self) -> Vec<String> {
        self.found.deviations.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Σ YᵀWY / samples on the base parameters, (b, b).
    #[getter]
    fn information<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let size = self.found.deviations.len();
        PyArray1::from_slice(py, &self.found.information).reshape([size, size])
    }

    /// log det of that matrix.
    #[getter]
    fn log_det(&self) -> f64 {
        self.found.log_det
    }

    /// Condition number of the weighted base regressor.
    #[getter]
    fn condition_number(&self) -> f64 {
        self.found.condition_number
    }

    /// Whether all limits are kept.
    #[getter]
    fn feasible(&self) -> bool {
        self.found.feasible
    }

    /// Every limit: of, quantity, value, limit, unit, time, margin (part of half the range), bound ("proven",
    /// "sampled" or "violated").
    #[getter]
    fn margins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &self.document["margins"])
    }

    /// What it is in sentences, assumptions included.
    #[getter]
    fn summary(&self) -> Vec<String> {
        self.summary.clone()
    }

    /// A second, different motion, to test the identified model with; None unless validate=True asked for it.
    #[getter]
    fn validation(&self, py: Python<'_>) -> Option<Py<PyMotion>> {
        self.second.as_ref().map(|second| second.clone_ref(py))
    }

    /// Whether time or Ctrl-C ended the search.
    #[getter]
    fn stopped(&self) -> bool {
        self.found.stopped
    }

    /// Time the search took, s.
    #[getter]
    fn seconds(&self) -> f64 {
        self.found.seconds
    }

    /// Writes the motion: .csv or .npz (t, q_JOINT, qd_JOINT, qdd_JOINT), .yaml or .json
    /// (trajectory_msgs/JointTrajectory), .xml (MuJoCo keyframes). One that is not feasible is refused, unless
    /// force is True.
    #[pyo3(signature = (path, force=false))]
    fn save(&self, path: PathBuf, force: bool) -> PyResult<()> {
        if !self.found.feasible && !force {
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
        python(py, &self.document)
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Course { basis, coefficients, movable } = &self.course;
        let curve = (shape_numbers(basis.shape()), basis.duration(), coefficients, movable, &self.samples.t);
        let Found { deviations, information, log_det, condition_number, feasible, stopped, seconds } =
            &self.found;
        let figures = (deviations, information, log_det, condition_number, feasible, stopped, seconds);
        let words = (packed(py, &self.document.to_string())?, &self.summary, packed(py, self.page()?)?);
        let stance = self.stance.as_ref().map(|Stance { feet, pose, .. }| {
            let feet: Vec<(&str, [f64; 3])> =
                feet.iter().map(|foot| (foot.link.as_str(), foot.point)).collect();
            (feet, pose)
        });
        reduced::<PyMotion>(py, ((&self.robot, stance), curve, figures, words, &self.second))
    }

    fn __repr__(&self) -> String {
        format!("<steiner.Motion: {}>", self.summary[..self.summary.len().min(3)].join(" "))
    }
}
