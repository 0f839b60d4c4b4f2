//! What can be wrong with the description of a robot, in one sentence each: place, element, problem, remedy.

use steiner_files::Place;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum RobotError {
    #[error("{place}: {element}: {problem}; {remedy}")]
    Element { place: Place, element: String, problem: String, remedy: String },
    #[error("{place}: <mimic> of joint `{joint}`: {problem}; {remedy}, or read the file without <mimic>")]
    Mimic { place: Place, joint: String, problem: String, remedy: String },
    #[error("{place}: {element}: there is no link or body `{name}`{hint}; define it or correct the name")]
    UnknownLink { place: Place, element: String, name: String, hint: String },
    #[error("{place}: {element}: there is no joint `{name}`{hint}; define it or correct the name")]
    UnknownJoint { place: Place, element: String, name: String, hint: String },
    #[error(
        "{place}: {element}: the name `{name}` is used twice (first on line {first}); give each its own name"
    )]
    Duplicate { place: Place, element: String, name: String, first: u32 },
    #[error(
        "{place}: the joints form a cycle through link `{link}`; open it at one joint and close it with a <loop> (URDF+) or [[loop]] (TOML)"
    )]
    Cycle { place: Place, link: String },
    #[error(
        "{place}: link `{link}` is the child of joints `{first}` and `{second}`; keep one and make the other a <loop> (URDF+) or [[loop]] (TOML)"
    )]
    TwoParents { place: Place, link: String, first: String, second: String },
    #[error("{place}: {element}: the axis is zero; give its direction, any length")]
    ZeroAxis { place: Place, element: String },
    #[error("{place}: {element}: {reason}")]
    Number { place: Place, element: String, reason: String },
    #[error("{place}: {element}: {reason}; correct the inertia")]
    Inertia { place: Place, element: String, reason: String },
    #[error("{place}: the robot has no moving body; add a joint that moves, or let its root float")]
    NothingMoves { place: Place },
    #[error(
        "{place}: link `{link}`: its new inertia cannot be shared in proportion, for it belongs to no body ({reason}); identify a consistent model, or give it to the moving link"
    )]
    Unshareable { place: Place, link: String, reason: String },
}

impl RobotError {
    /// Where in the file, for readers of text that was written elsewhere.
    pub fn place_mut(&mut self) -> &mut Place {
        match self {
            RobotError::Element { place, .. }
            | RobotError::Mimic { place, .. }
            | RobotError::UnknownLink { place, .. }
            | RobotError::UnknownJoint { place, .. }
            | RobotError::Duplicate { place, .. }
            | RobotError::Cycle { place, .. }
            | RobotError::TwoParents { place, .. }
            | RobotError::ZeroAxis { place, .. }
            | RobotError::Number { place, .. }
            | RobotError::Inertia { place, .. }
            | RobotError::NothingMoves { place }
            | RobotError::Unshareable { place, .. } => place,
        }
    }
}
