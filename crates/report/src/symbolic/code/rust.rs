//! Formulas in Rust: a module without dependencies.

use std::fmt::Write;

use super::{File, Function, Sizes, rows};

impl File<'_> {
    pub(super) fn rust(&self) -> String {
        let Sizes { lengths: n, angles: a, parameters: p, base: b, weights: w } = self.sizes();
        let (lengths, angles) = self.formulas.values();
        let about: String =
            self.about().iter().map(|line| format!("//! {line}").trim_end().to_owned() + "\n").collect();
        let strings =
            |values: &[String]| self.strings(&values.iter().map(String::as_str).collect::<Vec<_>>(), "    ");
        let places: Vec<String> = self.places.iter().map(|(k, column)| format!("({k}, {column})")).collect();
        let mut out = format!(
            "{about}#![allow(clippy::all)]\n\n/// Lengths, in order.\npub const LENGTHS: [&str; {n}] = [\n{}\n];\n/// Angles, in order.\npub const ANGLES: [&str; {a}] = [\n{}\n];\n\
             /// The file's lengths, m.\npub const FILE_LENGTHS: [f64; {n}] = [\n{}\n];\n/// The file's angles, rad.\npub const FILE_ANGLES: [f64; {a}] = [\n{}\n];\n\
             /// π, in order.\npub const PARAMETERS: [&str; {p}] = [\n{}\n];\n/// What the base parameters are named after.\npub const BASE: [&str; {b}] = [\n{}\n];\n\
             /// (base parameter, parameter) of every weight.\npub const TERMS: [(usize, usize); {w}] = [\n{}\n];\n\
             /// The weights for the file's lengths, found without formulas.\npub const EXPECTED: [f64; {w}] = [\n{}\n];\n",
            strings(&self.formulas.names.lengths),
            strings(&self.formulas.names.angles),
            self.numbers(&lengths, "    "),
            self.numbers(&angles, "    "),
            strings(&self.labels()),
            self.strings(&self.base_labels(), "    "),
            rows(&places, "    "),
            self.numbers(&self.values, "    "),
        );
        for Function { name, what, statements, .. } in &self.functions {
            let _ = write!(
                out,
                "\n/// {what}\n#[allow(unused_variables)]\npub fn {name}(lengths: &[f64; {n}], angles: &[f64; {a}]) -> [f64; {w}] {{\n    \
                 let mut weights = [0.0; {w}];\n{statements}    weights\n}}\n",
            );
        }
        let _ = write!(
            out,
            "\n/// The base parameters of a robot with parameters π.\npub fn base_parameters(lengths: &[f64; {n}], angles: &[f64; {a}], pi: &[f64; {p}]) -> [f64; {b}] {{\n    \
             let mut base = [0.0; {b}];\n    for (weight, (row, column)) in weights(lengths, angles).iter().zip(TERMS) {{\n        base[row] += weight * pi[column];\n    }}\n    base\n}}\n\n\
             /// The largest error of a weight for the file's lengths, relative to its size or to 1.\npub fn self_check() -> f64 {{\n    \
             let found = weights(&FILE_LENGTHS, &FILE_ANGLES);\n    let error = |(x, y): (&f64, &f64)| (x - y).abs() / y.abs().max(1.0);\n    \
             found.iter().zip(&EXPECTED).map(error).fold(0.0, f64::max)\n}}\n\n#[test]\nfn weights_of_the_file_are_as_expected() {{\n    assert!(self_check() < 1e-9);\n}}\n",
        );
        out
    }
}
