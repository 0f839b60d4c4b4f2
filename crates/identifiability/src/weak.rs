//! Near-degenerate geometry: combinations that only small misalignments make identifiable.
//!
//! Without loops the robot is analysed again with its axes aligned; what is invisible there but not here is
//! weak. With loops an alignment of one joint would break the closure of others, so singular values alone
//! tell: of states along the whole branch, as around one configuration much looks alike that elsewhere does not.

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::leading_singular;
use steiner_linalg::orthonormal::{Orthonormal, beside, direction};
use steiner_linalg::{RankDecision, norm};
use steiner_robot::{Pose, PseudoInertia, inertial_columns};

use crate::alignment::{Aligned, Misalignment, aligned};
use crate::completion::structural_nullspace;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::nullspace::{NullVector, bodies_of};
use crate::numeric::{rows_along_branch, stacked_rows};
use crate::parts::{Part, separate_parts};
use crate::reached::{reached_by_alignment, strongest};
use crate::reason::{Reason, locate};

/// Relative singular values below this are weak, where geometry cannot say so.
const WEAK: f64 = 1e-5;
/// Where the median of what a parameter moves, squared, is below this part of the mean, the mean is typical.
const SELDOM: f64 = 1e-2;
/// Parameters that move less than this part of what the strongest moves, in natural units, are not made to compare.
const HARDLY: f64 = 1e-2;
/// A tree of so many bodies is aligned as a whole: that takes less time than finding where it matters.
const FEW_BODIES: usize = 40;
/// Of a null vector of the order of one, what it has beside others is rounding below this: half of the
/// digits of a double, as its entries are solutions of systems in doubles.
const INDEPENDENT: f64 = 1e-9;

/// A combination that would be invisible if almost aligned axes were aligned.
#[derive(Clone, Debug, PartialEq)]
pub struct WeakDirection {
    /// (column, value), ascending.
    pub entries: Vec<(usize, f64)>,
    /// The bodies it involves, ascending.
    pub bodies: Vec<usize>,
    /// How weak: what it moves in the forces, relative to the combination that moves most, in units in which
    /// a kilogram at the distance of a joint is one; where loops close, each parameter's typical force.
    pub relative_singular_value: f64,
    /// Why it is weak.
    pub reason: WeakReason,
}

/// Why a combination hardly shows.
#[derive(Clone, Debug, PartialEq)]
pub enum WeakReason {
    /// It would be invisible, for this reason, if the axes were aligned.
    AlmostAligned {
        /// Why it would be invisible.
        reason: Reason,
        /// What keeps the axes from being aligned, three of them at most; empty where only rounding does.
        misalignments: Vec<Vec<Misalignment>>,
    },
    /// Loops almost hide it along the whole branch.
    LoopsAlmostHide,
}

/// The weak directions beside a nullspace.
pub(crate) fn weak_directions(
    mechanism: &Mechanism,
    measurement: &Measurement,
    nullspace: &[NullVector],
    exact_geometry: bool,
) -> Result<Vec<WeakDirection>, IdentifiabilityError> {
    let robot = mechanism.robot();
    if !robot.loops.is_empty() {
        return weak_with_loops(mechanism, measurement, nullspace);
    }
    if robot.couplings.is_empty() && measurement.is_of_all_joints() && !measurement.is_static() {
        let is_large = robot.bodies.len() > FEW_BODIES;
        let bodies = if is_large { reached_by_alignment(mechanism) } else { Vec::new() };
        let is_part = is_large && bodies.len() < robot.bodies.len();
        if let Some(part) = if is_part { Part::new(mechanism, measurement, bodies)? } else { None } {
            return weak_of_part(mechanism, measurement, &part, exact_geometry);
        }
    }
    weak_by_alignment(mechanism, measurement, || Ok(nullspace.to_vec()), exact_geometry)
}

/// Those of some bodies of a tree, with all that carry them: a tree of its own, whose null vectors are those of
/// the whole on these bodies.
fn weak_of_part(
    mechanism: &Mechanism,
    measurement: &Measurement,
    part: &Part,
    exact_geometry: bool,
) -> Result<Vec<WeakDirection>, IdentifiabilityError> {
    let nullspace = || Ok(structural_nullspace(&part.mechanism, &part.measurement)?.vectors);
    let weak = weak_by_alignment(&part.mechanism, &part.measurement, nullspace, exact_geometry)?;
    if weak.is_empty() {
        return Ok(weak);
    }
    let share = strongest(&part.mechanism, &part.measurement)? / strongest(mechanism, measurement)?;
    Ok(weak.into_iter().map(|direction| direction.in_whole(part, share)).collect())
}

