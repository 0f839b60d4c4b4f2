//! Numbers for one algorithm in many scalars.
//!
//! The physics of this workspace is written once, generic over its numbers, and runs in
//!
//! | type | trait | used for |
//! |---|---|---|
//! | `f64` | [`Real`] | everyday evaluation |
//! | [`Lanes`], chosen by [`in_lanes`] | [`Scalar`] | batches: one sample per lane |
//! | [`DoubleDouble`], [`QuadDouble`], [`OctoDouble`] | [`Real`] | 30, 60 and 120 digits: certificates for closed loops |
//! | [`Fp`] | [`Scalar`] | the prime field of p = 2⁶¹ − 1351: exact certificates for trees |
//!
//! Geometry never stores a rounded number: it stores an [`Exact`] source (a decimal or an expression such as
//! `sqrt(3)/2`), and each scalar evaluates it for itself.
//!
//! ```
//! use steiner_scalar::{DoubleDouble, Exact, Field, Fp, Real, Scalar};
//! let half_root = Exact::parse("sqrt(3)/2").unwrap();
//! let in_field = Fp::evaluate(&half_root).unwrap();
//! let three_quarters = Fp::evaluate(&Exact::parse("0.75").unwrap()).unwrap();
//! assert_eq!(in_field.value * in_field.value, three_quarters.value);
//! assert!(!in_field.rounded);
//! // 30 digits of the same source:
//! let wide = DoubleDouble::evaluate(&half_root).unwrap().value;
//! assert!((wide * wide - DoubleDouble::from_f64(0.75)).abs().to_f64() < 1e-31);
//! // What a prime field cannot represent is rounded, and says so.
//! assert!(Fp::evaluate(&Exact::parse("asin(0.8)").unwrap()).unwrap().rounded);
//! ```

mod denominators;
mod exact;
mod expansion;
mod field;
mod fused;
mod interval;
mod lanes;
mod parse;
mod prime;
mod rational;
mod series;
mod streamed;
mod substitution;

pub use dashu_ratio::RBig as Rational;
pub use denominators::Denominators;
pub use exact::{Evaluated, EvaluationError, Exact, Function, Node};
pub use expansion::{DoubleDouble, Expansion, OctoDouble, QuadDouble};
pub use field::{Field, Real, Scalar, Trigonometric};
pub use interval::{Flow, Interval};
pub use lanes::{F64x4, LaneKernel, LaneSet, Lanes, in_lanes, in_lanes_of};
pub use parse::{ParseError, parse_decimal};
pub use prime::{Fp, PRIME, Prime};
pub use series::Series;
pub use streamed::copy_streamed;
