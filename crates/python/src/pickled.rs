//! Objects in other processes: what each is reduced to, and how it comes back.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::accumulator::{PyAccumulator, PyScores};
use crate::analysis::PyAnalysis;
use crate::check::PyCheck;
use crate::comparison::PyComparison;
use crate::formulas::PyFormulas;
use crate::identification::PyIdentification;
use crate::model::PyPsdm;
use crate::motion::PyMotion;
use crate::payload::{PyPayload, PyPayloadEstimator};
use crate::robot::PyRobot;

/// What `__reduce__` answers: a function of Python, and (name of the class, state) for it.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (&'static str, Bound<'py, PyAny>));

/// A class whose objects go to other processes.
pub(crate) trait Pickled: Sized {
    /// Name of the class.
    const NAME: &'static str;
    /// The object from its state.
    fn restored(py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<Self>;
}

/// An object as its class and a state, which are plain Python objects.
pub(crate) fn reduced<'py, T: Pickled>(
    py: Python<'py>,
    state: impl IntoPyObject<'py>,
) -> PyResult<Reduced<'py>> {
    let state = state.into_bound_py_any(py)?;
    Ok((py.import("steiner._pickled")?.getattr("restored")?, (T::NAME, state)))
}

/// The object of a class and a state; for pickle.
#[pyfunction]
#[pyo3(name = "_restored")]
pub(crate) fn restored<'py>(
    py: Python<'py>,
    class: &str,
    state: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! of {
        ($($class:ty),*) => {
            $(if class == <$class>::NAME {
                return <$class as Pickled>::restored(py, state)?.into_bound_py_any(py);
            })*
        };
    }
    of!(
        PyRobot,
        PyAnalysis,
        PyIdentification,
        PyCheck,
        PyComparison,
        PyMotion,
        PyPsdm,
        PyPayload,
        PyPayloadEstimator,
        PyAccumulator,
        PyScores,
        PyFormulas
    );
    Err(PyValueError::new_err(format!("there is no class `{class}` that pickle could restore")))
}

/// Bytes of a text, packed.
pub(crate) fn packed<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("zlib")?.call_method1("compress", (text.as_bytes(),))
}

/// The text again.
pub(crate) fn unpacked(packed: &Bound<'_, PyAny>) -> PyResult<String> {
    let bytes: Vec<u8> = packed.py().import("zlib")?.call_method1("decompress", (packed,))?.extract()?;
    String::from_utf8(bytes).map_err(|_| PyValueError::new_err("a pickled text is not UTF-8"))
}
