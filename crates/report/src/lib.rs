//! Answers as documents: JSON for programs, a self-contained page for people, and the words that page and terminal share.
//! The command and the Python package use the same ones.

mod analysis;
mod comparison;
mod courses;
mod ellipsoid;
mod family;
mod fate;
mod formula;
mod html;
mod identification;
mod joint_glyph;
mod kinematic_graph;
mod labels;
mod log_notes;
mod mechanism_picture;
mod page;
mod parameter_matrix;
mod plot;
mod scene;
mod skeleton;
mod spectrum;
mod stories;
mod svg;
mod symbolic;
mod view;
mod words;

pub use analysis::{analysis_json, certificate_json, comparison_json, robot_json, shown_json};
pub use comparison::{
    Contestant, Outcome, RobotComparison, compare_robots, robot_comparison_html, robot_comparison_json,
    verdict,
};
pub use courses::Courses;
pub use family::Family;
pub use fate::{Fate, Owner, fates, owners};
pub use formula::{Coefficient, Summand, SummandOwner, formula, sum_of, summands};
pub use html::{analysis_html, analysis_html_with, framed};
pub use identification::{
    IdentifiedFile, headline, identification_html, identification_json, identified_format, identified_toml,
    identified_urdf, new_dynamics, parameter_table_csv, signals_json, write_identified,
};
pub use log_notes::{log_note, log_notes};
pub use plot::{Plot, panels};
pub use stories::{Story, directions, principle_sentence, stories};
pub use symbolic::{
    BaseFormula, Derivation, FormulaTerm, Formulas, Sensitivity, SpecialOutcomes, SymbolicAnswer, Written,
    WrittenWeight, formulas_code, formulas_latex, no_such_variable, plane_lies_along_frames, special_json,
    symbolic_json,
};
pub use words::{certificate_sentence, count, number, percent, thousands};
