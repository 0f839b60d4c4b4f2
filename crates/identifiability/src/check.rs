//! Can these parameters be found from these sensors, and what would it take?
//!
//! A parameter is found alone if no null vector changes it. If one does, two things help: another sensor, or
//! knowing what the parameter is confused with. Both are tried here, not guessed: every sensor that is advised was
//! asked for its nullspace, and what has to be known are the other terms of an identifiable combination.

use steiner_dynamics::Mechanism;
use steiner_robot::{ParameterKind, Sensor, SensorSet};

use crate::analysis::{Analysis, Question};
use crate::base_parameters::{Preference, regroup};
use crate::completion::structural_nullspace;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;

/// Parameters that are given a combination of their own; more share those of the analysis.
const MOST_OWN_COMBINATIONS: usize = 200;
/// More parameters than this nobody would measure beforehand.
const MOST_KNOWN: usize = 4;
/// Sensor sets that are tried: of trees, where each takes milliseconds, and where loops close.
const MOST_TRIALS: usize = 40;
const MOST_TRIALS_WITH_LOOPS: usize = 2;

/// What sensors say about one parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Found alone.
    Alone,
    /// Only this combination can be found: (column, factor), the parameter itself first.
    Combined(Vec<(usize, f64)>),
    /// Nothing that is measured depends on it.
    NoEffect,
    /// Known beforehand.
    Known,
    /// It belongs to a link at rest on the ground, which only a force plate weighs.
    AtRest,
}

/// What would make a parameter identifiable.
#[derive(Clone, Debug, PartialEq)]
pub enum Cure {
    /// These sensors beside the others: the parameter is then found alone.
    Measure(SensorSet),
    /// These parameters, known beforehand: their labels.
    Know(Vec<String>),
}

/// The answer for one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct StructuralVerdict {
    /// Its label, as in `link6.m`.
    pub label: String,
    /// What the sensors say about it, over all motions.
    pub standing: Standing,
    /// The null vector of the analysis that tells why it is not found alone.
    pub because: Option<usize>,
    /// What would make it identifiable, the cheapest first; empty if nothing that was tried does.
    pub cures: Vec<Cure>,
}

/// Whether parameters can be found, by label, as an analysis of the same question says; with what would help where
/// they cannot.
pub fn check_structure(
    mechanism: &Mechanism,
    question: &Question,
    analysis: &Analysis,
    labels: &[String],
) -> Result<Vec<StructuralVerdict>, IdentifiabilityError> {
    if labels.is_empty() {
        return Ok(Vec::new());
    }
    let measurement = question.measurement(mechanism)?;
    let columns: Vec<Option<usize>> =
        labels.iter().map(|label| analysis.labels.iter().position(|other| other == label)).collect();
    let own = columns.len() <= MOST_OWN_COMBINATIONS;
    let mut trials = Trials::new(mechanism, question);
    let mut out = Vec::with_capacity(labels.len());
    for (label, column) in labels.iter().zip(columns) {
        let standing = match column {
            None => Standing::AtRest,
            Some(column) => standing(mechanism, &measurement, analysis, column, own),
        };
        let because = column.and_then(|column| because(analysis, column));
        let mut cures = Vec::new();
        if matches!(standing, Standing::Combined(_) | Standing::NoEffect | Standing::AtRest) {
            cures.extend(trials.sensors_for(label).map(Cure::Measure));
        }
        if let Standing::Combined(terms) = &standing
            && terms.len() <= MOST_KNOWN + 1
        {
            cures.push(Cure::Know(terms[1..].iter().map(|(c, _)| analysis.labels[*c].clone()).collect()));
        }
        out.push(StructuralVerdict { label: label.clone(), standing, because, cures });
    }
    Ok(out)
}

fn standing(
    mechanism: &Mechanism,
    measurement: &Measurement,
    analysis: &Analysis,
    column: usize,
    own: bool,
) -> Standing {
    let found = &analysis.regrouping;
    if analysis.known.iter().any(|(known, _)| *known == column) {
        return Standing::Known;
    }
    if found.alone.contains(&column) {
        return Standing::Alone;
    }
    if found.unidentifiable.contains(&column) {
        return Standing::NoEffect;
    }
    let terms_in = |base: &[crate::base_parameters::BaseParameter]| {
        let named = base.iter().find(|base| base.column == column);
        named
            .or_else(|| base.iter().find(|base| base.terms.iter().any(|(c, _)| *c == column)))
            .map(|base| base.terms.clone())
    };
    if !own {
        return Standing::Combined(terms_in(&found.base).unwrap_or_default());
    }
    // Masses can be weighed, so of combinations with few others one with masses is wanted.
    let masses = (0..analysis.labels.len())
        .rev()
        .filter(|&c| c != column && analysis.columns.id(c).kind == ParameterKind::M);
    let preferences = [
        Preference { keep: vec![column], ..Preference::default() },
        Preference { keep: vec![column], eliminate: masses.collect() },
    ];
    let combinations = preferences
        .iter()
        .filter_map(|wish| terms_in(&regroup(mechanism, measurement, &analysis.vectors, wish).base));
    let shortest =
        combinations.min_by_key(|terms| (terms.first().is_none_or(|t| t.0 != column), terms.len()));
    Standing::Combined(shortest.unwrap_or_default())
}

