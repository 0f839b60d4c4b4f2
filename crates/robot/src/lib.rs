//! Robots: bodies, joints, loops, couplings and their inertia, as checked values.
//!
//! Whatever the format, a file becomes a [`Description`] (what it says) and then a [`Robot`] (checked, links that
//! don't move lumped into those that do, bodies in order). Geometry stays exact: see [`Frame`].
//!
//! # Conventions
//! SI units, radians. The ten parameters of a body are `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz`, with moments
//! about the origin of the body frame, which is the joint frame carried by the body.

mod assemble;
mod changed;
mod constants;
mod description;
mod error;
mod frame;
mod inertia;
mod joint;
mod lump;
mod modified_dh;
mod parameter;
mod pinocchio;
mod redescribe;
mod robot;
mod sensors;

pub use assemble::{AssembleOptions, LinkTree, check_names};
pub use description::{
    Capsule, Constant, ConstantKind, CouplingDescription, Description, GuessEntry, Link, LoopDescription,
    LoopKind, LoopSide, Mention, SiblingOrder, TreeJoint,
};
pub use error::RobotError;
pub use frame::{
    Frame, NotARotation, Orientation, Pose, Step, evaluate_direction, evaluate_vector, no_displacement,
    quaternion_of,
};
pub use inertia::{CentredInertia, Inconsistency, PARAMETERS, PseudoInertia, Tensor, from_matrix, to_matrix};
pub use joint::{CompoundPart, Friction, Joint, JointKind, Limits, Motion, Stage};
pub use lump::{LumpPart, Lumped, Shares, shared, whole_of};
pub use modified_dh::NoModifiedFrames;
pub use parameter::{
    ParameterBody, ParameterId, ParameterKind, ParameterList, inertial_body, inertial_columns,
};
pub use redescribe::{NewDrive, NewDynamics, Redescribed};
pub use robot::{
    Attachment, Body, BodyIndex, Coordinate, Coupling, LoopJoint, LumpedLink, Robot, RobotParts,
};
pub use sensors::{Sensor, SensorSet, UnknownSensor};
