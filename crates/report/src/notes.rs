//! Notes in words: what a user should know about an answer.

use steiner_dynamics::MechanismNote;
use steiner_identifiability::{Analysis, AnalysisNote};
use steiner_identification::{ComparisonNote, CutoffTrials, IdentificationNote};
use steiner_logs::signals::significant;

use crate::identification::{file_note, term_words};
use crate::log_notes::note_of_log;
use crate::setting_notes::setting_note;
use crate::words::{listed, number, percent};

/// Joints that a note names.
const MOST_STILL: usize = 12;

/// The notes of an analysis, a sentence each.
pub fn analysis_notes(analysis: &Analysis) -> Vec<String> {
    analysis.notes.iter().map(analysis_note).collect()
}

/// A note of an analysis as a sentence.
pub fn analysis_note(note: &AnalysisNote) -> String {
    use AnalysisNote as N;
    match note {
        N::Mechanism(note) => mechanism_note(*note).to_owned(),
        N::Branch { at } => {
            let values: Vec<String> = at.iter().map(|(name, q)| format!("{name} = {q:.3}")).collect();
            format!(
                "the configuration of the file is singular, and branches of the motion may meet there: the answer is about the branch through {}; for another, start the file on it ([guess])",
                listed(&values, 6)
            )
        }
        N::Unweighed { links } => format!(
            "a force plate measures the weight of {} too, but only a root link with an inertia has parameters: remove the massless root from the file, or their weight is attributed to other bodies",
            links.join(", ")
        ),
        N::Missed { method, found, nullity } => format!(
            "{} found {found} of {nullity} null vectors and missed {}; the method auto finds them.",
            method.name(),
            nullity - found
        ),
        N::Exceeds { method, claimed, nullity } => format!(
            "{} claims {claimed} null vectors; {} of them do change the forces, by less than a billionth.",
            method.name(),
            claimed - nullity
        ),
        N::Wrong { method, wrong, claimed, nullity } => format!(
            "{wrong} of the {claimed} null vectors that {} claims do change the forces (the nullity is {nullity}); the method auto finds the right ones.",
            method.name()
        ),
        N::RoundingDisputed => {
            "rounding of the geometry may have broken an alignment: the rank in doubles differs, and the robot is too large to decide in 31 digits".to_owned()
        }
        N::NothingIdentifiable => "nothing can be identified from what is measured".to_owned(),
        N::NotEliminated { label, alone } => {
            let why = match alone {
                true => "it is identifiable by itself",
                false => "no other parameter can stand for its group",
            };
            format!("{label} cannot be eliminated: {why}.")
        }
        N::NotKept { label, no_effect } => {
            let why = match no_effect {
                true => "it has no effect on what is measured",
                false => "others of its group are kept",
            };
            format!("{label} cannot be kept: {why}.")
        }
    }
}

/// A note about the assembly of a mechanism as a sentence.
pub fn mechanism_note(note: MechanismNote) -> &'static str {
    match note {
        MechanismNote::SingularConfiguration => {
            "the configuration of the file is singular: the reference is an assembled one near it"
        }
        MechanismNote::Immobile => "loops and couplings allow no motion (mobility 0)",
    }
}

