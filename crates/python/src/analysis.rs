//! `steiner.analyze`.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use steiner_identifiability::{
    Arithmetic, Measurement, Nullspace, Regrouping, regroup, structural_nullspace,
};
use steiner_scalar::PRIME;

use crate::robot::PyRobot;

/// What can be identified: the exact structural nullspace, the base parameters and the certificate.
#[pyclass(name = "Analysis", module = "steiner", frozen)]
pub(crate) struct PyAnalysis {
    nullspace: Nullspace,
    regrouping: Regrouping,
    labels: Vec<String>,
    bodies: Vec<String>,
    measure: String,
    robot: String,
}

/// Which inertial parameters can be identified from what is measured: all, static, joints:a,b, wrench:joint,
/// base-wrench, or several joined by +.
#[pyfunction]
#[pyo3(signature = (robot, measure="all"))]
pub(crate) fn analyze(py: Python<'_>, robot: &PyRobot, measure: &str) -> PyResult<PyAnalysis> {
    let mechanism = robot.mechanism();
    let error =
        |error: steiner_identifiability::IdentifiabilityError| PyValueError::new_err(error.to_string());
    py.detach(|| {
        let measurement = Measurement::parse(measure, mechanism).map_err(error)?;
        let nullspace = structural_nullspace(mechanism, &measurement).map_err(error)?;
        Ok(PyAnalysis {
            regrouping: regroup(&nullspace),
            nullspace,
            labels: measurement.labels(mechanism),
            bodies: measurement.bodies(mechanism),
            measure: measure.to_owned(),
            robot: mechanism.robot().name.clone(),
        })
    })
}

fn matrix<'py>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
    entries: impl Iterator<Item = (usize, usize, f64)>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let mut flat = vec![0.0; rows * columns];
    entries.for_each(|(r, c, x)| flat[r * columns + c] = x);
    PyArray1::from_vec(py, flat).reshape([rows, columns])
}

#[pymethods]
impl PyAnalysis {
    /// Labels of the parameters, in order.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.labels.clone()
    }

    /// Number of identifiable combinations.
    #[getter]
    fn identifiable(&self) -> usize {
        self.nullspace.identifiable()
    }

    /// A basis of the structural nullspace, (parameters, nullity).
    #[getter]
    fn nullspace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let vectors = self.nullspace.vectors.iter().enumerate();
        let entries = vectors.flat_map(|(k, vector)| vector.entries.iter().map(move |&(c, x)| (c, k, x)));
        matrix(py, self.nullspace.parameters, self.nullspace.vectors.len(), entries)
    }

    /// The base parameters as rows over the parameters, (identifiable, parameters): base @ parameters.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let base = self.regrouping.base.iter().enumerate();
        let entries = base.flat_map(|(r, base)| base.terms.iter().map(move |&(c, x)| (r, c, x)));
        matrix(py, self.regrouping.base.len(), self.nullspace.parameters, entries)
    }

    /// Names of the base parameters: those of the parameters they are named after.
    #[getter]
    fn base_names(&self) -> Vec<&str> {
        self.regrouping.base.iter().map(|base| self.labels[base.column].as_str()).collect()
    }

    /// The null vectors with their stories: a list of dicts with principle, joint, bodies, text, entries.
    #[getter]
    fn vectors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let story = |vector: &steiner_identifiability::NullVector| {
            let dict = PyDict::new(py);
            dict.set_item("principle", vector.principle.name())?;
            dict.set_item("joint", vector.joint.as_deref())?;
            let bodies: Vec<&str> = vector.bodies.iter().map(|&body| self.bodies[body].as_str()).collect();
            dict.set_item("bodies", bodies)?;
            dict.set_item("text", vector.text.as_str())?;
            dict.set_item("entries", vector.entries.clone())?;
            Ok(dict)
        };
        self.nullspace.vectors.iter().map(story).collect()
    }

    /// What is proven, and in which arithmetic.
    #[getter]
    fn certificate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let certificate = &self.nullspace.certificate;
        let dict = PyDict::new(py);
        dict.set_item("rank", certificate.rank)?;
        dict.set_item("complete", certificate.complete)?;
        dict.set_item("geometry", if certificate.exact_geometry { "exact" } else { "rounded" })?;
        match certificate.arithmetic {
            Arithmetic::PrimeField => {
                dict.set_item("kind", "probabilistic")?;
                dict.set_item("arithmetic", "F_p")?;
                dict.set_item("prime", PRIME)?;
                dict.set_item("null_verified", "F_p")?;
                dict.set_item("error_probability", certificate.error_probability(self.bodies.len()))?;
            }
            Arithmetic::Extended { digits, gap } => {
                dict.set_item("kind", "numeric")?;
                dict.set_item("arithmetic", "extended")?;
                dict.set_item("digits", digits)?;
                dict.set_item("gap", gap)?;
                dict.set_item("null_verified", "extended")?;
            }
        }
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!(
            "<steiner.Analysis {:?}, measuring {}: {} of {} parameters identifiable>",
            self.robot,
            self.measure,
            self.nullspace.identifiable(),
            self.nullspace.parameters
        )
    }
}
