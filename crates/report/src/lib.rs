//! Answers as documents: JSON for programs, a self-contained page for people, and the words that page and
//! terminal share. The command and the Python package use the same ones.

mod analysis;
mod analysis_page;
mod check;
mod combination;
mod comparison;
mod ellipsoid;
mod excitation;
mod family;
mod fate;
mod formula;
mod identification;
mod info;
mod joint_glyph;
mod kinematic_graph;
mod labels;
mod log_notes;
mod mechanism_picture;
mod notes;
mod page;
mod parameter_matrix;
mod payload;
mod plot;
mod reasons;
mod robot_notes;
mod scene;
mod setting_notes;
mod skeleton;
mod spelling;
mod stories;
mod svg;
mod symbolic;
mod view;
mod words;

pub use analysis::{
    AnalysisDocument, analysis_document, analysis_json, comparison_json, excitation_json, robot_json,
};
pub use analysis_page::{FurtherAnswers, analysis_html, analysis_html_with, framed};
pub use check::{check_json, check_page};
pub use comparison::{robot_comparison_html, robot_comparison_json, verdict};
pub use excitation::{
    MarginTable, MotionReport, ParameterLine, blame_sentences, margin_percent, margin_table, motion_headline,
    motion_html, motion_json, parameter_lines, weak_sentences,
};
pub use family::Family;
pub use fate::{Fate, Owner, fates, owners, parameters_with};
pub use formula::{Coefficient, Summand, SummandOwner, formula, sum_of, summands};
pub use identification::{
    Knowledge, LinkSummary, alarm_words, condition_words, file_notes, group, group_name, headline,
    identification_html, identification_json, link_summaries, parameter_table_csv, signals_json,
    verdict_and_alarms,
};
pub use info::{geometry_is_exact, info_json, info_notes};
pub use log_notes::{log_note, log_notes};
pub use notes::{analysis_note, analysis_notes, comparison_note, identification_note, mechanism_note};
pub use payload::{payload_line, payload_remarks};
pub use plot::{Plot, panels};
pub use reasons::{reason_sentence, weak_sentence};
pub use robot_notes::{InertiaFault, InertiaRemark, inertia_remarks, lump_note, robot_note};
pub use setting_notes::setting_note;
pub use stories::{Story, null_vectors, stories};
pub use symbolic::{
    BaseFormula, Derivation, FormulaTerm, Formulas, Sensitivity, SpecialOutcomes, SymbolicAnswer, Written,
    WrittenWeight, formulas_code, formulas_latex, modified_frames, no_such_variable, planar_axes,
    planar_note, plane_lies_along_frames, special_json, symbolic_json, symbolic_note,
};
pub use words::{certificate_sentence, count, number, percent, thousands, wrapped};
