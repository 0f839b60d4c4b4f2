//! How good the model is, in a few sentences: what the page begins with and the terminal says.

use steiner_identification::{Identification, IdentificationNote, Residuals};
use steiner_logs::{LogNote, ProcessingNote};

use super::knowledge::group_name;
use crate::payload::identified_payloads;
use crate::words::{count, listed, number, percent, thousands};

/// Names spelt out in one sentence.
const MOST_NAMES: usize = 6;
/// Parameters known to better than this, in %, are called well known.
const WELL_KNOWN: f64 = 10.0;
/// Relative residuals below this are no sensor's: logs computed in doubles leave them.
const ROUNDING: f64 = 1e-9;

/// How good, on what, compared with the file's own inertias; what the log excited; which bodies are
/// physically consistent. A sentence each.
pub fn headline(identification: &Identification) -> Vec<String> {
    let mut out = identified_payloads(identification);
    out.push(how_good(identification));
    out.extend(band(identification));
    out.extend(against_the_file(identification));
    out.push(how_sure(identification));
    out.extend(consistency(identification));
    out
}

/// The residuals that count: those on held-out samples, or on the training samples if none are held out.
pub(crate) fn evaluated(identification: &Identification) -> &Residuals {
    identification.validation.as_ref().unwrap_or(&identification.training)
}

fn how_good(identification: &Identification) -> String {
    let training = &identification.training.model;
    let learnt = format!("{} samples it was identified from", thousands(training.samples));
    match &identification.validation {
        Some(validation) => format!(
            "Prediction error on {1} held-out samples: {0} (relative RMS); {2} on the {learnt}.",
            percent(validation.model.total),
            thousands(validation.model.samples),
            percent(training.total),
        ),
        None => format!(
            "Relative RMS error {} on the {learnt}; no samples were held out, so the prediction error is unknown.",
            percent(training.total),
        ),
    }
}

/// The frequencies and samples that the errors are about: "… filtered at 2 Hz, and one sample of 60 is used".
fn band(identification: &Identification) -> Option<String> {
    let notes = identification.notes.iter().filter_map(|note| match note {
        IdentificationNote::Log(note) => match &note.note {
            LogNote::Processing(note) => Some(note),
            _ => None,
        },
        _ => None,
    });
    let (mut cutoffs, mut factors, mut forces_too) = (Vec::new(), Vec::new(), true);
    for note in notes {
        match note {
            ProcessingNote::Filtered { forces, cutoff, .. } => {
                cutoffs.push(*cutoff);
                forces_too &= forces;
            }
            ProcessingNote::Thinned { factor, .. } => factors.push(*factor as f64),
            _ => {}
        }
    }
    let cutoff = range(&cutoffs)?;
    let what = if forces_too { "Motion and forces are" } else { "The motion, not the forces, is" };
    let kept =
        range(&factors).map_or_else(String::new, |factor| format!(", and one sample of {factor} is used"));
    let so = if forces_too { format!(": errors are those below {cutoff} Hz") } else { String::new() };
    Some(format!("{what} low-pass filtered at {cutoff} Hz{kept}{so}."))
}

/// "2", or "2 to 3" of several logs.
fn range(values: &[f64]) -> Option<String> {
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    let [least, most] = [least, most].map(|x| number(x, 3));
    Some(if least == most { least } else { format!("{least} to {most}") })
}

fn against_the_file(identification: &Identification) -> Option<String> {
    // In currents, the file has no opinion.
    if !identification.settings.unknown_gains.is_empty() {
        return None;
    }
    let residuals = evaluated(identification);
    let (model, file) = (residuals.model.total, residuals.prior.total);
    if !(model.is_finite() && file.is_finite() && model > 0.0) {
        return None;
    }
    let ratio = file / model;
    let verdict = match ratio {
        r if r >= 9.5 => {
            format!("about {} times as much", if r < 1e6 { format!("{r:.0}") } else { number(r, 2) })
        }
        r if r >= 1.05 => format!("{r:.1} times as much"),
        r if r > 0.95 => "about the same".to_owned(),
        // Held-out samples of a short log differ by that much.
        r if r > 0.8 => "as good: this log cannot improve on the file".to_owned(),
        _ => "less: look at the notes, and at whether the log fits the file's joints".to_owned(),
    };
    let drives = if identification.settings.drives { "inertias and drives" } else { "inertias" };
    Some(format!(
        "With the file's own {drives} the error on the same samples is {}, {verdict}.",
        percent(file)
    ))
}

fn how_sure(identification: &Identification) -> String {
    let parameters = &identification.parameters;
    let well = parameters.iter().filter(|p| p.relative_sigma < WELL_KNOWN).count();
    let weak: Vec<String> =
        identification.excitation.weak.iter().map(|weak| group_name(&parameters[weak.parameter])).collect();
    let known = format!(
        "Of {}, {well} {} known to better than {WELL_KNOWN} %",
        count(parameters.len(), "base parameter"),
        if well == 1 { "is" } else { "are" },
    );
    match weak.len() {
        0 => format!("{known}; none is poorly excited."),
        1 => format!("{known}; 1 is poorly excited ({}).", weak[0]),
        n => format!("{known}; {n} are poorly excited ({}).", listed(&weak, MOST_NAMES)),
    }
}

fn consistency(identification: &Identification) -> Option<String> {
    let impossible: Vec<&steiner_identification::LinkConsistency> =
        identification.consistency.iter().filter(|link| !link.is_consistent()).collect();
    let bodies = identification.consistency.len();
    if let Some(first) = impossible.first() {
        let reason = first.problem.as_deref().unwrap_or("");
        return Some(format!(
            "{} of {bodies} bodies {} not physically consistent; {}: {reason}.",
            impossible.len(),
            if impossible.len() == 1 { "is" } else { "are" },
            first.link
        ));
    }
    let residuals = evaluated(identification);
    let (model, free) = (residuals.model.total, residuals.least_squares.total);
    let who = if bodies == 1 { "The inertia of the body is" } else { "All inertias are" };
    let cost = match model / free {
        _ if identification.settings.consistent.is_none() => String::new(),
        // A share of rounding says nothing.
        ratio if free < ROUNDING && ratio.is_finite() => {
            format!(
                "; without this constraint the error would be rounding only, instead of {}",
                percent(model)
            )
        }
        ratio if !ratio.is_finite() => String::new(),
        _ if percent(model) == percent(free) => "; this constraint leaves the error unchanged".to_owned(),
        _ => format!("; without this constraint the error would be {}", percent(free)),
    };
    Some(format!("{who} physically consistent{cost}."))
}
