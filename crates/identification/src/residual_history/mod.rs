//! Measured and predicted forces over time, gathered in one run through a log of any length: curves a page
//! can draw, spectra, histograms and sums of squares.

mod curve;
mod friction;
mod gather;
mod spectrum;
mod timeline;

use steiner_dynamics::Mechanism;
use steiner_identifiability::MeasuredRow;
use steiner_logs::{Role, SpectraOfFilter};
use steiner_robot::Motion;

use crate::accumulate::Source;
use crate::failure::IdentificationError;
use crate::identification::{Identification, Residual};
use crate::predict::predict;
use crate::problem::Problem;
use crate::recorded_logs::ReadLog;

pub use curve::Curve;
pub use friction::FrictionHistory;
use friction::friction_histories;
use gather::gather;
pub use timeline::{Stretch, Timeline};

/// Parts of equal length into which the evaluated samples are divided.
pub(crate) const BLOCKS: usize = 40;

/// Measured forces over time, with the predictions and residuals of each model.
#[derive(Clone, Debug)]
pub struct ResidualHistory {
    /// Stretches of the logs, with their roles (training or validation).
    pub timeline: Timeline,
    /// Every measured row, in the order of the problem.
    pub rows: Vec<ForceHistory>,
    /// Filters of the logs; empty until [`ResidualHistory::with_filters`].
    pub filters: Vec<FilterOfLog>,
}

/// How the signals of a log were filtered.
#[derive(Clone, Debug)]
pub struct FilterOfLog {
    /// Name of the log.
    pub log: String,
    /// Cut-off frequency, Hz; none where nothing was filtered.
    pub cutoff: Option<f64>,
    /// Spectra before and after the filter.
    pub spectra: SpectraOfFilter,
}

/// One measured row over time, with what each model predicts.
#[derive(Clone, Debug)]
pub struct ForceHistory {
    /// The joint's name, `base-wrench.fx`, `wrench:joint.tz`.
    pub name: String,
    /// Unit of the row: N·m or N.
    pub unit: &'static str,
    /// Measured force over time, s and N·m or N.
    pub measured: Curve,
    /// Amplitude spectrum of the measured force: (Hz, unit/√Hz).
    pub spectrum: Vec<(f64, f64)>,
    /// Sums of squares of the measured force.
    pub squares: Squares,
    /// Prediction and residual of each model.
    pub models: Vec<ModelHistory>,
    /// Friction of the joint against its speed, of an identified model; empty where there is none.
    pub friction: FrictionHistory,
}

/// Prediction and residual of one model for one row.
#[derive(Clone, Debug)]
pub struct ModelHistory {
    /// Predicted force over time.
    pub predicted: Curve,
    /// Root mean square of measured minus predicted, over time.
    pub residual: Curve,
    /// Measured minus predicted, over time: the extremes of short stretches.
    pub difference: Curve,
    /// Amplitude spectrum of the residual: (Hz, unit/√Hz).
    pub spectrum: Vec<(f64, f64)>,
    /// Sums of squares of the residual.
    pub squares: Squares,
    /// Histogram of the residual.
    pub histogram: Histogram,
}

/// Sums of squares over the samples that count.
#[derive(Clone, Debug, Default)]
pub struct Squares {
    /// Sums over the training and the validation samples.
    pub by_role: [f64; 2],
    /// In each of `BLOCKS` parts of the samples that models are evaluated on.
    pub blocks: Vec<f64>,
}

impl Squares {
    fn add(&mut self, value: f64, role: usize, block: Option<usize>) {
        self.by_role[role] += value * value;
        if let Some(sum) = block.and_then(|block| self.blocks.get_mut(block)) {
            *sum += value * value;
        }
    }

    /// Over the samples that models are evaluated on.
    pub(crate) fn evaluated(&self) -> f64 {
        self.blocks.iter().sum()
    }
}

/// Histogram of residuals between −`reach` and `reach`, in bins of one width.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    /// Where the bins end, N·m or N.
    pub reach: f64,
    /// Counts per bin for training and validation samples.
    pub counts: [Vec<f64>; 2],
    /// Number of training and validation samples, those beyond the reach included.
    pub samples: [f64; 2],
}

