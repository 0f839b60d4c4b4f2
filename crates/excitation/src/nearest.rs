//! The limit that a motion comes nearest to, roughly: for whoever watches a search.

use crate::proof::Quantity;
use crate::task::Task;

/// Times at which a motion is looked at.
const TIMES: usize = 48;
/// What has a limit of its own: position and its derivatives.
const QUANTITIES: [Quantity; 4] =
    [Quantity::Position, Quantity::Velocity, Quantity::Acceleration, Quantity::Jerk];

/// A limit of a joint, and what a motion leaves of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<'a> {
    /// The joint.
    pub joint: &'a str,
    /// What is limited.
    pub quantity: Quantity,
    /// What is left, relative to half the range.
    pub margin: f64,
}

/// Functions of time, evaluated once: for each time and order the values of the basis.
pub(crate) struct Lookout(Vec<[Vec<f64>; 4]>);

impl Lookout {
    pub(crate) fn new(task: &Task<'_>) -> Self {
        let at = |t: f64| std::array::from_fn(|order| task.basis.at(t, order));
        Lookout(task.times(TIMES).into_iter().map(at).collect())
    }

    /// The nearest limit of positions and their derivatives.
    pub(crate) fn nearest<'t>(&self, task: &'t Task<'_>, x: &[f64]) -> Option<Nearest<'t>> {
        let mut nearest: Option<Nearest<'t>> = None;
        let orders = if task.basis.is_static() { 1 } else { QUANTITIES.len() };
        for (limits, x) in task.limits.iter().zip(x.chunks_exact(task.basis.len())) {
            for (order, &quantity) in QUANTITIES.iter().enumerate().take(orders) {
                let Some((lower, upper)) = limits.range(order) else { continue };
                let value = |row: &[Vec<f64>; 4]| row[order].iter().zip(x).map(|(f, x)| f * x).sum::<f64>();
                let left = self.0.iter().map(value).map(|v| (v - lower).min(upper - v));
                let margin = left.fold(f64::INFINITY, f64::min) / (0.5 * (upper - lower));
                if nearest.is_none_or(|nearest| margin < nearest.margin) {
                    nearest = Some(Nearest { joint: &limits.name, quantity, margin });
                }
            }
        }
        nearest
    }
}
