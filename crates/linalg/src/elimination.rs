//! Gaussian elimination over any field: rank, pivots, nullspace and minimum-effort solves.
//!
//! The pivot of each step is the entry of largest [`Field::pivot_weight`] in what is left (complete
//! pivoting), so the same routine is exact in F_p and reveals the rank, with its gap, in floating point.

use steiner_scalar::Field;

use crate::cancel::checkpoint;
use crate::rank::RankDecision;

/// A dense matrix, by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<F> {
    rows: usize,
    columns: usize,
    entries: Vec<F>,
}

impl<F: Field> Matrix<F> {
    /// All zero.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, entries: vec![F::zero(); rows * columns] }
    }
    /// The identity.
    pub fn identity(size: usize) -> Self {
        let mut out = Self::zeros(size, size);
        for k in 0..size {
            out[(k, k)] = F::one();
        }
        out
    }
    /// From a rule for its entries.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> F) -> Self {
        let entries = (0..rows * columns).map(|k| entry(k / columns, k % columns)).collect();
        Matrix { rows, columns, entries }
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }
    /// One row.
    pub fn row(&self, r: usize) -> &[F] {
        &self.entries[r * self.columns..(r + 1) * self.columns]
    }
    /// One row, to be written.
    pub fn row_mut(&mut self, r: usize) -> &mut [F] {
        &mut self.entries[r * self.columns..(r + 1) * self.columns]
    }
    /// Appends a row.
    ///
    /// # Panics
    /// If its length is not the number of columns.
    pub fn push_row(&mut self, row: &[F]) {
        assert_eq!(row.len(), self.columns, "a row as long as the matrix is wide");
        self.entries.extend_from_slice(row);
        self.rows += 1;
    }
    /// All entries, row after row.
    pub fn entries(&self) -> &[F] {
        &self.entries
    }
    /// All entries, row after row, to be written.
    pub fn entries_mut(&mut self) -> &mut [F] {
        &mut self.entries
    }
    /// The largest [`Field::pivot_weight`] of an entry, to which tolerances are relative.
    pub fn largest_weight(&self) -> f64 {
        self.entries.iter().fold(0.0, |most: f64, x| most.max(x.pivot_weight()))
    }
    /// `self · other`.
    pub fn times(&self, other: &Self) -> Self {
        assert_eq!(self.columns, other.rows, "inner dimensions agree");
        let mut out = Self::zeros(self.rows, other.columns);
        for r in 0..self.rows {
            for k in 0..self.columns {
                let factor = self[(r, k)].clone();
                if factor == F::zero() {
                    continue;
                }
                for c in 0..other.columns {
                    let sum = out[(r, c)].clone() + factor.clone() * other[(k, c)].clone();
                    out[(r, c)] = sum;
                }
            }
        }
        out
    }
    /// The transpose.
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |r, c| self[(c, r)].clone())
    }
    /// `self · v`.
    pub fn apply(&self, v: &[F]) -> Vec<F> {
        assert_eq!(v.len(), self.columns, "a vector as long as the matrix is wide");
        (0..self.rows)
            .map(|r| self.row(r).iter().zip(v).fold(F::zero(), |sum, (a, x)| sum + a.clone() * x.clone()))
            .collect()
    }
}

impl<F> std::ops::Index<(usize, usize)> for Matrix<F> {
    type Output = F;
    fn index(&self, (r, c): (usize, usize)) -> &F {
        &self.entries[r * self.columns + c]
    }
}

impl<F> std::ops::IndexMut<(usize, usize)> for Matrix<F> {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut F {
        &mut self.entries[r * self.columns + c]
    }
}

/// A matrix brought to reduced echelon form by complete pivoting.
#[derive(Clone, Debug)]
pub struct Echelon<F> {
    /// The reduced rows: the identity on the pivot columns.
    pub reduced: Matrix<F>,
    /// The pivot column of each of the first `rank` rows.
    pub pivots: Vec<usize>,
    /// Weight of each pivot when it was chosen (in general falling; elimination can make a later one larger).
    pub pivot_weights: Vec<f64>,
    /// The decision on the rank. What is left below the last pivot is 0 in exact fields, rounding noise in
    /// floating point.
    pub decision: RankDecision,
}

