//! Inertias and what is seen of them: the ten parameters of a body and the linear functions of these.
//!
//! Kinetic energy and the power of gravity are linear in π, so an element K of the paper's spans (60), (78)
//! matters only through π ↦ tr(K \[π\]^): ten numbers instead of 21 (the footnote of appendix A-B of
//! \[wensing2024\]). With these, every operator of the paper is a formula in vectors and 3×3 matrices:
//!
//! | paper | here |
//! |---|---|
//! | \[vec(v wᵀ)\] as a function of π | [`power`] |
//! | B(X) of (86) | [`in_parent`] |
//! | its adjoint: what the parent sees, as a function of the child's π | [`seen_by_child`] |
//! | the adjoint of A(Φ) of (26) | [`rate`] |

use steiner_dynamics::Column;
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use steiner_scalar::Scalar;

/// Number of inertial parameters of a body.
pub(super) const TEN: usize = 10;

/// Ten numbers as a mass, a first moment and a symmetric matrix. For π this is (m, h, I). For a function of π
/// it is (a, b, C) with the value a m + b·h + tr(C I).
struct Moments<R> {
    mass: R,
    first: Vec3<R>,
    tensor: Mat3<R>,
}

impl<R: Scalar> Moments<R> {
    /// From the order m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz; the products are multiplied by `products`.
    fn read(k: &[R], products: R) -> Self {
        let (xy, xz, yz) = (k[5] * products, k[7] * products, k[8] * products);
        Moments {
            mass: k[0],
            first: Vec3([k[1], k[2], k[3]]),
            tensor: Mat3([[k[4], xy, xz], [xy, k[6], yz], [xz, yz, k[9]]]),
        }
    }

    fn of_inertia(parameters: &[R]) -> Self {
        Self::read(parameters, R::one())
    }

    /// In tr(C I) every product of inertia counts twice.
    fn of_function(k: &[R]) -> Self {
        Self::read(k, R::one().half())
    }

    fn write(&self, products: R) -> Vec<R> {
        let (Vec3([x, y, z]), t) = (self.first, &self.tensor.0);
        let (xy, xz, yz) = (t[0][1] * products, t[0][2] * products, t[1][2] * products);
        vec![self.mass, x, y, z, t[0][0], xy, t[1][1], xz, yz, t[2][2]]
    }

    fn into_inertia(self) -> Vec<R> {
        self.write(R::one())
    }

    fn into_function(self) -> Vec<R> {
        self.write(R::one() + R::one())
    }
}

/// vᵀ \[π\]^ w as a function of π: twice the kinetic energy for v = w, the power of gravity for w = a_g.
pub(crate) fn power<R: Scalar>(v: &Column<R>, w: &Column<R>) -> Vec<R> {
    let (a, b) = (v.angular, w.angular);
    let tensor = Mat3(std::array::from_fn(|r| std::array::from_fn(|c| (a[r] * b[c] + a[c] * b[r]).half())));
    let first = w.linear.cross(a) + v.linear.cross(b);
    Moments { mass: v.linear.dot(w.linear), first, tensor }.into_function()
}

/// A child's inertia as the parent has it: B of (86).
pub(super) fn in_parent<R: Scalar>(child: &[R], pose: &Pose<R>) -> Vec<R> {
    let Moments { mass, first, tensor } = Moments::of_inertia(child);
    let (rotation, p) = (pose.rotation, pose.translation);
    let turned = rotation.apply(first);
    let along = p.dot(turned);
    let twice = along + along + mass * p.dot(p);
    let shift = Mat3(std::array::from_fn(|r| {
        std::array::from_fn(|c| {
            let spread = p[r] * turned[c] + turned[r] * p[c] + mass * p[r] * p[c];
            if r == c { twice - spread } else { -spread }
        })
    }));
    let tensor = rotation * tensor * rotation.transpose() + shift;
    Moments { mass, first: turned.plus_scaled(mass, p), tensor }.into_inertia()
}

/// A function of the parent's inertia as a function of the child's: k ∘ B.
pub(crate) fn seen_by_child<R: Scalar>(k: &[R], pose: &Pose<R>) -> Vec<R> {
    let Moments { mass, first, tensor } = Moments::of_function(k);
    let (rotation, p) = (pose.rotation, pose.translation);
    let trace = trace(&tensor);
    let arm = p.scale(trace) - tensor.apply(p);
    Moments {
        mass: mass + first.dot(p) + arm.dot(p),
        first: rotation.apply_transposed(first + arm + arm),
        tensor: rotation.transpose() * tensor * rotation,
    }
    .into_function()
}

