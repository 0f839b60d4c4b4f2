//! Limits between the samples.
//!
//! - Positions and their derivatives: by branch and bound; over a piece of length h a signal exceeds its values
//!   at both ends by at most h²/8 times a bound of its second derivative, which the basis knows.
//! - Forces of trees: over a piece of time the recursion runs on intervals that hold all values and all rates
//!   of the motion ([`Flow`]); a force is then within its value in the middle ± half the piece × the largest
//!   rate. Pieces are halved until the limit is kept for sure.
//! - Distances: planes part the bodies for short times (`clearance/parting.rs`).
//! - Loops, forces of other mechanisms, power: at many samples. The answer says which of the two it was.

use steiner_dynamics::TreeForces;
use steiner_scalar::{Flow, Interval};

use crate::error::ExcitationError;
use crate::objective::Objective;
use crate::task::Task;

/// What a limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// rad or m.
    Position,
    /// rad/s or m/s.
    Velocity,
    /// rad/s² or m/s².
    Acceleration,
    /// rad/s³ or m/s³.
    Jerk,
    /// N·m or N.
    Effort,
    /// W.
    Power,
    /// A sum of turns, rad or m.
    TurnSum,
    /// m.
    Distance,
    /// Distance of a loop from a singularity, relative to the assembled configuration.
    Regularity,
    /// Normal force of a foot, N.
    NormalForce,
    /// Part of the friction cone that a foot's force takes.
    Slip,
}

impl Quantity {
    /// Whether it depends on the signal of one joint alone.
    pub(crate) fn is_of_one_signal(self) -> bool {
        matches!(self, Quantity::Position | Quantity::Velocity | Quantity::Acceleration | Quantity::Jerk)
    }

    /// As the JSON document has it.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Position => "position",
            Quantity::Velocity => "velocity",
            Quantity::Acceleration => "acceleration",
            Quantity::Jerk => "jerk",
            Quantity::Effort => "effort",
            Quantity::Power => "power",
            Quantity::TurnSum => "sum of turns",
            Quantity::Distance => "distance",
            Quantity::Regularity => "distance from singularity",
            Quantity::NormalForce => "normal force",
            Quantity::Slip => "part of the friction cone",
        }
    }
}

/// How a limit was checked between the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It holds at every time.
    Proven,
    /// It holds at many samples.
    Sampled,
    /// It is violated, or too near to tell.
    Violated,
}

impl Bound {
    /// As the JSON document has it.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Proven => "proven",
            Bound::Sampled => "sampled",
            Bound::Violated => "violated",
        }
    }
}

/// One limit, and how near a motion comes to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// The joint, pair of bodies or sum.
    pub of: String,
    /// What is limited.
    pub quantity: Quantity,
    /// The value that comes nearest to a limit.
    pub value: f64,
    /// That limit.
    pub limit: f64,
    /// When, s.
    pub time: f64,
    /// What is left, relative to half the range; to the limit's own size for distances.
    pub margin: f64,
    /// How it was checked.
    pub bound: Bound,
}

/// Samples at which what cannot be proven is looked at.
const SAMPLES: usize = 2000;
/// Pieces of time from which the proof of forces begins.
const PIECES: usize = 64;
/// Most pieces into which one of them is cut.
const MOST_PIECES: usize = 4000;

/// All limits of a motion.
pub(crate) fn margins(task: &Task<'_>, x: &[f64]) -> Result<Vec<Margin>, ExcitationError> {
    let (mut out, _) = sampled_margins(task, x)?;
    if task.mechanism.is_plain_tree() && !task.basis.is_static() {
        let parts: Vec<&[f64]> = x.chunks_exact(task.basis.len()).collect();
        prove_efforts(task, &parts, &mut out);
    }
    Ok(out)
}

/// The same without the proof of forces, and times at which bodies are too near to each other, s.
pub(crate) fn sampled_margins(
    task: &Task<'_>,
    x: &[f64],
) -> Result<(Vec<Margin>, Vec<f64>), ExcitationError> {
    let mut out = Vec::new();
    let functions = task.basis.len();
    let parts: Vec<&[f64]> = x.chunks_exact(functions).collect();
    for (limits, x) in task.limits.iter().zip(&parts) {
        let of = [Quantity::Position, Quantity::Velocity, Quantity::Acceleration, Quantity::Jerk];
        for (order, quantity) in of.into_iter().enumerate() {
            let Some(range) = limits.range(order) else { continue };
            if order > 0 && task.basis.is_static() {
                continue;
            }
            let extremes = extremes(task, x, order);
            out.push(margin(limits.name.clone(), quantity, range, extremes, Bound::Proven));
        }
    }
    for limit in &task.sums {
        if limit.order > 0 && task.basis.is_static() {
            continue;
        }
        let mut sum = vec![0.0; functions];
        for &(k, factor) in &limit.terms {
            sum.iter_mut().zip(parts[k]).for_each(|(sum, x)| *sum += factor * x);
        }
        let mut extremes = extremes(task, &sum, limit.order);
        extremes.low.0 += limit.offset;
        extremes.high.0 += limit.offset;
        let range = (limit.lower, limit.upper);
        out.push(margin(limit.name.clone(), limit.quantity, range, extremes, Bound::Proven));
    }
    out.extend(sampled(task, x)?);
    let Some(distances) = crate::distances::least_distances(task, x) else { return Ok((out, Vec::new())) };
    out.extend(distances.least);
    Ok((out, distances.leaks))
}

