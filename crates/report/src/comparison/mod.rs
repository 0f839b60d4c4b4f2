//! Two models compared on one log, as documents.

mod json;
mod page;
mod words;

pub use json::robot_comparison_json;
pub use page::robot_comparison_html;
pub use words::verdict;
