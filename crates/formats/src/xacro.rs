//! xacro: macros, properties, conditions and includes expanded to plain URDF.
//!
//! The language is that of ROS 2's xacro, with expressions evaluated here: arithmetic on decimals is exact,
//! so `${0.1 + 0.2}` is 0.3; what involves π is printed to 17 digits, which the reader takes for the multiple
//! of 15° it stands for. Every element of the expansion remembers where it was written, so that later
//! complaints name the line of the macro and not of a text nobody sees.
//!
//! What this does not do: run Python (comprehensions, methods, `load_yaml`).

mod dom;
mod expander;
mod expression;
mod includes;
mod macros;
mod packages;
mod parser;
mod properties;
mod relocate;
mod text;
mod value;

use std::path::Path;

use steiner_files::Place;

use crate::error::FormatError;
use crate::read::ReadOptions;

pub(crate) use packages::find_package;
pub(crate) use relocate::Expansion;

/// Expands a xacro document; `path` is where includes are looked up.
pub(crate) fn expand(
    text: &str,
    place: &Place,
    path: Option<&Path>,
    options: &ReadOptions,
) -> Result<Expansion, FormatError> {
    let root = dom::parse(text, place, path)?;
    let expanded = expander::Expander::new(options, path).document(&root)?;
    let (text, lines) = dom::write(&expanded);
    Ok(Expansion { text, lines })
}
