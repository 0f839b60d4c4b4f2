//! What robot does a file describe, and what file describes a robot? URDF, URDF+, xacro, MJCF and native
//! mechanism files (TOML), read, written and patched in place; the meshes they refer to; the built-in zoo.
//!
//! ```
//! use steiner_formats::{ReadOptions, describe, read_robot, write_toml};
//!
//! let options = ReadOptions::default();
//! let robot = read_robot("puma560", &options)?;
//! assert_eq!(robot.bodies.len(), 6);
//! assert_eq!(robot.labels()[0], "link1.m");
//! assert!(robot.bodies.iter().all(|body| body.inertia.check().is_ok()));
//! // Any description has a native file.
//! let text = write_toml(&describe("puma560", &options)?)?;
//! assert!(text.starts_with("name = \"puma560\""));
//! # Ok::<(), steiner_formats::FormatError>(())
//! ```
//!
//! A reader turns text into a [`Description`](steiner_robot::Description) with the line of everything;
//! [`Robot::assemble`](steiner_robot::Robot::assemble) checks it. Numbers are read as they are printed, and
//! angles within [`ReadOptions::snap`] of a multiple of 15° as that multiple.
//!
//! # Files
//! | file | what is in it |
//! |---|---|
//! | `read.rs` | from a path or a zoo name to a robot; which format a file has |
//! | `urdf.rs`, `urdf/` | URDF and URDF+: joints and loops, couplings, inertials, the root |
//! | `xacro.rs`, `xacro/` | xacro expanded to URDF, with the place of every line |
//! | `mjcf.rs`, `mjcf/` | MuJoCo's format: compiler, defaults, joints, geoms, equalities |
//! | `toml.rs`, `toml/` | native files: bodies, frames, loops, exact numbers |
//! | `toml_writer.rs`, `toml_writer/` | a description as a native file |
//! | `urdf_patch.rs`, `toml_patch.rs` | new numbers in a file that keeps everything else |
//! | `shape.rs`, `shape/` | points whose hull holds a link: primitives, STL, OBJ, Collada |
//! | `xml.rs`, `snap.rs`, `decimal.rs` | elements with places; multiples of 15°; the shortest digits |
//! | `zoo.rs` | the built-in robots |

mod actuators;
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
pub use read::{Format, ReadOptions, assemble, describe, parse_text, read_robot, read_source, whole_text};
pub use shape::{BodyShape, body_shape, ground_shapes};
pub use toml_patch::patch_toml;
pub use toml_writer::write_toml;
pub use urdf_patch::{JointFriction, UrdfPatch, patch_urdf};
