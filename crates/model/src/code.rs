//! Straight-line code for a robot's dynamics: what is the least a controller must compute?
//!
//! For a tree of bodies on a fixed or floating base, coupled or not, with base parameters θ,
//!
//! τ = Y_b(q, q̇, q̈) θ = M(q) q̈ + h(q, q̇),
//!
//! τ, Y_b, M, h and q̈ (those of the drives included, if asked for) become C99 or Rust without loops,
//! branches, memory or dependencies. The recursive formulas are not written a second time: the kernels of
//! `steiner-dynamics` run with recording scalars (`steiner_symbols::Traced`), zeros and ones of the geometry
//! disappear, and parameters that others can stand for are zero.

mod angles;
mod c;
mod c_self_test;
mod closed_form;
mod coordinates;
mod couplings;
mod drives;
mod error;
mod fastest;
mod formulas;
mod further_friction;
mod method;
mod parameters;
mod program;
mod prose;
mod recursion;
mod rust;
mod self_test;
mod solve;
mod timing;

pub use error::CodeError;
pub use fastest::Choice;
pub use formulas::{Function as CodeFunction, ParameterUse, Quantity};
pub use method::Method;
pub use parameters::Parameter as CodeParameter;
pub use program::{Code, CodeOptions, SourceFile};
