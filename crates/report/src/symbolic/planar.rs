//! Formulas of planar mechanisms: four parameters per link.

use steiner_identifiability::{
    Analysis, FamilyVariable, PlanarBaseParameters, PlanarView, Symbolic, TransferCheck, Weight,
};
use steiner_robot::{ConstantKind, Robot};

use super::notes::{planar_axes, planar_note};
use super::{BaseFormula, Derivation, FormulaTerm, Formulas};

impl Formulas {
    /// Products of lengths found by the method of \[iriarte2015\], about the origins of the file,
    /// with numbers of the mechanism of the file beside them. The error says why they may not be
    /// believed: derived formulas answer then.
    pub fn planar(robot: &Robot, found: &PlanarBaseParameters, seconds: f64) -> Result<Self, String> {
        if let Some(doubt) = found.doubt() {
            return Err(doubt);
        }
        let unknown = || "the lengths of the file have no values".to_owned();
        let names = found.names();
        let values = found.lengths_of(robot).map_err(|error| error.to_string())?;
        let variable = |name: &String| {
            let place = found.lengths.iter().position(|length| length.name == *name);
            let value = place.and_then(|place| values.get(place).copied()).ok_or_else(unknown)?;
            Ok(FamilyVariable { name: name.clone(), kind: ConstantKind::Length, value, tied: Vec::new() })
        };
        let variables = names.lengths.iter().map(variable).collect::<Result<Vec<_>, String>>()?;
        let functions = found.rational_functions_in_file_parameters(&names).ok_or_else(unknown)?;
        let numbers = found.at_file.as_ref().ok_or_else(unknown)?;
        let mut parameters = Vec::new();
        for (b, (&base, row)) in found.base.iter().zip(functions).enumerate() {
            let weights = row.into_iter().enumerate().filter(|(_, weight)| !weight.is_zero());
            let term = |(column, weight)| FormulaTerm {
                column,
                weight: Weight::Function(weight),
                value: numbers[(b, column)],
            };
            let mut terms: Vec<FormulaTerm> = weights.map(term).collect();
            terms.sort_by_key(|term| (term.column != base, term.column));
            parameters.push(BaseFormula { column: base, terms });
        }
        let transfers = match &found.transfers {
            TransferCheck::Agree { sets } => Some(*sets),
            TransferCheck::AgreeInPart { .. }
            | TransferCheck::Differ { .. }
            | TransferCheck::Incomplete { .. } => None,
        };
        Ok(Formulas {
            robot: robot.name.clone(),
            labels: found.view.names(),
            variables,
            names,
            parameters,
            derivation: Derivation::Products {
                candidates: found.candidates.0,
                opened_at: found.opened_at.clone(),
                residual: found.residual,
                transfers,
                checks: found.verified_at(),
            },
            notes: planar_axes(&found.view).into_iter().chain(found.notes.iter().map(planar_note)).collect(),
            seconds,
        })
    }

    /// Derived formulas in the parameters of a plane: m, mx, my, J of each link. `reason` says why
    /// products of lengths don't answer.
    pub fn in_plane(
        analysis: &Analysis,
        symbolic: &Symbolic,
        view: &PlanarView,
        reason: &str,
    ) -> Result<Self, String> {
        let spatial = Formulas::derived(analysis, symbolic);
        plane_lies_along_frames(&spatial.robot, view)?;
        let embedding = view.embedding();
        let labels = view.names();
        let mut parameters = Vec::new();
        for parameter in &spatial.parameters {
            let mut terms: Vec<FormulaTerm> = Vec::new();
            for term in &parameter.terms {
                // Row of the embedding: what a planar parameter puts into this one of ten.
                for column in (0..labels.len()).filter(|&c| embedding[(term.column, c)] != 0.0) {
                    add(&mut terms, column, &term.weight, term.value);
                }
            }
            terms.retain(|term| !matches!(&term.weight, Weight::Function(f) if f.is_zero()));
            let Some(first) = terms.first() else { continue };
            let column = first.column;
            if first.value < 0.0 {
                terms.iter_mut().for_each(negate);
            }
            parameters.push(BaseFormula { column, terms });
        }
        let mut notes = vec![format!(
            "derived in space and projected onto the plane, because products of lengths are not enough: {reason}"
        )];
        notes.extend(planar_axes(view));
        notes.extend(spatial.notes.iter().cloned());
        Ok(Formulas { labels, parameters, notes, ..spatial })
    }
}

/// Whether derived formulas can be seen in the plane: each planar parameter has to be one of the ten of its
/// link. The error names a link of which they aren't.
pub fn plane_lies_along_frames(robot: &str, view: &PlanarView) -> Result<(), String> {
    let turned = view.links.iter().find(|link| view.in_space(&format!("{link}.J")).is_none());
    match turned {
        None => Ok(()),
        Some(link) => Err(format!(
            "{robot}: formulas have to be derived, and the plane is spanned by no two axes of the frame of `{link}`; turn its frame, or analyse it in space"
        )),
    }
}

fn add(terms: &mut Vec<FormulaTerm>, column: usize, weight: &Weight, value: f64) {
    let new = FormulaTerm { column, weight: weight.clone(), value };
    match terms.iter_mut().find(|term| term.column == column) {
        Some(known) => {
            known.value += new.value;
            known.weight = match (&known.weight, &new.weight) {
                (Weight::Function(a), Weight::Function(b)) => Weight::Function(a + b),
                (Weight::Number { reason, .. }, _) | (_, Weight::Number { reason, .. }) => {
                    Weight::Number { value: known.value, reason: reason.clone() }
                }
            };
        }
        None => terms.push(new),
    }
}

fn negate(term: &mut FormulaTerm) {
    term.value = -term.value;
    term.weight = match &term.weight {
        Weight::Function(function) => Weight::Function(-function),
        Weight::Number { value, reason } => Weight::Number { value: -value, reason: reason.clone() },
    };
}
