//! What casts doubt on an identification: signs, units and lags that look wrong, residuals that are too large,
//! masses that nobody would believe, bounds and gains that the log cannot tell from anything else.

use std::path::PathBuf;

use steiner_logs::{LogNote, RateDisagreement, Suspicion};
use steiner_robot::inertial_count;

use crate::accumulate::Reduced;
use crate::estimate::{Rescaled, likelihood_of, rescaled, scale_by_file};
use crate::identification::{ForceLag, Identification, Residuals};
use crate::problem::{MeasuredForce, Problem};
use crate::recorded_logs::{NoteOfLog, RepeatedLog};
use crate::scores::Lag;

/// A doubt. Documents write the words; the first ones weigh most.
#[derive(Clone, Debug, PartialEq)]
pub enum Alarm {
    /// Recorded velocities or accelerations are not the rates of the positions.
    Rates {
        /// The log, where there are several.
        file: Option<PathBuf>,
        /// Which, and what they look like.
        disagreement: RateDisagreement,
    },
    /// Positions are larger than they can be, as of another unit.
    PositionUnit {
        /// The note of the log that says so.
        note: NoteOfLog,
    },
    /// A force that is zero, stands still while its joint moves, or stands at a limit; a clock in another unit.
    Signal {
        /// The note of the log that says so.
        note: NoteOfLog,
    },
    /// A row fits well if what was recorded is multiplied by a number: a flipped sign, or another unit.
    Scale {
        /// The row, as in [`crate::RowResidual::name`].
        row: String,
        /// What the recorded force should be multiplied with.
        factor: f64,
        /// Relative residual of the row as it is.
        residual: f64,
        /// Relative residual with the factor.
        scaled: f64,
        /// Other rows with their factors that explain the log as well: only one of them need be wrong.
        or: Vec<(String, f64)>,
    },
    /// A log has samples of another one.
    Repeated(RepeatedLog),
    /// The residual of a row is more than half of its force.
    LargeResidual {
        /// The row.
        row: String,
        /// Relative residual.
        residual: f64,
    },
    /// Forces come later (or earlier) than the motion that they belong to.
    Lag {
        /// (row, how much later, s): at least, because parameters take up a part of a lag.
        rows: Vec<(String, f64)>,
    },
    /// Noise of the motion biases least squares: instruments say something else.
    NoisyMotion {
        /// (base parameter, by least squares, with instruments).
        parameters: Vec<(String, f64, f64)>,
    },
    /// A mass is more than twice the file's.
    Mass {
        /// The link.
        link: String,
        /// The file's, kg.
        file: f64,
        /// The model's, kg.
        found: f64,
    },
    /// All bodies together weigh more than one and a half times what the file says, or less than half.
    TotalMass {
        /// The file's, kg.
        file: f64,
        /// The model's, kg.
        found: f64,
        /// Standard deviation, kg, where the log determines the sum well.
        sigma: Option<f64>,
    },
    /// A gain is hardly known.
    Gain {
        /// Its label.
        label: String,
        /// Standard deviation over value; infinite if the log says nothing.
        relative_sigma: f64,
    },
    /// Parameters ended on the bound of zero: the data would have them negative.
    AtBound {
        /// Their labels.
        labels: Vec<String>,
    },
    /// The consistent model explains the log much worse than least squares.
    CostlyConsistency {
        /// Relative residual of the model.
        model: f64,
        /// That of least squares.
        least_squares: f64,
    },
}

impl Alarm {
    /// The doubt that a note of a log casts on whatever is identified from it, if it does.
    pub fn of_log(note: &NoteOfLog) -> Option<Alarm> {
        match &note.note {
            LogNote::Suspicion(Suspicion::Rates(disagreement)) if disagreement.matters() => {
                Some(Alarm::Rates { file: note.file.clone(), disagreement: disagreement.clone() })
            }
            LogNote::Suspicion(Suspicion::OtherUnit { column, .. }) if column.starts_with("q_") => {
                Some(Alarm::PositionUnit { note: note.clone() })
            }
            LogNote::Suspicion(
                Suspicion::Frozen { .. }
                | Suspicion::Clipped { .. }
                | Suspicion::NoForce { .. }
                | Suspicion::LongSteps { .. },
            ) => Some(Alarm::Signal { note: note.clone() }),
            _ => None,
        }
    }
}

