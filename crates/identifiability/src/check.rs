//! Can these parameters be found from these sensors, and what would it take?
//!
//! A parameter is found alone if no null vector changes it. If one does, two things help: another sensor
//! (`trials.rs`), or knowing what the parameter is confused with: the other terms of an identifiable combination.

use steiner_dynamics::Mechanism;
use steiner_robot::{ParameterKind, SensorSet};

use crate::analysis::{Analysis, Question};
use crate::base_parameters::{BaseParameter, Preference, clean, regroup};
use crate::error::IdentifiabilityError;
use crate::field::in_own_field;
use crate::measure::Measurement;
use crate::trials::Trials;

/// Parameters that are given a combination of their own; more share those of the analysis.
const MOST_OWN_COMBINATIONS: usize = 200;
/// More parameters than this nobody would measure beforehand.
const MOST_KNOWN: usize = 4;
/// Factors that differ by less, relative to the largest, are the same.
const SAME_FACTOR: f64 = 1e-9;
/// A parameter whose factor is smaller than the largest by more than this has a small part in a combination, which
/// then is named after another.
const SMALL_PART: f64 = 10.0;

/// What sensors say about one parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Found alone.
    Alone,
    /// Only this combination can be found: (column, factor), the parameter itself first with factor 1; or, where its
    /// part is small, the base parameter that has it.
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
    let standings = columns.iter().map(|column| match column {
        None => Standing::AtRest,
        Some(column) => standing(mechanism, &measurement, analysis, *column, own),
    });
    let mut out: Vec<StructuralVerdict> = labels
        .iter()
        .zip(standings)
        .zip(&columns)
        .map(|((label, standing), column)| StructuralVerdict {
            label: label.clone(),
            standing,
            because: column.and_then(|column| because(analysis, column)),
            cures: Vec::new(),
        })
        .collect();
    let hidden = |verdict: &&StructuralVerdict| {
        matches!(verdict.standing, Standing::Combined(_) | Standing::NoEffect | Standing::AtRest)
    };
    let wanted: Vec<String> = out.iter().filter(hidden).map(|verdict| verdict.label.clone()).collect();
    let sensors = in_own_field(mechanism, || {
        let mut trials = Trials::new(mechanism, question, &measurement, &wanted)?;
        let sensors = wanted.iter().map(|label| trials.sensors_for(label)).collect::<Vec<_>>();
        Ok::<_, IdentifiabilityError>(sensors)
    })?;
    let mut sensors = sensors.into_iter();
    for verdict in &mut out {
        if hidden(&&*verdict) {
            verdict.cures.extend(sensors.next().flatten().map(Cure::Measure));
        }
        if let Standing::Combined(terms) = &verdict.standing
            && terms.len() <= MOST_KNOWN + 1
        {
            let others =
                terms.iter().map(|(c, _)| &analysis.labels[*c]).filter(|other| **other != verdict.label);
            verdict.cures.push(Cure::Know(others.cloned().collect()));
        }
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
    let terms_in = |base: &[BaseParameter]| {
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
    Standing::Combined(named(shortest.unwrap_or_default(), column, &found.base))
}

/// A combination named after the parameter, unless that has a small part in it: then after a base parameter.
fn named(terms: Vec<(usize, f64)>, column: usize, base: &[BaseParameter]) -> Vec<(usize, f64)> {
    let of = |c: usize| terms.iter().find(|(other, _)| *other == c).map_or(0.0, |(_, x)| *x);
    let largest = terms.iter().fold(0.0, |most: f64, (_, x)| most.max(x.abs()));
    if largest <= SMALL_PART * of(column).abs() {
        return terms;
    }
    let is_same = |group: &&BaseParameter| {
        let factor = of(group.column);
        let alike = |&(c, x): &(usize, f64)| (of(c) - factor * x).abs() <= SAME_FACTOR * factor.abs();
        factor != 0.0 && group.terms.len() == terms.len() && group.terms.iter().all(alike)
    };
    if let Some(group) = base.iter().find(is_same) {
        return group.terms.clone();
    }
    let is_large = |(_, x): &&(usize, f64)| x.abs() >= (1.0 - SAME_FACTOR) * largest;
    let is_base = |c: usize| base.iter().any(|group| group.column == c);
    let leader = terms.iter().filter(is_large).min_by_key(|(c, _)| (!is_base(*c), *c));
    let Some(&(leader, factor)) = leader else { return terms };
    let mut others: Vec<(usize, f64)> = terms.into_iter().filter(|(c, _)| *c != leader).collect();
    others.sort_by_key(|(c, _)| *c);
    let scaled = others.into_iter().map(|(c, x)| (c, clean(x / factor)));
    std::iter::once((leader, 1.0)).chain(scaled).collect()
}

/// The null vector that changes a parameter and little else.
fn because(analysis: &Analysis, column: usize) -> Option<usize> {
    let changes = |k: &usize| analysis.vectors[*k].entries.iter().any(|(c, _)| *c == column);
    (0..analysis.vectors.len()).filter(changes).min_by_key(|&k| {
        let vector = &analysis.vectors[k];
        (vector.entries.len() > 1, vector.reason.bodies.len(), vector.entries.len())
    })
}
