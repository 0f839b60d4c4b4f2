//! The identified base parameters as a table that other programs read.

use std::fmt::Write;

use steiner_identification::Identification;

/// `name,value,sigma,relative_sigma_percent,prior,terms,white_sigma,robust_sigma`: one line for each base
/// parameter, SI units; `sigma` is the larger of the last two, for white noise and from blocks of
/// neighbouring samples. `terms` is the combination it stands for, `1*link2.Izz+0.18645*link3.m`. All digits
/// are given; what the log does not show has no sigma.
pub fn parameter_table_csv(identification: &Identification) -> String {
    let mut out =
        String::from("name,value,sigma,relative_sigma_percent,prior,terms,white_sigma,robust_sigma\n");
    for parameter in &identification.parameters {
        let mut terms = String::new();
        for (label, factor) in &parameter.terms {
            let sign = if terms.is_empty() || *factor < 0.0 { "" } else { "+" };
            let _ = write!(terms, "{sign}{factor}*{label}");
        }
        let _ = writeln!(
            out,
            "{},{},{},{},{},{},{},{}",
            field(&parameter.name),
            finite(parameter.value),
            finite(parameter.sigma),
            finite(parameter.relative_sigma),
            finite(parameter.prior),
            field(&terms),
            finite(parameter.white_sigma),
            parameter.robust_sigma.map_or(String::new(), finite),
        );
    }
    out
}

fn finite(x: f64) -> String {
    match x.is_finite() {
        // Hundreds of zeros are no digits.
        true if x != 0.0 && !(1e-5..1e16).contains(&x.abs()) => format!("{x:e}"),
        true => format!("{x}"),
        false => String::new(),
    }
}

/// Quoted where commas, quotes or line ends ask for it.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
