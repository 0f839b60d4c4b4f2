//! Why there is no model.

use steiner_dynamics::DynamicsError;
use steiner_identifiability::IdentifiabilityError;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ModelError {
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    #[error(transparent)]
    Identifiability(#[from] IdentifiabilityError),
    #[error(
        "{robot}: `{closure}` closes a loop, and a closed form is for serial arms; the analysis, the regressor and inverse dynamics take loops"
    )]
    Loop { robot: String, closure: String },
    #[error(
        "{robot}: `{coupling}` couples joints, and a PSDM model is for arms whose joints move independently; use the recursive generator"
    )]
    Coupled { robot: String, coupling: String },
    #[error(
        "{robot}: joint `{joint}` is {kind}, and a PSDM model knows revolute and prismatic joints; use the recursive generator"
    )]
    JointKind { robot: String, joint: String, kind: &'static str },
    #[error(
        "{robot}: joint `{joint}` branches off at {parent}, and a PSDM model is for serial arms; use the recursive generator"
    )]
    Branch { robot: String, joint: String, parent: String },
    #[error("{robot} has no moving body, so there is nothing to model")]
    NothingMoves { robot: String },
    #[error(
        "{robot} has {joints} joints: its PSDM model would take up to {seconds:.1e} s and {gibibytes:.1e} GiB, and be slower than recursion; use the recursive generator"
    )]
    TooLong { robot: String, joints: usize, seconds: f64, gibibytes: f64 },
    #[error(
        "{robot}: with axes in such general position its PSDM model would take {gibibytes:.1} GiB, more than {most} GiB, and be slower than recursion; use the recursive generator"
    )]
    TooLarge { robot: String, gibibytes: f64, most: f64 },
    #[error(
        "{robot}: code of its {functions} functions would be far slower than recursion; use the recursive generator, or reduce the model"
    )]
    TooManyFunctions { robot: String, functions: usize },
    #[error("{what} has {found} numbers where the model has {wanted}; {order}")]
    Shape { what: &'static str, found: usize, wanted: usize, order: &'static str },
    #[error("{what}[{index}] is {value}; give finite numbers")]
    NotFinite { what: &'static str, index: usize, value: f64 },
    #[error(
        "the mass matrix is not positive definite at joint `{joint}`: these base parameters belong to no robot there; estimate them with consistency constraints"
    )]
    MassNotPositive { joint: String },
    #[error("line {line}: {reason}; the file is no PSDM model or was cut short")]
    File { line: usize, reason: String },
    #[error("{path}: {reason}")]
    Access { path: String, reason: String, missing: bool },
    #[error(
        "an accuracy of {accuracy} is out of range; give the tolerated relative error, above 0 and below 1"
    )]
    Accuracy { accuracy: f64 },
    #[error(
        "a confidence of {confidence} is out of range; give the part of the samples that must be accurate, above 0 and up to 1"
    )]
    Confidence { confidence: f64 },
    #[error("{file}:{line}: {problem}; {remedy}")]
    Profile { file: String, line: usize, problem: String, remedy: String },
    #[error(
        "{profile}: {robot} does not say how far joint `{joint}` {moves}; give `{key}` in a profile file"
    )]
    NoRange { profile: String, robot: String, joint: String, moves: &'static str, key: &'static str },
    #[error("{count} samples are too few to measure the error of a model; give more, typical of the task")]
    TooFewSamples { count: usize },
}

impl ModelError {
    /// A file that the system does not give or take.
    pub(crate) fn access(path: &std::path::Path, error: &std::io::Error) -> Self {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        ModelError::Access { path: path.display().to_string(), reason: error.to_string(), missing }
    }
}
