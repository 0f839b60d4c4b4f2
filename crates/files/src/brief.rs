//! Messages that fit on a screen, whatever a file has for names and numbers.

use std::borrow::Cow;

/// What is shown of each end of what is cut.
const SIDE: usize = 70;

/// A message on one line, without the hundreds of digits that a number in it may have.
pub fn brief(message: &str) -> String {
    shortened(&message.replace(char::is_control, " ")).into_owned()
}

/// A message whose words are short: a name or an expression that goes on for pages is cut in its middle.
pub fn legible(message: &str) -> Cow<'_, str> {
    // A character has at least one byte.
    if message.len() <= 3 * SIDE {
        return message.into();
    }
    let cut = |word| if is_path(word) { Cow::Borrowed(word) } else { shortened(word) };
    message.split_inclusive([' ', '\n']).map(cut).collect::<String>().into()
}

/// Whether a word may be where a file lies: its parts are as long as names of files can be. It is wanted whole.
fn is_path(word: &str) -> bool {
    word.contains('/') && word.len() < 4096 && word.split('/').all(|part| part.len() < 256)
}

fn shortened(text: &str) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= 3 * SIDE {
        return text.into();
    }
    let start: String = text.chars().take(SIDE).collect();
    let end: String = text.chars().skip(count - SIDE).collect();
    format!("{start}…{end}").into()
}
