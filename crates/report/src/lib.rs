//! Answers as documents: JSON for programs, a self-contained page for people. The command and the Python package share them.

mod analysis;

pub use analysis::{analysis_json, certificate_json, robot_json};
