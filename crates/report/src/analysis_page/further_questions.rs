//! Sections of an analysis page for what else was asked: other sensors, and logs.

use maud::{Markup, html};
use steiner_identifiability::{Analysis, Comparison};
use steiner_identification::Excitation;

use crate::identification::{condition_words, group};
use crate::page::section;
use crate::words::count;

/// What further sensors would identify.
pub(super) fn comparison_section(analysis: &Analysis, comparison: &[Comparison]) -> Markup {
    let about = format!("Beside {}, which identifies {}.", analysis.measure, analysis.identifiable());
    let labels = |labels: &[String]| if labels.is_empty() { "–".to_owned() } else { labels.join(", ") };
    let rows = html! {
        div.wide { table {
            thead { tr {
                th { "sensors" } th { "by themselves" } th { "with these" } th { "adds" }
                th { "now identifiable" } th { "now alone" }
            } }
            tbody { @for other in comparison { tr {
                td { (other.measure) }
                td { (other.alone.1) " of " (other.alone.0) }
                td { (other.together.1) " of " (other.together.0) }
                td { (other.added) }
                td { (labels(&other.now_visible)) }
                td { (labels(&other.now_alone)) }
            } } }
        } }
    };
    section("What other sensors would add", about, rows)
}

/// What logs excite.
pub(super) fn log_section(analysis: &Analysis, excitation: &Excitation, notes: &[String]) -> Markup {
    let about = format!(
        "{}{}: {} of {} identifiable from the log; {}.",
        count(excitation.samples, "sample"),
        if excitation.held_out > 0 {
            format!(" and {} held out", excitation.held_out)
        } else {
            String::new()
        },
        excitation.rank,
        count(excitation.inflation.len(), "base parameter"),
        condition_words(excitation.condition_number)
    );
    let names = |positions: Vec<usize>| -> String {
        let base = |k: usize| &analysis.regrouping.base[k];
        let name = |k: usize| group(&analysis.labels[base(k).column], base(k).terms.len());
        positions.into_iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let seen = excitation.weak.iter().filter(|weak| weak.inflation.is_finite());
    let poorly: Vec<usize> = seen.map(|weak| weak.parameter).collect();
    let lists = [("Not excited", excitation.unseen()), ("Poorly excited", poorly)];
    let words = html! {
        @for (what, positions) in lists {
            @if !positions.is_empty() { p { b { (what) ": " } (names(positions)) "." } }
        }
        @if !notes.is_empty() { ul { @for note in notes { li { (note) } } } }
    };
    section("What the log excites", about, words)
}
