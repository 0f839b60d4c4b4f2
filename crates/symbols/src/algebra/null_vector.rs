//! The one solution of a homogeneous system over the prime field, equation by equation.

use steiner_scalar::{Field, Fp, Scalar};

/// Equations reduced as they come.
pub(crate) struct System {
    unknowns: usize,
    /// Rows with 1 at their pivot and 0 at the pivots of the rows before.
    rows: Vec<(usize, Vec<Fp>)>,
}

impl System {
    pub(crate) fn new(unknowns: usize) -> Self {
        System { unknowns, rows: Vec::new() }
    }

    /// How many dimensions the solutions have.
    pub(crate) fn freedom(&self) -> usize {
        self.unknowns - self.rows.len()
    }

    /// Adds the equation row · x = 0.
    pub(crate) fn push(&mut self, mut row: Vec<Fp>) {
        for (pivot, known) in &self.rows {
            let factor = row[*pivot];
            if factor != Fp::zero() {
                row.iter_mut().zip(known).for_each(|(x, y)| *x -= factor * *y);
            }
        }
        let Some(pivot) = row.iter().position(|x| *x != Fp::zero()) else { return };
        let inverse = row[pivot].inv();
        row.iter_mut().for_each(|x| *x = *x * inverse);
        self.rows.push((pivot, row));
    }

    /// The solution, up to its scale, when there is one dimension of them.
    pub(crate) fn solution(&self) -> Option<Vec<Fp>> {
        if self.freedom() != 1 {
            return None;
        }
        let mut is_pivot = vec![false; self.unknowns];
        self.rows.iter().for_each(|(pivot, _)| is_pivot[*pivot] = true);
        let mut solution = vec![Fp::zero(); self.unknowns];
        solution[is_pivot.iter().position(|known| !known)?] = Fp::one();
        for (pivot, row) in self.rows.iter().rev() {
            let sum = row.iter().zip(&solution).fold(Fp::zero(), |sum, (a, x)| sum + *a * *x);
            solution[*pivot] = -sum;
        }
        Some(solution)
    }
}
