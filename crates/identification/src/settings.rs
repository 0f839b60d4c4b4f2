//! What is asked of an identification: one struct, every field with its default.

use steiner_logs::{CoupledDrive, DryFriction, FrictionModel};
use steiner_robot::{Robot, SensorSet};

use crate::consistent::Bounds;
use crate::friction_term::{JointFriction, stated_by};

/// How parameters follow from the residual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimator {
    /// Every row counts the same.
    Ordinary,
    /// Rows count by the noise of their sensor, which is estimated along the way.
    Weighted,
    /// As `Weighted`, and residuals beyond `threshold` times the noise count linearly: for logs with shocks.
    Huber {
        /// 1.345 keeps 95 % of the efficiency where noise is normal.
        threshold: f64,
    },
    /// As `Weighted`, with instrumental variables: the regressor is projected onto that of motion filtered at half the
    /// cut-off, which shares little of its noise. Noise of derived accelerations then no longer makes inertias small.
    Instrumental,
    /// Output error: motion simulated under the recorded forces, in windows, shall be nearest to the recorded one. For
    /// small robots on a fixed base.
    Simulation {
        /// Length of a window, s.
        window: f64,
    },
    /// As `Weighted`, with a pull towards the robot's own inertias, in the metric of the pseudo-inertia.
    Ridge {
        /// How strongly: 1 treats the file's inertias as known to 100 %, 100 to 10 %.
        weight: f64,
    },
}

/// What is asked of an identification.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What is measured. Default every generalised force.
    pub measure: SensorSet,
    /// Whether drive inertia, viscous and Coulomb friction and offset of every one-dof
    /// joint are unknown too. Default yes.
    pub drives: bool,
    /// Shape of dry friction over velocity. Default `Sign`.
    pub dry_friction: DryFriction,
    /// Terms of friction beside viscous and Coulomb. Default none.
    pub friction_terms: Vec<JointFriction>,
    /// Whether further terms that the robot's file states are terms of the model too. Default yes.
    pub friction_of_file: bool,
    /// Whether further terms are chosen for each joint by blocks of the log left out; not where the file states
    /// some. Default no.
    pub choose_friction: bool,
    /// Motors that turn with several joints. Default none.
    pub coupled_drives: Vec<CoupledDrive>,
    /// Joints whose `tau` is a current with unknown gain (N·m/A): parameter `joint.gain`. Default none.
    pub unknown_gains: Vec<String>,
    /// Parameters known beforehand: (label, value).
    pub known: Vec<(String, f64)>,
    /// Only the ten parameters of this link are unknown; all others are the robot's own. Default none.
    pub payload: Option<String>,
    /// Labels to keep as base parameters where there is a choice.
    pub keep: Vec<String>,
    /// Labels to eliminate where there is a choice.
    pub eliminate: Vec<String>,
    /// (joint, speed): the force of a joint counts only while it is at least as fast, rad/s or m/s; 0 for
    /// always. Default: where dry friction acts on it, while it does not stand by the log's own measure
    /// ([`Recording::rest`](steiner_logs::Recording::rest)).
    pub least_speed: Vec<(String, f64)>,
    /// Whether a floating robot without recorded contacts is known to fly freely. Default no: then the log must
    /// show it fall.
    pub free_flight: bool,
    /// Default `Weighted`.
    pub estimator: Estimator,
    /// Whether the result shall be physically consistent, and within which bounds.
    /// Default yes, without further bounds.
    pub consistent: Option<Bounds>,
    /// Whether to leave out base parameters that the log cannot tell from zero. Default no.
    pub essential: bool,
    /// Samples whose noise may be alike, for uncertainties that do not trust it to be white; default: the log
    /// in forty, or twice as many as there are parameters.
    pub block: Option<usize>,
    /// Threads; default: one per core.
    pub threads: Option<std::num::NonZeroUsize>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            measure: SensorSet::all(),
            drives: true,
            dry_friction: DryFriction::default(),
            friction_terms: Vec::new(),
            friction_of_file: true,
            choose_friction: false,
            coupled_drives: Vec::new(),
            unknown_gains: Vec::new(),
            known: Vec::new(),
            payload: None,
            keep: Vec::new(),
            eliminate: Vec::new(),
            least_speed: Vec::new(),
            free_flight: false,
            estimator: Estimator::Weighted,
            consistent: Some(Bounds::default()),
            essential: false,
            block: None,
            threads: None,
        }
    }
}

impl Settings {
    /// Threads to use.
    pub fn threads(&self) -> std::num::NonZeroUsize {
        self.threads.unwrap_or_else(steiner_linalg::all_threads)
    }
}

impl Settings {
    /// These settings for a robot: with the terms of friction that its file states.
    pub fn of_robot(&self, robot: &Robot) -> Self {
        let mut out = self.clone();
        if self.friction_of_file && self.drives {
            let stated = stated_by(robot, &self.friction_terms);
            out.choose_friction &= stated.is_empty();
            out.friction_terms.extend(stated);
        }
        out
    }

    /// The dry friction that is asked for, as [`steiner_logs::Processing::friction`] takes it.
    pub fn friction(&self) -> FrictionModel {
        let Settings { dry_friction: dry, friction_terms, coupled_drives, .. } = self;
        let shape = |of: &JointFriction| Some((of.joint.clone(), of.term.shape()?));
        let shapes = friction_terms.iter().filter_map(shape).collect();
        FrictionModel { dry: *dry, shapes, coupled_drives: coupled_drives.clone() }
    }
}
