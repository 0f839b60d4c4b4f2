//! Forces that the model does not explain: a wrong sign or unit, exchanged columns, or something else.

use super::Alarm;
use super::exchange::Exchange;
use super::position_signs::PositionSigns;
use crate::accumulate::Reduced;
use crate::estimate::{Rescaled, common_scale, likelihood_of, rescaled, scale_by_file};
use crate::identification::{Identification, Residuals};

/// A residual above this part of the force is an alarm.
const LARGE: f64 = 0.5;
/// Rows with a residual above this are tried with other signs and units.
pub(super) const SUSPICIOUS: f64 = 0.2;

/// Forces with a wrong sign or unit, and those that are not explained.
pub(super) fn unexplained(
    found: &Identification,
    training: &Reduced,
    exchange: Option<Exchange>,
    signs: Option<PositionSigns>,
) -> Vec<Alarm> {
    let problem = found.problem();
    if let Some(Exchange { rows, residuals, exchanged }) = exchange {
        let rows = rows.map(|r| problem.rows()[r].name.clone());
        return vec![Alarm::Exchanged { rows, residuals, exchanged }];
    }
    if let Some(PositionSigns { joints, residual, mended, or }) = signs {
        let or = or.into_iter().map(|(r, factor)| (problem.rows()[r].name.clone(), factor)).collect();
        return vec![Alarm::PositionSign { joints, residual, mended, or }];
    }
    // Known parameters are on the right-hand side: what is left of a force there may have any scale.
    let whole = problem.known().is_empty();
    let file = problem.base_values(problem.prior());
    let gains = problem.gains();
    let in_newtons = whole && gains.iter().all(Option::is_none);
    if let Some((factor, residual, scaled)) = in_newtons.then(|| common_scale(training, &file)).flatten() {
        return vec![Alarm::CommonScale { factor, residual, scaled }];
    }
    let by_file = |r: usize| if whole { scale_by_file(training, r, &file) } else { None };
    let by_file: Vec<Option<(f64, f64)>> = (0..problem.rows().len()).map(by_file).collect();
    let residuals: Vec<f64> = (0..problem.rows().len())
        .map(|r| {
            let of = |residuals: &Residuals| {
                residuals.model.rows[r].relative.max(residuals.least_squares.rows[r].relative)
            };
            let held_out = found.validation.as_ref().map_or(0.0, |held_out| held_out.model.rows[r].relative);
            of(&found.training).max(held_out)
        })
        .collect();
    // Held-out samples have no part in what a correction is judged by.
    let in_training: Vec<f64> = (found.training.model.rows.iter().zip(&found.training.least_squares.rows))
        .map(|(model, least_squares)| model.relative.max(least_squares.relative))
        .collect();
    // A row that the file shows to be wrong spoils the others' fit.
    let fit_speaks = whole && by_file.iter().all(Option::is_none);
    let blamed = if fit_speaks { blamed(training, &gains, &in_training) } else { Vec::new() };
    // Rows that the corrections of others leave well explained have no fault of their own.
    let after = blamed.last().map(|blame| &blame.best.relatives);
    let name = |r: usize| problem.rows()[r].name.clone();
    let mut out = Vec::new();
    for r in 0..problem.rows().len() {
        let residual = residuals[r];
        let by_fit = blamed.iter().find(|blame| blame.best.row == r);
        match (by_file[r], by_fit) {
            (Some((factor, scaled)), _) => {
                let residual = residual.max(found.training.prior.rows[r].relative);
                out.push(Alarm::Scale { row: name(r), factor, residual, scaled, or: Vec::new() });
            }
            (None, Some(Blame { best, or })) => out.push(Alarm::Scale {
                row: name(r),
                factor: best.factor,
                residual,
                scaled: best.relatives[r],
                or: or.iter().map(|&(r, factor)| (name(r), factor)).collect(),
            }),
            (None, None) if residual > LARGE && after.is_none_or(|after| after[r] > LARGE) => {
                out.push(Alarm::LargeResidual { row: name(r), residual });
            }
            (None, None) => {}
        }
    }
    out
}

/// A row whose sign or unit is wrong, by what the others say.
pub(super) struct Blame {
    pub(super) best: Rescaled,
    /// Rows that explain the log as well, with their factors.
    or: Vec<(usize, f64)>,
}

/// Rows that are tried with other signs and units, at most.
const MOST_TRIED: usize = 12;
/// How much better some row must be explained with another sign or unit of one of them.
const CLEARED: f64 = 0.3;
/// How much larger the residual of a corrected row may be: what its neighbours took up comes back to it.
const WORSE: f64 = 1.5;
const WORSE_BY: f64 = 0.02;
/// Rows whose correction makes the log more likely by this part of what the best does are not told apart.
const AS_LIKELY: f64 = 0.9;

/// Rows with another sign or unit, one after the other, until all rows are explained. A wrong row spoils what its
/// neighbours have in common with it, so they are tried, too, and the one that makes the whole log most likely
/// is blamed.
pub(super) fn blamed(training: &Reduced, gains: &[Option<usize>], residuals: &[f64]) -> Vec<Blame> {
    let mut log = training.clone();
    let mut left = residuals.to_vec();
    let mut out: Vec<Blame> = Vec::new();
    while out.len() < residuals.len() && left.iter().any(|residual| *residual > SUSPICIOUS) {
        let near = |r: usize| {
            let from = r.saturating_sub(1);
            left[from..(r + 2).min(left.len())].iter().copied().fold(0.0, f64::max)
        };
        let mut tried: Vec<usize> = (0..left.len())
            .filter(|&r| near(r) > SUSPICIOUS && out.iter().all(|blame| blame.best.row != r))
            .collect();
        tried.sort_by(|&a, &b| near(b).total_cmp(&near(a)));
        tried.truncate(MOST_TRIED);
        let before = likelihood_of(&log);
        let clears = |found: &Rescaled| {
            let better = |(now, before): (&f64, &f64)| *before > SUSPICIOUS && *now < CLEARED * before;
            let own = found.relatives[found.row];
            // A correction does not make the row itself worse.
            let is_mended = own < SUSPICIOUS && own < WORSE * residuals[found.row] + WORSE_BY;
            is_mended && found.relatives.iter().zip(&left).any(better)
        };
        let mut found: Vec<Rescaled> =
            tried.iter().filter_map(|&r| rescaled(&log, gains, r)).filter(clears).collect();
        found.sort_by(|a, b| a.unlikelihood.total_cmp(&b.unlikelihood));
        let mut found = found.into_iter();
        let Some(best) = found.next().filter(|best| best.unlikelihood < before) else { break };
        let enough = before - AS_LIKELY * (before - best.unlikelihood);
        let or = found.filter(|other| other.unlikelihood < enough).map(|other| (other.row, other.factor));
        let or = or.collect();
        log = log.with_scaled_row(best.row, best.factor);
        left.clone_from(&best.relatives);
        out.push(Blame { best, or });
    }
    out
}
