//! From a robot and its motion to forces, and to the regressor: which numbers multiply the inertial
//! parameters?
//!
//! The generalised forces of any mechanism are linear in the pseudo-inertias N_i of its bodies,
//!
//! τ_j = Σ_i tr(S_ijᵀ A_i N_i),  S = \[ω^ | v\],  A = \[ω̇^ + ω^ω^ | a − g\],
//!
//! where S_ij is the velocity field of body i per unit rate of coordinate j and A_i its acceleration field
//! (the tetrahedral-point model, (48)–(50) of \[sun2025\]). Loops and couplings enter through the map Z from
//! independent to tree velocities. Everything is written once, generic over the scalar, and runs in f64,
//! SIMD lanes, extended precision and (for trees and couplings) the prime field F_p.
//!
//! ```
//! use steiner_dynamics::Mechanism;
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let robot = read_robot("delta", &ReadOptions::default()).unwrap();
//! let pi = robot.parameters();
//! let delta = Mechanism::new(robot).unwrap();
//! assert_eq!((delta.dof(), delta.tree_dof()), (3, 18));
//! let (q, qd, qdd) = (delta.reference(), [0.1, 0.2, 0.3], [1.0, -1.0, 0.5]);
//! let y = delta.regressor(&q, &qd, &qdd).unwrap();          // 3 × 100
//! let tau = delta.inverse_dynamics(&q, &qd, &qdd).unwrap(); // by recursion, another code path
//! assert!(y.apply(&pi).iter().zip(&tau).all(|(a, b)| (a - b).abs() < 1e-12));
//! ```
//!
//! # Conventions
//! Columns of Y follow `Robot::labels`; rows the independent coordinates in tree order; stacked rows are
//! sample-major. Velocities of multi-dof joints are in body axes; see `steiner_robot::JointKind`.

mod adjoint;
mod arcs;
mod assembled;
mod batch;
mod closure;
mod configuration;
mod constraints;
mod continuation;
mod couplings;
mod error;
mod feasible;
mod kinematics;
mod link_frames;
mod mechanism;
mod mobility;
mod rational;
mod recursion;
mod regressor;
mod rows;
mod sensitivity;
mod tree;
mod units;
pub use arcs::{Arcs, Branch, Place};
pub use assembled::Assembled;
pub use batch::{RegressorFunction, RegressorVisitor, Samples, Zeros};
pub use closure::{Closure, Plan};
pub use couplings::{coupling_offsets, coupling_reduction};
pub use error::DynamicsError;
pub use feasible::{Feasible, Layout};
pub use kinematics::AccelerationField;
pub use link_frames::link_frame_inverse_dynamics;
pub use mechanism::{Mechanism, MechanismNote, SampleMemory};
pub use rational::RationalStates;
pub use recursion::{SpatialInertia, TreeForces, tree_mass_matrix};
pub use regressor::regressor_block;
pub use rows::{EnergyRows, energy_rows, regressor, resting_rows, velocities, weighted_row, wrench_rows};
pub use sensitivity::{Linearised, Sensitivity};
pub use tree::{Ancestry, Column, Segment, Tree};
pub use units::{in_unit_of_length, length_unit};
