//! The projected acceleration functions y = a(q̇, q̈) υ(q) of definition 6, and their exponents.

use super::monomial::{JointMotion, Monomial};

/// The factor of a function that is no function of q: the sets A of definition 5. Joints count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Acceleration {
    /// q̈_k, rad/s² or m/s².
    Joint(usize),
    /// q̇_k², the centrifugal ones.
    Centrifugal(usize),
    /// q̇_j q̇_k with j < k, the Coriolis ones.
    Coriolis(usize, usize),
    /// g, m/s²: the length of the gravity vector.
    Gravity,
}

impl Acceleration {
    /// All of an arm, in the order of the functions of a model: (n + 1)(n + 2)/2, equation (13).
    pub fn all(joints: usize) -> Vec<Acceleration> {
        let pairs = (0..joints).flat_map(|j| (j + 1..joints).map(move |k| Acceleration::Coriolis(j, k)));
        (0..joints)
            .map(Acceleration::Joint)
            .chain((0..joints).map(Acceleration::Centrifugal))
            .chain(pairs)
            .chain([Acceleration::Gravity])
            .collect()
    }

    /// Its value for velocities, accelerations and the length of gravity.
    pub(crate) fn value(self, qd: &[f64], qdd: &[f64], gravity: f64) -> f64 {
        match self {
            Acceleration::Joint(k) => qdd[k],
            Acceleration::Centrifugal(k) => qd[k] * qd[k],
            Acceleration::Coriolis(j, k) => qd[j] * qd[k],
            Acceleration::Gravity => gravity,
        }
    }
}

/// One function y_j of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function {
    /// a(q̇, q̈).
    pub acceleration: Acceleration,
    /// υ(q).
    pub geometry: Monomial,
}

impl Function {
    /// The exponent vector of (49) and (50): 5 n integers, those of q, sin q, cos q, q̇
    /// and q̈. The factor g has none.
    pub fn exponents(&self, motions: &[JointMotion]) -> Vec<u8> {
        let n = motions.len();
        let mut out = vec![0; 5 * n];
        for (joint, motion) in motions.iter().enumerate() {
            let of_joint = motion.exponents(self.geometry.digit(joint));
            for (block, exponent) in of_joint.into_iter().enumerate() {
                out[block * n + joint] = exponent;
            }
        }
        match self.acceleration {
            Acceleration::Joint(k) => out[4 * n + k] = 1,
            Acceleration::Centrifugal(k) => out[3 * n + k] = 2,
            Acceleration::Coriolis(j, k) => {
                out[3 * n + j] = 1;
                out[3 * n + k] = 1;
            }
            Acceleration::Gravity => {}
        }
        out
    }

    /// The function with an exponent vector, if it is one of Y⁽²⁾ without squared sines.
    pub fn from_exponents(exponents: &[u8], motions: &[JointMotion]) -> Option<Self> {
        let n = motions.len();
        let mut geometry = Monomial::default();
        for (joint, motion) in motions.iter().enumerate() {
            let of_joint =
                [0, 1, 2].map(|block| exponents.get(block * n + joint).copied().unwrap_or(u8::MAX));
            geometry = geometry.times(joint, motion.digit_of(of_joint)?);
        }
        let powers = |block: usize| -> Option<Vec<(usize, u8)>> {
            let block = exponents.get(block * n..(block + 1) * n)?;
            Some(block.iter().copied().enumerate().filter(|(_, e)| *e > 0).collect())
        };
        let acceleration = match (&powers(3)?[..], &powers(4)?[..]) {
            ([], []) => Acceleration::Gravity,
            ([], [(k, 1)]) => Acceleration::Joint(*k),
            ([(k, 2)], []) => Acceleration::Centrifugal(*k),
            ([(j, 1), (k, 1)], []) => Acceleration::Coriolis(*j, *k),
            _ => return None,
        };
        (exponents.len() == 5 * n).then_some(Function { acceleration, geometry })
    }
}
