//! Formulas on the page of an analysis.

use std::fmt::Write;

use steiner_symbols::algebra::Notation;

use super::{Formulas, Written};
use crate::family::Family;
use crate::html::formula_html;
use crate::svg::escaped;
use crate::words::number;

pub(crate) fn formulas_html(formulas: &Formulas, family: &Family) -> String {
    let written = Written::new(formulas, Notation::Unicode);
    let values: Vec<String> = formulas
        .variables
        .iter()
        .map(|variable| format!("{} = {}", escaped(&variable.name), number(variable.value, 6)))
        .collect();
    let mut out = format!("<p>{}</p>\n", escaped(&formulas.derivation.sentence()));
    if !values.is_empty() {
        let _ = writeln!(out, "<p class=\"remark\">In the file: {} (m, rad).</p>", values.join(", "));
    }
    for note in formulas.remarks() {
        let _ = writeln!(out, "<p class=\"remark\">{}</p>", escaped(&note));
    }
    out += "<ul class=\"formulas\">\n";
    for definition in written.definitions() {
        let _ = writeln!(out, "<li>{}</li>", escaped(&definition));
    }
    for (k, parameter) in formulas.parameters.iter().enumerate().filter(|(_, p)| p.terms.len() > 1) {
        let terms = written.terms(parameter, k);
        let _ = writeln!(out, "<li>{}</li>", formula_html(family, &formulas.labels, &terms));
    }
    out + "</ul>\n"
}
