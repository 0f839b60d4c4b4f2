//! What became of the signals of each log, as programs read it.

use serde_json::{Value, json};
use steiner_identification::ReadLog;
use steiner_logs::Role;

/// One entry per log: file, role, samples, and what the settings of the signals became (Hz, samples).
pub fn signals_json(logs: &[ReadLog]) -> Value {
    let one = |log: &ReadLog| {
        json!({
            "file": log.path.display().to_string(),
            "role": if log.role == Role::Training { "training" } else { "validation" },
            "samples": log.samples,
            "rate": log.settled.rate,
            "cutoff": log.settled.cutoff,
            "resampled": log.settled.resampled,
            "trimmed": log.settled.trim,
            "thinned_by": log.settled.factor(),
            "derived_velocities": log.settled.derived_velocities,
            "derived_accelerations": log.settled.derived_accelerations,
        })
    };
    logs.iter().map(one).collect()
}
