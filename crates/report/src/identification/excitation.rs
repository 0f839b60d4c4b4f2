//! The section on what the log excited: the condition number, what dominates it, and what is poorly excited.

use maud::{Markup, html};
use steiner_identification::{Identification, WeaklyExcited};

use super::knowledge::{Knowledge, group_name};
use crate::words::{number, thousands};

/// Parts of the weakest direction that are worth a line.
const MOST_LINES: usize = 8;

pub(super) fn excitation_section(identification: &Identification) -> Markup {
    let excitation = &identification.excitation;
    html! {
        p {
            @if excitation.condition_number.is_finite() {
                "Condition number (normalised columns): " b { (condition(excitation.condition_number)) }
                "; in SI units, as papers quote it: " b { (condition(excitation.raw_condition_number)) } ". "
            } @else {
                "Some base parameters are not excited at all: there is no finite condition number. "
            }
            "Rank of the base regressor: " b { (identification.excitation.rank) } " of "
            (identification.parameters.len()) "."
        }
        @if !excitation.dominated_by.is_empty() {
            div.columns {
                div {
                    h3 { "Least excited combination" }
                    p.about {
                        "The singular vector of the least singular value: the change of the base parameters \
                        that changes the forces least. Shares of its squared length."
                    }
                    (weakest_direction(identification))
                }
                div {
                    h3 { "Poorly excited" }
                    (weakly_excited(identification))
                }
            }
        }
    }
}

fn condition(x: f64) -> String {
    match (1000.0..1e9).contains(&x) {
        true => {
            let scale = 10f64.powf(x.log10().floor() - 2.0);
            thousands(((x / scale).round() * scale).round() as usize)
        }
        false => number(x, 3),
    }
}

/// "condition number 12.3 (normalised columns)", or that there is none.
pub fn condition_words(condition_number: f64) -> String {
    match condition_number.is_finite() {
        true => format!("condition number {} (normalised columns)", number(condition_number, 3)),
        false => "some are not excited at all, so there is no finite condition number".to_owned(),
    }
}

fn weakest_direction(identification: &Identification) -> Markup {
    html! {
        table.numbers.shares {
            caption { "Base parameters in the least excited combination" }
            thead { tr { th scope="col" { "base parameter" } th scope="col" { "share" } } }
            tbody {
                @for &(k, part) in identification.excitation.dominated_by.iter().take(MOST_LINES) {
                    @let width = (120.0 * part.clamp(0.0, 1.0)).round();
                    tr {
                        th scope="row" { (group_name(&identification.parameters[k])) }
                        td { i.share style={ "width:" (width) "px" } {} (format!("{:.0} %", 100.0 * part)) }
                    }
                }
            }
        }
    }
}

fn weakly_excited(identification: &Identification) -> Markup {
    let weak = &identification.excitation.weak;
    if weak.is_empty() {
        return html! {
            p { "None: the motion excites every base parameter." }
        };
    }
    let name = |k: usize| group_name(&identification.parameters[k]);
    let relative = |k: usize| Knowledge::of(identification, k).relative_sigma(&identification.parameters[k]);
    let grows = |entry: &WeaklyExcited| match entry.inflation.is_finite() {
        true => format!("× {}", number(entry.inflation, 3)),
        false => "not excited".to_owned(),
    };
    let others = |entry: &WeaklyExcited| match entry.confused_with[..] {
        [] => "–".to_owned(),
        _ => entry.confused_with.iter().map(|&k| name(k)).collect::<Vec<_>>().join(", "),
    };
    html! {
        p.about {
            "Not excited at all, or with a standard deviation that is large beside the value and matters for the \
            forces. Another motion may excite them better."
        }
        table.numbers {
            caption { "Poorly excited base parameters" }
            thead {
                tr {
                    th scope="col" { "base parameter" }
                    th.n scope="col" { "σ, %" }
                    th.n scope="col" { "σ grows by" }
                    th scope="col" { "confused with" }
                }
            }
            tbody {
                @for entry in weak {
                    tr {
                        th scope="row" { (name(entry.parameter)) }
                        td.n { (relative(entry.parameter)) }
                        td.n { (grows(entry)) }
                        td { (others(entry)) }
                    }
                }
            }
        }
    }
}
