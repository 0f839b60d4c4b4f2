//! The verdict, in sentences.

use steiner_identification::{Outcome, RobotComparison};

use crate::words::{percent, thousands};

/// Which model predicts the measured torques better: as written, with drives fitted to each, and on how
/// many joints. A sentence each.
pub fn verdict(comparison: &RobotComparison) -> Vec<String> {
    let names = &comparison.names;
    let which = match comparison.held_out {
        true => format!("on {} held-out samples", thousands(comparison.samples)),
        false => format!("on {} samples", thousands(comparison.samples)),
    };
    let mut out = vec![sentence(&comparison.as_written, names, &format!("As written, {which}:"))];
    let Some(fitted) = &comparison.drives_fitted else { return out };
    out.push(sentence(fitted, names, "Inertias alone, with drives fitted to each:"));
    let joints = |outcome: &Outcome, k: usize| outcome.rows.iter().filter(|row| row[k] < row[1 - k]).count();
    let all = comparison.rows.len();
    out.push(match fitted.nearer {
        Some(k) => format!(
            "With fitted drives {} predicts {} of {all} measured rows better.",
            names[k],
            joints(fitted, k)
        ),
        None => format!(
            "With fitted drives {} predicts {} of {all} measured rows better, {} {}.",
            names[0],
            joints(fitted, 0),
            names[1],
            joints(fitted, 1)
        ),
    });
    if let (Some(written), Some(best)) = (comparison.as_written.nearer, fitted.nearer)
        && written != best
    {
        out.push(format!(
            "The two answers differ: the first depends on the friction that {} has or lacks, the second on its links alone.",
            names[best]
        ));
    }
    out
}

fn sentence(outcome: &Outcome, names: &[String; 2], start: &str) -> String {
    let [a, b] = outcome.total;
    let stretches = outcome.won[0] + outcome.won[1];
    match outcome.nearer {
        // A difference that is sure and too small to matter.
        Some(_) if percent(a) == percent(b) => {
            format!("{start} the two predict alike; relative residual {}.", percent(a))
        }
        Some(k) => format!(
            "{start} {0} predicts better: relative residual {1}, {2} has {3} ({4} of {stretches} stretches of the log agree).",
            names[k],
            percent(outcome.total[k]),
            names[1 - k],
            percent(outcome.total[1 - k]),
            outcome.won[k],
        ),
        None if outcome.certainty == 0.0 => {
            format!("{start} the two predict the same; relative residual {}.", percent(a))
        }
        None => format!(
            "{start} this log cannot decide: relative residuals {1} ({0}) and {3} ({2}); {4} of {stretches} stretches of the log are for the first.",
            names[0],
            percent(a),
            names[1],
            percent(b),
            outcome.won[0],
        ),
    }
}
