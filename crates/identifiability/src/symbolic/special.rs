//! Special members of a family: the lengths at which another number of parameters is identifiable.
//!
//! Where a weight has a pole or vanishes, a pivot of the elimination did, so the factors of numerators and
//! denominators are candidates. A catalogue adds what a designer would try: a length zero, two lengths of
//! equal size (two pairs of them where loops close), an angle of 0 or 90°. Each candidate is analysed;
//! nothing is concluded from a formula alone.

use std::f64::consts::PI;

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_robot::{JointKind, Robot};
use steiner_scalar::Exact;

use super::Symbolic;
use super::candidates::{catalogue, equal_in_pairs, factors};
use super::meaning::meaning;
use crate::analysis::{Question, analyze};

/// Where a condition comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialSource {
    /// It is a factor of a numerator or denominator of a weight.
    Factor,
    /// It is one of those always tried.
    Catalogue,
}

/// What an analysis says of a special member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecialOutcome {
    /// So many base parameters.
    Identifiable(usize),
    /// There is no such mechanism, and why.
    Fails(String),
}

/// A special member of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecialMember {
    /// The condition in words of the family: `l1 = l3`.
    pub condition: String,
    /// Where it comes from.
    pub source: SpecialSource,
    /// The values that were changed to meet it (m, rad).
    pub values: Vec<(String, f64)>,
    /// What can be identified there.
    pub outcome: SpecialOutcome,
    /// What it means for the geometry; empty if nothing was recognised.
    pub meaning: String,
}

/// All that was examined.
#[derive(Clone, Debug, Default)]
pub struct SpecialMembers {
    /// Conditions with their outcomes, factors first.
    pub members: Vec<SpecialMember>,
    /// Factors that may vanish, but for no length near the file's that was found: not examined. Solved is
    /// what is linear in a length, or quadratic with simple roots.
    pub unsolved: Vec<String>,
    /// Conditions of the catalogue left out because there are too many.
    pub left_out: usize,
}

/// Examines special lengths and angles. `progress` is told how many of how many conditions are done.
pub fn special_members(
    symbolic: &Symbolic,
    question: &Question,
    progress: &mut dyn FnMut(usize, usize),
) -> SpecialMembers {
    let mut out = SpecialMembers::default();
    let mut candidates = Vec::new();
    factors(symbolic, &mut candidates, &mut out.unsolved);
    out.left_out = catalogue(symbolic, &mut candidates);
    let given: Vec<Exact> =
        symbolic.variables.iter().map(|variable| symbolic.value_of(&variable.name)).collect();
    // What the file meets already is the member everything is compared with.
    let value = |x: &Exact| x.to_f64().unwrap_or(f64::NAN);
    candidates.retain(|candidate| {
        candidate.changes.iter().any(|(place, changed)| value(changed) != value(&given[*place]))
    });
    let all = candidates.len();
    for (k, candidate) in candidates.into_iter().enumerate() {
        progress(k, all);
        let mut values = given.clone();
        candidate.changes.iter().for_each(|(place, value)| values[*place] = value.clone());
        let changed = |(place, value): &(usize, Exact)| {
            (symbolic.variables[*place].name.clone(), value.to_f64().unwrap_or(f64::NAN))
        };
        let mut member = SpecialMember {
            values: candidate.changes.iter().map(changed).collect(),
            condition: candidate.condition,
            source: candidate.source,
            outcome: SpecialOutcome::Fails(String::new()),
            meaning: String::new(),
        };
        let robot = match symbolic.member(&values) {
            Ok(robot) => robot,
            Err(error) => {
                out.members
                    .push(SpecialMember { outcome: SpecialOutcome::Fails(error.to_string()), ..member });
                continue;
            }
        };
        let meaning = meaning(&symbolic.robot, &robot);
        let reference = assembled_towards(symbolic, &given, &values);
        member.outcome = match robot.with_reference(reference) {
            Ok(robot) => examined(question, robot),
            Err(error) => SpecialOutcome::Fails(error.to_string()),
        };
        if matches!(member.outcome, SpecialOutcome::Identifiable(_)) {
            member.meaning = meaning;
        }
        let otherwise = match equal_in_pairs(symbolic, &values) {
            true => elsewhere(question, &robot, &member.outcome),
            false => None,
        };
        let condition = format!("{}, assembled otherwise", member.condition);
        let twin = otherwise.map(|outcome| SpecialMember { condition, outcome, ..member.clone() });
        out.members.push(member);
        out.members.extend(twin);
    }
    out
}

fn examined(question: &Question, robot: Robot) -> SpecialOutcome {
    let mechanism = match Mechanism::new(robot) {
        Ok(mechanism) => mechanism,
        Err(error) => return SpecialOutcome::Fails(error.to_string()),
    };
    match analyze(&mechanism, question) {
        Ok(analysis) => SpecialOutcome::Identifiable(analysis.identifiable()),
        Err(error) => SpecialOutcome::Fails(error.to_string()),
    }
}

/// Bodies up to which other assemblies of a mechanism with loops are looked for.
const FEW_BODIES: usize = 10;
/// How many are tried.
const STARTS: usize = 5;

/// Another number of base parameters, in another assembly of the same member: four links equal in pairs are a
/// parallelogram or its crossed twin.
fn elsewhere(question: &Question, robot: &Robot, here: &SpecialOutcome) -> Option<SpecialOutcome> {
    if robot.loops.is_empty() || robot.bodies.len() > FEW_BODIES {
        return None;
    }
    let mut stream = Stream::new(0x6272_616e);
    let starts = std::iter::repeat_with(|| {
        let mut reference = robot.reference.clone();
        let mut place = 0;
        for body in &robot.bodies {
            if matches!(body.joint.kind, JointKind::Revolute | JointKind::Continuous) {
                reference[place] = Exact::from_f64(PI * stream.uniform()).unwrap_or_else(Exact::zero);
            }
            place += body.joint.kind.configuration_size();
        }
        robot.with_reference(reference)
    });
    let outcomes = starts.take(STARTS).flatten().map(|start| examined(question, start));
    let counts = outcomes.filter(|outcome| matches!(outcome, SpecialOutcome::Identifiable(_)));
    counts.into_iter().find(|outcome| outcome != here)
}

/// Members between the file's and a special one.
const STEPS: i64 = 6;

/// Where the assembly of the file is led when its lengths become others little by little. A
/// special mechanism has branches that others haven't, and the file's guess may lie on another
/// than the file's assembly leads to.
fn assembled_towards(symbolic: &Symbolic, given: &[Exact], values: &[Exact]) -> Vec<Exact> {
    let mut reference = symbolic.robot.reference.clone();
    if symbolic.robot.loops.is_empty() {
        return reference;
    }
    for step in 0..STEPS {
        let part = Exact::fraction(step, STEPS as u64);
        let between = |(a, b): (&Exact, &Exact)| a.clone() + (b.clone() - a.clone()) * part.clone();
        let between: Vec<Exact> = given.iter().zip(values).map(between).collect();
        let assembled = symbolic.member(&between).ok().and_then(|robot| {
            let mechanism = Mechanism::new(robot.with_reference(reference.clone()).ok()?).ok()?;
            mechanism.reference_tree().iter().map(|x| Exact::from_f64(*x)).collect::<Option<Vec<_>>>()
        });
        reference = assembled.unwrap_or(reference);
    }
    reference
}
