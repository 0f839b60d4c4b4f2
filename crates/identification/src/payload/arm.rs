//! The robot without its payload: what its joints feel of its own links and drives, and how that depends on
//! parameters that are themselves known only within a covariance.

use steiner_dynamics::{Feasible, Mechanism, SampleMemory};
use steiner_linalg::dot;
use steiner_linalg::elimination::Matrix;
use steiner_logs::DryFriction;
use steiner_robot::inertial_count;

use crate::failure::IdentificationError;
use crate::identification::Identification;
use crate::problem::reduced;

/// A drive of a joint with one degree of freedom.
#[derive(Clone, Debug)]
struct Drive {
    /// Velocity of the tree.
    velocity: usize,
    /// Ia, fv, fc, offset.
    parameters: [f64; 4],
    /// What they multiply at the sample: q̈, q̇, dry friction, 1.
    factors: [f64; 4],
}

/// A parameter with an uncertainty.
#[derive(Clone, Copy, Debug)]
enum Column {
    /// Of the moving bodies' ten parameters each.
    Inertial(usize),
    Drive {
        drive: usize,
        term: usize,
    },
}

/// Base parameters of the arm with their covariance.
#[derive(Clone, Debug)]
pub(super) struct ArmErrors {
    columns: Vec<Column>,
    pub(super) covariance: Matrix<f64>,
}

impl ArmErrors {
    /// Number of parameters.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }

    /// Of an identified arm.
    pub(super) fn of(found: &Identification, arm: &Arm) -> Result<Self, IdentificationError> {
        let problem = found.problem();
        if let Some(label) = problem.further_labels().first() {
            return Err(IdentificationError::Setting {
                what: "the arm of a payload".to_owned(),
                value: format!("identified with {label}"),
                remedy: "identify it without Stribeck friction, coupled drives and unknown gains".to_owned(),
            });
        }
        let ground = inertial_count(problem.measurement().ground_count());
        let bodies = inertial_count(problem.body_count());
        let driven = problem.measurement().driven();
        let mut columns = Vec::new();
        let mut kept = Vec::new();
        for (k, base) in problem.base().iter().enumerate() {
            // What is not seen has no effect on motions like those of the log; links on the ground have
            // none.
            if base.column < ground || !found.parameters[k].sigma.is_finite() {
                continue;
            }
            let column = match base.column.checked_sub(bodies) {
                None => Some(Column::Inertial(base.column - ground)),
                Some(c) => {
                    let drive = arm.drives.iter().position(|drive| drive.velocity == driven[c / 4].1);
                    drive.map(|drive| Column::Drive { drive, term: c % 4 })
                }
            };
            if let Some(column) = column {
                kept.push(k);
                columns.push(column);
            }
        }
        Ok(ArmErrors { covariance: found.reported_covariance(&kept), columns })
    }
}

/// The arm at one sample after the other.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) mechanism: Mechanism,
    memory: SampleMemory,
    parameters: Vec<f64>,
    drives: Vec<Drive>,
    dry_friction: DryFriction,
    regressor: Vec<f64>,
    /// The state, where loops or couplings make one.
    state: Option<Feasible<f64>>,
}

impl Arm {
    /// With its drives or without.
    pub(super) fn new(mechanism: &Mechanism, drives: bool, dry_friction: DryFriction) -> Self {
        let robot = mechanism.robot();
        let offsets = robot.velocity_offsets();
        let driven =
            robot.bodies.iter().zip(offsets).filter(|(body, _)| drives && body.joint.kind.dof() == 1);
        let drive = |(body, velocity): (&steiner_robot::Body, usize)| {
            let (joint, friction) = (&body.joint, &body.joint.friction);
            let parameters = [joint.rotor_inertia, friction.viscous, friction.coulomb, friction.offset];
            Drive { velocity, parameters, factors: [0.0; 4] }
        };
        Arm {
            memory: SampleMemory::new(mechanism),
            parameters: robot.parameters(),
            drives: driven.map(drive).collect(),
            dry_friction,
            regressor: vec![0.0; mechanism.layout().dense_size()],
            state: None,
            mechanism: mechanism.clone(),
        }
    }

    /// Whether dry friction acts on an independent coordinate.
    pub(super) fn has_dry_friction(&self, row: usize) -> bool {
        let velocity = self.mechanism.plan().independent[row];
        self.drives.iter().any(|drive| drive.velocity == velocity && drive.parameters[2] != 0.0)
    }

    /// Moves to a sample; memory is needed only where loops or couplings have to be closed.
    pub(super) fn move_to(&mut self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<(), IdentificationError> {
        let (mechanism, memory) = (&self.mechanism, &mut self.memory);
        mechanism.regressor_into(q, qd, qdd, memory, &mut self.regressor)?;
        let is_tree = mechanism.dof() == mechanism.tree_dof();
        self.state = if is_tree { None } else { Some(mechanism.feasible(q, qd, qdd)?) };
        let (qd, qdd) = match &self.state {
            Some(state) => (&state.velocity[..], &state.acceleration[..]),
            None => (qd, qdd),
        };
        for drive in &mut self.drives {
            let speed = qd[drive.velocity];
            drive.factors = [qdd[drive.velocity], speed, self.dry_friction.at(speed), 1.0];
        }
        Ok(())
    }

    /// The ten coefficients with which one more inertia on a body enters a row.
    pub(super) fn block(&self, row: usize, body: usize) -> [f64; 10] {
        let start = row * self.parameters.len() + inertial_count(body);
        std::array::from_fn(|k| self.regressor[start + k])
    }

    /// What the row feels of the arm's own links and drives, N·m or N.
    pub(super) fn force(&self, row: usize) -> f64 {
        let coefficients = &self.regressor[row * self.parameters.len()..][..self.parameters.len()];
        let links = dot(coefficients, &self.parameters);
        let force = |drive: &Drive| match self.reduced(drive, row) {
            0.0 => 0.0,
            part => part * drive.factors.iter().zip(&drive.parameters).map(|(y, x)| y * x).sum::<f64>(),
        };
        links + self.drives.iter().map(force).sum::<f64>()
    }

    /// Hands over what each uncertain parameter multiplies in a row.
    pub(super) fn each_error(&self, row: usize, errors: &ArmErrors, mut each: impl FnMut(usize, f64)) {
        let coefficients = &self.regressor[row * self.parameters.len()..][..self.parameters.len()];
        for (k, column) in errors.columns.iter().enumerate() {
            let factor = match *column {
                Column::Inertial(c) => coefficients[c],
                Column::Drive { drive, term } => match self.reduced(&self.drives[drive], row) {
                    0.0 => 0.0,
                    part => part * self.drives[drive].factors[term],
                },
            };
            if factor != 0.0 {
                each(k, factor);
            }
        }
    }

    fn reduced(&self, drive: &Drive, row: usize) -> f64 {
        match &self.state {
            Some(state) => reduced(state, drive.velocity, row),
            None => f64::from(u8::from(drive.velocity == row)),
        }
    }
}
