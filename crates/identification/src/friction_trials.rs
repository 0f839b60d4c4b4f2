//! Which friction a joint has: terms are tried on blocks of the log that were left out.
//!
//! The rows of one joint are fitted alone, with all base parameters they see, so that joints don't disturb each
//! other and every choice costs a small triangle. Terms are added one after the other, the best first, as long
//! as blocks left out are predicted better by more than chance and a penalty would explain.

use steiner_identifiability::MeasuredRow;
use steiner_linalg::triangle::Triangle;
use steiner_logs::{Recording, Role};

use crate::accumulate::{Reduced, Source, row_residual};
use crate::estimate::{values_only, weighted};
use crate::failure::IdentificationError;
use crate::friction_term::{FrictionTerm, JointFriction};
use crate::problem::Problem;
use crate::recorded_logs::blocks;
use crate::settings::{Estimator, Settings};

/// Stribeck speeds that are tried, in parts of the joint's usual speed (root mean square).
const STRIBECK: [f64; 3] = [0.05, 0.15, 0.4];
/// A term must take this part off the error of blocks left out…
const WORTH: f64 = 0.04;
/// …a torque that depends on position more, because gravity looks alike…
const HARMONIC_WORTH: f64 = 0.2;
/// …and this part off the whole force: what is explained that well needs no further friction…
const LEAST_GAIN: f64 = 0.0005;
/// …and help in all of them but one.
const SPARED: usize = 1;
/// Terms of one joint, at most, one of each family.
const MOST_TERMS: usize = 3;

/// What was tried for a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionTrials {
    /// Name of the joint.
    pub joint: String,
    /// Error of blocks left out with viscous and Coulomb friction alone, relative to the force; its own row
    /// fitted alone.
    pub simple: f64,
    /// What each term alone would have given.
    pub tried: Vec<(FrictionTerm, f64)>,
    /// What was chosen, in order.
    pub chosen: Vec<FrictionTerm>,
    /// The error with what was chosen.
    pub error: f64,
}

/// Tries terms for every joint whose force is measured and whose drive is unknown.
pub(crate) fn friction_trials(
    problem: &Problem,
    source: &mut dyn Source,
    settings: &Settings,
) -> Result<Vec<FrictionTrials>, IdentificationError> {
    let joints = joints(problem);
    if joints.is_empty() {
        return Ok(Vec::new());
    }
    let simple = source.trial_recordings(settings.friction())?;
    let dof = problem.mechanism().dof();
    // Accelerations would depend on themselves through the load.
    let simulates = matches!(settings.estimator, Estimator::Simulation { .. });
    let possible = |term: &FrictionTerm| !(simulates && *term == FrictionTerm::Load);
    let own = |k: usize| candidates(&simple, k, dof).into_iter().filter(possible).collect();
    let terms: Vec<(usize, Vec<FrictionTerm>)> = joints.iter().map(|&(r, k, _)| (r, own(k))).collect();
    let mut all = settings.clone();
    for ((_, terms), (.., joint)) in terms.iter().zip(&joints) {
        let of = |&term: &FrictionTerm| JointFriction { joint: Some(joint.clone()), term };
        all.friction_terms.extend(terms.iter().map(of));
    }
    let mut rich = problem.with_friction(&all)?;
    rich.set_load_by(&loads(problem, &rich, &simple)?);
    let blocks = blocks(&rich, &source.trial_recordings(all.friction())?)?;
    if blocks.len() < 2 {
        return Ok(Vec::new());
    }
    let trials = terms.into_iter().zip(joints).filter_map(|((r, terms), (.., joint))| {
        let mut trial = Row::new(&rich, &blocks, r).choose(&terms)?;
        trial.joint = joint;
        Some(trial)
    });
    Ok(trials.collect())
}

/// (row, independent coordinate, name) of joints with a drive of their own, of which no term was asked for.
fn joints(problem: &Problem) -> Vec<(usize, usize, String)> {
    let driven = problem.measurement().driven();
    let independent = &problem.mechanism().plan().independent;
    let joint = |(r, row): (usize, &crate::problem::MeasuredForce)| {
        let MeasuredRow::Force(k) = row.kind else { return None };
        let (joint, _) = driven.iter().find(|(_, velocity)| *velocity == independent[k])?;
        let label = format!("{joint}.fc");
        let unknown = row.sees.iter().any(|&b| problem.labels()[problem.base()[b].column] == label);
        unknown.then(|| (r, k, (*joint).to_owned()))
    };
    problem.rows().iter().enumerate().filter_map(joint).collect()
}

/// The terms to try for a coordinate, whose usual speed the recordings tell.
fn candidates(recordings: &[Recording], coordinate: usize, dof: usize) -> Vec<FrictionTerm> {
    let speeds = recordings.iter().flat_map(|recording| recording.qd.iter().skip(coordinate).step_by(dof));
    let (sum, count) = speeds.fold((0.0, 0usize), |(sum, count), v| (sum + v * v, count + 1));
    let usual = (sum / count.max(1) as f64).sqrt();
    let mut out = vec![
        FrictionTerm::Load,
        FrictionTerm::Root,
        FrictionTerm::Asymmetric,
        FrictionTerm::Harmonic { multiple: 1 },
        FrictionTerm::Harmonic { multiple: 2 },
    ];
    if usual > 0.0 {
        out.extend(STRIBECK.map(|part| FrictionTerm::Stribeck { speed: part * usual }));
    }
    out
}

