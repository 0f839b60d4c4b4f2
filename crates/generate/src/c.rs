//! C99: one header, one source, nothing but `math.h`.

use std::fmt::Write;

use steiner_symbols::{Language, Printer};

use crate::angles::{angles, c_function, padded};
use crate::formulas::{Function, Quantity};
use crate::model::{Model, SourceFile};
use crate::prose::{conventions, parameter_table};

impl Model {
    /// Header and source in C99.
    pub fn c(&self) -> [SourceFile; 2] {
        [
            SourceFile { name: format!("{}_dynamics.h", self.prefix), text: self.c_header() },
            SourceFile { name: format!("{}_dynamics.c", self.prefix), text: self.c_source() },
        ]
    }

    fn c_header(&self) -> String {
        let prefix = &self.prefix;
        let upper = prefix.to_uppercase();
        let number = self.precision.type_name(Language::C);
        let mut text = String::new();
        let _ = write!(text, "/*\n{}\n{}*/\n", conventions(self, " * "), parameter_table(self, " * "));
        let _ = write!(
            text,
            "#ifndef {upper}_DYNAMICS_H\n#define {upper}_DYNAMICS_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
             #define {upper}_DOF {}\n#define {upper}_CONFIGURATION {}\n#define {upper}_PARAMETERS {}\n\n\
             /* The base parameters of the robot's own inertias. */\nextern const {number} {prefix}_theta[{}];\n",
            self.dof(),
            self.configuration.len(),
            self.parameters.len(),
            self.parameters.len().max(1),
        );
        for function in &self.functions {
            let note = match function.quantity {
                Quantity::BaseRegressor => " Entries that are always zero are not written: clear Y once.",
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
        format!("void {}_{}({})", self.prefix, function.quantity.name(), arguments.join(", "))
    }

    fn c_source(&self) -> String {
        let prefix = &self.prefix;
        let number = self.precision.type_name(Language::C);
        let mut text = format!(
            "/* Dynamics of {}: see {prefix}_dynamics.h for conventions and parameters. */\n#include \"{prefix}_dynamics.h\"\n\n#include <math.h>\n\n",
            comment_safe(&self.robot_name)
        );
        text.push_str(&c_function(prefix, self.precision));
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
    fn c_array(&self, values: &[f64]) -> String {
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
        let operations = function.operations();
        let mut printer = Printer::new(Language::C, self.precision).ordered(function.quantity.order());
        let mut text = format!(
            "/* {} multiplications, {} additions, {} divisions, {} angles. */\n{}\n{{\n",
            operations.multiplications,
            operations.additions,
            operations.divisions,
            operations.angles,
            self.c_signature(function, "restrict ")
        );
        let (graph, result) = (&function.graph, function.quantity.result());
        let used = self.used_arrays(function);
        for name in self.arguments(function.quantity).into_iter().filter(|name| !used.contains(name)) {
            let _ = writeln!(text, "    (void){name};");
        }
        let angles = angles(graph, &function.outputs);
        if !angles.is_empty() {
            let size = padded(angles.len());
            let zero = self.precision.literal(Language::C, 0.0);
            let mut names: Vec<String> = Vec::with_capacity(size);
            for (k, &angle) in angles.iter().enumerate() {
                names.push(printer.inline(graph, angle));
                printer.bind_sine(graph, angle, format!("s[{k}]"));
                printer.bind_cosine(graph, angle, format!("c[{k}]"));
            }
            names.resize(size, zero);
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

    /// The self-test: τ, h and q̈ by comparison, M and Y by τ = M q̈ + h and τ = Y θ.
    fn c_self_test(&self) -> String {
        let (prefix, number) = (&self.prefix, self.precision.type_name(Language::C));
        let (dof, parameters) = (self.dof(), self.parameters.len());
        let mut text = String::new();
        for (name, pick) in crate::self_test::COLUMNS {
            let values: Vec<f64> = self.tests.iter().flat_map(|state| pick(state).iter().copied()).collect();
            let _ = write!(
                text,
                "static const {number} {prefix}_test_{name}[{}] = {};\n\n",
                values.len().max(1),
                self.c_array(if values.is_empty() { &[0.0] } else { &values })
            );
        }
        let _ = write!(
            text,
            "static const {number} {prefix}_test_theta[{}] = {};\n\n",
            parameters.max(1),
            self.c_array(if parameters == 0 { &[0.0] } else { &self.test_theta })
        );
        let tolerance = self.precision.literal(Language::C, self.tolerance());
        let accelerations = self.precision.literal(Language::C, self.acceleration_tolerance());
        let one = self.precision.literal(Language::C, 1.0);
        let zero = self.precision.literal(Language::C, 0.0);
        let _ = write!(
            text,
            "static int {prefix}_differs({number} found, {number} wanted, {number} allowed)\n{{\n    \
             const {number} error = found > wanted ? found - wanted : wanted - found;\n    \
             return !(error <= allowed);\n}}\n\n\
             static {number} {prefix}_size(const {number} *x)\n{{\n    {number} size = {one};\n    \
             for (int k = 0; k < {dof}; ++k) size += x[k] < {zero} ? -x[k] : x[k];\n    return size;\n}}\n\n\
             int {prefix}_self_test(void)\n{{\n    int wrong = 0;\n    for (int state = 0; state < {}; ++state) {{\n",
            self.tests.len()
        );
        for (name, _) in crate::self_test::COLUMNS {
            let size = self.size_of(name);
            let _ = writeln!(text, "        const {number} *{name} = {prefix}_test_{name} + state * {size};");
        }
        let _ = writeln!(
            text,
            "        const {number} allowed = {tolerance} * {prefix}_size(tau);\n        (void)qd; (void)qdd; (void)h; (void)allowed; (void){prefix}_test_theta;"
        );
        for function in &self.functions {
            let (quantity, result) = (function.quantity, function.quantity.result());
            let arguments: Vec<String> = self
                .arguments(quantity)
                .into_iter()
                .map(|name| if name == "theta" { format!("{prefix}_test_theta") } else { name.to_owned() })
                .collect();
            let (length, expected) = (self.size_of(result).max(1), format!("found_{result}"));
            let _ = write!(
                text,
                "        {{\n            {number} {expected}[{length}] = {{ {zero} }};\n            \
                 {prefix}_{}({}, {expected});\n            for (int k = 0; k < {dof}; ++k) {{\n",
                quantity.name(),
                arguments.join(", ")
            );
            let check = match quantity {
                Quantity::InverseDynamics => format!("{prefix}_differs({expected}[k], tau[k], allowed)"),
                Quantity::BiasForces => format!("{prefix}_differs({expected}[k], h[k], allowed)"),
                Quantity::ForwardDynamics => {
                    format!("{prefix}_differs({expected}[k], qdd[k], {accelerations} * {prefix}_size(qdd))")
                }
                Quantity::MassMatrix => {
                    let _ = write!(
                        text,
                        "                {number} force = h[k];\n                for (int j = 0; j < {dof}; ++j) \
                         force += {expected}[k * {dof} + j] * qdd[j];\n"
                    );
                    format!("{prefix}_differs(force, tau[k], allowed)")
                }
                Quantity::BaseRegressor => {
                    let _ = write!(
                        text,
                        "                {number} force = {zero};\n                for (int j = 0; j < {parameters}; ++j) \
                         force += {expected}[k * {parameters} + j] * {prefix}_test_theta[j];\n"
                    );
                    format!("{prefix}_differs(force, tau[k], allowed)")
                }
            };
            let _ = write!(text, "                wrong += {check};\n            }}\n        }}\n");
        }
        text.push_str("    }\n    return wrong;\n}\n");
        text
    }
}

/// Names from files must not end a comment.
pub(crate) fn comment_safe(name: &str) -> String {
    name.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ")
}
