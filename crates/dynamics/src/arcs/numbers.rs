//! The rational parameters of segments as coordinates: how velocities follow from their rates.

use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::{Field, Fp, Scalar, Series};

use super::circle;
use crate::tree::{Placing, Segment};

/// The velocities of a segment while one of its numbers changes at unit rate; the last part of a quaternion stays.
pub(super) fn velocities_of<S: Scalar>(segment: &Segment<S>, parameters: &[S], number: usize) -> Vec<S> {
    let spin = |u: Vec3<S>, w: S, rate: Vec3<S>| {
        let norm = (u.dot(u) + w * w).inv();
        let v = (rate.scale(w) - u.cross(rate)).scale(norm);
        v + v
    };
    match &segment.placing {
        Placing::Turn { .. } => {
            let t = parameters[0];
            let norm = (S::one() + segment.axis_norm2 * t * t).inv();
            vec![norm + norm]
        }
        Placing::Slide { .. } => vec![S::one()],
        Placing::Ball { after, .. } => {
            let u = Vec3([parameters[0], parameters[1], parameters[2]]);
            after.rotation.apply_transposed(spin(u, parameters[3], Vec3::unit(number))).0.to_vec()
        }
        Placing::Plane { .. } => {
            let (s, c) = circle(parameters[2]);
            match number {
                0 => vec![c, -s, S::zero()],
                1 => vec![s, c, S::zero()],
                _ => {
                    let norm = (S::one() + parameters[2] * parameters[2]).inv();
                    vec![S::zero(), S::zero(), norm + norm]
                }
            }
        }
        Placing::Free { after, .. } => {
            let (u, w) = (Vec3([parameters[3], parameters[4], parameters[5]]), parameters[6]);
            let (linear, angular) = match number.checked_sub(3) {
                None => {
                    let rotation = Mat3::from_quaternion(w, u);
                    (rotation.apply_transposed(Vec3::unit(number)), Vec3::zero())
                }
                Some(k) => {
                    let angular = spin(u, w, Vec3::unit(k));
                    (angular.cross(after.translation), angular)
                }
            };
            [linear, angular].iter().flat_map(|v| after.rotation.apply_transposed(*v).0).collect()
        }
    }
}

/// The angle whose half has this tangent (in units of the axis' length), less that at the start.
pub(super) fn angle_along<const N: usize>(t: Series<N>, axis_norm2: Series<N>) -> Series<N> {
    let number = |k: usize| Fp::from_i64(k as i64);
    let coefficient = |k: usize| if k + 1 < N { number(k + 1) * t.coefficients()[k + 1] } else { Fp::zero() };
    let rate = Series::new(std::array::from_fn(coefficient));
    let rate = (rate + rate) * (Series::one() + axis_norm2 * t * t).inv();
    let integral = |k: usize| if k == 0 { Fp::zero() } else { rate.coefficients()[k - 1] * number(k).inv() };
    Series::new(std::array::from_fn(integral))
}
