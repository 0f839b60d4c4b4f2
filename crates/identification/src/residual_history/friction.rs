//! What is left of a joint's force when rigid bodies are taken off, against its speed: the friction that the log
//! shows, beside the friction of the model.

use steiner_identifiability::MeasuredRow;
use steiner_linalg::all_threads;
use steiner_logs::Recording;

use super::curve::Curve;
use super::gather::{selected, window};
use super::timeline::used;
use crate::accumulate::Source;
use crate::failure::IdentificationError;
use crate::predict::predict;
use crate::problem::Problem;

/// Samples that are drawn of each joint, about.
const MOST: usize = 800;
/// Points of a curve on either side of rest.
const BINS: usize = 30;
/// Parameters of a joint that act by its speed.
const BY_SPEED: [&str; 7] = ["fv", "fc", "offset", "fs", "fr", "fa", "fl"];

/// Friction of one joint against its speed.
#[derive(Clone, Debug, Default)]
pub struct FrictionHistory {
    /// (speed, measured force minus what the model says without friction): rad/s and N·m, or m/s and N.
    pub samples: Vec<(f64, f64)>,
    /// (speed, friction of the model), means over the samples of many short stretches of speed: of friction that
    /// depends on more than speed, a mean. NaN breaks the curve at rest.
    pub curve: Curve,
}

/// For each row of a problem its friction; empty where it has none. Runs through the log, at most so many samples
/// of which are looked at.
pub(super) fn friction_histories(
    problem: &Problem,
    model: &[f64],
    samples: usize,
    source: &mut dyn Source,
) -> Result<Vec<FrictionHistory>, IdentificationError> {
    let joints: Vec<Option<usize>> = problem.rows().iter().map(|row| driven(problem, row.kind)).collect();
    let mut out = vec![FrictionHistory::default(); joints.len()];
    if joints.iter().all(Option::is_none) {
        return Ok(out);
    }
    let rigid = without_friction(problem, model);
    let stride = samples.div_ceil(MOST).max(1);
    let mut pairs: Vec<Vec<(f64, f64)>> = vec![Vec::new(); joints.len()];
    let mut seen = 0;
    source.chunks(&mut |recording| {
        for (range, _) in used(recording) {
            let picked: Vec<usize> = range
                .clone()
                .filter(|_| {
                    seen += 1;
                    (seen - 1) % stride == 0
                })
                .collect();
            if picked.is_empty() {
                continue;
            }
            // Of filtered forces, which are thinned out anyway, a prediction needs the neighbours.
            let (some, places): (Recording, Vec<usize>) = match recording.around {
                Some(_) => {
                    let places = picked.iter().map(|sample| sample - range.start).collect();
                    (window(recording, range), places)
                }
                None => (picks(recording, &picked), (0..picked.len()).collect()),
            };
            let whole = predict(problem, &some, model, all_threads())?;
            let bodies = predict(problem, &some, &rigid, all_threads())?;
            let (rows, width) = (joints.len(), some.qd.len() / some.count);
            for sample in places {
                for (r, joint) in joints.iter().enumerate() {
                    let at = rows * sample + r;
                    let Some(joint) = joint.filter(|_| whole.counted[at]) else { continue };
                    let speed = some.qd[width * sample + joint];
                    out[r].samples.push((speed, bodies.measured[at] - bodies.predicted[at]));
                    pairs[r].push((speed, whole.predicted[at] - bodies.predicted[at]));
                }
            }
        }
        Ok(())
    })?;
    out.iter_mut().zip(pairs).for_each(|(history, pairs)| history.curve = averaged(&pairs));
    Ok(out)
}

/// The independent coordinate of a row that feels a drive.
fn driven(problem: &Problem, row: MeasuredRow) -> Option<usize> {
    let MeasuredRow::Force(k) = row else { return None };
    let name = problem.mechanism().independent_names().get(k)?.clone();
    frictional(problem).any(|column| problem.label(column).owner == name).then_some(k)
}

/// Columns of friction that depends on speed.
fn frictional(problem: &Problem) -> impl Iterator<Item = usize> + '_ {
    let bodies = problem.analysis().columns.inertial_len();
    (bodies..problem.labels().len()).filter(|&column| BY_SPEED.contains(&problem.label(column).parameter))
}

/// The same parameters without friction that depends on speed.
fn without_friction(problem: &Problem, model: &[f64]) -> Vec<f64> {
    let mut out = model.to_vec();
    frictional(problem).for_each(|column| out[column] = 0.0);
    out
}

/// Some samples of a recording.
fn picks(recording: &Recording, samples: &[usize]) -> Recording {
    selected(recording, samples.len(), &|values, width| {
        samples.iter().flat_map(|sample| &values[width * sample..width * (sample + 1)]).copied().collect()
    })
}

/// Means over short stretches of speed, backwards and forwards.
fn averaged(pairs: &[(f64, f64)]) -> Curve {
    let mut out = Curve::new();
    for side in [-1.0, 1.0] {
        let own = || pairs.iter().filter(|(speed, _)| side * speed > 0.0);
        let fastest = own().fold(0.0f64, |most, (speed, _)| most.max(speed.abs()));
        let mut sums = vec![(0.0, 0.0, 0.0); BINS];
        for (speed, force) in own() {
            let bin = ((speed.abs() / fastest * BINS as f64) as usize).min(BINS - 1);
            let (speeds, forces, count) = &mut sums[bin];
            (*speeds, *forces, *count) = (*speeds + speed, *forces + force, *count + 1.0);
        }
        let mut points: Curve =
            sums.into_iter().filter(|sum| sum.2 > 0.0).map(|(v, f, n)| (v / n, f / n)).collect();
        if side < 0.0 {
            points.reverse();
            points.push((0.0, f64::NAN));
        }
        out.extend(points);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::averaged;

    #[test]
    fn a_curve_has_two_sides_and_means() {
        let pairs: Vec<(f64, f64)> = (-600..=600)
            .map(|k| 0.01 * f64::from(k))
            .map(|v| (v, 0.5 * v + 2.0 * if v == 0.0 { 0.0 } else { v.signum() }))
            .collect();
        let curve = averaged(&pairs);
        assert_eq!(curve.iter().filter(|point| point.1.is_nan()).count(), 1);
        for (v, f) in curve.into_iter().filter(|point| !point.1.is_nan()) {
            assert!((f - 0.5 * v - 2.0 * v.signum()).abs() < 1e-12, "{v} {f}");
        }
        assert!(averaged(&[]).iter().all(|point| point.1.is_nan()));
    }
}
