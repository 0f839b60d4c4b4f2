//! What logs say about base parameters, as a matrix: Σ Yᵀ W Y over their samples, which another motion adds to.

use steiner_linalg::elimination::Matrix;

use crate::accumulate::{Reduced, Source};
use crate::estimate::{least_squares, sigma_of};
use crate::excitation::{Excitation, MotionAlone, excitation, excitation_of};
use crate::failure::IdentificationError;
use crate::identify::{accumulate, estimate};
use crate::problem::Problem;
use crate::settings::Settings;

/// A noise below this part of the force it is on is that of a log without any: it says nothing of sensors.
const NO_NOISE: f64 = 1e-6;

/// What logs tell about the base parameters of a problem.
#[derive(Clone, Debug)]
pub struct LogInformation {
    /// Σ Yᵀ W Y over the samples for training; W is one over the square of each row's noise.
    pub information: Matrix<f64>,
    /// The standard deviations that follow from it; infinite where the logs tell nothing.
    pub sigma: Vec<f64>,
    /// Each measured row with the standard deviation of its noise, N·m or N.
    pub noise: Vec<(String, f64)>,
    /// Rows whose noise is that of the log: residuals of a fit to its forces.
    pub measured: Vec<bool>,
    /// How well the logs excite the base parameters.
    pub excitation: Excitation,
}

/// What logs tell about the base parameters of a problem. `usual` is the noise of a row (N·m or N) whose own
/// the log does not tell, for it has no forces or none with noise.
pub fn information_of(
    problem: &Problem,
    source: &mut dyn Source,
    settings: &Settings,
    usual: &dyn Fn(&str) -> f64,
) -> Result<LogInformation, IdentificationError> {
    let threads = settings.threads();
    let (log, found, excitation) = match accumulate(problem, source, threads) {
        Ok(log) => {
            let estimate = estimate(problem, source, &log.training, settings)?;
            let excitation = excitation(problem, &log, &estimate);
            (log, estimate.noise.sigma, excitation)
        }
        Err(IdentificationError::NotRecorded { .. } | IdentificationError::NoForces) => {
            let excitation = excitation_of(problem, source, settings)?;
            let log = accumulate(problem, &mut MotionAlone { source, problem }, threads)?;
            (log, vec![0.0; problem.rows().len()], excitation)
        }
        Err(error) => return Err(error),
    };
    let sizes = root_mean_squares(&log.training);
    let measured: Vec<bool> =
        found.iter().zip(&sizes).map(|(sigma, size)| *size > 0.0 && *sigma > NO_NOISE * size).collect();
    let row = |r: usize| if measured[r] { found[r] } else { usual(&problem.rows()[r].name) };
    let sigma: Vec<f64> = (0..found.len()).map(row).collect();
    let weights: Vec<f64> = sigma.iter().map(|sigma| 1.0 / sigma).collect();
    let triangle = log.training.stacked(&weights);
    let n = problem.base().len();
    let information = Matrix::from_fn(n, n, |r, c| {
        (0..=r.min(c)).map(|k| triangle.entry(k, r) * triangle.entry(k, c)).sum::<f64>()
    });
    let solution = least_squares(&triangle, &vec![0.0; n]);
    let deviations = sigma_of(&solution, &solution.inverse);
    let names = problem.rows().iter().map(|row| row.name.clone());
    let noise = names.zip(sigma).collect();
    Ok(LogInformation { information, sigma: deviations, noise, measured, excitation })
}

/// Of what was measured in each row, N·m or N.
fn root_mean_squares(training: &Reduced) -> Vec<f64> {
    let counts = training.counts();
    training.squares().iter().zip(counts).map(|(square, n)| (square / n.max(1) as f64).sqrt()).collect()
}
