//! The program of a consistent estimate as JSON, for other solvers.

use serde_json::{Value, json};
use steiner_identification::ConsistentProgram;

/// All its numbers, named as the fields are.
pub(crate) fn program_json(program: &ConsistentProgram) -> Value {
    let rows =
        |rows: &[(Vec<f64>, f64)]| rows.iter().map(|(row, value)| json!([row, value])).collect::<Vec<_>>();
    let data: Vec<&[f64]> = (0..program.data.rows()).map(|r| program.data.row(r)).collect();
    json!({
        "data": data, "rhs": program.rhs, "blocks": program.blocks, "prior": program.prior,
        "weight": program.weight, "weights": program.weights, "entropic": program.entropic,
        "positive": program.positive, "inequalities": rows(&program.inequalities),
        "equalities": rows(&program.equalities),
    })
}
