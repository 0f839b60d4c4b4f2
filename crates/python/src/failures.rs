//! Errors of the libraries as Python's exceptions; Ctrl-C.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use steiner::Watch;
use steiner::formats::FormatError;
use steiner::identification::IdentificationError;
use steiner::linalg::Cancel;
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

/// How often Ctrl-C is looked for.
const BETWEEN: Duration = Duration::from_millis(50);
/// Memory for the calls of a thread, as much as the main thread has.
const STACK: usize = 8 << 20;

/// Long work without the interpreter's lock, on a thread of its own: Ctrl-C ends it at its next checkpoint.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let (cancel, interruption) = (Cancel::default(), Interruption::default());
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let own = cancel.clone();
            let worker = move || {
                let done = own.run(work);
                // Nobody listens where the caller has gone.
                let _ = sender.send(());
                done
            };
            let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker)?;
            let mut ended = false;
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(BETWEEN) {
                if !ended && interruption.pressed() {
                    cancel.cancel();
                    ended = true;
                }
            }
            Ok::<_, std::io::Error>(worker.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    })?;
    if let Some(raised) = interruption.raised() {
        return Err(raised);
    }
    done.unwrap_or_else(|| Err(pyo3::exceptions::PyKeyboardInterrupt::new_err(())))
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
        let tell = move |part: f64| _ = self.told(Some(&progress), part);
        let ended = || self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some() || self.pressed();
        Watch { on_progress: Box::new(tell), cancel_when: Box::new(ended) }
    }

    /// Tells a function of Python how much is done; whether it raised something.
    pub(crate) fn told(&self, progress: Option<&Py<PyAny>>, part: f64) -> bool {
        let told = progress.map(|progress| Python::attach(|py| progress.call1(py, (part,))));
        let Some(Err(raised)) = told else { return false };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
        true
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
