//! Which friction a joint has: terms are tried on blocks of the log that were left out.
//!
//! All joints together say what the bodies are; terms are tried for one joint at a time, and judged by its own
//! force on blocks left out. Base parameters come first in the triangle of the rest, so that a choice of terms
//! costs only its lower corner. Terms are added one after the other, the best first, as long as blocks left out
//! are predicted better by more than chance and a penalty would explain.

use steiner_identifiability::MeasuredRow;
use steiner_linalg::triangle::Triangle;
use steiner_logs::{Recording, Role};

use crate::accumulate::{Reduced, Source, row_residual};
use crate::estimate::{Noise, values_only, weighted};
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
const HARMONIC_WORTH: f64 = 0.1;
/// …and so many equations for each unknown…
const HARMONIC_EQUATIONS: usize = 40;
/// …and this part off the whole force: what is explained that well needs no further friction…
const LEAST_GAIN: f64 = 0.0005;
/// …and help in all of them but one.
const SPARED: usize = 1;
/// A term for several joints must take this part off their errors, on average.
const WORTH_TOGETHER: f64 = 0.02;
/// Where more than this part of the force is left on blocks left out, the log tells nothing.
const TELLING: f64 = 0.5;
/// Equations for each unknown, at least; neighbours depend on each other where samples are dense.
const EQUATIONS: usize = 8;
/// Weight of what keeps parameters finite that the log does not show, in parts of their columns.
const UNSEEN: f64 = 1e-6;
/// A Stribeck term has a speed of its own to fit: it must be this much better than a curve without.
const PRICE_OF_SPEED: f64 = 1.03;
/// Terms of one joint, at most, one of each family.
const MOST_TERMS: usize = 3;

/// What was tried for a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct FrictionTrials {
    /// Name of the joint.
    pub joint: String,
    /// Error of its force on blocks left out with viscous and Coulomb friction alone, relative to the force.
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
    let (loads, noise) = loads(problem, &rich, &simple)?;
    rich.set_load_by(&loads);
    let mut blocks = blocks(&rich, &source.trial_recordings(all.friction())?)?;
    for gain in rich.gains().into_iter().flatten() {
        blocks.iter_mut().for_each(|block| *block = block.with_known(gain, loads[gain]));
    }
    let equations: usize = blocks.iter().flat_map(Reduced::counts).sum();
    if blocks.len() < 2 || equations < EQUATIONS * problem.base().len() {
        return Ok(Vec::new());
    }
    let rest = Rest::new(&rich, &blocks, &noise);
    let mut terms = terms;
    if equations < HARMONIC_EQUATIONS * problem.base().len() {
        terms.iter_mut().for_each(|(_, terms)| terms.retain(|term| !term.is_harmonic()));
    }
    let tried = terms.into_iter().zip(joints).filter_map(|((r, terms), (.., joint))| {
        let row = Row::new(&rest, r);
        let mut trial = row.choose(&terms)?;
        trial.joint = joint;
        Some((row, trial))
    });
    let (rows, mut trials): (Vec<Row<'_>>, Vec<FrictionTrials>) = tried.unzip();
    // Load first: a load that hardly changes would pass for Coulomb friction, with an uncertainty that is too small.
    for family in [LOAD, CURVE, ASYMMETRIC] {
        share(family, &rows, &mut trials);
    }
    Ok(trials)
}

