//! Rust: one file, `no_std`, without unsafe code.

use std::fmt::Write;

use steiner_symbols::{Language, Node, Printer};

use super::angles::{angles, padded, rust_function};
use super::formulas::{Function, Quantity};
use super::program::{Code, SourceFile};
use super::prose::{commands, conventions, parameter_table, price};
use super::self_test::COLUMNS;

impl Code {
    /// The root of a crate without dependencies, in Rust.
    pub fn rust(&self) -> SourceFile {
        let number = self.precision.type_name(Language::Rust);
        let margin = "//! ";
        // Neither root nor exponential function is in `core`.
        let attribute = if self.has_further_friction && self.needs_std() { "" } else { "#![no_std]\n" };
        let mut text = format!(
            "{}{}{}{}",
            conventions(self, margin),
            parameter_table(self, margin),
            commands(&self.rust_commands(), "", margin),
            match attribute {
                "" => "//! Roots and exponential functions of its friction need `std`.\n",
                _ => "//! As a module of a crate it wants no `#![no_std]`.\n",
            }
        );
        let _ = write!(
            text,
            "{attribute}#![forbid(unsafe_code)]\n#![allow(clippy::all)]\n\n\
             /// Numbers in `qd`, `qdd` and `tau`.\npub const DOF: usize = {};\n\
             /// Numbers in `q`.\npub const CONFIGURATION: usize = {};\n\
             /// Numbers in `theta`.\npub const PARAMETERS: usize = {};\n\
             /// `theta` of the robot's own file.\npub const THETA: [{number}; {}] = {};\n",
            self.dof(),
            self.coordinates.configuration.len(),
            self.parameters.len(),
            self.parameters.len(),
            self.rust_array(&self.parameters.iter().map(|p| p.value).collect::<Vec<_>>()),
        );
        if self.has_angles() {
            let _ = write!(text, "\n{}", rust_function(self.precision));
        }
        for function in &self.functions {
            let _ = write!(text, "\n{}", self.rust_function(function));
        }
        let _ = write!(text, "\n{}", self.rust_self_test());
        SourceFile { name: format!("{}_dynamics.rs", self.prefix), text }
    }

    /// Whether some function takes a root or an exponential function.
    fn needs_std(&self) -> bool {
        let is_beyond_core = |node: &Node| matches!(node, Node::Root(_) | Node::Exponential(_));
        self.functions.iter().any(|function| function.graph.nodes().iter().any(is_beyond_core))
    }

    /// Shell commands, for the folder with the file, that compile the Rust code, and that
    /// compile and run its self-test.
    pub fn rust_commands(&self) -> [String; 2] {
        let prefix = &self.prefix;
        let rustc = "rustc --edition=2024 -C opt-level=3 -C target-cpu=native";
        [
            format!("{rustc} --crate-type=lib {prefix}_dynamics.rs"),
            format!("{rustc} --test -o {prefix}_self_test {prefix}_dynamics.rs && ./{prefix}_self_test"),
        ]
    }

    fn rust_array(&self, values: &[f64]) -> String {
        let lines: Vec<String> = values
            .chunks(4)
            .map(|chunk| {
                chunk
                    .iter()
                    .map(|&x| self.precision.literal(Language::Rust, x))
                    .collect::<Vec<_>>()
                    .join(", ")
            })
            .collect();
        format!("[\n    {},\n]", lines.join(",\n    "))
    }

