//! What a user gets out of an identification: a document for programs, a table, a page, and the robot's file with its new numbers.

mod excitation;
mod filters;
pub(crate) mod forces_over_time;
mod headline;
mod identified_file;
pub(crate) mod json;
pub(crate) mod links;
pub(crate) mod page;
mod parameter_csv;
mod parameters;
pub(crate) mod residual_table;
mod settings;
mod signals;

pub use headline::headline;
pub use identified_file::{
    IdentifiedFile, identified_format, identified_toml, identified_urdf, new_dynamics, write_identified,
};
pub use json::identification_json;
pub use page::identification_html;
pub use parameter_csv::parameter_table_csv;
pub use signals::signals_json;