/// How a function of an inertia changes while the inertia is carried along by a motion: k ∘ A(Φ), (26).
pub(super) fn rate<R: Scalar>(k: &[R], motion: &Column<R>) -> Vec<R> {
    let Moments { mass: _, first, tensor } = Moments::of_function(k);
    let (omega, v) = (motion.angular, motion.linear);
    let arm = v.scale(trace(&tensor)) - tensor.apply(v);
    let turning = omega.skew();
    Moments {
        mass: first.dot(v),
        first: first.cross(omega) + arm + arm,
        tensor: tensor * turning - turning * tensor,
    }
    .into_function()
}

/// The spatial cross product Φ × v, (4).
pub(super) fn cross<R: Scalar>(motion: &Column<R>, v: &Column<R>) -> Column<R> {
    Column {
        angular: motion.angular.cross(v.angular),
        linear: motion.angular.cross(v.linear) + motion.linear.cross(v.angular),
    }
}

/// A velocity of the parent as the child has it: the spatial transform X.
pub(super) fn velocity_in_child<R: Scalar>(v: &Column<R>, pose: &Pose<R>) -> Column<R> {
    Column {
        angular: pose.rotation.apply_transposed(v.angular),
        linear: pose.rotation.apply_transposed(v.linear + v.angular.cross(pose.translation)),
    }
}

/// Six numbers as a velocity.
pub(super) fn twist<R: Scalar>(v: &[R]) -> Column<R> {
    Column { angular: Vec3([v[0], v[1], v[2]]), linear: Vec3([v[3], v[4], v[5]]) }
}

/// A velocity as six numbers.
pub(super) fn six<R: Scalar>(v: &Column<R>) -> Vec<R> {
    v.angular.0.into_iter().chain(v.linear.0).collect()
}

fn trace<R: Scalar>(m: &Mat3<R>) -> R {
    m.0[0][0] + m.0[1][1] + m.0[2][2]
}

#[cfg(test)]
mod tests {
    use super::*;

    const PI: [f64; 10] = [1.3, 0.2, -0.5, 0.7, 2.0, 0.1, 3.0, -0.2, 0.4, 2.5];

    fn value(k: &[f64], parameters: &[f64]) -> f64 {
        k.iter().zip(parameters).map(|(a, b)| a * b).sum()
    }

    fn pose(angle: f64) -> Pose<f64> {
        let rotation =
            Mat3::from_quaternion((angle / 2.0).cos(), Vec3([0.6, 0.0, 0.8]).scale((angle / 2.0).sin()));
        Pose { rotation, translation: Vec3([0.3, -0.2, 0.9]) }
    }

    #[test]
    fn a_function_of_the_parent_is_the_same_function_seen_by_the_child() {
        let k: Vec<f64> = (0..10).map(|i| 0.3 * i as f64 - 1.1).collect();
        let (above, below) =
            (value(&k, &in_parent(&PI, &pose(0.7))), value(&seen_by_child(&k, &pose(0.7)), &PI));
        assert!((above - below).abs() < 1e-13);
    }

    #[test]
    fn power_does_not_depend_on_the_frame() {
        let v = twist(&[0.1, 0.7, -0.3, 0.2, 0.5, 0.4]);
        let w = twist(&[-0.4, 0.2, 0.6, 0.9, -0.1, 0.3]);
        let above = value(&power(&v, &w), &in_parent(&PI, &pose(0.7)));
        let [v, w] = [v, w].map(|v| velocity_in_child(&v, &pose(0.7)));
        assert!((above - value(&power(&v, &w), &PI)).abs() < 1e-13);
    }

    #[test]
    fn the_rate_is_the_derivative_of_being_carried_along() {
        let k: Vec<f64> = (0..10).map(|i| 0.3 * i as f64 - 1.1).collect();
        let (omega, v, step) = (Vec3([0.6, 0.0, 0.8]), Vec3([0.1, -0.7, 0.2]), 1e-6);
        let moved = |angle: f64| {
            let rotation = Mat3::from_quaternion(1.0, omega.scale(angle / 2.0));
            value(&k, &in_parent(&PI, &Pose { rotation, translation: v.scale(angle) }))
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        let exact = value(&rate(&k, &Column { angular: omega, linear: v }), &PI);
        assert!((difference - exact).abs() < 1e-8);
    }
}
