//! Newton and Euler, composite bodies and the regressor at a state of recording numbers.

use steiner_dynamics::{
    DynamicsError, Feasible, Mechanism, SpatialInertia, Tree, link_frame_inverse_dynamics, regressor,
    tree_mass_matrix,
};
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Pose, inertial_body, inertial_slot};
use steiner_scalar::Field;
use steiner_symbols::{Traced, Tracer};

use super::couplings::Couplings;
use super::drives::Drives;
use super::formulas::Quantity;
use super::further_friction::RowFriction;
use super::parameters::Parameter;
use super::solve::solve_leaves_first;

/// A symbolic state of a tree with couplings and drives.
pub(crate) struct State<'m> {
    mechanism: &'m Mechanism,
    drives: &'m Drives,
    couplings: Option<Couplings<Traced>>,
    tracer: &'m Tracer,
    tree: Tree<Traced>,
    /// Configuration of the tree.
    q: Vec<Traced>,
    poses: Vec<Pose<Traced>>,
}

impl<'m> State<'m> {
    pub(crate) fn new(
        mechanism: &'m Mechanism,
        drives: &'m Drives,
        tracer: &'m Tracer,
    ) -> Result<Self, DynamicsError> {
        let tree = Tree::<Traced>::new(mechanism.robot())?;
        let couplings = Couplings::of(mechanism)?;
        let mut q = tracer.inputs("q", mechanism.configuration_size());
        if let Some(couplings) = &couplings {
            let mut all = vec![Traced::zero(); tree.configuration_size];
            let given = mechanism.configuration_indices().into_iter().flatten().zip(&q);
            given.for_each(|(&k, &x)| all[k] = x);
            couplings.complete(mechanism, &mut all);
            q = all;
        }
        let mut poses = Vec::new();
        tree.poses_at(&q, &mut poses);
        Ok(State { mechanism, drives, couplings, tracer, tree, q, poses })
    }

    /// An argument with a number for each independent coordinate.
    fn inputs(&self, array: &str) -> Vec<Traced> {
        self.tracer.inputs(array, self.mechanism.dof())
    }

    /// Velocities or accelerations of the tree.
    fn rates(&self, array: &str) -> Vec<Traced> {
        match &self.couplings {
            Some(couplings) => couplings.velocities(&self.inputs(array)),
            None => self.inputs(array),
        }
    }

    /// How a velocity of the tree follows an independent one.
    fn share(&self, tree: usize, row: usize) -> Traced {
        match &self.couplings {
            Some(couplings) => couplings.z[(tree, row)],
            None if tree == row => Traced::one(),
            None => Traced::zero(),
        }
    }

    /// Further friction of each independent coordinate.
    fn further_friction(&self) -> RowFriction {
        let qd = self.rates("qd");
        let share = |tree: usize, row: usize| self.share(tree, row);
        RowFriction::new(&self.drives.further, &self.q, &qd, self.mechanism.dof(), share)
    }

    /// Y_b by rows.
    fn base_regressor(&self, parameters: &[Parameter]) -> Vec<Traced> {
        let state = Feasible {
            poses: self.poses.clone(),
            velocity: self.rates("qd"),
            acceleration: self.rates("qdd"),
            reduction: self.couplings.as_ref().map(|couplings| couplings.z.clone()),
        };
        let y = regressor(&self.tree, self.mechanism.layout(), &state);
        let entry = |row: usize, column: usize| match self.drives.regressor_entry(
            column,
            &state.velocity,
            &state.acceleration,
        ) {
            None => y[(row, column)],
            Some((k, entry)) => self.share(k, row) * entry,
        };
        (0..y.rows())
            .flat_map(|row| parameters.iter().map(move |p| (row, p.column)))
            .map(|(r, c)| entry(r, c))
            .collect()
    }

    /// A quantity with these values of the parameters, element by element.
    pub(crate) fn results(
        &self,
        quantity: Quantity,
        parameters: &[Parameter],
        values: &[Traced],
    ) -> Vec<Traced> {
        let bodies = self.by_body(parameters, values);
        let drives = self.drives.by_drive(parameters, values);
        let independent = |tau: Vec<Traced>| match &self.couplings {
            Some(couplings) if !tau.is_empty() => couplings.forces(&tau),
            _ => tau,
        };
        // Without further friction.
        let linear = |qdd: &[Traced]| {
            let qd = self.rates("qd");
            let mut tau = link_frame_inverse_dynamics(&self.tree, &bodies, &self.poses, &qd, qdd);
            let mut load = Vec::new();
            if !self.drives.further.is_empty() {
                load = tau.clone();
            }
            self.drives.add_forces(&drives, &qd, qdd, &mut tau);
            (independent(tau), independent(load))
        };
        let inverse = |qdd: &[Traced]| {
            let (mut tau, load) = linear(qdd);
            if !load.is_empty() {
                self.further_friction().add(&load, &mut tau);
            }
            tau
        };
        let mass = || {
            let inertias: Vec<_> = bodies.iter().map(SpatialInertia::from_scalars).collect();
            let mut mass: Matrix<Traced> = tree_mass_matrix(&self.tree, &inertias, &self.poses);
            self.drives.add_inertias(&drives, &mut mass);
            match &self.couplings {
                Some(couplings) => couplings.mass(&mass),
                None => mass,
            }
        };
        let still = vec![Traced::zero(); self.tree.dof];
        match quantity {
            Quantity::InverseDynamics => inverse(&self.rates("qdd")),
            Quantity::BiasForces => linear(&still).0,
            Quantity::MassMatrix => mass().entries().to_vec(),
            Quantity::ForwardDynamics => {
                let (bias, load) = linear(&still);
                let mut driving: Vec<Traced> =
                    self.inputs("tau").iter().zip(&bias).map(|(&tau, &h)| tau - h).collect();
                if !load.is_empty() {
                    self.further_friction().take_off(&mut driving);
                }
                solve_leaves_first(&mass(), &driving)
            }
            Quantity::BaseRegressor => self.base_regressor(parameters),
        }
    }

    /// Ten parameters for each body: the base parameters where they belong, zero for those they have
    /// absorbed.
    fn by_body(&self, parameters: &[Parameter], values: &[Traced]) -> Vec<[Traced; 10]> {
        let mut all = vec![[Traced::zero(); 10]; self.mechanism.robot().bodies.len()];
        for (parameter, &value) in parameters.iter().zip(values) {
            // What comes after the bodies belongs to drives.
            if let Some(body) = all.get_mut(inertial_body(parameter.column)) {
                body[inertial_slot(parameter.column)] = value;
            }
        }
        all
    }
}
