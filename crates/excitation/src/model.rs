//! What is known and asked of a robot while its motion is sought: rows, weights, parameters for its forces.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, Measurement};
use steiner_linalg::elimination::Matrix;

use crate::columns::{self, Row};

/// The robot as the optimiser sees it.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) rows: Vec<Row>,
    /// Number of base parameters.
    pub(crate) size: usize,
    /// Inertial parameters of the moving bodies, as the file has them.
    pub(crate) parameters: Vec<f64>,
    /// For each independent velocity Ia, fv, fc and offset.
    pub(crate) drives: Vec<[f64; 4]>,
    /// For each independent velocity the speed at which dry friction has its full size, rad/s or m/s.
    pub(crate) slow: Vec<f64>,
    /// For each velocity of the tree the noise of its force, where feet make all of them count.
    pub(crate) torque_noise: Vec<f64>,
}

impl Model {
    pub(crate) fn new(
        mechanism: &Mechanism,
        measurement: &Measurement,
        analysis: &Analysis,
        slow: Vec<f64>,
    ) -> Self {
        let robot = mechanism.robot();
        let drives = mechanism
            .independent()
            .into_iter()
            .map(|coordinate| {
                let joint = &robot.bodies[coordinate.body.0].joint;
                match joint.kind.dof() {
                    1 => [
                        joint.rotor_inertia,
                        joint.friction.viscous,
                        joint.friction.coulomb,
                        joint.friction.offset,
                    ],
                    _ => [0.0; 4],
                }
            })
            .collect();
        Model {
            rows: columns::rows(mechanism, measurement, analysis),
            size: analysis.regrouping.base.len(),
            parameters: robot.parameters(),
            drives,
            slow,
            torque_noise: Vec::new(),
        }
    }
}

/// Samples of a motion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motions {
    pub(crate) count: usize,
    pub(crate) dof: usize,
    pub(crate) q: Vec<f64>,
    pub(crate) qd: Vec<f64>,
    pub(crate) qdd: Vec<f64>,
    /// Direction of every velocity, smooth about zero, and its derivative.
    pub(crate) signs: Vec<f64>,
    pub(crate) sign_rates: Vec<f64>,
}

/// What a motion gives.
#[derive(Clone, Debug)]
pub(crate) struct Forward {
    /// M = Σ Yᵀ W Y / samples.
    pub(crate) information: Matrix<f64>,
    /// Forces of the independent coordinates, dry friction left out, samples × dof.
    pub(crate) forces: Vec<f64>,
    /// What loops must keep, samples × quantities.
    pub(crate) loops: Vec<f64>,
}

/// Derivatives of a function of what a motion gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backward<'a> {
    pub(crate) information: &'a Matrix<f64>,
    pub(crate) forces: &'a [f64],
    pub(crate) loops: &'a [f64],
}
