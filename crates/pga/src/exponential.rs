//! Exponential and logarithm: finite motions from twists, and back.
//!
//! A bivector B = (d, m) squares to −θ² + 2φI with θ = |d|, φ = d·m, so that
//!
//! exp B = cos θ + φσ I + (σ d, σ m − κφ d), σ = sin θ / θ, κ = (σ − cos θ) / θ².
//!
//! Both σ and κ are entire functions of θ²: no direction of an axis is ever
//! formed, and nothing happens at θ = 0.

use steiner_linalg::Vec3;
use steiner_scalar::Real;

use crate::{Line, Motor};

impl<R: Real> Line<R> {
    /// exp B, a motor of length one. A body with the constant spatial velocity V
    /// has the pose exp(tV/2) at time t.
    pub fn exp(self) -> Motor<R> {
        let squared = self.direction.dot(self.direction);
        let Series { cosine, sigma, kappa } = Series::at(squared);
        let phi = self.simplicity();
        Motor {
            scalar: cosine,
            rotor: self.direction.scale(sigma),
            translator: self.moment.scale(sigma).plus_scaled(-(kappa * phi), self.direction),
            pseudoscalar: phi * sigma,
        }
    }
}

impl<R: Real> Motor<R> {
    /// exp(V/2): the finite motion of a constant spatial twist V = (ω, v) acting for a unit of time. For a
    /// line of unit direction times an angle in radians, the rotation about that line.
    pub fn screw(twist: Line<R>) -> Self {
        twist.scale(R::one().half()).exp()
    }

    /// The bivector B of least rotation with exp B = M/‖M‖ or −M/‖M‖ (the same motion): |direction| ≤ π/2,
    /// half of the angle of rotation.
    ///
    /// Defined for every motion, with no loss of digits near the identity, near half a turn and for pure
    /// translations. At exactly half a turn both signs of the axis are right, and the motor's own is taken.
    pub fn log(self) -> Line<R> {
        let unit = self.normalized();
        let unit = if unit.scalar < R::zero() { -unit } else { unit };
        let sine = unit.rotor.dot(unit.rotor).sqrt();
        let theta = sine.atan2(unit.scalar);
        let Series { sigma, kappa, .. } = Series::at(theta * theta);
        let direction: Vec3<R> = unit.rotor.scale(sigma.inv());
        let phi = unit.pseudoscalar / sigma;
        Line { direction, moment: unit.translator.plus_scaled(kappa * phi, direction).scale(sigma.inv()) }
    }

    /// The twist of least rotation whose [`screw`](Motor::screw) this motion is: 2 log M.
    pub fn to_screw(self) -> Line<R> {
        self.log().scale(R::from_i64(2))
    }
}

/// cos θ, σ and κ as functions of θ².
struct Series<R> {
    cosine: R,
    sigma: R,
    kappa: R,
}

impl<R: Real> Series<R> {
    fn at(squared: R) -> Self {
        let theta = squared.sqrt();
        let (sine, cosine) = theta.sin_cos();
        // Below θ = 1/2, σ − cos θ would cancel.
        if squared.to_f64() >= 0.25 {
            let sigma = sine / theta;
            return Series { cosine, sigma, kappa: (sigma - cosine) / squared };
        }
        // σ = Σ (−θ²)ᵏ/(2k+1)!, κ = Σ (−θ²)ᵏ 2(k+1)/(2k+3)!
        let (mut sigma, mut kappa) = (R::one(), R::one() / R::from_i64(3));
        let mut term = R::one();
        for k in 1..40 {
            term = -(term * squared) / R::from_i64(2 * k * (2 * k + 1));
            sigma += term;
            kappa += term * R::from_i64(2 * (k + 1)) / R::from_i64((2 * k + 2) * (2 * k + 3));
            if term.abs() < R::epsilon() * R::epsilon().sqrt().half() {
                break;
            }
        }
        Series { cosine, sigma, kappa }
    }
}
