//! What planes, lines and points have in common: they move with a body, (27) to (35).

use std::ops::Add;

use steiner_scalar::Scalar;

use crate::{Line, Motor, Multivector};

/// A plane, line or point that a rigid body carries along.
///
/// # Conventions
/// Velocities V are spatial twists (30): ω in rad/s on the direction, v in m/s (the velocity of the body's
/// point at the origin of the fixed frame) on the moment. Rates of elements are elements of the same kind:
/// the velocity of a finite point is an ideal point.
pub trait Element<S: Scalar>: Copy + Add<Output = Self> {
    /// X = M̃ X⁰ M (27).
    ///
    /// For a motor of length ‖M‖ the result is multiplied by ‖M‖²: the same geometric element.
    fn moved_by(self, motor: &Motor<S>) -> Self;

    /// Ẋ = X × V = (XV − VX)/2 (28), the rate of X on a body that moves with the spatial velocity V.
    fn velocity(self, velocity: Line<S>) -> Self;

    /// Ẍ = Ẋ × V + X × V̇ (32), where V̇ is the time derivative of the spatial velocity.
    #[inline(always)]
    fn acceleration(self, velocity: Line<S>, velocity_rate: Line<S>) -> Self {
        self.velocity(velocity).velocity(velocity) + self.velocity(velocity_rate)
    }

    /// The same element among all sixteen coordinates.
    fn to_multivector(self) -> Multivector<S>;
}
