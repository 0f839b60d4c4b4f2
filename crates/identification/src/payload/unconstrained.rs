//! Ten parameters by least squares, in the frame of a link, with their covariance in factors.

use steiner_linalg::cholesky::{inverse_lower, lower_factor};
use steiner_linalg::square::{Square, times, transposed};
use steiner_robot::{Pose, PseudoInertia};

use super::square_root::{SquareRoot, TEN};

/// An estimate θ̂ with the covariance G Gᵀ.
pub(super) struct Unconstrained {
    pub(super) values: [f64; TEN],
    /// G.
    factor: Square<TEN>,
    /// G⁻¹: deviations times this have unit variance.
    pub(super) weights: Square<TEN>,
}

impl Unconstrained {
    /// From the triangle R of an estimate in the body's frame, the covariance of R θ̂, and where the
    /// link's frame is in the body's.
    pub(super) fn new(
        root: &SquareRoot,
        estimate: &[f64; TEN],
        spread: &Square<TEN>,
        pose: &Pose<f64>,
    ) -> Self {
        // A covariance that rounding has made indefinite is nobody's: not a number says so.
        let lower = lower_factor(spread).unwrap_or([[f64::NAN; TEN]; TEN]);
        let (to_link, to_body) = (moving(&pose.inverse()), moving(pose));
        Unconstrained {
            values: std::array::from_fn(|r| to_link[r].iter().zip(estimate).map(|(t, x)| t * x).sum()),
            factor: times(&to_link, &times(&root.inverse(), &lower)),
            weights: times(&times(&inverse_lower(&lower), &root.triangle()), &to_body),
        }
    }

    pub(super) fn covariance(&self) -> Square<TEN> {
        times(&self.factor, &transposed(&self.factor))
    }

    pub(super) fn is_finite(&self) -> bool {
        let numbers = self.factor.iter().chain(&self.weights).flatten();
        numbers.chain(&self.values).all(|x| x.is_finite())
    }
}

/// The map of ten parameters to a frame in which their own sits at `pose`.
fn moving(pose: &Pose<f64>) -> Square<TEN> {
    let unit = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
    let moved = |k: usize| {
        let body = PseudoInertia::from_parameters(&unit(k));
        body.moved(&pose.rotation, pose.translation.0).parameters()
    };
    transposed(&std::array::from_fn(moved))
}
