//! What a robot file says, before it is checked: the common ground of all readers.

use steiner_files::Place;
use steiner_scalar::Exact;

use crate::frame::Frame;
use crate::inertia::PseudoInertia;
use crate::joint::{Joint, JointKind};
use crate::note::RobotNote;

/// A robot as written: links, joints (fixed ones too), loops, couplings.
/// [`crate::Robot::assemble`] checks it.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// Name of the robot.
    pub name: String,
    /// The file it was read from.
    pub place: Place,
    /// Gravitational acceleration in the base frame, m/s², if the file gives it.
    pub gravity: Option<[Exact; 3]>,
    /// All links in the file's order. The fixed world ("base") is not a link.
    pub links: Vec<Link>,
    /// The joints of the tree.
    pub joints: Vec<TreeJoint>,
    /// The joints that close loops.
    pub loops: Vec<LoopDescription>,
    /// Linear relations between coordinates.
    pub couplings: Vec<CouplingDescription>,
    /// Coordinates the user wants to be independent.
    pub independent: Option<Vec<Mention>>,
    /// What it was before joints were held at values: among `joints` these are fixed.
    pub before_locking: Option<Box<Description>>,
    /// Joints the file declares as not independent (URDF+): independent only where the others don't suffice.
    pub dependent: Vec<Mention>,
    /// Where a closure solve starts.
    pub guess: Vec<GuessEntry>,
    /// Named lengths and angles.
    pub constants: Vec<Constant>,
    /// The planar view (4 parameters per link) is wanted.
    pub planar: bool,
    /// How siblings are ordered.
    pub order: SiblingOrder,
    /// How many printed angles were read as the multiple of 15° they stand for.
    pub snapped: usize,
    /// Remarks of the reader worth a user's attention.
    pub notes: Vec<RobotNote>,
}

impl Description {
    /// The same with all joints free to move that the file lets move; inertias and drives stay.
    pub fn unlocked(&self) -> Description {
        let Some(before) = &self.before_locking else { return self.clone() };
        let mut out = Description::clone(before);
        for link in &mut out.links {
            let now = self.links.iter().find(|other| other.name == link.name);
            link.inertia = now.map_or(link.inertia, |now| now.inertia);
        }
        for TreeJoint { joint, .. } in &mut out.joints {
            if let Some(now) = self.joints.iter().find(|other| other.joint.name == joint.name) {
                joint.rotor_inertia = now.joint.rotor_inertia;
                joint.friction = now.joint.friction;
            }
        }
        out
    }

    /// Names of the joints that are held at a value.
    pub fn locked(&self) -> Vec<&str> {
        let free = |joint: &&TreeJoint| self.is_held(&joint.child);
        self.joints.iter().filter(free).map(|joint| joint.joint.name.as_str()).collect()
    }

    /// Whether a link hangs on a joint that is held.
    pub(crate) fn is_held(&self, link: &str) -> bool {
        let fixed = |d: &Description| {
            let above = d.joints.iter().find(|joint| joint.child == link);
            above.is_some_and(|joint| joint.joint.kind == JointKind::Fixed)
        };
        self.before_locking.as_ref().is_some_and(|before| fixed(self) && !fixed(before))
    }
}

/// The order of bodies in arrays. Parents always come before children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SiblingOrder {
    /// In the order of the file.
    #[default]
    AsWritten,
    /// Depth first, siblings by the name of their joint (Pinocchio's, used for URDF).
    DepthFirstByJointName,
}

/// A name somewhere in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// A joint, a body, or `body:k`.
    pub name: String,
    /// File and line it comes from.
    pub place: Place,
}

/// A rigid link.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Name in the file.
    pub name: String,
    /// Its inertia about the link frame's origin, if the file gives one.
    pub inertia: Option<PseudoInertia>,
    /// Capsules for collision checks.
    pub capsules: Vec<Capsule>,
    /// File and line it comes from.
    pub place: Place,
}

/// A segment with a radius, in the link frame, m.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Capsule {
    pub from: [f64; 3],
    pub to: [f64; 3],
    pub radius: f64,
}

/// A joint of the tree with the links it joins.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeJoint {
    /// Kind, axes, limits and drive.
    pub joint: Joint,
    /// Parent link; `None` is the fixed world.
    pub parent: Option<String>,
    /// Child link.
    pub child: String,
    /// File and line it comes from.
    pub place: Place,
}

/// The kind of a joint that closes a loop.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum LoopKind {
    Revolute,
    Prismatic,
    Cylindrical,
    /// `axis` is fixed in the predecessor, `axis2` in the successor.
    Universal {
        axis2: [Exact; 3],
    },
    Spherical,
    Planar,
    Fixed,
}

impl LoopKind {
    /// The word files use.
    pub fn name(&self) -> &'static str {
        match self {
            LoopKind::Revolute => "revolute",
            LoopKind::Prismatic => "prismatic",
            LoopKind::Cylindrical => "cylindrical",
            LoopKind::Universal { .. } => "universal",
            LoopKind::Spherical => "spherical",
            LoopKind::Planar => "planar",
            LoopKind::Fixed => "fixed",
        }
    }

    /// How many velocities the joint forbids.
    pub fn constraints(&self) -> usize {
        match self {
            LoopKind::Revolute | LoopKind::Prismatic => 5,
            LoopKind::Cylindrical | LoopKind::Universal { .. } => 4,
            LoopKind::Spherical | LoopKind::Planar => 3,
            LoopKind::Fixed => 6,
        }
    }
}

/// One side of a loop joint.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopSide {
    /// The link; `None` is the fixed world.
    pub link: Option<String>,
    /// The loop frame in the link frame.
    pub frame: Frame,
}

/// A joint that closes a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopDescription {
    /// Name in the file.
    pub name: String,
    /// What it leaves free.
    pub kind: LoopKind,
    /// Frame on the first body (predecessor).
    pub predecessor: LoopSide,
    /// Frame on the second body (successor).
    pub successor: LoopSide,
    /// Axis in the loop frames, any length.
    pub axis: [Exact; 3],
    /// File and line it comes from.
    pub place: Place,
}

/// `coordinate = Σ factor · term + offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct CouplingDescription {
    /// Its name, for messages.
    pub name: String,
    /// The coordinate it determines.
    pub coordinate: String,
    /// The coordinates it depends on.
    pub terms: Vec<(String, Exact)>,
    /// rad or m.
    pub offset: Exact,
    /// URDF `<mimic>`, which other programs ignore unless told otherwise.
    pub is_mimic: bool,
    /// File and line it comes from.
    pub place: Place,
}

/// A starting value for a closure solve.
#[derive(Clone, Debug, PartialEq)]
pub struct GuessEntry {
    /// A body, joint, or `body:k`.
    pub coordinate: String,
    /// One number, or the whole configuration of a multi-dof joint.
    pub values: Vec<Exact>,
    /// File and line it comes from.
    pub place: Place,
}

/// What a named constant measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ConstantKind {
    Length,
    Angle,
}

/// A named constant of a native file.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Constant {
    pub name: String,
    pub kind: ConstantKind,
    /// The symbol, as expressions refer to it.
    pub symbol: Exact,
    /// Its value, m or rad.
    pub value: Exact,
}
