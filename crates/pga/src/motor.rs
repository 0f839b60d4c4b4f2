//! Motors: the even elements, which are rigid motions (24) to (30).
//!
//! | symbol | meaning |
//! |---|---|
//! | a, d | scalar and rotor part: the quaternion (a, d) of the rotation |
//! | p, q | translator part and coefficient of I |
//! | n = a² + d·d | squared length ‖M‖² |
//! | aq = d·p | the Study condition: M̃M is a number, n |
//!
//! With I e₂₃ = −e₀₁ (and cyclically) and I² = 0, M = A + I B for A = (a, d), B = (q, −p), and bivectors
//! multiply as quaternions of opposite sign: (a, d)(b, e) = (ab − d·e, a e + b d − d × e).

use std::ops::Mul;

use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::{Real, Scalar};

use crate::{Blade, Element, Line, Multivector, Point, linear};

/// A rigid motion, or the pose of a frame: c₁ + c₂e₂₃ + c₃e₃₁ + c₄e₁₂ + c₅e₀₁ + c₆e₀₂ + c₇e₀₃ + c₈I (24).
///
/// # Conventions
/// It acts as X = M̃ X⁰ M (27), so **"first M₁, then M₂" is M₁M₂**, and its matrix is T₂T₁. A motor of any
/// length but zero stands for the motion; M and −M are the same one. The group (26) is that of length one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor<S> {
    /// c₁: the cosine of half the angle, times the length.
    pub scalar: S,
    /// c₂, c₃, c₄ on e₂₃, e₃₁, e₁₂: the axis times the sine of half the angle, times the length.
    pub rotor: Vec3<S>,
    /// c₅, c₆, c₇ on e₀₁, e₀₂, e₀₃, in metres: half the translation if there is no rotation.
    pub translator: Vec3<S>,
    /// c₈ on I, in metres.
    pub pseudoscalar: S,
}

linear!(Motor { scalar, rotor, translator, pseudoscalar });

