//! Planes: the vectors of the algebra.

use steiner_linalg::Vec3;
use steiner_scalar::Scalar;

use crate::{Blade, Element, Line, Meet, Motor, Multivector, Point, linear};

/// The plane ax + by + cz + d = 0: a e₁ + b e₂ + c e₃ + d e₀.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<S> {
    /// The normal (a, b, c); zero for the plane at infinity.
    pub normal: Vec3<S>,
    /// The offset d; with a unit normal, minus the distance of the plane from the origin along it, in metres.
    pub offset: S,
}

linear!(Plane { normal, offset });

impl<S: Scalar> Plane<S> {
    /// From the coefficients of ax + by + cz + d = 0.
    #[inline(always)]
    pub fn new(normal: Vec3<S>, offset: S) -> Self {
        Plane { normal, offset }
    }

    /// The plane through a position (metres) with a given normal.
    #[inline(always)]
    pub fn through(position: Vec3<S>, normal: Vec3<S>) -> Self {
        Plane { normal, offset: -normal.dot(position) }
    }

    /// e₀, the plane that contains every ideal point and line (Corollary 2).
    pub fn at_infinity() -> Self {
        Plane { normal: Vec3::zero(), offset: S::one() }
    }

    /// All coefficients times a factor: the same plane.
    #[inline(always)]
    pub fn scale(self, factor: S) -> Self {
        Plane { normal: self.normal.scale(factor), offset: self.offset * factor }
    }

    /// The dual of (16): the point with the same coordinates.
    #[inline(always)]
    pub fn dual(self) -> Point<S> {
        Point { position: self.normal, weight: self.offset }
    }
}

impl<S: Scalar> Meet<Plane<S>> for Plane<S> {
    type Output = Line<S>;
    #[inline(always)]
    fn meet(self, other: Plane<S>) -> Line<S> {
        Line {
            direction: self.normal.cross(other.normal),
            moment: other.normal.scale(self.offset).plus_scaled(-other.offset, self.normal),
        }
    }
}

impl<S: Scalar> Meet<Line<S>> for Plane<S> {
    type Output = Point<S>;
    #[inline(always)]
    fn meet(self, line: Line<S>) -> Point<S> {
        Point {
            position: self.normal.cross(line.moment).plus_scaled(-self.offset, line.direction),
            weight: self.normal.dot(line.direction),
        }
    }
}

impl<S: Scalar> Meet<Point<S>> for Plane<S> {
    type Output = S;
    #[inline(always)]
    fn meet(self, point: Point<S>) -> S {
        self.offset.mul_add(point.weight, self.normal.dot(point.position))
    }
}

impl<S: Scalar> Element<S> for Plane<S> {
    #[inline]
    fn moved_by(self, motor: &Motor<S>) -> Self {
        // A point x of the plane goes to Rx + t: the offset changes by the normal's share of Rᵀt.
        let shift = self.normal.dot(motor.scaled_body_translation());
        Plane {
            normal: motor.scaled_rotate(self.normal),
            offset: self.offset.mul_add(motor.norm_squared(), -shift),
        }
    }

    #[inline(always)]
    fn velocity(self, velocity: Line<S>) -> Self {
        Plane { normal: velocity.direction.cross(self.normal), offset: -self.normal.dot(velocity.moment) }
    }

    fn to_multivector(self) -> Multivector<S> {
        let [a, b, c] = self.normal.0;
        Multivector::from_blades(&[(Blade::E1, a), (Blade::E2, b), (Blade::E3, c), (Blade::E0, self.offset)])
    }
}
