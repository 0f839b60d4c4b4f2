//! What became of settings: those that nobody chose, and those that came to nothing.

use std::path::PathBuf;

use steiner_robot::SensorSet;

/// A remark about a setting. Documents write the words.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingNote {
    /// The last part of every log is held out for validation, since nothing else was asked for.
    HeldOutByDefault {
        /// Which part.
        part: f64,
    },
    /// What is measured was taken from the logs.
    Measured {
        /// It.
        sensors: SensorSet,
    },
    /// The signals of a log are neither filtered nor derived, so that nothing is trimmed off it.
    NothingTrimmed {
        /// The log.
        log: PathBuf,
    },
    /// Nothing was recorded in the time that should be held out for validation.
    NothingHeldOut,
    /// A centre of mass is bounded by the hull of its link's shape.
    WithinHull {
        /// The link.
        link: String,
        /// What its shape was read from, such as `collision geometry`.
        shape: &'static str,
        /// Vertices of the shape.
        vertices: usize,
        /// Sides of the hull.
        sides: usize,
    },
    /// Links without a shape, whose centres of mass are not bounded by one.
    NoShape {
        /// The links.
        links: Vec<String>,
    },
}

/// How the one who asks spells settings: a sentence that names one has to spell it likewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// As flags of a command, `--hold-out`.
    Flags,
    /// As keywords of a function, `hold_out`.
    Keywords,
}
