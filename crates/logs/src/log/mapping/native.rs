//! Columns that a mapping does not mention but that already bear the names of a log.
//!
//! They are taken as they are, in SI units. Where the mapping converts the unit of a joint's other columns,
//! the unit of these is not known: they are left out with a note.

use super::columns::Scaling;
use super::reader::{Input, MappedReader, Plain};
use crate::note::ReadingNote;

/// How names of a log begin.
const FAMILIES: [&str; 4] = ["q_", "qd_", "qdd_", "tau_"];

/// The joint, and the number where it has several, that a column is about.
fn joint_of(name: &str) -> Option<&str> {
    FAMILIES.iter().find_map(|family| name.strip_prefix(family)).filter(|joint| !joint.is_empty())
}

impl MappedReader {
    /// Takes the columns that bear names of a log. Motors of reductions are named by rules alone.
    pub(super) fn take_native_columns(&mut self, inputs: &[Input]) {
        if !self.mapping.reductions.is_empty() {
            return;
        }
        for (input, file) in inputs.iter().enumerate() {
            let mut doubtful = Vec::new();
            for (place, name) in file.reader.names().iter().enumerate() {
                let mentioned =
                    |plain: &Plain| plain.name == *name || (plain.input == input && plain.place == place);
                let Some(joint) = joint_of(name).filter(|_| !self.plain.iter().any(mentioned)) else {
                    continue;
                };
                let is_converted =
                    |plain: &Plain| joint_of(&plain.name) == Some(joint) && plain.scaling != Scaling::NONE;
                match self.plain.iter().any(is_converted) {
                    true => doubtful.push(name.clone()),
                    false => self.plain.push(Plain {
                        name: name.clone(),
                        input,
                        place,
                        scaling: Scaling::NONE,
                        is_foreign_clock: false,
                    }),
                }
            }
            if !doubtful.is_empty() {
                let file = file.reader.file().to_owned();
                self.notes.push(ReadingNote::NotMapped { file, columns: doubtful }.into());
            }
        }
    }
}
