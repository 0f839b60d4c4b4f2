//! Least squares over ten unknowns as rows come: the triangle R with RᵀR = Σ λ^age y yᵀ, by Givens
//! rotations.
//!
//! Products are never squared, so that directions which a motion hardly shows keep their digits. All
//! sizes are fixed: a row costs eleven rotations and no memory.

use steiner_linalg::square::Square;

/// Unknowns: the parameters of one body.
pub(super) const TEN: usize = 10;

/// The triangle of all rows so far, with what they left.
#[derive(Clone, Debug)]
pub(super) struct SquareRoot {
    /// R, and the right-hand side behind it.
    rows: [[f64; TEN + 1]; TEN],
    /// Σ of squared residuals.
    residual: f64,
    /// Σ of the rows' weights: how many rows count.
    count: f64,
}

impl SquareRoot {
    /// Of no rows.
    pub(super) fn new() -> Self {
        SquareRoot { rows: [[0.0; TEN + 1]; TEN], residual: 0.0, count: 0.0 }
    }

    /// All its numbers.
    pub(super) fn sums(&mut self) -> [&mut [f64]; 3] {
        let SquareRoot { rows, residual, count } = self;
        [rows.as_flattened_mut(), std::slice::from_mut(residual), std::slice::from_mut(count)]
    }

    /// Everything so far counts this much of what it did.
    pub(super) fn forget(&mut self, factor: f64) {
        let root = factor.sqrt();
        self.rows.iter_mut().flatten().for_each(|x| *x *= root);
        self.residual *= factor;
        self.count *= factor;
    }

    /// Takes a row in: coefficients, then the right-hand side.
    pub(super) fn push(&mut self, mut row: [f64; TEN + 1]) {
        for k in 0..TEN {
            let pivot = self.rows[k][k];
            let length = (pivot * pivot + row[k] * row[k]).sqrt();
            if length == 0.0 {
                continue;
            }
            let (cos, sin) = (pivot / length, row[k] / length);
            for (own, new) in self.rows[k].iter_mut().zip(&mut row).skip(k) {
                (*own, *new) = (cos * *own + sin * *new, cos * *new - sin * *own);
            }
        }
        self.residual += row[TEN] * row[TEN];
        self.count += 1.0;
    }

    /// The same with a belief of each unknown near zero within a standard deviation: what no row shows
    /// then has a finite uncertainty.
    pub(super) fn with_belief(&self, sigma: &[f64; TEN]) -> Self {
        let mut out = self.clone();
        for (k, sigma) in sigma.iter().enumerate() {
            let mut row = [0.0; TEN + 1];
            row[k] = 1.0 / sigma;
            out.push(row);
        }
        SquareRoot { residual: self.residual, count: self.count, ..out }
    }

    /// Rows that count.
    pub(super) fn count(&self) -> f64 {
        self.count
    }

    /// Variance of the residuals.
    pub(super) fn variance(&self) -> f64 {
        self.residual / (self.count - TEN as f64).max(1.0)
    }

    /// R.
    pub(super) fn triangle(&self) -> Square<TEN> {
        self.rows.map(|row| std::array::from_fn(|k| row[k]))
    }

    /// R⁻¹; R must have no zero on its diagonal, as after [`SquareRoot::with_belief`].
    pub(super) fn inverse(&self) -> Square<TEN> {
        let mut out = [[0.0; TEN]; TEN];
        for c in 0..TEN {
            for r in (0..=c).rev() {
                let known: f64 = (r + 1..=c).map(|k| self.rows[r][k] * out[k][c]).sum();
                out[r][c] = (f64::from(u8::from(r == c)) - known) / self.rows[r][r];
            }
        }
        out
    }

    /// The least-squares solution.
    pub(super) fn solution(&self) -> [f64; TEN] {
        let inverse = self.inverse();
        std::array::from_fn(|r| (0..TEN).map(|c| inverse[r][c] * self.rows[c][TEN]).sum())
    }
}
