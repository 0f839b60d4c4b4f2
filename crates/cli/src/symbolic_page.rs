//! Formulas as a terminal shows them.

use std::fmt::Write;

use comfy_table::ContentArrangement;
use steiner::identifiability::{Analysis, SpecialMember, SpecialMembers};
use steiner::report::{
    Family, Formulas, Sensitivity, SpecialOutcomes, Summand, SymbolicAnswer, Written, analysis_notes,
    certificate_sentence, count, number, sum_of,
};
use steiner::robot::ConstantKind;
use steiner::symbols::algebra::Notation;

use crate::output::{table, wrapped};

/// All of it, in lines of at most `width` columns where words allow.
pub(crate) fn symbolic_page(
    analysis: &Analysis,
    answer: &SymbolicAnswer<'_>,
    family: &Family,
    width: usize,
) -> String {
    let formulas = answer.formulas;
    let mut out = header(analysis, formulas, width);
    let written = Written::new(formulas, answer.sensitivity, Notation::Unicode);
    let all = 0..formulas.parameters.len();
    let sums: Vec<Vec<Summand>> = all.map(|k| written.summands(formulas, family, k)).collect();
    out += &definitions(&written, width);
    out += &base_parameters(formulas, &sums, width);
    let mut has_branch = sums.iter().flatten().any(Summand::has_branch);
    if let Some(sensitivity) = answer.sensitivity {
        let all = 0..sensitivity.parameters.len();
        let sums: Vec<Vec<Summand>> =
            all.map(|k| written.derivative(formulas, sensitivity, family, k)).collect();
        out += &derivatives(formulas, sensitivity, &written, &sums, width);
        has_branch |= sums.iter().flatten().any(Summand::has_branch);
    }
    if let Some(special) = answer.special {
        out += &special_table(formulas, analysis.identifiable(), special, width);
    }
    if has_branch {
        out += "  (a… stands for a and all bodies it carries)\n";
    }
    out
}

fn header(analysis: &Analysis, formulas: &Formulas, width: usize) -> String {
    let of = |kind: ConstantKind| formulas.variables.iter().filter(move |variable| variable.kind == kind);
    let counted = |kind: ConstantKind, word: &str| {
        let n = of(kind).count();
        (n > 0).then(|| count(n, word))
    };
    let kinds: Vec<String> = [counted(ConstantKind::Length, "length"), counted(ConstantKind::Angle, "angle")]
        .into_iter()
        .flatten()
        .collect();
    let kinds = if kinds.is_empty() { "no length".to_owned() } else { kinds.join(" and ") };
    let summary = format!(
        "{}, measuring {}: {} of {}, as functions of {kinds}",
        formulas.robot,
        analysis.measure,
        count(formulas.parameters.len(), "base parameter"),
        count(formulas.labels.len() - analysis.known.len(), "parameter"),
    );
    let mut out = wrapped(&summary, 2, width);
    for (kind, unit) in [(ConstantKind::Length, "m"), (ConstantKind::Angle, "rad")] {
        let values: Vec<String> =
            of(kind).map(|variable| format!("{} = {}", variable.name, number(variable.value, 6))).collect();
        if !values.is_empty() {
            out += &wrapped(&format!("  {} ({unit})", values.join(", ")), 2, width);
        }
    }
    let proof = certificate_sentence(analysis);
    let proof = if formulas.labels == analysis.names() { proof } else { format!("In space: {proof}") };
    out += &wrapped(&format!("{} {proof}", formulas.derivation.sentence()), 2, width);
    for note in formulas.remarks().into_iter().chain(analysis_notes(analysis)) {
        out += &wrapped(&format!("note: {note}"), 2, width);
    }
    out
}

fn definitions(written: &Written, width: usize) -> String {
    let all = written.definitions();
    if all.is_empty() {
        return String::new();
    }
    let lines: String = all.iter().map(|line| wrapped(&format!("  {line}"), 6, width)).collect();
    format!("\nwith\n{lines}")
}