impl<S: Scalar> Motor<S> {
    /// 1, the motion that leaves everything in place.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::rotation(S::one(), Vec3::zero())
    }

    /// The rotation about the origin of the quaternion (w, v) of any length but zero; v in the order x, y, z.
    ///
    /// (1, t·axis) is the rotation by 2 atan(t ‖axis‖): no sine, and exact in the prime field.
    #[inline(always)]
    pub fn rotation(w: S, v: Vec3<S>) -> Self {
        Motor { scalar: w, rotor: v, translator: Vec3::zero(), pseudoscalar: S::zero() }
    }

    /// The rotation about an axis of unit length through the origin by the angle of the given sine and
    /// cosine.
    ///
    /// Rational in both: the half angle, which the prime field rarely has, is avoided by a motor that isn't
    /// of length one, (1 + cos θ, sin θ axis) or (sin θ, (1 − cos θ) axis), whichever is longer. (In SIMD
    /// lanes: longer in the worst lane.)
    pub fn turn(axis: Vec3<S>, sin: S, cos: S) -> Self {
        let (near, far) = (S::one() + cos, S::one() - cos);
        if near.pivot_weight() >= far.pivot_weight() {
            Self::rotation(near, axis.scale(sin))
        } else {
            Self::rotation(sin, axis.scale(far))
        }
    }

    /// The translation by a vector, in metres.
    #[inline(always)]
    pub fn translation(t: Vec3<S>) -> Self {
        Motor {
            scalar: S::one(),
            rotor: Vec3::zero(),
            translator: Vec3(t.0.map(S::half)),
            pseudoscalar: S::zero(),
        }
    }

    /// x ↦ R x + t, with R the rotation of the quaternion (w, v) of any length but zero and t in metres.
    #[inline(always)]
    pub fn from_quaternion_translation(w: S, v: Vec3<S>, t: Vec3<S>) -> Self {
        let half = Vec3(t.0.map(S::half));
        Motor { scalar: w, rotor: v, translator: half.scale(w) - v.cross(half), pseudoscalar: v.dot(half) }
    }

    /// x ↦ R x + t for a rotation matrix and a translation in metres; the motor has
    /// some length, in general not one.
    ///
    /// Rational in R: each row of 4(w, v)(w, v)ᵀ is linear in R, and the one with the best diagonal is
    /// taken. (In SIMD lanes the row is best for the worst lane; lanes whose four half-turn axes
    /// exclude each other have none.)
    pub fn from_rotation_translation(rotation: &Mat3<S>, translation: Vec3<S>) -> Self {
        let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = rotation.0;
        let l = S::one();
        let rows = [
            [l + xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, l + xx - yy - zz, xy + yx, xz + zx],
            [xz - zx, xy + yx, l - xx + yy - zz, yz + zy],
            [yx - xy, xz + zx, yz + zy, l - xx - yy + zz],
        ];
        let mut best = 0;
        for k in 1..4 {
            if rows[k][k].pivot_weight() > rows[best][best].pivot_weight() {
                best = k;
            }
        }
        let [w, x, y, z] = rows[best];
        Self::from_quaternion_translation(w, Vec3([x, y, z]), translation)
    }

    /// ‖M‖² = a² + d·d, the scalar part of M̃M.
    #[inline(always)]
    pub fn norm_squared(&self) -> S {
        self.scalar.mul_add(self.scalar, self.rotor.dot(self.rotor))
    }

    /// aq − d·p, half of the coefficient of I in M̃M: zero for a motion (the Study condition).
    #[inline(always)]
    pub fn study_residual(&self) -> S {
        self.scalar * self.pseudoscalar - self.rotor.dot(self.translator)
    }

    /// M̃ (25): the inverse motion. (The inverse element is M̃/‖M‖².)
    #[inline(always)]
    pub fn reverse(self) -> Self {
        Motor { rotor: -self.rotor, translator: -self.translator, ..self }
    }

    /// All coordinates times a factor: the same motion.
    #[inline(always)]
    pub fn scale(self, factor: S) -> Self {
        Motor {
            scalar: self.scalar * factor,
            rotor: self.rotor.scale(factor),
            translator: self.translator.scale(factor),
            pseudoscalar: self.pseudoscalar * factor,
        }
    }

    /// The bivector part.
    #[inline(always)]
    pub fn bivector(self) -> Line<S> {
        Line { direction: self.rotor, moment: self.translator }
    }

    /// The rotation matrix R of x ↦ R x + t. Divides by ‖M‖².
    #[inline]
    pub fn to_rotation(&self) -> Mat3<S> {
        Mat3::from_quaternion(self.scalar, self.rotor)
    }

    /// The translation t of x ↦ R x + t, in metres: where the origin goes. Divides by ‖M‖².
    #[inline]
    pub fn to_translation(&self) -> Vec3<S> {
        self.scaled_translation().scale(self.norm_squared().inv())
    }

    /// The columns of the homogeneous matrix (45): where the motion takes x, y, z (ideal points) and the
    /// origin (weight one). Divides by ‖M‖².
    pub fn to_frame(&self) -> [Point<S>; 4] {
        let unit = self.norm_squared().inv();
        let [x, y, z, o] = Point::frame().map(|point| point.moved_by(self).scale(unit));
        [x, y, z, Point::finite(o.position)]
    }

    /// The homogeneous matrix [R t; 0 1] of (40), by rows. Divides by ‖M‖².
    pub fn to_homogeneous(&self) -> [[S; 4]; 4] {
        let columns = self.to_frame();
        std::array::from_fn(|r| columns.map(|column| if r < 3 { column.position[r] } else { column.weight }))
    }

    /// V = 2M̃Ṁ (29), the spatial velocity (ω, v) of a pose M with rate Ṁ. Divides by ‖M‖²; a
    /// change of length in Ṁ has no effect.
    pub fn spatial_velocity(&self, rate: &Motor<S>) -> Line<S> {
        let product = (self.reverse() * *rate).bivector();
        product.scale(S::from_i64(2) * self.norm_squared().inv())
    }

    /// 2ṀM̃, the velocity (ω, v) of a pose M with rate Ṁ in the moving frame. Divides by ‖M‖².
    pub fn body_velocity(&self, rate: &Motor<S>) -> Line<S> {
        let product = (*rate * self.reverse()).bivector();
        product.scale(S::from_i64(2) * self.norm_squared().inv())
    }

    /// Ṁ = MV/2, the rate of a pose with spatial velocity V: (29) solved.
    #[inline]
    pub fn rate(&self, spatial_velocity: Line<S>) -> Motor<S> {
        let half = Motor {
            scalar: S::zero(),
            rotor: Vec3(spatial_velocity.direction.0.map(S::half)),
            translator: Vec3(spatial_velocity.moment.0.map(S::half)),
            pseudoscalar: S::zero(),
        };
        *self * half
    }

    /// n R x = (a² − d·d) x + 2 d (d·x) + 2a d × x.
    #[inline(always)]
    pub(crate) fn scaled_rotate(&self, x: Vec3<S>) -> Vec3<S> {
        let (a, d) = (self.scalar, self.rotor);
        let (twice_a, twice_dx) = (a + a, d.dot(x) + d.dot(x));
        let diagonal = a.mul_add(a, -d.dot(d));
        x.scale(diagonal).plus_scaled(twice_dx, d).plus_scaled(twice_a, d.cross(x))
    }

    /// n t = 2(a p + q d + d × p).
    #[inline(always)]
    pub(crate) fn scaled_translation(&self) -> Vec3<S> {
        let half = self.translator.scale(self.scalar).plus_scaled(self.pseudoscalar, self.rotor)
            + self.rotor.cross(self.translator);
        half + half
    }

    /// n Rᵀt = 2(a p + q d − d × p).
    #[inline(always)]
    pub(crate) fn scaled_body_translation(&self) -> Vec3<S> {
        let half = self.translator.scale(self.scalar).plus_scaled(self.pseudoscalar, self.rotor)
            - self.rotor.cross(self.translator);
        half + half
    }

    /// The same motor among all sixteen coordinates.
    pub fn to_multivector(self) -> Multivector<S> {
        Multivector::from_blades(&[(Blade::ONE, self.scalar), (Blade::I, self.pseudoscalar)])
            + self.bivector().to_multivector()
    }
}

