//! Where a robot comes from.

use std::path::Path;
use std::sync::Arc;

use pyo3::prelude::*;
use steiner::dynamics::Mechanism;
use steiner::formats::{Format, ReadOptions, assemble, parse_text, read_robot, whole_text};

use crate::failures::{read_error, refused};

/// Where a robot comes from: what it takes to read it again, here or in another process.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// A file, a name of the zoo, or what a text is called.
    pub(crate) source: String,
    /// All that was read, where that is one text.
    pub(crate) text: Option<Arc<(String, Format)>>,
    /// Whether there never was a file.
    pub(crate) only_text: bool,
    pub(crate) options: ReadOptions,
    /// Whether its inertias are those of an identification instead of the file's.
    pub(crate) identified: bool,
}

impl Origin {
    /// A file or a robot of the zoo.
    pub(crate) fn of(source: String, options: ReadOptions) -> PyResult<Self> {
        let text = whole_text(&source, &options).map_err(read_error)?.map(Arc::new);
        Ok(Origin { source, text, only_text: false, options, identified: false })
    }

    /// The robot as its file says.
    pub(crate) fn read(&self) -> PyResult<Mechanism> {
        match &self.text {
            Some(text) if self.only_text => self.read_text(text),
            _ => {
                Mechanism::new(read_robot(&self.source, &self.options).map_err(read_error)?).map_err(refused)
            }
        }
    }

    /// The robot as the text said when it was read.
    pub(crate) fn read_again(&self) -> PyResult<Mechanism> {
        match &self.text {
            Some(text) => self.read_text(text),
            None => self.read(),
        }
    }

    fn read_text(&self, text: &(String, Format)) -> PyResult<Mechanism> {
        let (text, format) = text;
        let path = (!self.only_text).then(|| Path::new(&self.source));
        let description = parse_text(text, &self.source, *format, path, &self.options).map_err(read_error)?;
        Mechanism::new(assemble(description, &self.options).map_err(read_error)?).map_err(refused)
    }
}
