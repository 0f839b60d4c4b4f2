//! Recorded velocities and accelerations that are not the rates of what was recorded with them.

/// Recorded rates that disagree with the positions (or velocities) of the same log.
#[derive(Clone, Debug, PartialEq)]
pub struct RateDisagreement {
    /// Their columns, or first and last of three: `qd_joint1`, `qdd_base:0 … qdd_base:2`.
    pub columns: Vec<String>,
    /// Whether they are accelerations, compared with the rate of the velocities; else velocities, compared with
    /// the rate of the positions.
    pub acceleration: bool,
    /// RMS of the difference, relative to that of the rate they should be: the most of all columns.
    pub relative: f64,
    /// What they look like; the numbers are those of the column that disagrees most.
    pub fault: RateFault,
}

/// What recorded rates look like that are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateFault {
    /// The right ones, this much later, s (earlier if negative).
    Late {
        /// How much later, s.
        seconds: f64,
    },
    /// The right ones, multiplied.
    Factor {
        /// What the right ones are multiplied with.
        factor: f64,
    },
    /// In the axes of the world instead of those of the body.
    WorldAxes,
    /// Rᵀ p̈, the acceleration of a point in body axes, instead of the rate d/dt (Rᵀ ṗ) of its velocity.
    PointAcceleration,
    /// What an accelerometer measures: gravity is in it.
    Accelerometer {
        /// The constant in it, m/s².
        gravity: f64,
    },
    /// Of quaternions whose real part comes first, where it should come last.
    QuaternionOrder,
    /// Nothing known.
    Unexplained,
}

/// A disagreement below this part of a rate does hardly change parameters.
const MATTERS: f64 = 5e-3;
/// One below this changes them by some percent.
const SERIOUS: f64 = 0.05;

impl RateDisagreement {
    /// Whether parameters suffer from it.
    pub fn matters(&self) -> bool {
        self.relative > MATTERS
    }

    /// Takes in another one of the same kind.
    pub(crate) fn merge(&mut self, other: RateDisagreement) {
        if other.relative > self.relative {
            (self.relative, self.fault) = (other.relative, other.fault);
        }
        self.columns.extend(other.columns);
    }

    /// Whether another one is of the same kind: one sentence can say both.
    pub(crate) fn is_like(&self, other: &RateDisagreement) -> bool {
        let same = match (self.fault, other.fault) {
            (RateFault::Late { seconds: a }, RateFault::Late { seconds: b }) => a.signum() == b.signum(),
            (RateFault::Factor { factor: a }, RateFault::Factor { factor: b }) => {
                (a - b).abs() < 0.01 * a.abs()
            }
            (a, b) => std::mem::discriminant(&a) == std::mem::discriminant(&b),
        };
        same && self.acceleration == other.acceleration && self.matters() == other.matters()
    }

    /// Whether a model from this log is not to be trusted.
    pub fn is_serious(&self) -> bool {
        self.relative > SERIOUS || !matches!(self.fault, RateFault::Late { .. } | RateFault::Factor { .. })
    }
}
