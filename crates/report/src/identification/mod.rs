//! What a user gets out of an identification: a document for programs, a table, and a page.

mod excitation;
mod file_notes;
mod filters;
mod headline;
pub(crate) mod joints;
pub(crate) mod json;
pub(crate) mod links;
pub(crate) mod page;
mod parameters;
mod settings;
mod signals;
mod table;

pub use file_notes::file_notes;
pub use headline::headline;
pub use json::identification_json;
pub use page::identification_html;
pub use signals::signals_json;
pub use table::parameter_table_csv;
