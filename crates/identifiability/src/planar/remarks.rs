//! What the user should know about an answer.

use super::base_parameters::{PlanarBaseParameters, TransferCheck};
use super::linkage::Linkage;
use super::note::PlanarNote;
use super::opening::Opening;
use super::selection;

/// Conditions and wishes that did not hold, weights that were not recognised, checks that did not agree.
pub(crate) fn remarks(
    found: &PlanarBaseParameters,
    linkage: &Linkage,
    opening: &Opening,
    eliminate: &[usize],
    keep: &[usize],
) -> Vec<PlanarNote> {
    let mut notes = Vec::new();
    let label = |column: usize| found.labels[column].clone();
    let is_dependent = |column: &usize| found.dependent.contains(column);
    for mass in selection::required_masses(linkage, opening).into_iter().filter(|m| !is_dependent(m)) {
        notes.push(PlanarNote::MassStays { label: label(mass) });
    }
    for &column in eliminate.iter().filter(|column| !is_dependent(column)) {
        notes.push(PlanarNote::NotEliminated { label: label(column) });
    }
    for &column in keep.iter().filter(|column| is_dependent(column)) {
        notes.push(PlanarNote::NotKept { label: label(column) });
    }
    let open = found.unrecognised();
    if !open.is_empty() {
        let weights = open.iter().map(|&(b, d)| [label(found.dependent[d]), label(found.base[b])]);
        notes.push(PlanarNote::NotRecognised { weights: weights.collect() });
    }
    match &found.transfers {
        TransferCheck::Agree { .. } => {}
        TransferCheck::AgreeInPart { left_out, .. } => {
            notes.push(PlanarNote::TransfersNotCompared { weights: *left_out });
        }
        TransferCheck::Differ { entries } => {
            notes.push(PlanarNote::TransfersDiffer { weights: entries.len() });
        }
        TransferCheck::Incomplete { independent } => notes.push(PlanarNote::TransfersIncomplete {
            explained: *independent,
            invisible: found.dependent.len(),
        }),
    }
    notes
}
