//! The answer of `steiner analyze` as a terminal shows it: counts, fates, combinations, reasons.

use std::fmt::Write;

use steiner::dynamics::Mechanism;
use steiner::identifiability::{Analysis, Comparison};
use steiner::identification::Excitation;
use steiner::report::{
    Family, Fate, analysis_notes, certificate_sentence, condition_words, count, fates, formula, group,
    null_vectors, number, owners, parameters_with, stories, thousands, weak_sentence,
};

use crate::output::{table, wrapped};

/// Joints or bodies told for one reason; the page and the JSON document have them all.
const MOST_INSTANCES: usize = 12;
/// Combinations written out; the JSON document has them all.
const MOST_COMBINATIONS: usize = 300;
/// A sentence longer than this many lines is cut.
const MOST_LINES: usize = 4;

/// The whole answer, in lines of at most `width` columns where words allow.
pub(crate) fn analysis_page(mechanism: &Mechanism, analysis: &Analysis, width: usize) -> String {
    let mut out = header(mechanism, analysis, width);
    out += &fate_table(analysis);
    out += &combinations(mechanism, analysis, width);
    out += &reasons(analysis, width);
    out += &weak(analysis, width);
    out
}

fn header(mechanism: &Mechanism, analysis: &Analysis, width: usize) -> String {
    let unexplained = match analysis.unexplained() {
        0 => String::new(),
        n => format!(", {n} without an explanation"),
    };
    let drives = analysis.columns.len() > analysis.columns.inertial_len();
    let kind = if drives { "parameter" } else { "inertial parameter" };
    let summary = format!(
        "{}, measuring {}: {} of {} (nullity {}{unexplained})",
        mechanism.robot().name,
        analysis.measure,
        count(analysis.identifiable(), "base parameter"),
        count(analysis.parameters(), kind),
        analysis.vectors.len(),
    );
    let mut out = wrapped(&summary, 2, width);
    let method = match analysis.method.name() {
        "auto" => String::new(),
        name => format!("method {name}. "),
    };
    out += &wrapped(&format!("{method}{}", certificate_sentence(analysis)), 2, width);
    if !analysis.known.is_empty() {
        let known = analysis.known.iter();
        let known = known.map(|&(column, x)| format!("{} = {}", analysis.labels[column], number(x, 6)));
        out += &wrapped(&format!("known: {}", known.collect::<Vec<_>>().join(", ")), 2, width);
    }
    for note in analysis_notes(analysis) {
        out += &wrapped(&format!("note: {note}"), 2, width);
    }
    out
}

/// A row for each body, and for each drive if they are asked for.
fn fate_table(analysis: &Analysis) -> String {
    let fates = fates(analysis);
    let shown: Vec<Fate> =
        Fate::ALL.into_iter().filter(|fate| *fate != Fate::Known || !analysis.known.is_empty()).collect();
    let mut heads = vec!["body"];
    heads.extend(shown.iter().map(|fate| fate.words()));
    let mut table = table(&heads, &[]);
    for (k, owner) in owners(analysis).iter().enumerate() {
        let mut row = vec![match k < analysis.bodies.len() {
            true => owner.name.clone(),
            false => format!("{} (drive)", owner.name),
        }];
        row.extend(shown.iter().map(|&fate| parameters_with(owner, &fates, fate)));
        table.add_row(row);
    }
    format!("{table}\n")
}

fn combinations(mechanism: &Mechanism, analysis: &Analysis, width: usize) -> String {
    let (grouped, alone): (Vec<_>, Vec<_>) =
        analysis.regrouping.base.iter().partition(|base| base.terms.len() > 1);
    if grouped.is_empty() {
        return String::new();
    }
    let others = match alone.len() {
        0 => String::new(),
        1 => " (and 1 parameter alone)".to_owned(),
        n => format!(" (and {n} parameters alone)"),
    };
    let mut out = format!("\n{}{others}:\n", count(grouped.len(), "combination"));
    let (family, names) = (Family::new(mechanism, analysis), analysis.names());
    for base in grouped.iter().take(MOST_COMBINATIONS) {
        out += &wrapped(&format!("  {}", formula(&family, &names, &base.terms)), 6, width);
    }
    if out.contains('…') {
        out += "  (a… stands for a and all bodies it carries)\n";
    }
    if grouped.len() > MOST_COMBINATIONS {
        let more = grouped.len() - MOST_COMBINATIONS;
        out += &format!("  and {} more (--json has all of them)\n", thousands(more));
    }
    out
}

