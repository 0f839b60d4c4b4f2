//! MJCF.
use crate::description::Description;
use crate::error::{Place, RobotError};
use crate::read::ReadOptions;
use std::path::Path;

/// Reads MJCF.
pub(crate) fn parse(
    _text: &str,
    place: Place,
    _path: Option<&Path>,
    _options: &ReadOptions,
) -> Result<Description, RobotError> {
    Err(RobotError::NothingMoves { place })
}
