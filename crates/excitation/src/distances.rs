//! Distances along a motion: least ones, and whether they stay positive between the samples.

use steiner_dynamics::Segment;
use steiner_linalg::Vec3;
use steiner_robot::Pose;

use crate::proof::{Bound, Margin, Quantity};
use crate::task::Task;

/// Pieces of time from which the search begins.
const PIECES: usize = 200;
/// Times at which distances are computed at most.
const MOST: usize = 20_000;

/// The least distance of every pair that comes near; `None` where nothing can collide.
pub(crate) fn least_distances(task: &Task<'_>, x: &[f64]) -> Option<Vec<Margin>> {
    let clearance = task.clearance.as_ref()?;
    let functions = task.basis.len();
    let parts: Vec<&[f64]> = x.chunks_exact(functions).collect();
    let mechanism = task.mechanism;
    let configuration = |t: f64| {
        let mut q = mechanism.reference();
        let values = task.basis.at(t, 0);
        for (k, &(at, _)) in task.movable.iter().enumerate() {
            q[at] = values.iter().zip(parts[k]).map(|(f, x)| f * x).sum();
        }
        q
    };
    let distances = |t: f64| clearance.distances(mechanism, &configuration(t));
    let times = task.times(PIECES);
    let first = distances(times[0]);
    let mut least: Vec<(f64, f64)> = first.iter().map(|d| (*d, times[0])).collect();
    let mut see = |t: f64, found: &[f64]| {
        for (least, d) in least.iter_mut().zip(found) {
            if *d < least.0 {
                *least = (*d, t);
            }
        }
    };
    let mut sure = vec![mechanism.is_plain_tree() || task.basis.is_static(); first.len()];
    if task.basis.is_static() {
        for &t in &times {
            see(t, &distances(t));
        }
    } else {
        // How fast distances change at most, from how fast the joints go.
        let speeds: Vec<f64> = {
            let mut out = vec![0.0; mechanism.dof()];
            for (k, &(_, velocity)) in task.movable.iter().enumerate() {
                let most = task.basis.bound(parts[k], 1, (0.0, task.basis.duration()));
                out[velocity] = most.min(task.limits[k].velocity);
            }
            out
        };
        let rates = clearance.speeds(mechanism, &speeds, &reaches(task));
        let period = (times[1] - times[0]) * times.len() as f64;
        let start = times[0].min(0.0);
        let step = period / PIECES as f64;
        let knots: Vec<(f64, Vec<f64>)> =
            (0..=PIECES).map(|k| start + step * k as f64).map(|t| (t, distances(t))).collect();
        knots.iter().for_each(|(t, found)| see(*t, found));
        let mut budget = MOST;
        let mut open: Vec<((f64, Vec<f64>), (f64, Vec<f64>))> =
            knots.windows(2).map(|w| (w[0].clone(), w[1].clone())).collect();
        while let Some((a, b)) = open.pop() {
            let h = b.0 - a.0;
            let doubtful: Vec<usize> = (0..rates.len())
                .filter(|&k| sure[k] && 0.5 * (a.1[k] + b.1[k] - rates[k] * h) <= 0.0)
                .collect();
            if doubtful.is_empty() {
                continue;
            }
            if budget == 0 {
                doubtful.into_iter().for_each(|k| sure[k] = false);
                continue;
            }
            budget -= 1;
            let t = 0.5 * (a.0 + b.0);
            let middle = (t, distances(t));
            see(t, &middle.1);
            if doubtful.iter().any(|&k| middle.1[k] <= 0.0) {
                doubtful.into_iter().filter(|&k| middle.1[k] <= 0.0).for_each(|k| sure[k] = false);
            }
            open.extend([(a, middle.clone()), (middle, b)]);
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
    Some(margins.collect())
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
