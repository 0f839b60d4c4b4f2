//! Robots: bodies, joints, loops, couplings and their inertia, from a file to a checked value.
//!
//! Whatever the format, a file becomes a [`Description`] (what it says) and then a [`Robot`] (checked, links that
//! don't move lumped into those that do, bodies in order). Geometry stays exact: see [`Frame`].
//!
//! ```
//! use steiner_robot::{ReadOptions, read_robot};
//! let robot = read_robot("puma560", &ReadOptions::default()).unwrap();
//! assert_eq!(robot.bodies.len(), 6);
//! assert_eq!(robot.labels()[0], "link1.m");
//! assert!(robot.bodies.iter().all(|body| body.inertia.check().is_ok()));
//! ```
//!
//! # Conventions
//! SI units, radians. The ten parameters of a body are `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz`, with moments
//! about the origin of the body frame, which is the joint frame carried by the body.

mod assemble;
mod atomic;
mod constants;
mod decimal;
mod description;
mod error;
mod frame;
mod inertia;
mod joint;
mod lump;
mod mjcf;
mod modified_dh;
mod pinocchio;
mod read;
mod redescribe;
mod robot;
mod shape;
mod snap;
mod toml;
mod toml_patch;
mod toml_writer;
mod urdf;
mod urdf_patch;
mod xacro;
mod xml;
pub mod zoo;

pub use assemble::AssembleOptions;
pub use atomic::write_atomically;
pub use description::{
    Capsule, Constant, ConstantKind, CouplingDescription, Description, GuessEntry, Link, LoopDescription,
    LoopKind, LoopSide, Mention, SiblingOrder, TreeJoint,
};
pub use error::{Place, RobotError, did_you_mean};
pub use frame::{
    Frame, NotARotation, Orientation, Pose, Step, evaluate_direction, evaluate_vector, no_displacement,
    quaternion_of,
};
pub use inertia::{CentredInertia, Inconsistency, PARAMETERS, PseudoInertia, Tensor};
pub use joint::{CompoundPart, Friction, Joint, JointKind, Limits, Motion, Stage};
pub use lump::{LumpPart, Lumped, Shares, shared, whole_of};
pub use modified_dh::NoModifiedFrames;
pub use read::{Format, ReadOptions, assemble, describe, parse_text, read_robot, read_source};
pub use redescribe::{NewDrive, NewDynamics, Redescribed};
pub use robot::{Attachment, Body, BodyIndex, Coordinate, Coupling, LoopJoint, LumpedLink, Robot};
pub use shape::{BodyShape, body_shape};
pub use snap::{Snapper, roll_pitch_yaw_of};
pub use toml_patch::patch_toml;
pub use toml_writer::write_toml;
pub use urdf_patch::{JointFriction, UrdfPatch, patch_urdf};
