//! Forces of drives: what motors and gears add to those of the bodies.

use steiner_dynamics::{Feasible, Mechanism};
use steiner_logs::{CoupledDrive, DryFriction};
use steiner_robot::Friction;

use crate::failure::IdentificationError;
use crate::problem::{reduced, velocity_of};
use crate::rotors_in_load::rotors_in_load;

/// A motor on several joints.
#[derive(Clone, Debug)]
struct Coupled {
    /// (velocity, factor).
    joints: Vec<(usize, f64)>,
    /// Inertia, viscous and Coulomb friction.
    values: [f64; 3],
    crosswise: bool,
}

/// The drive of one joint.
#[derive(Clone, Debug)]
struct Drive {
    velocity: usize,
    /// Its position among the numbers of the tree's configuration.
    position: usize,
    inertia: f64,
    /// Whether no force tells its inertia from that of its link.
    counts_as_load: bool,
    friction: Friction,
}

/// Forces of the tree, seen from the independent coordinates.
pub(crate) fn independent(state: &Feasible<f64>, tau: &[f64]) -> Vec<f64> {
    match &state.reduction {
        Some(z) => z.transpose().apply(tau),
        None => tau.to_vec(),
    }
}

/// What motors and gears add to the forces of a robot's bodies: rotors, friction and offsets of its file.
#[derive(Clone, Debug)]
pub struct DriveForces {
    own: Vec<Drive>,
    coupled: Vec<Coupled>,
    dry: DryFriction,
}

impl DriveForces {
    /// Those of the robot's own file.
    pub fn new(mechanism: &Mechanism, dry_friction: DryFriction) -> Result<Self, IdentificationError> {
        Self::of(mechanism, true, dry_friction, &[])
    }

    /// Adds them to what bodies ask of the independent coordinates, N·m or N, at a configuration, velocities and
    /// accelerations of these.
    pub fn add(
        &self,
        mechanism: &Mechanism,
        [q, qd, qdd]: [&[f64]; 3],
        forces: &mut [f64],
    ) -> Result<(), IdentificationError> {
        let tree_q = mechanism.tree_configuration(q)?;
        let state = mechanism.closure().feasible(mechanism.plan(), &tree_q, qd, qdd)?;
        let by_load = self.friction_by_load(&state, |rotors| {
            independent(&state, rotors).iter().zip(&*forces).map(|(a, b)| a + b).collect()
        });
        let mut tau = vec![0.0; mechanism.tree_dof()];
        self.add_rest(&tree_q, &state, &mut tau);
        let rest =
            independent(&state, &tau).into_iter().zip(by_load.into_iter().chain(std::iter::repeat(0.0)));
        forces.iter_mut().zip(rest).for_each(|(force, (rest, by_load))| *force += rest + by_load);
        Ok(())
    }

    /// Accelerations of the independent coordinates (rad/s² or m/s²) under forces of their motors (N·m or N).
    /// Friction that grows with load is refused: it depends on what is asked for.
    pub fn forward_dynamics(
        &self,
        mechanism: &Mechanism,
        [q, qd, tau]: [&[f64]; 3],
    ) -> Result<Vec<f64>, IdentificationError> {
        if let Some(drive) = self.own.iter().find(|drive| drive.friction.further.load != 0.0) {
            let bodies = mechanism.robot().bodies.iter().zip(mechanism.robot().velocity_offsets());
            let joint =
                bodies.filter(|(_, first)| *first == drive.velocity).map(|(body, _)| &body.joint.name);
            return Err(IdentificationError::Setting {
                what: "forward dynamics with drives".to_owned(),
                value: format!("load-dependent friction of {}", joint.cloned().collect::<String>()),
                remedy: "identify without it, or leave the drives out".to_owned(),
            });
        }
        let dof = mechanism.dof();
        let mut at = vec![0.0; dof];
        let mut bias = mechanism.inverse_dynamics(q, qd, &at)?;
        let own = {
            let mut own = vec![0.0; dof];
            self.add(mechanism, [q, qd, &at], &mut own)?;
            own
        };
        bias.iter_mut().zip(&own).for_each(|(bias, own)| *bias += own);
        let mut mass = mechanism.mass_matrix(q)?;
        // Rotors: forces of drives are linear in accelerations.
        for column in 0..dof {
            at[column] = 1.0;
            let mut with = vec![0.0; dof];
            self.add(mechanism, [q, qd, &at], &mut with)?;
            at[column] = 0.0;
            (0..dof).for_each(|row| mass[(row, column)] += with[row] - own[row]);
        }
        let left: Vec<f64> = tau.iter().zip(&bias).map(|(tau, bias)| tau - bias).collect();
        Ok(mechanism.accelerations(mass, &left)?)
    }

