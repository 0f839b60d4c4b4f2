//! Cholesky's factor of symmetric positive definite matrices, M = L Lᵀ with L a lower triangle.

use crate::elimination::Matrix;
use crate::square::Square;
use crate::triangle::Triangle;
use crate::vector::dot;

/// A matrix that has no Cholesky factor: it is not positive definite, or not of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// The first row without a positive pivot: the leading minors before it are positive.
    pub row: usize,
}

/// The factor of a matrix of any size.
#[derive(Clone, Debug)]
pub struct Cholesky {
    /// L below the diagonal; what is above it means nothing.
    lower: Matrix<f64>,
}

impl Cholesky {
    /// Factorises a matrix, of which only the lower triangle is read.
    pub fn new(mut matrix: Matrix<f64>) -> Result<Self, NotPositiveDefinite> {
        let size = matrix.rows();
        factorise(matrix.entries_mut(), size)?;
        Ok(Cholesky { lower: matrix })
    }

    /// Of M = RᵀR, from a triangle R all of whose columns are independent.
    pub fn of_triangle(triangle: &Triangle) -> Self {
        let n = triangle.columns();
        Cholesky { lower: Matrix::from_fn(n, n, |r, c| if c <= r { triangle.entry(c, r) } else { 0.0 }) }
    }

    /// M⁻¹ b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for i in 0..x.len() {
            x[i] = (x[i] - dot(&self.lower.row(i)[..i], &x[..i])) / self.lower[(i, i)];
        }
        for i in (0..x.len()).rev() {
            x[i] /= self.lower[(i, i)];
            let value = x[i];
            self.lower.row(i)[..i].iter().zip(&mut x[..i]).for_each(|(l, x)| *x -= l * value);
        }
        x
    }

    /// log det M.
    pub fn log_det(&self) -> f64 {
        2.0 * (0..self.lower.rows()).map(|k| self.lower[(k, k)].ln()).sum::<f64>()
    }

    /// M⁻¹.
    pub fn inverse(&self) -> Matrix<f64> {
        let mut out = Matrix::identity(self.lower.rows());
        for k in 0..out.rows() {
            let column = self.solve(out.row(k));
            out.row_mut(k).copy_from_slice(&column);
        }
        out
    }
}

/// L of a small matrix, of which only the lower triangle is read.
#[inline]
pub fn lower_factor<const N: usize>(matrix: &Square<N>) -> Result<Square<N>, NotPositiveDefinite> {
    let mut lower = *matrix;
    factorise(lower.as_flattened_mut(), N)?;
    for (r, row) in lower.iter_mut().enumerate() {
        row[r + 1..].fill(0.0);
    }
    Ok(lower)
}

/// L⁻¹ of a lower triangle.
#[inline]
pub fn inverse_lower<const N: usize>(lower: &Square<N>) -> Square<N> {
    let mut inverse = [[0.0; N]; N];
    for c in 0..N {
        for r in c..N {
            let unit = if r == c { 1.0 } else { 0.0 };
            let known: f64 = (c..r).map(|k| lower[r][k] * inverse[k][c]).sum();
            inverse[r][c] = (unit - known) / lower[r][r];
        }
    }
    inverse
}

/// Writes L over the lower triangle of a matrix stored by rows. Inlined, so that loops of small matrices
/// unroll.
#[inline(always)]
fn factorise(entries: &mut [f64], size: usize) -> Result<(), NotPositiveDefinite> {
    for i in 0..size {
        let (above, from_here) = entries.split_at_mut(i * size);
        let row = &mut from_here[..size];
        for j in 0..i {
            let other = &above[j * size..(j + 1) * size];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let pivot = row[i] - dot(&row[..i], &row[..i]);
        // Also refuses what is not a number.
        if !(pivot > 0.0 && pivot.is_finite()) {
            return Err(NotPositiveDefinite { row: i });
        }
        row[i] = pivot.sqrt();
    }
    Ok(())
}
