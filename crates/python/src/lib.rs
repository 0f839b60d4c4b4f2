//! `import steiner`: robots as Python objects, NumPy arrays in and out.

mod accumulator;
mod analysis;
mod arrays;
mod bounds;
mod check;
mod comparison;
mod excite;
mod failures;
mod formulas;
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
mod robot;
mod robot_state;
mod simulate;

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
    use pyo3::prelude::*;

    /// The built-in robots, as a list of (name, one line about it).
    #[pyfunction]
    fn zoo() -> Vec<(&'static str, &'static str)> {
        steiner::formats::zoo::ENTRIES.iter().map(|entry| (entry.name, entry.about)).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
