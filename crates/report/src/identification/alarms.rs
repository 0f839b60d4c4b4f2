//! Doubts about an identification in words: what was seen, and what to do.

use serde_json::{Value, json};
use steiner_identification::{Alarm, Identification, IdentificationNote, RepeatedLog, ZeroError};

use super::link_summary::mass_sigma;
use crate::log_notes::{note_of_log, rates};
use crate::words::{listed, measured_value, number, percent};

/// If more than one of so many base parameters are poorly excited, the verdict says so.
const MANY: usize = 2;

/// The verdict and the alarms, a sentence each; the verdict alone if there are none.
pub fn verdict_and_alarms(identification: &Identification) -> Vec<String> {
    std::iter::once(verdict(identification)).chain(identification.alarms.iter().map(alarm_words)).collect()
}

/// Whether to use the model, in one line.
pub(crate) fn verdict(identification: &Identification) -> String {
    let alarms = &identification.alarms;
    let first = match alarms.len() {
        0 => "Verdict: nothing looks wrong.".to_owned(),
        1 => "Verdict: do not use this model before the alarm is understood.".to_owned(),
        n => format!("Verdict: do not use this model before these {n} alarms are understood."),
    };
    let first = match alarms.iter().all(Alarm::is_mild) && !alarms.is_empty() {
        true => "Verdict: usable with care; see the alarms.".to_owned(),
        false => first,
    };
    let (all, weak) = (identification.parameters.len(), identification.excitation.weak.len());
    let first = match alarms.is_empty() && MANY * weak > all {
        true => {
            format!("Verdict: nothing looks wrong, but {weak} of {all} base parameters are poorly excited.")
        }
        false => first,
    };
    match invented_masses(identification)[..] {
        [] => first,
        [ref one] => {
            format!("{first} The mass of {one} is invented: neither the file nor this log gives it.")
        }
        ref several => format!(
            "{first} The masses of {} are invented: neither the file nor this log gives them.",
            listed(several, 6)
        ),
    }
}

/// Links whose inertia the file does not give and whose mass the log does not determine.
fn invented_masses(identification: &Identification) -> Vec<String> {
    let replaced = |link: &str| {
        let is_it = |note: &IdentificationNote| matches!(note, IdentificationNote::Replaced { link: other, .. } if other == link);
        identification.notes.iter().any(is_it)
    };
    let bodies = identification.consistency.iter().enumerate();
    let invented = bodies.filter(|(body, link)| {
        replaced(&link.link)
            && mass_sigma(identification, *body).is_none_or(|sigma| sigma > 0.5 * link.inertia.mass)
    });
    invented.map(|(_, link)| link.link.clone()).collect()
}

/// A short name of an alarm's kind, for programs.
fn alarm_kind(alarm: &Alarm) -> &'static str {
    match alarm {
        Alarm::Rates { .. } => "rates",
        Alarm::PositionUnit { .. } => "position_unit",
        Alarm::Signal { .. } => "signal",
        Alarm::Repeated(_) => "repeated_log",
        Alarm::Scale { .. } | Alarm::CommonScale { .. } => "scale",
        Alarm::Exchanged { .. } => "exchanged",
        Alarm::PositionSign { .. } => "position_sign",
        Alarm::LargeResidual { .. } => "large_residual",
        Alarm::HeldOut { .. } => "held_out",
        Alarm::Lag { .. } => "lag",
        Alarm::NoisyMotion { .. } => "noisy_motion",
        Alarm::Zeros { .. } => "zero",
        Alarm::Mass { .. } => "mass",
        Alarm::TotalMass { .. } => "total_mass",
        Alarm::Gain { .. } => "gain",
        Alarm::AtBound { .. } => "at_bound",
        Alarm::CostlyConsistency { .. } => "costly_consistency",
    }
}

/// Alarms for programs: kind and text of each.
pub(crate) fn alarms_json(alarms: &[Alarm]) -> Value {
    alarms.iter().map(|alarm| json!({ "kind": alarm_kind(alarm), "text": alarm_words(alarm) })).collect()
}