/// A residual above this part of the force is an alarm.
const LARGE: f64 = 0.5;
/// Rows with a residual above this are tried with other signs and units.
const SUSPICIOUS: f64 = 0.2;
/// A lag counts if it explains this part of the square of the residual…
const LAG_EXPLAINS: f64 = 0.1;
/// …beyond so many times what chance explains, one over the number of samples…
const CHANCE: f64 = 15.0;
/// …and is longer than this, s.
const LEAST_LAG: f64 = 5e-4;
/// A gain with a larger relative deviation is not known.
const KNOWN_GAIN: f64 = 0.2;
/// A mass beyond this times the file's, and the sum of all.
const MASS: f64 = 2.0;
const TOTAL_MASS: f64 = 1.5;
/// Standard deviations below zero that chance does not explain, with some dozens of parameters.
const CLEARLY: f64 = 3.5;
/// How much worse than least squares a consistent model may be.
const COSTLY: f64 = 1.2;

/// The doubts about a finished identification; `training` is what it was estimated from.
pub(crate) fn alarms(found: &Identification, training: &Reduced) -> Vec<Alarm> {
    let mut out = forces(found, training);
    out.extend(late_forces(found));
    out.extend(masses(found));
    out.extend(unknown_gains(found));
    let (model, least_squares) = (found.training.model.total, found.training.least_squares.total);
    if model > COSTLY * least_squares && model > 1e-3 {
        out.push(Alarm::CostlyConsistency { model, least_squares });
    }
    let labels = at_bound(found.problem(), found);
    if !labels.is_empty() {
        out.push(Alarm::AtBound { labels });
    }
    out
}

