//! What can be wrong with a robot's file, in one sentence each: place, problem, remedy.

use steiner_files::Place;
use steiner_robot::RobotError;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum FormatError {
    /// What the file describes is no robot, or one of its elements is wrong.
    #[error(transparent)]
    Robot(#[from] RobotError),
    #[error("{file}: cannot be read ({reason}); check the path, or name a built-in robot")]
    Unreadable {
        file: String,
        reason: String,
        /// Whether there is no such file at all.
        missing: bool,
    },
    #[error(
        "{file}: {megabytes} MB is more than the {limit} MB a robot description may have; meshes and logs don't belong in it"
    )]
    TooLarge { file: String, megabytes: u64, limit: u64 },
    #[error(
        "{file}: this is not a robot format Steiner reads; give a .urdf, .xacro, MJCF .xml or .toml file"
    )]
    UnknownFormat { file: String },
    #[error("{place}: the file is not well formed ({reason}); repair the markup there")]
    Syntax { place: Place, reason: String },
    #[error("{place}: {element}: `{kind}` is not a kind of joint; use one of {known}")]
    UnknownJointKind { place: Place, element: String, kind: String, known: String },
    #[error(
        "{place}: links `{first}` and `{second}` both have no parent; join one to the rest, a robot has one root"
    )]
    TwoRoots { place: Place, first: String, second: String },
    #[error(
        "{place}: {element}: {problem}; add the folder that holds it to the package path, or to ROS_PACKAGE_PATH"
    )]
    UnknownPackage { place: Place, element: String, problem: String },
    #[error("{file}: {problem}; {remedy}")]
    Output { file: String, problem: String, remedy: String },
    #[error("{file}: cannot be written ({reason}); what was there before is untouched")]
    Unwritable { file: String, reason: String },
    #[error("there is no built-in robot `{name}`{hint}")]
    UnknownZooName { name: String, hint: String },
}