impl<R: Real> Motor<R> {
    /// The nearest motor of length one that satisfies the Study condition: M (M̃M)^(−1/2).
    ///
    /// Rounding pushes products of many motors off the group; this brings them back. A motor of length zero
    /// has no nearest motion and becomes not-a-number.
    pub fn normalized(self) -> Self {
        let n = self.norm_squared();
        let excess = self.study_residual() / n;
        let on_study = Motor {
            translator: self.translator.plus_scaled(excess, self.rotor),
            pseudoscalar: self.pseudoscalar - excess * self.scalar,
            ..self
        };
        on_study.scale(R::one() / n.sqrt())
    }
}

impl<S: Scalar> Mul for Motor<S> {
    type Output = Self;
    /// The geometric product: first the motion on the left, then the one on the right.
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (a, d, p, q) = (self.scalar, self.rotor, self.translator, self.pseudoscalar);
        let (b, e, r, s) = (other.scalar, other.rotor, other.translator, other.pseudoscalar);
        Motor {
            scalar: a.mul_add(b, -d.dot(e)),
            rotor: e.scale(a).plus_scaled(b, d) - d.cross(e),
            translator: r.scale(a).plus_scaled(b, p).plus_scaled(-s, d).plus_scaled(-q, e)
                - d.cross(r)
                - p.cross(e),
            pseudoscalar: a.mul_add(s, q * b) + d.dot(r) + p.dot(e),
        }
    }
}
