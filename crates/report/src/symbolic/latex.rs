//! Formulas as a LaTeX document.

use std::fmt::Write;

use steiner_robot::{ConstantKind, Label};
use steiner_symbols::algebra::{Notation, latex_escaped};

use super::written::Written;
use super::{BaseFormula, Formulas, Sensitivity};
use crate::family::Family;
use crate::formula::{Summand, SummandOwner};
use crate::words::number;

/// Characters that fit on a line of an equation.
const LINE: usize = 74;

/// A document that compiles as it is, with pdfLaTeX too: amsmath alone is needed. Its
/// `align*` can be copied elsewhere.
pub fn formulas_latex(formulas: &Formulas, sensitivity: Option<&Sensitivity>) -> String {
    let mut out = format!(
        "% Base parameters of {}, by Steiner {}.\n\\documentclass{{article}}\n\\usepackage[utf8]{{inputenc}}\n\
         \\usepackage[margin=2cm]{{geometry}}\n\\usepackage{{amsmath}}\n\\allowdisplaybreaks\n\\begin{{document}}\n\
         \\section*{{Base parameters of {}}}\n",
        formulas.robot.replace('\n', " "),
        env!("CARGO_PKG_VERSION"),
        latex_escaped(&formulas.robot)
    );
    let _ = writeln!(out, "{}\n", prose(&formulas.derivation.sentence()));
    if !formulas.variables.is_empty() {
        let _ = writeln!(out, "In the file {}.\n", values(formulas));
    }
    for note in formulas.remarks() {
        let _ = writeln!(out, "{}.\n", prose(note.trim_end_matches('.')));
    }
    let written = Written::new(formulas, sensitivity, Notation::Latex);
    let none = Family::default();
    let symbol = |parameter: &BaseFormula| {
        format!("{}^{{\\mathrm{{R}}}}", label_symbol(&formulas.labels[parameter.column]))
    };
    out += &definitions(&written.definitions());
    let rows = formulas.parameters.iter().enumerate();
    out += &equations(rows.map(|(k, parameter)| (symbol(parameter), written.summands(formulas, &none, k))));
    if let Some(sensitivity) = sensitivity {
        let by = Notation::Latex.name(&sensitivity.variable.name);
        let _ = writeln!(out, "\\subsection*{{Derivatives with respect to ${by}$}}");
        if let Some(remark) = sensitivity.remark() {
            let _ = writeln!(out, "{}.\n", prose(&remark));
        }
        out += &definitions(&written.further_definitions());
        let rows = sensitivity.parameters.iter().enumerate();
        out += &equations(rows.map(|(k, parameter)| {
            let left = format!("\\frac{{\\partial {}}}{{\\partial {by}}}", symbol(parameter));
            (left, written.derivative(formulas, sensitivity, &none, k))
        }));
    }
    out + "\\end{document}\n"
}

/// A sentence of a report.
fn prose(sentence: &str) -> String {
    latex_escaped(sentence).replace("F\\_p", "$F_p$")
}

fn values(formulas: &Formulas) -> String {
    let value = |variable: &steiner_identifiability::FamilyVariable| {
        let unit = if variable.kind == ConstantKind::Length { "m" } else { "rad" };
        let value = number(variable.value, 6);
        format!("${} = {value}\\,\\mathrm{{{unit}}}$", Notation::Latex.name(&variable.name))
    };
    formulas.variables.iter().map(value).collect::<Vec<_>>().join(", ")
}

fn definitions(all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = all.iter().map(|definition| definition.replacen(" = ", " &= ", 1)).collect();
    format!("With\n\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"))
}

/// Equations of left sides and summands.
fn equations(rows: impl Iterator<Item = (String, Vec<Summand>)>) -> String {
    let mut lines = Vec::new();
    for (left, summands) in rows {
        let mut line = format!("{left} &= ");
        let mut column = 0;
        for (place, summand) in summands.iter().enumerate() {
            let (text, width) = (latex_summand(summand), visible(summand));
            if place > 0 && column + width > LINE {
                line += " \\\\\n&\\quad ";
                column = 0;
            }
            line += match (place, summand.negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            line += &text;
            column += width + 3;
        }
        lines.push(line);
    }
    match lines.is_empty() {
        true => "Nothing depends on it.\n".to_owned(),
        false => format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n")),
    }
}

fn latex_summand(summand: &Summand) -> String {
    let symbols = |owner: &SummandOwner| symbol(&owner.name, &summand.parameter);
    let mut owners = String::new();
    for (k, owner) in summand.owners.iter().enumerate() {
        owners += match (k, owner.opposite) {
            (0, _) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        owners += &symbols(owner);
    }
    if summand.owners.len() > 1 {
        owners = format!("({owners})");
    }
    match summand.factor.is_empty() {
        true => owners,
        false => format!("{}\\,{owners}", summand.factor),
    }
}

/// About how many characters a summand takes: commands take one, braces none; of a
/// fraction, the longer side counts.
fn visible(summand: &Summand) -> usize {
    let owners: usize = summand.owners.iter().map(|owner| 3 + owner.name.chars().count() * 2 / 3).sum();
    let factor = &summand.factor;
    let mut count = 0;
    let mut in_command = false;
    for c in factor.chars() {
        match c {
            '\\' => (count, in_command) = (count + 1, true),
            c if in_command && c.is_ascii_alphabetic() => {}
            '{' | '}' | '_' | '^' | ' ' => in_command = false,
            _ => (count, in_command) = (count + 1, false),
        }
    }
    owners + if factor.starts_with("\\frac") { count * 2 / 3 } else { count }
}

fn label_symbol(label: &Label) -> String {
    symbol(&label.owner, label.parameter)
}

/// A parameter of a body or joint: m, mx, I_xx, each with the name as an index.
fn symbol(owner: &str, parameter: &str) -> String {
    let owner = format!("\\text{{{}}}", latex_escaped(owner));
    let mut letters = parameter.chars();
    match (letters.next(), letters.as_str()) {
        (Some('I' | 'f'), index) if !index.is_empty() => {
            format!("{}_{{{index},{owner}}}", &parameter[..1])
        }
        (Some(_), "") => format!("{parameter}_{{{owner}}}"),
        (Some('m'), _) => format!("\\mathit{{{parameter}}}_{{{owner}}}"),
        _ => format!("\\mathrm{{{parameter}}}_{{{owner}}}"),
    }
}

#[cfg(test)]
mod tests {
    use super::symbol;

    #[test]
    fn labels_become_symbols_with_indices() {
        for ((owner, parameter), written) in [
            (("link_1", "Ixx"), "I_{xx,\\text{link\\_1}}"),
            (("b1", "m"), "m_{\\text{b1}}"),
            (("b1", "mx"), "\\mathit{mx}_{\\text{b1}}"),
            (("b1", "J"), "J_{\\text{b1}}"),
            (("j", "fv"), "f_{v,\\text{j}}"),
            (("j", "offset"), "\\mathrm{offset}_{\\text{j}}"),
        ] {
            assert_eq!(symbol(owner, parameter), written);
        }
    }
}
