//! What is proven about a nullspace, and in which arithmetic.

use steiner_linalg::RankDecision;
use steiner_scalar::Prime;

/// The numbers in which rank and null vectors were decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arithmetic {
    /// F_p: the rank is a lower bound for certain, and equal but for a coincidence modulo p.
    PrimeField,
    /// Extended precision: what is left beside the pivots is at the rounding of the arithmetic, the gap between
    /// both is clear, and (where the geometry is exact) half as many digits, or F_p, see the same rank.
    Extended {
        /// Decimal digits carried.
        digits: u32,
        /// Smallest accepted pivot over the largest rejected remainder.
        gap: f64,
        /// The smallest effect that would have counted, relative to the largest entry of the regressor.
        visible: f64,
    },
}

/// The gap that a rank decided in extended precision needs to count as proven. Sound geometry leaves pivots
/// above 1e-6 and thirty digits leave remainders below 1e-20: in between nothing should be.
const CERTIFIED_GAP: f64 = 1e12;

impl Arithmetic {
    /// From the decision on a rank with some digits.
    pub(crate) fn extended(digits: u32, decided: &RankDecision, tolerance: f64) -> Self {
        Arithmetic::Extended { digits, gap: decided.gap(), visible: tolerance }
    }

    /// Whether effects of ten to the minus `digits` would have counted.
    pub(crate) fn reaches(&self, digits: f64) -> bool {
        match self {
            Arithmetic::PrimeField => true,
            Arithmetic::Extended { visible, .. } => -visible.log10() >= digits,
        }
    }

    /// Whether a rank decided in it is clear: always in F_p, by the gap elsewhere.
    pub(crate) fn is_clear(&self) -> bool {
        match self {
            Arithmetic::PrimeField => true,
            Arithmetic::Extended { gap, .. } => *gap >= CERTIFIED_GAP,
        }
    }
}

/// How null vectors are known to be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verified {
    /// Their entries are exact and vanish in F_p.
    PrimeField,
    /// They vanish to this many digits, on rows in extended precision.
    Extended {
        /// Decimal digits.
        digits: u32,
    },
}

/// What is proven of a nullspace, and in which arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The numbers it was decided in.
    pub arithmetic: Arithmetic,
    /// Rank of the regressor: the number of base parameters.
    pub rank: usize,
    /// Whether rank and null vectors add up to all parameters. Never where loops close to the printed digits alone.
    pub complete: bool,
    /// Whether the geometry was representable exactly, and the loops close.
    pub exact_geometry: bool,
    /// The prime p, where F_p decided.
    pub prime: Prime,
    /// How the null vectors were verified.
    pub null_verified: Verified,
    /// What multiplies the degree of the regressor in its unknowns: the highest power of a rotor that gears
    /// need, the order of the curves along which loops were decided; 1 without either.
    pub largest_power: u64,
    /// Whether F_p bounds the rank from below alone, as along curves through the file's configuration, where no
    /// generic point of a loop's branch is found. That nothing else is identifiable is then known to the digits of the null vectors, near that configuration: an
    /// effect that grows with a very high power of the distance from it may be missed.
    pub from_below: bool,
    /// What keeps a rank from being complete that is clear otherwise: numbers of the file that nearly agree can make
    /// effects as small as ten to the minus this, which the digits carried do not reach.
    pub digits_needed: Option<u32>,
}

impl Certificate {
    /// Not complete if the digits do not reach effects of ten to the minus `needed`.
    pub(crate) fn require(&mut self, needed: f64) {
        if self.complete && !self.arithmetic.reaches(needed) {
            self.complete = false;
            self.digits_needed = Some(needed.ceil() as u32);
        }
    }

    /// Probability that random numbers modulo p hid a part of the rank or faked a null vector: by Schwartz
    /// and Zippel the degree of the regressor's minors over p.
    pub fn error_probability(&self, bodies: usize) -> f64 {
        match self.arithmetic {
            // Entries have degree at most four in each half-angle tangent on the way to the body, times the
            // power of a gear's rotor, two in the rates, and one in the weight of each row.
            Arithmetic::PrimeField => {
                let degree = 4.0 * bodies as f64 * self.largest_power as f64 + 3.0;
                (self.rank as f64 * degree / self.prime.value() as f64).min(1.0)
            }
            Arithmetic::Extended { .. } => 0.0,
        }
    }
}
