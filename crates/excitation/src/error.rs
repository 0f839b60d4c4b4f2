//! What can go wrong, in whole sentences.

use steiner_dynamics::DynamicsError;
use steiner_identifiability::IdentifiabilityError;
use thiserror::Error;

/// Why there is no motion.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExcitationError {
    /// A setting makes no sense.
    #[error("{what} is {value}; {remedy}")]
    Setting {
        /// Which one.
        what: String,
        /// What was given.
        value: String,
        /// What to give instead.
        remedy: String,
    },
    /// A name that the robot does not have.
    #[error("the robot '{robot}' has no {kind} '{name}', which {what} names{hint}")]
    Unknown {
        /// The robot.
        robot: String,
        /// Joint, link, row.
        kind: String,
        /// What was given.
        name: String,
        /// Where.
        what: String,
        /// A similar name.
        hint: String,
    },
    /// Limits leave no room.
    #[error("no motion is possible: {why}; {remedy}")]
    NoRoom {
        /// Which limit.
        why: String,
        /// What to do.
        remedy: String,
    },
    /// The sensors do not see what is asked for.
    #[error("the motion cannot show {what}: {why}; {remedy}")]
    SeesNothing {
        /// What is asked for.
        what: String,
        /// Why.
        why: String,
        /// What to do.
        remedy: String,
    },
    /// From the dynamics.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// From the robot.
    #[error(transparent)]
    Robot(#[from] steiner_robot::RobotError),
    /// From the analysis.
    #[error(transparent)]
    Identifiability(#[from] IdentifiabilityError),
}
