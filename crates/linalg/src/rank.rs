//! The decision on a rank: which pivots or singular values count, and how clear that is.

/// How many of some non-negative numbers (pivots, diagonal entries of R, singular values) exceed a tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankDecision {
    /// The rank: number of pivots that count.
    pub rank: usize,
    /// The smallest that counts; infinite if none does.
    pub smallest_kept: f64,
    /// The largest that does not; 0 if all do, or if the others are exactly zero.
    pub largest_dropped: f64,
    /// What does not exceed this does not count.
    pub tolerance: f64,
}

impl RankDecision {
    /// Counts the numbers above a tolerance.
    pub fn of(numbers: impl IntoIterator<Item = f64>, tolerance: f64) -> Self {
        let start = RankDecision { rank: 0, smallest_kept: f64::INFINITY, largest_dropped: 0.0, tolerance };
        numbers.into_iter().fold(start, |so_far, x| match x > tolerance {
            true => {
                RankDecision { rank: so_far.rank + 1, smallest_kept: so_far.smallest_kept.min(x), ..so_far }
            }
            false => RankDecision { largest_dropped: so_far.largest_dropped.max(x), ..so_far },
        })
    }

    /// Smallest that counts over the largest that does not: how clear the decision was. Infinite where
    /// nothing was left.
    pub fn gap(&self) -> f64 {
        if self.largest_dropped > 0.0 { self.smallest_kept / self.largest_dropped } else { f64::INFINITY }
    }
}
