//! A robot ready to move: API coordinates in, feasible states, regressors and forces out.

use steiner_linalg::elimination::Matrix;
use steiner_robot::{Coordinate, Robot};

use crate::batch::BatchLanes;
use crate::closure::{Closure, Plan};
use crate::error::DynamicsError;
use crate::feasible::{Feasible, Layout};
use crate::mobility::assemble;
use crate::recursion::{
    RecursionMemory, SpatialInertia, spatial_inertias, tree_inverse_dynamics, tree_mass_matrix,
};
use crate::rows::{Dense, EnergyRows, Workspace, energy_rows, regressor, regressor_blocks};
use crate::tree::Tree;

/// A robot with its tree evaluated in doubles, its loops assembled and its independent coordinates chosen.
///
/// Configurations, velocities and accelerations are those of the independent coordinates, in tree order. Where the
/// independent set cuts a spherical or floating joint, the configuration is that of the whole tree.
#[derive(Clone, Debug)]
pub struct Mechanism {
    pub(crate) robot: Robot,
    pub(crate) closure: Closure<f64>,
    /// The tree once more, one sample per lane.
    lane_tree: Tree<BatchLanes>,
    pub(crate) plan: Plan,
    pub(crate) reference: Vec<f64>,
    layout: Layout,
    /// Tree configuration indices that an API configuration lists; `None` when it is the whole tree's.
    pub(crate) configuration: Option<Vec<usize>>,
    /// Where quaternions start in an API configuration, and whose they are.
    pub(crate) quaternions: Vec<(usize, usize)>,
    /// For each number of an API configuration, whether a loop or coupling depends on it.
    pub(crate) constrained: Vec<bool>,
    /// Remarks about the assembly.
    notes: Vec<MechanismNote>,
}

/// A remark about how a mechanism was assembled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MechanismNote {
    /// The configuration of the file is singular: the reference is an assembled one near it.
    SingularConfiguration,
    /// Loops and couplings leave no motion at all (mobility 0).
    Immobile,
}

impl Mechanism {
    /// Evaluates, assembles and chooses coordinates.
    pub fn new(robot: Robot) -> Result<Self, DynamicsError> {
        let closure = Closure::new(&robot)?;
        let lane_tree = Tree::new(&robot)?;
        let assembly = assemble(&robot, &closure)?;
        let plan = assembly.plan;
        let immobile = plan.independent.is_empty();
        let notes = [
            assembly.moved.then_some(MechanismNote::SingularConfiguration),
            immobile.then_some(MechanismNote::Immobile),
        ];
        let notes = notes.into_iter().flatten().collect();
        let movers = movers(&closure, &plan);
        let ancestry: Vec<&[usize]> =
            closure.tree.segment_of_body.iter().map(|&segment| &closure.tree.ancestry[segment][..]).collect();
        let layout = Layout::new(plan.independent.len(), &ancestry, movers);
        let configuration = configuration_map(&robot, &plan);
        let quaternions = quaternions(&robot, configuration.as_deref());
        let constrained = constrained(&robot, &closure, configuration.as_deref());
        Ok(Mechanism {
            robot,
            closure,
            lane_tree,
            plan,
            reference: assembly.reference,
            layout,
            configuration,
            quaternions,
            constrained,
            notes,
        })
    }

    /// The robot.
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// Remarks about the assembly worth a user's attention.
    pub fn notes(&self) -> &[MechanismNote] {
        &self.notes
    }

    /// The tree in doubles.
    pub fn tree(&self) -> &Tree<f64> {
        &self.closure.tree
    }

    /// The tree in lanes of doubles.
    pub(crate) fn lane_tree(&self) -> &Tree<BatchLanes> {
        &self.lane_tree
    }

    /// Which velocities are independent.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Which blocks of the regressor can be non-zero.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The closure solver in doubles.
    pub fn closure(&self) -> &Closure<f64> {
        &self.closure
    }

    /// Independent velocities: the mobility, and the rows of the regressor.
    pub fn dof(&self) -> usize {
        self.plan.independent.len()
    }

    /// Velocities before loops and couplings.
    pub fn tree_dof(&self) -> usize {
        self.closure.tree.dof
    }

