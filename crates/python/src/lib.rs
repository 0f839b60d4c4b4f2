//! `import steiner`: robots as Python objects, NumPy arrays in and out.

mod accumulator;
mod analysis;
mod arrays;
mod bounds;
mod check;
mod code;
mod comparison;
mod excite;
mod failures;
mod formulas;
mod found;
mod hints;
mod identification;
mod identify;
mod keywords;
mod logs;
mod model;
mod motion;
mod origin;
mod payload;
mod pickled;
mod progress;
mod robot;
mod robot_batches;
mod robot_state;
mod simulate;
mod smaller_model;

/// Find out which masses, centres of mass and inertias your sensors can reveal, and identify them from a log.
#[pyo3::pymodule]
mod _steiner {
    #[pymodule_export]
    use crate::accumulator::{PyAccumulator, PyScores};
    #[pymodule_export]
    use crate::analysis::{PyAnalysis, analyze};
    #[pymodule_export]
    use crate::check::{PyCheck, check};
    #[pymodule_export]
    use crate::comparison::{PyComparison, compare};
    #[pymodule_export]
    use crate::excite::excite;
    #[pymodule_export]
    use crate::formulas::{PyFormulas, formulas};
    #[pymodule_export]
    use crate::identification::PyIdentification;
    #[pymodule_export]
    use crate::identify::identify;
    #[pymodule_export]
    use crate::model::PyPsdm;
    #[pymodule_export]
    use crate::motion::PyMotion;
    #[pymodule_export]
    use crate::payload::{PyPayload, PyPayloadEstimator};
    #[pymodule_export]
    use crate::pickled::restored;
    #[pymodule_export]
    use crate::robot::PyRobot;
    #[pymodule_export]
    use crate::simulate::simulate;
    use pyo3::IntoPyObjectExt;
    use pyo3::prelude::*;

    /// The built-in robots, as a list of (name, one line about it); with the name of one, the text of its mechanism
    /// file, to start your own from.
    #[pyfunction]
    #[pyo3(signature = (show=None))]
    fn zoo<'py>(py: Python<'py>, show: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        use steiner::formats::zoo::{ENTRIES, find};
        match show {
            Some(name) => find(name).map_err(crate::failures::read_error)?.text.into_bound_py_any(py),
            None => {
                let entry = |entry: &steiner::formats::zoo::Entry| (entry.name, entry.about);
                ENTRIES.iter().map(entry).collect::<Vec<_>>().into_bound_py_any(py)
            }
        }
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
