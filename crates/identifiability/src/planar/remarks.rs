//! What the user should know about an answer.

use super::base_parameters::{PlanarBaseParameters, TransferCheck};
use super::linkage::Linkage;
use super::opening::Opening;
use super::selection;

/// Conditions and wishes that did not hold, weights that were not recognised, checks that did not agree: a sentence each.
pub(crate) fn remarks(
    found: &PlanarBaseParameters,
    linkage: &Linkage,
    opening: &Opening,
    eliminate: &[usize],
    keep: &[usize],
) -> Vec<String> {
    let mut notes = Vec::new();
    let label = |column: usize| found.labels[column].as_str();
    let is_dependent = |column: &usize| found.dependent.contains(column);
    for mass in selection::required_masses(linkage, opening).into_iter().filter(|m| !is_dependent(m)) {
        notes.push(format!(
            "{} stays a base parameter, though it is the mass nearest to the ground of its chain: weights may be no products of lengths",
            label(mass)
        ));
    }
    for &column in eliminate.iter().filter(|column| !is_dependent(column)) {
        notes.push(format!("{} cannot be eliminated beside the others", label(column)));
    }
    for &column in keep.iter().filter(|column| is_dependent(column)) {
        notes.push(format!("{} cannot be kept beside the others", label(column)));
    }
    let open = found.unrecognised();
    if !open.is_empty() {
        let shown: Vec<String> = open
            .iter()
            .take(4)
            .map(|&(b, d)| format!("{} in {}", label(found.dependent[d]), label(found.base[b])))
            .collect();
        let more = if open.len() > shown.len() { ", …" } else { "" };
        notes.push(format!(
            "{} of the weights are no single product of lengths ({}{more}); they are known at the prime lengths of the search alone",
            open.len(),
            shown.join(", ")
        ));
    }
    match &found.transfers {
        TransferCheck::Agree { .. } => {}
        TransferCheck::AgreeInPart { left_out, .. } => notes.push(format!(
            "transfers of mass and inertia were not compared with {left_out} weights that were not recognised"
        )),
        TransferCheck::Differ { entries } => notes
            .push(format!("{} weights differ from what transfers of mass and inertia give", entries.len())),
        TransferCheck::Incomplete { independent } => notes.push(format!(
            "transfers of mass and inertia explain {independent} of {} invisible combinations",
            found.dependent.len()
        )),
    }
    notes
}