pub(crate) fn role_index(role: Role) -> usize {
    match role {
        Role::Training => 0,
        Role::Validation => 1,
    }
}

impl ResidualHistory {
    /// Of an identified model (first) and the robot's file (second) on the logs it was identified from.
    pub fn of_identification(
        identification: &Identification,
        source: &mut dyn Source,
    ) -> Result<Self, IdentificationError> {
        let problem = identification.problem();
        // Currents become forces by the gains that were identified, whoever predicts.
        let prior = problem.with_gains(&problem.base_values(&identification.all));
        let validation = identification.validation.as_ref().map(|residuals| &residuals.model);
        let scale = |r: usize| {
            let of = |residual: &Residual| residual.rows[r].rms;
            of(&identification.training.model).max(validation.map_or(0.0, of))
        };
        let scales: Vec<f64> = (0..problem.rows().len()).map(scale).collect();
        let mut history = Self::of_models(problem, &[&identification.all, &prior], Some(&scales), source)?;
        let samples = history.timeline.samples;
        let frictions = friction_histories(problem, &identification.all, samples, source)?;
        history.rows.iter_mut().zip(frictions).for_each(|(row, friction)| row.friction = friction);
        Ok(history)
    }

    /// Of several values of all parameters of a problem; with the scale of what each row leaves, histograms
    /// too.
    pub(crate) fn of_models(
        problem: &Problem,
        models: &[&[f64]],
        scales: Option<&[f64]>,
        source: &mut dyn Source,
    ) -> Result<Self, IdentificationError> {
        let threads = steiner_linalg::all_threads();
        let rows: Vec<(String, &'static str)> = problem
            .rows()
            .iter()
            .map(|row| (row.name.clone(), unit(problem.mechanism(), row.kind)))
            .collect();
        gather(&rows, models.len(), scales, source, &mut |recording| {
            models.iter().map(|parameters| predict(problem, recording, parameters, threads)).collect()
        })
    }

    /// With the filters of the logs: pages draw their spectra, so that a reader can check the cut-off.
    pub fn with_filters(mut self, logs: &[ReadLog]) -> Self {
        let of = |log: &ReadLog| FilterOfLog {
            log: log.path.display().to_string(),
            cutoff: log.settled.cutoff,
            spectra: log.spectra.clone(),
        };
        self.filters = logs.iter().map(of).collect();
        self
    }

    /// Norm of what a model (0 is the first) leaves over the norm of what was measured, over all rows and the
    /// samples of a role.
    pub fn relative_residual(&self, model: usize, role: Role) -> f64 {
        let pick = |squares: &Squares| squares.by_role[role_index(role)];
        let left: f64 =
            self.rows.iter().filter_map(|row| row.models.get(model)).map(|m| pick(&m.squares)).sum();
        let all: f64 = self.rows.iter().map(|row| pick(&row.squares)).sum();
        if all > 0.0 { (left / all).sqrt() } else { f64::NAN }
    }
}

/// The unit of a row.
fn unit(mechanism: &Mechanism, row: MeasuredRow) -> &'static str {
    const WRENCH: [&str; 6] = ["N", "N", "N", "N·m", "N·m", "N·m"];
    let k = match row {
        MeasuredRow::BaseWrench(k) | MeasuredRow::JointWrench { component: k, .. } => return WRENCH[k % 6],
        MeasuredRow::Force(k) => k,
    };
    let Some(coordinate) = mechanism.independent().get(k).copied() else { return "" };
    let stages = mechanism.robot().bodies[coordinate.body.0].joint.stages();
    let units = stages.iter().flat_map(|stage| match stage.motion {
        Motion::Rotation | Motion::Screw { .. } => vec!["N·m"],
        Motion::Translation => vec!["N"],
        Motion::Plane => vec!["N", "N", "N·m"],
        Motion::Ball => vec!["N·m"; 3],
        Motion::Free => WRENCH.to_vec(),
    });
    units.into_iter().nth(coordinate.component).unwrap_or("N·m")
}