    /// Length of a configuration at this interface.
    pub fn configuration_size(&self) -> usize {
        self.configuration.as_ref().map_or(self.closure.tree.configuration_size, Vec::len)
    }

    /// Whether a configuration is that of the whole tree because the independent set cuts a quaternion.
    pub fn takes_tree_configuration(&self) -> bool {
        self.configuration.is_none()
    }

    /// Which numbers of the tree's configuration one at this interface lists; `None` when it is the whole tree's.
    pub fn configuration_indices(&self) -> Option<&[usize]> {
        self.configuration.as_deref()
    }

    /// The independent coordinates, in order.
    pub fn independent(&self) -> Vec<Coordinate> {
        let all = self.robot.coordinates();
        self.plan.independent.iter().map(|&k| all[k]).collect()
    }

    /// Names of the independent coordinates, in order.
    pub fn independent_names(&self) -> Vec<String> {
        self.independent().into_iter().map(|coordinate| self.robot.coordinate_name(coordinate)).collect()
    }

    /// Names of the numbers of a configuration, in the order of the API: `joint`, or `joint:k` where a joint has several.
    pub fn configuration_names(&self) -> Vec<String> {
        let of_body = |body: &steiner_robot::Body| match body.joint.kind.configuration_size() {
            1 => vec![body.joint.name.clone()],
            size => (0..size).map(|k| format!("{}:{k}", body.joint.name)).collect(),
        };
        let tree: Vec<String> = self.robot.bodies.iter().flat_map(of_body).collect();
        if self.takes_tree_configuration() {
            return tree;
        }
        // Which of them are independent: ask with their own indices.
        let indices: Vec<f64> = (0..tree.len()).map(|k| k as f64).collect();
        self.independent_part(&indices).into_iter().map(|k| tree[k as usize].clone()).collect()
    }

    /// An assembled configuration of the tree.
    pub fn reference_tree(&self) -> &[f64] {
        &self.reference
    }

    /// The assembled configuration in independent coordinates.
    pub fn reference(&self) -> Vec<f64> {
        self.independent_part(&self.reference)
    }

    /// The API configuration of a tree configuration.
    pub fn independent_part(&self, tree: &[f64]) -> Vec<f64> {
        match &self.configuration {
            Some(indices) => indices.iter().map(|&k| tree[k]).collect(),
            None => tree.to_vec(),
        }
    }

    fn order(&self) -> String {
        let names = self.independent_names();
        if names.len() <= 8 { names.join(", ") } else { format!("{}, …", names[..8].join(", ")) }
    }

    pub(crate) fn check(
        &self,
        what: &'static str,
        values: &[f64],
        wanted: usize,
    ) -> Result<(), DynamicsError> {
        if values.len() != wanted {
            return Err(DynamicsError::Shape { what, found: values.len(), wanted, order: self.order() });
        }
        match values.iter().position(|x| !x.is_finite()) {
            Some(index) => Err(DynamicsError::NotFinite { what, index, value: values[index] }),
            None => Ok(()),
        }
    }

    /// Checks one configuration; `sample` is its number in a batch.
    pub(crate) fn check_configuration(&self, q: &[f64], sample: Option<usize>) -> Result<(), DynamicsError> {
        for &(start, body) in &self.quaternions {
            if q[start..start + 4].iter().all(|x| x.abs() < 1e-9) {
                let sample = sample.map_or(String::new(), |k| format!(" in sample {k}"));
                let joint = self.robot.bodies[body].joint.name.clone();
                return Err(DynamicsError::ZeroQuaternion { joint, sample });
            }
        }
        Ok(())
    }

    /// A length to measure others by, m: the mean distance from a joint to the next, or 1 if there is none.
    pub fn length_scale(&self) -> f64 {
        let joints = self.robot.bodies.iter().map(|body| {
            let offset = body.joint.placement.pose().then(&body.joint.body_frame.pose()).translation;
            offset.dot(offset).sqrt()
        });
        let sides = self.robot.loops.iter().flat_map(|closure| {
            [&closure.predecessor, &closure.successor].map(|side| {
                let offset = side.frame.pose().translation;
                offset.dot(offset).sqrt()
            })
        });
        let lengths: Vec<f64> = joints.chain(sides).filter(|length| *length > 0.0).collect();
        if lengths.is_empty() { 1.0 } else { lengths.iter().sum::<f64>() / lengths.len() as f64 }
    }

