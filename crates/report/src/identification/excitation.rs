//! What the log excited: the condition number, what dominates it, and what hardly moved.

use std::fmt::Write;

use steiner_identification::Identification;

use crate::svg::escaped;
use crate::words::{number, thousands};

/// Parts of the weakest direction that are worth a line.
const MOST_LINES: usize = 8;

pub(super) fn excitation_section(identification: &Identification) -> String {
    let excitation = &identification.excitation;
    let name = |k: usize| escaped(&identification.parameters[k].name);
    let condition = |x: f64| match x.is_finite() {
        true if (1000.0..1e9).contains(&x) => {
            let scale = 10f64.powf(x.log10().floor() - 2.0);
            thousands(((x / scale).round() * scale).round() as usize)
        }
        true => number(x, 3),
        false => "infinite".to_owned(),
    };
    let mut out = format!(
        "<p>With columns of one length the condition number is <b>{}</b>; in SI units, as papers quote it, <b>{}</b>. \
         The log shows <b>{}</b> of {} base parameters, by dimension.</p>\n",
        condition(excitation.condition_number),
        condition(excitation.raw_condition_number),
        identification.excitation.rank,
        identification.parameters.len(),
    );
    if !excitation.dominated_by.is_empty() {
        out += "<div class=\"columns\">\n<div>\n<h3>The weakest direction</h3>\n<p class=\"about\">What a change of the parameters looks like \
                that the forces show least; shares of its length.</p>\n<table class=\"numbers shares\"><caption>Base parameters in the weakest direction</caption>\
                <thead><tr><th scope=\"col\">base parameter</th><th scope=\"col\">share</th></tr></thead><tbody>\n";
        for &(k, part) in excitation.dominated_by.iter().take(MOST_LINES) {
            let _ = writeln!(
                out,
                "<tr><th scope=\"row\">{}</th><td><i class=\"share\" style=\"width:{}px\"></i>{:.0} %</td></tr>",
                name(k),
                (120.0 * part.clamp(0.0, 1.0)).round(),
                100.0 * part
            );
        }
        out += "</tbody></table>\n</div>\n";
        out += &weak(identification);
        out += "</div>\n";
    }
    out
}

fn weak(identification: &Identification) -> String {
    let weak = &identification.excitation.weak;
    if weak.is_empty() {
        return "<div>\n<h3>Weakly excited</h3>\n<p>None: the log moves every base parameter enough to tell it from the others.</p>\n</div>\n".to_owned();
    }
    let name = |k: usize| escaped(&identification.parameters[k].name);
    let mut out = String::from(
        "<div>\n<h3>Weakly excited</h3>\n<p class=\"about\">Either their uncertainty is as large as they are, or it grows many times because others moved along. Another \
         motion may show them better.</p>\n<table class=\"numbers\"><caption>Base parameters the log barely moves</caption><thead><tr><th scope=\"col\">base parameter</th>\
         <th scope=\"col\" class=\"n\">σ, %</th><th scope=\"col\" class=\"n\">grows by</th><th scope=\"col\">confused with</th></tr></thead><tbody>\n",
    );
    for entry in weak {
        let others: Vec<String> = entry.confused_with.iter().map(|&k| name(k)).collect();
        let others = if others.is_empty() { "–".to_owned() } else { others.join(", ") };
        let grows = if entry.inflation.is_finite() {
            format!("× {}", number(entry.inflation, 3))
        } else {
            "not seen".to_owned()
        };
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{grows}</td><td>{others}</td></tr>",
            name(entry.parameter),
            match identification.parameters[entry.parameter].relative_sigma {
                percent if percent.is_finite() => number(percent, 2),
                _ => "–".to_owned(),
            },
        );
    }
    out += "</tbody></table>\n</div>\n";
    out
}
