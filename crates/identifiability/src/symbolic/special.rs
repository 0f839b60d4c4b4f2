//! Special members of a family: the lengths at which another number of parameters is identifiable.
//!
//! Where a weight has a pole or vanishes, a pivot of the elimination did, so the factors of numerators and denominators are candidates. A
//! catalogue adds what a designer would try: a length zero, two lengths equal (two pairs of them where loops close), an angle of 0 or 90°. Each
//! candidate is analysed; nothing is concluded from a formula alone.

use steiner_dynamics::Mechanism;
use steiner_robot::ConstantKind;
use steiner_scalar::{Exact, Rational};
use steiner_symbols::algebra::{Polynomial, Variable, factorise};

use super::meaning::meaning;
use super::{Symbolic, Weight};
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
    /// So many identifiable combinations.
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
    /// Factors that can vanish, but for values that are not rational in the others: not examined.
    pub unsolved: Vec<String>,
    /// Conditions of the catalogue left out because there are too many.
    pub left_out: usize,
}

/// Lengths of which all pairs are tried.
const ALL_PAIRS: usize = 8;
/// Most pairs otherwise, and most pairs of pairs.
const MOST_PAIRS: usize = 45;

struct Candidate {
    condition: String,
    source: SpecialSource,
    /// (variable, value).
    changes: Vec<(usize, Exact)>,
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
        symbolic.variables.iter().map(|variable| value_of(symbolic, &variable.name)).collect();
    let all = candidates.len();
    for (k, candidate) in candidates.into_iter().enumerate() {
        progress(k, all);
        let mut values = given.clone();
        candidate.changes.iter().for_each(|(place, value)| values[*place] = value.clone());
        let (outcome, meaning) = examined(symbolic, question, &values);
        let changed = |(place, value): &(usize, Exact)| {
            (symbolic.variables[*place].name.clone(), value.to_f64().unwrap_or(f64::NAN))
        };
        out.members.push(SpecialMember {
            values: candidate.changes.iter().map(changed).collect(),
            condition: candidate.condition,
            source: candidate.source,
            outcome,
            meaning,
        });
    }
    out
}

fn examined(symbolic: &Symbolic, question: &Question, values: &[Exact]) -> (SpecialOutcome, String) {
    let fails = |reason: String| (SpecialOutcome::Fails(reason), String::new());
    let robot = match symbolic.member(values) {
        Ok(robot) => robot,
        Err(error) => return fails(error.to_string()),
    };
    let words = meaning(&symbolic.robot, &robot);
    let mechanism = match Mechanism::new(robot) {
        Ok(mechanism) => mechanism,
        Err(error) => return fails(error.to_string()),
    };
    match analyze(&mechanism, question) {
        Ok(analysis) => (SpecialOutcome::Identifiable(analysis.identifiable()), words),
        Err(error) => fails(error.to_string()),
    }
}

fn value_of(symbolic: &Symbolic, name: &str) -> Exact {
    let constant = symbolic.robot.constants.iter().find(|constant| constant.name == name);
    constant.map_or_else(Exact::zero, |constant| constant.value.clone())
}

/// The place of a variable among lengths and angles.
fn place(symbolic: &Symbolic, variable: Variable) -> usize {
    match variable {
        Variable::Length(k) => k,
        Variable::Cosine(k) | Variable::Sine(k) => symbolic.names.lengths.len() + k,
    }
}

/// Conditions from numerators and denominators.
fn factors(symbolic: &Symbolic, out: &mut Vec<Candidate>, unsolved: &mut Vec<String>) {
    let mut seen: Vec<Polynomial> = Vec::new();
    let weights = symbolic.parameters.iter().flat_map(|parameter| &parameter.terms);
    for (_, weight) in weights {
        let Weight::Function(function) = weight else { continue };
        for side in [function.numerator(), function.denominator()] {
            for (factor, _) in factorise(side, &[]).factors {
                if factor.to_constant().is_none() && !seen.contains(&factor) {
                    seen.push(factor);
                }
            }
        }
    }
    seen.sort_by_cached_key(|factor| (factor.degree(), factor.len(), factor.text()));
    for factor in seen {
        // Sums of squares vanish with all their lengths only, which the catalogue covers one by one.
        if is_positive(&factor) {
            continue;
        }
        match solved(symbolic, &factor) {
            Some(candidate) if !is_known(out, &candidate) => out.push(candidate),
            Some(_) => {}
            None => unsolved.push(format!("{} = 0", factor.text())),
        }
    }
}

fn is_known(known: &[Candidate], candidate: &Candidate) -> bool {
    known.iter().any(|other| other.condition == candidate.condition)
}

/// Whether all terms are positive for positive lengths, and more than one.
fn is_positive(factor: &Polynomial) -> bool {
    let lengths_only = factor.variables().iter().all(|v| matches!(v, Variable::Length(_)));
    lengths_only && factor.len() > 1 && factor.terms().all(|(_, c)| !c.is_negative())
}

