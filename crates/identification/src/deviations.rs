//! Uncertainties of the base parameters: of white noise, of the noise that the residuals have, and of what moves
//! parameters beside noise.

use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;

use crate::accumulate::{Held, Source};
use crate::estimate::{robust_covariance, sigma_of};
use crate::failure::IdentificationError;
use crate::friction_term::FrictionTerm;
use crate::identify::{self, Estimate, accumulate, settled};
use crate::lateness::{clear_lags, moved_by};
use crate::problem::Problem;
use crate::recorded_logs::{CutoffTrials, INDEPENDENT};
use crate::scores::{Lag, Point, Scores, scores};
use crate::settings::{Estimator, Settings};

/// Uncertainties of the base parameters.
pub(crate) struct Deviations {
    /// Standard deviations if the noise is white; infinite where nothing is seen.
    pub(crate) white: Vec<f64>,
    /// Covariance from blocks of neighbouring samples.
    pub(crate) robust: Option<Matrix<f64>>,
    /// How much later than its motion each row's force comes, as far as…
    pub(crate) lags: Vec<Lag>,
    /// …so many samples of each row tell, which are independent of each other.
    pub(crate) told_by: Vec<usize>,
    /// What moves each base parameter beside noise, as far as the log shows it: lags of forces, noise of the
    /// motion.
    pub(crate) moved: Vec<f64>,
}

impl Deviations {
    /// How many times larger the uncertainties from blocks are than those of white noise, at the median: what a
    /// log of correlated residuals says counts that much less.
    pub(crate) fn inflation(&self) -> f64 {
        let ratio = |k: usize| self.robust(k).map(|robust| robust / self.white[k]);
        let mut ratios: Vec<f64> =
            (0..self.white.len()).filter_map(ratio).filter(|x| x.is_finite()).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).map_or(1.0, |median| median.max(1.0))
    }

    /// Standard deviation of a base parameter from blocks.
    pub(crate) fn robust(&self, k: usize) -> Option<f64> {
        self.robust.as_ref().map(|covariance| match self.white[k].is_finite() {
            true => covariance[(k, k)].max(0.0).sqrt(),
            false => f64::INFINITY,
        })
    }
}

/// A pass that gathers the scores of blocks at an estimate.
pub(crate) fn block_scores(
    problem: &Problem,
    source: &mut dyn Source,
    estimate: &Estimate,
    settings: &Settings,
) -> Result<Scores, IdentificationError> {
    let Estimate { solution, noise, .. } = estimate;
    let at = Point {
        values: &solution.values,
        weights: &noise.weights(),
        projection: estimate.projection.as_ref(),
    };
    let mut gathered = scores(problem, source, at, settings.block.unwrap_or(1), settings.threads())?;
    if let Some((_, own)) = &estimate.simulated {
        gathered.stretches.clone_from(own);
    }
    Ok(gathered)
}

/// What a band shows of late forces.
pub(crate) struct Lateness {
    lags: Vec<Lag>,
    told_by: Vec<usize>,
    /// The lag of each row where it is clear, s.
    clear: Vec<f64>,
}

/// What the widest band whose motion predicts well shows of late forces, where parameters come from a narrower one: lags
/// move parameters in every band, but show where motion is fast. `None` where that band is the parameters' own.
pub(crate) fn lateness_in_widest_band(
    problem: &Problem,
    source: &mut dyn Source,
    settings: &Settings,
    trials: Option<&CutoffTrials>,
) -> Result<Option<Lateness>, IdentificationError> {
    let Some(trials) = trials else { return Ok(None) };
    let Some(recordings) = source.widest_band(trials, settings.friction())? else { return Ok(None) };
    let source = &mut Held(&recordings);
    let settings = Settings { estimator: Estimator::Weighted, ..settings.clone() };
    let log = accumulate(problem, source, settings.threads())?;
    let settings = settled(problem, &log, &settings);
    let estimate = identify::estimate(problem, source, &log.training, &settings)?;
    let scores = block_scores(problem, source, &estimate, &settings)?;
    let counts = log.training.counts();
    let found = deviations(&estimate, scores.clone(), counts.iter().sum());
    let weights = estimate.noise.weights();
    let clear = clear_lags(&scores, &estimate.solution.inverse, &weights, found.inflation());
    let told_by = counts.iter().map(|&count| (INDEPENDENT * count as f64) as usize).collect();
    Ok(Some(Lateness { lags: scores.lags, told_by, clear }))
}

