//! Points: the trivectors of the algebra, finite (13) or at infinity (15).

use steiner_linalg::Vec3;
use steiner_scalar::Scalar;

use crate::{Blade, Element, Join, Line, Meet, Motor, Multivector, Plane, linear};

/// The point with homogeneous coordinates (x, y, z, w): x e₀₃₂ + y e₀₁₃ + z e₀₂₁ + w e₁₂₃ (13).
///
/// Weight zero is a point at infinity: a direction, a velocity or an acceleration (15).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<S> {
    /// (x, y, z), metres times the weight.
    pub position: Vec3<S>,
    /// w: one for a point as drawn, zero for a direction.
    pub weight: S,
}

linear!(Point { position, weight });

impl<S: Scalar> Point<S> {
    /// From homogeneous coordinates.
    #[inline(always)]
    pub fn new(position: Vec3<S>, weight: S) -> Self {
        Point { position, weight }
    }

    /// The point at a position (metres), with weight one.
    #[inline(always)]
    pub fn finite(position: Vec3<S>) -> Self {
        Point { position, weight: S::one() }
    }

    /// The point at infinity in a direction, with weight zero (15).
    #[inline(always)]
    pub fn ideal(direction: Vec3<S>) -> Self {
        Point { position: direction, weight: S::zero() }
    }

    /// e₁₂₃, the origin of the fixed frame.
    pub fn origin() -> Self {
        Self::finite(Vec3::zero())
    }

    /// The frame of the fixed tetrahedral points (42): the directions x, y, z and the origin.
    pub fn frame() -> [Self; 4] {
        [Self::ideal(Vec3::unit(0)), Self::ideal(Vec3::unit(1)), Self::ideal(Vec3::unit(2)), Self::origin()]
    }

    /// All coordinates times a factor: the same point.
    #[inline(always)]
    pub fn scale(self, factor: S) -> Self {
        Point { position: self.position.scale(factor), weight: self.weight * factor }
    }

    /// Where a finite point is, in metres. Divides by the weight, which must not be zero.
    #[inline(always)]
    pub fn position(self) -> Vec3<S> {
        self.position.scale(self.weight.inv())
    }

    /// The dual of (16): the plane with the same coordinates.
    #[inline(always)]
    pub fn dual(self) -> Plane<S> {
        Plane { normal: self.position, offset: self.weight }
    }
}

impl<S: Scalar> Meet<Plane<S>> for Point<S> {
    type Output = S;
    /// P ∧ p = −p ∧ P.
    #[inline(always)]
    fn meet(self, plane: Plane<S>) -> S {
        -plane.meet(self)
    }
}

impl<S: Scalar> Join<Point<S>> for Point<S> {
    type Output = Line<S>;
    /// Equation (18): (w₁p₂ − w₂p₁, p₁ × p₂).
    #[inline(always)]
    fn join(self, other: Point<S>) -> Line<S> {
        Line {
            direction: other.position.scale(self.weight).plus_scaled(-other.weight, self.position),
            moment: self.position.cross(other.position),
        }
    }
}

impl<S: Scalar> Join<Line<S>> for Point<S> {
    type Output = Plane<S>;
    #[inline(always)]
    fn join(self, line: Line<S>) -> Plane<S> {
        Plane {
            normal: self.position.cross(line.direction).plus_scaled(-self.weight, line.moment),
            offset: self.position.dot(line.moment),
        }
    }
}

impl<S: Scalar> Element<S> for Point<S> {
    #[inline]
    fn moved_by(self, motor: &Motor<S>) -> Self {
        Point {
            position: motor.scaled_rotate(self.position).plus_scaled(self.weight, motor.scaled_translation()),
            weight: self.weight * motor.norm_squared(),
        }
    }

    /// The ideal point w v + ω × p (34).
    #[inline(always)]
    fn velocity(self, velocity: Line<S>) -> Self {
        let rate = velocity.direction.cross(self.position).plus_scaled(self.weight, velocity.moment);
        Point { position: rate, weight: S::zero() }
    }

    fn to_multivector(self) -> Multivector<S> {
        let [x, y, z] = self.position.0;
        Multivector::from_blades(&[
            (Blade::E032, x),
            (Blade::E013, y),
            (Blade::E021, z),
            (Blade::E123, self.weight),
        ])
    }
}