/// Least and greatest value of a signal, each with its time.
struct Extremes {
    low: (f64, f64),
    high: (f64, f64),
}

fn margin(
    of: String,
    quantity: Quantity,
    (lower, upper): (f64, f64),
    found: Extremes,
    bound: Bound,
) -> Margin {
    let half = 0.5 * (upper - lower);
    let (below, above) = (found.low.0 - lower, upper - found.high.0);
    let (left, (value, time), limit) =
        if below < above { (below, found.low, lower) } else { (above, found.high, upper) };
    let bound = if left < 0.0 { Bound::Violated } else { bound };
    Margin { of, quantity, value, limit, time, margin: left / half, bound }
}

/// Bounds of a derivative of a signal that surely hold, sharp to 1e-9 of its size.
fn extremes(task: &Task<'_>, x: &[f64], order: usize) -> Extremes {
    let basis = &task.basis;
    let value = |t: f64| -> f64 { basis.at(t, order).iter().zip(x).map(|(f, x)| f * x).sum() };
    let times = task.times(if basis.is_static() { 1 } else { 256 });
    let mut knots: Vec<(f64, f64)> = times.iter().map(|&t| (t, value(t))).collect();
    if !basis.is_static() {
        let end = times[0] + (times[1] - times[0]) * times.len() as f64;
        if knots[0].0 > 0.0 {
            knots.insert(0, (0.0, value(0.0)));
        }
        let end = end.min(basis.duration());
        knots.push((end, value(end)));
    }
    let most = |sign: f64| -> (f64, f64) {
        let best = |a: (f64, f64), b: (f64, f64)| if sign * b.1 > sign * a.1 { b } else { a };
        let mut found = knots.iter().copied().fold(knots[0], best);
        if basis.is_static() {
            return (found.1, found.0);
        }
        let size = knots.iter().fold(1e-12f64, |most, (_, v)| most.max(v.abs()));
        let tolerance = 1e-9 * size;
        // Pieces that may hold more than what was found.
        let mut open: Vec<((f64, f64), (f64, f64))> = knots.windows(2).map(|w| (w[0], w[1])).collect();
        while let Some((a, b)) = open.pop() {
            let h = b.0 - a.0;
            let bend = basis.bound(x, order + 2, (a.0, b.0));
            let reach = (sign * a.1).max(sign * b.1) + h * h / 8.0 * bend;
            if reach <= sign * found.1 + tolerance {
                continue;
            }
            let t = 0.5 * (a.0 + b.0);
            let middle = (t, value(t));
            found = best(found, middle);
            open.extend([(a, middle), (middle, b)]);
        }
        (found.1 + sign * tolerance, found.0)
    };
    Extremes { low: most(-1.0), high: most(1.0) }
}

/// Forces, powers and loops at many samples.
fn sampled(task: &Task<'_>, x: &[f64]) -> Result<Vec<Margin>, ExcitationError> {
    let mut out = Vec::new();
    let mut quiet = |_: &[f64], _: f64| false;
    let (motions, forward) = Objective::new(task, SAMPLES, &mut quiet).forward(x)?;
    let times = task.times(motions.count);
    let dof = motions.dof;
    let of = |values: &dyn Fn(usize) -> f64| {
        let mut found = Extremes { low: (f64::INFINITY, 0.0), high: (f64::NEG_INFINITY, 0.0) };
        let count = times.len();
        for (t, &time) in times.iter().enumerate() {
            let value = values(t);
            // Between samples a signal exceeds them by an eighth of its second difference.
            let between = match task.basis.is_static() || count < 3 {
                true => 0.0,
                false => {
                    let middle = t.clamp(1, count - 2);
                    (values(middle - 1) - 2.0 * values(middle) + values(middle + 1)).abs() / 8.0
                }
            };
            if value - between < found.low.0 {
                found.low = (value - between, time);
            }
            if value + between > found.high.0 {
                found.high = (value + between, time);
            }
        }
        found
    };
    for limits in &task.forces {
        let velocity = limits.velocity;
        let force = |t: usize| forward.forces[t * dof + velocity];
        if let Some((room, effort)) = limits.room().zip(limits.effort) {
            let range = (-room, room);
            let mut found = margin(limits.name.clone(), Quantity::Effort, range, of(&force), Bound::Sampled);
            // With dry friction in its worse direction.
            found.value += limits.dry * found.limit.signum();
            found.limit = effort * found.limit.signum();
            out.push(found);
        }
        if let Some(power) = limits.power {
            let of_power = of(&|t| {
                let at = t * dof + velocity;
                (forward.forces[at] + limits.dry * motions.signs[at]) * motions.qd[at]
            });
            out.push(margin(limits.name.clone(), Quantity::Power, (-power, power), of_power, Bound::Sampled));
        }
    }
    let width = task.quantities.len();
    for (k, quantity) in task.quantities.iter().enumerate() {
        let found = of(&|t| forward.loops[t * width + k]);
        out.push(quantity.margin(found.low, found.high));
    }
    Ok(out)
}