/// Those of a mechanism with loops: parts that stand side by side have their own singular values, all of which
/// are relative to the largest.
fn weak_with_loops(
    mechanism: &Mechanism,
    measurement: &Measurement,
    nullspace: &[NullVector],
) -> Result<Vec<WeakDirection>, IdentifiabilityError> {
    let Some(parts) = separate_parts(mechanism, measurement)? else {
        return Ok(weak_by_singular_values(mechanism, measurement, nullspace.len())?.0);
    };
    let of_part = |part: &Part| {
        let own =
            |vector: &&NullVector| vector.bodies.iter().all(|body| part.bodies.binary_search(body).is_ok());
        let nullity = nullspace.iter().filter(own).count();
        weak_by_singular_values(&part.mechanism, &part.measurement, nullity)
    };
    let found: Vec<(Vec<WeakDirection>, f64)> = parts.iter().map(of_part).collect::<Result<_, _>>()?;
    let strongest = found.iter().fold(0.0, |most: f64, (_, strength)| most.max(*strength));
    let mut out = Vec::new();
    for (part, (weak, strength)) in parts.iter().zip(found) {
        out.extend(weak.into_iter().map(|direction| direction.in_whole(part, strength / strongest)));
    }
    out.sort_by(|a, b| a.relative_singular_value.total_cmp(&b.relative_singular_value));
    Ok(out)
}

impl WeakDirection {
    /// Of a part, in the whole; `share` is what the part's strongest combination moves relative to that of the
    /// whole.
    fn in_whole(mut self, part: &Part, share: f64) -> Self {
        self.relative_singular_value *= share;
        self.entries.iter_mut().for_each(|(column, _)| *column = part.columns[*column]);
        self.entries.sort_by_key(|(column, _)| *column);
        self.bodies.iter_mut().for_each(|body| *body = part.bodies[*body]);
        if let WeakReason::AlmostAligned { reason, .. } = &mut self.reason {
            reason.rename(&part.bodies);
        }
        self
    }
}

