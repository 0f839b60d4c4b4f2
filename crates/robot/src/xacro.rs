//! xacro.
use crate::error::{Place, RobotError};
use crate::read::ReadOptions;
use std::path::Path;

/// Expands.
pub(crate) fn expand(
    text: &str,
    _place: &Place,
    _path: Option<&Path>,
    _options: &ReadOptions,
) -> Result<String, RobotError> {
    Ok(text.to_owned())
}