fn base_parameters(formulas: &Formulas, sums: &[Vec<Summand>], width: usize) -> String {
    let mut out = String::new();
    let mut alone = Vec::new();
    for (parameter, sum) in formulas.parameters.iter().zip(sums) {
        match parameter.terms.len() {
            0 | 1 => alone.push(formulas.labels[parameter.column].to_string()),
            _ => out += &wrapped(&format!("  {}", sum_of(sum)), 6, width),
        }
    }
    let grouped = formulas.parameters.len() - alone.len();
    let heading = format!("\n{}:\n", count(grouped, "combination"));
    let alone = match alone.len() {
        0 => String::new(),
        n => wrapped(&format!("\n{} alone: {}", count(n, "parameter"), alone.join(", ")), 2, width),
    };
    if grouped == 0 { alone } else { format!("{heading}{out}{alone}") }
}

fn derivatives(
    formulas: &Formulas,
    sensitivity: &Sensitivity,
    written: &Written,
    sums: &[Vec<Summand>],
    width: usize,
) -> String {
    let name = &sensitivity.variable.name;
    if sensitivity.parameters.is_empty() {
        return format!("\nno regrouping depends on {name}\n");
    }
    let mut out = format!(
        "\nderivatives with respect to {name}, {} of {}:\n",
        sensitivity.parameters.len(),
        count(formulas.parameters.len(), "base parameter")
    );
    for definition in written.further_definitions() {
        out += &wrapped(&format!("  with {definition}"), 6, width);
    }
    for (parameter, sum) in sensitivity.parameters.iter().zip(sums) {
        let label = &formulas.labels[parameter.column];
        out += &wrapped(&format!("  ∂({label})/∂{name} = {}", sum_of(sum)), 6, width);
    }
    if let Some(remark) = sensitivity.remark() {
        out += &wrapped(&format!("  note: {remark}"), 2, width);
    }
    out
}

fn special_table(formulas: &Formulas, general: usize, special: &SpecialMembers, width: usize) -> String {
    let SpecialOutcomes { changed, same, failing } = SpecialOutcomes::new(general, special);
    let mut out = format!(
        "\nspecial members of the family of {} ({} in general), {} analysed:\n",
        formulas.robot,
        count(general, "base parameter"),
        count(changed.len() + same.len(), "condition"),
    );
    if changed.is_empty() {
        out += "  none changes what is identifiable\n";
    } else {
        let mut rows = table(&["condition", "identifiable", "what it means"], &[1]);
        rows.set_content_arrangement(ContentArrangement::Dynamic);
        rows.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        for (member, n) in changed {
            let change = n as i64 - general as i64;
            rows.add_row([member.condition.clone(), format!("{n} ({change:+})"), member.meaning.clone()]);
        }
        let _ = writeln!(out, "{rows}");
    }
    let conditions = |members: &[&SpecialMember]| {
        // A condition stays on one line.
        let whole = |member: &&SpecialMember| member.condition.replace(' ', "\u{a0}");
        members.iter().map(whole).collect::<Vec<_>>().join("; ")
    };
    let wrapped =
        |line: &str, indent: usize, width: usize| wrapped(line, indent, width).replace('\u{a0}', " ");
    if !same.is_empty() {
        out += &wrapped(&format!("  no change: {}", conditions(&same)), 6, width);
    }
    for (reason, members) in failing {
        out += &wrapped(&format!("  no such mechanism: {} ({reason})", conditions(&members)), 6, width);
    }
    if !special.unsolved.is_empty() {
        let text = special.unsolved.join("; ");
        out += &wrapped(
            &format!("  not examined, for no length near the file's was found that solves them: {text}"),
            6,
            width,
        );
    }
    if special.left_out > 0 {
        let left_out = count(special.left_out, "condition");
        out +=
            &wrapped(&format!("  left out, for there are too many: {left_out} of equal lengths"), 6, width);
    }
    out
}
