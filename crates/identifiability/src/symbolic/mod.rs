//! Base parameters in symbols: how the regroupings depend on lengths and angles.
//!
//! The weights β of a regrouping are rational functions of the named lengths and of sines and cosines of the
//! named angles. They are evaluated exactly, in F_p for trees and couplings, at many members of the family,
//! and recovered by interpolation; every function is compared with fresh members before it is believed. For
//! loops β is computed with 62 digits at rational lengths, recognised as the exact number it is, and treated
//! likewise. What resists is given as a number, with the reason.

mod candidates;
mod entries;
mod family;
mod meaning;
mod note;
mod roots;
mod special;
mod weights;

use std::sync::Arc;
use std::time::Instant;

use steiner_dynamics::Mechanism;
use steiner_robot::{ConstantKind, Robot};
use steiner_scalar::{EvaluationError, Exact};
use steiner_symbols::algebra::{Names, RationalFunction};

pub use family::FamilyVariable;
pub use note::SymbolicNote;
pub use special::{SpecialMember, SpecialMembers, SpecialOutcome, SpecialSource, special_members};

use crate::analysis::{Analysis, Question, analyze};
use crate::error::IdentifiabilityError;
use entries::{CHECKS, Entries};
use family::{Family, given};
use weights::Split;

/// The factor of a parameter in a base parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Weight {
    /// As a function of lengths and angles.
    Function(RationalFunction),
    /// As a number, for the lengths of the file alone.
    Number {
        /// Value of the weight at the file's lengths and angles.
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
    /// Base parameters with their weights as formulas.
    pub parameters: Vec<SymbolicParameter>,
    /// At how many members of the family β was evaluated.
    pub evaluations: usize,
    /// Digits β was evaluated with; `None` for residues, which are exact.
    pub digits: Option<u32>,
    /// At how many fresh members each function was compared with β before it was believed.
    pub checks: usize,
    /// What the reader should know.
    pub notes: Vec<SymbolicNote>,
    /// Time it took, without the analysis, s.
    pub seconds: f64,
}

impl Symbolic {
    /// Lengths (m) and angles (rad) of the file, as functions take them.
    pub fn values(&self) -> (Vec<f64>, Vec<f64>) {
        values_of(&self.variables)
    }

    /// The member of the family with these values (m, rad) in the order of
    /// `variables`; what is tied to them follows.
    pub fn member(&self, values: &[Exact]) -> Result<Robot, EvaluationError> {
        self.robot.with_constants(&given(&self.variables, values.iter().cloned()))
    }

    /// How many factors are numbers.
    pub fn resisting(&self) -> usize {
        let number = |(_, weight): &&(usize, Weight)| matches!(weight, Weight::Number { .. });
        self.parameters.iter().flat_map(|parameter| &parameter.terms).filter(number).count()
    }
}

fn values_of(variables: &[FamilyVariable]) -> (Vec<f64>, Vec<f64>) {
    let of = |kind: ConstantKind| {
        let of_kind = variables.iter().filter(|variable| variable.kind == kind);
        of_kind.map(|variable| variable.value).collect()
    };
    (of(ConstantKind::Length), of(ConstantKind::Angle))
}

/// The base parameters of a robot in symbols, with the analysis they belong to. Files without named constants
/// get names for all lengths that aren't zero ([`Robot::with_named_constants`]).
pub fn symbolic(robot: &Robot, question: &Question) -> Result<(Analysis, Symbolic), IdentifiabilityError> {
    let named = if robot.constants.is_empty() { robot.with_named_constants() } else { robot.clone() };
    let mechanism = Mechanism::new(named.clone())?;
    let analysis = analyze(&mechanism, question)?;
    let started = Instant::now();
    let split = Split::of(&analysis);
    let mut family = Family::of(&named);
    let notes = family.keep_relations(question, &split);
    let entries = Entries::of(&analysis, &mechanism, question, split, &family)?;
    let (found, digits) = entries.recovered(&family, question);
    let parameters = entries.parameters(&analysis, found.entries);
    let out = Symbolic {
        robot: family.robot().clone(),
        variables: family.variables().to_vec(),
        names: family.names(),
        parameters,
        evaluations: found.evaluations,
        digits,
        checks: CHECKS,
        notes,
        seconds: started.elapsed().as_secs_f64(),
    };
    Ok((analysis, out))
}
