//! The built-in robots.

use crate::error::{RobotError, did_you_mean};

/// A built-in robot: a native mechanism file inside the binary.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All built-in robots.
pub const ENTRIES: &[Entry] = &[];

/// The entry of a name.
pub fn find(name: &str) -> Result<&'static Entry, RobotError> {
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| RobotError::UnknownZooName {
        name: name.to_owned(),
        hint: did_you_mean(name, ENTRIES.iter().map(|entry| entry.name)),
    })
}
