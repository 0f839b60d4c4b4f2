//! Formulas in C99: one file, no allocation.

use std::fmt::Write;

use super::{File, Function, Sizes, rows};

impl File<'_> {
    pub(super) fn c(&self) -> String {
        let Sizes { lengths: n, angles: a, parameters: p, base: b, weights: w } = self.sizes();
        let prefix = &self.prefix;
        let shout = prefix.to_ascii_uppercase();
        let (lengths, angles) = self.formulas.values();
        let about: String =
            self.about().iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n").collect();
        let index = |pick: &dyn Fn(&(usize, usize)) -> usize| {
            rows(&self.places.iter().map(|place| pick(place).to_string()).collect::<Vec<_>>(), "    ")
        };
        // C has no arrays of size zero; what isn't there is never read.
        let values = |values: &[f64]| match values.is_empty() {
            true => "    0.0,".to_owned(),
            false => self.numbers(values, "    "),
        };
        let mut out = format!(
            "/* {}\n *\n * To test it: cc -std=c99 -D{shout}_SELF_CHECK FILE -lm && ./a.out\n */\n#include <math.h>\n\n\
             enum {{\n    {shout}_LENGTHS = {n},\n    {shout}_ANGLES = {a},\n    {shout}_PARAMETERS = {p},\n    {shout}_BASE = {b},\n    {shout}_WEIGHTS = {w}\n}};\n\n\
             /* pi, in order. */\nconst char *const {prefix}_parameter_names[{p}] = {{\n{}\n}};\n\n\
             /* What the base parameters are named after. */\nconst char *const {prefix}_base_names[{b}] = {{\n{}\n}};\n\n\
             /* Base parameter and parameter of every weight. */\nconst int {prefix}_weight_base[{w}] = {{\n{}\n}};\n\
             const int {prefix}_weight_parameter[{w}] = {{\n{}\n}};\n\n\
             /* The file's lengths (m) and angles (rad), and the weights for them, found without formulas. */\n\
             const double {prefix}_file_lengths[] = {{\n{}\n}};\nconst double {prefix}_file_angles[] = {{\n{}\n}};\n\
             const double {prefix}_expected[{w}] = {{\n{}\n}};\n",
            about.trim_start_matches(" * ").trim_end(),
            self.strings(&self.labels(), "    "),
            self.strings(&self.base_labels(), "    "),
            index(&|place| place.0),
            index(&|place| place.1),
            values(&lengths),
            values(&angles),
            self.numbers(&self.values, "    "),
        );
        for Function { name, what, statements, leaves_zeros } in &self.functions {
            let zeros = match leaves_zeros {
                true => format!("    for (int k = 0; k < {w}; ++k) {{\n        weights[k] = 0.0;\n    }}\n"),
                false => String::new(),
            };
            let _ = write!(
                out,
                "\n/* {what} */\nvoid {prefix}_{name}(const double *lengths, const double *angles, double *weights)\n{{\n    (void)lengths;\n    (void)angles;\n{zeros}{statements}}}\n",
            );
        }
        let _ = write!(
            out,
            "\n/* The base parameters of a robot with parameters pi. */\nvoid {prefix}_base_parameters(const double *lengths, const double *angles, const double *pi, double *base)\n{{\n    \
             double weights[{w}];\n    {prefix}_weights(lengths, angles, weights);\n    for (int k = 0; k < {b}; ++k) {{\n        base[k] = 0.0;\n    }}\n    \
             for (int k = 0; k < {w}; ++k) {{\n        base[{prefix}_weight_base[k]] += weights[k] * pi[{prefix}_weight_parameter[k]];\n    }}\n}}\n\n\
             /* The largest error of a weight for the file's lengths, relative to its size or to 1. */\ndouble {prefix}_self_check(void)\n{{\n    \
             double weights[{w}];\n    double largest = 0.0;\n    {prefix}_weights({prefix}_file_lengths, {prefix}_file_angles, weights);\n    \
             for (int k = 0; k < {w}; ++k) {{\n        const double wanted = {prefix}_expected[k];\n        const double error = fabs(weights[k] - wanted) / fmax(1.0, fabs(wanted));\n        \
             largest = fmax(largest, error);\n    }}\n    return largest;\n}}\n\n\
             #ifdef {shout}_SELF_CHECK\n#include <stdio.h>\n\nint main(void)\n{{\n    const double error = {prefix}_self_check();\n    \
             printf(\"largest error %.1e\\n\", error);\n    return error < 1e-9 ? 0 : 1;\n}}\n#endif\n",
        );
        out
    }
}
