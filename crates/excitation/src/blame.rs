//! Which limits keep a motion from showing more: found by multipliers, then measured by a motion that may go
//! farther.

use crate::criterion;
use crate::minimise::{Barrier, Curvature, descend};
use crate::objective::Objective;
use crate::proof::Quantity;
use crate::task::Task;

/// Weight of the barriers with which limits are compared, and samples of the grid.
const WEIGHT: f64 = 1e-2;
const SAMPLES: usize = 64;
/// A step that is expected to gain less than this part of the weight ends a search.
const LEAST_GAIN: f64 = 0.05;
/// Gains below this, to first order, are not worth a word.
const LITTLE: f64 = 0.05;
/// So many limits are widened in turn, and steps for each at most.
const WIDENED: usize = 6;
const STEPS: usize = 40;
/// How much wider: both sides together by a tenth of the range.
const WIDER: f64 = 0.1;

/// A limit that keeps the motion from showing more.
#[derive(Clone, Debug, PartialEq)]
pub struct Blame {
    /// The joint.
    pub joint: String,
    /// What is limited.
    pub quantity: Quantity,
    /// How much the criterion would gain were the limit a tenth wider: by a motion found with it, else to
    /// first order.
    pub gain: f64,
    /// Deviations of all base parameters by the motion with the wider limit, relative to those without; empty
    /// where no such motion was sought.
    pub deviations: Vec<f64>,
}

/// What limits cost, the most important first. The multipliers that a barrier estimates where it is in balance
/// (weight over slack) say which limits to widen; from there the search goes on with each. Loops take too long
/// for that, and `hurried` users wait for nothing.
pub(crate) fn blame(task: &Task<'_>, x: &[f64], hurried: bool) -> Vec<Blame> {
    let mut x = x.to_vec();
    let mut curvature = Curvature::new(x.len());
    let steps = if task.quantities.is_empty() { 60 } else { 15 };
    let mut quiet = |_: &[f64], _: f64| false;
    let mut objective = Objective::new(task, SAMPLES, &mut quiet);
    objective.barrier = WEIGHT;
    descend(&mut objective, &mut x, &mut curvature, LEAST_GAIN * WEIGHT, steps);
    let mut out = objective.multipliers(&x);
    out.retain(|blame| blame.gain > LITTLE);
    let order = |a: &Blame, b: &Blame| b.gain.total_cmp(&a.gain);
    out.sort_by(order);
    if hurried || !task.quantities.is_empty() {
        return out;
    }
    let Some((before, variances)) = shown(&mut objective, task, &x) else { return out };
    drop(objective);
    // First orders are larger than what a motion gains: the two must not be compared.
    out.truncate(WIDENED);
    for blame in &mut out {
        let Some(wider) = widened(task, blame) else { continue };
        let (mut x, mut curvature) = (x.clone(), curvature.clone());
        let mut quiet = |_: &[f64], _: f64| false;
        let mut objective = Objective::new(&wider, SAMPLES, &mut quiet);
        objective.barrier = WEIGHT;
        descend(&mut objective, &mut x, &mut curvature, LEAST_GAIN * WEIGHT, STEPS);
        let Some((after, of_wider)) = shown(&mut objective, &wider, &x) else { continue };
        blame.gain = before - after;
        blame.deviations = of_wider.iter().zip(&variances).map(|(a, b)| (a / b).sqrt()).collect();
    }
    out.retain(|blame| blame.gain > LITTLE && !blame.deviations.is_empty());
    out.sort_by(order);
    out
}

/// The criterion of a motion without barriers, and the variances of the base parameters.
fn shown(objective: &mut Objective<'_>, task: &Task<'_>, x: &[f64]) -> Option<(f64, Vec<f64>)> {
    objective.barrier = 0.0;
    let criterion = objective.value(x)?;
    let (_, forward) = objective.forward(x).ok()?;
    let (_, inverse) = criterion::inverse_of(&task.total(&forward.information))?;
    Some((criterion, (0..inverse.rows()).map(|k| inverse[(k, k)]).collect()))
}

/// The task with one limit a tenth wider.
fn widened<'a>(task: &Task<'a>, blame: &Blame) -> Option<Task<'a>> {
    let mut wider = task.clone();
    if blame.quantity == Quantity::Effort {
        let limits = wider.forces.iter_mut().find(|limits| limits.name == blame.joint)?;
        // Dry friction takes as much of the wider one.
        limits.effort = limits.effort.map(|effort| effort + WIDER * (effort - limits.dry));
        return Some(wider);
    }
    let limits = wider.limits.iter_mut().find(|limits| limits.name == blame.joint)?;
    let order = [Quantity::Position, Quantity::Velocity, Quantity::Acceleration, Quantity::Jerk]
        .iter()
        .position(|quantity| *quantity == blame.quantity)?;
    let (lower, upper) = limits.range(order)?;
    let each = 0.5 * WIDER * (upper - lower);
    limits.tighten(blame.quantity, true, -each);
    if blame.quantity == Quantity::Position {
        limits.tighten(blame.quantity, false, -each);
    }
    Some(wider)
}
