//! The document of a comparison, as programs read it.

use serde_json::{Map, Value, json};

use steiner_identification::{Outcome, RobotComparison};

use super::verdict;
use crate::identification::json::finite;
use crate::notes::comparison_note;

/// The whole answer: relative residuals of both robots in the order they were given, and which predicts
/// better (null where the log cannot decide).
pub fn robot_comparison_json(comparison: &RobotComparison) -> Value {
    let pair = |values: &[f64; 2]| json!(values.map(finite));
    let outcome = |outcome: &Outcome| {
        let joints: Map<String, Value> =
            comparison.rows.iter().zip(&outcome.rows).map(|(name, row)| (name.clone(), pair(row))).collect();
        json!({
            "total": pair(&outcome.total),
            "joints": joints,
            "nearer": outcome.nearer.map(|k| &comparison.names[k]),
            "stretches_won": outcome.won,
            "certainty": finite(outcome.certainty),
        })
    };
    let drives = |k: usize| -> Map<String, Value> {
        comparison.drives[k].iter().map(|(label, x)| (label.clone(), finite(*x))).collect()
    };
    json!({
        "robots": comparison.names,
        "samples": comparison.samples,
        "held_out": comparison.held_out,
        "as_written": outcome(&comparison.as_written),
        "drives_fitted": comparison.drives_fitted.as_ref().map(outcome),
        "drives": [drives(0), drives(1)],
        "verdict": verdict(comparison),
        "notes": comparison.notes.iter().map(comparison_note).collect::<Vec<_>>(),
    })
}
