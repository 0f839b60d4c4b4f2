//! Base parameters in symbols: how the regroupings depend on lengths and angles.
//!
//! The weights β of a regrouping are rational functions of the named lengths and of sines and cosines of the named angles. They are evaluated
//! exactly, in F_p for trees and couplings, at many members of the family, and recovered by interpolation; every function is
//! compared with fresh members before it is believed. For loops β is computed with 62 digits at rational lengths, recognised as the
//! rational it is, and treated likewise. What resists is given as a number, with the reason.

mod family;
mod meaning;
mod special;
mod weights;

use std::sync::Arc;
use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_robot::{ConstantKind, JointKind, Robot};
use steiner_scalar::elimination::Matrix;
use steiner_scalar::{EvaluationError, Exact, Fp, QuadDouble};
use steiner_symbols::algebra::{
    Digits, Interpolation, Names, RationalFunction, Recovered, Resistance, Sample, Settings,
    interpolate_partial, recognise_residue,
};

pub use family::FamilyVariable;
pub use special::{SpecialMember, SpecialMembers, SpecialOutcome, SpecialSource, special_members};

use crate::analysis::{Analysis, Question, analyze};
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use family::{Family, given};
use weights::Split;

/// The factor of a parameter in a base parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Weight {
    /// As a function of lengths and angles.
    Function(RationalFunction),
    /// As a number, for the lengths of the file alone.
    Number {
        /// Its value.
        value: f64,
        /// Why it is no function.
        reason: String,
    },
}

/// A base parameter with what is regrouped into it.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolicParameter {
    /// The parameter it is named after.
    pub column: usize,
    /// (column, factor) of what is regrouped into it, in order.
    pub terms: Vec<(usize, Weight)>,
}

/// Base parameters as functions of lengths and angles.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// The robot with the names.
    pub robot: Robot,
    /// What the factors depend on: lengths, then angles.
    pub variables: Vec<FamilyVariable>,
    /// Their names, as functions know them.
    pub names: Arc<Names>,
    /// The base parameters.
    pub parameters: Vec<SymbolicParameter>,
    /// At how many members of the family β was evaluated.
    pub evaluations: usize,
    /// Digits β was evaluated with; `None` for residues, which are exact.
    pub digits: Option<u32>,
    /// At how many fresh members each function was compared with β before it was believed.
    pub checks: usize,
    /// What the reader should know, a sentence each.
    pub notes: Vec<String>,
    /// Time it took, without the analysis, s.
    pub seconds: f64,
}

impl Symbolic {
    /// Lengths (m) and angles (rad) of the file, as functions take them.
    pub fn values(&self) -> (Vec<f64>, Vec<f64>) {
        let of = |kind: ConstantKind| {
            let of_kind = self.variables.iter().filter(|variable| variable.kind == kind);
            of_kind.map(|variable| variable.value).collect()
        };
        (of(ConstantKind::Length), of(ConstantKind::Angle))
    }

    /// The member of the family with these values (m, rad) in the order of `variables`; what is tied to them follows.
    pub fn member(&self, values: &[Exact]) -> Result<Robot, EvaluationError> {
        self.robot.with_constants(&given(&self.variables, values.iter().cloned()))
    }

    /// How many factors are numbers.
    pub fn resisting(&self) -> usize {
        let number = |(_, weight): &&(usize, Weight)| matches!(weight, Weight::Number { .. });
        self.parameters.iter().flat_map(|parameter| &parameter.terms).filter(number).count()
    }
}

/// The base parameters of a robot in symbols, with the analysis they belong to. Files without named constants get names for all lengths
/// that aren't zero ([`Robot::with_named_constants`]).
pub fn symbolic(robot: &Robot, question: &Question) -> Result<(Analysis, Symbolic), IdentifiabilityError> {
    let named = if robot.constants.is_empty() { robot.with_named_constants() } else { robot.clone() };
    let mechanism = Mechanism::new(named.clone())?;
    let analysis = analyze(&mechanism, question)?;
    let started = Instant::now();
    let split = Split::of(&analysis);
    let mut family = Family::of(&named)?;
    let mut notes = family.keep_relations(question, &split);
    let entries = Entries::of(&analysis, &mechanism, question, split, &family)?;
    let (found, digits) = entries.recovered(&family, question)?;
    let parameters = entries.parameters(&analysis, found.entries);
    let out = Symbolic {
        robot: family.robot().clone(),
        variables: family.variables().to_vec(),
        names: family.names(),
        parameters,
        evaluations: found.evaluations,
        digits,
        checks: CHECKS,
        notes: std::mem::take(&mut notes),
        seconds: started.elapsed().as_secs_f64(),
    };
    Ok((analysis, out))
}

/// Fresh members a function must agree with.
const CHECKS: usize = 6;

/// The entries of β that aren't zero.
struct Entries {
    split: Split,
    /// (base, dependent), by place in the split.
    places: Vec<(usize, usize)>,
    /// The power of length of each entry, if parameters are those of bodies.
    dimensions: Vec<Option<i32>>,
    /// β of the file, in doubles.
    values: Vec<f64>,
}

