//! Positions that were recorded with the other sign.
//!
//! A coordinate that counts the other way (q → −q, its rates alike) spoils the forces of all joints that feel it, often
//! more than its own. So each coordinate in turn is mirrored on the beginnings of the logs, parameters are estimated
//! again, and the likelihood of all rows decides, as it does for signs of forces. Only logs that are not explained are
//! tried.

use std::sync::Arc;

use steiner_dynamics::Mechanism;
use steiner_logs::{Recording, Role};
use steiner_robot::Coordinate;

use super::forces::{Blame, SUSPICIOUS, blamed};
use crate::accumulate::{Reduced, Source};
use crate::estimate::{Rescaled, judged};
use crate::failure::IdentificationError;
use crate::identification::Identification;
use crate::thinned::thinned;

/// Multiplications that all trials of a round together may take.
const WORK: f64 = 1e9;
/// A further coordinate is mirrored if that makes the log more likely by more than this part of what those before did.
const WORTHWHILE: f64 = 0.05;
/// How much better the row that is explained worst must be once signs are right.
const CLEARED: f64 = 0.3;
/// How much larger a residual may become: what neighbours took up comes back to it.
const WORSE: f64 = 1.5;
const WORSE_BY: f64 = 0.02;
/// Signs of forces that make the log more likely by this part of what signs of positions do explain it as well.
const AS_LIKELY: f64 = 0.9;

/// Positions whose sign looks flipped.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PositionSigns {
    /// Names of the coordinates.
    pub(crate) joints: Vec<String>,
    /// Relative residual of the row that was explained worst, as recorded.
    pub(crate) residual: f64,
    /// The same row with the signs mended.
    pub(crate) mended: f64,
    /// Forces, by row, with factors that explain the log about as well.
    pub(crate) or: Vec<(usize, f64)>,
}

/// A coordinate of one degree of freedom, with its places in configurations and velocities.
struct Mirrored {
    name: String,
    place: [usize; 2],
}

/// A log with one more coordinate mirrored.
struct Tried {
    k: usize,
    judgement: Rescaled,
    /// −log L of what the file's parameters leave.
    by_file: f64,
    other: Vec<Recording>,
}

/// The coordinates with which the log is explained if their signs are flipped, where it is not as it was recorded and
/// other signs or units of forces explain less; `None` where gains are unknown, motion was simulated, or loops make positions depend on each
/// other.
pub(crate) fn position_signs(
    found: &Identification,
    source: &mut dyn Source,
) -> Result<Option<PositionSigns>, IdentificationError> {
    let problem = found.problem();
    let mechanism = problem.mechanism();
    let gains = problem.gains();
    let is_plain = problem.known().is_empty() && gains.iter().all(Option::is_none);
    if !is_plain || !mechanism.closure().is_trivial() || !looks_wrong(found) {
        return Ok(None);
    }
    let candidates = candidates(mechanism);
    let squares: usize = problem.rows().iter().map(|row| (row.sees.len() + 1).pow(2)).sum();
    let most = WORK / ((candidates.len() + 1) * squares) as f64;
    let recordings = thinned(source.at_hand(found.settings.friction())?, most);
    let reduced = |recordings: &[Recording]| -> Result<Reduced, IdentificationError> {
        let mut out = Reduced::new(problem);
        for recording in recordings {
            out.absorb(problem, recording, Role::Training, found.settings.threads())?;
        }
        Ok(out)
    };
    let recorded = reduced(&recordings)?;
    if recorded.counts().iter().sum::<usize>() < 2 * problem.base().len() {
        return Ok(None);
    }
    let before = judged(&recorded, 0, 1.0);
    let file = problem.base_values(problem.prior());
    let (mut now, mut best, mut now_by_file) = (recordings, before.clone(), f64::INFINITY);
    let mut flipped: Vec<usize> = Vec::new();
    while flipped.len() < candidates.len() {
        let mut tried: Vec<Tried> = Vec::new();
        for k in (0..candidates.len()).filter(|k| !flipped.contains(k)) {
            source.working(0.0)?;
            let other: Vec<Recording> =
                now.iter().map(|recording| candidates[k].mirror(recording, mechanism)).collect();
            let log = reduced(&other)?;
            tried.push(Tried { k, judgement: judged(&log, 0, 1.0), by_file: by_values(&log, &file), other });
        }
        // A mechanism and its mirror image move alike with negative inertias: the file tells them apart.
        let least = tried.iter().map(|one| one.judgement.unlikelihood).fold(f64::INFINITY, f64::min);
        let enough = best.unlikelihood - AS_LIKELY * (best.unlikelihood - least);
        let likely = tried.into_iter().filter(|one| one.judgement.unlikelihood <= enough);
        let Some(Tried { k, judgement, by_file, other }) =
            likely.min_by(|a, b| a.by_file.total_cmp(&b.by_file))
        else {
            break;
        };
        let gained = before.unlikelihood - best.unlikelihood;
        if best.unlikelihood - judgement.unlikelihood <= WORTHWHILE * gained {
            break;
        }
        flipped.push(k);
        (best, now, now_by_file) = (judgement, other, by_file);
        if best.relatives.iter().all(|relative| *relative < SUSPICIOUS) {
            break;
        }
    }
    if flipped.is_empty() {
        return Ok(None);
    }
    let rows = before.relatives.iter().zip(&best.relatives);
    let none_worse = rows.clone().all(|(old, new)| *new < WORSE * old + WORSE_BY);
    let Some((&residual, &mended)) = rows.max_by(|a, b| a.0.total_cmp(b.0)) else { return Ok(None) };
    if !none_worse || mended > CLEARED * residual || now_by_file >= by_values(&recorded, &file) {
        return Ok(None);
    }
    let gain = |after: f64| before.unlikelihood - after;
    let by_forces = blamed(&recorded, &gains, &before.relatives);
    let of_forces = by_forces.last().map_or(0.0, |Blame { best, .. }| gain(best.unlikelihood));
    if gain(best.unlikelihood) <= of_forces {
        return Ok(None);
    }
    let or = match of_forces > AS_LIKELY * gain(best.unlikelihood) {
        true => by_forces.iter().map(|blame| (blame.best.row, blame.best.factor)).collect(),
        false => Vec::new(),
    };
    flipped.sort_unstable();
    let joints = flipped.iter().map(|&k| candidates[k].name.clone()).collect();
    Ok(Some(PositionSigns { joints, residual, mended, or }))
}

