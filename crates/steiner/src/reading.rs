//! From a file to a mechanism that can move.

use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_formats::{FormatError, ReadOptions, read_robot};

/// Why a robot cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReadError {
    #[error(transparent)]
    File(#[from] FormatError),
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
}

/// Reads a robot (a URDF, URDF+, xacro, MJCF or mechanism file, or a name of the zoo), closes its loops and
/// chooses its independent coordinates.
pub fn read_mechanism(source: &str, options: &ReadOptions) -> Result<Mechanism, ReadError> {
    Ok(Mechanism::new(read_robot(source, options)?)?)
}
