//! Places in files, for messages.

use std::fmt;
use std::sync::Arc;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// The file's name as the user gave it.
    pub file: Arc<str>,
    /// Line, counted from 1; `None` when the whole file is meant.
    pub line: Option<u32>,
}

impl Place {
    /// A whole file.
    pub fn file(file: impl Into<Arc<str>>) -> Self {
        Place { file: file.into(), line: None }
    }
    /// A line of the same file.
    pub fn at_line(&self, line: u32) -> Self {
        Place { file: self.file.clone(), line: Some(line) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}
