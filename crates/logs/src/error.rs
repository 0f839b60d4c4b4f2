//! Why a log cannot be used.

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LogError {
    #[error("{file} cannot be read ({reason}); check the path and its permissions")]
    Unreadable {
        file: String,
        reason: String,
        /// Whether there is no such file at all.
        missing: bool,
    },
    #[error(
        "{file} is no log Steiner knows; give CSV, Parquet, NPZ, MAT (v5), MCAP, a rosbag2 .db3, or a mapping file (.toml) that describes yours"
    )]
    UnknownFormat { file: String },
    #[error("{file} is {what}; {remedy}")]
    Unsupported { file: String, what: String, remedy: String },
    #[error("{file} is a mapping that names no files; add [[file]] with a path, or give it beside a log")]
    NamesNoFiles { file: String },
    #[error("{file} is empty; a log starts with a header such as t,q_joint1,qd_joint1,qdd_joint1")]
    Empty { file: String },
    #[error(
        "{file} has no column of numbers; save one value per row and column, with a name such as t or q_joint1"
    )]
    NoColumns { file: String },
    #[error(
        "{file}:{line}: numbers where the names of the columns should be; put a header such as t,q_joint1 in front, or read it through a mapping file with header = false"
    )]
    NoHeader { file: String, line: usize },
    #[error(
        "{place}: `{text}` in column `{column}` is not a finite number; cut the log there, or leave such rows out"
    )]
    NotANumber { place: String, column: String, text: String },
    #[error("{file}:{line}: {found} values where the header has {wanted}; repair the line or remove it")]
    WrongCount { file: String, line: usize, found: usize, wanted: usize },
    #[error("{file} ends in the middle ({found}); copy it again, or {remedy}")]
    Cut { file: String, found: String, remedy: String },
    #[error("{file} ends in the middle ({found}); copy it again, or read it up to there")]
    LastLineCut { file: String, found: String },
    #[error("{file} is damaged: {}; copy it again, or record it anew", one_line(problem))]
    Damaged { file: String, problem: String },
    #[error("{file}: the column `{column}` appears twice; rename one of them")]
    Twice { file: String, column: String },
    #[error("{file}: `{name}` has {found} samples where {others} have {wanted}; {remedy}")]
    Lengths { file: String, name: String, found: u64, others: String, wanted: u64, remedy: &'static str },
    #[error(
        "{file} has no column `{column}`{hint}; {robot} needs {needed}; a mapping file can say which columns they are"
    )]
    Missing {
        file: String,
        column: String,
        hint: Box<str>,
        robot: String,
        needed: Box<str>,
        /// The joint that the column is of, if others have theirs: it may not move at all.
        joint: Option<Box<str>>,
    },
    #[error(
        "{file}: `{name}` has {found} columns, but {robot} has {wanted} ({order}); name the columns in a mapping file"
    )]
    Width { file: String, name: String, found: usize, robot: String, wanted: usize, order: String },
    #[error("{file} has no column `{column}`, and it cannot be derived from q alone: {why}")]
    NotDerivable { file: String, column: String, why: String },
    #[error(
        "{place}: time {time} s does not follow {before} s; sort the log, or cut it where the clock was set"
    )]
    NotIncreasing { place: String, time: f64, before: f64 },
    #[error(
        "{file}: {repeated} of {rows} rows repeat the time of the row before (first {place}, {time} s): the clock is coarser than the sampling; remove the column t and give `rate` (Hz) in a mapping file"
    )]
    CoarseClock { file: String, repeated: u64, rows: u64, place: String, time: f64 },
    #[error("{file} has {found} samples{after}; {what} at least {wanted}")]
    TooShort { file: String, found: usize, after: String, what: &'static str, wanted: usize },
    #[error(
        "{file}: no message of type sensor_msgs/msg/JointState, MultiDOFJointState or geometry_msgs/msg/WrenchStamped; {found}"
    )]
    NoMessages { file: String, found: String },
    #[error("{place}: {key}: {problem}; {remedy}")]
    Mapping { place: String, key: String, problem: String, remedy: String },
    #[error(
        "what the logs measure is not the same in all of them; identify from logs with the same columns together"
    )]
    Unlike,
    #[error("the name of the log is {file}; let it end in .csv or .npz")]
    UnknownEnding { file: String },
    #[error("{file} cannot be written ({reason}); choose another place")]
    Unwritable { file: String, reason: String },
    #[error("{setting}: {problem}; {remedy}")]
    Setting { setting: &'static str, problem: String, remedy: String },
}

/// What a damaged file had other libraries say, without line breaks of its own.
fn one_line(problem: &str) -> String {
    problem
        .split(|c: char| c.is_control() || c == ' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
