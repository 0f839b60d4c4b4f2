//! What is a robot made of, and is what a file says one? Bodies, joints, loops, couplings and
//! their inertia, as checked values.
//!
//! Whatever the format, a file becomes a [`Description`] (what it says, with the line of everything) and then
//! a [`Robot`]: names resolved, links behind fixed joints lumped into the body that moves, parents before
//! children. Geometry stays exact: a [`Frame`] is a chain of displacements in exact numbers, evaluated in the
//! scalar that asks. An inertia is the pseudo-inertia
//!
//! N = ∫ (r, 1)(r, 1)ᵀ dm = \[Σ h; hᵀ m\],  which a body has if and only if N is positive semidefinite.
//!
//! A robot's parts are read as fields. To change them is to make another robot, checked again:
//!
//! ```
//! use steiner_robot::{Actuation, AssembleOptions, Description, Frame, Friction, Joint, JointKind, Limits, Link, Robot, TreeJoint};
//! use steiner_scalar::Exact;
//!
//! let joint = Joint {
//!     name: "hinge".to_owned(),
//!     kind: JointKind::Revolute,
//!     placement: Frame::identity(),
//!     axis: [Exact::zero(), Exact::one(), Exact::zero()],
//!     body_frame: Frame::identity(),
//!     limits: Limits::default(),
//!     rotor_inertia: 0.0,
//!     actuation: Actuation::default(),
//!     friction: Friction::default(),
//! };
//! let place = Default::default();
//! let description = Description {
//!     links: vec![Link { name: "arm".to_owned(), inertia: None, capsules: Vec::new(), place }],
//!     joints: vec![TreeJoint { joint, parent: None, child: "arm".to_owned(), place: Default::default() }],
//!     ..Description::default()
//! };
//! let pendulum = Robot::assemble(description, &AssembleOptions::default())?;
//! assert_eq!(pendulum.labels()[9], "arm.Izz");
//! let heavy = pendulum.changed(|parts| parts.bodies[0].inertia.mass = 2.0)?;
//! assert_eq!(heavy.parameters()[0], 2.0);
//! assert!(pendulum.changed(|parts| parts.bodies[0].inertia.mass = f64::NAN).is_err());
//! # Ok::<(), steiner_robot::RobotError>(())
//! ```
//!
//! # Conventions
//! SI units, radians. The ten parameters of a body are `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz`, with
//! moments about the origin of the body frame, which is the joint frame carried by the body.
//!
//! # Files
//! | file | what is in it |
//! |---|---|
//! | `description.rs` | what a file says, before it is checked |
//! | `joint.rs`, `frame.rs`, `inertia.rs` | joints and their stages; exact placements; pseudo-inertias |
//! | `friction.rs` | friction of a joint, and its force |
//! | `frame/product.rs` | a chain of displacements as one, exactly |
//! | `robot.rs` | the robot, its coordinates and labels |
//! | `assemble.rs` | from a description to a robot |
//! | `assemble/names.rs`, `link_tree.rs`, `floating.rs` | names and axes; who hangs on whom; a root set free |
//! | `assemble/bodies.rs`, `relations.rs`, `numbers.rs` | lumping; loops, couplings, guess; every number has a value |
//! | `changed.rs` | other robots from one: checked changes, new dynamics |
//! | `lump.rs`, `redescribe.rs` | sharing a new inertia among welded links; the description that says so |
//! | `constants.rs`, `modified_dh.rs` | named lengths and angles; modified Denavit–Hartenberg frames |
//! | `note.rs` | what the user should know about a robot |
//! | `pinocchio.rs` | configurations in Pinocchio's order |

mod assemble;
mod bulk;
mod changed;
mod constants;
mod description;
mod error;
mod frame;
mod friction;
mod inertia;
mod joint;
mod lump;
mod modified_dh;
mod note;
mod parameter;
mod pinocchio;
mod redescribe;
mod robot;
mod sensors;

pub use assemble::{AssembleOptions, LinkTree, check_names};
pub use bulk::Bulky;
pub use description::{
    Capsule, Constant, ConstantKind, CouplingDescription, Description, GuessEntry, Link, LoopDescription,
    LoopKind, LoopSide, Mention, SiblingOrder, TreeJoint,
};
pub use error::RobotError;
pub use frame::{
    Frame, NotARotation, Orientation, Pose, Step, evaluate_direction, evaluate_vector, no_displacement,
    quaternion_of,
};
pub use friction::{Friction, FurtherFriction, Stribeck};
pub use inertia::{CentredInertia, Inconsistency, PARAMETERS, PseudoInertia, Tensor, from_matrix, to_matrix};
pub use joint::{Actuation, CompoundPart, Joint, JointKind, Limits, Motion, Stage};
pub use lump::{LumpPart, Lumped, whole_of};
pub use modified_dh::{ModifiedPlacement, NoModifiedFrames};
pub use note::{LumpNote, RobotNote};
pub use parameter::{
    Label, ParameterBody, ParameterId, ParameterKind, ParameterList, inertial_body, inertial_columns,
    inertial_count, inertial_slot,
};
pub use redescribe::{NewDrive, NewDynamics, Redescribed};
pub use robot::{
    Attachment, Body, BodyIndex, Coordinate, Coupling, LoopJoint, LumpedLink, Robot, RobotParts,
};
pub use sensors::{Sensor, SensorSet, UnknownSensor};
