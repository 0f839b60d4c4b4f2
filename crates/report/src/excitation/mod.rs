//! A designed motion as documents: what it shows, within which limits, and what keeps it from showing more.

mod faces;
mod history_charts;
mod json;
mod notes;
mod page;
mod player;
mod tables;
mod words;

use steiner_dynamics::Mechanism;
use steiner_excitation::{BodyPair, Design, Designed};
use steiner_identification::{LogInformation, Spelling};

pub use json::motion_json;
pub use page::motion_html;
pub use tables::{MarginTable, ParameterLine, margin_table, parameter_lines};
pub use words::{blame_sentences, margin_percent, motion_headline, weak_sentences};

/// A motion with all that a document says about it.
#[derive(Clone, Copy)]
pub struct MotionReport<'a> {
    /// The robot.
    pub mechanism: &'a Mechanism,
    /// What was wished for.
    pub design: &'a Design,
    /// What was found.
    pub designed: &'a Designed,
    /// What logs had shown before.
    pub after: Option<&'a LogInformation>,
    /// Bodies about whose shape nothing is known: they are kept away from nothing.
    pub without_shape: &'a [String],
    /// Pairs of bodies whose shapes touch wherever the joints are, by index: they are not kept apart.
    pub touching: &'a [BodyPair],
    /// How settings are spelt by whoever reads it.
    pub spelling: Spelling,
}
