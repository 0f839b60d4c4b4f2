//! Where a robot comes from.

use pyo3::prelude::*;
use steiner::dynamics::Mechanism;
use steiner::formats::{ReadOptions, read_robot};

use crate::failures::{read_error, refused};

/// Where a robot comes from: what it takes to read its file again.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// A file or a name of the zoo.
    pub(crate) source: String,
    pub(crate) options: ReadOptions,
    /// Whether its inertias are those of an identification instead of the file's.
    pub(crate) identified: bool,
}

impl Origin {
    /// The robot as its file says.
    pub(crate) fn read(&self) -> PyResult<Mechanism> {
        let robot = read_robot(&self.source, &self.options).map_err(read_error)?;
        Mechanism::new(robot).map_err(refused)
    }
}
