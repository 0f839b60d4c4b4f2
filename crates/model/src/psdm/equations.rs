//! A model as equations: plain text and LaTeX.
//!
//! s₂ and c₂ are sine and cosine of q₂, as in the paper; θ are the base parameters, listed below the
//! forces with what they are made of.

use std::fmt::Write;

use steiner_symbols::algebra::latex_escaped;

use super::function::{Acceleration, Function};
use super::model::{ModelParameter, Psdm};
use super::monomial::JointMotion;

/// How equations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `τ1 = θ2·q̈1 + 2.4·θ5·c2·q̈1`, one line per force.
    Text,
    /// An `align*` of amsmath, four terms to a line; long models want `\allowdisplaybreaks`.
    Latex,
}

/// Terms on a line of LaTeX.
const TERMS_PER_LINE: usize = 4;

impl Psdm {
    /// The functions y in order, as they appear in the equations: `c2·q̈1`.
    pub fn function_names(&self, notation: Notation) -> Vec<String> {
        let motions = self.motions();
        self.functions.iter().map(|function| notation.function(function, &motions)).collect()
    }

    /// The equations of all forces, then those of the base parameters.
    pub fn equations(&self, notation: Notation) -> String {
        let functions = self.function_names(notation);
        let mut lines = Vec::new();
        for (joint, reduction) in self.reductions.iter().enumerate() {
            let mut terms = Vec::new();
            for (index, function) in functions.iter().enumerate() {
                let row: Vec<(String, f64)> =
                    reduction.row(index).map(|(k, x)| (notation.indexed("θ", k), x)).collect();
                match &row[..] {
                    [] => {}
                    [(theta, x)] => terms.push((notation.product(&[theta, function]), *x)),
                    _ => terms.push((notation.product(&[&notation.bracket(&row), function]), 1.0)),
                }
            }
            lines.push(notation.equation(&notation.indexed("τ", joint), &terms));
        }
        for (k, parameter) in self.parameters.iter().enumerate() {
            let ModelParameter { terms, .. } = parameter;
            let terms: Vec<(String, f64)> =
                terms.iter().map(|&(label, x)| (notation.label(&self.labels[label]), x)).collect();
            lines.push(notation.equation(&notation.indexed("θ", k), &terms));
        }
        match notation {
            Notation::Text => lines.join("\n") + "\n",
            Notation::Latex => format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n")),
        }
    }
}

impl Notation {
    /// A symbol with the number of a joint or parameter, from 1.
    fn indexed(self, symbol: &str, index: usize) -> String {
        let number = index + 1;
        match self {
            Notation::Text => format!("{symbol}{number}"),
            Notation::Latex => {
                let symbol = match symbol {
                    "θ" => "\\theta",
                    "τ" => "\\tau",
                    "q̇" => "\\dot q",
                    "q̈" => "\\ddot q",
                    other => other,
                };
                format!("{symbol}_{{{number}}}")
            }
        }
    }

    fn power(self, symbol: &str, index: usize, exponent: u8) -> String {
        let symbol = self.indexed(symbol, index);
        match (exponent, self) {
            (1, _) => symbol,
            (_, Notation::Text) => symbol + "²",
            (_, Notation::Latex) => symbol + "^2",
        }
    }

    fn function(self, function: &Function, motions: &[JointMotion]) -> String {
        let mut factors = Vec::new();
        for (joint, motion) in motions.iter().enumerate() {
            let exponents = motion.exponents(function.geometry.digit(joint));
            for (symbol, exponent) in ["q", "s", "c"].into_iter().zip(exponents).filter(|(_, e)| *e > 0) {
                factors.push(self.power(symbol, joint, exponent));
            }
        }
        match function.acceleration {
            Acceleration::Joint(k) => factors.push(self.indexed("q̈", k)),
            Acceleration::Centrifugal(k) => factors.push(self.power("q̇", k, 2)),
            Acceleration::Coriolis(j, k) => factors.extend([self.indexed("q̇", j), self.indexed("q̇", k)]),
            Acceleration::Gravity => factors.push("g".to_owned()),
        }
        self.product(&factors.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn product(self, factors: &[&str]) -> String {
        factors.join(match self {
            Notation::Text => "·",
            Notation::Latex => " ",
        })
    }

    fn label(self, label: &str) -> String {
        match self {
            Notation::Text => label.to_owned(),
            Notation::Latex => format!("\\text{{{}}}", latex_escaped(label)),
        }
    }

    fn bracket(self, terms: &[(String, f64)]) -> String {
        format!("({})", self.sum(terms, usize::MAX))
    }

    fn equation(self, left: &str, terms: &[(String, f64)]) -> String {
        match self {
            Notation::Text => format!("{left} = {}", self.sum(terms, usize::MAX)),
            Notation::Latex => format!("{left} &= {}", self.sum(terms, TERMS_PER_LINE)),
        }
    }

    fn sum(self, terms: &[(String, f64)], per_line: usize) -> String {
        let minus = if self == Notation::Text { '−' } else { '-' };
        let mut out = String::new();
        for (place, (term, factor)) in terms.iter().enumerate() {
            let negative = *factor < 0.0;
            match (place, negative) {
                (0, true) => out.push(minus),
                (0, false) => {}
                _ => {
                    out.push_str(if place % per_line == 0 { " \\\\\n&\\quad " } else { " " });
                    out.push(if negative { minus } else { '+' });
                    out.push(' ');
                }
            }
            let size = number(factor.abs(), self);
            // Writing to a string cannot fail.
            let _ = match &size[..] {
                "1" => write!(out, "{term}"),
                size => write!(out, "{}", self.product(&[size, term])),
            };
        }
        if out.is_empty() { "0".to_owned() } else { out }
    }
}

/// The shortest decimal within the rounding of the derivation.
fn number(x: f64, notation: Notation) -> String {
    let clean: f64 = format!("{x:.12e}").parse().unwrap_or(x);
    if clean == 0.0 || (1e-4..1e6).contains(&clean) {
        return clean.to_string();
    }
    let short = format!("{clean:e}");
    match (short.split_once('e'), notation) {
        (Some((mantissa, exponent)), Notation::Latex) => format!("{mantissa}\\cdot 10^{{{exponent}}}"),
        _ => short,
    }
}
