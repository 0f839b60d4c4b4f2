//! Errors of logs and identifications as Python's exceptions; Ctrl-C.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use steiner_identification::IdentificationError;
use steiner_logs::LogError;

use crate::arrays::value_error;

/// A log that cannot be read or written is FileNotFoundError or OSError; everything else is a ValueError.
pub(crate) fn log_error(error: LogError) -> PyErr {
    match &error {
        LogError::Unreadable { reason, .. } if reason.contains("no such file") => {
            PyFileNotFoundError::new_err(error.to_string())
        }
        LogError::Unreadable { .. } | LogError::Unwritable { .. } => PyOSError::new_err(error.to_string()),
        _ => value_error(error),
    }
}

/// The same for identifications.
fn identification_error(error: IdentificationError) -> PyErr {
    match error {
        IdentificationError::Log(error) => log_error(error),
        error => value_error(error),
    }
}

/// Ctrl-C, once it was pressed.
#[derive(Default)]
pub(crate) struct Interruption(Mutex<Option<PyErr>>);

impl Interruption {
    /// Asks Python whether somebody pressed Ctrl-C; false if so.
    pub(crate) fn absent(&self) -> bool {
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => true,
            Err(raised) => {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
                false
            }
        }
    }

    /// The exception of a failure: KeyboardInterrupt (or what the user's own handler raised) if that was the reason.
    pub(crate) fn exception(&self, error: IdentificationError) -> PyErr {
        let raised = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.unwrap_or_else(|| identification_error(error))
    }
}