fn weak_by_alignment(
    mechanism: &Mechanism,
    measurement: &Measurement,
    nullspace: impl FnOnce() -> Result<Vec<NullVector>, IdentifiabilityError>,
    exact_geometry: bool,
) -> Result<Vec<WeakDirection>, IdentifiabilityError> {
    let tree = mechanism.tree();
    let zero = vec![0.0; tree.dof];
    let mut start = vec![0.0; tree.configuration_size];
    tree.normalise(&mut start);
    let mut poses = Vec::new();
    tree.poses_at(&tree.displaced(&start, &zero), &mut poses);
    let world = tree.world_poses(&poses);
    let world: Vec<Pose<f64>> = tree.segment_of_body.iter().map(|&segment| world[segment]).collect();
    let Some(Aligned { robot, origins, poses, corrections }) = aligned(mechanism.robot(), &world) else {
        return Ok(Vec::new());
    };
    // Where numbers are printed in doubles, even rounding is a misalignment.
    if exact_geometry && corrections.iter().all(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let ideal = Mechanism::new(robot)?;
    let nullspace = nullspace()?;
    let mut meant = structural_nullspace(&ideal, measurement)?;
    if meant.vectors.len() <= nullspace.len() {
        return Ok(Vec::new());
    }
    let columns = measurement.columns(mechanism);
    let ground = measurement.ground_count();
    locate(mechanism.robot(), ground, &mut meant.vectors);
    let units = Units::new(mechanism, measurement)?;
    let mut known = Orthonormal::default();
    for vector in &nullspace {
        known.insert(units.scaled(&vector.entries), |length| length > INDEPENDENT);
    }
    let sparse = meant.vectors.iter().enumerate().map(|(k, vector)| (k, vector.entries.clone()));
    // Beside a sparse basis, which may be independent by a hair, one that is so by right angles, told as its
    // nearest.
    let right_angled = right_angled(&meant.vectors, &units);
    let carried: Vec<(usize, Vec<(usize, f64)>)> = sparse
        .chain(right_angled)
        .map(|(k, entries)| (k, carried(&entries, columns, ground, &origins, &poses)))
        .collect();
    let own: Vec<Vec<f64>> = carried.iter().map(|(_, entries)| units.scaled(entries)).collect();
    // What each has beside those known.
    let mut beside: Vec<Vec<f64>> = own.iter().map(|v| known.beside(v.clone())).collect();
    let mut out = Vec::new();
    for _ in nullspace.len()..meant.vectors.len() {
        // Most vectors of the aligned robot have a slightly different twin among the true ones; these are
        // not weak.
        let new = |k: usize| norm(&beside[k]) / norm(&own[k]).max(f64::MIN_POSITIVE);
        let newness: Vec<f64> = (0..carried.len()).map(new).collect();
        let largest = (0..carried.len()).max_by(|&a, &b| newness[a].total_cmp(&newness[b]));
        let Some(k) = newness.iter().position(|x| *x > 0.5).or(largest) else { break };
        let Some(found) = direction(beside[k].clone(), INDEPENDENT) else { break };
        take_away(&mut beside, &found);
        let (told, entries) = &carried[k];
        let vector = &meant.vectors[*told];
        let moving = vector.bodies.iter().filter_map(|body| body.checked_sub(ground));
        let corrected: Vec<usize> = moving.filter(|&body| !corrections[body].is_empty()).collect();
        // The misalignment may be that of a joint before.
        let blamed = if corrected.is_empty() { (0..corrections.len()).collect() } else { corrected };
        let blamed = blamed.into_iter().map(|body: usize| &corrections[body]);
        let misalignments = blamed.filter(|missed| !missed.is_empty()).take(3).cloned().collect();
        let reason = WeakReason::AlmostAligned { reason: vector.reason.clone(), misalignments };
        out.push(WeakDirection {
            entries: entries.clone(),
            bodies: vector.bodies.clone(),
            relative_singular_value: units.visibility(&found),
            reason,
        });
    }
    out.sort_by(|a, b| a.relative_singular_value.total_cmp(&b.relative_singular_value));
    Ok(out)
}

/// An orthogonal basis of the span of vectors, in natural units, each with the vector it is nearest to.
fn right_angled(vectors: &[NullVector], units: &Units) -> Vec<(usize, Vec<(usize, f64)>)> {
    let mut rest: Vec<Vec<f64>> =
        vectors.iter().filter_map(|vector| direction(units.scaled(&vector.entries), INDEPENDENT)).collect();
    let mut out = Vec::new();
    for _ in 0..rest.len() {
        let longest = (0..rest.len()).max_by(|&a, &b| norm(&rest[a]).total_cmp(&norm(&rest[b])));
        let longest = longest.and_then(|k| Some((k, direction(rest[k].clone(), INDEPENDENT)?)));
        let Some((k, found)) = longest else { break };
        take_away(&mut rest, &found);
        let natural = found.iter().zip(&units.of_column).map(|(x, unit)| x * unit);
        out.push((k, natural.enumerate().filter(|(_, x)| x.abs() > 1e-14).collect()));
    }
    out
}

/// Leaves of vectors what they have beside a direction.
fn take_away(vectors: &mut [Vec<f64>], found: &Vec<f64>) {
    vectors.iter_mut().for_each(|v| *v = beside(std::slice::from_ref(found), std::mem::take(v)));
}

/// A vector of the aligned robot, whose frames are parallel to the base, in the frames of the true one, which are
/// at `poses` there.
fn carried(
    entries: &[(usize, f64)],
    columns: usize,
    ground: usize,
    origins: &[[f64; 3]],
    poses: &[Pose<f64>],
) -> Vec<(usize, f64)> {
    let mut full = vec![0.0; columns];
    entries.iter().for_each(|&(c, x)| full[c] = x);
    for (k, (origin, pose)) in origins.iter().zip(poses).enumerate() {
        let own_columns = inertial_columns(ground + k);
        let Ok(own) = <&[f64; 10]>::try_from(&full[own_columns.clone()]) else { continue };
        if own.iter().all(|x| *x == 0.0) {
            continue;
        }
        let inertia = PseudoInertia::from_parameters(own);
        let seen = pose.inverse();
        let to = seen.point(steiner_linalg::Vec3(*origin));
        let moved = inertia.moved(&seen.rotation, to.0).parameters();
        full[own_columns].copy_from_slice(&moved);
    }
    let largest = full.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    full.into_iter().enumerate().filter(|(_, x)| x.abs() > 1e-12 * largest).collect()
}

/// By singular values, with the largest of them per state.
fn weak_by_singular_values(
    mechanism: &Mechanism,
    measurement: &Measurement,
    nullity: usize,
) -> Result<(Vec<WeakDirection>, f64), IdentifiabilityError> {
    let (mut rows, states) = rows_along_branch(mechanism, measurement)?;
    let known = measurement.known();
    for r in 0..rows.rows() {
        known.iter().for_each(|(column, _)| rows[(r, *column)] = 0.0);
    }
    let of_column = typical_units(&rows, states, units_of_columns(mechanism, measurement));
    let rank = measurement.columns(mechanism) - nullity - known.len();
    let found = leading_singular(in_units(&rows, &of_column), rank);
    let strongest = found.values.first().copied().unwrap_or(0.0);
    let mut out = Vec::new();
    let strong = RankDecision::of(found.values.iter().copied(), WEAK * strongest).rank;
    for k in (strong..rank).rev() {
        let natural: Vec<f64> = found.vectors[k].iter().zip(&of_column).map(|(x, unit)| x * unit).collect();
        let largest = natural.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let entries: Vec<(usize, f64)> = natural
            .into_iter()
            .enumerate()
            .filter(|(_, x)| x.abs() > 1e-3 * largest)
            .map(|(c, x)| (c, x / largest))
            .collect();
        let bodies = bodies_of(&measurement.parameters(mechanism), &entries);
        out.push(WeakDirection {
            entries,
            bodies,
            relative_singular_value: found.values[k] / strongest,
            reason: WeakReason::LoopsAlmostHide,
        });
    }
    Ok((out, strongest / (states.max(1) as f64).sqrt()))
}

/// Units in which every parameter moves a typical state alike: kilograms and newton metres compare, and a few states
/// near a singularity, which move far more than all others, say nothing of size.
fn typical_units(rows: &Matrix<f64>, states: usize, natural: Vec<f64>) -> Vec<f64> {
    let of_state = rows.rows() / states.max(1);
    let of_column = |column: usize| {
        let square = |state: usize| {
            (state * of_state..(state + 1) * of_state).map(|r| rows[(r, column)].powi(2)).sum::<f64>()
        };
        let squares: Vec<f64> = (0..states).map(square).collect();
        let mean = squares.iter().sum::<f64>() / states.max(1) as f64;
        let mut sorted = squares;
        sorted.sort_by(f64::total_cmp);
        // What seldom moves is counted by its mean.
        let median = sorted.get(states / 2).copied().unwrap_or(0.0);
        if median > SELDOM * mean { median.sqrt() } else { mean.sqrt() }
    };
    let typical: Vec<f64> = (0..rows.columns()).map(|c| natural[c] * of_column(c)).collect();
    let largest = typical.iter().fold(f64::MIN_POSITIVE, |most: f64, x| most.max(*x));
    // What hardly moves anything in natural units is weak, or rounding.
    natural.iter().zip(&typical).map(|(unit, x)| unit * largest / x.max(HARDLY * largest)).collect()
}

/// Units in which parameters of different kinds compare: a kilogram, a kilogram at the distance of the next
/// joint, and that squared.
struct Units {
    of_column: Vec<f64>,
    /// The stacked regressor in these units.
    rows: Matrix<f64>,
    /// Its largest singular value.
    strongest: f64,
}

/// Rows over parameters that are counted in their units.
fn in_units(rows: &Matrix<f64>, of_column: &[f64]) -> Matrix<f64> {
    Matrix::from_fn(rows.rows(), rows.columns(), |r, c| rows[(r, c)] * of_column[c])
}

impl Units {
    fn new(mechanism: &Mechanism, measurement: &Measurement) -> Result<Self, IdentifiabilityError> {
        let of_column = units_of_columns(mechanism, measurement);
        let rows = in_units(&stacked_rows(mechanism, measurement)?.0, &of_column);
        let strongest = largest_singular_value(&rows);
        Ok(Units { of_column, rows, strongest })
    }

    fn scaled(&self, entries: &[(usize, f64)]) -> Vec<f64> {
        let mut full = vec![0.0; self.of_column.len()];
        entries.iter().for_each(|&(c, x)| full[c] = x / self.of_column[c]);
        full
    }

    /// What a unit vector moves, relative to the one that moves most.
    fn visibility(&self, direction: &[f64]) -> f64 {
        if self.strongest > 0.0 { norm(&self.rows.apply(direction)) / self.strongest } else { 0.0 }
    }
}

/// By power iteration, to a few digits.
fn largest_singular_value(rows: &Matrix<f64>) -> f64 {
    let transposed = rows.transpose();
    // No structure of the columns is orthogonal to this.
    let start: Vec<f64> = (0..rows.columns()).map(|k| 1.0 + (0.7 * k as f64).sin()).collect();
    let Some(mut v) = direction(start, 0.0) else { return 0.0 };
    let mut value = 0.0;
    for _ in 0..100 {
        let image = transposed.apply(&rows.apply(&v));
        let (before, length) = (value, norm(&image));
        value = length.sqrt();
        if length == 0.0 || (value - before).abs() <= 1e-6 * value {
            break;
        }
        v = image.into_iter().map(|x| x / length).collect();
    }
    value
}

/// The unit of each parameter: kg, kg at the distance of the next joint, and that squared; 1 for drives.
pub(crate) fn units_of_columns(mechanism: &Mechanism, measurement: &Measurement) -> Vec<f64> {
    let length = mechanism.length_scale();
    let parameters = measurement.parameters(mechanism);
    (0..parameters.len()).map(|column| length.powi(parameters.id(column).kind.length_power())).collect()
}
