//! Robots in other processes: the text they were read from, how, and what was identified since.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner::dynamics::Mechanism;
use steiner::formats::{Format, ReadOptions};
use steiner::robot::{
    Body, Friction, FurtherFriction, NewDrive, NewDynamics, PseudoInertia, Robot, Stribeck,
};
use steiner::scalar::Exact;

use crate::arrays::value_error;
use crate::failures::refused;
use crate::origin::Origin;
use crate::pickled::{Pickled, packed, unpacked};
use crate::robot::PyRobot;

/// Numbers of a drive.
const DRIVE: usize = 13;

impl PyRobot {
    /// What it takes to make the robot again.
    pub(crate) fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Origin { source, text, only_text, options, identified } = self.origin();
        let state = PyDict::new(py);
        state.set_item("source", source)?;
        if let Some(text) = text {
            state.set_item("text", packed(py, &text.0)?)?;
            state.set_item("format", text.1.name())?;
        }
        state.set_item("only_text", only_text)?;
        state.set_item("snap", options.snap)?;
        state.set_item("floating", options.floating)?;
        let gravity = options
            .gravity
            .as_ref()
            .map(|g| -> Result<Vec<f64>, _> { g.iter().map(Exact::to_f64).collect() });
        state.set_item("gravity", gravity.transpose().map_err(value_error)?)?;
        state.set_item("mimic", options.mimic)?;
        state.set_item("package_path", &options.package_path)?;
        state.set_item("xacro", &options.xacro_arguments)?;
        state.set_item("independent", &options.independent)?;
        let held =
            |(joint, value): &(String, Exact)| Ok((joint.clone(), value.to_f64().map_err(value_error)?));
        state.set_item("lock", options.lock.iter().map(held).collect::<PyResult<Vec<_>>>()?)?;
        if *identified {
            let bodies = &self.mechanism().robot().bodies;
            let inertias: Vec<(&str, [f64; 10])> =
                bodies.iter().map(|body| (body.name.as_str(), body.inertia.parameters())).collect();
            let drives: Vec<(&str, [f64; DRIVE])> =
                bodies.iter().map(|body| (body.joint.name.as_str(), drive_numbers(body))).collect();
            state.set_item("inertias", inertias)?;
            state.set_item("drives", drives)?;
        }
        Ok(state)
    }
}

impl Pickled for PyRobot {
    const NAME: &'static str = "Robot";

    fn restored(py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let state = state.cast::<PyDict>()?;
        let exact = |x: f64| Exact::from_f64(x).ok_or_else(|| value_error("a pickled number is not finite"));
        let gravity = match get::<Option<[f64; 3]>>(state, "gravity")? {
            None => None,
            Some([x, y, z]) => Some([exact(x)?, exact(y)?, exact(z)?]),
        };
        let lock: Vec<(String, f64)> = get(state, "lock")?;
        let lock =
            lock.into_iter().map(|(joint, value)| Ok((joint, exact(value)?))).collect::<PyResult<_>>()?;
        let options = ReadOptions {
            snap: get(state, "snap")?,
            floating: get(state, "floating")?,
            gravity,
            mimic: get(state, "mimic")?,
            package_path: get::<Vec<PathBuf>>(state, "package_path")?,
            xacro_arguments: get(state, "xacro")?,
            independent: get(state, "independent")?,
            lock,
        };
        let text = match state.get_item("text")? {
            None => None,
            Some(text) => {
                let format: String = get(state, "format")?;
                let format =
                    Format::named(&format).ok_or_else(|| value_error("a pickled format is unknown"))?;
                Some(Arc::new((unpacked(&text)?, format)))
            }
        };
        let (source, only_text) = (get(state, "source")?, get(state, "only_text")?);
        let mut origin = Origin { source, text, only_text, options, identified: false };
        let mechanism = py.detach(|| origin.read_again())?;
        let Some(inertias) = state.get_item("inertias")? else { return Ok(PyRobot::of(mechanism, origin)) };
        let inertias: Vec<(String, [f64; 10])> = inertias.extract()?;
        let drives: Vec<(String, [f64; DRIVE])> = get(state, "drives")?;
        let new = NewDynamics {
            inertias: inertias
                .into_iter()
                .map(|(k, ten)| (k, PseudoInertia::from_parameters(&ten)))
                .collect(),
            drives: drives.into_iter().map(drive).collect(),
        };
        origin.identified = true;
        py.detach(|| {
            let robot: Robot = mechanism.robot().with_dynamics(&new).map_err(refused)?;
            Ok(PyRobot::of(Mechanism::new(robot).map_err(refused)?, origin))
        })
    }
}

/// An entry of a state.
fn get<'py, T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>>(
    state: &Bound<'py, PyDict>,
    key: &str,
) -> PyResult<T> {
    let found = state.get_item(key)?.ok_or_else(|| value_error(format!("a pickled robot has no `{key}`")))?;
    found.extract().map_err(Into::into)
}

fn drive_numbers(body: &Body) -> [f64; DRIVE] {
    let Friction { viscous, coulomb, offset, further } = body.joint.friction;
    let FurtherFriction { load, root, asymmetric, stribeck, harmonics: [[s1, c1], [s2, c2]] } = further;
    let rotor = body.joint.rotor_inertia;
    [rotor, viscous, coulomb, offset, load, root, asymmetric, stribeck.force, stribeck.speed, s1, c1, s2, c2]
}

fn drive((joint, numbers): (String, [f64; DRIVE])) -> NewDrive {
    let [rotor_inertia, viscous, coulomb, offset, load, root, asymmetric, force, speed, s1, c1, s2, c2] =
        numbers;
    let stribeck = Stribeck { force, speed };
    let further = FurtherFriction { load, root, asymmetric, stribeck, harmonics: [[s1, c1], [s2, c2]] };
    NewDrive { joint, rotor_inertia, friction: Friction { viscous, coulomb, offset, further } }
}