fn reasons(analysis: &Analysis, width: usize) -> String {
    let all = stories(analysis);
    if all.is_empty() {
        return "\nall parameters can be identified\n".to_owned();
    }
    let mut out = format!("\nwhy the nullity is {}:\n", analysis.vectors.len());
    for story in all {
        let colon = if story.instances.is_empty() { "" } else { ":" };
        // The count stays on one line.
        let times = null_vectors(&story).replace(' ', "\u{a0}").replacen('\u{a0}', " ", 1);
        let text = format!("  {}: {}{times}{colon}", story.principle.name(), story.text);
        out += &wrapped(&text, 6, width).replace('\u{a0}', " ");
        // One line more takes no more room than the remark that it is missing.
        let shown = if story.instances.len() > MOST_INSTANCES + 1 { MOST_INSTANCES } else { usize::MAX };
        for instance in story.instances.iter().take(shown) {
            out += &wrapped(&format!("      {instance}"), 10, width);
        }
        if story.instances.len() > shown {
            out += &format!("      and {} more (--json has all of them)\n", story.instances.len() - shown);
        }
    }
    out
}

fn weak(analysis: &Analysis, width: usize) -> String {
    let mut out = String::new();
    if !analysis.weak.is_empty() {
        let _ = writeln!(out, "\n{}:", count(analysis.weak.len(), "weakly identifiable combination"));
    }
    // The same sentence for several directions is said once, with the range of its weakness.
    let mut said: Vec<(String, f64, f64, usize)> = Vec::new();
    for weak in &analysis.weak {
        let size = weak.relative_singular_value;
        let sentence = weak_sentence(analysis, weak);
        match said.iter_mut().find(|(text, ..)| *text == sentence) {
            Some((_, least, most, times)) => {
                (*least, *most, *times) = (least.min(size), most.max(size), *times + 1);
            }
            None => said.push((sentence, size, size, 1)),
        }
    }
    for (text, least, most, times) in said {
        let size = match times {
            1 => format!("relative singular value {}", number(least, 2)),
            _ => format!("{times} combinations, {} to {}", number(least, 2), number(most, 2)),
        };
        let text = cut(&text, MOST_LINES * width.saturating_sub(6));
        out += &wrapped(&format!("  {text} ({size})"), 6, width);
    }
    out
}

/// What other sensors would add.
pub(crate) fn comparison_page(analysis: &Analysis, comparison: &[Comparison], width: usize) -> String {
    if comparison.is_empty() {
        return String::new();
    }
    let mut table = table(&["sensors", "by themselves", "with these", "adds"], &[]);
    for other in comparison {
        table.add_row([
            other.measure.to_string(),
            format!("{} of {}", other.alone.1, other.alone.0),
            format!("{} of {}", other.together.1, other.together.0),
            other.added.to_string(),
        ]);
    }
    let mut out = format!(
        "\nbeside {} ({}), what other sensors would identify:\n{table}\n",
        analysis.measure,
        analysis.identifiable()
    );
    for other in comparison.iter().filter(|other| other.added > 0) {
        for (what, labels) in
            [("makes identifiable", &other.now_visible), ("identifies alone", &other.now_alone)]
        {
            if !labels.is_empty() {
                let text = cut(&labels.join(", "), MOST_LINES * width.saturating_sub(6));
                out += &wrapped(&format!("  {} {what}: {text}", other.measure), 6, width);
            }
        }
    }
    out
}

/// What logs excite.
pub(crate) fn excitation_page(
    analysis: &Analysis,
    excitation: &Excitation,
    notes: &[String],
    width: usize,
) -> String {
    let names = |positions: &[usize]| -> String {
        let base = |&k: &usize| &analysis.regrouping.base[k];
        let name = |k: &usize| group(&analysis.labels[base(k).column], base(k).terms.len());
        positions.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let condition = condition_words(excitation.condition_number);
    let held_out = match excitation.held_out {
        0 => String::new(),
        n => format!(" and {n} held out"),
    };
    let summary = format!(
        "log of {}{held_out}: {} of {} identifiable from it; {condition}",
        count(excitation.samples, "sample"),
        excitation.rank,
        count(excitation.inflation.len(), "base parameter"),
    );
    let mut out = format!("\n{}", wrapped(&summary, 2, width));
    for note in notes {
        out += &wrapped(&format!("  note: {note}"), 6, width);
    }
    let seen = excitation.weak.iter().filter(|weak| weak.inflation.is_finite());
    let poorly: Vec<usize> = seen.map(|weak| weak.parameter).collect();
    for (what, positions) in [("not excited", excitation.unseen()), ("poorly excited", poorly)] {
        if !positions.is_empty() {
            let text = cut(&names(&positions), MOST_LINES * width.saturating_sub(6));
            out += &wrapped(&format!("  {what}: {text}"), 6, width);
        }
    }
    out
}

/// A sentence of bearable length; the JSON document has all of it.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most).collect();
    let kept = kept.rsplit_once(", ").map_or(kept.as_str(), |(start, _)| start);
    format!("{kept}, … (--json has all of it)")
}