/// Uncertainties for white noise, and from the scores of blocks.
pub(crate) fn deviations(estimate: &Estimate, gathered: Scores, equations: usize) -> Deviations {
    deviations_with(estimate, gathered, &[], equations, None)
}

/// The same, with what is known of late forces; `counts` are the samples of each row.
pub(crate) fn deviations_with(
    estimate: &Estimate,
    gathered: Scores,
    counts: &[usize],
    equations: usize,
    lateness: Option<Lateness>,
) -> Deviations {
    let Estimate { solution, noise, .. } = estimate;
    let robust = robust_covariance(solution, &gathered);
    let white = sigma_of(solution, &solution.inverse);
    let mut out = Deviations {
        moved: vec![0.0; white.len()],
        white,
        robust,
        lags: Vec::new(),
        told_by: counts.to_vec(),
    };
    if let Some(robust) = &mut out.robust {
        let free = free_part(robust, &solution.inverse, equations);
        robust.entries_mut().iter_mut().for_each(|entry| *entry /= free);
    }
    let weights = noise.weights();
    // Lags are told by rows as they are, not by projected ones.
    if estimate.simulated.is_none() && estimate.projection.is_none() {
        let clear = match &lateness {
            Some(lateness) => lateness.clear.clone(),
            None => clear_lags(&gathered, &solution.inverse, &weights, out.inflation()),
        };
        out.moved = moved_by(&clear, &gathered, &solution.inverse, &weights);
    }
    match lateness {
        Some(Lateness { lags, told_by, .. }) => (out.lags, out.told_by) = (lags, told_by),
        None => out.lags = gathered.lags,
    }
    out
}

/// A constant load, as of a vertical slide, passes for an offset, and friction that grows with it for Coulomb friction.
/// Where other joints have such friction, a joint whose own cannot be seen may have as much.
pub(crate) fn add_hidden_load(problem: &Problem, values: &[f64], deviations: &mut Deviations) {
    let labels = |base: usize| &problem.labels()[problem.base()[base].column];
    let place = |label: String| (0..problem.base().len()).find(|&base| *labels(base) == label);
    let (mut seen, mut hidden) = (Vec::new(), Vec::new());
    for base in 0..problem.base().len() {
        if problem.friction_term(problem.base()[base].column) == Some(FrictionTerm::Load) {
            match deviations.white[base].is_finite() {
                true => seen.push(values[base].abs()),
                false => hidden.extend(labels(base).strip_suffix(".fl").map(str::to_owned)),
            }
        }
    }
    seen.sort_by(f64::total_cmp);
    let Some(usual) = seen.get(seen.len() / 2) else { return };
    for joint in hidden {
        if let (Some(dry), Some(offset)) = (place(format!("{joint}.fc")), place(format!("{joint}.offset"))) {
            deviations.moved[dry] = deviations.moved[dry].hypot(usual * values[offset]);
        }
    }
}

/// The part of the noise that residuals still have. Parameters follow tr(V C⁻¹) of N squares of noise, with V their
/// covariance and C that for white noise: the more, the longer noise is correlated. V is that part too small, too,
/// so that the part f that they follow is f₀/(1 − f), with f₀ from V as it was estimated.
fn free_part(robust: &Matrix<f64>, white: &Matrix<f64>, equations: usize) -> f64 {
    let n = white.rows();
    let seen: Vec<usize> = (0..n).filter(|&k| white[(k, k)] > 0.0).collect();
    let size = |k: usize| white[(k, k)].sqrt();
    let of = |matrix: &Matrix<f64>| {
        Matrix::from_fn(seen.len(), seen.len(), |i, j| {
            let (i, j) = (seen[i], seen[j]);
            matrix[(i, j)] / (size(i) * size(j))
        })
    };
    let Ok(information) = Cholesky::new(of(white)) else { return 1.0 };
    let (information, robust) = (information.inverse(), of(robust));
    let count = 0..seen.len();
    let trace: f64 = count
        .clone()
        .flat_map(|i| count.clone().map(move |j| (i, j)))
        .map(|(i, j)| information[(i, j)] * robust[(j, i)])
        .sum();
    let followed = (trace / equations.max(1) as f64).clamp(0.0, 0.25);
    1.0 - 0.5 * (1.0 - (1.0 - 4.0 * followed).sqrt())
}
