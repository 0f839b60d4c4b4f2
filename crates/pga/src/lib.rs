//! Points, lines, planes and rigid motions in one algebra, G(3,0,1).
//!
//! **The question.** Given planes, lines, points (finite or at infinity) and a rigid motion, where do
//! they meet, what joins them, where do they go, how fast, and what power does a force on one line
//! spend on a motion about another?
//!
//! Vectors are planes, with e₁² = e₂² = e₃² = 1, e₀² = 0 and eᵢeⱼ = −eⱼeᵢ
//! (equation (11) of \[sun2025\]). Then
//!
//! | element | coordinates | equation |
//! |---|---|---|
//! | [`Plane`] ax + by + cz + d = 0 | a e₁ + b e₂ + c e₃ + d e₀ | |
//! | [`Line`] (direction **d**, moment **p** = **x** × **d**) | dₓe₂₃ + d_y e₃₁ + d_z e₁₂ + pₓe₀₁ + p_y e₀₂ + p_z e₀₃ | (14) |
//! | [`Point`] (x, y, z, w) | x e₀₃₂ + y e₀₁₃ + z e₀₂₁ + w e₁₂₃ | (13) |
//! | [`Motor`] | c₁ + c₂e₂₃ + … + c₈I, I = e₀₁₂₃ | (24) |
//!
//! [`Meet`] is ∧, [`Join`] is ∨ = (a\* ∧ b\*)\* (17), a motion takes X⁰ to X = M̃ X⁰ M (27),
//! with the spatial velocity V = 2M̃Ṁ = (ω, v) (29) it moves at Ẋ = X × V (28), and a wrench w =
//! (f, τ) has the power w ∧ V (31).
//!
//! ```
//! use steiner_pga::{Element, Join, Line, Meet, Motor, Point};
//! use steiner_linalg::Vec3;
//! // A quarter turn about the vertical through (1, 0, 0), as a screw without pitch.
//! let axis = Line::through(Vec3::new(1.0, 0.0, 0.0), Vec3::unit(2));
//! let quarter = Motor::screw(axis.scale(std::f64::consts::FRAC_PI_2));
//! let moved = Point::origin().moved_by(&quarter).position();
//! assert!((moved - Vec3::new(1.0, -1.0, 0.0)).dot(Vec3::new(1.0, 1.0, 1.0)).abs() < 1e-15);
//! // First `quarter`, then `lift`: motions are multiplied in the order in which they happen.
//! let lift = Motor::translation(Vec3::new(0.0, 0.0, 0.5));
//! let both = quarter * lift;
//! assert!((both.to_translation()[2] - 0.5).abs() < 1e-15);
//! // A force along a line that meets the axis has no moment about it (Theorem 1).
//! let force = Point::finite(Vec3::new(1.0, 0.0, 7.0)).join(Point::ideal(Vec3::new(3.0, 2.0, 1.0)));
//! assert_eq!(force.meet(axis), 0.0);
//! ```
//!
//! # Conventions
//!
//! SI units, radians. Every element is homogeneous: a factor does not change the plane, line, point or motion
//! it stands for, and nothing here divides unless it says so. So all of it, exponentials aside, runs over any
//! [`Scalar`](steiner_scalar::Scalar): doubles, SIMD lanes, extended precision and the prime field.
//!
//! **Order of motions.** Because of X = M̃ X⁰ M, the motion "first M₁, then M₂" (both given in the fixed
//! frame) is the product M₁M₂, while its homogeneous matrix is T₂T₁. Read along a chain of frames instead: if
//! `parent` is the pose of a frame in the world and `joint` the pose of a child in that frame, the child's
//! pose in the world is `joint * parent`.
//!
//! # What this does not do
//!
//! No conformal or non-Euclidean geometry, no general inverse of multivectors, no norms of ideal elements.
//! [`Multivector`] is the reference the closed forms are tested against; kernels never use it.
//!
//! # Reference
//!
//! \[sun2025\] Section 3 of the tetrahedral-point paper on the dynamics regressor nullspace; equation numbers
//! throughout this crate are its.

mod element;
mod exponential;
mod incidence;
mod line;
mod motor;
mod multivector;
mod plane;
mod point;

pub use element::Element;
pub use incidence::{Join, Meet};
pub use line::Line;
pub use motor::Motor;
pub use multivector::{Blade, Multivector};
pub use plane::Plane;
pub use point::Point;

/// Component-wise vector space operations of an element made of named parts.
macro_rules! linear {
    ($name:ident { $($part:ident),* }) => {
        impl<S: steiner_scalar::Scalar> std::ops::Add for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                $name { $($part: self.$part + other.$part),* }
            }
        }
        impl<S: steiner_scalar::Scalar> std::ops::Sub for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                $name { $($part: self.$part - other.$part),* }
            }
        }
        impl<S: steiner_scalar::Scalar> std::ops::Neg for $name<S> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                $name { $($part: -self.$part),* }
            }
        }
    };
}
pub(crate) use linear;
