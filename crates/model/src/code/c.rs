//! C99: one header, one source, nothing but `math.h`.

use std::fmt::Write;

use steiner_symbols::{Language, Printer};

use super::angles::{angles, c_function, padded};
use super::formulas::{Function, Quantity};
use super::program::{Code, SourceFile};
use super::prose::{commands, conventions, parameter_table, price};

impl Code {
    /// Header and source in C99.
    pub fn c(&self) -> [SourceFile; 2] {
        [
            SourceFile { name: format!("{}_dynamics.h", self.prefix), text: self.c_header() },
            SourceFile { name: format!("{}_dynamics.c", self.prefix), text: self.c_source() },
        ]
    }

    /// Shell commands, for the folder with the files, that compile the C code, and that
    /// compile and run its self-test.
    pub fn c_commands(&self) -> [String; 2] {
        let (prefix, flag) = (&self.prefix, self.c_self_test_flag());
        let cc = "cc -std=c99 -O3 -march=native -ffp-contract=fast";
        [
            format!("{cc} -c {prefix}_dynamics.c"),
            format!("{cc} -D{flag} -o {prefix}_self_test {prefix}_dynamics.c -lm && ./{prefix}_self_test"),
        ]
    }

    /// What makes the source a program that tests itself, if defined.
    pub(crate) fn c_self_test_flag(&self) -> String {
        format!("{}_SELF_TEST", self.prefix.to_uppercase())
    }

    fn c_header(&self) -> String {
        let prefix = &self.prefix;
        let upper = prefix.to_uppercase();
        let number = self.precision.type_name(Language::C);
        let mut text = String::new();
        let margin = " * ";
        let _ = write!(
            text,
            "/*\n{}{}{} */\n",
            conventions(self, margin),
            parameter_table(self, margin),
            commands(&self.c_commands(), "-lm", margin)
        );
        let _ = write!(
            text,
            "#ifndef {upper}_DYNAMICS_H\n#define {upper}_DYNAMICS_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
             #define {upper}_DOF {} /* numbers in qd, qdd, tau */\n\
             #define {upper}_CONFIGURATION {} /* numbers in q */\n\
             #define {upper}_PARAMETERS {} /* numbers in theta */\n\n\
             /* theta of the robot's own file. */\nextern const {number} {prefix}_theta[{}];\n",
            self.dof(),
            self.coordinates.configuration.len(),
            self.parameters.len(),
            self.parameters.len().max(1),
        );
        for function in &self.functions {
            let note = match function.quantity {
                Quantity::BaseRegressor => {
                    "\n * Y[k * PARAMETERS + j] belongs to tau[k] and theta[j]. Entries that are always zero are not written: clear Y once."
                }
                _ => "",
            };
            let _ = write!(
                text,
                "\n/* {}{note} */\n{};\n",
                function.quantity.summary(),
                self.c_signature(function, "")
            );
        }
        let _ = write!(
            text,
            "\n/* Compares all functions with forces computed elsewhere: the number of results that are wrong. */\n\
             int {prefix}_self_test(void);\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n"
        );
        text
    }

    /// The head of a function; `restrict` is for the definition, where it matters, as C++ doesn't know it.
    fn c_signature(&self, function: &Function, restrict: &str) -> String {
        let number = self.precision.type_name(Language::C);
        let array = |name: &str| format!("{name}[{restrict}{}]", self.size_of(name).max(1));
        let mut arguments: Vec<String> = self
            .arguments(function.quantity)
            .into_iter()
            .map(|name| format!("const {number} {}", array(name)))
            .collect();
        arguments.push(format!("{number} {}", array(function.quantity.result())));
        let name = format!("void {}_{}(", self.prefix, function.quantity.name());
        let one_line = format!("{name}{})", arguments.join(", "));
        match one_line.len() <= 120 {
            true => one_line,
            false => format!("{name}\n    {})", arguments.join(",\n    ")),
        }
    }

    fn c_source(&self) -> String {
        let prefix = &self.prefix;
        let number = self.precision.type_name(Language::C);
        let mut text = format!(
            "/* Dynamics of {}: see {prefix}_dynamics.h for conventions and parameters. */\n#include \"{prefix}_dynamics.h\"\n\n#include <math.h>\n\n",
            comment_safe(&self.robot_name)
        );
        if self.has_angles() {
            text.push_str(&c_function(prefix, self.precision));
        }
        let values: Vec<f64> = self.parameters.iter().map(|p| p.value).collect();
        let _ = write!(
            text,
            "\nconst {number} {prefix}_theta[{}] = {};\n",
            values.len().max(1),
            self.c_array(if values.is_empty() { &[0.0] } else { &values })
        );
        for function in &self.functions {
            let _ = write!(text, "\n{}", self.c_function(function));
        }
        let _ = write!(text, "\n{}", self.c_self_test());
        text
    }

    /// A brace list, four numbers to a line.
    pub(crate) fn c_array(&self, values: &[f64]) -> String {
        let lines: Vec<String> = values
            .chunks(4)
            .map(|chunk| {
                chunk.iter().map(|&x| self.precision.literal(Language::C, x)).collect::<Vec<_>>().join(", ")
            })
            .collect();
        format!("{{\n    {}\n}}", lines.join(",\n    "))
    }

    fn c_function(&self, function: &Function) -> String {
        let number = self.precision.type_name(Language::C);
        let mut printer = Printer::new(Language::C, self.precision).ordered(function.order());
        let mut text = format!(
            "/* {}. */\n{}\n{{\n",
            price(&function.operations()),
            self.c_signature(function, "restrict ")
        );
        let (graph, result) = (&function.graph, function.quantity.result());
        let used = self.used_arrays(function);
        for name in self.arguments(function.quantity).into_iter().filter(|name| !used.contains(name)) {
            let _ = writeln!(text, "    (void){name};");
        }
        if self.written(function, result).is_empty() {
            let _ = writeln!(text, "    (void){result};");
        }
        let angles = angles(graph, &function.outputs);
        if !angles.is_empty() {
            let size = padded(angles.len());
            let mut names: Vec<String> = Vec::with_capacity(size);
            for (k, &angle) in angles.iter().enumerate() {
                names.push(printer.inline(graph, angle));
                printer.bind_sine(graph, angle, format!("s[{k}]"));
                printer.bind_cosine(graph, angle, format!("c[{k}]"));
            }
            // The last angle once more, rather than a zero that would have to be stored first.
            names.resize_with(size, || printer.inline(graph, angles[angles.len() - 1]));
            let _ = write!(
                text,
                "    const {number} angle[{size}] = {{ {} }};\n    {number} s[{size}], c[{size}];\n    \
                 {}_sines_and_cosines({size}, angle, s, c);\n",
                names.join(", "),
                self.prefix
            );
        }
        text.push_str(&printer.statements(graph, &self.written(function, result)));
        text.push_str("}\n");
        text
    }
}

/// Names from files must not end a comment.
pub(crate) fn comment_safe(name: &str) -> String {
    name.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}
