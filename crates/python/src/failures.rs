//! Errors of the libraries as Python's exceptions; Ctrl-C.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use steiner::Watch;
use steiner::formats::FormatError;
use steiner::identification::IdentificationError;
use steiner::logs::LogError;

use crate::hints::with_hint;

/// An error of the libraries as ValueError, with the keyword that remedies it.
pub(crate) fn refused(error: impl std::error::Error + 'static) -> PyErr {
    PyValueError::new_err(with_hint(&error))
}

/// A robot's file that cannot be read is FileNotFoundError or OSError; everything else is a ValueError.
pub(crate) fn read_error(error: FormatError) -> PyErr {
    match &error {
        FormatError::Unreadable { missing: true, .. } => PyFileNotFoundError::new_err(with_hint(&error)),
        FormatError::Unreadable { .. } | FormatError::Unwritable { .. } => {
            PyOSError::new_err(with_hint(&error))
        }
        _ => refused(error),
    }
}

/// A log that cannot be read or written is FileNotFoundError or OSError; everything else is a ValueError.
pub(crate) fn log_error(error: LogError) -> PyErr {
    match &error {
        LogError::Unreadable { missing: true, .. } => PyFileNotFoundError::new_err(with_hint(&error)),
        LogError::Unreadable { .. } | LogError::Unwritable { .. } => PyOSError::new_err(with_hint(&error)),
        _ => refused(error),
    }
}

/// The same for identifications.
fn identification_error(error: IdentificationError) -> PyErr {
    match error {
        IdentificationError::Log(error) => log_error(error),
        error => refused(error),
    }
}

/// Ctrl-C, once it was pressed.
#[derive(Default)]
pub(crate) struct Interruption(Mutex<Option<PyErr>>);

impl Interruption {
    /// Passes over logs that Ctrl-C ends.
    pub(crate) fn watch(&self) -> Watch<'_> {
        Watch { cancel_when: Box::new(|| self.pressed()), ..Watch::default() }
    }

    /// The same, and a function of Python hears how much of a pass is done; what it raises ends the work.
    pub(crate) fn watch_with(&self, progress: Option<Py<PyAny>>) -> Watch<'_> {
        let Some(progress) = progress else { return self.watch() };
        let tell = move |part: f64| {
            if let Err(raised) = Python::attach(|py| progress.call1(py, (part,))) {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            }
        };
        let ended = || self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some() || self.pressed();
        Watch { on_progress: Box::new(tell), cancel_when: Box::new(ended) }
    }

    /// Asks Python whether somebody pressed Ctrl-C.
    pub(crate) fn pressed(&self) -> bool {
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => false,
            Err(raised) => {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
                true
            }
        }
    }

    /// The exception of a failure: KeyboardInterrupt (or what the user's own handler
    /// raised) if that was the reason.
    pub(crate) fn exception(&self, error: IdentificationError) -> PyErr {
        self.raised().unwrap_or_else(|| identification_error(error))
    }

    /// What pressing Ctrl-C raised, if it was pressed.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
