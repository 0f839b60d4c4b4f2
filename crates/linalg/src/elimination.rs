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
    eliminate(matrix, eligible, tolerance, true, &mut ())
}

/// As [`reduce`], with what was done to the rows: a right-hand side that is known later takes the same steps, and
/// no second elimination.
pub fn reduce_with_steps<F: Field>(
    matrix: Matrix<F>,
    eligible: usize,
    tolerance: f64,
) -> (Echelon<F>, Steps<F>) {
    let mut steps = Steps(Vec::new());
    let echelon = eliminate(matrix, eligible, tolerance, true, &mut steps);
    (echelon, steps)
}

/// The solution for one right-hand side, for half the work of [`reduce`].
#[derive(Clone, Debug)]
pub struct Solved<F> {
    /// The column of each pivot with its value.
    pub values: Vec<(usize, F)>,
    /// The weight of each pivot when it was chosen.
    pub pivot_weights: Vec<f64>,
}

/// Solves a system whose last column is its right-hand side; the others are 0 where they have no pivot.
pub fn solve<F: Field>(matrix: Matrix<F>, tolerance: f64) -> Solved<F> {
    let right = matrix.columns().saturating_sub(1);
    let Echelon { reduced, pivots, pivot_weights, .. } = eliminate(matrix, right, tolerance, false, &mut ());
    // Each row has the unknowns of later pivots beside its own.
    let mut values: Vec<(usize, F)> = Vec::with_capacity(pivots.len());
    for (row, &pivot) in pivots.iter().enumerate().rev() {
        let sum = values
            .iter()
            .filter(|(later, _)| reduced[(row, *later)] != F::zero())
            .fold(reduced[(row, right)].clone(), |sum, (later, x)| {
                sum - reduced[(row, *later)].clone() * x.clone()
            });
        values.push((pivot, sum));
    }
    values.reverse();
    Solved { values, pivot_weights }
}

/// The rank of a matrix: as [`reduce`] decides it, for half the work.
pub fn decide_rank<F: Field>(matrix: Matrix<F>, tolerance: f64) -> RankDecision {
    let columns = matrix.columns();
    eliminate(matrix, columns, tolerance, false, &mut ()).decision
}

/// What an elimination did to the rows of a matrix.
#[derive(Clone, Debug)]
pub struct Steps<F>(Vec<Step<F>>);

#[derive(Clone, Debug)]
struct Step<F> {
    /// The row that changed places with the one at this step.
    pivot_row: usize,
    pivot_column: usize,
    inverse: F,
    /// How often the pivot's row was taken from others.
    factors: Vec<(usize, F)>,
}

impl<F: Field> Steps<F> {
    /// The solution for another right-hand side: pivot columns with their values.
    pub fn solve(&self, mut column: Vec<F>) -> Vec<(usize, F)> {
        for (k, step) in self.0.iter().enumerate() {
            column.swap(k, step.pivot_row);
            if column[k] == F::zero() {
                continue;
            }
            column[k] = column[k].clone() * step.inverse.clone();
            let pivot = column[k].clone();
            for (row, factor) in &step.factors {
                column[*row] = column[*row].clone() - factor.clone() * pivot.clone();
            }
        }
        self.0.iter().map(|step| step.pivot_column).zip(column).collect()
    }
}

/// Who wants to know the steps.
trait Witness<F> {
    fn pivot(&mut self, row: usize, column: usize, inverse: &F);
    fn factor(&mut self, row: usize, factor: &F);
}

impl<F> Witness<F> for () {
    fn pivot(&mut self, _: usize, _: usize, _: &F) {}
    fn factor(&mut self, _: usize, _: &F) {}
}

impl<F: Field> Witness<F> for Steps<F> {
    fn pivot(&mut self, row: usize, column: usize, inverse: &F) {
        let (pivot_row, pivot_column, inverse) = (row, column, inverse.clone());
        self.0.push(Step { pivot_row, pivot_column, inverse, factors: Vec::new() });
    }
    fn factor(&mut self, row: usize, factor: &F) {
        if let Some(step) = self.0.last_mut() {
            step.factors.push((row, factor.clone()));
        }
    }
}

