//! Velocities and accelerations of floating, spherical and planar joints from their positions: no rates of q, but
//! made of them.
//!
//! With R the rotation of the body and p its position, v = Rᵀ ṗ and ω = 2 Im(q̄ q̇) are the velocities in
//! body axes, q = (x, y, z, w) being a unit quaternion. Their rates are v̇ = Rᵀ p̈ − ω × v and ω̇ = 2 Im(q̄ q̈):
//! every number of the configuration is differentiated twice at once, as those of other joints are. (Differences
//! of derived velocities would carry what is missing at the ends of a log several samples inwards.)

use crate::channels::JointMotion;

/// Velocity and acceleration of a joint, one column for each component.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyRates {
    pub(crate) velocity: Vec<Vec<f64>>,
    pub(crate) acceleration: Vec<Vec<f64>>,
}

/// The rates of a planar, spherical or floating joint, sample by sample, from the columns of its configuration
/// and their first and second derivatives.
pub(crate) fn body_rates(
    motion: JointMotion,
    q: &[&[f64]],
    once: &[Vec<f64>],
    twice: &[Vec<f64>],
) -> BodyRates {
    let samples = q.first().map_or(0, |column| column.len());
    let dof = if motion == JointMotion::Floating { 6 } else { 3 };
    let empty = || vec![Vec::new(); dof];
    let mut out = BodyRates { velocity: empty(), acceleration: empty() };
    for k in 0..samples {
        let value = |c: usize| q[c][k];
        let rate = |c: usize| once[c][k];
        let second = |c: usize| twice[c][k];
        let three = |of: &dyn Fn(usize) -> f64, first: usize| [of(first), of(first + 1), of(first + 2)];
        let four = |of: &dyn Fn(usize) -> f64, first: usize| std::array::from_fn(|c| of(first + c));
        let (velocity, acceleration): (Vec<f64>, Vec<f64>) = match motion {
            JointMotion::Planar => {
                let (sin, cos) = value(2).sin_cos();
                let back = |[x, y]: [f64; 2]| [cos * x + sin * y, cos * y - sin * x];
                let ([vx, vy], [ax, ay]) = (back([rate(0), rate(1)]), back([second(0), second(1)]));
                let turn = rate(2);
                (vec![vx, vy, turn], vec![ax + turn * vy, ay - turn * vx, second(2)])
            }
            JointMotion::Spherical => {
                let turns = Turning::new(four(&value, 0), four(&rate, 0), four(&second, 0));
                (turns.velocity.to_vec(), turns.acceleration.to_vec())
            }
            _ => {
                let turns = Turning::new(four(&value, 3), four(&rate, 3), four(&second, 3));
                let linear = turned_back(turns.unit, three(&rate, 0));
                let point = turned_back(turns.unit, three(&second, 0));
                let swept = cross(turns.velocity, linear);
                let along = std::array::from_fn::<f64, 3, _>(|c| point[c] - swept[c]);
                ([linear, turns.velocity].concat(), [along, turns.acceleration].concat())
            }
        };
        out.velocity.iter_mut().zip(velocity).for_each(|(column, x)| column.push(x));
        out.acceleration.iter_mut().zip(acceleration).for_each(|(column, x)| column.push(x));
    }
    out
}

/// How a body turns, from a quaternion of nearly unit length and its derivatives.
struct Turning {
    unit: [f64; 4],
    velocity: [f64; 3],
    acceleration: [f64; 3],
}

impl Turning {
    /// A filter shortens quaternions: with n = |q|², ω = 2 Im(q̄ q̇)/n and ω̇ = 2 Im(q̄ q̈)/n − ω ṅ/n.
    fn new(q: [f64; 4], rate: [f64; 4], second: [f64; 4]) -> Self {
        let square: f64 = q.iter().map(|x| x * x).sum();
        let growth = 2.0 * q.iter().zip(rate).map(|(x, dx)| x * dx).sum::<f64>() / square;
        let (once, twice) = (imaginary(q, rate), imaginary(q, second));
        let velocity = once.map(|x| 2.0 * x / square);
        Turning {
            unit: q.map(|x| x / square.sqrt()),
            velocity,
            acceleration: std::array::from_fn(|c| 2.0 * twice[c] / square - velocity[c] * growth),
        }
    }
}

/// Im(q̄ p).
fn imaginary([x, y, z, w]: [f64; 4], [dx, dy, dz, dw]: [f64; 4]) -> [f64; 3] {
    [w * dx - x * dw - y * dz + z * dy, w * dy - y * dw - z * dx + x * dz, w * dz - z * dw - x * dy + y * dx]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// R v for the rotation of a unit quaternion.
pub(crate) fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    turned_back([-x, -y, -z, w], v)
}

/// Rᵀ v for the rotation of a unit quaternion: v + 2 w (v × u) + 2 u × (u × v) with u its imaginary part.
pub(crate) fn turned_back([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let (once, twice) = (cross(v, u), cross(u, cross(u, v)));
    std::array::from_fn(|k| v[k] + 2.0 * w * once[k] + 2.0 * twice[k])
}