/// Gears of one arm are alike: where a third of the joints, two at least, have friction of a family, or those that
/// have not would gain by it all together, the others have it too unless that is clearly worse there.
fn share(family: usize, rows: &[Row<'_>], trials: &mut [FrictionTrials]) {
    let has = |trial: &FrictionTrials| trial.chosen.iter().any(|term| family_of(*term) == family);
    let owners = trials.iter().filter(|trial| has(trial)).count();
    let mut offers: Vec<Offer> = Vec::new();
    for (k, (row, trial)) in rows.iter().zip(trials.iter()).enumerate() {
        if !has(trial) && trial.chosen.len() < MOST_TERMS && trial.simple < TELLING {
            offers.extend(row.offer(trial, family).map(|(term, error, gains)| Offer {
                joint: k,
                term,
                error,
                gains,
            }));
        }
    }
    let blocks = offers.first().map_or(0, |offer| offer.gains.len());
    let gain =
        |block: usize| offers.iter().map(|offer| offer.gains[block]).sum::<f64>() / offers.len() as f64;
    let helped = (0..blocks).filter(|&block| gain(block) > 0.0).count();
    let saved = offers.iter().map(|offer| trials[offer.joint].error - offer.error).sum::<f64>()
        / offers.len().max(1) as f64;
    let together = blocks > 1
        && offers.len() > 1
        && (0..blocks).map(gain).sum::<f64>() / blocks as f64 > WORTH_TOGETHER
        && saved > LEAST_GAIN
        && helped + SPARED >= blocks;
    if 3 * owners < trials.len().max(6) && !together {
        return;
    }
    for Offer { joint, term, error, .. } in offers {
        let trial = &mut trials[joint];
        if error <= not_worse(family) * trial.error {
            trial.chosen.push(term);
            trial.error = error;
        }
    }
}

/// What a joint would have of a further term.
struct Offer {
    /// Which of the trials.
    joint: usize,
    term: FrictionTerm,
    /// The error on blocks left out with it.
    error: f64,
    /// For each block the logarithm of the error without over that with it.
    gains: Vec<f64>,
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
fn family_of(term: FrictionTerm) -> usize {
    match term {
        FrictionTerm::Stribeck { .. } | FrictionTerm::Root => CURVE,
        FrictionTerm::Load => LOAD,
        FrictionTerm::Asymmetric => ASYMMETRIC,
        FrictionTerm::Harmonic { .. } => HARMONIC,
    }
}

const CURVE: usize = 0;
const LOAD: usize = 1;
const ASYMMETRIC: usize = 2;
const HARMONIC: usize = 3;

/// An error up to so many times larger is not clearly worse; leaving out load biases others.
fn not_worse(family: usize) -> f64 {
    if family == LOAD { 1.05 } else { 1.02 }
}

/// Squares that blocks left out keep with a term, and what its own speed costs.
fn priced(term: FrictionTerm, left: &[f64]) -> f64 {
    let price = if matches!(term, FrictionTerm::Stribeck { .. }) { PRICE_OF_SPEED } else { 1.0 };
    price * price * left.iter().sum::<f64>()
}

fn worth(term: FrictionTerm) -> f64 {
    if term.is_harmonic() { HARMONIC_WORTH } else { WORTH }
}

/// The base parameters of a richer problem, with those of bodies as the simple one estimates them, and the noise
/// of every row.
pub(crate) fn loads(
    problem: &Problem,
    rich: &Problem,
    recordings: &[Recording],
) -> Result<(Vec<f64>, Noise), IdentificationError> {
    let mut reduced = Reduced::new(problem);
    for recording in recordings {
        reduced.absorb(problem, recording, Role::Training, steiner_linalg::all_threads())?;
    }
    let prior = problem.base_values(problem.prior());
    let (solution, noise, _) = weighted(&reduced, &problem.gains(), &prior)?;
    let values = solution.values;
    // Columns have other numbers there: further terms come before gains.
    let value = |label: &String| {
        let found = problem.base().iter().position(|base| problem.labels()[base.column] == *label);
        found.map_or(0.0, |b| values[b])
    };
    Ok((rich.base().iter().map(|base| value(&rich.labels()[base.column])).collect(), noise))
}

/// What all rows say without one of the blocks.
struct Rest<'a> {
    problem: &'a Problem,
    blocks: &'a [Reduced],
    weights: Vec<f64>,
    /// For each block, the triangles of all rows without it.
    others: Vec<Reduced>,
}

impl<'a> Rest<'a> {
    fn new(problem: &'a Problem, blocks: &'a [Reduced], noise: &Noise) -> Self {
        let without = |left_out: usize| {
            let mut rest = Reduced::new(problem);
            let others = blocks.iter().enumerate().filter(|(k, _)| *k != left_out);
            others.for_each(|(_, block)| rest.merge(block));
            rest
        };
        let others = (0..blocks.len()).map(without).collect();
        Rest { problem, blocks, weights: noise.weights(), others }
    }

    /// The friction that a base parameter belongs to.
    fn term(&self, base: usize) -> Option<FrictionTerm> {
        self.problem.friction_term(self.problem.base()[base].column)
    }

    /// One triangle for each block, of all rows without it, over these base parameters and the force.
    fn stacked(&self, columns: &[usize]) -> Vec<Triangle> {
        let mut place = vec![None; self.problem.base().len()];
        columns.iter().enumerate().for_each(|(at, &base)| place[base] = Some(at));
        let width = columns.len() + 1;
        let of_block = |rest: &Reduced| {
            let mut out = Triangle::new(width);
            let (mut full, mut squares) = (vec![0.0; width], vec![0.0; width]);
            for (r, row) in self.problem.rows().iter().enumerate() {
                let triangle = rest.triangle(r);
                for k in 0..triangle.columns() {
                    full.fill(0.0);
                    let numbers = triangle.row(k);
                    for (base, x) in row.sees.iter().zip(numbers) {
                        if let Some(at) = place[*base] {
                            full[at] = self.weights[r] * x;
                        }
                    }
                    full[width - 1] = self.weights[r] * numbers[row.sees.len()];
                    squares.iter_mut().zip(&full).for_each(|(sum, x)| *sum += x * x);
                    out.push(&full);
                }
            }
            for (at, square) in squares[..width - 1].iter().enumerate() {
                full.fill(0.0);
                full[at] = if *square > 0.0 { UNSEEN * square.sqrt() } else { 1.0 };
                out.push(&full);
            }
            out.reduce();
            out
        };
        self.others.iter().map(of_block).collect()
    }
}

/// The force of one joint.
struct Row<'a> {
    rest: &'a Rest<'a>,
    row: usize,
    /// What it depends on: base parameters first, then those of the terms that are tried.
    columns: Vec<usize>,
    /// How many come first.
    simple: usize,
    /// For each block, all rows without it over the columns.
    stacked: Vec<Triangle>,
}

