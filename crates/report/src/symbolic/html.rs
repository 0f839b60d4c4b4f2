//! Formulas on the page of an analysis.

use std::fmt::Write;

use steiner_identifiability::{SpecialMember, SpecialMembers};
use steiner_robot::ConstantKind;
use steiner_symbols::algebra::Notation;

use super::{Formulas, Sensitivity, SpecialOutcomes, SymbolicAnswer, Written};
use crate::family::Family;
use crate::formula::Summand;
use crate::page::section;
use crate::svg::escaped;
use crate::words::{count, number};

/// Sections for formulas, with words `about` them, derivatives and special lengths; `identifiable` combinations in general.
pub(crate) fn symbolic_sections(
    out: &mut String,
    answer: &SymbolicAnswer<'_>,
    about: &str,
    family: &Family,
    identifiable: usize,
) {
    let written = Written::new(answer.formulas, answer.sensitivity, Notation::Html);
    section(out, "Base parameters in symbols", about, &formulas_html(answer.formulas, &written, family));
    if let Some(sensitivity) = answer.sensitivity {
        let title =
            format!("Derivatives with respect to {}", Notation::Html.name(&sensitivity.variable.name));
        section(out, &title, "", &derivatives_html(answer.formulas, sensitivity, &written, family));
    }
    if let Some(special) = answer.special {
        section(out, "Special lengths", SPECIAL, &special_html(identifiable, special));
    }
}

const SPECIAL: &str = "Members of the family in which another number of combinations is identifiable. Each was analysed as a mechanism of its own; \
    nothing is concluded from a formula alone.";

fn formulas_html(formulas: &Formulas, written: &Written, family: &Family) -> String {
    let mut out = format!("<p>{}</p>\n", escaped(&formulas.derivation.sentence()));
    for (kind, unit) in [(ConstantKind::Length, "m"), (ConstantKind::Angle, "rad")] {
        let of_kind = formulas.variables.iter().filter(|variable| variable.kind == kind);
        let value = |variable: &steiner_identifiability::FamilyVariable| {
            let name = Notation::Html.name(&variable.name);
            format!("<span>{name} = {} {unit}</span>", number(variable.value, 6).replace('-', "−"))
        };
        let values: Vec<String> = of_kind.map(value).collect();
        if !values.is_empty() {
            let _ = writeln!(out, "<p class=\"values\">{}</p>", values.join(" "));
        }
    }
    for note in formulas.remarks() {
        let _ = writeln!(out, "<p class=\"remark\">{}</p>", escaped(&note));
    }
    out += &definitions_html(&written.definitions());
    out += "<ul class=\"formulas\">\n";
    for k in (0..formulas.parameters.len()).filter(|&k| formulas.parameters[k].terms.len() > 1) {
        let _ = writeln!(out, "<li>{}</li>", sum_html(&written.summands(formulas, family, k), true));
    }
    out + "</ul>\n"
}

fn derivatives_html(
    formulas: &Formulas,
    sensitivity: &Sensitivity,
    written: &Written,
    family: &Family,
) -> String {
    let name = Notation::Html.name(&sensitivity.variable.name);
    if sensitivity.parameters.is_empty() {
        return format!("<p>No regrouping depends on {name}.</p>\n");
    }
    let mut out = String::new();
    if let Some(remark) = sensitivity.remark() {
        let _ = writeln!(out, "<p class=\"remark\">{}.</p>", escaped(&remark));
    }
    out += &definitions_html(&written.further_definitions());
    out += "<ul class=\"formulas\">\n";
    for (k, parameter) in sensitivity.parameters.iter().enumerate() {
        let label = escaped(&formulas.labels[parameter.column]);
        let sum = sum_html(&written.derivative(formulas, sensitivity, family, k), false);
        let left = Notation::Html.fraction(&format!("∂ <b>{label}</b>"), &format!("∂{name}"));
        let _ = writeln!(out, "<li>{left} = {sum}</li>");
    }
    out + "</ul>\n"
}

fn definitions_html(definitions: &[String]) -> String {
    let spans: Vec<String> = definitions.iter().map(|text| format!("<span>{}</span>", minus(text))).collect();
    match spans.is_empty() {
        true => String::new(),
        false => format!("<p class=\"values\">with {}</p>\n", spans.join(" ")),
    }
}

/// A minus is longer than a hyphen.
fn minus(text: &str) -> String {
    text.replace(" - ", " − ").replace("(-", "(−").replace("= -", "= −")
}

/// A combination with its weights set off; the parameter it is named after, if there is one, comes first.
fn sum_html(summands: &[Summand], first_leads: bool) -> String {
    let mut out = String::new();
    for (k, summand) in summands.iter().enumerate() {
        out += match (k, summand.negative) {
            (0, true) => "−",
            (0, false) => "",
            (_, true) => " − ",
            (_, false) => " + ",
        };
        let owned = escaped(&summand.owned()).replace(" - ", " − ");
        if !summand.factor.is_empty() {
            let _ = write!(out, "<span class=\"weight\">{}</span>·", minus(&summand.factor));
        }
        match k == 0 && first_leads {
            true => {
                let _ = write!(out, "<b>{owned}</b>");
            }
            false => out += &owned,
        }
    }
    out
}

fn special_html(identifiable: usize, special: &SpecialMembers) -> String {
    let outcomes = SpecialOutcomes::new(identifiable, special);
    let mut out = format!(
        "<p>{} in general, {} analysed.</p>\n",
        count(identifiable, "identifiable combination"),
        count(outcomes.analysed(), "condition")
    );
    if outcomes.changed.is_empty() {
        out += "<p>None changes what is identifiable.</p>\n";
    } else {
        out += "<table class=\"special\"><thead><tr><th>condition</th><th>identifiable</th><th>what it means</th></tr></thead><tbody>\n";
        for (member, n) in &outcomes.changed {
            let change = format!("{:+}", *n as i64 - identifiable as i64).replace('-', "−");
            let _ = writeln!(
                out,
                "<tr><th>{}</th><td>{n} <small>({change})</small></td><td>{}</td></tr>",
                escaped(&member.condition),
                escaped(&member.meaning)
            );
        }
        out += "</tbody></table>\n";
    }
    let conditions = |members: &[&SpecialMember]| {
        let one = |member: &&SpecialMember| format!("<span>{}</span>", escaped(&member.condition));
        members.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    if !outcomes.same.is_empty() {
        let _ = writeln!(out, "<p class=\"values\">No change: {}</p>", conditions(&outcomes.same));
    }
    for (reason, members) in &outcomes.failing {
        let _ = writeln!(
            out,
            "<p class=\"values\">No such mechanism: {} <small>{}</small></p>",
            conditions(members),
            escaped(reason)
        );
    }
    if !special.unsolved.is_empty() {
        let unsolved: Vec<String> =
            special.unsolved.iter().map(|text| format!("<span>{}</span>", escaped(text))).collect();
        let _ = writeln!(
            out,
            "<p class=\"values\">Not examined, for no length near the file's was found that solves them: {}</p>",
            unsolved.join(" ")
        );
    }
    if special.left_out > 0 {
        let left_out = count(special.left_out, "condition");
        let _ = writeln!(out, "<p>Left out, for there are too many: {left_out} of equal lengths.</p>");
    }
    out
}