/// Turns sampled margins of efforts into proven ones where that succeeds.
fn prove_efforts(task: &Task<'_>, parts: &[&[f64]], margins: &mut [Margin]) {
    if task.forces.iter().all(|limits| limits.effort.is_none()) {
        return;
    }
    let tree = task.mechanism.tree();
    let mut flows = TreeForces::<Flow>::new(tree, &task.model.parameters);
    let reference = task.mechanism.reference();
    let period = task.period();
    let mut held = vec![true; task.forces.len()];
    let mut budget = MOST_PIECES;
    // Over a piece with this middle and radius, every signal with its rate.
    let bounds: Vec<[f64; 6]> = parts
        .iter()
        .map(|x| std::array::from_fn(|order| task.basis.bound(x, order, (0.0, task.basis.duration()))))
        .collect();
    let flow_at = |flows: &mut TreeForces<Flow>, middle: f64, radius: f64| -> Vec<Flow> {
        let mut q: Vec<Flow> = reference.iter().map(|&q| Flow::constant(q)).collect();
        let mut qd = vec![Flow::constant(0.0); tree.dof];
        let mut qdd = qd.clone();
        let values: [Vec<f64>; 5] = std::array::from_fn(|order| task.basis.at(middle, order));
        for (k, &(at, velocity)) in task.movable.iter().enumerate() {
            let value = |order: usize| values[order].iter().zip(parts[k]).map(|(f, x)| f * x).sum::<f64>();
            let over = |order: usize| {
                // Taylor about the middle, rounding included.
                let rounding = 1e-12 * (1.0 + bounds[k][order]);
                let spread = radius * value(order + 1).abs()
                    + 0.5 * radius * radius * bounds[k][(order + 2).min(5)]
                    + rounding;
                Interval::around(value(order), spread)
            };
            q[at] = Flow { value: over(0), rate: over(1) };
            qd[velocity] = Flow { value: over(1), rate: over(2) };
            qdd[velocity] = Flow { value: over(2), rate: over(3) };
        }
        let mut forces = flows.at(&q, &qd, &qdd);
        for (velocity, force) in forces.iter_mut().enumerate() {
            let [inertia, viscous, _, offset] = task.model.drives[velocity];
            let constant = Flow::constant;
            *force = *force
                + constant(inertia) * qdd[velocity]
                + constant(viscous) * qd[velocity]
                + constant(offset);
        }
        forces
    };
    let mut open: Vec<(f64, f64)> = (0..PIECES)
        .map(|k| {
            let radius = 0.5 * period / PIECES as f64;
            ((2 * k + 1) as f64 * radius, radius)
        })
        .collect();
    while let Some((middle, radius)) = open.pop() {
        let over = flow_at(&mut flows, middle, radius);
        let at = flow_at(&mut flows, middle, 0.0);
        let mut doubtful = false;
        for (limits, held) in task.forces.iter().zip(&held) {
            let Some(effort) = limits.room().filter(|_| *held) else { continue };
            let velocity = limits.velocity;
            let reach = at[velocity].value.magnitude() + radius * over[velocity].rate.magnitude();
            if reach > effort {
                doubtful = true;
            }
        }
        if !doubtful {
            continue;
        }
        if budget == 0 || radius < 1e-5 * period {
            for (limits, held) in task.forces.iter().zip(&mut held) {
                let Some(effort) = limits.room() else { continue };
                let velocity = limits.velocity;
                let reach = at[velocity].value.magnitude() + radius * over[velocity].rate.magnitude();
                *held &= reach <= effort;
            }
            continue;
        }
        budget -= 1;
        let half = 0.5 * radius;
        open.extend([(middle - half, half), (middle + half, half)]);
    }
    for (limits, held) in task.forces.iter().zip(held) {
        let own =
            margins.iter_mut().find(|margin| margin.quantity == Quantity::Effort && margin.of == limits.name);
        if let Some(own) = own.filter(|margin| held && margin.bound == Bound::Sampled) {
            own.bound = Bound::Proven;
        }
    }
}