/// −log L of what given parameters leave of a log, but for a constant.
fn by_values(reduced: &Reduced, values: &[f64]) -> f64 {
    let squares = reduced.residual_squares(values);
    let rows = squares.iter().zip(reduced.counts()).filter(|(_, count)| *count > 0);
    rows.map(|(square, count)| 0.5 * count as f64 * square.max(f64::MIN_POSITIVE).ln()).sum()
}

/// Whether a row is not explained.
fn looks_wrong(found: &Identification) -> bool {
    let rows = found.training.model.rows.iter().chain(&found.training.least_squares.rows);
    rows.into_iter().any(|row| row.relative > SUSPICIOUS)
}

/// Coordinates of joints with one degree of freedom.
fn candidates(mechanism: &Mechanism) -> Vec<Mirrored> {
    let names = mechanism.configuration_names();
    let of = |(in_v, coordinate): (usize, Coordinate)| -> Option<Mirrored> {
        let joint = &mechanism.robot().bodies[coordinate.body.0].joint;
        let name = mechanism.robot().coordinate_name(coordinate);
        let in_q = names.iter().position(|other| *other == name).filter(|_| joint.kind.dof() == 1)?;
        Some(Mirrored { name, place: [in_q, in_v] })
    };
    mechanism.independent().into_iter().enumerate().filter_map(of).collect()
}

impl Mirrored {
    /// A recording as if the coordinate counted the other way.
    fn mirror(&self, recording: &Recording, mechanism: &Mechanism) -> Recording {
        let mut out = recording.clone();
        let ([in_q, in_v], [size, dof]) = (self.place, [mechanism.configuration_size(), mechanism.dof()]);
        let negate = |motion: &mut Recording| {
            motion.q.iter_mut().skip(in_q).step_by(size).for_each(|q| *q = -*q);
            for rates in [&mut motion.qd, &mut motion.qdd] {
                rates.iter_mut().skip(in_v).step_by(dof).for_each(|rate| *rate = -*rate);
            }
        };
        negate(&mut out);
        if let Some(around) = &mut out.around {
            negate(Arc::make_mut(&mut around.motion));
        }
        // Dry friction is odd in the speed of its drive.
        for signal in &mut out.friction {
            if matches!(signal.function.speed[..], [(place, _)] if place == in_v) {
                signal.values.iter_mut().for_each(|value| *value = -*value);
            }
        }
        out
    }
}