/// What is seen of a force that should be multiplied by a factor, and what to check.
fn scale_words(factor: f64) -> (String, &'static str) {
    if factor == -1.0 {
        let check = "Check the column, the sign of the joint's positions, or the direction of its axis.";
        return ("the sign of the recorded force looks flipped".to_owned(), check);
    }
    let seen = format!(
        "the recorded force looks {} times too {}{}",
        number(factor.abs().max(1.0 / factor.abs()), 3),
        if factor.abs() > 1.0 { "small" } else { "large" },
        if factor < 0.0 { ", and its sign flipped" } else { "" },
    );
    (seen, "Check its unit (N·m, N·mm, A).")
}

/// Forces that may be wrong instead, with their factors.
fn as_well(or: &[(String, f64)]) -> String {
    let one = |(row, factor): &(String, f64)| format!("{row} ({})", scale_words(*factor).0);
    match or.iter().map(one).collect::<Vec<_>>() {
        all if all.is_empty() => String::new(),
        all => format!(" It may as well be {}: this log does not tell which.", all.join(" or ")),
    }
}

/// One alarm as a sentence.
pub fn alarm_words(alarm: &Alarm) -> String {
    match alarm {
        Alarm::Rates { file, disagreement } => {
            let file = file.as_ref().map_or_else(String::new, |file| format!("{}: ", file.display()));
            format!("{file}{}.", rates(disagreement))
        }
        Alarm::PositionUnit { notes } => match &notes[..] {
            [one] => format!("{}.", note_of_log(one)),
            [first, ..] => format!(
                "{} positions look like another unit, as this one: {}. What follows from it is left out here.",
                notes.len(),
                note_of_log(first)
            ),
            [] => String::new(),
        },
        Alarm::Signal { note } => format!("{}.", note_of_log(note)),
        Alarm::Exchanged { rows: [a, b], residuals, exchanged } => format!(
            "{a} and {b}: the recorded forces look exchanged: by the file, residuals {} and {} as they are, {} and \
             {} when they are exchanged. Check the columns.",
            percent(residuals[0]),
            percent(residuals[1]),
            percent(exchanged[0]),
            percent(exchanged[1])
        ),
        Alarm::PositionSign { joints, residual, mended, or } => {
            let columns: Vec<String> = joints.iter().map(|joint| format!("q_{joint}")).collect();
            let (sign, they) = match joints.len() {
                1 => ("the sign of the recorded positions looks flipped", "it is"),
                _ => ("the signs of the recorded positions look flipped", "they are"),
            };
            format!(
                "{}: {sign}, with that of their rates: of the force that is explained worst the residual is {} as it \
                 is, {} when {they} corrected. Check the columns, or the direction of the joint's axis; a mapping file \
                 can give `sign = -1`.{}",
                listed(&columns, 12),
                percent(*residual),
                percent(*mended),
                as_well(or)
            )
        }
        Alarm::Repeated(RepeatedLog { log, of, validates: true, share }) => format!(
            "{}: {} of its samples are those of {}, which is trained on, so it validates nothing. Validate with \
             another recording.",
            log.display(),
            percent(*share),
            of.display()
        ),
        Alarm::Repeated(RepeatedLog { log, of, share, .. }) => format!(
            "{}: {} of its samples are those of {}: they count twice, and σ is too small. Give every recording \
             once.",
            log.display(),
            percent(*share),
            of.display()
        ),
        Alarm::Scale { row, factor, residual, scaled, or } => {
            let (seen, check) = scale_words(*factor);
            format!(
                "{row}: {seen}: residual {} as it is, {} when it is corrected. {check}{}",
                percent(*residual),
                percent(*scaled),
                as_well(or)
            )
        }
        Alarm::CommonScale { factor, residual, scaled } => {
            let (seen, check) = match *factor == -1.0 {
                true => (
                    "the signs of all recorded forces look flipped".to_owned(),
                    "Check the direction of the sensors or drives, or the signs of all positions.",
                ),
                false => (
                    scale_words(*factor).0.replace("the recorded force looks", "all recorded forces look"),
                    "Check their unit (N·m, N·mm, A); if it is right, the file's inertias are that far off.",
                ),
            };
            format!(
                "Beside what the file predicts, {seen}: it differs from them by {} as they are, by {} when they are \
                 corrected. {check}",
                percent(*residual),
                percent(*scaled)
            )
        }
        Alarm::LargeResidual { row, residual } => format!(
            "{row}: the residual is {} of the force. Check its column, its unit, and whether friction or a \
             load is missing from the model.",
            percent(*residual)
        ),
        Alarm::HeldOut { training, held_out } => format!(
            "Held-out samples are predicted with an error of {}, those it was identified from with {}. Check whether \
             the former have spikes, another load, or motions that the latter lack.",
            percent(*held_out),
            percent(*training)
        ),
        Alarm::Lag { rows } => {
            let one = |(row, seconds): &(String, f64)| {
                let when = if *seconds > 0.0 { "later" } else { "earlier" };
                format!("{row} {} ms {when}", number(1000.0 * seconds.abs(), 2))
            };
            format!(
                "Recorded forces lag or lead the motion by at least: {} (the fit hides a part). Check the time \
                 stamps and filters of both, and whether friction is missing from the model; aligning (`--align`, `align` in Python) \
                 measures and removes such lags.",
                listed(&rows.iter().map(one).collect::<Vec<_>>(), 12)
            )
        }
        Alarm::Zeros { errors, moved } => {
            let one = |error: &ZeroError| {
                let value = measured_value(error.offset, error.sigma);
                format!("q_{} {value} ± {}", error.joint, number(error.sigma, 2))
            };
            let any = |error: &ZeroError| {
                let ways: Vec<String> = std::iter::once(error).chain(&error.or).map(one).collect();
                match ways.len() {
                    1 => ways[0].clone(),
                    _ => format!("({})", ways.join(" or ")),
                }
            };
            format!(
                "Forces fit better if positions are larger by (rad or m): {}. Parameters change by up to {} σ then. Check \
                 the zeros of the encoders against the file, and the direction of gravity; a mapping file adds an `offset`.",
                listed(&errors.iter().map(any).collect::<Vec<_>>(), 4),
                number(*moved, 2)
            )
        }
        Alarm::NoisyMotion { parameters } => {
            let one = |(name, own, other): &(String, f64, f64)| {
                format!("{name} {} instead of {}", number(*other, 3), number(*own, 3))
            };
            format!(
                "Noise in the motion, or friction that the model lacks, biases least squares; with instruments: {}. The estimator iv avoids that: it \
                 predicts noisy forces less well, but the parameters are nearer to the robot's.",
                listed(&parameters.iter().map(one).collect::<Vec<_>>(), 4)
            )
        }
        Alarm::Mass { link, file, found } => format!(
            "{link}: {} kg, where the file says {} kg. Check columns, units and link lengths first. If they \
             are right and the link was not changed, give its mass or the total mass: the log does not separate it well.",
            number(*found, 4),
            number(*file, 4)
        ),
        Alarm::TotalMass { file, found, sigma: Some(sigma) } => format!(
            "All links together weigh {} ± {} kg by this log, where the file says {} kg. If the file is right, \
             check the unit of the forces, and gravity.",
            measured_value(*found, *sigma),
            number(*sigma, 2),
            number(*file, 4)
        ),
        Alarm::TotalMass { file, found, sigma: None } => format!(
            "All links of the model together weigh {} kg, where the file says {} kg. This log does not determine \
             their sum: give the total mass.",
            number(*found, 4),
            number(*file, 4)
        ),
        Alarm::Gain { label, relative_sigma } => match relative_sigma.is_finite() {
            true if *relative_sigma > 1.0 => format!(
                "{label} is not determined: its σ is larger than its value. First try the other sign of this force \
                 (`sign = -1` in the mapping file). If that does not help, give the gain, or add a log with a known \
                 payload."
            ),
            true => format!(
                "{label} is known to {} only: this log cannot tell the gain. Give it, or add a log with a \
                 known payload.",
                percent(*relative_sigma)
            ),
            false => {
                format!("{label} has no effect on this log: give it, or add a log with a known payload.")
            }
        },
        Alarm::AtBound { labels } => format!(
            "At the bound 0, where least squares are clearly negative (beyond 3.5 σ): {}. \
             Something the model lacks (friction, delay, filter) is taken for it.",
            listed(labels, 12)
        ),
        Alarm::CostlyConsistency { model, least_squares } => format!(
            "The physically consistent model has a residual of {}, least squares {}. The difference is \
             more than noise: check signs, units and the kinematics.",
            percent(*model),
            percent(*least_squares)
        ),
    }
}
