//! Subspaces of Rⁿ as orthonormal bases that grow (Gram and Schmidt), so that no decision inherits the skew
//! of an earlier one.

use steiner_scalar::Real;

use crate::vector::{dot, norm};

/// Vectors of length one at right angles.
#[derive(Clone, Debug)]
pub struct Orthonormal<R> {
    vectors: Vec<Vec<R>>,
}

impl<R> Default for Orthonormal<R> {
    /// No vectors: the subspace {0}.
    fn default() -> Self {
        Orthonormal { vectors: Vec::new() }
    }
}

impl<R: Real> Orthonormal<R> {
    /// The unit vectors: all of R^`width`.
    pub fn everything(width: usize) -> Self {
        Orthonormal { vectors: (0..width).map(|k| unit_vector(k, width)).collect() }
    }

    /// The vectors, in the order they came.
    pub fn vectors(&self) -> &[Vec<R>] {
        &self.vectors
    }

    /// The dimension.
    pub fn len(&self) -> usize {
        self.vectors.len()
    }

    /// Whether there is no vector yet.
    pub fn is_empty(&self) -> bool {
        self.vectors.is_empty()
    }

    /// Adds the direction of what a vector has beside those here, if the length of that `counts`; says
    /// whether it did.
    pub fn insert(&mut self, v: Vec<R>, counts: impl FnOnce(f64) -> bool) -> bool {
        let rest = beside(&self.vectors, v);
        let length = norm(&rest);
        let added = counts(length.to_f64());
        if added {
            self.vectors.push(scaled(rest, length.inv()));
        }
        added
    }

    /// What a vector has beside those here.
    pub fn beside(&self, v: Vec<R>) -> Vec<R> {
        beside(&self.vectors, v)
    }

    /// An orthonormal basis of all that is orthogonal to them in R^`width`.
    pub fn complement(&self, width: usize) -> Vec<Vec<R>> {
        let mut grown = self.clone();
        while grown.len() < width {
            // The unit vector that sticks out most, so that no difference of close numbers enters.
            let outside = |k: usize| {
                let inside = grown.vectors.iter().fold(R::zero(), |sum, v| v[k].mul_add(v[k], sum));
                (R::one() - inside).to_f64()
            };
            let Some(most) = (0..width).max_by(|&a, &b| outside(a).total_cmp(&outside(b))) else { break };
            grown.insert(unit_vector(most, width), |_| true);
        }
        grown.vectors.split_off(self.len())
    }
}

/// What a vector has beside orthonormal ones. Projected twice, after which it is orthogonal to the last
/// digit.
pub fn beside<R: Real>(orthonormal: &[Vec<R>], mut v: Vec<R>) -> Vec<R> {
    for _ in 0..2 {
        for unit in orthonormal {
            let along = dot(unit, &v);
            v.iter_mut().zip(unit).for_each(|(x, u)| *x -= along * *u);
        }
    }
    v
}

/// The direction of a vector longer than `least`.
pub fn direction<R: Real>(v: Vec<R>, least: f64) -> Option<Vec<R>> {
    let length = norm(&v);
    (length.to_f64() > least).then(|| scaled(v, length.inv()))
}

/// The unit vector of a column.
pub fn unit_vector<R: Real>(column: usize, width: usize) -> Vec<R> {
    let mut v = vec![R::zero(); width];
    v[column] = R::one();
    v
}

fn scaled<R: Real>(mut v: Vec<R>, factor: R) -> Vec<R> {
    v.iter_mut().for_each(|x| *x = *x * factor);
    v
}
