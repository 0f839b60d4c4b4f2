//! The robot without its payload: what its joints feel of its own links and drives, and how that depends on
//! parameters that are themselves known only within a covariance.

use steiner_dynamics::{Feasible, Mechanism, SampleMemory};
use steiner_linalg::dot;
use steiner_linalg::elimination::Matrix;
use steiner_logs::DryFriction;
use steiner_robot::{FurtherFriction, inertial_count};

use crate::failure::IdentificationError;
use crate::identification::Identification;
use crate::problem::reduced;
use crate::rotors_in_load::rotors_in_load;

/// A drive of a joint with one degree of freedom.
#[derive(Clone, Debug)]
struct Drive {
    /// Velocity of the tree.
    velocity: usize,
    /// Its position among the numbers of the tree's configuration.
    place: usize,
    /// Whether no force tells its inertia from that of its link.
    counts_as_load: bool,
    /// Ia, fv, fc, offset.
    parameters: [f64; 4],
    further: FurtherFriction,
    /// What they multiply at the sample: q̈, q̇, dry friction, 1.
    factors: [f64; 4],
    /// Its position at the sample.
    position: f64,
}

impl Drive {
    /// What its rotor's inertia asks, N·m or N.
    fn rotor(&self) -> f64 {
        self.factors[0] * self.parameters[0]
    }

    /// All friction but what depends on load, N·m or N.
    fn friction(&self) -> f64 {
        let simple = self.factors[1..].iter().zip(&self.parameters[1..]).map(|(y, x)| y * x).sum::<f64>();
        simple + self.of(&self.further)
    }

