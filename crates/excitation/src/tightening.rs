//! The last steps: from a motion that keeps its limits on a grid to one that keeps them everywhere.
//!
//! What a motion exceeds between the samples of the grid is little, and it is known. So the limits of the grid are made
//! tighter by just that and the motion is improved again, until nothing is left. Whatever remains after some rounds
//! is taken off by making the motion smaller.

use std::num::NonZeroUsize;

use crate::distances::least_at;
use crate::error::ExcitationError;
use crate::minimise::{Barrier, Curvature, descend};
use crate::objective::Objective;
use crate::proof::{Bound, Margin, Quantity, margins as margins_of, sampled_margins};
use crate::search::{self, Found, calm, shrink};
use crate::task::{Closer, SumLimit, Task};

/// Samples of the grid.
const GRID: usize = 128;
/// Weights of the barriers on the way, and most steps of each.
const FINAL: [(f64, usize); 4] = [(1e-3, 60), (3e-4, 60), (1e-4, 60), (3e-5, 60)];
/// Of these, how many among obstacles: lighter barriers lead into corners that no grid sees.
const AROUND: usize = 3;
/// How often limits are made tighter; twice as often around obstacles.
const ROUNDS: usize = 6;
/// After so many rounds in which no barrier led a motion away from what it exceeds, a motion that then becomes only a
/// little smaller is left to heavier barriers.
const STUCK: usize = 2;
/// What is exceeded by less than this part of a limit is taken off in the end.
const LITTLE: f64 = 1e-4;
/// By how much more than what was exceeded.
const MORE: f64 = 1.1;
/// The same for distances, where the time is looked at from now on; and at least, m.
const A_LITTLE_MORE: f64 = 0.2;
const LEAST: f64 = 1e-5;
/// What bodies may be too near to each other while they are led out of that, relative to what they are.
const GIVEN: f64 = 1.1;
/// By how much barriers become heavier for tighter limits, up to which weight, and steps of each.
const LIGHTER: f64 = 4.0;
const HEAVIEST: f64 = 0.01;
/// The same where bodies are too near to each other.
const MUCH_HEAVIER: f64 = 250.0;
/// Times that are looked at on either side of one where bodies are too near, and how many of their distances are in a
/// period.
const WIDE: i32 = 2;
const BESIDE: f64 = 2000.0;
/// Weight from which a motion is improved again that had to be made smaller.
const AFRESH: f64 = 0.3;
const FEW: usize = 12;
const MANY: usize = 40;
/// Weights of barriers that lead away from limits, and how far a motion goes there.
const AWAY: [f64; 3] = [1e-3, 0.01, 0.1];
const PARTS: [f64; 5] = [0.01, 0.03, 0.1, 0.3, 1.0];
/// What is left of a motion that still exceeds limits.
const CALMER: [f64; 12] = [0.99, 0.97, 0.94, 0.9, 0.85, 0.8, 0.7, 0.6, 0.45, 0.3, 0.15, 0.05];
/// How often a motion is made smaller at most.
const SMALLER: u32 = 20;

