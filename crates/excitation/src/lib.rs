//! Motions that show what can be identified: which motion makes the base parameters of a robot most visible?
//!
//! The information of a motion is M = Σ Yᵀ W Y over its samples, with the regressor Y of the certified base
//! parameters and a weight W for the noise of every sensor. A motion is a sum of functions of time that starts
//! and ends at rest ([`Basis`]); its coefficients make −log det M small (or another [`Criterion`]) within all
//! limits ([`Design`]). Gradients are exact: the adjoint of the regressor, in lanes of samples.
//!
//! ```
//! use steiner_dynamics::Mechanism;
//! use steiner_excitation::{Design, design};
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let arm = Mechanism::new(read_robot("two_link", &ReadOptions::default()).unwrap()).unwrap();
//! let found = design(&arm, &Design { starts: Some(1), ..Design::default() }, &|_| false).unwrap();
//! assert!(found.feasible);
//! ```
//!
//! # Files
//! `design.rs` what is wished, `task.rs` what that means for a robot; `basis.rs` functions of time;
//! `columns.rs`, `information.rs` (trees, in lanes), `loop_information.rs` (loops and feet), `loops.rs` (wrenches, poses
//! at rest) the information and its gradient; `criterion.rs`; `limits.rs`, `followers.rs`, `efforts.rs`, `clearance.rs`,
//! `clearance/parting.rs`, `capsules.rs`, `hull.rs`, `hull_distance.rs`, `shortest.rs`, `touching.rs` constraints; `objective.rs`, `minimise.rs`, `search.rs`, `nearest.rs` the optimiser; `tightening.rs`, `proof.rs`
//! limits between the samples; `designed.rs` the answer, `history.rs` the same over time.

mod basis;
mod blame;
mod capsules;
mod clearance;
mod columns;
mod contacts;
mod criterion;
mod design;
mod designed;
mod distances;
mod efforts;
mod error;
mod followers;
#[cfg(test)]
mod gradient_test;
mod history;
mod hull;
mod hull_distance;
mod information;
mod limits;
mod loop_information;
mod loop_quantity;
mod loops;
mod minimise;
mod model;
mod nearest;
mod objective;
mod proof;
mod search;
mod shortest;
mod standing;
mod task;
mod tightening;
mod touching;

pub use basis::{Basis, Shape};
pub use blame::Blame;
pub use capsules::{capsule_around, hulls_around};
pub use clearance::{BodyCapsule, BodyPair, Obstacle, body_name};
pub use criterion::Criterion;
pub use design::{Design, LimitChange, Purpose, TurnSum};
pub use designed::{Designed, Deviation, Trajectory, course_at, design};
pub use error::ExcitationError;
pub use history::{History, history};
pub use hull::Hull;
pub use limits::JointLimits;
pub use nearest::Nearest;
pub use proof::{Bound, Margin, Quantity};
pub use search::Progress;
pub use standing::{Foot, standing};
pub use touching::mostly_touching;
