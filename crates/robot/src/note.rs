//! What the user should know about a robot: data, which others put into words.

use steiner_files::Place;

/// What the reader of a robot's file could not take as it stands.
#[derive(Clone, Debug, PartialEq)]
pub enum RobotNote {
    /// An element of a URDF is not read; its name is close to that of one that is.
    NotRead {
        /// File and line of the element.
        place: Place,
        /// The element, as the file names it.
        element: String,
        /// The name that may be meant.
        meant: String,
    },
    /// A lower limit exceeds the upper one: the range is not used.
    RangeNotUsed {
        /// Where the limits are.
        place: Place,
        /// Their element, as the file names it.
        element: String,
    },
    /// A constraint is inactive and ignored.
    Inactive {
        /// File and line of the element.
        place: Place,
        /// Its element, as the file names it.
        element: String,
    },
    /// The alignment of a body's frame with its principal axes is ignored.
    AlignmentIgnored {
        /// Where it is asked for.
        place: Place,
    },
    /// Drive inertia and friction of several joints between the same two bodies are ignored.
    DrivesIgnored {
        /// Where their body is.
        place: Place,
        /// The one joint that stands for them.
        joint: String,
    },
    /// Of a damping polynomial only the linear term is read.
    OnlyLinearDamping {
        /// File and line of the element.
        place: Place,
    },
    /// The spring of a joint is ignored.
    SpringIgnored {
        /// Where the joint is.
        place: Place,
        /// Its element, as the file names it.
        element: String,
    },
    /// A body has no inertia, since that would come from a mesh.
    InertiaInMesh {
        /// Where the mesh is.
        place: Place,
        /// Name of the body.
        body: String,
    },
    /// The wanted total mass is ignored, since some masses would come from meshes.
    TotalMassIgnored {
        /// File and line of the setting.
        place: Place,
    },
    /// The gravity compensation of a body is ignored.
    GravityCompensationIgnored {
        /// Where the body is.
        place: Place,
        /// Name of the body.
        body: String,
    },
}

/// What became of links that are fixed to each other when their inertia was shared anew.
#[derive(Clone, Debug, PartialEq)]
pub enum LumpNote {
    /// The link that moves has all of the inertia.
    TakenOver {
        /// Name of that link.
        link: String,
        /// Links whose inertia is zero now.
        emptied: Vec<String>,
    },
    /// The file's inertia of a link belongs to no body: the nearest that does stood for it.
    NearestBody {
        /// Name of the link.
        link: String,
        /// The link that moves, with all that is fixed to it.
        lump: String,
    },
    /// The file gives no mass to share by: the link that moves has all of it.
    NoMass {
        /// Name of that link.
        link: String,
    },
}
