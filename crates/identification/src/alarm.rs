//! What casts doubt on an identification: signs, units and lags that look wrong, residuals that are too large,
//! masses that nobody would believe, bounds and gains that the log cannot tell from anything else.

use std::path::PathBuf;

use steiner_logs::{LogNote, RateDisagreement, Suspicion};
use steiner_robot::inertial_count;

use crate::accumulate::Reduced;
use crate::estimate::{scale_by_file, scale_by_fit};
use crate::identification::Identification;
use crate::problem::Problem;
use crate::recorded_logs::NoteOfLog;
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
    },
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
pub(crate) fn alarms(found: &Identification, training: &Reduced, lags: &[Lag]) -> Vec<Alarm> {
    let mut out = forces(found, training);
    out.extend(late_forces(found, training, lags));
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
    // A row that the file shows to be wrong spoils the others' fit.
    let fit_speaks = whole && by_file.iter().all(Option::is_none);
    let mut out = Vec::new();
    for (r, row) in found.training.model.rows.iter().enumerate() {
        let held_out = found.validation.as_ref().map_or(0.0, |validation| validation.model.rows[r].relative);
        let residual = row.relative.max(found.training.least_squares.rows[r].relative).max(held_out);
        let by_fit = || {
            let suspicious = fit_speaks && residual > SUSPICIOUS;
            let found = suspicious.then(|| scale_by_fit(training, &problem.gains(), r)).flatten();
            found.filter(|(_, scaled)| *scaled < 0.3 * residual)
        };
        let name = || row.name.clone();
        match by_file[r].or_else(by_fit) {
            Some((factor, scaled)) => {
                let residual = residual.max(found.training.prior.rows[r].relative);
                out.push(Alarm::Scale { row: name(), factor, residual, scaled });
            }
            None if residual > LARGE => out.push(Alarm::LargeResidual { row: name(), residual }),
            None => {}
        }
    }
    out
}

/// Forces that come earlier or later than their motion.
fn late_forces(found: &Identification, training: &Reduced, lags: &[Lag]) -> Option<Alarm> {
    let rows = lags.iter().zip(found.problem().rows()).zip(training.counts());
    let late = rows.filter_map(|((lag, row), count)| {
        let seconds = lag.seconds().filter(|s| s.abs() > LEAST_LAG)?;
        let by_chance = CHANCE / count.max(1) as f64;
        (lag.explains() > LAG_EXPLAINS + by_chance).then(|| (row.name.clone(), seconds))
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
        out.push(Alarm::TotalMass { file, found: now });
    }
    out
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
