//! A robot ready to move: API coordinates in, feasible states, regressors and forces out.

mod checks;
mod coordinates;
mod evaluation;
mod findings;

use std::sync::{Arc, OnceLock};

use coordinates::{configuration_map, constrained, movers, quaternions};
use findings::Findings;
use steiner_robot::{Coordinate, Robot};
use steiner_scalar::Lanes;

use crate::batch::LaneTree;
use crate::closure::{Closure, Plan};
use crate::error::DynamicsError;
use crate::feasible::Layout;
use crate::mobility::assemble;
use crate::tree::Tree;
use crate::units::{check_lengths, in_unit_of_length, length_scale, length_unit};

pub use evaluation::SampleMemory;

/// A robot with its tree evaluated in doubles, its loops assembled and its independent coordinates chosen.
///
/// Configurations, velocities and accelerations are those of the independent coordinates, in tree order.
/// Where the independent set cuts a spherical or floating joint, the configuration is that of the whole
/// tree.
#[derive(Clone, Debug)]
pub struct Mechanism {
    pub(crate) robot: Robot,
    pub(crate) closure: Closure<f64>,
    /// The tree once more, one sample per lane.
    lane_tree: LaneTree,
    pub(crate) plan: Plan,
    pub(crate) reference: Vec<f64>,
    /// For each tree velocity, the independent coordinates that can move it.
    movers: Vec<Vec<usize>>,
    /// As many blocks as pairs of bodies in a chain: made when somebody asks.
    layout: OnceLock<Layout>,
    /// Tree configuration indices that an API configuration lists; `None` when it is the whole tree's.
    pub(crate) configuration: Option<Vec<usize>>,
    /// Where quaternions start in an API configuration, and whose they are.
    pub(crate) quaternions: Vec<(usize, usize)>,
    /// For each number of an API configuration, whether a loop or coupling depends on it.
    pub(crate) constrained: Vec<bool>,
    /// The mean distance from a joint to the next, m: every walk along a loop asks for it.
    length: f64,
    /// Remarks about the assembly.
    notes: Vec<MechanismNote>,
    /// What others found out about it.
    findings: Findings,
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
        check_lengths(&robot)?;
        let closure = Closure::new(&robot)?;
        let assembly = match length_unit(&robot) {
            1.0 => assemble(&robot, &closure)?,
            unit => {
                let robot = in_unit_of_length(&robot, unit);
                let mut assembly = assemble(&robot, &Closure::new(&robot)?)?;
                let units = closure.tree.configuration_units(unit);
                assembly.reference.iter_mut().zip(units).for_each(|(x, unit)| *x *= unit);
                assembly
            }
        };
        let plan = assembly.plan;
        let immobile = plan.independent.is_empty();
        let notes = [
            assembly.moved.then_some(MechanismNote::SingularConfiguration),
            immobile.then_some(MechanismNote::Immobile),
        ];
        let notes = notes.into_iter().flatten().collect();
        let movers = movers(&closure, &plan);
        let configuration = configuration_map(&robot, &plan);
        let quaternions = quaternions(&robot, configuration.as_deref());
        let constrained = constrained(&robot, &closure, configuration.as_deref());
        let length = length_scale(&robot);
        Ok(Mechanism {
            robot,
            closure,
            lane_tree: LaneTree::default(),
            plan,
            reference: assembly.reference,
            movers,
            layout: OnceLock::new(),
            configuration,
            quaternions,
            constrained,
            length,
            notes,
            findings: Findings::default(),
        })
    }

    /// The robot that this mechanism was made of.
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
    pub(crate) fn lane_tree<L: Lanes>(&self) -> Arc<Tree<L>> {
        self.lane_tree.of(&self.closure.tree)
    }

    /// Which velocities are independent.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Which blocks of the regressor can be non-zero.
    pub fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| {
            let tree = &self.closure.tree;
            let ancestry: Vec<&[usize]> =
                tree.segment_of_body.iter().map(|&segment| &tree.ancestry[segment][..]).collect();
            Layout::new(self.plan.independent.len(), &ancestry, self.movers.clone())
        })
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

    /// Which numbers of the tree's configuration one at this interface lists; `None` when it is the whole
    /// tree's.
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

    /// Names of the numbers of a configuration, in the order of the API: `joint`, or `joint:k` where a joint
    /// has several.
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

    /// A length to measure others by, m: the mean distance from a joint to the next, or 1 if there is none.
    pub fn length_scale(&self) -> f64 {
        self.length
    }

    /// How far the dependent coordinates are from being undetermined at a closed configuration of the tree:
    /// smallest over largest pivot of their constraint Jacobian; 1 where there is nothing to close.
    pub fn passive_pivot_ratio(&self, tree_q: &[f64]) -> f64 {
        self.closure.passive_pivot_ratio(&self.plan, tree_q)
    }

    /// A tree whose API configuration is the tree's own.
    pub(crate) fn is_identity_configuration(&self) -> bool {
        self.configuration
            .as_ref()
            .is_none_or(|indices| indices.len() == self.closure.tree.configuration_size)
    }
}
