//! What loops and feet must keep along a motion, with its barrier.

use crate::proof::{Bound, Margin, Quantity};

/// A quantity of a state that stays within bounds.
#[derive(Clone, Debug)]
pub(crate) enum LoopQuantity {
    /// A dependent coordinate, by its place in the tree's configuration, and its velocity.
    Coordinate { name: String, at: usize, velocity: usize, lower: f64, upper: f64 },
    /// Distance from a singularity, relative to the assembled configuration.
    Regularity { least: f64 },
    /// A velocity of the tree.
    Velocity { name: String, at: usize, most: f64 },
    /// The force of a joint that shares the load with others or follows them, by its velocity in the tree; Ia, fv, fc
    /// and offset of its drive. `dry` friction is taken off `most` already, whatever its direction.
    Effort { name: String, at: usize, most: f64, drive: [f64; 4], dry: f64 },
    /// Normal force of a foot, N.
    Push { name: String, foot: usize, least: f64 },
    /// (tangential / (μ normal))² of a foot.
    Slip { name: String, foot: usize, most: f64 },
}

impl LoopQuantity {
    /// Whether it depends on velocities and accelerations.
    pub(crate) fn is_of_state(&self) -> bool {
        !matches!(self, LoopQuantity::Coordinate { .. } | LoopQuantity::Regularity { .. })
    }

    /// Whether a margin is its own.
    pub(crate) fn is_about(&self, margin: &Margin) -> bool {
        let own = self.margin((0.0, 0.0), (0.0, 0.0));
        own.quantity == margin.quantity && own.of == margin.of
    }

    /// Makes the bound that a margin is about tighter.
    pub(crate) fn tighten(&mut self, margin: &Margin, by: f64) {
        match self {
            LoopQuantity::Coordinate { lower, upper, .. } => match margin.value > margin.limit {
                true => *upper -= by,
                false => *lower += by,
            },
            LoopQuantity::Regularity { least } | LoopQuantity::Push { least, .. } => *least += by,
            LoopQuantity::Velocity { most, .. } | LoopQuantity::Effort { most, .. } => *most -= by,
            // Of squares.
            LoopQuantity::Slip { most, .. } => *most -= 2.0 * by,
        }
    }

    fn range(&self) -> (f64, f64) {
        match self {
            LoopQuantity::Coordinate { lower, upper, .. } => (*lower, *upper),
            LoopQuantity::Regularity { least } => (*least, f64::INFINITY),
            LoopQuantity::Velocity { most, .. } | LoopQuantity::Effort { most, .. } => (-most, *most),
            LoopQuantity::Push { least, .. } => (*least, f64::INFINITY),
            LoopQuantity::Slip { most, .. } => (f64::NEG_INFINITY, *most),
        }
    }

    /// What a slack is compared with.
    fn unit(&self) -> f64 {
        match self {
            LoopQuantity::Coordinate { lower, upper, .. } => 0.5 * (upper - lower),
            LoopQuantity::Velocity { most, .. } | LoopQuantity::Effort { most, .. } => *most,
            LoopQuantity::Push { least, .. } => *least,
            LoopQuantity::Regularity { .. } | LoopQuantity::Slip { .. } => 1.0,
        }
    }

    /// Σ −log of the slacks; `None` outside.
    pub(crate) fn barrier(&self, value: f64) -> Option<f64> {
        let (lower, upper) = self.range();
        let mut sum = 0.0;
        for slack in [value - lower, upper - value] {
            if slack == f64::INFINITY {
                continue;
            }
            if !(slack > 0.0) {
                return None;
            }
            sum -= (slack / self.unit()).ln();
        }
        Some(sum)
    }

    /// Its derivative.
    pub(crate) fn slope(&self, value: f64) -> f64 {
        let (lower, upper) = self.range();
        1.0 / (upper - value) - 1.0 / (value - lower)
    }

    /// How near it comes to its bounds, from its least and greatest value with their times.
    pub(crate) fn margin(&self, low: (f64, f64), high: (f64, f64)) -> Margin {
        let (lower, upper) = self.range();
        let (below, above) = (low.0 - lower, upper - high.0);
        let (left, (value, time), limit) =
            if below < above { (below, low, lower) } else { (above, high, upper) };
        let unit = match self {
            LoopQuantity::Regularity { least } => 1.0 - least,
            _ => self.unit(),
        };
        let (of, quantity) = match self {
            LoopQuantity::Coordinate { name, .. } => (name.clone(), Quantity::Position),
            LoopQuantity::Regularity { .. } => ("loops".to_owned(), Quantity::Regularity),
            LoopQuantity::Velocity { name, .. } => (name.clone(), Quantity::Velocity),
            LoopQuantity::Effort { name, .. } => (name.clone(), Quantity::Effort),
            LoopQuantity::Push { name, .. } => (name.clone(), Quantity::NormalForce),
            LoopQuantity::Slip { name, .. } => (name.clone(), Quantity::Slip),
        };
        // The part of the friction cone, not its square.
        let root = |x: f64| if quantity == Quantity::Slip { x.max(0.0).sqrt() } else { x };
        let margin = if quantity == Quantity::Slip { 1.0 - root(value) } else { left / unit };
        let bound = if left >= 0.0 { Bound::Sampled } else { Bound::Violated };
        // With dry friction in its worse direction.
        let worse = match self {
            LoopQuantity::Effort { dry, .. } => dry * limit.signum(),
            _ => 0.0,
        };
        let (value, limit) = (value + worse, limit + worse);
        Margin { of, quantity, value: root(value), limit, time, margin, bound }
    }
}
