//! Names for code.

use crate::greek;

/// A name that C, Rust and Python accept. Greek letters are spelled out.
///
/// ```
/// assert_eq!(steiner_symbols::identifier("λ1"), "lambda1");
/// assert_eq!(steiner_symbols::identifier("7 bar"), "robot_7_bar");
/// ```
pub fn identifier(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        match greek::name_of(c) {
            Some(spelled) => text += spelled,
            None => text.push(if c.is_ascii_alphanumeric() { c } else { '_' }),
        }
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert_str(0, "robot_");
    }
    text
}
