//! Notes in words: what a user should know about an answer.

use steiner_dynamics::MechanismNote;
use steiner_identifiability::{Analysis, AnalysisNote};
use steiner_identification::{ComparisonNote, IdentificationNote};
use steiner_logs::signals::significant;

use crate::identification::file_note;
use crate::log_notes::note_of_log;
use crate::setting_notes::setting_note;

/// The notes of an analysis, a sentence each.
pub fn analysis_notes(analysis: &Analysis) -> Vec<String> {
    analysis.notes.iter().map(analysis_note).collect()
}

/// A note of an analysis as a sentence.
pub fn analysis_note(note: &AnalysisNote) -> String {
    use AnalysisNote as N;
    match note {
        N::Mechanism(note) => mechanism_note(*note).to_owned(),
        N::Unweighed { links } => format!(
            "a force plate feels the weight of {} too, but only a root link with an inertia has parameters: take the massless root out of the file, or what they weigh goes to other bodies",
            links.join(", ")
        ),
        N::Missed { method, found, nullity } => format!(
            "{} found {found} of {nullity} unidentifiable directions and missed {}; the method auto finds them.",
            method.name(),
            nullity - found
        ),
        N::Exceeds { method, claimed, nullity } => format!(
            "{} claims {claimed} unidentifiable directions; {} of them do show, below a billionth.",
            method.name(),
            claimed - nullity
        ),
        N::Wrong { method, wrong, claimed, nullity } => format!(
            "{wrong} of the {claimed} directions {} claims are visible after all ({nullity} are not); the method auto tells which.",
            method.name()
        ),
        N::RoundingDisputed => {
            "rounding the geometry may have undone an alignment: doubles see another rank, and the robot is too large to decide in 31 digits".to_owned()
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
        MechanismNote::Immobile => "its loops and couplings leave no motion at all (mobility 0)",
    }
}

/// A note of an identification as a sentence.
pub fn identification_note(note: &IdentificationNote) -> String {
    use IdentificationNote as N;
    match note {
        N::Setting { note, spelling } => setting_note(note, *spelling),
        N::Log(note) => note_of_log(note),
        N::File(note) => file_note(note),
        N::Analysis(note) => analysis_note(note),
        N::NoEffect { label } => format!("{label} has no effect on what is measured."),
        N::Regrouped { label, into } => {
            format!("{label} cannot be told from {} and is regrouped there.", into.join(", "))
        }
        N::Replaced { link, mass } => format!(
            "{link}: the file gives no physically consistent inertia; a ball of {mass:.3} kg stands for it where the log says nothing."
        ),
        N::Standing { speed, training, validation } => {
            let shares = [(training, "samples for training"), (validation, "those held out")];
            let told: Vec<String> = shares
                .iter()
                .filter_map(|(share, which)| {
                    share.map(|(a, b)| format!("{} % of {which}", range(100.0 * a, 100.0 * b)))
                })
                .collect();
            format!(
                "forces count only while their joint moves, since dry friction at rest may be anything: slower than {} rad/s or m/s, {} are left out",
                range(speed.0, speed.1),
                told.join(" and ")
            )
        }
        N::FrictionNotFiltered { drives } => format!(
            "forces were filtered, but not the dry friction of {}, which is biased by that: tell the recording which friction the model has (joints that follow others through loops cannot be helped)",
            drives.join(", ")
        ),
        N::PartlyShown { shown, of } => {
            format!("the log shows {shown} of {of} base parameters; the others keep the file's values")
        }
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
        N::NoDrivesMeasured => "Nothing of what is measured feels the drives; none were fitted.".to_owned(),
    }
}

/// "0.02 to 0.1", or one number.
fn range(least: f64, most: f64) -> String {
    let [least, most] = [least, most].map(|x| significant(x, 2));
    if least == most { format!("{least}") } else { format!("{least} to {most}") }
}
