//! How large the search is: (13), (15), (21) and (48), and what a model costs.
//!
//! Table 2 also counts the functions left "after pre-filters" (17151, 88554, 294, 29). The filters of section
//! 3.1.2 don't lead to these numbers: for the six-axis arm they leave 6 · 5⁵ functions of the joint
//! accelerations alone. `filtered` counts what this derivation computes coefficients of, which is less.

use super::monomial::JointMotion;

/// Sizes of the sets that contain the functions of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSpace {
    /// t, (21): all projected acceleration functions of order 2.
    pub functions: f64,
    /// Functions whose coefficients are computed: of order one for gravity; for q̈_k of order
    /// one in the joints up to k, without the first, and of order two behind. Functions of
    /// velocities follow by differentiation.
    pub filtered: f64,
    /// Samples that takes: each joint alone, five angles or three positions.
    pub samples: usize,
    /// t', (48): the largest linear system the paper would solve.
    pub largest_system: f64,
    /// Monomials of the upper triangle of the mass matrix that are not zero for structural
    /// reasons: what we carry along the arm.
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
        let accelerations = (0..n).map(|k| {
            product(1, k + 1, JointMotion::linear_functions) * product(k + 1, n, JointMotion::functions)
        });
        SearchSpace {
            filtered: product(0, n, JointMotion::linear_functions) + accelerations.sum::<f64>(),
            samples: motions.iter().map(|motion| motion.functions()).sum(),
            functions: product(0, n, with_squares) * ((n + 1) * (n + 2) / 2) as f64,
            largest_system: product(1, n, JointMotion::functions),
            carried: carried.sum(),
            joints: n,
        }
    }

    /// Upper bounds of the time (s, two cores) and memory (GiB) of a derivation: measured on arms of six to
    /// eight joints without any alignment. Real arms, whose axes meet at right angles, need a hundredth.
    pub fn cost(&self) -> (f64, f64) {
        let forces = self.carried * self.joints as f64;
        (forces * 2e-6, forces * 4e-7)
    }
}
