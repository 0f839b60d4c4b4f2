//! Subspaces of a few dimensions, as orthonormal bases, with a test of what counts as zero.

use std::cell::Cell;

use steiner_linalg::orthonormal::{Orthonormal, direction};
use steiner_scalar::Real;

/// Decides what is zero, and remembers whether a decision was too close to be trusted.
///
/// Everything it is asked about is of the order of one: lengths are in units of the robot's own size, so
/// that the answer is the same in metres and in millimetres.
pub(super) struct ZeroTest {
    /// What is smaller is zero.
    tolerance: f64,
    /// Entries of a vector of the order of one that are rounding.
    pub(super) noise: f64,
    /// Sizes that neither rounding nor a sound geometry leaves behind.
    doubtful: std::ops::Range<f64>,
    doubts: Cell<bool>,
}

impl ZeroTest {
    /// For doubles.
    pub(super) fn of_doubles() -> Self {
        ZeroTest { tolerance: 1e-9, noise: 1e-12, doubtful: 1e-12..1e-6, doubts: Cell::new(false) }
    }

    /// For thirty digits, which have the last word.
    pub(super) fn of_thirty_digits() -> Self {
        ZeroTest { tolerance: 1e-18, noise: 1e-22, doubtful: 0.0..0.0, doubts: Cell::new(false) }
    }

    /// Whether a number of this size is zero.
    pub(super) fn vanishes(&self, size: f64) -> bool {
        if self.doubtful.contains(&size) {
            self.doubts.set(true);
        }
        size <= self.tolerance
    }

    /// Whether some decision so far was too close.
    pub(super) fn doubts(&self) -> bool {
        self.doubts.get()
    }
}

/// A subspace of Rⁿ that grows.
#[derive(Clone)]
pub(super) struct Subspace<'j, R> {
    zero_test: &'j ZeroTest,
    width: usize,
    basis: Orthonormal<R>,
}

impl<'j, R: Real> Subspace<'j, R> {
    /// {0} in R^`width`.
    pub(super) fn zero(width: usize, zero_test: &'j ZeroTest) -> Self {
        Subspace { zero_test, width, basis: Orthonormal::default() }
    }

    /// All of R^`width`.
    fn everything(width: usize, zero_test: &'j ZeroTest) -> Self {
        Subspace { zero_test, width, basis: Orthonormal::everything(width) }
    }

    /// An orthonormal basis.
    pub(super) fn basis(&self) -> &[Vec<R>] {
        self.basis.vectors()
    }

    pub(super) fn is_everything(&self) -> bool {
        self.basis.len() == self.width
    }

    /// Adds a vector of the order of one; what of it vanishes adds nothing.
    pub(super) fn insert(&mut self, v: Vec<R>) {
        if !self.is_everything() {
            self.basis.insert(v, |size| !self.zero_test.vanishes(size));
        }
    }

    /// Adds the direction of a vector of any size but zero.
    pub(super) fn insert_direction(&mut self, v: Vec<R>) {
        direction(v, 0.0).into_iter().for_each(|unit| self.insert(unit));
    }

    /// The image under an invertible map.
    pub(super) fn mapped(&self, map: impl Fn(&[R]) -> Vec<R>) -> Self {
        if self.is_everything() {
            return Self::everything(self.width, self.zero_test);
        }
        let mut out = Self::zero(self.width, self.zero_test);
        self.basis().iter().for_each(|b| out.insert_direction(map(b)));
        out
    }

    /// The smallest subspace with this inside that every map keeps: the controllable subspace of the
    /// switched linear system with these maps, and for one map the range of the controllability matrix
    /// (definition 1 of \[wensing2024\]).
    pub(super) fn closed_under<M>(mut self, maps: &[M], apply: impl Fn(&M, &[R]) -> Vec<R>) -> Self {
        let mut next = 0;
        while next < self.basis.len() && !self.is_everything() {
            for map in maps {
                let image = apply(map, &self.basis()[next]);
                self.insert(image);
            }
            next += 1;
        }
        if self.is_everything() { Self::everything(self.width, self.zero_test) } else { self }
    }

