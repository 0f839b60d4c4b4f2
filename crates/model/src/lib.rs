//! What are the equations of motion of this robot in the parameters that can be identified, and
//! what is the least code for them?
//!
//! # Code
//! [`Code`] writes forces, regressor, mass matrix and accelerations of a tree of
//! bodies as straight-line C or Rust.
//!
//! ```
//! use steiner_model::{Code, CodeOptions, Quantity};
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let robot = read_robot("puma560", &ReadOptions::default()).unwrap();
//! let options = CodeOptions { quantities: vec![Quantity::InverseDynamics], ..CodeOptions::default() };
//! let code = Code::new(&robot, &options).unwrap();
//! assert_eq!(code.parameters.len(), 36);
//! assert!(code.functions[0].operations().multiplications < 200);
//! let [header, source] = code.c();
//! assert!(header.text.contains("void puma560_inverse_dynamics(const double q[6]"));
//! assert_eq!(source.name, "puma560_dynamics.c");
//! ```
//!
//! # Closed forms
//! The forces of a serial arm of revolute and prismatic joints are
//!
//! τ = D(q) q̈ + C(q, q̇) q̇ + G(q),  τ_i = y_p(q, q̇, q̈) P_i θ_b,
//!
//! with p functions y = a·υ, each an acceleration a ∈ {q̈_k, q̇_j q̇_k, g} times a product υ(q) of at most
//! one of {sin, cos, sin·cos, cos²} or {x, x²} per joint; constant sparse matrices P_i (p × ℓ); and the ℓ
//! base parameters θ_b. This is the pseudo-symbolic dynamic model (PSDM) of \[lloyd2021\]: symbolic equations
//! without symbolic software. Functions are the columns of an integer matrix of exponents, so a model can be
//! evaluated, printed, saved, turned into code or made smaller.
//!
//! ```
//! use steiner_dynamics::Mechanism;
//! use steiner_model::{Psdm, PsdmOptions};
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let kr6 = Mechanism::new(read_robot("kr6", &ReadOptions::default()).unwrap()).unwrap();
//! let model = Psdm::derive(&kr6, &PsdmOptions::default()).unwrap();
//! assert_eq!((model.functions().len(), model.parameters().len()), (6086, 36)); // table 2 of the paper
//!
//! let arm = model.calibrate(&model.nominal()).unwrap(); // with the inertias of the file
//! let (q, qd, qdd) = ([0.1, -0.7, 0.3, 0.4, 1.1, -0.2], [0.5; 6], [1.0; 6]);
//! let tau = arm.inverse_dynamics(&q, &qd, &qdd).unwrap();
//! let recursion = kr6.inverse_dynamics(&q, &qd, &qdd).unwrap();
//! assert!(tau.iter().zip(&recursion).all(|(a, b)| (a - b).abs() < 1e-12));
//! let back = arm.forward_dynamics(&q, &qd, &tau).unwrap();
//! assert!(back.iter().all(|a| (a - 1.0).abs() < 1e-9));
//! ```
//!
//! # How it is derived
//! The paper samples forces at random states and solves for all candidate functions at once, in O(t^2.8).
//! Here every joint is sampled alone: five angles (or three positions) give the 10×10 matrix that carries a
//! body's parameters across it as a polynomial, and products of these along the arm are the coefficients of
//! the mass matrix and the potential energy. Velocity terms are their derivatives. Whether a coefficient is
//! zero is decided by its residue modulo a prime, without tolerance.
//!
//! # What this does not do
//! Loops, branches, couplings, other joints and friction: see the recursive
//! [`Code`] and `steiner-identification`.
//!
//! # Conventions
//! SI units, radians; gravity as in the robot's file; parameters `m, mx, my, mz, Ixx, Ixy, Iyy,
//! Ixz, Iyz, Izz` about the origin of the body frame. Joints and functions count from 0 in code,
//! from 1 in equations and files.

mod code;
mod error;
mod profile;
mod psdm;

pub use code::{
    Choice, Code, CodeError, CodeFunction, CodeOptions, CodeParameter, Method, ParameterUse, Quantity,
    SourceFile,
};
pub use error::ModelError;
pub use profile::{Profile, TaskStates};
pub use psdm::{
    Acceleration, CalibratedPsdm, Contribution, Evaluator, Function, JointMotion, ModelJoint, ModelParameter,
    Monomial, Notation, Psdm, PsdmOptions, PsdmTask, ReducedPsdm, ReductionGoal, ReductionMatrix,
    SearchSpace, TradeOff, TradeOffPoint,
};
pub use steiner_symbols::{Operations, Precision};