/// Improves the best motion of a search, and sees to it that nothing is exceeded between the samples.
pub(crate) fn tightened(
    task: &Task<'_>,
    found: &mut Found,
    threads: NonZeroUsize,
) -> Result<Vec<Margin>, ExcitationError> {
    if found.interrupted {
        return smaller(task, found);
    }
    let mut tight = task.clone();
    tight.threads = threads;
    let mut curvature = found.curvature.clone();
    let (mut x, mut before) = (found.x.clone(), FINAL[0].0);
    // Where time ended the search, little of it is left.
    let levels = match (found.stopped, task.clearance.is_some()) {
        (true, _) => &[][..],
        (false, true) => &FINAL[..AROUND],
        (false, false) => &FINAL[..],
    };
    let rounds = if task.clearance.is_some() { 2 * ROUNDS } else { ROUNDS };
    let mut stuck = 0;
    for round in 0..levels.len() + rounds {
        let (barrier, steps) =
            levels.get(round).copied().unwrap_or((before, if found.stopped { 10 } else { 40 }));
        // The first has been done by the search. Around obstacles what leads away from them is enough in the end: each
        // further step finds new ones.
        if round > 0 && (round < levels.len() || task.clearance.is_none() || found.stopped) {
            improve(&tight, &mut x, &mut curvature, (barrier, before), steps);
            before = barrier;
        }
        if round == 0
            && let Some(part) = put_inside(&tight, &mut x, &found.inner)
        {
            regrow(&tight, &mut x, &mut curvature, before, part);
        }
        // A loop may open between the samples.
        let Ok((margins, leaks)) = sampled_margins(task, &x) else { break };
        let is_little = |margin: &Margin| match task.clearance.is_some() {
            // A smaller motion may come nearer to something.
            true => margin.margin >= 0.0,
            false => margin.margin > -LITTLE,
        };
        if round + 1 >= levels.len() && margins.iter().all(is_little) {
            break;
        }
        let moved = approach(task, &mut tight, (&margins, &leaks), &mut x, &mut curvature, before);
        if !moved {
            let Some(part) = put_inside(&tight, &mut x, &found.inner) else { break };
            if stuck >= STUCK && part <= search::MUCH_SMALLER {
                break;
            }
            stuck += 1;
            regrow(&tight, &mut x, &mut curvature, before, part);
        }
        if round == 0 || !moved {
            improve(&tight, &mut x, &mut curvature, (before, LIGHTER * before), steps);
        }
    }
    found.x = x;
    let margins = margins_of(task, &found.x).unwrap_or_default();
    if is_proven(task, &margins) {
        return Ok(margins);
    }
    // Heavier barriers lead away from all limits: as far there as is needed.
    let (whole, mut away) = (found.x.clone(), found.x.clone());
    for heavy in AWAY {
        improve(&tight, &mut away, &mut curvature, (heavy, before), MANY);
        before = heavy;
        for part in PARTS {
            let between = whole.iter().zip(&away).map(|(x, away)| x + part * (away - x));
            found.x = between.collect();
            if let Ok(margins) = margins_of(task, &found.x)
                && is_proven(task, &margins)
            {
                return Ok(margins);
            }
        }
    }
    found.x = whole;
    smaller(task, found)
}

/// Whether all limits hold, and distances of trees at every time.
fn is_proven(task: &Task<'_>, margins: &[Margin]) -> bool {
    let doubtful = |margin: &Margin| {
        task.mechanism.is_plain_tree()
            && margin.quantity == Quantity::Distance
            && margin.bound != Bound::Proven
    };
    holds(margins) && !margins.iter().any(doubtful)
}

fn holds(margins: &[Margin]) -> bool {
    !margins.is_empty() && margins.iter().all(|margin| margin.bound != Bound::Violated)
}

/// Some steps with a weight of the barriers, from where they weighed more.
fn improve(
    task: &Task<'_>,
    x: &mut Vec<f64>,
    curvature: &mut Curvature,
    (barrier, before): (f64, f64),
    steps: usize,
) {
    let mut quiet = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(task, GRID, &mut quiet);
    objective.barrier = barrier;
    objective.heavier = before / barrier;
    descend(&mut objective, x, curvature, 0.05 * barrier, steps);
}

/// From a motion that had to become smaller by a part, as much as heavier barriers give back.
fn regrow(task: &Task<'_>, x: &mut Vec<f64>, curvature: &mut Curvature, barrier: f64, part: f64) {
    if part <= search::MUCH_SMALLER {
        return;
    }
    let mut heavy = AFRESH;
    while heavy > barrier {
        improve(task, x, curvature, (heavy, heavy), MANY);
        heavy /= LIGHTER;
    }
}

/// Puts a motion inside the limits of the grid; answers by which part it became smaller, `None` where that fails.
fn put_inside(task: &Task<'_>, x: &mut Vec<f64>, inner: &[f64]) -> Option<f64> {
    let mut quiet = |_: &[f64], _: f64| false;
    search::put_inside(&mut Objective::new(task, GRID, &mut quiet), x, inner)
}

