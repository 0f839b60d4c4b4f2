//! What the reader of a written robot file should know, in words.

use steiner_identification::FileNote;

use crate::robot_notes::lump_note;
use crate::words::{listed, number, percent};

/// Names spelt out in one sentence.
const MOST_NAMES: usize = 8;

/// A sentence for each note.
pub fn file_notes(notes: &[FileNote]) -> Vec<String> {
    notes.iter().map(file_note).collect()
}

/// A note as a sentence.
pub(crate) fn file_note(note: &FileNote) -> String {
    let valued = |drives: &[(String, f64)]| {
        let words: Vec<String> =
            drives.iter().map(|(joint, x)| format!("{joint} {}", number(*x, 4))).collect();
        listed(&words, MOST_NAMES)
    };
    match note {
        FileNote::Shared(note) => lump_note(note),
        FileNote::NoPlace(labels) => {
            let labels = listed(labels, MOST_NAMES);
            format!("No robot file has a place for {labels}; the parameter table has them.")
        }
        FileNote::FurtherFriction(labels) => format!(
            "A URDF has no place for {}: it has the viscous and Coulomb friction that fit best without them. A .toml \
             file has them all.",
            listed(labels, MOST_NAMES)
        ),
        FileNote::DriveInertias(drives) => format!(
            "A URDF has no place for drive inertias (kg·m² or kg): {}; add them times the joint's acceleration wherever the file's forces are computed.",
            valued(drives)
        ),
        FileNote::Offsets(drives) => {
            format!("A URDF has no place for constant forces of drives (N·m or N): {}.", valued(drives))
        }
        FileNote::Loses { model, file, worst: (row, relative) } => format!(
            "The URDF as written predicts with an error of {} ({row} {}), the identified model with {}: a URDF has no \
             place for rotor inertias, constant forces and further friction. A .toml file keeps them.",
            percent(*file),
            percent(*relative),
            percent(*model)
        ),
        FileNote::WrittenAnew(error) => format!(
            "The file could not be patched in place and was written anew, without its comments ({error})."
        ),
    }
}
