//! What casts doubt on an identification: signs, units and lags that look wrong, residuals that are too large,
//! masses that nobody would believe, bounds and gains that the log cannot tell from anything else.

use std::path::PathBuf;

use steiner_logs::{LogNote, RateDisagreement, ReadingNote, Suspicion};

use crate::accumulate::Reduced;
use crate::identification::Identification;
use crate::problem::Problem;
use crate::recorded_logs::{NoteOfLog, RepeatedLog};
use crate::zeros::ZeroError;

mod exchange;
mod forces;
mod lags;
mod masses;
mod position_signs;

pub(crate) use exchange::{Exchange, exchange};
pub(crate) use lags::force_lags;
pub(crate) use position_signs::{PositionSigns, position_signs};

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
        /// The notes of the logs that say so, at least one.
        notes: Vec<NoteOfLog>,
    },
    /// A force that is zero, stands still while its joint moves, stands at a limit, or has a misspelt name; positions
    /// that jump; a clock in another unit.
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
    /// All forces are what the file predicts if they are multiplied by one number.
    CommonScale {
        /// What the recorded forces should be multiplied with.
        factor: f64,
        /// Relative residual of what the file predicts, as it is: all rows together, each relative to its own force.
        residual: f64,
        /// The same with the factor.
        scaled: f64,
    },
    /// The log fits if positions, and their rates, count the other way.
    PositionSign {
        /// Names of the coordinates.
        joints: Vec<String>,
        /// Relative residual of the row that was explained worst, as it is.
        residual: f64,
        /// Relative residual of the same row with the signs corrected.
        mended: f64,
        /// Rows with factors for their forces that explain the log about as well.
        or: Vec<(String, f64)>,
    },
    /// What was recorded of two rows fits if it is exchanged.
    Exchanged {
        /// The rows.
        rows: [String; 2],
        /// Relative residuals of what the file predicts, as they are.
        residuals: [f64; 2],
        /// Relative residuals when they are exchanged.
        exchanged: [f64; 2],
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
    /// Held-out samples are predicted much worse than those that were trained on.
    HeldOut {
        /// Relative residual on training samples.
        training: f64,
        /// Relative residual on held-out samples.
        held_out: f64,
    },
    /// Forces come later (or earlier) than the motion that they belong to.
    Lag {
        /// (row, how much later, s): at least, because parameters take up a part of a lag.
        rows: Vec<(String, f64)>,
    },
    /// Forces fit better if positions are larger by constants.
    Zeros {
        /// Which, and by how much.
        errors: Vec<ZeroError>,
        /// By how many of its deviations a parameter changes then, at most.
        moved: f64,
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
                Some(Alarm::PositionUnit { notes: vec![note.clone()] })
            }
            LogNote::Suspicion(Suspicion::OtherUnit { column, limit: Some(_), .. })
                if column.starts_with("tau_") =>
            {
                Some(Alarm::Signal { note: note.clone() })
            }
            LogNote::Suspicion(
                Suspicion::Frozen { .. }
                | Suspicion::Jumps { .. }
                | Suspicion::Clipped { .. }
                | Suspicion::NoForce { .. }
                | Suspicion::LongSteps { .. },
            ) => Some(Alarm::Signal { note: note.clone() }),
            LogNote::Reading(ReadingNote::MissingForces { columns, .. })
                if columns.iter().any(|(_, near)| near.is_some()) =>
            {
                Some(Alarm::Signal { note: note.clone() })
            }
            _ => None,
        }
    }

    /// All doubts in order of weight: those that the notes of logs cast, then those of the fit. One cause is said
    /// once, and what follows from it is left out until it is mended.
    pub fn settled(of_logs: impl IntoIterator<Item = Alarm>, of_fit: Vec<Alarm>) -> Vec<Alarm> {
        let mut out: Vec<Alarm> = Vec::new();
        for alarm in of_logs.into_iter().chain(of_fit) {
            let same = out.iter_mut().find_map(|other| match other {
                Alarm::PositionUnit { notes } => Some(notes),
                _ => None,
            });
            match (alarm, same) {
                (Alarm::PositionUnit { notes: more }, Some(notes)) => notes.extend(more),
                (alarm, _) => out.push(alarm),
            }
        }
        // A fit says more than a limit.
        let scaled: Vec<String> = out
            .iter()
            .filter_map(|alarm| match alarm {
                Alarm::Scale { row, .. } => Some(format!("tau_{row}")),
                _ => None,
            })
            .collect();
        let all = out.iter().any(|alarm| matches!(alarm, Alarm::CommonScale { .. }));
        out.retain(|alarm| !alarm.force_unit().is_some_and(|column| all || scaled.contains(column)));
        let spoils_motion = out.iter().any(Alarm::spoils_motion);
        let spoils = spoils_motion || out.iter().any(Alarm::spoils_forces);
        out.retain(|alarm| match alarm {
            Alarm::Mass { .. }
            | Alarm::TotalMass { .. }
            | Alarm::CostlyConsistency { .. }
            | Alarm::AtBound { .. }
            | Alarm::NoisyMotion { .. }
            | Alarm::HeldOut { .. }
            | Alarm::Zeros { .. }
            | Alarm::Lag { .. } => !spoils,
            Alarm::Rates { .. }
            | Alarm::Scale { .. }
            | Alarm::CommonScale { .. }
            | Alarm::Exchanged { .. }
            | Alarm::LargeResidual { .. } => !spoils_motion,
            _ => true,
        });
        out
    }

    /// Whether it casts doubt on single numbers, not on all that follows from the log.
    pub fn is_mild(&self) -> bool {
        match self {
            Alarm::Rates { disagreement, .. } => !disagreement.is_serious(),
            Alarm::Signal { note } => match &note.note {
                LogNote::Suspicion(suspicion) => {
                    matches!(suspicion, Suspicion::Clipped { .. } | Suspicion::NoForce { .. })
                }
                _ => true,
            },
            _ => matches!(
                self,
                Alarm::AtBound { .. } | Alarm::Gain { .. } | Alarm::Mass { .. } | Alarm::TotalMass { .. }
            ),
        }
    }

    /// The column of a force whose unit looks wrong beside its limit.
    pub fn force_unit(&self) -> Option<&String> {
        match self {
            Alarm::Signal { note } => match &note.note {
                LogNote::Suspicion(Suspicion::OtherUnit { column, .. }) => Some(column),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether positions or times are of another unit: no force fits then.
    fn spoils_motion(&self) -> bool {
        let is_clock =
            |note: &NoteOfLog| matches!(note.note, LogNote::Suspicion(Suspicion::LongSteps { .. }));
        match self {
            Alarm::PositionUnit { .. } => true,
            Alarm::Signal { note } => is_clock(note),
            _ => false,
        }
    }

    /// Whether forces, or the motion beside them, have a wrong sign, unit or place: parameters are bent to fit them.
    fn spoils_forces(&self) -> bool {
        matches!(
            self,
            Alarm::Scale { .. }
                | Alarm::CommonScale { .. }
                | Alarm::Exchanged { .. }
                | Alarm::PositionSign { .. }
        )
    }
}

/// A gain with a larger relative deviation is not known.
const KNOWN_GAIN: f64 = 0.2;
/// Standard deviations below zero that chance does not explain, with some dozens of parameters.
const CLEARLY: f64 = 3.5;
/// A relative residual of held-out samples above this, and so many times that of training samples, is an alarm.
const POOR: f64 = 0.15;
const FAR_WORSE: f64 = 3.0;
/// How much worse than least squares a consistent model may be.
const COSTLY: f64 = 1.2;

/// The doubts about a finished identification; `training` is what it was estimated from.
pub(crate) fn alarms(
    found: &Identification,
    training: &Reduced,
    exchange: Option<Exchange>,
    signs: Option<PositionSigns>,
) -> Vec<Alarm> {
    let mut out = forces::unexplained(found, training, exchange, signs);
    let explained = !out.iter().any(|alarm| matches!(alarm, Alarm::LargeResidual { .. }));
    let (training, held_out) =
        (found.training.model.total, found.validation.as_ref().map(|own| own.model.total));
    if let Some(held_out) = held_out.filter(|own| explained && *own > POOR && *own > FAR_WORSE * training) {
        out.push(Alarm::HeldOut { training, held_out });
    }
    out.extend(lags::late_forces(found));
    out.extend(masses::incredible(found));
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