impl<'a> Row<'a> {
    fn new(rest: &'a Rest<'a>, row: usize) -> Self {
        let mut columns: Vec<usize> =
            (0..rest.problem.base().len()).filter(|&b| rest.term(b).is_none()).collect();
        let simple = columns.len();
        let sees = &rest.problem.rows()[row].sees;
        columns.extend(sees.iter().filter(|&&b| rest.term(b).is_some()));
        let stacked = rest.stacked(&columns);
        Row { rest, row, columns, simple, stacked }
    }

    /// The places of a term among the columns.
    fn places(&self, term: FrictionTerm) -> Vec<usize> {
        let is_own = |at: &usize| self.rest.term(self.columns[*at]) == Some(term);
        (self.simple..self.columns.len()).filter(is_own).collect()
    }

    /// Squares left of each block by the rest, with these terms.
    fn left(&self, terms: &[usize]) -> Vec<f64> {
        let blocks = self.rest.blocks.iter().zip(&self.stacked);
        blocks.map(|(block, rest)| self.left_of(block, &self.values(rest, terms))).collect()
    }

    /// All base parameters by the rest, with these terms alone.
    fn values(&self, rest: &Triangle, terms: &[usize]) -> Vec<f64> {
        let (n, all) = (self.simple, self.columns.len());
        let mut corner = Triangle::new(terms.len() + 1);
        for k in n..=all {
            let row: Vec<f64> = terms.iter().chain([&all]).map(|&c| rest.entry(k, c)).collect();
            corner.push(&row);
        }
        corner.reduce();
        let of_terms = match terms.is_empty() {
            true => Vec::new(),
            false => values_only(&corner, &vec![0.0; terms.len()]).0,
        };
        let mut out = vec![0.0; self.rest.problem.base().len()];
        terms.iter().zip(&of_terms).for_each(|(&at, x)| out[self.columns[at]] = *x);
        for k in (0..n).rev() {
            let known: f64 = terms.iter().zip(&of_terms).map(|(&c, x)| rest.entry(k, c) * x).sum();
            let above: f64 = (k + 1..n).map(|c| rest.entry(k, c) * out[self.columns[c]]).sum();
            out[self.columns[k]] = (rest.entry(k, all) - known - above) / rest.entry(k, k);
        }
        out
    }

