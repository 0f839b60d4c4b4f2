//! What a user gets out of an identification: a document for programs, a table, and a page.

mod alarms;
mod excitation;
mod file_notes;
mod filters;
pub(crate) mod forces_over_time;
mod headline;
pub(crate) mod json;
mod knowledge;
mod link_summary;
pub(crate) mod links;
pub(crate) mod page;
mod parameter_csv;
mod parameters;
pub(crate) mod residual_table;
mod settings;
mod signals;
mod z_scores;

pub(crate) use alarms::alarms_json;
pub use alarms::{alarm_words, verdict_and_alarms};
pub use excitation::condition_words;
pub(crate) use file_notes::file_note;
pub use file_notes::file_notes;
pub use headline::headline;
pub use json::identification_json;
pub use knowledge::{Knowledge, group, group_name};
pub use link_summary::{LinkSummary, link_summaries};
pub use page::identification_html;
pub use parameter_csv::parameter_table_csv;
pub(crate) use settings::term_words;
pub use signals::signals_json;
