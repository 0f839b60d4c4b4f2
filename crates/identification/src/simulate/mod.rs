//! Synthetic logs: a feasible motion, the forces along it, and sensors with their faults.
//!
//! Everything follows from the seed. Forces come from the recursion of Newton and Euler, not from the
//! regressor that identification uses.

mod forces;
mod fourier;
mod motion;
mod sensors;
mod sinusoids;

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_logs::{CoupledDrive, DryFriction, Recording};

use crate::checked::check;
use crate::failure::IdentificationError;

pub use sensors::SensorFaults;

/// A wrench that the environment exerts on a link.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedContact {
    /// Name of the link it acts on.
    pub link: String,
    /// The wrench over time.
    pub wrench: ContactWrench,
}

/// How a contact wrench varies over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactWrench {
    /// A smooth random Fourier series.
    Random {
        /// Greatest force along each axis, N.
        force: f64,
        /// Greatest torque about each axis, N·m.
        torque: f64,
    },
    /// The wrench that balances the floating root: the robot hangs from, or stands on, this link alone.
    Carries,
}

/// How a simulated mechanism moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MotionKind {
    /// Σ a_k sin(kωt) + b_k cos(kωt) for every coordinate.
    #[default]
    Fourier,
    /// A sinusoid of acceleration for every joint, each with a frequency of its own between those of the
    /// first and the last harmonic, with noise, integrated: the excitation of \[matthew2016\]. For trees of
    /// joints with one coordinate each.
    NoisySinusoids {
        /// White noise of the acceleration, relative to its amplitude.
        noise: f64,
    },
}

/// What to simulate: motion, noise, friction and contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// Motions, contacts and noise follow from it. Default 1.
    pub seed: u64,
    /// Duration of the log, s. Default 20.
    pub duration: f64,
    /// Samples per second. Default 1000.
    pub rate: f64,
    /// Default `Fourier`.
    pub motion: MotionKind,
    /// Harmonics of the motion. Default 5.
    pub harmonics: usize,
    /// Period of the first of them, s. Default 10, or the duration if that is shorter.
    pub period: Option<f64>,
    /// Part of the limits (position, velocity, acceleration) that motions use. Default 0.8.
    pub reach: f64,
    /// Joints that stand still. Default none.
    pub still: Vec<String>,
    /// Whether the drives of the file (rotor inertia, friction) act. Default yes.
    pub drives: bool,
    /// Shape of dry friction. Default `Sign`.
    pub dry_friction: DryFriction,
    /// Motors on several joints, each with inertia, viscous and Coulomb friction.
    pub coupled_drives: Vec<(CoupledDrive, [f64; 3])>,
    /// Wrenches on links. Default none.
    pub contacts: Vec<SimulatedContact>,
    /// Whether the wrench from the ground is measured. Default no.
    pub base_wrench: bool,
    /// Joints with a force–torque sensor inside. Default none.
    pub joint_wrenches: Vec<String>,
    /// Noise and resolution. Default none.
    pub faults: SensorFaults,
}

impl Default for Simulation {
    fn default() -> Self {
        Simulation {
            seed: 1,
            duration: 20.0,
            rate: 1000.0,
            motion: MotionKind::default(),
            harmonics: 5,
            period: None,
            reach: 0.8,
            still: Vec::new(),
            drives: true,
            dry_friction: DryFriction::default(),
            coupled_drives: Vec::new(),
            contacts: Vec::new(),
            base_wrench: false,
            joint_wrenches: Vec::new(),
            faults: SensorFaults::default(),
        }
    }
}

/// Moves a mechanism along a random feasible motion and records it.
pub fn simulate(mechanism: &Mechanism, simulation: &Simulation) -> Result<Recording, IdentificationError> {
    let states = motion::feasible_motion(mechanism, simulation)?;
    simulate_along(mechanism, states, simulation)
}

/// Records a mechanism that moves as given: `t`, `q`, `qd`, `qdd` of the data are taken, all else is made.
pub fn simulate_along(
    mechanism: &Mechanism,
    states: Recording,
    simulation: &Simulation,
) -> Result<Recording, IdentificationError> {
    let mut states = Recording {
        tau: vec![0.0; states.count * mechanism.dof()],
        measured: vec![true; mechanism.dof()],
        base_wrench: None,
        joint_wrenches: Vec::new(),
        contacts: Vec::new(),
        friction: Vec::new(),
        ..states
    };
    check(&states, mechanism)?;
    let mut random = Stream::of_synthetic_log(simulation.seed.wrapping_mul(3).wrapping_add(1));
    forces::record(mechanism, simulation, &mut states, &mut random)?;
    sensors::disturb(mechanism, &simulation.faults, &mut states, &mut random);
    Ok(states)
}