    fn left_of(&self, block: &Reduced, values: &[f64]) -> f64 {
        let (triangle, sees) = (block.triangle(self.row), &self.rest.problem.rows()[self.row].sees);
        (0..triangle.columns()).map(|k| row_residual(values, sees, triangle.row(k)).powi(2)).sum()
    }

    /// The best term of a family beside what was chosen, with the error on blocks left out, and for each block the
    /// logarithm of the error without it over that with it.
    fn offer(&self, trial: &FrictionTrials, family: usize) -> Option<(FrictionTerm, f64, Vec<f64>)> {
        let columns: Vec<usize> = trial.chosen.iter().flat_map(|&term| self.places(term)).collect();
        let left = self.left(&columns);
        let before: f64 = left.iter().sum();
        let of_family = trial.tried.iter().map(|(term, _)| *term).filter(|term| family_of(*term) == family);
        let offers = of_family.map(|term| {
            let with: Vec<usize> = columns.iter().copied().chain(self.places(term)).collect();
            (term, self.left(&with))
        });
        let (term, now) = offers.min_by(|a, b| priced(a.0, &a.1).total_cmp(&priced(b.0, &b.1)))?;
        let gains = left.iter().zip(&now).map(|(before, after)| 0.5 * (before / after).ln()).collect();
        Some((term, trial.error * (now.iter().sum::<f64>() / before).sqrt(), gains))
    }

    /// Adds terms one after the other, the best first.
    fn choose(&self, terms: &[FrictionTerm]) -> Option<FrictionTrials> {
        let places: Vec<Vec<usize>> = terms.iter().map(|&term| self.places(term)).collect();
        let none = vec![0.0; self.rest.problem.base().len()];
        let measured: f64 = self.rest.blocks.iter().map(|block| self.left_of(block, &none)).sum();
        let error = |left: &[f64]| (left.iter().sum::<f64>() / measured).sqrt();
        let mut columns = Vec::new();
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
        for round in 0..if simple < TELLING { MOST_TERMS } else { 0 } {
            let mut best: Option<(usize, Vec<f64>)> = None;
            for (k, own) in places.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
                if out.chosen.iter().any(|chosen| family_of(*chosen) == family_of(terms[k])) {
                    continue;
                }
                let with: Vec<usize> = columns.iter().chain(own).copied().collect();
                let now = self.left(&with);
                if round == 0 {
                    out.tried.push((terms[k], error(&now)));
                }
                let helped = left.iter().zip(&now).filter(|(before, after)| after < before).count();
                let worth = error(&now) <= ((1.0 - worth(terms[k])) * out.error).min(out.error - LEAST_GAIN);
                let best_yet = best
                    .as_ref()
                    .is_none_or(|(other, least)| priced(terms[k], &now) < priced(terms[*other], least));
                if worth && helped + SPARED >= left.len() && best_yet {
                    best = Some((k, now));
                }
            }
            let Some((k, now)) = best else { break };
            columns.extend(&places[k]);
            out.chosen.push(terms[k]);
            (out.error, left) = (error(&now), now);
        }
        Some(out)
    }
}