impl Entries {
    fn of(
        analysis: &Analysis,
        mechanism: &Mechanism,
        question: &Question,
        split: Split,
        family: &Family,
    ) -> Result<Self, IdentifiabilityError> {
        let measurement = question.measurement(mechanism)?;
        let general = split.weighted(family, question);
        let mut places = Vec::new();
        let mut values = Vec::new();
        for (b, &column) in split.base.iter().enumerate() {
            let Some(base) = analysis.regrouping.base.iter().find(|base| base.column == column) else {
                continue;
            };
            for (d, &dependent) in split.dependent.iter().enumerate() {
                let term = base.terms.iter().skip(1).find(|(other, _)| *other == dependent);
                if term.is_some() || general.contains(&(b, d)) {
                    places.push((b, d));
                    values.push(term.map_or(0.0, |(_, value)| *value));
                }
            }
        }
        let powers: Vec<Option<i32>> = (0..analysis.labels.len())
            .map(|column| power_of_length(mechanism, &measurement, column))
            .collect();
        let dimension = |&(b, d): &(usize, usize)| -> Option<i32> {
            Some(powers[split.base[b]]? - powers[split.dependent[d]]?)
        };
        let dimensions = places.iter().map(dimension).collect();
        Ok(Entries { split, places, dimensions, values })
    }

    fn recovered(
        &self,
        family: &Family,
        question: &Question,
    ) -> Result<(Interpolation, Option<u32>), IdentifiabilityError> {
        if family.robot().loops.is_empty() {
            let found = self.interpolated(family, 9, &mut |sample| {
                let member = family.member(sample)?;
                let measurement = question.measurement(&member).ok()?;
                let beta = self.split.in_field(&member, &measurement).ok()??;
                Some(self.places.iter().map(|&place| Some(beta[place])).collect())
            });
            return Ok((found, None));
        }
        // Thirty digits would do for the entries themselves; along lines through several lengths their fractions are longer.
        let found = self.interpolated(family, 3, &mut |sample| self.recognised(family, question, sample));
        Ok((found, Some(62)))
    }

    /// β of a member with loops, each entry as the residue of the rational it is.
    fn recognised(&self, family: &Family, question: &Question, sample: &Sample) -> Option<Vec<Option<Fp>>> {
        let member = family.member(sample)?;
        let measurement = question.measurement(&member).ok()?;
        let beta: Matrix<QuadDouble> = self.split.in_digits(&member, &measurement).ok()??;
        // Closure and elimination cost 10 to 20 bits on the zoo, and more where a pivot is a small length.
        let error = (40.0 - QuadDouble::BITS).exp2();
        Some(self.places.iter().map(|&place| recognise_residue(beta[place], error)).collect())
    }

    fn interpolated(
        &self,
        family: &Family,
        digits: u32,
        black_box: &mut dyn FnMut(&Sample) -> Option<Vec<Option<Fp>>>,
    ) -> Interpolation {
        let names = family.names();
        let mut settings = Settings::near(family.centre().clone());
        settings.digits = digits;
        settings.checks = CHECKS;
        settings.spread = if family.robot().loops.is_empty() { 0.2 } else { 0.12 };
        settings.reference = Some(self.values.clone());
        let mut found = interpolate_partial(&names, &self.dimensions, black_box, &settings);
        // Lengths that are numbers in the file spoil dimensions.
        let inhomogeneous = |entry: &Recovered| {
            matches!(entry, Recovered::Resists(Resistance::Dimension { .. } | Resistance::NoSolution { .. }))
        };
        if found.entries.iter().any(inhomogeneous) {
            let unknown = vec![None; self.dimensions.len()];
            let again = interpolate_partial(&names, &unknown, black_box, &settings);
            found.evaluations += again.evaluations;
            for (entry, other) in found.entries.iter_mut().zip(again.entries) {
                if inhomogeneous(entry) {
                    *entry = other;
                }
            }
        }
        found
    }

    fn parameters(&self, analysis: &Analysis, found: Vec<Recovered>) -> Vec<SymbolicParameter> {
        let mut parameters: Vec<SymbolicParameter> = analysis
            .regrouping
            .base
            .iter()
            .map(|base| SymbolicParameter { column: base.column, terms: Vec::new() })
            .collect();
        for ((&(b, d), recovered), &value) in self.places.iter().zip(found).zip(&self.values) {
            let weight = match recovered {
                Recovered::Function(function) => Weight::Function(function),
                Recovered::Resists(reason) => Weight::Number { value, reason: reason.to_string() },
            };
            let column = self.split.base[b];
            if let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.column == column) {
                parameter.terms.push((self.split.dependent[d], weight));
            }
        }
        parameters
    }
}

/// The power of length in the unit of a parameter beside mass; `None` for friction.
fn power_of_length(mechanism: &Mechanism, measurement: &Measurement, column: usize) -> Option<i32> {
    let body = measurement.body_of(mechanism, column);
    let place = measurement.columns_of(mechanism, body).iter().position(|&other| other == column)?;
    match place {
        0 => Some(0),
        1..=3 => Some(1),
        4..=9 => Some(2),
        10 => {
            let moving = body.checked_sub(measurement.ground_count())?;
            let slides = matches!(mechanism.robot().bodies[moving].joint.kind, JointKind::Prismatic);
            Some(if slides { 0 } else { 2 })
        }
        _ => None,
    }
}
