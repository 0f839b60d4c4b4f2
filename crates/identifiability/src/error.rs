//! Why a question about identifiability has no answer.

use steiner_dynamics::DynamicsError;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum IdentifiabilityError {
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    #[error(
        "{robot}: only {found} assembled configurations away from singularities were found near the reference ({wanted} are needed); give a [guess] with room to move"
    )]
    TooFewConfigurations { robot: String, found: usize, wanted: usize },
}