/// Makes the limits that a motion exceeds tighter. For this the motion is moved away from them by heavier barriers, until
/// it keeps the new limits on the grid; false where it does not.
fn approach(
    task: &Task<'_>,
    tight: &mut Task<'_>,
    (margins, leaks): (&[Margin], &[f64]),
    x: &mut Vec<f64>,
    curvature: &mut Curvature,
    barrier: f64,
) -> bool {
    let mut closer = tight.clone();
    tighten(task, &mut closer, margins);
    // The motion changes, and then it is nearest a little earlier or later.
    let beside = task.period() / BESIDE;
    let leaks: Vec<f64> = leaks
        .iter()
        .flat_map(|leak| (-WIDE..=WIDE).map(move |k| leak + f64::from(k) * beside))
        .map(|time| time.clamp(0.0, task.period()))
        .collect();
    closer.closer.extend(leaks.iter().map(|&time| Closer { time, given: 0.0, heavier: 1.0 }));
    let mut quiet = |_: &[f64], _: f64| false;
    let mut on_grid = Objective::new(&closer, GRID, &mut quiet);
    let (mut heavy, mut heavier) = (barrier, 1.0);
    let looked_at = tight.closer.len();
    while on_grid.value(x).is_none() {
        let within: Vec<f64> = leaks.iter().map(|&time| -least_at(tight, x, time)).collect();
        let is_out = within.iter().all(|within| *within < 0.0);
        if heavy >= HEAVIEST && (is_out || heavier >= MUCH_HEAVIER) {
            break;
        }
        let lighter = heavy;
        heavy *= if heavy < HEAVIEST { LIGHTER } else { 1.0 };
        heavier *= LIGHTER;
        // Between the times of the grid the motion is pushed out of what it is in.
        tight.closer.truncate(looked_at);
        tight.closer.extend(leaks.iter().zip(within).map(|(&time, within)| match within < 0.0 {
            true => Closer { time, given: 0.0, heavier: 1.0 },
            false => Closer { time, given: GIVEN * within + LEAST, heavier },
        }));
        improve(tight, x, curvature, (heavy, lighter), FEW);
    }
    tight.closer.truncate(looked_at);
    let inside = on_grid.value(x).is_some();
    drop(on_grid);
    *tight = closer;
    while inside && heavy > barrier {
        improve(tight, x, curvature, (heavy / LIGHTER, heavy), FEW);
        heavy /= LIGHTER;
    }
    inside
}

/// Makes the limits that a motion exceeds tighter by what it exceeds.
fn tighten(task: &Task<'_>, tight: &mut Task<'_>, margins: &[Margin]) {
    for margin in margins.iter().filter(|margin| margin.bound == Bound::Violated) {
        let more = MORE * (margin.value - margin.limit).abs() + LITTLE * margin.limit.abs() / 5.0;
        match margin.quantity {
            Quantity::Distance => {
                if let Some(clearance) = &mut tight.clearance {
                    let more = A_LITTLE_MORE * (margin.value - margin.limit).abs() + LEAST;
                    clearance.keep_more(task.mechanism, &margin.of, more);
                }
            }
            Quantity::Effort | Quantity::Power => {
                for limits in tight.forces.iter_mut().filter(|limits| limits.name == margin.of) {
                    match margin.quantity {
                        Quantity::Effort => limits.effort = limits.effort.map(|effort| effort - more),
                        _ => limits.power = limits.power.map(|power| power - more),
                    }
                }
            }
            _ => {
                for limits in tight.limits.iter_mut().filter(|limits| limits.name == margin.of) {
                    limits.tighten(margin.quantity, margin.value > margin.limit, more);
                }
            }
        }
        let own = |limit: &&mut SumLimit| limit.name == margin.of && limit.quantity == margin.quantity;
        for limit in tight.sums.iter_mut().filter(own) {
            (limit.lower, limit.upper) = (limit.lower + more, limit.upper - more);
        }
        for (own, tight) in task.quantities.iter().zip(&mut tight.quantities) {
            if own.is_about(margin) {
                tight.tighten(margin, more);
            }
        }
    }
}

/// Makes the motion smaller until nothing is exceeded.
fn smaller(task: &Task<'_>, found: &mut Found) -> Result<Vec<Margin>, ExcitationError> {
    let whole = found.x.clone();
    let mut margins = margins_of(task, &found.x).unwrap_or_default();
    for round in 0..SMALLER {
        let mut factors = vec![1.0f64; task.limits.len()];
        for margin in margins.iter().filter(|margin| margin.bound == Bound::Violated) {
            // A little more than what leaks, and more each time.
            let factor = 1.0 - (-margin.margin).clamp(1e-8, 0.05) * (1.05 + 0.5 * f64::from(round));
            let own = task.limits.iter().position(|limits| limits.name == margin.of);
            match own.filter(|_| margin.quantity.is_of_one_signal()) {
                Some(own) => factors[own] = factors[own].min(factor),
                None => factors.iter_mut().for_each(|all| *all = all.min(factor)),
            }
        }
        if factors.iter().all(|factor| *factor == 1.0) {
            break;
        }
        shrink(task, &mut found.x, |joint| factors[joint]);
        margins = margins_of(task, &found.x).unwrap_or_default();
    }
    if holds(&margins) {
        return Ok(margins);
    }
    // About the pose in which it begins: that keeps all limits at rest.
    for part in CALMER {
        found.x.clone_from(&whole);
        calm(task, &mut found.x, part);
        if let Ok(margins) = margins_of(task, &found.x)
            && holds(&margins)
        {
            return Ok(margins);
        }
    }
    margins_of(task, &found.x)
}