/// A factor that vanishes for one length or angle, the others being the file's. `None` if no length does it as a rational number of the
/// right sign.
fn solved(symbolic: &Symbolic, factor: &Polynomial) -> Option<Candidate> {
    let candidate = |condition: String, changes: Vec<(usize, Exact)>| {
        Some(Candidate { condition, source: SpecialSource::Factor, changes })
    };
    let variables = factor.variables();
    if let ([variable], 1, 1) = (variables.as_slice(), factor.len(), factor.degree()) {
        let at = place(symbolic, *variable);
        let name = &symbolic.variables[at].name;
        return match variable {
            Variable::Length(_) => candidate(format!("{name} = 0"), vec![(at, Exact::zero())]),
            Variable::Sine(_) => candidate(format!("{name} = 0"), vec![(at, Exact::zero())]),
            Variable::Cosine(_) => candidate(format!("{name} = 90°"), vec![(at, right_angle())]),
        };
    }
    if variables.iter().any(|variable| !matches!(variable, Variable::Length(_))) {
        return None;
    }
    let names = &symbolic.names;
    let values: Vec<Rational> =
        names.lengths.iter().map(|name| value_of(symbolic, name).to_rational()).collect::<Option<_>>()?;
    for variable in variables.iter().rev() {
        let Variable::Length(k) = *variable else { continue };
        if factor.degree_in(*variable) != 1 {
            continue;
        }
        let at = |x: i64| {
            let mut values = values.clone();
            values[k] = Rational::from(x);
            factor.evaluate_in(&values, &[])
        };
        let (zero, one) = (at(0)?, at(1)?);
        let slope = one - zero.clone();
        if slope.is_zero() {
            continue;
        }
        let root = -zero / slope;
        let same_sign = (root > Rational::ZERO) == (values[k] > Rational::ZERO) && !root.is_zero();
        if same_sign {
            return candidate(condition_text(factor), vec![(k, Exact::rational(root))]);
        }
    }
    None
}

/// `a = b` for a − b.
fn condition_text(factor: &Polynomial) -> String {
    let text = factor.text();
    match text.split_once(" - ") {
        Some((a, b)) if factor.len() == 2 => format!("{a} = {b}"),
        _ => format!("{text} = 0"),
    }
}

fn right_angle() -> Exact {
    Exact::pi() * Exact::fraction(1, 2)
}

/// Conditions that are always tried; how many were left out.
fn catalogue(symbolic: &Symbolic, out: &mut Vec<Candidate>) -> usize {
    let name = |k: usize| symbolic.variables[k].name.clone();
    let mut add = |condition: String, changes: Vec<(usize, Exact)>| {
        let candidate = Candidate { condition, source: SpecialSource::Catalogue, changes };
        if !is_known(out, &candidate) {
            out.push(candidate);
        }
    };
    let lengths = symbolic.names.lengths.len();
    for (k, variable) in symbolic.variables.iter().enumerate() {
        match variable.kind {
            ConstantKind::Length => add(format!("{} = 0", name(k)), vec![(k, Exact::zero())]),
            ConstantKind::Angle => {
                add(format!("{} = 0", name(k)), vec![(k, Exact::zero())]);
                add(format!("{} = 90°", name(k)), vec![(k, right_angle())]);
            }
        }
    }
    let differ = |a: usize, b: usize| symbolic.variables[a].value != symbolic.variables[b].value;
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for a in 0..lengths {
        pairs.extend((a + 1..lengths).filter(|&b| differ(a, b)).map(|b| (a, b)));
    }
    let all = pairs.len();
    if lengths > ALL_PAIRS {
        pairs.retain(|&(a, b)| occur_together(symbolic, a, b));
        pairs.truncate(MOST_PAIRS);
    }
    let mut left_out = all - pairs.len();
    let value = |k: usize| value_of(symbolic, &symbolic.variables[k].name);
    let sign = |k: usize| symbolic.variables[k].value.signum();
    // The first takes the size of the second and keeps its sign.
    let equal = |a: usize, b: usize| (b, if sign(a) == sign(b) { value(a) } else { -value(a) });
    for &(a, b) in &pairs {
        add(format!("{} = {}", name(a), name(b)), vec![equal(a, b)]);
    }
    if !symbolic.robot.loops.is_empty() {
        let mut twice = 0;
        for (i, &(a, b)) in pairs.iter().enumerate() {
            for &(c, d) in &pairs[i + 1..] {
                if [a, b].contains(&c) || [a, b].contains(&d) {
                    continue;
                }
                twice += 1;
                if twice > MOST_PAIRS {
                    left_out += 1;
                    continue;
                }
                let text = format!("{} = {} and {} = {}", name(a), name(b), name(c), name(d));
                add(text, vec![equal(a, b), equal(c, d)]);
            }
        }
    }
    left_out
}

/// Whether a weight depends on both lengths.
fn occur_together(symbolic: &Symbolic, a: usize, b: usize) -> bool {
    let weights = symbolic.parameters.iter().flat_map(|parameter| &parameter.terms);
    weights.into_iter().any(|(_, weight)| match weight {
        Weight::Function(function) => {
            let has = |k: usize| {
                let depends = |p: &Polynomial| p.degree_in(Variable::Length(k)) > 0;
                depends(function.numerator()) || depends(function.denominator())
            };
            has(a) && has(b)
        }
        Weight::Number { .. } => false,
    })
}
