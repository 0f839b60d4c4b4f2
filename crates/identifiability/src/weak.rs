//! Near-degenerate geometry: combinations that only small misalignments make identifiable.
//!
//! Without loops the robot is analysed again with its axes aligned; what is invisible there but not here is weak. With loops an
//! alignment of one joint would break the closure of others, so singular values alone tell.

use steiner_dynamics::Mechanism;
use steiner_robot::{Pose, PseudoInertia};
use steiner_scalar::elimination::Matrix;
use steiner_scalar::orthogonal::singular;

use crate::alignment::{Aligned, aligned};
use crate::completion::{NullVector, structural_nullspace};
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::numeric::stacked_rows;
use crate::span::Span;

/// Relative singular values below this are weak, where geometry cannot say so.
const WEAK: f64 = 1e-5;

/// A combination that would be invisible if almost aligned axes were aligned.
#[derive(Clone, Debug, PartialEq)]
pub struct WeakDirection {
    /// (column, value), ascending.
    pub entries: Vec<(usize, f64)>,
    /// The bodies it involves, ascending.
    pub bodies: Vec<usize>,
    /// What it moves in the forces, relative to what its parameters move by themselves.
    pub relative_singular_value: f64,
    /// One sentence about it.
    pub text: String,
}

/// The weak directions beside a nullspace.
pub(crate) fn weak_directions(
    mechanism: &Mechanism,
    measurement: &Measurement,
    nullspace: &[NullVector],
) -> Result<Vec<WeakDirection>, IdentifiabilityError> {
    if mechanism.robot().loops.is_empty() {
        weak_by_alignment(mechanism, measurement, nullspace)
    } else {
        weak_by_singular_values(mechanism, measurement, nullspace)
    }
}

fn weak_by_alignment(
    mechanism: &Mechanism,
    measurement: &Measurement,
    nullspace: &[NullVector],
) -> Result<Vec<WeakDirection>, IdentifiabilityError> {
    let tree = mechanism.tree();
    let zero = vec![0.0; tree.dof];
    let mut start = vec![0.0; tree.configuration_size];
    tree.normalise(&mut start);
    let mut poses = Vec::new();
    tree.poses_at(&tree.displaced(&start, &zero), &mut poses);
    let world = tree.world_poses(&poses);
    let world: Vec<Pose<f64>> = tree.segment_of_body.iter().map(|&segment| world[segment]).collect();
    let Some(Aligned { robot, origins, corrections }) = aligned(mechanism.robot(), &world) else {
        return Ok(Vec::new());
    };
    let ideal = Mechanism::new(robot)?;
    let meant = structural_nullspace(&ideal, measurement)?;
    if meant.vectors.len() <= nullspace.len() {
        return Ok(Vec::new());
    }
    let columns = measurement.columns(mechanism);
    let ground = measurement.ground_count();
    let rows = stacked_rows(mechanism, measurement)?;
    let weights = column_norms(&rows);
    let mut known = Span::<f64>::new(1e-7);
    for vector in nullspace {
        known.insert(scaled(&vector.entries, &weights));
    }
    let mut out = Vec::new();
    for vector in &meant.vectors {
        let entries = carried(vector, columns, ground, &origins, &world);
        if !known.insert(scaled(&entries, &weights)) {
            continue;
        }
        let reasons: Vec<&str> = vector
            .bodies
            .iter()
            .filter_map(|body| body.checked_sub(ground))
            .map(|body| corrections[body].as_str())
            .filter(|reason| !reason.is_empty())
            .collect();
        let reasons = match reasons.is_empty() {
            true => corrections.iter().filter(|r| !r.is_empty()).map(String::as_str).take(3).collect(),
            false => reasons,
        };
        let text = format!("{} Only that {} shows it.", vector.text, reasons.join(", and that "));
        let relative_singular_value = visibility(&rows, &weights, &entries);
        out.push(WeakDirection { bodies: vector.bodies.clone(), entries, relative_singular_value, text });
    }
    out.sort_by(|a, b| a.relative_singular_value.total_cmp(&b.relative_singular_value));
    Ok(out)
}

