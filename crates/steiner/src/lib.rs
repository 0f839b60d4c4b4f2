//! Which inertial parameters of a robot can be identified, and what are they?
//!
//! The generalised forces of a robot are linear in its inertial parameters π (mass, first moments and inertia
//! of every body) and in those of its drives,
//!
//! τ = Y(q, q̇, q̈) π.
//!
//! What no motion can reveal is the nullspace of Y over all states; the rest are base parameters β = B π.
//! [`analyze`] finds both with a proof, [`identify`] estimates β from a log and returns a physically
//! consistent model, [`excite`] designs the motion to record, [`simulate`] makes synthetic logs.
//!
//! ```
#![doc = include_str!("../examples/first_steps.rs")]
//! ```
//!
//! # Where things are
//! This crate is the entry point: what a user needs is re-exported here. What takes several crates is done
//! here: [`Logs`] (logs with their processing and the share held out), [`identify_logs`],
//! [`check`], [`excitation_of_logs`], [`information_of_logs`], [`compare_logs`], [`formulas`], [`shape_of`],
//! [`write_motion`], [`generate_code`]. The crates behind it are modules: [`robot`], [`formats`], [`dynamics`],
//! [`identifiability`], [`model`], [`logs`], [`identification`], [`excitation`], [`report`], and below them
//! [`scalar`], [`linalg`], [`symbols`] and [`files`].
//!
//! # Conventions
//! SI units, radians. Parameters of a body are `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz` in its own
//! frame, about its origin; those of a drive `Ia, fv, fc, offset`. Coordinates are the independent ones,
//! parents before children.

mod check;
mod code;
mod comparison;
mod formulas;
mod identified;
mod log_doubts;
mod log_excitation;
mod log_information;
mod motion_file;
mod noise;
mod reading;
mod recorded;
mod remedy;
mod surroundings;
mod weighed;
mod wishes;

pub use check::{CheckQuestion, check};
pub use code::{CodeMethod, generate_code};
pub use comparison::compare_logs;
pub use formulas::{FormulaAnswer, FormulaError, FormulaWish, formulas};
pub use identified::{FromLogs, identification_page, identify_logs};
pub use log_excitation::{LogExcitation, excitation_of_logs};
pub use log_information::{AfterLogs, information_of_logs};
pub use motion_file::{MotionFileError, MotionFormat, motion_recording, tree_motion, write_motion};
pub use noise::{ForceNoise, parse_force_noise, parse_noise};
pub use reading::{ReadError, read_mechanism};
pub use recorded::{HELD_OUT, Logs, Watch};
pub use remedy::Remedy;
pub use surroundings::{RobotShape, shape_of};
pub use wishes::{
    limits_of_all, parse_limit, parse_obstacle, parse_purpose, parse_shape, parse_turn_sum, validation_wish,
};

pub use steiner_dynamics as dynamics;
pub use steiner_excitation as excitation;
pub use steiner_files as files;
pub use steiner_formats as formats;
pub use steiner_identifiability as identifiability;
pub use steiner_identification as identification;
pub use steiner_linalg as linalg;
pub use steiner_logs as logs;
pub use steiner_model as model;
pub use steiner_report as report;
pub use steiner_robot as robot;
pub use steiner_scalar as scalar;
pub use steiner_symbols as symbols;

pub use steiner_dynamics::Mechanism;
pub use steiner_excitation::{Design, Designed, ExcitationError, design as excite};
pub use steiner_formats::{ReadOptions, read_robot};
pub use steiner_identifiability::{Analysis, Question, analyze};
pub use steiner_identification::{
    Identification, IdentificationError, Payload, PayloadEstimator, PayloadSettings, Settings, Simulation,
    identify, simulate, write_identified,
};
pub use steiner_logs::{LogOptions, Processing, Recording};
pub use steiner_robot::{Robot, SensorSet};
