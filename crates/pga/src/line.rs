//! Lines: the bivectors of the algebra, which are also twists (30) and wrenches (20).

use steiner_linalg::Vec3;
use steiner_scalar::Scalar;

use crate::{Blade, Element, Join, Meet, Motor, Multivector, Plane, Point, linear};

/// A line in Plücker coordinates (14), or a general bivector: a twist or a wrench.
///
/// | | `direction` (e₂₃, e₃₁, e₁₂) | `moment` (e₀₁, e₀₂, e₀₃) |
/// |---|---|---|
/// | line through **x** along **d** | **d** | **x** × **d** |
/// | spatial twist (30) | angular velocity ω, rad/s | velocity v of the body's point at the origin, m/s |
/// | wrench (20) | force f, N | torque τ about the origin, N·m |
///
/// A bivector is a line if it is simple, **d** · **p** = 0; a line with direction zero is at infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<S> {
    /// Coordinates on e₂₃, e₃₁, e₁₂.
    pub direction: Vec3<S>,
    /// Coordinates on e₀₁, e₀₂, e₀₃.
    pub moment: Vec3<S>,
}

linear!(Line { direction, moment });

impl<S: Scalar> Line<S> {
    /// From Plücker coordinates, a twist (ω, v) or a wrench (f, τ).
    #[inline(always)]
    pub fn new(direction: Vec3<S>, moment: Vec3<S>) -> Self {
        Line { direction, moment }
    }

    /// The line through a position (metres) along a direction.
    #[inline(always)]
    pub fn through(position: Vec3<S>, direction: Vec3<S>) -> Self {
        Line { direction, moment: position.cross(direction) }
    }

    /// The line at infinity with the given moment: the twist of a translation along it, the
    /// wrench of a pure couple about it.
    #[inline(always)]
    pub fn ideal(moment: Vec3<S>) -> Self {
        Line { direction: Vec3::zero(), moment }
    }

    /// The zero bivector: no line, but the twist of a body at rest.
    pub fn zero() -> Self {
        Line { direction: Vec3::zero(), moment: Vec3::zero() }
    }

    /// All coordinates times a factor: the same line, a faster twist, a stronger wrench.
    #[inline(always)]
    pub fn scale(self, factor: S) -> Self {
        Line { direction: self.direction.scale(factor), moment: self.moment.scale(factor) }
    }

    /// **d** · **p**, half of L ∧ L: zero exactly for simple bivectors; |ω|² times the pitch for twists.
    #[inline(always)]
    pub fn simplicity(self) -> S {
        self.direction.dot(self.moment)
    }

    /// The dual of a bivector that (16) to (18) imply: direction and moment change places.
    #[inline(always)]
    pub fn dual(self) -> Line<S> {
        Line { direction: self.moment, moment: self.direction }
    }
}

impl<S: Scalar> Meet<Line<S>> for Line<S> {
    type Output = S;
    #[inline(always)]
    fn meet(self, other: Line<S>) -> S {
        self.direction.dot(other.moment) + self.moment.dot(other.direction)
    }
}

impl<S: Scalar> Meet<Plane<S>> for Line<S> {
    type Output = Point<S>;
    /// L ∧ p = p ∧ L: a bivector commutes with every element under ∧.
    #[inline(always)]
    fn meet(self, plane: Plane<S>) -> Point<S> {
        plane.meet(self)
    }
}

impl<S: Scalar> Join<Point<S>> for Line<S> {
    type Output = Plane<S>;
    /// L ∨ P = P ∨ L.
    #[inline(always)]
    fn join(self, point: Point<S>) -> Plane<S> {
        point.join(self)
    }
}

impl<S: Scalar> Element<S> for Line<S> {
    #[inline]
    fn moved_by(self, motor: &Motor<S>) -> Self {
        // M = A + I B with A = (a, d), B = (q, −p): the moment gains twice the vector part of Ã L B.
        let (a, d, p, q) = (motor.scalar, motor.rotor, motor.translator, motor.pseudoscalar);
        let l = self.direction;
        let lb = l.cross(p).plus_scaled(q, l);
        let gain = lb.scale(a).plus_scaled(-l.dot(p), d) + d.cross(lb);
        Line { direction: motor.scaled_rotate(l), moment: motor.scaled_rotate(self.moment) - (gain + gain) }
    }

    /// The Lie bracket of twists, ad: (ω × d, ω × p + v × d).
    #[inline(always)]
    fn velocity(self, velocity: Line<S>) -> Self {
        let (omega, v) = (velocity.direction, velocity.moment);
        Line {
            direction: omega.cross(self.direction),
            moment: omega.cross(self.moment) + v.cross(self.direction),
        }
    }

    fn to_multivector(self) -> Multivector<S> {
        let ([dx, dy, dz], [px, py, pz]) = (self.direction.0, self.moment.0);
        Multivector::from_blades(&[
            (Blade::E23, dx),
            (Blade::E31, dy),
            (Blade::E12, dz),
            (Blade::E01, px),
            (Blade::E02, py),
            (Blade::E03, pz),
        ])
    }
}
