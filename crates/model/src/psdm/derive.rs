//! The derivation: steps 1–4 of section 3.6.

use std::num::NonZeroUsize;
use steiner_robot::{inertial_body, inertial_count, inertial_slot};

use steiner_dynamics::Mechanism;
use steiner_linalg::all_threads;

use super::base_parameters::base_parameters;
use super::chain::serial_chain;
use super::energy::Carrier;
use super::forces::Energies;
use super::function::Function;
use super::joint_tables::ChainTables;
use super::model::{ModelJoint, Psdm, ReductionMatrix};
use crate::error::ModelError;

/// What a model shall contain.
#[derive(Clone, Debug, PartialEq)]
pub struct PsdmOptions {
    /// Labels of parameters declared zero, as `link1.my`: the implicit simplifications of section 3.3.
    /// None by default. They are moments about the origin of the body frame: a tensor about the centre of
    /// mass may vanish where these don't.
    pub neglect: Vec<String>,
    /// Whether the drives' inertias turn with the joints, section 3.5. No by default.
    pub drives: bool,
    /// Threads to work with: all by default.
    pub threads: NonZeroUsize,
}

impl Default for PsdmOptions {
    fn default() -> Self {
        PsdmOptions { neglect: Vec::new(), drives: false, threads: all_threads() }
    }
}

/// Memory a derivation takes for each coefficient of the mass matrix and joint, measured
/// on arms without any alignment.
const BYTES_FOR_COEFFICIENT: f64 = 126.0;
const GIBIBYTE: f64 = (1u64 << 30) as f64;
/// The most a derivation may take.
const MOST_GIBIBYTES: f64 = 2.0;

impl Psdm {
    /// Derives the model of a serial arm.
    ///
    /// # Reference
    /// \[lloyd2021\], section 3.6, with the certified base parameters of `steiner-identifiability`
    /// in place of the rank decisions (38)–(43), and polynomials carried along the arm in place of
    /// the linear systems (25) and (32).
    pub fn derive(mechanism: &Mechanism, options: &PsdmOptions) -> Result<Self, ModelError> {
        let robot = mechanism.robot();
        let motions = serial_chain(robot)?;
        let (parameters, labels) = base_parameters(mechanism, options)?;
        let bodies = inertial_count(motions.len());
        let carriers: Vec<Carrier> = parameters
            .iter()
            .map(|base| match base.terms[0].0 {
                column if column < bodies => {
                    Carrier::Body { body: inertial_body(column), slot: inertial_slot(column) }
                }
                column => Carrier::Drive { joint: column - bodies },
            })
            .collect();
        let tables = ChainTables::new(robot, &motions)?;
        let energies = Energies::new(&tables, &motions, &carriers, options.threads);
        let gibibytes = (energies.coefficients() * motions.len()) as f64 * BYTES_FOR_COEFFICIENT / GIBIBYTE;
        if gibibytes > MOST_GIBIBYTES {
            let robot = robot.name.clone();
            return Err(ModelError::TooLarge { robot, gibibytes, most: MOST_GIBIBYTES });
        }
        let mut functions = Vec::new();
        let mut reductions = vec![ReductionMatrix::empty(); motions.len()];
        let blocks = energies.forces(options.threads);
        for (joint, reduction) in reductions.iter_mut().enumerate() {
            reduction.reserve(blocks.iter().map(|(_, block)| &block.reductions[joint]));
        }
        for (acceleration, block) in blocks {
            functions.extend(block.functions.into_iter().map(|geometry| Function { acceleration, geometry }));
            reductions.iter_mut().zip(block.reductions).for_each(|(all, rows)| all.append(rows));
        }
        let joint =
            |(body, motion): (&steiner_robot::Body, _)| ModelJoint { name: body.joint.name.clone(), motion };
        let mut model = Psdm {
            robot: robot.name.clone(),
            joints: robot.bodies.iter().zip(motions).map(joint).collect(),
            gravity: tables.gravity_norm,
            labels,
            parameters,
            functions,
            reductions,
        };
        let nominal = model.base_values_of(robot)?;
        model.parameters.iter_mut().zip(nominal).for_each(|(parameter, value)| parameter.value = value);
        Ok(model)
    }
}
