//! What became of settings: those that nobody chose, and those that came to nothing.

use std::path::PathBuf;

use steiner_robot::SensorSet;

/// A remark about a setting. Documents write the words.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingNote {
    /// The last part of every log is held out for validation, since nothing else was asked for.
    HeldOutByDefault {
        /// Part of every log that is held out, from 0 to 1.
        part: f64,
    },
    /// What is measured was taken from the logs.
    Measured {
        /// The sensors that the log has.
        sensors: SensorSet,
    },
    /// The signals of a log are neither filtered nor derived, so that nothing is trimmed off it.
    NothingTrimmed {
        /// Path of the log.
        log: PathBuf,
    },
    /// Nothing was recorded in the time that should be held out for validation.
    NothingHeldOut,
    /// A centre of mass is bounded by the hull of its link's shape.
    WithinHull {
        /// Name of the link.
        link: String,
        /// What its shape was read from, such as `collision geometry`.
        shape: &'static str,
        /// Vertices of the shape.
        vertices: usize,
        /// Sides of the hull.
        sides: usize,
    },
    /// Forces come later or earlier than their motion, and were not shifted.
    NotAligned,
    /// Links without a shape, whose centres of mass are not bounded by one.
    NoShape {
        /// Names of the links.
        links: Vec<String>,
    },
}

/// How whoever asked spells a setting: only the command knows flags, and only Python keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// What stands before a name.
    pub prefix: &'static str,
    /// What stands between its words.
    pub separator: &'static str,
    /// The settings that cut a log at its start and at its end.
    pub cut: [&'static str; 2],
    /// What stands before the name of a command.
    pub command: &'static str,
    /// What gives the whole answer as one document.
    pub document: &'static str,
    /// What stands around named numbers given to a setting: before the first name, between name and number, between
    /// number and next name, after the last number.
    pub numbers: [&'static str; 4],
}
