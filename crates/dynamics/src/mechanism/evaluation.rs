//! One state at a time: feasible motion, regressor, forces, mass matrix.

use steiner_linalg::cholesky::{Cholesky, NotPositiveDefinite};
use steiner_linalg::elimination::Matrix;

use super::Mechanism;
use crate::error::DynamicsError;
use crate::feasible::Feasible;
use crate::recursion::{
    RecursionMemory, SpatialInertia, spatial_inertias, tree_inverse_dynamics, tree_mass_matrix,
};
use crate::rows::{Dense, EnergyRows, Workspace, energy_rows, regressor, regressor_blocks};

impl Mechanism {
    /// The feasible state at independent configuration, velocity and acceleration.
    pub fn feasible(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Feasible<f64>, DynamicsError> {
        self.check("qd", qd, self.dof())?;
        self.check("qdd", qdd, self.dof())?;
        let tree = self.tree_configuration(q)?;
        self.closure.feasible(&self.plan, &tree, qd, qdd)
    }

    /// The regressor Y (dof × 10 N): generalised forces are Y·π. Columns as `Robot::labels`.
    pub fn regressor(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Matrix<f64>, DynamicsError> {
        Ok(regressor(&self.closure.tree, self.layout(), &self.feasible(q, qd, qdd)?))
    }

    /// Generalised forces of the independent coordinates (N·m or N) by recursion, for given 10 N parameters.
    pub fn inverse_dynamics_with(
        &self,
        parameters: &[f64],
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
    ) -> Result<Vec<f64>, DynamicsError> {
        self.forces_at(parameters, &self.feasible(q, qd, qdd)?)
    }

    /// As [`Mechanism::inverse_dynamics_with`], at a feasible state.
    pub fn forces_at(&self, parameters: &[f64], state: &Feasible<f64>) -> Result<Vec<f64>, DynamicsError> {
        self.check_parameters(parameters)?;
        let (tree, inertias) = (&self.closure.tree, spatial_inertias(parameters));
        let (poses, qd, qdd) = (&state.poses, &state.velocity, &state.acceleration);
        let mut tau = vec![0.0; self.tree_dof()];
        tree_inverse_dynamics(tree, &inertias, poses, qd, qdd, &mut RecursionMemory::new(), &mut tau);
        Ok(match &state.reduction {
            Some(z) => z.transpose().apply(&tau),
            None => tau,
        })
    }

    /// Generalised forces of all coordinates of the tree (N·m or N) at a feasible state, loops and couplings
    /// left aside, with the inertias of `memory`.
    ///
    /// # Panics
    /// If `tau` is not as long as the tree has velocities.
    pub fn tree_forces(&self, state: &Feasible<f64>, memory: &mut SampleMemory, tau: &mut [f64]) {
        let (qd, qdd) = (&state.velocity, &state.acceleration);
        let SampleMemory { recursion, inertias, .. } = memory;
        tree_inverse_dynamics(&self.closure.tree, inertias, &state.poses, qd, qdd, recursion, tau);
    }

    /// Generalised forces of the independent coordinates (N·m or N) by recursion, with the robot's own
    /// inertias.
    pub fn inverse_dynamics(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Vec<f64>, DynamicsError> {
        self.inverse_dynamics_with(&self.robot.parameters(), q, qd, qdd)
    }

    /// The generalised forces that hold the robot at rest.
    pub fn gravity_force(&self, q: &[f64]) -> Result<Vec<f64>, DynamicsError> {
        let still = vec![0.0; self.dof()];
        self.inverse_dynamics(q, &still, &still)
    }

    /// The mass matrix of the independent coordinates, ZᵀMZ.
    pub fn mass_matrix(&self, q: &[f64]) -> Result<Matrix<f64>, DynamicsError> {
        let still = vec![0.0; self.dof()];
        let state = self.feasible(q, &still, &still)?;
        let inertias: Vec<SpatialInertia<f64>> = spatial_inertias(&self.robot.parameters());
        let mass = tree_mass_matrix(&self.closure.tree, &inertias, &state.poses);
        Ok(match &state.reduction {
            Some(z) => z.transpose().times(&mass).times(z),
            None => mass,
        })
    }

    /// Accelerations of the independent coordinates (rad/s² or m/s²) under generalised forces (N·m or N).
    pub fn forward_dynamics(&self, q: &[f64], qd: &[f64], tau: &[f64]) -> Result<Vec<f64>, DynamicsError> {
        self.check("tau", tau, self.dof())?;
        let bias = self.inverse_dynamics(q, qd, &vec![0.0; self.dof()])?;
        let left: Vec<f64> = tau.iter().zip(bias).map(|(tau, bias)| tau - bias).collect();
        self.accelerations(self.mass_matrix(q)?, &left)
    }

    /// M⁻¹ τ, or which joint moves nothing that has mass.
    pub fn accelerations(&self, mass: Matrix<f64>, tau: &[f64]) -> Result<Vec<f64>, DynamicsError> {
        let factor = Cholesky::new(mass).map_err(|NotPositiveDefinite { row }| DynamicsError::Massless {
            robot: self.robot.name.clone(),
            joint: self.independent_names().swap_remove(row),
        })?;
        Ok(factor.solve(tau))
    }

    /// Rows of the reduced mass matrix and gravity force over the 10 N parameters.
    pub fn energy_rows(&self, q: &[f64]) -> Result<EnergyRows<f64>, DynamicsError> {
        let still = vec![0.0; self.dof()];
        let state = self.feasible(q, &still, &still)?;
        Ok(energy_rows(&self.closure.tree, self.layout(), &state))
    }

    /// The regressor of one state into a caller's buffer of `dof × 10 N` doubles whose structural zeros are
    /// already there, with reused memory: the path for control loops.
    pub fn regressor_into(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        memory: &mut SampleMemory,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.check("q", q, self.configuration_size())?;
        self.check("qd", qd, self.dof())?;
        self.check("qdd", qdd, self.dof())?;
        self.check_configuration(q, None)?;
        self.check_buffer(out.len(), self.layout().dense_size())?;
        let tree = &self.closure.tree;
        let SampleMemory { workspace, .. } = memory;
        let mut sink = Dense { layout: self.layout(), out };
        if self.closure.is_trivial() && self.is_identity_configuration() {
            let mut poses = std::mem::take(&mut workspace.poses);
            tree.poses_at(q, &mut poses);
            tree.motions(&poses, qd, qdd, tree.gravity, &mut workspace.motions);
            workspace.propagate_columns(tree, &poses);
            workspace.poses = poses;
            regressor_blocks(tree, self.layout(), None, workspace, &mut sink);
        } else {
            let state = self.feasible(q, qd, qdd)?;
            tree.motions(
                &state.poses,
                &state.velocity,
                &state.acceleration,
                tree.gravity,
                &mut workspace.motions,
            );
            workspace.propagate_columns(tree, &state.poses);
            regressor_blocks(tree, self.layout(), state.reduction.as_ref(), workspace, &mut sink);
        }
        Ok(())
    }

    /// Generalised forces of one state into a caller's buffer, with reused memory.
    pub fn inverse_dynamics_into(
        &self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        memory: &mut SampleMemory,
        tau: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.check_buffer(tau.len(), self.dof())?;
        if !(self.closure.is_trivial() && self.is_identity_configuration()) {
            tau.copy_from_slice(&self.inverse_dynamics(q, qd, qdd)?);
            return Ok(());
        }
        self.check("q", q, self.configuration_size())?;
        self.check("qd", qd, self.dof())?;
        self.check("qdd", qdd, self.dof())?;
        self.check_configuration(q, None)?;
        let tree = &self.closure.tree;
        let SampleMemory { workspace, recursion, inertias, .. } = memory;
        tree.poses_at(q, &mut workspace.poses);
        tree_inverse_dynamics(tree, inertias, &workspace.poses, qd, qdd, recursion, tau);
        Ok(())
    }
}

/// Memory for single-sample evaluations, reused between calls.
#[derive(Clone, Debug)]
pub struct SampleMemory {
    workspace: Workspace<f64>,
    recursion: RecursionMemory<f64>,
    inertias: Vec<SpatialInertia<f64>>,
}

impl SampleMemory {
    /// For a mechanism, with its robot's inertias.
    pub fn new(mechanism: &Mechanism) -> Self {
        SampleMemory {
            workspace: Workspace::new(mechanism.tree()),
            recursion: RecursionMemory::new(),
            inertias: spatial_inertias(&mechanism.robot().parameters()),
        }
    }
}
