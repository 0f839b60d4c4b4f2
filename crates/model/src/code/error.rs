//! What can go wrong.

use thiserror::Error;

/// Why there is no code for a robot.
#[derive(Debug, Error)]
pub enum CodeError {
    /// Loops are closed by iteration, which straight-line code has none of.
    #[error(
        "{robot} has closed loops ({loops}): code is generated for trees only; open them, or use the library itself."
    )]
    Loops {
        /// Name of the robot.
        robot: String,
        /// Names of its loops.
        loops: String,
    },
    /// Couplings decide a part of a planar joint.
    #[error(
        "{robot} has a coupling that decides the angle of a planar joint, which code cannot take apart: let the other \
         joint follow instead, or use a revolute joint on two prismatic ones."
    )]
    CoupledPlane {
        /// Name of the robot.
        robot: String,
    },
    /// Nothing moves.
    #[error("{robot} cannot move, so there is no code to generate.")]
    NothingMoves {
        /// Name of the robot.
        robot: String,
    },
    /// No quantity.
    #[error("no code was asked for: name at least one quantity, such as inverse dynamics.")]
    NothingAsked,
    /// Forces do not determine accelerations.
    #[error(
        "{robot} has no forward dynamics: its mass matrix is singular, because some motion moves no mass. Give its \
         bodies their inertias, take the parameters as arguments, or leave forward dynamics out."
    )]
    SingularMass {
        /// Name of the robot.
        robot: String,
    },
    /// Friction depends on load.
    #[error(
        "{robot} has no forward dynamics as straight-line code: the friction of {joint} grows with its load, which \
         depends on the accelerations. Leave forward dynamics out, or the drives."
    )]
    LoadFriction {
        /// Name of the robot.
        robot: String,
        /// Name of the joint.
        joint: String,
    },
    /// The geometry cannot be evaluated, or the state is no state.
    #[error(transparent)]
    Dynamics(#[from] steiner_dynamics::DynamicsError),
    /// The base parameters cannot be found.
    #[error(transparent)]
    Identifiability(#[from] steiner_identifiability::IdentifiabilityError),
    /// The closed form cannot be had or evaluated.
    #[error(transparent)]
    ClosedForm(#[from] crate::error::ModelError),
    /// Nearly aligned axes cost all digits.
    #[error(
        "{robot}: generated forces would be wrong by {error:.1e} of the largest, because some axes are aligned but for a rounding; give the angles more digits, or let them be read as aligned"
    )]
    Inexact {
        /// Name of the robot.
        robot: String,
        /// Error relative to the largest force.
        error: f64,
    },
}
