//! What can be wrong with a robot file, in one sentence each: place, element, problem, remedy.

use steiner_files::Place;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum RobotError {
    #[error(
        "{file}: cannot be read ({reason}); check the path, or run `steiner zoo` for the built-in robots"
    )]
    Unreadable { file: String, reason: String },
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
    #[error("{place}: {element}: {problem}; {remedy}")]
    Element { place: Place, element: String, problem: String, remedy: String },
    #[error("{place}: {element}: `{kind}` is not a kind of joint; use one of {known}")]
    UnknownJointKind { place: Place, element: String, kind: String, known: String },
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
    #[error(
        "{place}: links `{first}` and `{second}` both have no parent; join one to the rest, a robot has one root"
    )]
    TwoRoots { place: Place, first: String, second: String },
    #[error("{place}: {element}: the axis is zero; give its direction, any length")]
    ZeroAxis { place: Place, element: String },
    #[error("{place}: {element}: {reason}")]
    Number { place: Place, element: String, reason: String },
    #[error("{place}: {element}: {reason}; correct the inertia")]
    Inertia { place: Place, element: String, reason: String },
    #[error(
        "{place}: the robot has no moving body; add a joint that moves, or let its root float (--floating, in Python floating=True)"
    )]
    NothingMoves { place: Place },
    #[error(
        "{place}: link `{link}`: its new inertia cannot be shared in proportion, for it belongs to no body ({reason}); identify a consistent model, or give it to the moving link"
    )]
    Unshareable { place: Place, link: String, reason: String },
    #[error("{file}: {problem}; {remedy}")]
    Output { file: String, problem: String, remedy: String },
    #[error("{file}: cannot be written ({reason}); what was there before is untouched")]
    Unwritable { file: String, reason: String },
    #[error("there is no built-in robot `{name}`{hint}; `steiner zoo` lists them")]
    UnknownZooName { name: String, hint: String },
}
