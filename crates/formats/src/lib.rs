//! Robot files: URDF, URDF+, xacro, MJCF and mechanism files (TOML), read, written and patched; the built-in zoo.
//!
//! ```
//! use steiner_formats::{ReadOptions, read_robot};
//! let robot = read_robot("puma560", &ReadOptions::default()).unwrap();
//! assert_eq!(robot.bodies.len(), 6);
//! assert_eq!(robot.labels()[0], "link1.m");
//! assert!(robot.bodies.iter().all(|body| body.inertia.check().is_ok()));
//! ```

mod decimal;
mod error;
mod mjcf;
mod read;
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

pub use error::FormatError;
pub use read::{Format, ReadOptions, assemble, describe, parse_text, read_robot, read_source};
pub use shape::{BodyShape, body_shape};
pub use snap::{Snapper, roll_pitch_yaw_of};
pub use toml_patch::patch_toml;
pub use toml_writer::write_toml;
pub use urdf_patch::{JointFriction, UrdfPatch, patch_urdf};