/// A note of an identification as a sentence.
pub fn identification_note(note: &IdentificationNote) -> String {
    use IdentificationNote as N;
    match note {
        N::Setting { note, spelling } => setting_note(note, *spelling),
        N::Log(note) => note_of_log(note),
        N::HeldOutRepeats { period } => format!(
            "the held-out samples repeat the motion of the training samples (period {} s): they test the noise, not another \
             motion; validate with a log of another motion",
            number(*period, 3)
        ),
        N::KnownLoad { log, link, mass, com: [x, y, z] } => format!(
            "{}: recorded with a known load of {} kg at ({}, {}, {}) m of {link}.",
            log.display(),
            number(*mass, 6),
            number(*x, 4),
            number(*y, 4),
            number(*z, 4)
        ),
        N::Weighed { log, .. } => format!(
            "{}: recorded with an unknown load, so nothing was identified from it; the identified robot weighs the load.",
            log.display()
        ),
        N::File(note) => file_note(note),
        N::Analysis(note) => analysis_note(note),
        N::NoEffect { label } => format!("{label} has no effect on what is measured."),
        N::Regrouped { label, into } => {
            format!("{label} cannot be separated from {} and is regrouped there.", into.join(", "))
        }
        N::Thickened { link } => format!(
            "{link}: the file gives the inertia of a point; that of a ball of its mass is used where the log determines nothing."
        ),
        N::Replaced { link, mass } => format!(
            "{link}: the file gives no physically consistent inertia; a ball of {mass:.3} kg is used where the log determines nothing."
        ),
        N::Standing { still, speed, training, validation } => {
            let shares = [(training, "samples for training"), (validation, "those held out")];
            let told: Vec<String> = shares
                .iter()
                .filter_map(|(share, which)| {
                    share.map(|(a, b)| format!("{} % of {which}", range(100.0 * a, 100.0 * b)))
                })
                .collect();
            let mut said = Vec::new();
            if !still.is_empty() {
                let [do_not, forces, do_not_count] = match still.len() {
                    1 => ["does not move", "its force", "does not count"],
                    _ => ["do not move", "their forces", "do not count"],
                };
                said.push(format!(
                    "{} {do_not} in these logs: {forces} {do_not_count}, since dry friction at rest is not determined",
                    listed(still, MOST_STILL)
                ));
            }
            if !told.is_empty() {
                said.push(format!(
                    "forces count only while their joint moves, since dry friction at rest is not determined: {1} are slower than {0} rad/s or m/s and left out",
                    range(speed.0, speed.1),
                    told.join(" and ")
                ));
            }
            said.join("; ")
        }
        N::Aligned { rows, alike } => {
            let one = |(row, seconds): &(String, f64)| {
                let when = if *seconds > 0.0 { "late" } else { "early" };
                format!("{row} {} ms {when}", number(1000.0 * seconds.abs(), 3))
            };
            let others = match alike.is_empty() {
                true => String::new(),
                false => {
                    format!("; {} as the others, for the log does not show their own lag", alike.join(", "))
                }
            };
            format!(
                "forces were shifted onto their motion before the estimate: {}{others}",
                rows.iter().map(one).collect::<Vec<_>>().join(", ")
            )
        }
        N::CutoffTried(trials) => cutoff_words(trials),
        N::FrictionChosen(trials) => {
            let terms: Vec<String> = trials.chosen.iter().map(|term| term_words(*term)).collect();
            let (joint, terms) = (&trials.joint, terms.join(" and "));
            let (error, simple) = (percent(trials.error), percent(trials.simple));
            match trials.error < trials.simple {
                true => format!(
                    "{joint} has {terms}: its error on blocks left out is {error} instead of {simple}"
                ),
                false => format!(
                    "{joint} is given {terms}, as other joints have it: its error on blocks left out is hardly \
                     changed ({error}; {simple} without)"
                ),
            }
        }
        N::FrictionNotFiltered { drives } => format!(
            "forces were filtered, but not the dry friction of {}, which biases it: give the recording the friction model (impossible for joints that depend on others through loops)",
            drives.join(", ")
        ),
        N::Simulated { windows, seconds, rate, steps, distance, deviations } => {
            let joint = |(joint, rms, before): &(String, f64, f64)| match before.is_finite() {
                true => format!("{joint} {} (least squares: {})", number(*rms, 2), number(*before, 2)),
                false => format!("{joint} {}", number(*rms, 2)),
            };
            let joints: Vec<String> = deviations.iter().map(joint).collect();
            format!(
                "motion was simulated in {windows} windows of {} s at {} steps per second; after {steps} steps the estimate is within {} σ of the optimum; simulated minus recorded positions (RMS, rad or m): {}",
                number(*seconds, 2),
                number(*rate, 3),
                number(*distance, 1),
                joints.join(", ")
            )
        }
        N::PartlyShown { shown, of } => {
            format!(
                "{shown} of {of} base parameters are identifiable from this log; the others keep the file's values"
            )
        }
    }
}

/// "the cut-off predicts the unfiltered forces of blocks left out best: error 26.6 % …".
fn cutoff_words(trials: &CutoffTrials) -> String {
    let hertz = |scale: f64| {
        let most = trials.suggested.iter().copied().fold(0.0, f64::max);
        let least = trials.suggested.iter().copied().fold(f64::INFINITY, f64::min);
        match most > least {
            true => format!("{} to {} Hz", number(scale * least, 3), number(scale * most, 3)),
            false => format!("{} Hz", number(scale * most, 3)),
        }
    };
    let of = |list: &[(f64, f64)], scale: f64| {
        let found = list.iter().find(|(own, _)| *own == scale);
        found.map_or_else(|| "unknown".to_owned(), |(_, error)| percent(*error))
    };
    let predicts = format!(
        "cut-off chosen by blocks left out: unfiltered forces are predicted with an error of {} from motion filtered at {}",
        of(&trials.errors, trials.predicts),
        hertz(trials.predicts)
    );
    let predicts = match trials.predicts == 1.0 {
        true => format!("{predicts}, as the spectra suggest"),
        false => {
            let suggested = of(&trials.errors, 1.0);
            format!("{predicts}, and of {suggested} at {}, which the spectra suggest", hertz(1.0))
        }
    };
    let known = |scale: f64| trials.deviations.iter().find(|(own, _)| *own == scale).map(|(_, sd)| *sd);
    match (known(trials.chosen), known(trials.predicts)) {
        _ if trials.chosen == trials.predicts => predicts,
        (Some(least), Some(more)) if least > 0.99 * more => {
            let wider = match least > more {
                true => format!("σ larger by {}", percent(least / more - 1.0)),
                false => "σ no larger".to_owned(),
            };
            format!("{predicts}; parameters are known as well from below {} ({wider})", hertz(trials.chosen))
        }
        (Some(least), Some(more)) => format!(
            "{predicts}; parameters are known better from below {}, with {} of the expected error (noise of forces \
             and motion)",
            hertz(trials.chosen),
            percent(least / more)
        ),
        _ => format!(
            "{predicts}; parameters from below {} predict the forces of all bands with an error of {}, those from \
             below {} of {}: noise in the motion shrinks the latter",
            hertz(trials.chosen),
            of(&trials.bands, trials.chosen),
            hertz(trials.predicts),
            of(&trials.bands, trials.predicts)
        ),
    }
}

/// A note of a comparison of two robots as a sentence.
pub fn comparison_note(note: &ComparisonNote) -> String {
    use ComparisonNote as N;
    match note {
        N::Setting { note, spelling } => setting_note(note, *spelling),
        N::Log(note) => note_of_log(note),
        N::OnlyOneHas { robot, rows } => {
            format!("Only {robot} has {}; they are not compared.", rows.join(", "))
        }
        N::NoDrivesMeasured => "No measured force depends on the drives; none were fitted.".to_owned(),
    }
}

/// "0.02 to 0.1", or one number.
fn range(least: f64, most: f64) -> String {
    let [least, most] = [least, most].map(|x| significant(x, 2));
    if least == most { format!("{least}") } else { format!("{least} to {most}") }
}
