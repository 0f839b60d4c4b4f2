//! Distances along a motion: least ones, and whether they stay positive between the samples.

use steiner_dynamics::Segment;
use steiner_linalg::Vec3;
use steiner_robot::Pose;

use crate::clearance::world_poses;
use crate::proof::{Bound, Margin, Quantity};
use crate::task::Task;

/// Pieces of time from which the search begins.
const PIECES: usize = 400;
/// Pieces that are halved at most.
const MOST: usize = 60_000;
/// Distances are computed to better than this, m or relative.
const ROUNDING: f64 = 1e-9;

/// The least distance of every pair; `None` where nothing can collide.
///
/// Over a piece of time a distance is within (its value in the middle) ± (half the piece) × (how fast the two
/// can move), and pieces are halved until all of it is positive. How fast: from the speeds of the joints there and
/// the arms in the middle, with what both can change over the piece.
pub(crate) fn least_distances(task: &Task<'_>, x: &[f64]) -> Option<Vec<Margin>> {
    let clearance = task.clearance.as_ref()?;
    let functions = task.basis.len();
    let parts: Vec<&[f64]> = x.chunks_exact(functions).collect();
    let mechanism = task.mechanism;
    let world_at = |t: f64| {
        let mut q = mechanism.reference();
        let values = task.basis.at(t, 0);
        for (k, &(at, _)) in task.movable.iter().enumerate() {
            q[at] = values.iter().zip(parts[k]).map(|(f, x)| f * x).sum();
        }
        world_poses(mechanism, &q)
    };
    let times = task.times(PIECES);
    let count = clearance.len();
    let mut least = vec![(f64::INFINITY, 0.0); count];
    let all: Vec<usize> = (0..count).collect();
    let mut see = |t: f64, pairs: &[usize], found: &[f64]| {
        for (k, d) in pairs.iter().zip(found) {
            if *d < least[*k].0 {
                least[*k] = (*d, t);
            }
        }
    };
    let mut sure = vec![mechanism.is_plain_tree() || task.basis.is_static(); count];
    if task.basis.is_static() || !mechanism.is_plain_tree() {
        for &t in &times {
            match world_at(t) {
                Some(world) => see(t, &all, &clearance.distances_at(mechanism, &world, 0..count)),
                None => see(t, &all, &vec![f64::NEG_INFINITY; count]),
            }
        }
    } else {
        let period = task.period();
        let whole = (0.0, task.basis.duration());
        let mut speeds = vec![0.0; mechanism.dof()];
        for (k, &(_, velocity)) in task.movable.iter().enumerate() {
            speeds[velocity] = task.basis.bound(parts[k], 1, whole);
        }
        let fastest = clearance.fastest(mechanism, &speeds, &reaches(task));
        let bends: Vec<f64> = parts.iter().map(|x| task.basis.bound(x, 2, whole)).collect();
        let mut budget = MOST;
        let radius = 0.5 * period / PIECES as f64;
        // Middle and radius of a piece, with the pairs that may collide in it.
        let mut open: Vec<(f64, f64, Vec<usize>)> =
            (0..PIECES).map(|k| ((2 * k + 1) as f64 * radius, radius, all.clone())).collect();
        while let Some((t, radius, pairs)) = open.pop() {
            let Some(world) = world_at(t) else { continue };
            let found = clearance.distances_at(mechanism, &world, pairs.iter().copied());
            see(t, &pairs, &found);
            let rates = task.basis.at(t, 1);
            for (k, &(_, velocity)) in task.movable.iter().enumerate() {
                let here: f64 = rates.iter().zip(parts[k]).map(|(f, x)| f * x).sum();
                speeds[velocity] = here.abs() + radius * bends[k];
            }
            let drift: Vec<f64> = fastest.iter().map(|v| radius * v).collect();
            let near = clearance.fastest_near(mechanism, &world, &speeds, &drift);
            let doubtful = |(k, found): &(usize, f64)| {
                sure[*k] && found - radius * clearance.closing(*k, &near) * (1.0 + ROUNDING) <= ROUNDING
            };
            let doubtful: Vec<(usize, f64)> = pairs.into_iter().zip(found).filter(doubtful).collect();
            // A collision needs no more proof.
            doubtful.iter().filter(|(_, found)| *found <= 0.0).for_each(|(k, _)| sure[*k] = false);
            let doubtful: Vec<usize> = doubtful.into_iter().map(|(k, _)| k).collect();
            if doubtful.is_empty() {
                continue;
            }
            if budget == 0 {
                doubtful.into_iter().for_each(|k| sure[k] = false);
                continue;
            }
            budget -= 1;
            let half = 0.5 * radius;
            open.extend([(t - half, half, doubtful.clone()), (t + half, half, doubtful)]);
        }
    }
    let margins = least.into_iter().enumerate().map(|(pair, (value, time))| Margin {
        of: clearance.name(mechanism, pair),
        quantity: Quantity::Distance,
        value: value + clearance.margin(),
        limit: clearance.margin(),
        time,
        margin: value,
        bound: match (value < 0.0, sure[pair]) {
            (true, _) => Bound::Violated,
            (false, true) => Bound::Proven,
            (false, false) => Bound::Sampled,
        },
    });
    // Of two bodies with several capsules the nearest ones count; what is not sure of any is not sure of the bodies.
    let mut out: Vec<Margin> = Vec::new();
    for margin in margins {
        match out.iter_mut().find(|other| other.of == margin.of) {
            None => out.push(margin),
            Some(other) => {
                let doubtful = [other.bound, margin.bound].contains(&Bound::Sampled);
                if margin.margin < other.margin {
                    *other = margin;
                }
                if doubtful && other.bound == Bound::Proven {
                    other.bound = Bound::Sampled;
                }
            }
        }
    }
    Some(out)
}

/// For each segment of the tree how far its origin can be from that of its parent, m: where it is at the
/// reference, and how far a coordinate can carry it from there.
fn reaches(task: &Task<'_>) -> Vec<f64> {
    let mechanism = task.mechanism;
    let tree = mechanism.tree();
    let reference = mechanism.reference();
    let mut poses = Vec::new();
    tree.poses_at(mechanism.reference_tree(), &mut poses);
    let size = |v: Vec3<f64>| v.dot(v).sqrt();
    let reach = |(segment, pose): (&Segment<f64>, &Pose<f64>)| {
        let carried = segment.columns.iter().enumerate().map(|(k, column)| {
            let own = task.movable.iter().position(|(_, velocity)| *velocity == segment.velocity + k);
            let travel = own.map_or(0.0, |own| {
                let (limits, from) = (&task.limits[own], reference[task.movable[own].0]);
                (limits.upper - from).abs().max((from - limits.lower).abs())
            });
            travel * size(column.linear)
        });
        size(pose.translation) + carried.sum::<f64>()
    };
    tree.segments.iter().zip(&poses).map(reach).collect()
}