impl<F: Field> Echelon<F> {
    /// The number of pivots.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// A basis of the nullspace, one vector per free column.
    pub fn nullspace(&self) -> Vec<Vec<F>> {
        let columns = self.reduced.columns();
        (0..columns)
            .filter(|c| !self.pivots.contains(c))
            .map(|free| {
                let mut v = vec![F::zero(); columns];
                v[free] = F::one();
                for (r, &p) in self.pivots.iter().enumerate() {
                    v[p] = -self.reduced[(r, free)].clone();
                }
                v
            })
            .collect()
    }
}

/// Reduces a matrix. Entries whose weight is at most `tolerance` are never pivots (0 in exact fields);
/// pivots are taken from the first `eligible` columns only (pass the width for all), the rest being
/// right-hand sides.
pub fn reduce<F: Field>(matrix: Matrix<F>, eligible: usize, tolerance: f64) -> Echelon<F> {
    eliminate(matrix, eligible, tolerance, true)
}

/// The rank of a matrix: as [`reduce`] decides it, for half the work.
pub fn decide_rank<F: Field>(matrix: Matrix<F>, tolerance: f64) -> RankDecision {
    let columns = matrix.columns();
    eliminate(matrix, columns, tolerance, false).decision
}

/// Gauss, or with `upwards` Gauss–Jordan.
fn eliminate<F: Field>(matrix: Matrix<F>, eligible: usize, tolerance: f64, upwards: bool) -> Echelon<F> {
    let mut m = matrix;
    let (rows, columns) = (m.rows(), m.columns());
    let eligible = eligible.min(columns);
    let mut is_pivot = vec![false; eligible];
    let (mut pivots, mut pivot_weights) = (Vec::new(), Vec::new());
    let mut largest_dropped = 0.0;
    for step in 0..=rows.min(eligible) {
        checkpoint();
        let (weight, pivot_row, pivot_column) = best_pivot(&m, step, &is_pivot);
        let inverse = if weight > tolerance { m[(pivot_row, pivot_column)].try_inv() } else { None };
        let Some(inverse) = inverse else {
            largest_dropped = weight;
            break;
        };
        if pivot_row != step {
            for c in 0..columns {
                m.entries.swap(pivot_row * columns + c, step * columns + c);
            }
        }
        for x in m.row_mut(step).iter_mut().filter(|x| **x != F::zero()) {
            *x = x.clone() * inverse.clone();
        }
        m[(step, pivot_column)] = F::one();
        let (above, rest) = m.entries.split_at_mut(step * columns);
        let (pivot, below) = rest.split_at_mut(columns);
        let above = if upwards { above } else { &mut [] };
        // Zero in all columns with a pivot already, and often in others.
        let occupied: Vec<usize> = (0..columns).filter(|&c| pivot[c] != F::zero()).collect();
        for row in above.chunks_exact_mut(columns).chain(below.chunks_exact_mut(columns)) {
            let factor = row[pivot_column].clone();
            if factor == F::zero() {
                continue;
            }
            for &c in &occupied {
                row[c] = row[c].clone() - factor.clone() * pivot[c].clone();
            }
            row[pivot_column] = F::zero();
        }
        is_pivot[pivot_column] = true;
        pivots.push(pivot_column);
        pivot_weights.push(weight);
    }
    let decision =
        RankDecision { largest_dropped, ..RankDecision::of(pivot_weights.iter().copied(), tolerance) };
    Echelon { reduced: m, pivots, pivot_weights, decision }
}

/// The heaviest entry among the rows from `step` on and the columns without a pivot (the first that is not
/// zero, in exact fields): weight, row, column.
fn best_pivot<F: Field>(m: &Matrix<F>, step: usize, is_pivot: &[bool]) -> (f64, usize, usize) {
    let mut best = (0.0, 0, 0);
    for r in step..m.rows() {
        for (c, x) in m.row(r).iter().enumerate().take(is_pivot.len()).filter(|(c, _)| !is_pivot[*c]) {
            let weight = x.pivot_weight();
            if weight > best.0 {
                best = (weight, r, c);
                if F::EXACT {
                    return best;
                }
            }
        }
    }
    best
}
