//! on_progress=: a function of Python that hears how much of long work is done, or True for a bar.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::keywords::{Keywords, shown};

/// Who hears of progress, until it is dropped.
pub(crate) struct Listener {
    function: Option<Py<PyAny>>,
    /// Whether it is a bar of our own, which ends with the work.
    own: bool,
}

impl Listener {
    /// The keyword on_progress.
    pub(crate) fn of(py: Python<'_>, keywords: &mut Keywords<'_>, title: &str) -> PyResult<Self> {
        let Some(given) = keywords.any("on_progress")? else {
            return Ok(Listener { function: None, own: false });
        };
        if let Ok(wanted) = given.cast::<PyBool>() {
            let bar = || py.import("steiner._progress")?.getattr("Bar")?.call1((title,)).map(Bound::unbind);
            return Ok(Listener { function: wanted.is_true().then(bar).transpose()?, own: true });
        }
        if !given.is_callable() {
            let what = shown(&given);
            let sentence =
                format!("on_progress is {what}; give True, or a function of the part that is done");
            return Err(PyTypeError::new_err(sentence));
        }
        Ok(Listener { function: Some(given.unbind()), own: false })
    }

    /// The function.
    pub(crate) fn function(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.function.as_ref().map(|function| function.clone_ref(py))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some(bar) = self.function.as_ref().filter(|_| self.own) {
            // A line that cannot be ended is nobody's misfortune.
            let _ = Python::attach(|py| bar.call_method0(py, "close"));
        }
    }
}
