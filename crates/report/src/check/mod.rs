//! What a check says: verdicts with their reasons and what to do about them, for a terminal and for programs.

mod json;
mod page;
mod words;

pub use json::check_json;
pub use page::check_page;
