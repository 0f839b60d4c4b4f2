//! Formulas as programs read them.

use serde_json::{Value, json};
use steiner_identifiability::{FamilyVariable, Weight};
use steiner_robot::{ConstantKind, Label};
use steiner_symbols::algebra::Notation;

use super::written::Written;
use super::{BaseFormula, Derivation, FormulaTerm, Formulas, Sensitivity};

/// The `symbolic` object of a document. Expressions are complete by themselves: `^`, `*`, `/`,
/// `sqrt`, `sin` and `cos` of names of variables. What isn't known, such as the derivative of a
/// weight that is a number, is null.
pub fn symbolic_json(formulas: &Formulas, sensitivity: Option<&Sensitivity>) -> Value {
    let written = Written::new(formulas, sensitivity, Notation::Ascii);
    let definitions: Vec<String> =
        written.definitions().into_iter().chain(written.further_definitions()).collect();
    let mut document = json!({
        "variables": formulas.variables.iter().map(variable).collect::<Vec<_>>(),
        "definitions": definitions,
        "base_parameters": base_parameters(formulas, &formulas.parameters),
        "path": formulas.derivation.path(),
        "notes": formulas.remarks(),
        "seconds": formulas.seconds,
    });
    match &formulas.derivation {
        Derivation::Interpolated { evaluations, checks, digits } => {
            document["evaluations"] = json!(evaluations);
            document["digits"] = json!(digits);
            document["verified_at"] = json!(checks);
        }
        Derivation::Products { candidates, opened_at, residual, transfers, checks } => {
            document["labels"] = json!(formulas.labels.iter().map(Label::to_string).collect::<Vec<_>>());
            document["candidates"] = json!(candidates);
            document["opened_at"] = json!(opened_at);
            document["residual"] = json!(residual);
            document["transfers"] = json!(transfers);
            document["verified_at"] = json!(checks);
        }
    }
    if let Some(sensitivity) = sensitivity {
        document["sensitivity"] = json!({
            "variable": sensitivity.variable.name,
            "base_parameters": base_parameters(formulas, &sensitivity.parameters),
            "unknown": sensitivity.unknown,
        });
    }
    document
}

fn variable(variable: &FamilyVariable) -> Value {
    let kind = match variable.kind {
        ConstantKind::Length => "length",
        ConstantKind::Angle => "angle",
    };
    let tied = |(name, is_opposite): &(String, bool)| json!({ "name": name, "opposite": is_opposite });
    json!({
        "name": variable.name, "kind": kind, "value": variable.value,
        "tied": variable.tied.iter().map(tied).collect::<Vec<_>>(),
    })
}

fn base_parameters(formulas: &Formulas, parameters: &[BaseFormula]) -> Value {
    let term = |term: &FormulaTerm| {
        let expression = match &term.weight {
            Weight::Function(function) => json!(function.written(Notation::Ascii)),
            Weight::Number { .. } => Value::Null,
        };
        json!([formulas.labels[term.column].to_string(), expression, term.value])
    };
    let one = |parameter: &BaseFormula| {
        json!({
            "name": formulas.labels[parameter.column].to_string(),
            "terms": parameter.terms.iter().map(term).collect::<Vec<_>>(),
        })
    };
    parameters.iter().map(one).collect()
}
