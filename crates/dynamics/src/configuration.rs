//! Moving along a configuration space that contains quaternions.

use steiner_linalg::Vec3;
use steiner_scalar::Real;

use crate::tree::{Placing, Tree};

impl<R: Real> Tree<R> {
    /// The configuration at rest: zeros and unit quaternions.
    pub fn neutral(&self) -> Vec<R> {
        let mut q = vec![R::zero(); self.configuration_size];
        for segment in &self.segments {
            match segment.placing {
                Placing::Ball { .. } => q[segment.configuration + 3] = R::one(),
                Placing::Free { .. } => q[segment.configuration + 6] = R::one(),
                _ => {}
            }
        }
        q
    }

    /// q ⊕ δ: the configuration reached from `q` by a displacement `delta` in velocity coordinates, exact to
    /// first order, with quaternions kept at unit length.
    pub fn displaced(&self, q: &[R], delta: &[R]) -> Vec<R> {
        let mut out = q.to_vec();
        for segment in &self.segments {
            let (c, v) = (segment.configuration, segment.velocity);
            match segment.placing {
                Placing::Turn { .. } | Placing::Slide { .. } => out[c] += delta[v],
                Placing::Ball { ref after, .. } => {
                    // The displacement is in body axes; the quaternion turns the joint's moving frame.
                    let angular = after.rotation.apply(Vec3([delta[v], delta[v + 1], delta[v + 2]]));
                    turn(&mut out[c..c + 4], &angular.0);
                }
                Placing::Plane { .. } => {
                    let (s, co) = q[c + 2].sin_cos();
                    out[c] += co * delta[v] - s * delta[v + 1];
                    out[c + 1] += s * delta[v] + co * delta[v + 1];
                    out[c + 2] += delta[v + 2];
                }
                Placing::Free { ref after, .. } => {
                    // Velocities are those of the body; the coordinates place the joint's moving frame.
                    let quaternion = [q[c + 3], q[c + 4], q[c + 5], q[c + 6]];
                    let frame = steiner_linalg::Mat3::from_quaternion(
                        quaternion[3],
                        Vec3([quaternion[0], quaternion[1], quaternion[2]]),
                    );
                    let angular = after.rotation.apply(Vec3([delta[v + 3], delta[v + 4], delta[v + 5]]));
                    let linear = after.rotation.apply(Vec3([delta[v], delta[v + 1], delta[v + 2]]))
                        - angular.cross(after.translation);
                    let step = frame.apply(linear);
                    for k in 0..3 {
                        out[c + k] += step[k];
                    }
                    turn(&mut out[c + 3..c + 7], &angular.0);
                }
            }
        }
        out
    }

    /// Scales every quaternion to unit length.
    pub fn normalise(&self, q: &mut [R]) {
        for segment in &self.segments {
            let start = match segment.placing {
                Placing::Ball { .. } => segment.configuration,
                Placing::Free { .. } => segment.configuration + 3,
                _ => continue,
            };
            unit_length(&mut q[start..start + 4]);
        }
    }
}

fn unit_length<R: Real>(quaternion: &mut [R]) {
    let norm = quaternion.iter().fold(R::zero(), |sum, x| sum + *x * *x).sqrt();
    if norm > R::zero() {
        for x in quaternion.iter_mut() {
            *x = *x / norm;
        }
    } else {
        quaternion[3] = R::one();
    }
}

/// Multiplies the quaternion (x, y, z, w) from the right by (δ/2, 1) and normalises.
fn turn<R: Real>(quaternion: &mut [R], delta: &[R]) {
    let v = Vec3([quaternion[0], quaternion[1], quaternion[2]]);
    let w = quaternion[3];
    let half = Vec3([delta[0].half(), delta[1].half(), delta[2].half()]);
    let vector = v + half.scale(w) + v.cross(half);
    let scalar = w - v.dot(half);
    quaternion[..3].copy_from_slice(&vector.0);
    quaternion[3] = scalar;
    unit_length(quaternion);
}