/// The null vector that changes a parameter and little else.
fn because(analysis: &Analysis, column: usize) -> Option<usize> {
    let changes = |k: &usize| analysis.vectors[*k].entries.iter().any(|(c, _)| *c == column);
    (0..analysis.vectors.len()).filter(changes).min_by_key(|&k| {
        let vector = &analysis.vectors[k];
        (vector.entries.len() > 1, vector.reason.bodies.len(), vector.entries.len())
    })
}

/// Sensor sets that were asked for their nullspace, and what each finds alone.
struct Trials<'a> {
    mechanism: &'a Mechanism,
    question: &'a Question,
    /// What each set adds; labels found alone with it, or nothing where it has no answer.
    asked: Vec<(SensorSet, Vec<String>)>,
    most: usize,
}

impl<'a> Trials<'a> {
    fn new(mechanism: &'a Mechanism, question: &'a Question) -> Self {
        let loops = !mechanism.robot().loops.is_empty();
        let most = if loops { MOST_TRIALS_WITH_LOOPS } else { MOST_TRIALS };
        Trials { mechanism, question, asked: Vec::new(), most }
    }

    /// The first set, cheap ones before dear ones, with which a parameter is found alone.
    fn sensors_for(&mut self, label: &str) -> Option<SensorSet> {
        self.candidates(label).into_iter().find(|set| self.finds(set, label))
    }

    fn finds(&mut self, set: &SensorSet, label: &str) -> bool {
        if let Some((_, alone)) = self.asked.iter().find(|(asked, _)| asked == set) {
            return alone.iter().any(|found| found == label);
        }
        if self.asked.len() >= self.most {
            return false;
        }
        // A sensor that cannot be where it is tried, inside a loop for one, is no advice.
        let alone = self.found_alone(set).unwrap_or_default();
        self.asked.push((set.clone(), alone));
        self.asked.last().is_some_and(|(_, alone)| alone.iter().any(|found| found == label))
    }

    fn found_alone(&self, set: &SensorSet) -> Result<Vec<String>, IdentifiabilityError> {
        let mut other =
            Question { measure: self.question.measure.with(set), known: Vec::new(), ..self.question.clone() };
        let mut labels = other.measurement(self.mechanism)?.labels(self.mechanism);
        other.known = self.question.known.clone();
        other.known.retain(|(label, _)| labels.contains(label));
        let nullspace = structural_nullspace(self.mechanism, &other.measurement(self.mechanism)?)?;
        let mut changed = vec![false; labels.len()];
        nullspace.vectors.iter().flat_map(|v| &v.entries).for_each(|(c, _)| changed[*c] = true);
        let mut changed = changed.into_iter();
        labels.retain(|_| changed.next() == Some(false));
        Ok(labels)
    }

    /// Sensors that may show a parameter: the torque of its joint, all torques in motion, a force plate, a
    /// force–torque sensor before its body, and one behind it as well.
    fn candidates(&self, label: &str) -> Vec<SensorSet> {
        let robot = self.mechanism.robot();
        let owner = label.rsplit_once('.').map_or(label, |(owner, _)| owner);
        let body = robot.bodies.iter().position(|body| body.name == owner || body.joint.name == owner);
        let measured = self.question.measure.sensors();
        let has = |sensor: &Sensor| measured.contains(sensor);
        let mut out: Vec<Vec<Sensor>> = Vec::new();
        if !has(&Sensor::All) {
            let torque = |b: usize| Sensor::Joints(vec![robot.bodies[b].joint.name.clone()]);
            out.extend(body.map(|body| vec![torque(body)]));
            out.push(vec![Sensor::All]);
        }
        if !has(&Sensor::BaseWrench) {
            out.push(vec![Sensor::BaseWrench]);
        }
        if let Some(body) = body {
            let inside = |b: usize| Sensor::JointWrench(robot.bodies[b].joint.name.clone());
            let children =
                (0..robot.bodies.len()).filter(|&k| robot.bodies[k].parent.is_some_and(|p| p.0 == body));
            let children: Vec<Sensor> = children.map(inside).filter(|sensor| !has(sensor)).collect();
            if !has(&inside(body)) {
                out.push(vec![inside(body)]);
            }
            if !children.is_empty() {
                out.push(children.clone());
                out.push(std::iter::once(inside(body)).chain(children).filter(|s| !has(s)).collect());
            }
        }
        out.into_iter().map(SensorSet::new).collect()
    }
}
