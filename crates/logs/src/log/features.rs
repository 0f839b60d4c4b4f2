//! Readers that can be left out of a build.

use crate::error::LogError;

/// What a reader gives, or, in a build without it, the sentence that says so.
macro_rules! if_built {
    ($feature:literal, $what:literal, $file:expr, $reader:expr) => {{
        #[cfg(feature = $feature)]
        {
            $reader
        }
        #[cfg(not(feature = $feature))]
        {
            Err($crate::log::features::left_out($file, $what, $feature))
        }
    }};
}
pub(crate) use if_built;

/// The error of a reader that was left out.
#[cfg_attr(
    all(feature = "mcap", feature = "rosbag", feature = "parquet", feature = "npz", feature = "mat"),
    expect(dead_code)
)]
pub(crate) fn left_out(file: &str, what: &str, feature: &str) -> LogError {
    LogError::Unsupported {
        file: file.to_owned(),
        what: format!("{what}, which this build of Steiner cannot read"),
        remedy: format!("build it with the Cargo feature `{feature}`"),
    }
}
