//! Random numbers that come out the same wherever the tests run.

use steiner_robot::{CentredInertia, PseudoInertia};

/// A small random number generator (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Below `n`; zero if there is nothing below it.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    /// A range inside `length` with at most `most` members.
    pub fn range(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        start..(start + 1 + self.below(most)).min(length)
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    /// In (−1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    pub fn inertia(&mut self) -> PseudoInertia {
        // Random points of mass are always a body.
        let mut sum = PseudoInertia::ZERO;
        for _ in 0..5 {
            let com = [self.signed(), self.signed(), self.signed()];
            let mass = 0.01 + self.signed().abs();
            sum = sum.plus(&PseudoInertia::from_centred(&CentredInertia { mass, com, tensor: [0.0; 6] }));
        }
        sum
    }
}
