//! Why a log cannot be used.

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LogError {
    #[error("{file} cannot be read ({reason})")]
    Unreadable { file: String, reason: String },
    #[error("{file} is empty; a log starts with a header such as t,q_joint1,qd_joint1,qdd_joint1")]
    Empty { file: String },
    #[error("{file}:{line}: `{text}` in column `{column}` is not a finite number")]
    NotANumber { file: String, line: usize, column: String, text: String },
    #[error("{file}:{line}: {found} values where the header has {wanted}")]
    WrongCount { file: String, line: usize, found: usize, wanted: usize },
    #[error("{file}: the column `{column}` appears twice in the header")]
    Twice { file: String, column: String },
    #[error("{file} has no column `{column}`{hint}; {robot} needs {needed}")]
    Missing { file: String, column: String, hint: String, robot: String, needed: String },
    #[error("{file} has no column `{column}`, and it cannot be derived from q alone: {why}")]
    NotDerivable { file: String, column: String, why: String },
    #[error(
        "{file}:{line}: time {time} s does not follow {before} s; sort the log, or cut it where the clock was set"
    )]
    NotIncreasing { file: String, line: usize, time: f64, before: f64 },
    #[error("{file} has {found} samples; derivatives need at least {wanted}")]
    TooShort { file: String, found: usize, wanted: usize },
}
