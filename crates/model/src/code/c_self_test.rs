//! The self-test of generated C: τ, h and q̈ by comparison, M and Y by τ = M q̈ + h and τ = Y θ.

use std::fmt::Write;

use steiner_symbols::Language;

use super::formulas::{Function, Quantity};
use super::program::Code;
use super::self_test::{COLUMNS, columns_for};

impl Code {
    /// Data, and the function `<prefix>_self_test`.
    pub(crate) fn c_self_test(&self) -> String {
        let (prefix, number, dof) = (&self.prefix, self.precision.type_name(Language::C), self.dof());
        let literal = |x: f64| self.precision.literal(Language::C, x);
        let checks: String = self.functions.iter().map(|function| self.c_check(function)).collect();
        let mut data = String::new();
        let mut names = String::new();
        for (name, pick) in COLUMNS {
            let values: Vec<f64> = self.tests.iter().flat_map(|state| pick(state).iter().copied()).collect();
            // Compilers complain of what is never used.
            if self
                .functions
                .iter()
                .any(|function| columns_for(function.quantity, self.has_further_friction).contains(&name))
            {
                data += &self.c_data(name, &values);
                let size = self.size_of(name);
                let _ = writeln!(
                    names,
                    "        const {number} *{name} = {prefix}_test_{name} + state * {size};"
                );
            }
        }
        if checks.contains("test_theta") {
            data += &self.c_data("theta", &self.test_theta);
        }
        let (one, zero, tolerance) = (literal(1.0), literal(0.0), literal(self.tolerance()));
        format!(
            "{data}static int {prefix}_differs({number} found, {number} wanted, {number} allowed)
{{
    const {number} error = found > wanted ? found - wanted : wanted - found;
    return !(error <= allowed);
}}

static {number} {prefix}_size(const {number} *x)
{{
    {number} size = {one};
    for (int k = 0; k < {dof}; ++k) {{
        size += x[k] < {zero} ? -x[k] : x[k];
    }}
    return size;
}}

int {prefix}_self_test(void)
{{
    int wrong = 0;
    for (int state = 0; state < {states}; ++state) {{
{names}        const {number} allowed = {tolerance} * {prefix}_size(tau);
        (void)allowed;
{checks}    }}
    return wrong;
}}

#ifdef {flag}
#include <stdio.h>

int main(void)
{{
    const int wrong = {prefix}_self_test();
    (void)printf(\"{prefix}: %d wrong results\\n\", wrong);
    return wrong == 0 ? 0 : 1;
}}
#endif
",
            flag = self.c_self_test_flag(),
            states = self.tests.len(),
        )
    }

    fn c_data(&self, name: &str, values: &[f64]) -> String {
        let values = if values.is_empty() { &[0.0] } else { values };
        let number = self.precision.type_name(Language::C);
        format!(
            "static const {number} {}_test_{name}[{}] = {};\n\n",
            self.prefix,
            values.len(),
            self.c_array(values)
        )
    }

    /// One function at one state.
    fn c_check(&self, function: &Function) -> String {
        let (prefix, number, dof) = (&self.prefix, self.precision.type_name(Language::C), self.dof());
        let (quantity, found) = (function.quantity, format!("found_{}", function.quantity.result()));
        let (parameters, zero) = (self.parameters.len(), self.precision.literal(Language::C, 0.0));
        let accelerations = self.precision.literal(Language::C, self.acceleration_tolerance());
        let arguments: String = self
            .arguments(quantity)
            .into_iter()
            .map(|name| if name == "theta" { format!("{prefix}_test_theta, ") } else { format!("{name}, ") })
            .collect();
        let linear = if self.has_further_friction { "linear" } else { "tau" };
        // The force it stands for, if it is none itself, and what that must be.
        let (force, comparison) = match quantity {
            Quantity::InverseDynamics => (String::new(), format!("{found}[k], tau[k], allowed")),
            Quantity::BiasForces => (String::new(), format!("{found}[k], h[k], allowed")),
            Quantity::ForwardDynamics => {
                (String::new(), format!("{found}[k], qdd[k], {accelerations} * {prefix}_size(qdd)"))
            }
            Quantity::MassMatrix => (
                format!(
                    "                {number} force = h[k];
                for (int j = 0; j < {dof}; ++j) {{
                    force += {found}[k * {dof} + j] * qdd[j];
                }}\n"
                ),
                format!("force, {linear}[k], allowed"),
            ),
            Quantity::BaseRegressor => (
                format!(
                    "                {number} force = {zero};
                for (int j = 0; j < {parameters}; ++j) {{
                    force += {found}[k * {parameters} + j] * {prefix}_test_theta[j];
                }}\n"
                ),
                format!("force, {linear}[k], allowed"),
            ),
        };
        format!(
            "        {{
            {number} {found}[{length}] = {{ {zero} }};
            {prefix}_{function}({arguments}{found});
            for (int k = 0; k < {dof}; ++k) {{
{force}                wrong += {prefix}_differs({comparison});
            }}
        }}
",
            length = self.size_of(quantity.result()).max(1),
            function = quantity.name(),
        )
    }
}
