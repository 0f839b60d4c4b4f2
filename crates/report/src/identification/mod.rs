//! What a user gets out of an identification: a document for programs, a table, a page, and the robot's file with its new numbers.

mod excitation;
mod filters;
mod headline;
mod identified_file;
pub(crate) mod joints;
pub(crate) mod json;
pub(crate) mod links;
pub(crate) mod page;
mod parameters;
mod settings;
mod signals;
mod table;

pub use headline::headline;
pub use identified_file::{
    IdentifiedFile, identified_format, identified_toml, identified_urdf, new_dynamics, write_identified,
};
pub use json::identification_json;
pub use page::identification_html;
pub use signals::signals_json;
pub use table::parameter_table_csv;
