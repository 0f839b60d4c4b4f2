//! The section on what the log excited: the condition number, what dominates it, and what hardly moved.

use maud::{Markup, html};
use steiner_identification::{Identification, WeaklyExcited};

use crate::words::{number, thousands};

/// Parts of the weakest direction that are worth a line.
const MOST_LINES: usize = 8;

pub(super) fn excitation_section(identification: &Identification) -> Markup {
    let excitation = &identification.excitation;
    html! {
        p {
            "With columns of one length the condition number is "
            b { (condition(excitation.condition_number)) } "; in SI units, as papers quote it, "
            b { (condition(excitation.raw_condition_number)) } ". The log shows " b { (identification.excitation.rank) } " of " (identification.parameters.len())
            " base parameters, by dimension."
        }
        @if !excitation.dominated_by.is_empty() {
            div.columns {
                div {
                    h3 { "The weakest direction" }
                    p.about {
                        "What a change of the parameters looks like that the forces show least; \
                        shares of its length."
                    }
                    (weakest_direction(identification))
                }
                div {
                    h3 { "Weakly excited" }
                    (weakly_excited(identification))
                }
            }
        }
    }
}

fn condition(x: f64) -> String {
    match x.is_finite() {
        true if (1000.0..1e9).contains(&x) => {
            let scale = 10f64.powf(x.log10().floor() - 2.0);
            thousands(((x / scale).round() * scale).round() as usize)
        }
        true => number(x, 3),
        false => "infinite".to_owned(),
    }
}

fn weakest_direction(identification: &Identification) -> Markup {
    html! {
        table.numbers.shares {
            caption { "Base parameters in the weakest direction" }
            thead { tr { th scope="col" { "base parameter" } th scope="col" { "share" } } }
            tbody {
                @for &(k, part) in identification.excitation.dominated_by.iter().take(MOST_LINES) {
                    @let width = (120.0 * part.clamp(0.0, 1.0)).round();
                    tr {
                        th scope="row" { (identification.parameters[k].name) }
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
            p { "None: the log moves every base parameter enough to tell it from the others." }
        };
    }
    let name = |k: usize| identification.parameters[k].name.as_str();
    let relative = |k: usize| match identification.parameters[k].relative_sigma {
        percent if percent.is_finite() => number(percent, 2),
        _ => "–".to_owned(),
    };
    let grows = |entry: &WeaklyExcited| match entry.inflation.is_finite() {
        true => format!("× {}", number(entry.inflation, 3)),
        false => "not seen".to_owned(),
    };
    let others = |entry: &WeaklyExcited| match entry.confused_with[..] {
        [] => "–".to_owned(),
        _ => entry.confused_with.iter().map(|&k| name(k)).collect::<Vec<_>>().join(", "),
    };
    html! {
        p.about {
            "The log does not show them, or their uncertainty is large beside them and beside the forces they \
            cause. Another motion may show them better."
        }
        table.numbers {
            caption { "Poorly excited base parameters" }
            thead {
                tr {
                    th scope="col" { "base parameter" }
                    th.n scope="col" { "σ, %" }
                    th.n scope="col" { "grows by" }
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
