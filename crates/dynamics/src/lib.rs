//! Dynamics.
mod batch;
mod closure;
mod configuration;
mod constraints;
mod couplings;
mod error;
mod feasible;
mod kinematics;
mod mechanism;
mod mobility;
mod recursion;
mod regressor;
mod rows;
mod tree;
pub use batch::{BatchLanes, Samples, Zeros, all_threads};
pub use closure::{Closure, Plan};
pub use couplings::coupling_reduction;
pub use error::DynamicsError;
pub use feasible::{Feasible, Layout};
pub use kinematics::{AccelerationField, SegmentMotion};
pub use mechanism::{Mechanism, SampleMemory};
pub use recursion::{
    RecursionMemory, SpatialInertia, spatial_inertias, spatial_inertias_of, tree_inverse_dynamics,
    tree_mass_matrix,
};
pub use regressor::regressor_block;
pub use rows::{EnergyRows, Workspace, energy_rows, regressor};
pub use tree::{Column, Segment, Tree};
