//! A growing set of independent sparse vectors over any field.

use std::collections::HashMap;

use steiner_scalar::Field;

use crate::cancel::checkpoint;

/// Independent vectors with few entries, each reduced by those before it to one with a leading one.
///
/// Leads are taken from the last columns. Vectors on neighbours in a tree whose leaves come last then stay on
/// neighbours, and each costs as much as it has entries.
#[derive(Clone, Debug)]
pub struct SparseSpan<F> {
    /// (column, entry); zero in the leads of those before.
    rows: Vec<Vec<(usize, F)>>,
    /// Which row leads in a column.
    leads: HashMap<usize, usize>,
    tolerance: f64,
}

impl<F: Field> SparseSpan<F> {
    /// No vectors yet. What is left of a vector beside others is nothing below `tolerance` times its largest
    /// entry; 0 in exact fields.
    pub fn new(tolerance: f64) -> Self {
        SparseSpan { rows: Vec::new(), leads: HashMap::new(), tolerance }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no vector yet.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a vector, (column, entry) in any order, is independent of those already there.
    pub fn admits(&self, v: &[(usize, F)]) -> bool {
        self.leading(v).is_some()
    }

    /// Takes a vector in if it is independent of those already there, and says whether it was.
    pub fn insert(&mut self, v: &[(usize, F)]) -> bool {
        let Some((lead, row)) = self.leading(v) else { return false };
        self.leads.insert(lead, self.rows.len());
        self.rows.push(row);
        true
    }

    /// What is left of a vector beside those already there, with a leading one; `None` if nothing is.
    fn leading(&self, v: &[(usize, F)]) -> Option<(usize, Vec<(usize, F)>)> {
        checkpoint();
        let mut left: Vec<(usize, F)> = Vec::with_capacity(v.len());
        v.iter().for_each(|(column, x)| add(&mut left, *column, x.clone()));
        let size = largest(&left);
        // A row is zero in the leads of those before it: taken away in their order, each is taken away once.
        let mut next = 0;
        while let Some((row, at)) = self.first_row(&left, next) {
            next = row + 1;
            let (lead, factor) = left.remove(at);
            if factor == F::zero() {
                continue;
            }
            for (column, x) in self.rows[row].iter().filter(|(column, _)| *column != lead) {
                add(&mut left, *column, -(factor.clone() * x.clone()));
            }
        }
        let most = largest(&left);
        if most <= self.tolerance * size {
            return None;
        }
        let (lead, pivot) = left.iter().rev().find(|(_, x)| x.pivot_weight() >= NEAR_LARGEST * most)?;
        let (lead, inverse) = (*lead, pivot.try_inv()?);
        left.retain(|(_, x)| *x != F::zero());
        left.iter_mut().for_each(|(_, x)| *x = x.clone() * inverse.clone());
        Some((lead, left))
    }

    /// The first row from `next` on that leads where a vector has an entry, and where that is.
    fn first_row(&self, v: &[(usize, F)], next: usize) -> Option<(usize, usize)> {
        let leading = |(at, (column, _)): (usize, &(usize, F))| self.leads.get(column).map(|&row| (row, at));
        v.iter().enumerate().filter_map(leading).filter(|(row, _)| *row >= next).min()
    }
}

/// A lead this much smaller than the largest entry costs a digit and no more.
const NEAR_LARGEST: f64 = 0.1;

fn largest<F: Field>(v: &[(usize, F)]) -> f64 {
    v.iter().fold(0.0, |most: f64, (_, x)| most.max(x.pivot_weight()))
}

/// Adds to an entry; entries stay sorted by column.
fn add<F: Field>(v: &mut Vec<(usize, F)>, column: usize, x: F) {
    match v.binary_search_by_key(&column, |(c, _)| *c) {
        Ok(at) => v[at].1 = v[at].1.clone() + x,
        Err(at) => v.insert(at, (column, x)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;
    use crate::span::Span;
    use steiner_scalar::Fp;

    #[test]
    fn sparse_vectors_are_independent_exactly_if_dense_ones_are() {
        let mut stream = Stream::new(3);
        let (mut sparse, mut dense) = (SparseSpan::<Fp>::new(0.0), Span::<Fp>::new(0.0));
        for k in 0..60 {
            let at = [k % 7, (3 * k) % 11, (5 * k + 1) % 12];
            let entries: Vec<(usize, Fp)> = at.map(|c| (c, stream.residue())).to_vec();
            let mut full = vec![Fp::zero(); 12];
            entries.iter().for_each(|&(c, x)| full[c] += x);
            assert_eq!(sparse.admits(&entries), dense.admits(&full));
            assert_eq!(sparse.insert(&entries), dense.insert(full));
        }
        assert_eq!(sparse.len(), dense.len());
    }

    #[test]
    fn rounding_adds_no_direction() {
        let mut span = SparseSpan::<f64>::new(1e-10);
        assert!(span.is_empty() && span.insert(&[(0, 1.0), (5, 0.3)]));
        assert!(!span.insert(&[(5, 0.1), (0, 1.0 / 3.0)]));
        assert!(span.insert(&[(5, 0.1), (0, 1.0 / 3.0 + 1e-6)]));
    }
}
