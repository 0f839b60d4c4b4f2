//! What an identification answers.

use steiner_linalg::elimination::Matrix;
use steiner_robot::{Friction, PseudoInertia, Robot, inertial_count};

use crate::alarm::Alarm;
use crate::consistent::{Optimality, Program};
use crate::estimate::Essential;
use crate::excitation::Excitation;
use crate::friction_trials::FrictionTrials;
use crate::note::IdentificationNote;
use crate::problem::Problem;
use crate::recorded_logs::CutoffTrials;
use crate::settings::Settings;

/// One base parameter, identified.
#[derive(Clone, Debug)]
pub struct IdentifiedParameter {
    /// Label of the parameter it is named after.
    pub name: String,
    /// (label, factor): what is regrouped into it.
    pub terms: Vec<(String, f64)>,
    /// The value of the final model.
    pub value: f64,
    /// What least squares say, without consistency or ridge.
    pub least_squares: f64,
    /// Standard deviation: the larger of the two below; infinite if the log does not show it.
    pub sigma: f64,
    /// Standard deviation, if the noise is white.
    pub white_sigma: f64,
    /// Standard deviation without that assumption, from blocks of neighbouring samples.
    pub robust_sigma: Option<f64>,
    /// 100 · sigma / |value|, %.
    pub relative_sigma: f64,
    /// The value of the robot's file.
    pub prior: f64,
}

/// What is left of a row.
#[derive(Clone, Debug)]
pub struct RowResidual {
    /// The joint's name, `base-wrench.fx`, `wrench:joint.tz`.
    pub name: String,
    /// How many samples counted.
    pub count: usize,
    /// Root mean square of the residual, N·m or N.
    pub rms: f64,
    /// Its norm over that of what was measured, see [`Residual::total`].
    pub relative: f64,
}

/// What is left of a log.
#[derive(Clone, Debug)]
pub struct Residual {
    /// Number of samples.
    pub samples: usize,
    /// Norm of all residuals over that of all measured forces: as the sensors showed them, with the forces of
    /// measured contacts, and whatever part of them known parameters explain (so that numbers compare between
    /// `known`, `payload` and neither). Currents count by the gains of the final model.
    pub total: f64,
    /// Residual of every measured row.
    pub rows: Vec<RowResidual>,
}

/// Residuals of different models on the same log.
#[derive(Clone, Debug)]
pub struct Residuals {
    /// Residuals of the final model.
    pub model: Residual,
    /// Least squares without consistency or ridge.
    pub least_squares: Residual,
    /// The robot's file as it was.
    pub prior: Residual,
    /// What a URDF can state of the final model: no rotor inertias, constant forces or further friction.
    pub urdf: Residual,
}

/// How much later than the motion the force of a row comes, as far as a fit shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceLag {
    /// The row.
    pub row: String,
    /// s; parameters take up a part of a lag, so there may be more of it. `None` where nothing changes, or a
    /// current was recorded.
    pub seconds: Option<f64>,
    /// The part of the residual's square that it explains.
    pub explains: f64,
    /// So many samples, independent of each other, tell it.
    pub samples: usize,
    /// Whether chance explains as much.
    pub by_chance: bool,
}

/// Whether a body is physically consistent.
#[derive(Clone, Debug)]
pub struct LinkConsistency {
    /// Name of the body's link.
    pub link: String,
    /// Its identified inertia about the origin of its frame.
    pub inertia: PseudoInertia,
    /// Least eigenvalue of the pseudo-inertia over its trace.
    pub least_eigenvalue: f64,
    /// Why it cannot, if so.
    pub problem: Option<String>,
}

impl LinkConsistency {
    /// Whether the pseudo-inertia is positive definite.
    pub fn is_consistent(&self) -> bool {
        self.problem.is_none()
    }
}

/// What an identification answers.
#[derive(Clone, Debug)]
pub struct Identification {
    pub(crate) problem: Problem,
    /// Base parameters with values and standard deviations.
    pub parameters: Vec<IdentifiedParameter>,
    /// Covariance of their least-squares values for white noise.
    pub covariance: Matrix<f64>,
    /// The same from blocks of neighbouring samples.
    pub robust_covariance: Option<Matrix<f64>>,
    /// Noise of every row, N·m or N.
    pub noise: Vec<f64>,
    /// On the samples parameters were estimated from.
    pub training: Residuals,
    /// On samples held out.
    pub validation: Option<Residuals>,
    /// Condition number, what dominates it, and what the log excites poorly.
    pub excitation: Excitation,
    /// Each body of the final model.
    pub consistency: Vec<LinkConsistency>,
    /// How well the consistent model solves its program, if it was asked for.
    pub optimality: Option<Optimality>,
    /// That program, for checking with another solver.
    pub program: Option<Program>,
    /// Essential parameters, if they were asked for.
    pub essential: Option<Essential>,
    /// Values of all parameters of the final model, in the order of [`Identification::labels`]; where the log
    /// says nothing, the file's.
    pub all: Vec<f64>,
    /// The robot with identified inertias and drives.
    pub robot: Robot,
    /// The friction of joints with further terms as a URDF can have it: what fits best without them.
    pub(crate) simple_friction: Vec<(String, Friction)>,
    /// The settings as they became.
    pub settings: Settings,
    /// What casts doubt on the result, the weightiest first.
    pub alarms: Vec<Alarm>,
    /// How much later than the motion the force of each row comes, as far as the fit shows it.
    pub lags: Vec<ForceLag>,
    /// (joint, s): how much later than the motion forces were recorded that were shifted back.
    pub aligned: Vec<(String, f64)>,
    /// What other cut-offs would have given, where it was for the logs to say.
    pub cutoff_trials: Option<CutoffTrials>,
    /// What further friction would have given, joint by joint, where it was for the log to say.
    pub friction_trials: Vec<FrictionTrials>,
    /// What a user should know, a sentence each.
    pub notes: Vec<IdentificationNote>,
}

impl Identification {
    /// What was asked: unknowns, rows, the mechanism and the analysis of what can be identified.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// How many of the base parameters are of links; the rest is of drives.
    pub fn link_parameters(&self) -> usize {
        let inertial = inertial_count(self.problem.body_count());
        self.problem.base().iter().filter(|base| base.column < inertial).count()
    }

    /// Labels of all parameters.
    pub fn labels(&self) -> &[String] {
        self.problem.labels()
    }

    /// Base parameters the log excites poorly, by name.
    pub fn weakly_excited(&self) -> Vec<&str> {
        self.excitation.weak.iter().map(|weak| self.parameters[weak.parameter].name.as_str()).collect()
    }

    /// Standard deviation of a sum of base parameters, (position, factor): the larger of that for white noise and
    /// that from blocks; infinite if the log does not determine one of them.
    pub fn combination_sigma(&self, parts: &[(usize, f64)]) -> f64 {
        if parts.iter().any(|&(k, _)| !self.parameters[k].sigma.is_finite()) {
            return f64::INFINITY;
        }
        let variance = |covariance: &Matrix<f64>| -> f64 {
            let pairs = parts.iter().flat_map(|a| parts.iter().map(move |b| (a, b)));
            pairs.map(|(&(i, x), &(j, y))| x * y * covariance[(i, j)]).sum()
        };
        let covariances = std::iter::once(&self.covariance).chain(&self.robust_covariance);
        covariances.map(variance).fold(0.0, f64::max).sqrt()
    }

    /// Whether all bodies are physically consistent.
    pub fn is_consistent(&self) -> bool {
        self.consistency.iter().all(LinkConsistency::is_consistent)
    }
}
