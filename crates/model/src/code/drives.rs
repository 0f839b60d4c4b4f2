//! Drives: what motors and gears add to the force of a joint with one degree of freedom,
//!
//! τ_k += Ia q̈_k + fv q̇_k + fc sign(q̇_k) + offset.
//!
//! Their parameters follow those of the bodies, four for each drive in the order of [`DRIVE_PARAMETERS`].
//! Further friction of the file, `further_friction.rs`, is constant in the code.

use steiner_identifiability::DRIVE_PARAMETERS;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Joint, Robot, inertial_count};
use steiner_scalar::Field;
use steiner_symbols::Traced;

use super::further_friction::{FurtherOfJoint, further_friction};
use super::parameters::Parameter;

/// Parameters of one drive.
const SIZE: usize = DRIVE_PARAMETERS.len();

/// The drives that are part of the code.
#[derive(Clone, Debug)]
pub(crate) struct Drives {
    /// The velocity of each in the tree.
    pub(crate) velocities: Vec<usize>,
    /// Its parameters in the robot's file.
    own: Vec<[f64; SIZE]>,
    /// The column of the first parameter.
    first: usize,
    /// What they rub beside viscous and Coulomb friction.
    pub(crate) further: Vec<FurtherOfJoint>,
}

impl Drives {
    /// The drives of a robot: all, or none.
    pub(crate) fn of(robot: &Robot, wanted: bool) -> Self {
        let joints = || robot.bodies.iter().map(|body| &body.joint).zip(robot.velocity_offsets());
        let driven = || joints().filter(|(joint, _)| wanted && joint.kind.dof() == 1);
        let own = driven().map(|(joint, _)| {
            let friction = joint.friction;
            [joint.rotor_inertia, friction.viscous, friction.coulomb, friction.offset]
        });
        Drives {
            velocities: driven().map(|(_, velocity)| velocity).collect(),
            own: own.collect(),
            first: inertial_count(robot.bodies.len()),
            further: if wanted { further_friction(robot) } else { Vec::new() },
        }
    }

    /// None at all.
    pub(crate) fn none() -> Self {
        Drives { velocities: Vec::new(), own: Vec::new(), first: 0, further: Vec::new() }
    }

    /// What each drive rubs: parameters that stand for themselves.
    pub(crate) fn friction(&self, robot: &Robot) -> Vec<Parameter> {
        let joints = robot.bodies.iter().map(|body| &body.joint).filter(|joint| joint.kind.dof() == 1);
        let drives = joints.zip(&self.own).enumerate();
        let of_drive = |(drive, (joint, own)): (usize, (&Joint, &[f64; SIZE]))| {
            let parameter = |which: usize| {
                let name = format!("{}.{}", joint.name, DRIVE_PARAMETERS[which]);
                Parameter::alone(self.first + SIZE * drive + which, name, own[which])
            };
            (1..SIZE).map(parameter).collect::<Vec<_>>()
        };
        drives.flat_map(of_drive).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.velocities.is_empty()
    }

    /// The parameters of the file, drive after drive.
    pub(crate) fn own(&self) -> impl Iterator<Item = f64> {
        self.own.iter().flatten().copied()
    }

    /// Parameters that drives could have, no two alike.
    pub(crate) fn plausible(&self) -> impl Iterator<Item = f64> {
        let drive = |k: usize| [0.3, 1.2, 2.5, -0.4].map(|x| x * (1.0 + 0.125 * k as f64));
        (0..self.velocities.len()).flat_map(drive)
    }

    /// Which drive and which of its parameters a column is; `None` for a body's.
    fn place(&self, column: usize) -> Option<(usize, usize)> {
        column.checked_sub(self.first).map(|beyond| (beyond / SIZE, beyond % SIZE))
    }

    /// The parameters of each drive: base parameters where they belong, zero for
    /// those that others have absorbed.
    pub(crate) fn by_drive(&self, parameters: &[Parameter], values: &[Traced]) -> Vec<[Traced; SIZE]> {
        let mut all = vec![[Traced::zero(); SIZE]; self.velocities.len()];
        for (parameter, &value) in parameters.iter().zip(values) {
            if let Some((drive, which)) = self.place(parameter.column) {
                all[drive][which] = value;
            }
        }
        all
    }

    /// Adds their forces to those of the tree.
    pub(crate) fn add_forces(
        &self,
        drives: &[[Traced; SIZE]],
        qd: &[Traced],
        qdd: &[Traced],
        tau: &mut [Traced],
    ) {
        for (&k, &[ia, fv, fc, offset]) in self.velocities.iter().zip(drives) {
            tau[k] += ia * qdd[k] + fv * qd[k] + fc * qd[k].sign() + offset;
        }
    }

    /// For each drive whether its inertia is a part of a body's base parameter.
    pub(crate) fn rotors_in_load(&self, parameters: &[Parameter]) -> Vec<bool> {
        let column = |drive: usize| self.first + SIZE * drive;
        let stands_alone = |drive: usize| parameters.iter().any(|p| p.column == column(drive));
        (0..self.velocities.len()).map(|drive| !stands_alone(drive)).collect()
    }

    /// The inertia of each drive where it is a parameter of its own, with these values of the parameters.
    pub(crate) fn own_rotors(&self, parameters: &[Parameter], values: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.velocities.len()];
        for (parameter, value) in parameters.iter().zip(values) {
            if let Some((drive, 0)) = self.place(parameter.column) {
                out[drive] = *value;
            }
        }
        out
    }

    /// Adds their inertias to the mass matrix of the tree.
    pub(crate) fn add_inertias(&self, drives: &[[Traced; SIZE]], mass: &mut Matrix<Traced>) {
        for (&k, &[ia, ..]) in self.velocities.iter().zip(drives) {
            mass[(k, k)] += ia;
        }
    }

    /// What a parameter multiplies, and in the force of which velocity of the tree;
    /// `None` for a body's parameter.
    pub(crate) fn regressor_entry(
        &self,
        column: usize,
        qd: &[Traced],
        qdd: &[Traced],
    ) -> Option<(usize, Traced)> {
        let (drive, which) = self.place(column)?;
        let k = self.velocities[drive];
        let entry = match which {
            0 => qdd[k],
            1 => qd[k],
            2 => qd[k].sign(),
            _ => Traced::one(),
        };
        Some((k, entry))
    }
}
