//! How good the model is, in a few sentences: what the page begins with and the terminal says.

use steiner_identification::{Identification, Residuals};

use crate::words::{count, listed, number, percent, thousands};

/// Names spelt out in one sentence.
const MOST_NAMES: usize = 6;
/// Parameters known to better than this, in %, are called well known.
const WELL_KNOWN: f64 = 10.0;
/// Relative residuals below this are no sensor's: logs computed in doubles leave them.
const ROUNDING: f64 = 1e-9;

/// How good, on what, compared with the file's own inertias; what the log excited; which bodies are physically consistent. A sentence each.
pub fn headline(identification: &Identification) -> Vec<String> {
    let mut out = vec![how_good(identification)];
    out.extend(against_the_file(identification));
    out.push(how_sure(identification));
    out.extend(consistency(identification));
    out
}

/// The residuals a model is judged by: those on held-out samples, if there are any.
pub(crate) fn judged(identification: &Identification) -> &Residuals {
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

fn against_the_file(identification: &Identification) -> Option<String> {
    // In currents, the file has no opinion.
    if !identification.settings.unknown_gains.is_empty() {
        return None;
    }
    let residuals = judged(identification);
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
    let weak: Vec<String> = identification.weakly_excited().into_iter().map(str::to_owned).collect();
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
    let residuals = judged(identification);
    let (model, free) = (residuals.model.total, residuals.least_squares.total);
    let who = if bodies == 1 { "The inertia of the body is" } else { "All inertias are" };
    let cost = match model / free {
        _ if identification.settings.consistent.is_none() => String::new(),
        // A share of rounding says nothing.
        ratio if free < ROUNDING && ratio.is_finite() => {
            format!("; the error is {}, where that of least squares is rounding only", percent(model))
        }
        ratio if !ratio.is_finite() => String::new(),
        ratio if (ratio - 1.0).abs() < 5e-4 => "; the error is unchanged".to_owned(),
        ratio if ratio < 1.0 => {
            format!("; the error is {} smaller than without that constraint", percent(1.0 - ratio))
        }
        ratio if ratio >= 10.0 => format!("; the error is {} times that of least squares", number(ratio, 3)),
        ratio => format!("; that adds {} to the error", percent(ratio - 1.0)),
    };
    Some(format!("{who} physically consistent{cost}."))
}
