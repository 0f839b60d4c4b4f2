//! Scores of blocks of neighbouring samples, summed while the blocks go by.
//!
//! The score of a block, g = Σ y (f − yᵀθ) = b − A θ, depends on an estimate θ that is known only later.
//! It is linear in the 65 numbers s = (A, b) of the block, so Σ s sᵀ over all blocks is enough for Σ g gᵀ
//! of any θ: the memory is constant, and no sample is kept.

use steiner_linalg::square::Square;

use super::square_root::TEN;

/// Entries of A on and above the diagonal, then b.
const PRODUCTS: usize = TEN * (TEN + 1) / 2 + TEN;

/// Sums over blocks.
#[derive(Clone, Debug)]
pub(super) struct BlockScores {
    /// Samples of a block.
    length: usize,
    /// Samples of the block that is being filled.
    filled: usize,
    /// s of that block.
    current: [f64; PRODUCTS],
    /// Σ s sᵀ, row by row.
    squares: Vec<f64>,
    /// Blocks that count.
    blocks: f64,
}

impl BlockScores {
    pub(super) fn new(length: usize) -> Self {
        let squares = vec![0.0; PRODUCTS * PRODUCTS];
        BlockScores { length, filled: 0, current: [0.0; PRODUCTS], squares, blocks: 0.0 }
    }

    /// All its sums.
    pub(super) fn sums(&mut self) -> [&mut [f64]; 3] {
        [&mut self.current, &mut self.squares, std::slice::from_mut(&mut self.blocks)]
    }

    /// Samples of the block that is being filled.
    pub(super) fn filled(&self) -> usize {
        self.filled
    }

    pub(super) fn fill(&mut self, samples: usize) {
        self.filled = samples;
    }

    /// Takes a row in: coefficients, then the right-hand side.
    pub(super) fn push(&mut self, row: &[f64; TEN + 1]) {
        // Rows of A from their diagonal to b, one after the other: b comes with each.
        let mut at = 0;
        for (k, x) in row[..TEN].iter().enumerate() {
            let width = TEN + 1 - k;
            self.current[at..at + width].iter_mut().zip(&row[k..]).for_each(|(sum, y)| *sum += x * y);
            at += width;
        }
    }

    /// Ends a sample; `forgetting` is what each sample makes of those before it.
    pub(super) fn next_sample(&mut self, forgetting: f64) {
        self.filled += 1;
        if self.filled < self.length {
            if forgetting < 1.0 {
                self.current.iter_mut().for_each(|x| *x *= forgetting);
            }
            return;
        }
        if forgetting < 1.0 {
            let kept = forgetting.powf(2.0 * self.length as f64);
            self.squares.iter_mut().for_each(|x| *x *= kept);
            self.blocks *= kept;
        }
        for (line, x) in self.squares.chunks_exact_mut(PRODUCTS).zip(&self.current) {
            if *x != 0.0 {
                line.iter_mut().zip(&self.current).for_each(|(sum, y)| *sum += x * y);
            }
        }
        self.blocks += 1.0;
        self.filled = 0;
        self.current = [0.0; PRODUCTS];
    }

    /// Σ g gᵀ at an estimate, with the factor of few blocks; `None` while there is no second block.
    pub(super) fn products(&self, estimate: &[f64; TEN]) -> Option<Square<TEN>> {
        if self.blocks < 1.5 {
            return None;
        }
        // g = T s: for each s the score it belongs to, and with which factor.
        let mut map = vec![[0.0; TEN]; PRODUCTS];
        let mut at = 0;
        for k in 0..TEN {
            for c in k..TEN {
                map[at][k] -= estimate[c];
                if c != k {
                    map[at][c] -= estimate[k];
                }
                at += 1;
            }
            map[at][k] += 1.0;
            at += 1;
        }
        let mut out = [[0.0; TEN]; TEN];
        let few = self.blocks / (self.blocks - 1.0);
        for (line, left) in self.squares.chunks_exact(PRODUCTS).zip(&map) {
            let mut sums = [0.0; TEN];
            for (x, right) in line.iter().zip(&map) {
                sums.iter_mut().zip(right).for_each(|(sum, factor)| *sum += factor * x);
            }
            for (row, factor) in out.iter_mut().zip(left) {
                row.iter_mut().zip(&sums).for_each(|(entry, sum)| *entry += few * factor * sum);
            }
        }
        Some(out)
    }
}