/// Gauss, or with `upwards` Gauss–Jordan.
fn eliminate<F: Field>(
    matrix: Matrix<F>,
    eligible: usize,
    tolerance: f64,
    upwards: bool,
    witness: &mut impl Witness<F>,
) -> Echelon<F> {
    let mut m = matrix;
    let (rows, columns) = (m.rows(), m.columns());
    let eligible = eligible.min(columns);
    // Columns that may have the next pivot, ascending, and the heaviest entry of each row there.
    let mut open: Vec<usize> = (0..eligible).collect();
    let mut heaviest: Vec<(f64, usize)> = (0..rows).map(|r| heaviest_of(m.row(r), &open)).collect();
    let mut occupied: Vec<usize> = Vec::with_capacity(columns);
    let (mut pivots, mut pivot_weights) = (Vec::new(), Vec::new());
    let mut largest_dropped = 0.0;
    for step in 0..=rows.min(eligible) {
        checkpoint();
        let (weight, pivot_row, pivot_column) = best_pivot::<F>(&heaviest, step);
        let inverse = if weight > tolerance { m[(pivot_row, pivot_column)].try_inv() } else { None };
        let Some(inverse) = inverse else {
            largest_dropped = weight;
            break;
        };
        witness.pivot(pivot_row, pivot_column, &inverse);
        if pivot_row != step {
            for c in 0..columns {
                m.entries.swap(pivot_row * columns + c, step * columns + c);
            }
            heaviest.swap(pivot_row, step);
        }
        for x in m.row_mut(step).iter_mut().filter(|x| **x != F::zero()) {
            *x = x.clone() * inverse.clone();
        }
        m[(step, pivot_column)] = F::one();
        open.retain(|c| *c != pivot_column);
        let (above, rest) = m.entries.split_at_mut(step * columns);
        let (pivot, below) = rest.split_at_mut(columns);
        let above = if upwards { above } else { &mut [] };
        // Zero in all columns with a pivot already, and often in others.
        occupied.clear();
        occupied.extend((0..columns).filter(|&c| pivot[c] != F::zero()));
        let above = above.chunks_exact_mut(columns).zip(0..);
        let below = below.chunks_exact_mut(columns).zip(step + 1..);
        for (row, r) in above.chain(below) {
            let factor = row[pivot_column].clone();
            if factor == F::zero() {
                continue;
            }
            witness.factor(r, &factor);
            for &c in &occupied {
                row[c] = row[c].clone() - factor.clone() * pivot[c].clone();
            }
            row[pivot_column] = F::zero();
            if r > step {
                heaviest[r] = heaviest_of(row, &open);
            }
        }
        pivots.push(pivot_column);
        pivot_weights.push(weight);
    }
    let decision =
        RankDecision { largest_dropped, ..RankDecision::of(pivot_weights.iter().copied(), tolerance) };
    Echelon { reduced: m, pivots, pivot_weights, decision }
}

/// The heaviest entry of a row among some columns (the first that is not zero, in exact fields): weight, column.
fn heaviest_of<F: Field>(row: &[F], columns: &[usize]) -> (f64, usize) {
    let mut best = (0.0, 0);
    for &c in columns {
        let weight = row[c].pivot_weight();
        if weight > best.0 {
            best = (weight, c);
            if F::EXACT {
                return best;
            }
        }
    }
    best
}

/// The heaviest entry of the rows from `step` on (that of the first row with one, in exact fields): weight, row,
/// column.
fn best_pivot<F: Field>(heaviest: &[(f64, usize)], step: usize) -> (f64, usize, usize) {
    let mut best = (0.0, 0, 0);
    for (r, &(weight, c)) in heaviest.iter().enumerate().skip(step) {
        if weight > best.0 {
            best = (weight, r, c);
            if F::EXACT {
                return best;
            }
        }
    }
    best
}
