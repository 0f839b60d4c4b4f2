//! Gautier's method: β from the singular value decomposition of W, (8) to (17) of \[iriarte2015\].

use steiner_linalg::elimination::{Matrix, reduce};
use steiner_linalg::orthogonal::singular;
use steiner_linalg::orthonormal::Orthonormal;
use steiner_scalar::Real;

use super::motion::DIMENSIONS;

/// What is left of a row of V₂ beside others, when it depends on them.
const DEPENDENT: f64 = 1e-7;

/// The nullspace of W: columns of V₂, as vectors of all parameters.
#[derive(Clone, Debug)]
pub(crate) struct Decomposed<R> {
    pub(crate) null: Vec<Vec<R>>,
    /// The least singular value counted over the largest that is not.
    pub(crate) gap: f64,
    /// Rank b of W.
    pub(crate) rank: usize,
}

/// (8) and (9).
pub(crate) fn decompose<R: Real>(w: Matrix<R>) -> Decomposed<R> {
    let found = singular(w);
    let decided = found.decide_rank(R::epsilon().to_f64().powf(0.6));
    Decomposed { null: found.vectors[decided.rank..].to_vec(), gap: decided.gap(), rank: decided.rank }
}

impl<R: Real> Decomposed<R> {
    /// As many parameters as there are null vectors, taken in the given order where their rows of V₂ are
    /// independent of those already taken.
    pub(crate) fn independent_rows(&self, order: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut chosen = Vec::with_capacity(self.null.len());
        let mut basis = Orthonormal::<f64>::default();
        for column in order {
            if chosen.len() == self.null.len() {
                break;
            }
            let row: Vec<f64> = self.null.iter().map(|v| v[column].to_f64()).collect();
            if basis.insert(row, |left| left > DEPENDENT) {
                chosen.push(column);
            }
        }
        chosen
    }

    /// Footnote 4: the pivots of the reduced row echelon form of V₂ᵀ.
    pub(crate) fn echelon_rows(&self, columns: usize) -> Vec<usize> {
        self.independent_rows(0..columns)
    }

    /// β = −V₂₁ V₂₂⁻¹, (16): `base` by `dependent`, in units of powers of
    /// `unit`; `None` if V₂₂ has no inverse.
    pub(crate) fn weights(&self, base: &[usize], dependent: &[usize], unit: f64) -> Option<Matrix<R>> {
        let size = dependent.len();
        // V₂₂ᵀ X = V₂₁ᵀ.
        let system = Matrix::from_fn(self.null.len(), size + base.len(), |r, c| match c.checked_sub(size) {
            None => self.null[r][dependent[c]],
            Some(b) => self.null[r][base[b]],
        });
        let solved = reduce(system, size, 0.0);
        if solved.rank() < size || self.null.len() != size {
            return None;
        }
        let mut place = vec![0; size];
        solved.pivots.iter().enumerate().for_each(|(row, &pivot)| place[pivot] = row);
        Some(Matrix::from_fn(base.len(), size, |b, d| {
            let power = DIMENSIONS[base[b] % 4] - DIMENSIONS[dependent[d] % 4];
            -solved.reduced[(place[d], size + b)] * R::from_f64(unit.powi(power))
        }))
    }
}
