//! x
mod error;
mod log;
pub use error::LogError;
pub use log::{Chunk, Log, LogOptions, LogReader, Mapping};
