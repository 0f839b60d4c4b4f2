//! Straight-line code for a robot's dynamics: what is the least a controller must compute?
//!
//! For a tree of bodies on a fixed or floating base, with base parameters θ,
//!
//! τ = Y_b(q, q̇, q̈) θ = M(q) q̈ + h(q, q̇),
//!
//! this crate writes τ, Y_b, M, h and q̈ as C99 or Rust without loops, branches, memory or dependencies. The formulas are not
//! written a second time: the kernels of `steiner-dynamics` run with recording scalars (`steiner_symbols::Traced`), zeros and
//! ones of the geometry disappear, and parameters that others can stand for are zero.
//!
//! ```
//! use steiner_generate::{Model, Options, Quantity};
//! use steiner_robot::{ReadOptions, read_robot};
//!
//! let robot = read_robot("puma560", &ReadOptions::default()).unwrap();
//! let options = Options { quantities: vec![Quantity::InverseDynamics], ..Options::default() };
//! let model = Model::new(&robot, &options).unwrap();
//! assert_eq!(model.parameters.len(), 36);
//! assert!(model.functions[0].operations().multiplications < 200);
//! let [header, source] = model.c();
//! assert!(header.text.contains("void puma560_inverse_dynamics(const double q[6]"));
//! assert_eq!(source.name, "puma560_dynamics.c");
//! ```
//!
//! # What this does not do
//! Closed loops and couplings, friction and rotor inertia.

mod angles;
mod c;
mod c_self_test;
mod error;
mod formulas;
mod model;
mod parameters;
mod prose;
mod rust;
mod self_test;
mod solve;

pub use error::GenerateError;
pub use formulas::{Function, ParameterUse, Quantity};
pub use model::{Model, Options, SourceFile};
pub use parameters::Parameter;
pub use steiner_symbols::Precision;
