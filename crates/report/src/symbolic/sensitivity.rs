//! How regroupings change with a length or an angle.

use steiner_files::did_you_mean;
use steiner_identifiability::{FamilyVariable, Weight};
use steiner_robot::ConstantKind;
use steiner_symbols::algebra::RationalFunction;

use super::{BaseFormula, FormulaTerm, Formulas};

/// Derivatives of all weights with respect to one length or angle.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// The length or angle.
    pub variable: FamilyVariable,
    /// Base parameters that depend on it, with the derivatives of their weights; weights that don't are left
    /// out. Of weights that are numbers nobody knows the derivative: those are numbers too, and NaN.
    pub parameters: Vec<BaseFormula>,
    /// Weights that are numbers, whose derivatives nobody knows.
    pub unknown: usize,
}

impl Sensitivity {
    /// That some derivatives aren't known, as a sentence; `None` if all are.
    pub fn remark(&self) -> Option<String> {
        let name = &self.variable.name;
        match self.unknown {
            0 => None,
            1 => Some(format!(
                "? is the derivative of a weight that is a number: how it depends on {name} is not known"
            )),
            n => Some(format!(
                "? is the derivative of a weight that is a number, of which there are {n}: how they depend on {name} is not known"
            )),
        }
    }
}

impl Formulas {
    /// The derivatives with respect to the length or angle with a name, or a sentence why there are none.
    pub fn sensitivity(&self, name: &str) -> Result<Sensitivity, String> {
        let variable = self.variables.iter().find(|variable| variable.name == name);
        let variable = variable.ok_or_else(|| self.no_variable(name))?.clone();
        let derivative = |function: &RationalFunction| {
            let length = self.names.lengths.iter().position(|known| known == name);
            let angle = self.names.angles.iter().position(|known| known == name);
            match (variable.kind, length, angle) {
                (ConstantKind::Length, Some(k), _) => function.derivative_by_length(k),
                (ConstantKind::Angle, _, Some(k)) => function.derivative_by_angle(k),
                _ => RationalFunction::zero(&self.names),
            }
        };
        let (lengths, angles) = self.values();
        let mut unknown = 0;
        let mut parameters = Vec::new();
        for parameter in &self.parameters {
            let mut terms = Vec::new();
            for term in &parameter.terms {
                let (weight, value) = match &term.weight {
                    Weight::Function(function) => {
                        let derivative = derivative(function);
                        if derivative.is_zero() {
                            continue;
                        }
                        let value = derivative.evaluate(&lengths, &angles);
                        (Weight::Function(derivative), value)
                    }
                    Weight::Number { reason, .. } => {
                        unknown += 1;
                        (Weight::Number { value: f64::NAN, reason: reason.clone() }, f64::NAN)
                    }
                };
                terms.push(FormulaTerm { column: term.column, weight, value });
            }
            if !terms.is_empty() {
                parameters.push(BaseFormula { column: parameter.column, terms });
            }
        }
        Ok(Sensitivity { variable, parameters, unknown })
    }

    fn no_variable(&self, name: &str) -> String {
        let follows = |variable: &&FamilyVariable| variable.tied.iter().any(|(tied, _)| tied == name);
        if let Some(leader) = self.variables.iter().find(follows) {
            return format!("{}: `{name}` varies with `{}`; ask for that", self.robot, leader.name);
        }
        let known: Vec<&str> = self.variables.iter().map(|variable| variable.name.as_str()).collect();
        no_such_variable(&self.robot, name, &known)
    }
}

/// Says that a name is none of those of a robot's lengths and angles.
pub fn no_such_variable(robot: &str, name: &str, known: &[&str]) -> String {
    let hint = did_you_mean(name, known.iter().copied());
    match known.is_empty() {
        true => format!("{robot}: no weight depends on a length or an angle"),
        false => {
            format!("{robot}: there is no length or angle `{name}`{hint}; use one of {}", known.join(", "))
        }
    }
}
