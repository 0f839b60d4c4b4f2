//! Velocities of floating, spherical and planar joints from their positions: no rates of q, but made of them.
//!
//! With R the rotation of the body and p its position, v = Rᵀ ṗ and ω = 2 Im(q̄ q̇) are the velocities in
//! body axes, q = (x, y, z, w) being a unit quaternion.

use crate::channels::JointMotion;
use crate::signals::first_differences;

/// The velocity components of a planar, spherical or floating joint, sample by sample, from
/// the columns of its configuration.
pub(crate) fn body_velocities(
    motion: JointMotion,
    q: &[&[f64]],
    interval: f64,
    order: usize,
) -> Vec<Vec<f64>> {
    let rates: Vec<Vec<f64>> = q.iter().map(|column| first_differences(column, interval, order)).collect();
    let samples = q.first().map_or(0, |column| column.len());
    let dof = if motion == JointMotion::Floating { 6 } else { 3 };
    let mut out = vec![Vec::with_capacity(samples); dof];
    for k in 0..samples {
        let value = |c: usize| q[c][k];
        let rate = |c: usize| rates[c][k];
        let velocity: Vec<f64> = match motion {
            JointMotion::Planar => {
                let (sin, cos) = value(2).sin_cos();
                vec![cos * rate(0) + sin * rate(1), cos * rate(1) - sin * rate(0), rate(2)]
            }
            JointMotion::Spherical => {
                angular([value(0), value(1), value(2), value(3)], [rate(0), rate(1), rate(2), rate(3)])
                    .to_vec()
            }
            _ => {
                let unit = [value(3), value(4), value(5), value(6)];
                let linear = turned_back(unit, [rate(0), rate(1), rate(2)]);
                let angular = angular(unit, [rate(3), rate(4), rate(5), rate(6)]);
                [linear, angular].concat()
            }
        };
        out.iter_mut().zip(velocity).for_each(|(column, x)| column.push(x));
    }
    out
}

/// ω = 2 Im(q̄ q̇).
fn angular([x, y, z, w]: [f64; 4], [dx, dy, dz, dw]: [f64; 4]) -> [f64; 3] {
    [
        2.0 * (w * dx - x * dw - y * dz + z * dy),
        2.0 * (w * dy - y * dw - z * dx + x * dz),
        2.0 * (w * dz - z * dw - x * dy + y * dx),
    ]
}

/// Rᵀ v for the rotation of a unit quaternion: v + 2 w (v × u) + 2 u × (u × v) with u its imaginary part.
fn turned_back([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let (once, twice) = (cross(v, u), cross(u, cross(u, v)));
    std::array::from_fn(|k| v[k] + 2.0 * w * once[k] + 2.0 * twice[k])
}
