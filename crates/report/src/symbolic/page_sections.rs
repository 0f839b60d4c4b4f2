//! The sections of an analysis's page that are about symbols: formulas, derivatives, special lengths.

use maud::{Markup, PreEscaped, html};
use steiner_identifiability::{FamilyVariable, SpecialMember, SpecialMembers};
use steiner_robot::ConstantKind;
use steiner_symbols::algebra::Notation;

use super::{Formulas, Sensitivity, SpecialOutcomes, SymbolicAnswer, Written};
use crate::combination::{long_minus, signed_sum};
use crate::family::Family;
use crate::formula::Summand;
use crate::page::{remarks, section};
use crate::words::{count, number};

/// Formulas, with words `about` them, derivatives and special lengths; of `identifiable` combinations
/// in general.
pub(crate) fn symbolic_sections(
    answer: &SymbolicAnswer<'_>,
    about: &str,
    family: &Family,
    identifiable: usize,
) -> Markup {
    let written = Written::new(answer.formulas, answer.sensitivity, Notation::Html);
    html! {
        (section("Base parameters in symbols", about, formula_list(answer.formulas, &written, family)))
        @if let Some(sensitivity) = answer.sensitivity {
            @let title = html! { "Derivatives with respect to " (variable_name(&sensitivity.variable)) };
            (section(title, "", derivative_list(answer.formulas, sensitivity, &written, family)))
        }
        @if let Some(special) = answer.special {
            (section("Special lengths", SPECIAL, special_lengths(identifiable, special)))
        }
    }
}

const SPECIAL: &str = "Members of the family in which another number of combinations is identifiable. Each \
    was analysed as a mechanism of its own; nothing is concluded from a formula alone.";

/// What was written in [`Notation::Html`], which escapes the names in it.
fn in_html_notation(text: String) -> Markup {
    PreEscaped(text)
}

fn variable_name(variable: &FamilyVariable) -> Markup {
    in_html_notation(Notation::Html.name(&variable.name))
}

fn formula_list(formulas: &Formulas, written: &Written, family: &Family) -> Markup {
    let regrouped = (0..formulas.parameters.len()).filter(|&k| formulas.parameters[k].terms.len() > 1);
    html! {
        p { (formulas.derivation.sentence()) }
        (variable_values(formulas, ConstantKind::Length, "m"))
        (variable_values(formulas, ConstantKind::Angle, "rad"))
        (remarks(&formulas.remarks()))
        (definitions(written.definitions()))
        ul.formulas {
            @for k in regrouped { li { (sum(&written.summands(formulas, family, k), true)) } "\n" }
        }
    }
}

fn variable_values(formulas: &Formulas, kind: ConstantKind, unit: &str) -> Markup {
    let variables: Vec<_> = formulas.variables.iter().filter(|variable| variable.kind == kind).collect();
    html! {
        @if !variables.is_empty() {
            p.values {
                @for variable in variables {
                    @let value = number(variable.value, 6).replace('-', "−");
                    span { (variable_name(variable)) " = " (value) " " (unit) } " "
                }
            }
        }
    }
}

fn derivative_list(
    formulas: &Formulas,
    sensitivity: &Sensitivity,
    written: &Written,
    family: &Family,
) -> Markup {
    let name = variable_name(&sensitivity.variable);
    if sensitivity.parameters.is_empty() {
        return html! { p { "No regrouping depends on " (name) "." } };
    }
    let left = |label: &str| {
        let (above, below) = (html! { "∂ " b { (label) } }, html! { "∂" (name) });
        in_html_notation(Notation::Html.fraction(&above.0, &below.0))
    };
    html! {
        @if let Some(remark) = sensitivity.remark() { p.remark { (remark) "." } }
        (definitions(written.further_definitions()))
        ul.formulas {
            @for (k, parameter) in sensitivity.parameters.iter().enumerate() {
                li {
                    (left(&formulas.labels[parameter.column].to_string())) " = "
                    (sum(&written.derivative(formulas, sensitivity, family, k), false))
                }
                "\n"
            }
        }
    }
}

fn definitions(definitions: Vec<String>) -> Markup {
    html! {
        @if !definitions.is_empty() {
            p.values { "with " @for text in definitions { span { (in_html_notation(minus(&text))) } " " } }
        }
    }
}

/// A minus is longer than a hyphen.
fn minus(text: &str) -> String {
    long_minus(text).replace("(-", "(−").replace("= -", "= −")
}

/// A combination with its weights set off; the parameter it is named after, if there is one, comes first.
fn sum(summands: &[Summand], first_leads: bool) -> Markup {
    signed_sum(summands, first_leads, |summand| {
        html! { span.weight { (in_html_notation(minus(&summand.factor))) } "·" }
    })
}

fn special_lengths(identifiable: usize, special: &SpecialMembers) -> Markup {
    let outcomes = SpecialOutcomes::new(identifiable, special);
    let conditions = |members: &[&SpecialMember]| {
        html! { @for member in members { span { (member.condition) } " " } }
    };
    html! {
        p {
            (count(identifiable, "base parameter")) " in general, "
            (count(outcomes.analysed(), "condition")) " analysed."
        }
        (changed_table(identifiable, &outcomes))
        @if !outcomes.same.is_empty() { p.values { "No change: " (conditions(&outcomes.same)) } }
        @for (reason, members) in &outcomes.failing {
            p.values { "No such mechanism: " (conditions(members)) small { (reason) } }
        }
        @if !special.unsolved.is_empty() {
            p.values {
                "Not examined, for no length near the file's was found that solves them: "
                @for text in &special.unsolved { span { (text) } " " }
            }
        }
        @if special.left_out > 0 {
            p {
                "Left out, for there are too many: "
                (count(special.left_out, "condition")) " of equal lengths."
            }
        }
    }
}

/// The conditions that change what is identifiable.
fn changed_table(identifiable: usize, outcomes: &SpecialOutcomes<'_>) -> Markup {
    let change = |n: usize| format!("{:+}", n as i64 - identifiable as i64).replace('-', "−");
    html! {
        @if outcomes.changed.is_empty() {
            p { "None changes what is identifiable." }
        } @else {
            table.special {
                thead { tr { th { "condition" } th { "identifiable" } th { "what it means" } } }
                tbody {
                    @for (member, n) in &outcomes.changed {
                        tr {
                            th { (member.condition) }
                            td { (n) " " small { "(" (change(*n)) ")" } }
                            td { (member.meaning) }
                        }
                    }
                }
            }
        }
    }
}
