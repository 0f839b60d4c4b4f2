//! What every reader and writer of files shares: places in files, hints for
//! misspelt names, whole-file writing.
//!
//! ```
//! use steiner_files::{Place, did_you_mean};
//! assert_eq!(Place::file("arm.urdf").at_line(12).to_string(), "arm.urdf:12");
//! assert_eq!(did_you_mean("elbwo", ["shoulder", "elbow"]), " (did you mean `elbow`?)");
//! ```

mod atomic;
mod brief;
mod hint;
mod place;
mod special;

pub use atomic::{stream_atomically, write_atomically};
pub use brief::{brief, legible};
pub use hint::{close_name, did_you_mean};
pub use place::Place;
pub use special::special_file;
