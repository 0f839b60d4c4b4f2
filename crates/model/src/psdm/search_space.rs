//! How large the search is: (13), (15), (21) and (48), and what a model costs.
//!
//! Table 2 also counts the functions left "after pre-filters". The text does not fix these filters to the last detail (with those
//! it states, the planar arm would have 25 instead of the 29 printed), so that count is not reproduced. It would say nothing
//! about this derivation, whose measure is `carried`.

use super::monomial::JointMotion;

/// Sizes of the sets that contain the functions of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSpace {
    /// t, (21): all projected acceleration functions of order 2.
    pub functions: f64,
    /// t', (48): the largest linear system the paper would solve.
    pub largest_system: f64,
    /// Monomials of the upper triangle of the mass matrix that are not zero for structural reasons: what we carry along the arm.
    pub carried: f64,
    joints: usize,
}

impl SearchSpace {
    /// Of an arm with such joints.
    pub fn of(motions: &[JointMotion]) -> Self {
        let n = motions.len();
        let product = |from: usize, to: usize, size: fn(JointMotion) -> usize| -> f64 {
            motions[from.min(to)..to].iter().map(|&motion| size(motion) as f64).product()
        };
        let with_squares = |motion: JointMotion| match motion {
            JointMotion::Revolute => 6,
            JointMotion::Prismatic => 3,
        };
        let pairs = (0..n).flat_map(|j| (j..n).map(move |k| (j, k)));
        let carried = pairs.map(|(j, k)| {
            product(j + 1, k + 1, JointMotion::linear_functions) * product(k + 1, n, JointMotion::functions)
        });
        SearchSpace {
            functions: product(0, n, with_squares) * ((n + 1) * (n + 2) / 2) as f64,
            largest_system: product(1, n, JointMotion::functions),
            carried: carried.sum(),
            joints: n,
        }
    }

    /// Upper bounds of the time (s, two cores) and memory (GiB) of a derivation: measured on arms of six to eight joints without
    /// any alignment. Real arms, whose axes meet at right angles, need a hundredth.
    pub fn cost(&self) -> (f64, f64) {
        let forces = self.carried * self.joints as f64;
        (forces * 2e-6, forces * 4e-7)
    }
}
