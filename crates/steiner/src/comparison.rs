//! Which of two robots predicts the measured forces of logs better.

use steiner_dynamics::Mechanism;
use steiner_identification::{
    ComparisonNote, Contestant, IdentificationError, RobotComparison, Settings, compare_robots,
};

use crate::recorded::{Logs, Watch};

/// Compares two robots, each with what to call it, by the same logs; `watch` is asked for once per robot. Of
/// the settings, the shape of friction counts. The notes begin with those of the logs.
pub fn compare_logs<'a>(
    first: (&str, &'a Mechanism),
    second: (&str, &'a Mechanism),
    logs: &Logs,
    settings: &Settings,
    watch: &dyn Fn() -> Watch<'a>,
) -> Result<RobotComparison, IdentificationError> {
    let mut one = logs.open(first.1, settings.friction(), watch())?;
    let mut other = logs.open(second.1, settings.friction(), watch())?;
    let settings = Settings { measure: logs.measured(&mut one)?, ..settings.clone() };
    let mut comparison = compare_robots(
        Contestant { name: first.0.to_owned(), mechanism: first.1, source: &mut one },
        Contestant { name: second.0.to_owned(), mechanism: second.1, source: &mut other },
        &settings,
    )?;
    let mut notes: Vec<ComparisonNote> = Vec::new();
    for note in one.notes().iter().chain(other.notes()).cloned().map(ComparisonNote::Log) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    comparison.notes.splice(0..0, notes);
    Ok(comparison)
}