    /// How far the dependent coordinates are from being undetermined at a closed configuration of the tree: smallest
    /// over largest pivot of their constraint Jacobian; 1 where there is nothing to close.
    pub fn passive_pivot_ratio(&self, tree_q: &[f64]) -> f64 {
        self.closure.passive_pivot_ratio(&self.plan, tree_q)
    }

    /// The feasible state at independent configuration, velocity and acceleration.
    pub fn feasible(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Feasible<f64>, DynamicsError> {
        self.check("qd", qd, self.dof())?;
        self.check("qdd", qdd, self.dof())?;
        let tree = self.tree_configuration(q)?;
        self.closure.feasible(&self.plan, &tree, qd, qdd)
    }

    /// The regressor Y (dof × 10 N): generalised forces are Y·π. Columns as `Robot::labels`.
    pub fn regressor(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Matrix<f64>, DynamicsError> {
        Ok(regressor(&self.closure.tree, &self.layout, &self.feasible(q, qd, qdd)?))
    }

    /// Generalised forces of the independent coordinates (N·m or N) by recursion, for given 10 N parameters.
    pub fn inverse_dynamics_with(
        &self,
        parameters: &[f64],
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
    ) -> Result<Vec<f64>, DynamicsError> {
        self.check_parameters(parameters)?;
        let state = self.feasible(q, qd, qdd)?;
        let mut tau = vec![0.0; self.tree_dof()];
        tree_inverse_dynamics(
            &self.closure.tree,
            &spatial_inertias(parameters),
            &state.poses,
            &state.velocity,
            &state.acceleration,
            &mut RecursionMemory::new(),
            &mut tau,
        );
        Ok(match &state.reduction {
            Some(z) => z.transpose().apply(&tau),
            None => tau,
        })
    }

    /// Generalised forces of the independent coordinates (N·m or N) by recursion, with the robot's own inertias.
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

    /// Rows of the reduced mass matrix and gravity force over the 10 N parameters.
    pub fn energy_rows(&self, q: &[f64]) -> Result<EnergyRows<f64>, DynamicsError> {
        let still = vec![0.0; self.dof()];
        let state = self.feasible(q, &still, &still)?;
        Ok(energy_rows(&self.closure.tree, &self.layout, &state))
    }

    /// The regressor of one state into a caller's buffer of `dof × 10 N` doubles whose structural zeros are already
    /// there, with reused memory: the path for control loops.
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
        self.check_buffer(out.len(), self.layout.dense_size())?;
        let tree = &self.closure.tree;
        let SampleMemory { workspace, .. } = memory;
        let mut sink = Dense { layout: &self.layout, out };
        if self.closure.is_trivial() && self.is_identity_configuration() {
            let mut poses = std::mem::take(&mut workspace.poses);
            tree.poses_at(q, &mut poses);
            tree.motions(&poses, qd, qdd, tree.gravity, &mut workspace.motions);
            workspace.propagate_columns(tree, &poses);
            workspace.poses = poses;
            regressor_blocks(tree, &self.layout, None, workspace, &mut sink);
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
            regressor_blocks(tree, &self.layout, state.reduction.as_ref(), workspace, &mut sink);
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

    /// Ten finite numbers for each body.
    pub(crate) fn check_parameters(&self, parameters: &[f64]) -> Result<(), DynamicsError> {
        let (what, wanted) = ("parameters", self.layout.columns());
        if parameters.len() != wanted {
            let order = format!("ten for each of {} bodies", self.layout.bodies);
            return Err(DynamicsError::Shape { what, found: parameters.len(), wanted, order });
        }
        match parameters.iter().position(|x| !x.is_finite()) {
            Some(index) => Err(DynamicsError::NotFinite { what, index, value: parameters[index] }),
            None => Ok(()),
        }
    }

    /// The caller's output has the size of the result.
    pub(crate) fn check_buffer(&self, found: usize, wanted: usize) -> Result<(), DynamicsError> {
        if found == wanted {
            return Ok(());
        }
        Err(DynamicsError::Shape {
            what: "the output buffer",
            found,
            wanted,
            order: "samples × rows × columns".to_owned(),
        })
    }

    /// A tree whose API configuration is the tree's own.
    pub(crate) fn is_identity_configuration(&self) -> bool {
        self.configuration
            .as_ref()
            .is_none_or(|indices| indices.len() == self.closure.tree.configuration_size)
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

/// The independent coordinates that can move each tree velocity: those in the same set of mutually constrained ones.
fn movers(closure: &Closure<f64>, plan: &Plan) -> Vec<Vec<usize>> {
    let dof = closure.tree.dof;
    let mut component: Vec<usize> = (0..dof).collect();
    for group in closure.constraints().groups() {
        let Some(&first) = group.first() else { continue };
        let target = component[first];
        let absorbed: Vec<usize> = group.iter().map(|&k| component[k]).collect();
        for label in &mut component {
            if absorbed.contains(label) {
                *label = target;
            }
        }
    }
    (0..dof)
        .map(|k| {
            let same = |&(_, &j): &(usize, &usize)| component[j] == component[k];
            let all = plan.independent.iter().enumerate().filter(same).map(|(a, _)| a);
            // An independent velocity is moved by itself alone.
            match plan.independent.binary_search(&k) {
                Ok(own) => vec![own],
                Err(_) => all.collect(),
            }
        })
        .collect()
}

/// Which numbers of an API configuration belong to joints that a loop or coupling depends on.
fn constrained(robot: &Robot, closure: &Closure<f64>, configuration: Option<&[usize]>) -> Vec<bool> {
    let involved: std::collections::HashSet<usize> =
        closure.constraints().groups().into_iter().flatten().collect();
    let mut tree = Vec::with_capacity(robot.tree_configuration_size());
    for (body, first) in robot.bodies.iter().zip(robot.velocity_offsets()) {
        let any = (first..first + body.joint.kind.dof()).any(|k| involved.contains(&k));
        tree.extend(std::iter::repeat_n(any, body.joint.kind.configuration_size()));
    }
    match configuration {
        Some(indices) => indices.iter().map(|&k| tree[k]).collect(),
        None => tree,
    }
}

/// Where the quaternions of an API configuration start, with the body each belongs to.
fn quaternions(robot: &Robot, configuration: Option<&[usize]>) -> Vec<(usize, usize)> {
    let offsets = robot.configuration_offsets();
    let mut found = Vec::new();
    for (body, carrier) in robot.bodies.iter().enumerate() {
        let mut start = offsets[body];
        for stage in carrier.joint.stages() {
            let at = match stage.motion {
                steiner_robot::Motion::Ball => Some(start),
                steiner_robot::Motion::Free => Some(start + 3),
                _ => None,
            };
            start += stage.motion.configuration_size();
            let at = at.and_then(|at| match configuration {
                Some(indices) => indices.iter().position(|&k| k == at),
                None => Some(at),
            });
            found.extend(at.map(|at| (at, body)));
        }
    }
    found
}

/// Which tree configuration coordinates make up the configuration of the independent coordinates.
fn configuration_map(robot: &Robot, plan: &Plan) -> Option<Vec<usize>> {
    let (velocities, configurations) = (robot.velocity_offsets(), robot.configuration_offsets());
    let mut indices = Vec::new();
    for (body, carrier) in robot.bodies.iter().enumerate() {
        let kind = &carrier.joint.kind;
        let own: Vec<usize> = (0..kind.dof())
            .filter(|k| plan.independent.binary_search(&(velocities[body] + k)).is_ok())
            .collect();
        if own.len() == kind.dof() {
            indices.extend(configurations[body]..configurations[body] + kind.configuration_size());
        } else if kind.is_coordinatewise() && !matches!(kind, steiner_robot::JointKind::Planar) {
            indices.extend(own.iter().map(|k| configurations[body] + k));
        } else if !own.is_empty() {
            return None;
        }
    }
    Some(indices)
}