    /// With motors that turn with several joints, each with inertia, viscous and Coulomb friction.
    pub(crate) fn of(
        mechanism: &Mechanism,
        drives: bool,
        dry: DryFriction,
        coupled: &[(CoupledDrive, [f64; 3])],
    ) -> Result<Self, IdentificationError> {
        let robot = mechanism.robot();
        let in_load = rotors_in_load(mechanism)?;
        let places = robot.velocity_offsets().into_iter().zip(robot.configuration_offsets());
        let own = robot.bodies.iter().zip(places).filter(|(body, _)| body.joint.kind.dof() == 1);
        let own = own.map(|(body, (velocity, position))| {
            let (inertia, friction) = (body.joint.rotor_inertia, body.joint.friction);
            let counts_as_load = in_load.contains(&velocity);
            Drive { velocity, position, inertia, counts_as_load, friction }
        });
        let coupled = coupled.iter().map(|(drive, values)| {
            let joints = drive.joints.iter().map(|(joint, factor)| {
                Ok((velocity_of(mechanism, joint, &format!("the coupled drive `{}`", drive.name))?, *factor))
            });
            let joints = joints.collect::<Result<_, IdentificationError>>()?;
            Ok(Coupled { joints, values: *values, crosswise: drive.crosswise })
        });
        let own = if drives { own.collect() } else { Vec::new() };
        Ok(DriveForces { own, coupled: coupled.collect::<Result<_, IdentificationError>>()?, dry })
    }

    /// Friction that grows with load on each independent coordinate, where there is any; `load` adds what bodies ask
    /// of these to what rotors that count as load ask of the tree.
    pub(crate) fn friction_by_load(
        &self,
        state: &Feasible<f64>,
        load: impl FnOnce(&[f64]) -> Vec<f64>,
    ) -> Vec<f64> {
        if self.own.iter().all(|drive| drive.friction.further.load == 0.0) {
            return Vec::new();
        }
        let mut rotors = vec![0.0; state.velocity.len()];
        for drive in self.own.iter().filter(|drive| drive.counts_as_load) {
            rotors[drive.velocity] += drive.inertia * state.acceleration[drive.velocity];
        }
        let mut out = load(&rotors);
        for (row, force) in out.iter_mut().enumerate() {
            let factor = |drive: &Drive| {
                let sign = self.dry.at(state.velocity[drive.velocity]);
                reduced(state, drive.velocity, row) * drive.friction.further.load * sign
            };
            *force = force.abs() * self.own.iter().map(factor).sum::<f64>();
        }
        out
    }

    /// Rotors, all friction but what grows with load, and motors on several joints.
    pub(crate) fn add_rest(&self, q: &[f64], state: &Feasible<f64>, tau: &mut [f64]) {
        let (v, a) = (&state.velocity, &state.acceleration);
        for Drive { velocity: k, position, inertia, friction, .. } in &self.own {
            let (speed, sign) = (v[*k], self.dry.at(v[*k]));
            tau[*k] += inertia * a[*k] + friction.viscous * speed + friction.coulomb * sign + friction.offset;
            if !friction.further.is_load_alone() {
                tau[*k] += friction.further.force(q[*position], speed, sign);
            }
        }
        for Coupled { joints, values: [inertia, viscous, coulomb], crosswise } in &self.coupled {
            let sum = |x: &[f64]| joints.iter().map(|&(k, c)| c * x[k]).sum::<f64>();
            let (speed, acceleration) = (sum(v), sum(a));
            for &(k, c) in joints {
                let own = if *crosswise { c } else { 0.0 };
                tau[k] += c * (inertia * (acceleration - own * a[k]) + viscous * (speed - own * v[k]));
                tau[k] += c * coulomb * self.dry.at(speed);
            }
        }
    }
}
