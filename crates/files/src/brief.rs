//! Messages on one line.

/// A message on one line, without the hundreds of digits that a number in it may have.
pub fn brief(message: &str) -> String {
    const SIDE: usize = 70;
    let message = &message.replace(char::is_control, " ");
    let count = message.chars().count();
    if count <= 3 * SIDE {
        return message.to_owned();
    }
    let start: String = message.chars().take(SIDE).collect();
    let end: String = message.chars().skip(count - SIDE).collect();
    format!("{start}…{end}")
}