    /// Further friction at the sample, but for what depends on load.
    fn of(&self, further: &FurtherFriction) -> f64 {
        match further.is_load_alone() {
            true => 0.0,
            false => further.force(self.position, self.factors[1], self.factors[2]),
        }
    }
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
    /// Of further friction: its force with a parameter of one.
    Further {
        drive: usize,
        unit: FurtherFriction,
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
        if let Some(label) = problem.labels_beyond_drives().first() {
            return Err(IdentificationError::Setting {
                what: "the arm of a payload".to_owned(),
                value: format!("identified with {label}"),
                remedy: "identify it without coupled drives and unknown gains".to_owned(),
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
                Some(_) if problem.friction_term(base.column).is_some() => {
                    problem.friction_parameter(base.column).and_then(|(joint, term, which)| {
                        let mut unit = FurtherFriction::default();
                        term.put(&mut unit, which, 1.0);
                        let velocity = driven.iter().find(|(other, _)| *other == joint)?.1;
                        let drive = arm.drives.iter().position(|drive| drive.velocity == velocity)?;
                        Some(Column::Further { drive, unit })
                    })
                }
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
    pub(super) fn new(
        mechanism: &Mechanism,
        drives: bool,
        dry_friction: DryFriction,
    ) -> Result<Self, IdentificationError> {
        let robot = mechanism.robot();
        let in_load = rotors_in_load(mechanism)?;
        let offsets = robot.velocity_offsets().into_iter().zip(robot.configuration_offsets());
        let driven =
            robot.bodies.iter().zip(offsets).filter(|(body, _)| drives && body.joint.kind.dof() == 1);
        let drive = |(body, (velocity, place)): (&steiner_robot::Body, (usize, usize))| {
            let (joint, friction) = (&body.joint, &body.joint.friction);
            let parameters = [joint.rotor_inertia, friction.viscous, friction.coulomb, friction.offset];
            let (further, counts_as_load) = (friction.further, in_load.contains(&velocity));
            Drive { velocity, place, counts_as_load, parameters, further, factors: [0.0; 4], position: 0.0 }
        };
        Ok(Arm {
            memory: SampleMemory::new(mechanism),
            parameters: robot.parameters(),
            drives: driven.map(drive).collect(),
            dry_friction,
            regressor: vec![0.0; mechanism.layout().dense_size()],
            state: None,
            mechanism: mechanism.clone(),
        })
    }

    /// Whether dry friction acts on an independent coordinate.
    pub(super) fn has_dry_friction(&self, row: usize) -> bool {
        let velocity = self.mechanism.plan().independent[row];
        let is_dry = |drive: &Drive| {
            let FurtherFriction { load, root, stribeck, .. } = drive.further;
            [drive.parameters[2], load, root, stribeck.force].iter().any(|x| *x != 0.0)
        };
        self.drives.iter().any(|drive| drive.velocity == velocity && is_dry(drive))
    }

    /// Moves to a sample; memory is needed only where loops or couplings have to be closed.
    pub(super) fn move_to(&mut self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<(), IdentificationError> {
        let (mechanism, memory) = (&self.mechanism, &mut self.memory);
        mechanism.regressor_into(q, qd, qdd, memory, &mut self.regressor)?;
        let is_tree = mechanism.dof() == mechanism.tree_dof();
        self.state = if is_tree { None } else { Some(mechanism.feasible(q, qd, qdd)?) };
        let closed = if is_tree { None } else { Some(mechanism.tree_configuration(q)?) };
        let q = closed.as_deref().unwrap_or(q);
        let (qd, qdd) = match &self.state {
            Some(state) => (&state.velocity[..], &state.acceleration[..]),
            None => (qd, qdd),
        };
        for drive in &mut self.drives {
            let speed = qd[drive.velocity];
            drive.factors = [qdd[drive.velocity], speed, self.dry_friction.at(speed), 1.0];
            drive.position = q[drive.place];
        }
        Ok(())
    }

    /// The ten coefficients with which one more inertia on a body enters a row.
    pub(super) fn block(&self, row: usize, body: usize) -> [f64; 10] {
        let start = row * self.parameters.len() + inertial_count(body);
        std::array::from_fn(|k| self.regressor[start + k])
    }

    /// The load of a row by the arm's own links, N·m or N.
    fn own_load(&self, row: usize) -> f64 {
        let coefficients = &self.regressor[row * self.parameters.len()..][..self.parameters.len()];
        let counted = self.drives.iter().filter(|drive| drive.counts_as_load);
        let rotors: f64 = counted.map(|drive| self.reduced(drive, row) * drive.rotor()).sum();
        dot(coefficients, &self.parameters) + rotors
    }

    /// The load of a row by links and payload under a measured force, N·m or N, and how it changes with the force.
    ///
    /// With rotors and all friction f but what depends on load, τ = L + f + c |L|. The load L has the sign of τ − f as long as
    /// |c| < 1, so that L = (τ − f) / (1 + c sign(τ − f)): a payload stays linear.
    fn load(&self, row: usize, tau: f64) -> (f64, f64) {
        let (mut rest, mut factor) = (tau, 0.0);
        for drive in &self.drives {
            let part = self.reduced(drive, row);
            if part != 0.0 {
                let rotor = if drive.counts_as_load { 0.0 } else { drive.rotor() };
                rest -= part * (rotor + drive.friction());
                factor += part * drive.further.load * drive.factors[2];
            }
        }
        let slope = if factor.abs() < 1.0 { 1.0 / (1.0 + factor * rest.signum()) } else { 1.0 };
        (slope * rest, slope)
    }

    /// What is left of a measured force of a row for the payload, N·m or N.
    pub(super) fn left_of(&self, row: usize, tau: f64) -> f64 {
        self.load(row, tau).0 - self.own_load(row)
    }

    /// Hands over what each uncertain parameter multiplies in what is left of a measured force of a row.
    pub(super) fn each_error(
        &self,
        (row, tau): (usize, f64),
        errors: &ArmErrors,
        mut each: impl FnMut(usize, f64),
    ) {
        let coefficients = &self.regressor[row * self.parameters.len()..][..self.parameters.len()];
        let (load, slope) = self.load(row, tau);
        for (k, column) in errors.columns.iter().enumerate() {
            let part = |drive: usize| self.reduced(&self.drives[drive], row);
            let factor = match *column {
                Column::Inertial(c) => coefficients[c],
                Column::Drive { drive, .. } | Column::Further { drive, .. } if part(drive) == 0.0 => 0.0,
                Column::Drive { drive, term: 0 } if self.drives[drive].counts_as_load => {
                    part(drive) * self.drives[drive].factors[0]
                }
                Column::Drive { drive, term } => part(drive) * slope * self.drives[drive].factors[term],
                Column::Further { drive, unit } => {
                    let own = &self.drives[drive];
                    part(drive) * slope * (own.of(&unit) + unit.load * own.factors[2] * load.abs())
                }
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
