//! A growing set of independent vectors.

use steiner_scalar::Field;

/// Vectors in echelon form, each with the column of its leading one.
pub(crate) struct Span<F> {
    rows: Vec<(usize, Vec<F>)>,
    /// What is left of a dependent vector is below this; 0 in exact fields.
    tolerance: f64,
}

impl<F: Field> Span<F> {
    pub(crate) fn new(tolerance: f64) -> Self {
        Span { rows: Vec::new(), tolerance }
    }

    /// Number of vectors.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a vector is independent of those already there.
    pub(crate) fn admits(&self, v: &[F]) -> bool {
        self.leading(v.to_vec()).is_some()
    }

    /// Takes a vector in if it is independent of those already there, and says whether it was.
    pub(crate) fn insert(&mut self, v: Vec<F>) -> bool {
        let row = self.leading(v);
        let independent = row.is_some();
        self.rows.extend(row);
        independent
    }

    /// What is left of a vector beside those already there, with a leading one; `None` if nothing is.
    fn leading(&self, mut v: Vec<F>) -> Option<(usize, Vec<F>)> {
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
