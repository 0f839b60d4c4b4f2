//! Formulas of planar mechanisms: four parameters per link.

use steiner_identifiability::{
    Analysis, FamilyVariable, PlanarBaseParameters, PlanarView, PlanarWeight, Symbolic, TransferCheck, Weight,
};
use steiner_robot::{ConstantKind, Robot};
use steiner_symbols::algebra::RationalFunction;

use super::{BaseFormula, Derivation, FormulaTerm, Formulas};

impl Formulas {
    /// Products of lengths found by the method of \[iriarte2015\], about the origins of the file. `None` if a weight was not recognised
    /// and the method's origins are others than the file's.
    pub fn planar(robot: &Robot, found: &PlanarBaseParameters, seconds: f64) -> Option<Self> {
        let names = found.names();
        let values = found.lengths_of(robot).ok()?;
        let value_of = |name: &String| {
            let place = found.lengths.iter().position(|length| length.name == *name)?;
            values.get(place).copied()
        };
        let variables: Vec<FamilyVariable> = names
            .lengths
            .iter()
            .map(|name| FamilyVariable {
                name: name.clone(),
                kind: ConstantKind::Length,
                value: value_of(name).unwrap_or(f64::NAN),
                tied: Vec::new(),
            })
            .collect();
        let lengths: Vec<f64> = variables.iter().map(|variable| variable.value).collect();
        let term = |column: usize, weight: Weight| {
            let value = match &weight {
                Weight::Function(function) => function.evaluate(&lengths, &[]),
                Weight::Number { value, .. } => *value,
            };
            FormulaTerm { column, weight, value }
        };
        let mut parameters = Vec::new();
        match found.rational_functions_in_file_parameters(&names) {
            Some(rows) => {
                for (&base, row) in found.base.iter().zip(rows) {
                    let mut terms: Vec<FormulaTerm> = row
                        .into_iter()
                        .enumerate()
                        .filter(|(_, weight)| !weight.is_zero())
                        .map(|(column, weight)| term(column, Weight::Function(weight)))
                        .collect();
                    terms.sort_by_key(|term| (term.column != base, term.column));
                    parameters.push(BaseFormula { column: base, terms });
                }
            }
            None if found.origins.iter().flatten().all(Option::is_none) => {
                for (&base, row) in found.base.iter().zip(&found.weights) {
                    let one = Weight::Function(RationalFunction::constant(&names, 1));
                    let mut terms = vec![term(base, one)];
                    for (&column, weight) in found.dependent.iter().zip(row) {
                        let weight = match weight {
                            PlanarWeight::Zero => continue,
                            PlanarWeight::Product(product) => {
                                Weight::Function(found.rational_function(product, &names)?)
                            }
                            PlanarWeight::Ambiguous { .. } | PlanarWeight::Outside { .. } => {
                                let reason = "at prime lengths; it is no product of two lengths".to_owned();
                                let value = match weight {
                                    PlanarWeight::Ambiguous { value, .. }
                                    | PlanarWeight::Outside { value } => *value,
                                    _ => f64::NAN,
                                };
                                Weight::Number { value, reason }
                            }
                        };
                        terms.push(term(column, weight));
                    }
                    parameters.push(BaseFormula { column: base, terms });
                }
            }
            None => return None,
        }
        let transfers = match &found.transfers {
            TransferCheck::Agree { sets } => Some(*sets),
            TransferCheck::Differ { .. } | TransferCheck::Incomplete { .. } => None,
        };
        Some(Formulas {
            robot: robot.name.clone(),
            labels: found.labels.clone(),
            variables,
            names,
            parameters,
            derivation: Derivation::Products {
                candidates: found.candidates.0,
                opened_at: found.opened_at.clone(),
                residual: found.residual,
                transfers,
            },
            notes: found.notes.clone(),
            seconds,
        })
    }

    /// Derived formulas in the parameters of a plane: m, mx, my, J of each link. `reason` says why products of lengths don't answer.
    pub fn in_plane(
        analysis: &Analysis,
        symbolic: &Symbolic,
        view: &PlanarView,
        reason: &str,
    ) -> Result<Self, String> {
        let spatial = Formulas::derived(analysis, symbolic);
        let embedding = view.embedding();
        let labels = view.labels();
        let mut parameters = Vec::new();
        for parameter in &spatial.parameters {
            let mut terms: Vec<FormulaTerm> = Vec::new();
            for term in &parameter.terms {
                // Row of the embedding: what a planar parameter puts into this one of ten.
                for column in (0..labels.len()).filter(|&c| embedding[(term.column, c)] != 0.0) {
                    let factor = embedding[(term.column, column)];
                    if factor.abs() != 1.0 {
                        return Err(format!(
                            "{}: the plane is spanned by no two axes of the frame of `{}`; turn its frame, or leave out --planar",
                            spatial.robot, labels[column]
                        ));
                    }
                    add(&mut terms, column, &term.weight, term.value, factor < 0.0);
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
        let mut notes = vec![format!("derived, for the search for products does not apply: {reason}")];
        notes.extend(spatial.notes.iter().cloned());
        Ok(Formulas { labels, parameters, notes, ..spatial })
    }
}

fn add(terms: &mut Vec<FormulaTerm>, column: usize, weight: &Weight, value: f64, minus: bool) {
    let mut new = FormulaTerm { column, weight: weight.clone(), value };
    if minus {
        negate(&mut new);
    }
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