/// Terms that stand for the same thing.
fn family(term: FrictionTerm) -> usize {
    match term {
        FrictionTerm::Stribeck { .. } | FrictionTerm::Root => 0,
        FrictionTerm::Load => 1,
        FrictionTerm::Asymmetric => 2,
        FrictionTerm::Harmonic { .. } => 3,
    }
}

fn worth(term: FrictionTerm) -> f64 {
    if matches!(term, FrictionTerm::Harmonic { .. }) { HARMONIC_WORTH } else { WORTH }
}

/// The base parameters of a richer problem, with those of bodies as the simple one estimates them.
fn loads(
    problem: &Problem,
    rich: &Problem,
    recordings: &[Recording],
) -> Result<Vec<f64>, IdentificationError> {
    let mut reduced = Reduced::new(problem);
    for recording in recordings {
        reduced.absorb(problem, recording, Role::Training, steiner_linalg::all_threads())?;
    }
    let prior = problem.base_values(problem.prior());
    let values = weighted(&reduced, &problem.gains(), &prior)?.0.values;
    let value = |column: usize| {
        let found = problem.base().iter().position(|base| base.column == column);
        found.map_or(0.0, |b| values[b])
    };
    Ok(rich.base().iter().map(|base| value(base.column)).collect())
}

/// The row of one joint, fitted alone.
struct Row<'a> {
    problem: &'a Problem,
    sees: &'a [usize],
    blocks: Vec<&'a Triangle>,
    /// For each block, all others.
    others: Vec<Triangle>,
}

impl<'a> Row<'a> {
    fn new(problem: &'a Problem, blocks: &'a [Reduced], row: usize) -> Self {
        let blocks: Vec<&Triangle> = blocks.iter().map(|block| block.triangle(row)).collect();
        let others = |left_out: usize| {
            let mut out = Triangle::new(problem.rows()[row].sees.len() + 1);
            let others = blocks.iter().enumerate().filter(|(k, _)| *k != left_out);
            others.for_each(|(_, block)| out.merge((*block).clone()));
            out.reduce();
            out
        };
        let others = (0..blocks.len()).map(others).collect();
        Row { problem, sees: &problem.rows()[row].sees, blocks, others }
    }

    /// The positions of a term's columns among what the row sees.
    fn columns(&self, term: FrictionTerm) -> Vec<usize> {
        let is_own = |b: usize| self.problem.friction_term(self.problem.base()[b].column) == Some(term);
        (0..self.sees.len()).filter(|&at| is_own(self.sees[at])).collect()
    }

    /// Squares left of each block by the rest, with these columns alone.
    fn left(&self, columns: &[usize]) -> Vec<f64> {
        let rhs = self.sees.len();
        let rows = |block: &Triangle, into: &mut dyn FnMut(&[f64])| {
            let mut row = Vec::with_capacity(columns.len() + 1);
            for k in 0..block.columns() {
                let all = block.row(k);
                row.clear();
                row.extend(columns.iter().map(|&c| all[c]));
                row.push(all[rhs]);
                into(&row);
            }
        };
        let own: Vec<usize> = (0..columns.len()).collect();
        let left_out = |k: usize| {
            let mut rest = Triangle::new(columns.len() + 1);
            rows(&self.others[k], &mut |row| rest.push(row));
            rest.reduce();
            let values = values_only(&rest, &vec![0.0; columns.len()]).0;
            let mut squares = 0.0;
            rows(self.blocks[k], &mut |row| squares += row_residual(&values, &own, row).powi(2));
            squares
        };
        (0..self.blocks.len()).map(left_out).collect()
    }

    /// Adds terms one after the other, the best first.
    fn choose(&self, terms: &[FrictionTerm]) -> Option<FrictionTrials> {
        let term_columns: Vec<Vec<usize>> = terms.iter().map(|&term| self.columns(term)).collect();
        let is_term = |at: &usize| term_columns.iter().any(|columns| columns.contains(at));
        let mut columns: Vec<usize> = (0..self.sees.len()).filter(|at| !is_term(at)).collect();
        let rhs = self.sees.len();
        let square = |block: &&Triangle| (0..block.columns()).map(|k| block.row(k)[rhs].powi(2)).sum::<f64>();
        let measured: f64 = self.blocks.iter().map(square).sum();
        let error = |left: &[f64]| (left.iter().sum::<f64>() / measured).sqrt();
        let mut left = self.left(&columns);
        let simple = error(&left);
        if !simple.is_finite() {
            return None;
        }
        let mut out = FrictionTrials {
            joint: String::new(),
            simple,
            tried: Vec::new(),
            chosen: Vec::new(),
            error: simple,
        };
        for round in 0..MOST_TERMS {
            let mut best: Option<(usize, Vec<f64>)> = None;
            for (k, own) in term_columns.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
                if out.chosen.iter().any(|chosen| family(*chosen) == family(terms[k])) {
                    continue;
                }
                let with: Vec<usize> = columns.iter().chain(own).copied().collect();
                let now = self.left(&with);
                if round == 0 {
                    out.tried.push((terms[k], error(&now)));
                }
                let helped = left.iter().zip(&now).filter(|(before, after)| after < before).count();
                let worth = error(&now) <= ((1.0 - worth(terms[k])) * out.error).min(out.error - LEAST_GAIN);
                let best_yet =
                    best.as_ref().is_none_or(|(_, least)| now.iter().sum::<f64>() < least.iter().sum());
                if worth && helped + SPARED >= left.len() && best_yet {
                    best = Some((k, now));
                }
            }
            let Some((k, now)) = best else { break };
            columns.extend(&term_columns[k]);
            out.chosen.push(terms[k]);
            (out.error, left) = (error(&now), now);
        }
        Some(out)
    }
}