    fn rust_function(&self, function: &Function) -> String {
        let number = self.precision.type_name(Language::Rust);
        let (quantity, graph) = (function.quantity, &function.graph);
        let result = result_name(quantity);
        let mut arguments: Vec<String> = self
            .arguments(quantity)
            .into_iter()
            .map(|name| format!("{name}: &[{number}; {}]", self.size_of(name)))
            .collect();
        arguments.push(format!("{result}: &mut [{number}; {}]", self.size_of(quantity.result())));
        let note = match quantity {
            Quantity::BaseRegressor => {
                "\n/// `y[k * PARAMETERS + j]` belongs to `tau[k]` and `theta[j]`. Entries that are always zero are not written: start from zeros."
            }
            _ => "",
        };
        let mut text = format!(
            "/// {}{note}\n///\n/// {}.\n{} {{\n",
            quantity.summary(),
            price(&function.operations()),
            rust_signature(quantity, &arguments)
        );
        let used = self.used_arrays(function);
        for name in self.arguments(quantity).into_iter().filter(|name| !used.contains(name)) {
            let _ = writeln!(text, "    let _ = {name};");
        }
        let mut printer = Printer::new(Language::Rust, self.precision).ordered(function.order());
        let angles = angles(graph, &function.outputs);
        if !angles.is_empty() {
            let mut names: Vec<String> = Vec::with_capacity(padded(angles.len()));
            for (k, &angle) in angles.iter().enumerate() {
                names.push(printer.inline(graph, angle));
                printer.bind_sine(graph, angle, format!("s[{k}]"));
                printer.bind_cosine(graph, angle, format!("c[{k}]"));
            }
            names.resize_with(padded(angles.len()), || printer.inline(graph, angles[angles.len() - 1]));
            // Compilers complain of what is never used.
            let needed = graph.needed(&function.outputs);
            let name = |is_one: fn(&Node) -> bool, name: &'static str| {
                let used = graph.nodes().iter().zip(&needed).any(|(node, needed)| *needed && is_one(node));
                if used { name } else { "_" }
            };
            let sines = name(|node| matches!(node, Node::Sine(_)), "s");
            let cosines = name(|node| matches!(node, Node::Cosine(_)), "c");
            let _ =
                writeln!(text, "    let ({sines}, {cosines}) = sines_and_cosines(&[{}]);", names.join(", "));
        }
        text.push_str(&printer.statements(graph, &self.written(function, result)));
        text.push_str("}\n");
        text
    }

    /// The self-test: τ, h and q̈ by comparison, M and Y by τ = M q̈ + h and τ = Y θ.
    fn rust_self_test(&self) -> String {
        let number = self.precision.type_name(Language::Rust);
        let tolerance = self.precision.literal(Language::Rust, self.tolerance());
        let accelerations = self.precision.literal(Language::Rust, self.acceleration_tolerance());
        let mut text = String::from(
            "/// Compares all functions with forces computed elsewhere: the number of results that are wrong.\n\
             pub fn self_test() -> usize {\n",
        );
        let columns = COLUMNS.into_iter().filter(|(name, _)| self.has_further_friction || *name != "linear");
        for (name, pick) in columns {
            let rows: Vec<String> = self.tests.iter().map(|state| self.rust_array(pick(state))).collect();
            let _ = writeln!(
                text,
                "    let {name}_all: [[{number}; {}]; {}] = [{}];",
                self.size_of(name),
                self.tests.len(),
                rows.join(", ")
            );
        }
        let _ = write!(
            text,
            "    let theta: [{number}; PARAMETERS] = {};\n    let size = |x: &[{number}; DOF]| x.iter().fold(1.0, |sum, x| sum + x.abs());\n    \
             let wrong = |found: &[{number}; DOF], wanted: &[{number}; DOF], allowed: {number}| {{\n        \
             found.iter().zip(wanted).filter(|(a, b)| !((*a - *b).abs() <= allowed)).count()\n    }};\n    \
             let mut count = 0;\n    for state in 0..{} {{\n        \
             let (q, qd, qdd, tau, h) = (&q_all[state], &qd_all[state], &qdd_all[state], &tau_all[state], &h_all[state]);\n        \
             let _ = (q, qd, qdd, tau, h, theta, size(tau));\n",
            self.rust_array(&self.test_theta),
            self.tests.len()
        );
        let linear = match self.has_further_friction {
            true => {
                text.push_str("        let linear = &linear_all[state];\n        let _ = linear;\n");
                "linear"
            }
            false => "tau",
        };
        for function in &self.functions {
            let quantity = function.quantity;
            let arguments: Vec<&str> = self
                .arguments(quantity)
                .into_iter()
                .map(|name| if name == "theta" { "&theta" } else { name })
                .collect();
            let _ = write!(
                text,
                "        let mut found = [0.0; {}];\n        {}({}, &mut found);\n",
                self.size_of(quantity.result()),
                quantity.name(),
                arguments.join(", ")
            );
            let (start, width, factor) = match quantity {
                Quantity::MassMatrix => ("*h", "DOF", "qdd"),
                _ => ("[0.0; DOF]", "PARAMETERS", "theta"),
            };
            text.push_str(&match quantity {
                Quantity::InverseDynamics => format!("        count += wrong(&found, tau, {tolerance} * size(tau));\n"),
                Quantity::BiasForces => format!("        count += wrong(&found, h, {tolerance} * size(tau));\n"),
                Quantity::ForwardDynamics => format!("        count += wrong(&found, qdd, {accelerations} * size(qdd));\n"),
                Quantity::MassMatrix | Quantity::BaseRegressor => format!(
                    "        let mut force: [{number}; DOF] = {start};\n        \
                     for (f, row) in force.iter_mut().zip(found.chunks_exact({width})) {{\n            \
                     *f += row.iter().zip({factor}).map(|(a, b)| a * b).sum::<{number}>();\n        }}\n        \
                     count += wrong(&force, {linear}, {tolerance} * size(tau));\n"
                ),
            });
        }
        text.push_str(
            "    }\n    count\n}\n\n#[test]\nfn results_are_right() {\n    assert_eq!(self_test(), 0);\n}\n",
        );
        text
    }
}

/// The head of a function, in one line if it is short.
fn rust_signature(quantity: Quantity, arguments: &[String]) -> String {
    let one_line = format!("pub fn {}({})", quantity.name(), arguments.join(", "));
    match one_line.len() <= 118 {
        true => one_line,
        false => format!("pub fn {}(\n    {},\n)", quantity.name(), arguments.join(",\n    ")),
    }
}

/// Rust wants variables in lower case.
fn result_name(quantity: Quantity) -> &'static str {
    match quantity.result() {
        "Y" => "y",
        "M" => "m",
        name => name,
    }
}