/// A vector of the aligned robot in the frames of the true one.
fn carried(
    vector: &NullVector,
    columns: usize,
    ground: usize,
    origins: &[[f64; 3]],
    world: &[Pose<f64>],
) -> Vec<(usize, f64)> {
    let mut full = vec![0.0; columns];
    vector.entries.iter().for_each(|&(c, x)| full[c] = x);
    for (k, (origin, pose)) in origins.iter().zip(world).enumerate() {
        let first = 10 * (ground + k);
        let Ok(own) = <&[f64; 10]>::try_from(&full[first..first + 10]) else { continue };
        if own.iter().all(|x| *x == 0.0) {
            continue;
        }
        let inertia = PseudoInertia::from_parameters(own);
        let seen = pose.inverse();
        let to = seen.point(steiner_scalar::Vec3(*origin));
        let moved = inertia.moved(&seen.rotation, to.0).parameters();
        full[first..first + 10].copy_from_slice(&moved);
    }
    let largest = full.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    full.into_iter().enumerate().filter(|(_, x)| x.abs() > 1e-12 * largest).collect()
}

fn weak_by_singular_values(
    mechanism: &Mechanism,
    measurement: &Measurement,
    nullspace: &[NullVector],
) -> Result<Vec<WeakDirection>, IdentifiabilityError> {
    let rows = stacked_rows(mechanism, measurement)?;
    let weights = column_norms(&rows);
    let unit = Matrix::from_fn(rows.rows(), rows.columns(), |r, c| match weights[c] > 0.0 {
        true => rows[(r, c)] / weights[c],
        false => 0.0,
    });
    let found = singular(unit);
    let rank = measurement.columns(mechanism) - nullspace.len();
    let first = found.values.first().copied().unwrap_or(0.0);
    let mut out = Vec::new();
    for k in (0..rank).rev().take_while(|&k| found.values[k] < WEAK * first) {
        let natural: Vec<f64> = found.vectors[k]
            .iter()
            .zip(&weights)
            .map(|(x, weight)| if *weight > 0.0 { x / weight } else { 0.0 })
            .collect();
        let largest = natural.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let entries: Vec<(usize, f64)> = natural
            .into_iter()
            .enumerate()
            .filter(|(_, x)| x.abs() > 1e-3 * largest)
            .map(|(c, x)| (c, x / largest))
            .collect();
        let mut bodies: Vec<usize> =
            entries.iter().map(|&(c, _)| measurement.body_of(mechanism, c)).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let text = "The loops almost hide this combination near the reference configuration.".to_owned();
        out.push(WeakDirection { entries, bodies, relative_singular_value: found.values[k] / first, text });
    }
    Ok(out)
}

fn column_norms(rows: &Matrix<f64>) -> Vec<f64> {
    (0..rows.columns())
        .map(|c| (0..rows.rows()).map(|r| rows[(r, c)] * rows[(r, c)]).sum::<f64>().sqrt())
        .collect()
}

/// A vector in units in which every column of the regressor is as large as any other.
fn scaled(entries: &[(usize, f64)], weights: &[f64]) -> Vec<f64> {
    let largest = weights.iter().fold(0.0, |most: f64, x| most.max(*x));
    let mut full = vec![0.0; weights.len()];
    // A column that is zero has no unit of its own.
    entries.iter().for_each(|&(c, x)| full[c] = x * if weights[c] > 0.0 { weights[c] } else { largest });
    full
}

/// |Y v| over what the entries of v move by themselves.
fn visibility(rows: &Matrix<f64>, weights: &[f64], entries: &[(usize, f64)]) -> f64 {
    let shown: f64 = (0..rows.rows())
        .map(|r| entries.iter().map(|&(c, x)| rows[(r, c)] * x).sum::<f64>().powi(2))
        .sum::<f64>();
    let alone: f64 = entries.iter().map(|&(c, x)| (weights[c] * x).powi(2)).sum();
    if alone > 0.0 { (shown / alone).sqrt() } else { 0.0 }
}