/// Forces with a wrong sign or unit, and those that are not explained.
fn forces(found: &Identification, training: &Reduced) -> Vec<Alarm> {
    let problem = found.problem();
    // Known parameters are on the right-hand side: what is left of a force there may have any scale.
    let whole = problem.known().is_empty();
    let file = problem.base_values(problem.prior());
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
    // A row that the file shows to be wrong spoils the others' fit.
    let fit_speaks = whole && by_file.iter().all(Option::is_none);
    let blamed = if fit_speaks { blamed(training, &problem.gains(), &residuals) } else { Vec::new() };
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
struct Blame {
    best: Rescaled,
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
fn blamed(training: &Reduced, gains: &[Option<usize>], residuals: &[f64]) -> Vec<Blame> {
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

/// What a fit shows of the lags of forces.
pub(crate) fn force_lags(found: &Identification, training: &Reduced, lags: &[Lag]) -> Vec<ForceLag> {
    let rows = lags.iter().zip(found.problem().rows()).zip(training.counts());
    let one = |((lag, row), count): ((&Lag, &MeasuredForce), usize)| ForceLag {
        row: row.name.clone(),
        seconds: lag.seconds(),
        explains: lag.explains(),
        by_chance: lag.explains() <= CHANCE / count.max(1) as f64,
    };
    rows.map(one).collect()
}

/// Forces that come earlier or later than their motion.
fn late_forces(found: &Identification) -> Option<Alarm> {
    let late = found.lags.iter().zip(&found.training.model.rows).filter_map(|(lag, row)| {
        let seconds = lag.seconds.filter(|s| s.abs() > LEAST_LAG)?;
        let by_chance = CHANCE / row.count.max(1) as f64;
        (lag.explains > LAG_EXPLAINS + by_chance).then(|| (lag.row.clone(), seconds))
    });
    let rows: Vec<(String, f64)> = late.collect();
    // Without drives in the model, friction looks like a lag.
    (!rows.is_empty() && found.settings.drives).then_some(Alarm::Lag { rows })
}

/// Gains that the log does not tell.
fn unknown_gains(found: &Identification) -> impl Iterator<Item = Alarm> + '_ {
    let problem = found.problem();
    let gains = problem.base().iter().zip(&found.parameters).filter(|(base, _)| problem.is_gain(base.column));
    gains.filter_map(|(_, parameter)| {
        let relative_sigma = parameter.sigma / parameter.value.abs();
        let known = relative_sigma <= KNOWN_GAIN;
        (!known).then(|| Alarm::Gain { label: parameter.name.clone(), relative_sigma })
    })
}

/// Masses that nobody would believe.
fn masses(found: &Identification) -> Vec<Alarm> {
    let problem = found.problem();
    let bounds = found.settings.consistent.as_ref();
    if bounds.is_some_and(|bounds| bounds.total_mass.is_some()) {
        return Vec::new();
    }
    let is_bounded =
        |link: &str| bounds.is_some_and(|bounds| bounds.masses.iter().any(|(bounded, ..)| bounded == link));
    let mass = |values: &[f64], body: usize| values[inertial_count(body)];
    let (mut out, mut sums) = (Vec::new(), (0.0, 0.0));
    for (body, link) in found.consistency.iter().enumerate() {
        let (file, now) = (mass(problem.prior(), body), mass(&found.all, body));
        sums = (sums.0 + file, sums.1 + now);
        // A mass that stands alone and is well known is no matter of belief.
        let certain = found.parameters.iter().any(|parameter| {
            parameter.name == problem.labels()[inertial_count(body)]
                && parameter.terms.len() == 1
                && parameter.sigma < 0.1 * parameter.value
        });
        if file > 0.0 && now > MASS * file && now - file > 0.1 && !certain && !is_bounded(&link.link) {
            out.push(Alarm::Mass { link: link.link.clone(), file, found: now });
        }
    }
    let (file, now) = sums;
    if file > 0.0 && problem.known().is_empty() && !(file / MASS..=TOTAL_MASS * file).contains(&now) {
        let sigma = total_mass_sigma(found).filter(|sigma| *sigma < WELL_KNOWN * now);
        out.push(Alarm::TotalMass { file, found: now, sigma });
    }
    out
}

/// A sum of masses with a smaller relative deviation is known.
const WELL_KNOWN: f64 = 0.1;

/// Standard deviation of the sum of all masses, kg, where it is a combination of base parameters: those that are
/// named after a mass, because each is in no other group than its own.
fn total_mass_sigma(found: &Identification) -> Option<f64> {
    let problem = found.problem();
    let masses: Vec<usize> = (0..found.consistency.len()).map(inertial_count).collect();
    let own: Vec<usize> =
        (0..problem.base().len()).filter(|&k| masses.contains(&problem.base()[k].column)).collect();
    let mut sum = vec![0.0; problem.labels().len()];
    for &k in &own {
        problem.base()[k].terms.iter().for_each(|&(column, factor)| sum[column] += factor);
    }
    masses.iter().for_each(|&column| sum[column] -= 1.0);
    let is_sum = sum.iter().all(|rest| rest.abs() < 1e-9);
    let sigma = found.combination_sigma(&own.iter().map(|&k| (k, 1.0)).collect::<Vec<_>>());
    (is_sum && sigma.is_finite()).then_some(sigma)
}

/// Parameters of drives that least squares would have clearly negative and the model has at zero.
fn at_bound(problem: &Problem, found: &Identification) -> Vec<String> {
    let negative = problem.cannot_be_negative();
    let bound = problem.base().iter().zip(&found.parameters).filter(|(base, parameter)| {
        let alone = base.terms.len() == 1 && negative[base.column];
        alone
            && parameter.least_squares < -CLEARLY * parameter.sigma
            && parameter.value.abs() < parameter.sigma
    });
    bound.map(|(base, _)| problem.labels()[base.column].clone()).collect()
}
