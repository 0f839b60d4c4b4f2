//! Distances along a motion: least ones, and whether they stay positive between the samples.

use steiner_dynamics::Segment;
use steiner_linalg::Vec3;
use steiner_robot::Pose;

use crate::clearance::Rates;
use crate::hull_distance::Warm;
use crate::proof::{Bound, Margin, Quantity};
use crate::task::Task;

/// Pieces of time from which the search begins.
const PIECES: usize = 400;
/// Pieces that are halved at most, and how often one is.
const MOST: usize = 60_000;
const DEEPEST: usize = 16;
/// The same for two that collide: that is known.
const SHALLOW: usize = 5;
/// Distances are computed to better than this, m or relative.
const ROUNDING: f64 = 1e-9;
/// Least distances up to this are found to better than that, m.
const NEAR: f64 = 0.02;
const FOUND: f64 = 1e-6;

/// What is known of distances along a motion.
pub(crate) struct Distances {
    /// The least one of every two bodies.
    pub(crate) least: Vec<Margin>,
    /// Times at which some are too near to each other, nearer than before and after, s.
    pub(crate) leaks: Vec<f64>,
}

/// The least distance of every pair; `None` where nothing can collide.
///
/// Over a piece of time a plane parts the two ([`Clearance::over`]), or they are too far apart to meet. Pieces are halved
/// until all of it is positive and no piece may hold less than what was found.
///
/// [`Clearance::over`]: crate::clearance::Clearance::over
pub(crate) fn least_distances(task: &Task<'_>, x: &[f64]) -> Option<Distances> {
    let clearance = task.clearance.as_ref()?;
    let functions = task.basis.len();
    let parts: Vec<&[f64]> = x.chunks_exact(functions).collect();
    let mechanism = task.mechanism;
    let times = task.times(PIECES);
    let count = clearance.len();
    let mut least = vec![(f64::INFINITY, 0.0); count];
    // The same of every piece, over all pairs.
    let mut leasts = vec![(f64::INFINITY, 0.0); PIECES];
    let mut sure = vec![mechanism.is_plain_tree() || task.basis.is_static(); count];
    if task.basis.is_static() || !mechanism.is_plain_tree() {
        for &t in &times {
            for (least, found) in
                least.iter_mut().zip(clearance.distances(mechanism, &configuration_at(task, x, t)))
            {
                if found < least.0 {
                    *least = (found, t);
                }
            }
        }
    } else {
        let period = task.period();
        let whole = (0.0, task.basis.duration());
        let bound = |order: usize| -> Vec<f64> {
            let mut out = vec![0.0; mechanism.dof()];
            let of = task.movable.iter().zip(&parts);
            of.for_each(|(&(_, velocity), x)| out[velocity] = task.basis.bound(x, order, whole));
            out
        };
        let [most_speeds, bends, jerks] = [bound(1), bound(2), bound(3)];
        let fastest = clearance.fastest(mechanism, &most_speeds, &reaches(task));
        let mut velocities = vec![0.0; mechanism.dof()];
        let (mut speeds, mut accelerations) = (velocities.clone(), velocities.clone());
        let mut warm = vec![Warm::default(); count];
        let mut budget = MOST;
        // What may collide, or come nearer than was found, in pieces of one length.
        let mut radius = 0.5 * period / PIECES as f64;
        let all: Vec<usize> = (0..count).collect();
        let mut open: Vec<(f64, Vec<usize>)> =
            (0..PIECES).map(|k| ((2 * k + 1) as f64 * radius, all.clone())).collect();
        for depth in 0.. {
            // Halved next where the bound, m, is not enough.
            let mut doubtful: Vec<(f64, Vec<(usize, f64)>)> = Vec::new();
            for (t, pairs) in open {
                let (rates, bent) = (task.basis.at(t, 1), task.basis.at(t, 2));
                for (&(_, velocity), x) in task.movable.iter().zip(&parts) {
                    let here = |of: &[f64]| of.iter().zip(*x).map(|(f, x)| f * x).sum::<f64>();
                    velocities[velocity] = here(&rates);
                    speeds[velocity] = velocities[velocity].abs() + radius * bends[velocity];
                    accelerations[velocity] = here(&bent).abs() + radius * jerks[velocity];
                }
                let rates = Rates { velocities: &velocities, speeds: &speeds, accelerations: &accelerations };
                let moment =
                    clearance.moment(mechanism, &configuration_at(task, x, t), &rates, &fastest, radius);
                let mut open = Vec::new();
                for pair in pairs {
                    let (distance, bound) = clearance.over(pair, &moment, &mut warm[pair]);
                    let piece = &mut leasts[((t / period * PIECES as f64) as usize).min(PIECES - 1)];
                    for least in [&mut least[pair], piece] {
                        if distance < least.0 {
                            *least = (distance, t);
                        }
                    }
                    if bound <= NEAR {
                        open.push((pair, bound - ROUNDING * (1.0 + bound.abs())));
                    }
                }
                doubtful.push((t, open));
            }
            radius *= 0.5;
            open = Vec::new();
            for (t, pairs) in doubtful {
                let mut halved = Vec::new();
                for (pair, bound) in pairs {
                    let nearest = least[pair].0;
                    let collides = nearest <= 0.0;
                    if bound >= nearest.min(NEAR) - FOUND && (collides || bound > 0.0) {
                        continue;
                    }
                    match (depth < if collides { SHALLOW } else { DEEPEST }, budget) {
                        (true, 1..) => halved.push(pair),
                        // Where the least one is may stay open, but not whether they meet.
                        _ => sure[pair] &= bound > 0.0,
                    }
                }
                if !halved.is_empty() {
                    budget -= 1;
                    open.push((t - radius, halved.clone()));
                    open.push((t + radius, halved));
                }
            }
            if open.is_empty() {
                break;
            }
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
    let leaks = (0..PIECES).filter(|&k| {
        let beside = [leasts[k.saturating_sub(1)].0, leasts[(k + 1).min(PIECES - 1)].0];
        leasts[k].0 <= 0.0 && beside.into_iter().all(|other| leasts[k].0 <= other)
    });
    Some(Distances { least: out, leaks: leaks.map(|k| leasts[k].1).collect() })
}

/// The least distance of all pairs at a time less what they keep, m.
pub(crate) fn least_at(task: &Task<'_>, x: &[f64], t: f64) -> f64 {
    let Some(clearance) = &task.clearance else { return f64::INFINITY };
    let distances = clearance.distances(task.mechanism, &configuration_at(task, x, t));
    distances.into_iter().fold(f64::INFINITY, f64::min)
}

fn configuration_at(task: &Task<'_>, x: &[f64], t: f64) -> Vec<f64> {
    let mut q = task.mechanism.reference();
    let values = task.basis.at(t, 0);
    for (&(at, _), x) in task.movable.iter().zip(x.chunks_exact(values.len())) {
        q[at] = values.iter().zip(x).map(|(f, x)| f * x).sum();
    }
    q
}

/// For each segment of the tree how far its origin can be from that of its parent, m: where it is at the
/// reference, and how far a coordinate can carry it from there.
pub(crate) fn reaches(task: &Task<'_>) -> Vec<f64> {
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
