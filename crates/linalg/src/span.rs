//! A growing set of independent vectors over any field, in echelon form.

use steiner_scalar::Field;

use crate::cancel::checkpoint;

/// Independent vectors, each reduced by those before it to one with a leading one.
#[derive(Clone, Debug)]
pub struct Span<F> {
    /// (column of the leading one, vector); zero in the columns of those before.
    rows: Vec<(usize, Vec<F>)>,
    tolerance: f64,
}

impl<F: Field> Span<F> {
    /// No vectors yet. What is left of a vector beside others is nothing below `tolerance` times its largest
    /// entry; 0 in exact fields.
    pub fn new(tolerance: f64) -> Self {
        Span { rows: Vec::new(), tolerance }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no vector yet.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a vector is independent of those already there.
    pub fn admits(&self, v: &[F]) -> bool {
        self.leading(v.to_vec()).is_some()
    }

    /// Takes a vector in if it is independent of those already there, and says whether it was.
    pub fn insert(&mut self, v: Vec<F>) -> bool {
        let row = self.leading(v);
        let independent = row.is_some();
        self.rows.extend(row);
        independent
    }

    /// The solution x, up to its scale, of v · x = 0 for all vectors v here, if there is one dimension of
    /// them.
    pub fn null_vector(&self, unknowns: usize) -> Option<Vec<F>> {
        if self.len() + 1 != unknowns {
            return None;
        }
        let mut is_pivot = vec![false; unknowns];
        self.rows.iter().for_each(|(pivot, _)| is_pivot[*pivot] = true);
        let mut solution = vec![F::zero(); unknowns];
        solution[is_pivot.iter().position(|pivot| !pivot)?] = F::one();
        for (pivot, row) in self.rows.iter().rev() {
            let sum = row.iter().zip(&solution).fold(F::zero(), |sum, (a, x)| sum + a.clone() * x.clone());
            solution[*pivot] = -sum;
        }
        Some(solution)
    }

    /// What is left of a vector beside those already there, with a leading one; `None` if nothing is.
    fn leading(&self, mut v: Vec<F>) -> Option<(usize, Vec<F>)> {
        checkpoint();
        let size = v.iter().fold(0.0, |most: f64, x| most.max(x.pivot_weight()));
        for (pivot, row) in &self.rows {
            let factor = v[*pivot].clone();
            if factor == F::zero() {
                continue;
            }
            for (x, r) in v.iter_mut().zip(row) {
                *x = x.clone() - factor.clone() * r.clone();
            }
            v[*pivot] = F::zero();
        }
        let (mut pivot, mut weight) = (0, 0.0);
        for (column, x) in v.iter().enumerate() {
            if x.pivot_weight() > weight {
                (pivot, weight) = (column, x.pivot_weight());
            }
        }
        let inverse = if weight > self.tolerance * size { v[pivot].try_inv() } else { None }?;
        Some((pivot, v.into_iter().map(|x| x * inverse.clone()).collect()))
    }
}