    /// The vectors that all of this annihilates, as a basis in which each has a *lead*: a column where it is
    /// one and the others are zero. Leads are the first columns possible.
    pub(super) fn annihilated(&self) -> Vec<Led<R>> {
        /// A lead much smaller than the largest entries would magnify rounding.
        const LEAST_LEAD: f64 = 1e-3;
        let mut rows = self.basis.complement(self.width);
        let mut leads: Vec<usize> = Vec::with_capacity(rows.len());
        // Every row keeps a length of at least one, so each round finds a lead for some.
        while leads.len() < rows.len() {
            for column in 0..self.width {
                let step = leads.len();
                let size = |row: &Vec<R>| row[column].abs().to_f64();
                let best = (step..rows.len()).max_by(|&a, &b| size(&rows[a]).total_cmp(&size(&rows[b])));
                let Some(best) = best.filter(|&best| size(&rows[best]) > LEAST_LEAD) else { continue };
                rows.swap(step, best);
                let inverse = rows[step][column].inv();
                let mut lead: Vec<R> = rows[step].iter().map(|x| *x * inverse).collect();
                lead[column] = R::one();
                for (_, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != step) {
                    let factor = row[column];
                    row.iter_mut().zip(&lead).for_each(|(x, y)| *x -= factor * *y);
                    row[column] = R::zero();
                }
                rows[step] = lead;
                leads.push(column);
            }
        }
        leads.into_iter().zip(rows).map(|(lead, values)| Led { lead, values }).collect()
    }
}

/// A vector with its lead.
#[derive(Clone, Debug)]
pub(super) struct Led<R> {
    pub(super) lead: usize,
    pub(super) values: Vec<R>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use steiner_scalar::DoubleDouble;

    fn numbers<R: Real>(v: &[f64]) -> Vec<R> {
        v.iter().map(|&x| R::from_f64(x)).collect()
    }

    fn a_plane_is_what_a_turning_vector_sweeps<R: Real>(zero_test: &ZeroTest) {
        let mut line = Subspace::<R>::zero(3, zero_test);
        line.insert(numbers(&[1.0, 0.0, 0.0]));
        let quarter_turn = |_: &(), v: &[R]| vec![-v[1], v[0], R::zero()];
        let plane = line.closed_under(&[()], quarter_turn);
        assert_eq!(plane.basis().len(), 2);
        let normal = plane.annihilated();
        assert_eq!((normal[0].lead, &normal[0].values), (2, &numbers(&[0.0, 0.0, 1.0])));
    }

    fn leads_come_first_and_exclude_each_other<R: Real>(zero_test: &ZeroTest) {
        let mut row = Subspace::<R>::zero(4, zero_test);
        row.insert(numbers(&[0.0, 0.6, -0.8, 0.0]));
        let found = row.annihilated();
        let leads: Vec<usize> = found.iter().map(|vector| vector.lead).collect();
        assert_eq!(leads, [0, 1, 3]);
        let values: Vec<f64> = found[1].values.iter().map(|x| x.to_f64()).collect();
        assert!(values.iter().zip([0.0, 1.0, 0.75, 0.0]).all(|(a, b)| (a - b).abs() < 1e-14), "{values:?}");
    }

    #[test]
    fn doubles_and_thirty_digits_know_planes_and_leads() {
        let (doubles, digits) = (ZeroTest::of_doubles(), ZeroTest::of_thirty_digits());
        a_plane_is_what_a_turning_vector_sweeps::<f64>(&doubles);
        a_plane_is_what_a_turning_vector_sweeps::<DoubleDouble>(&digits);
        leads_come_first_and_exclude_each_other::<f64>(&doubles);
        leads_come_first_and_exclude_each_other::<DoubleDouble>(&digits);
        assert!(!doubles.doubts() && !digits.doubts());
    }

    #[test]
    fn a_vector_almost_inside_leaves_a_doubt() {
        for (beside, dimension, doubts) in
            [(1e-15, 1, false), (1e-10, 1, true), (1e-7, 2, true), (1e-3, 2, false)]
        {
            let zero_test = ZeroTest::of_doubles();
            let mut span = Subspace::<f64>::zero(2, &zero_test);
            span.insert(vec![1.0, 0.0]);
            span.insert(vec![1.0, beside]);
            assert_eq!((span.basis().len(), zero_test.doubts()), (dimension, doubts), "{beside}");
        }
    }
}
