//! From which band parameters should come.
//!
//! Both sides of the equations of motion pass the filter, so that any cut-off is right: a high one has more
//! equations, a low one less noise in the motion, which shrinks parameters ([`crate::attenuation`]). Two questions
//! decide. Parameters from every band are judged by the forces of blocks left out, in all bands: those that predict
//! much worse than the best are out. Shrunk parameters may predict the forces of their own noisy motion best, so
//! that this alone takes cut-offs too high. Of the bands that are left, the one is taken whose parameters are known
//! best: by their mean square error, from the noise of the forces and from how far instruments disagree.

use steiner_logs::{Cutoff, Processing, Recording, Thinning, Trim};

use super::trials::{Beginning, DENSE};
use super::{RecordedLogs, blocks};
use crate::accumulate::Reduced;
use crate::attenuation::{Compared, Pairs};
use crate::deviations::{block_scores, deviations};
use crate::estimate::{Noise, values_of, weighted};
use crate::failure::IdentificationError;
use crate::identify::{accumulate, estimate, settled};
use crate::problem::Problem;
use crate::settings::{Estimator, Settings};

/// Equations for each unknown that a band must have; neighbours depend on each other where samples are dense.
const EQUATIONS: usize = 8;
/// Parameters whose error is beyond this factor of the least are out. Shrunk parameters may be the best by a third.
const MUCH_WORSE: f64 = 1.5;
/// Parameters are known equally well whose expected errors are within this factor of the least; of their bands the
/// lowest is taken: what is above it is not needed, and holds more of what no rigid model has.
const KNOWN_AS_WELL: f64 = 1.15;
/// Where nobody can tell how well parameters are known: of bands that predict equally well to within this factor, the
/// highest is taken, since it has most equations.
const PREDICTS_AS_WELL: f64 = 1.01;

/// What was compared of a band.
pub(super) struct Band {
    /// Multiple of the suggested cut-off.
    pub(super) scale: f64,
    /// The error of its parameters on blocks left out, in all bands.
    pub(super) error: f64,
    /// How well its parameters are known; `None` where that cannot be told, where it does not matter any more, and
    /// where another band determines more of them.
    pub(super) deviation: Option<f64>,
}

impl RecordedLogs<'_> {
    /// Compares bands up to these multiples of the suggested cut-off, falling. Ends where equations become too few.
    pub(super) fn compare_bands(
        &mut self,
        problem: &Problem,
        settings: &Settings,
        beginnings: &[Beginning],
        scales: &[f64],
    ) -> Result<Vec<Band>, IdentificationError> {
        let lowest = scales.last().copied().unwrap_or(1.0);
        let mut all: Vec<Vec<Reduced>> = Vec::new();
        for &scale in scales {
            let mut recordings = Vec::new();
            for log in beginnings {
                super::unless_cancelled(&mut self.cancelled)?;
                recordings.push(self.processed(log, &log.fine, &self.in_band(log, scale, lowest))?);
            }
            let blocks = blocks(problem, &recordings)?;
            let equations: usize = blocks.iter().flat_map(Reduced::counts).sum();
            let as_many = all.first().is_none_or(|first| first.len() == blocks.len());
            if blocks.len() < 2 || !as_many || equations < EQUATIONS * problem.base().len() {
                break;
            }
            all.push(blocks);
        }
        let every: Vec<&[Reduced]> = all.iter().map(Vec::as_slice).collect();
        let mut bands = Vec::new();
        for (&scale, own) in scales.iter().zip(&every) {
            let error = left_out(problem, own, &every, &noise_of(problem, own)?)?;
            if error.is_finite() {
                bands.push(Band { scale, error, deviation: None });
            }
        }
        let Some(best) = least(&bands, |band| band.error) else { return Ok(bands) };
        let possible: Vec<usize> =
            (0..bands.len()).filter(|&k| bands[k].error <= MUCH_WORSE * bands[best].error).collect();
        // Gains have no instruments.
        if possible.len() < 2 || problem.gains().iter().any(Option::is_some) {
            return Ok(bands);
        }
        let mut known: Vec<(usize, Vec<f64>)> = Vec::new();
        for k in possible {
            super::unless_cancelled(&mut self.cancelled)?;
            match self.deviations_in(problem, settings, beginnings, (bands[k].scale, lowest)) {
                Err(IdentificationError::Interrupted) => return Err(IdentificationError::Interrupted),
                // Whatever is wrong with instruments, the bands were compared without them.
                deviations => known.extend(deviations.unwrap_or_default().map(|own| (k, own))),
            }
        }
        let told = |own: &[f64], base: usize| own[base].is_finite();
        let determined: Vec<usize> =
            (0..problem.base().len()).filter(|&base| known.iter().any(|(_, own)| told(own, base))).collect();
        for (k, own) in &known {
            if !determined.is_empty() && determined.iter().all(|&base| told(own, base)) {
                let logs = determined.iter().map(|&base| own[base].max(f64::MIN_POSITIVE).ln());
                bands[*k].deviation = Some((logs.sum::<f64>() / determined.len() as f64).exp());
            }
        }
        Ok(bands)
    }

    /// The expected errors of base parameters from one band, a multiple of the suggested cut-off, with borders for
    /// the lowest; `None` where there are no instruments.
    fn deviations_in(
        &self,
        problem: &Problem,
        settings: &Settings,
        beginnings: &[Beginning],
        (scale, lowest): (f64, f64),
    ) -> Result<Option<Vec<f64>>, IdentificationError> {
        let mut pairs = Vec::new();
        for log in beginnings {
            match self.with_its_instruments(log, &log.fine, &self.in_band(log, scale, lowest))? {
                Some(pair) => pairs.push(pair),
                None => return Ok(None),
            }
        }
        expected_errors(problem, settings, &pairs)
    }

    /// How the beginning of a log is filtered up to a multiple of the suggested cut-off; all bands lose the same
    /// borders.
    pub(super) fn in_band(&self, log: &Beginning, scale: f64, lowest: f64) -> Processing {
        Processing {
            cutoff: Cutoff::Hertz(scale * log.suggested()),
            trim: Trim::Seconds(log.border(lowest)),
            thinning: Thinning::To(DENSE),
            ..self.processing.clone()
        }
    }
}

/// The band to take: of those known best the lowest; where that cannot be told, the one that predicts best.
pub(super) fn chosen(bands: &[Band]) -> Option<f64> {
    let deviations = bands.iter().filter_map(|band| Some((band.scale, band.deviation?)));
    let known: Vec<(f64, f64)> = deviations.collect();
    if let Some(most) = known.iter().map(|(_, own)| KNOWN_AS_WELL * own).reduce(f64::min) {
        return known.iter().filter(|(_, own)| *own <= most).map(|(scale, _)| *scale).reduce(f64::min);
    }
    let best = bands[least(bands, |band| band.error)?].error;
    bands.iter().find(|band| band.error <= PREDICTS_AS_WELL * best).map(|band| band.scale)
}

fn least(bands: &[Band], measure: impl Fn(&Band) -> f64) -> Option<usize> {
    (0..bands.len()).min_by(|&a, &b| measure(&bands[a]).total_cmp(&measure(&bands[b])))
}

/// The roots of the expected square errors of base parameters; infinite where the band does not determine one. Noise
/// counts with the correlation that it has, and so does the difference to instruments: its square less what chance
/// makes of it. Late forces don't count: they move parameters in every band, but show in wide ones alone. `None` where
/// there are too few equations.
fn expected_errors(
    problem: &Problem,
    settings: &Settings,
    pairs: &[(Recording, Recording)],
) -> Result<Option<Vec<f64>>, IdentificationError> {
    // These are not biased by noise of the motion.
    let unbiased = matches!(settings.estimator, Estimator::Instrumental | Estimator::Simulation { .. });
    let settings = Settings { estimator: Estimator::Weighted, ..settings.clone() };
    let Some(compared) = Compared::of(problem, pairs, settings.threads())? else { return Ok(None) };
    let source = &mut Pairs(pairs);
    let log = accumulate(problem, source, settings.threads())?;
    let settings = settled(problem, &log, &settings);
    let estimate = estimate(problem, source, &log.training, &settings)?;
    let scores = block_scores(problem, source, &estimate, &settings)?;
    let deviations = deviations(&estimate, scores, log.training.counts().iter().sum());
    let inflation = deviations.inflation();
    let of = |k: usize| {
        let noise =
            deviations.robust(k).map_or(deviations.white[k], |robust| robust.max(deviations.white[k]));
        let shrunk = compared.difference(k).powi(2) - compared.scatter(k, inflation).powi(2);
        let shrunk = if unbiased { 0.0 } else { shrunk.max(0.0) };
        noise.hypot(shrunk.sqrt())
    };
    Ok(Some((0..problem.base().len()).map(of).collect()))
}

/// The error of forces on blocks left out, predicted by parameters from the other blocks of one band (`own`): the
/// geometric mean over rows and over all bands of root mean squares, relative to what was recorded; NaN where
/// nothing is left to compare. `noise` weighs the rows.
pub(super) fn left_out(
    problem: &Problem,
    own: &[Reduced],
    bands: &[&[Reduced]],
    noise: &Noise,
) -> Result<f64, IdentificationError> {
    let (prior, gains) = (problem.base_values(problem.prior()), problem.gains());
    // Where a gain is unknown, what was recorded is a current, with a gain of 1.
    let mut ones = problem.prior().to_vec();
    problem.rows().iter().filter_map(|row| problem.gain_of(row.kind)).for_each(|column| ones[column] = 1.0);
    let rows = problem.rows().len();
    let mut left = vec![vec![0.0; rows]; bands.len()];
    let mut measured = left.clone();
    for k in 0..own.len() {
        let rest = without(problem, own, k);
        // Gains make the problem nonlinear, and residuals are then those of currents.
        let values = match gains.iter().any(Option::is_some) {
            true => weighted(&rest, &gains, &prior)?.0.values,
            false => values_of(&rest, noise, &prior),
        };
        let gain = |r: usize| gains[r].map_or(1.0, |gain| values[gain]);
        for (band, blocks) in bands.iter().enumerate() {
            let squares = blocks[k].residual_squares(&values);
            (0..rows).for_each(|r| left[band][r] += squares[r] / gain(r).powi(2));
            let all = blocks[k].measured_squares(problem, &ones);
            measured[band].iter_mut().zip(all).for_each(|(sum, x)| *sum += x);
        }
    }
    let pairs = left.iter().flatten().zip(measured.iter().flatten());
    let told = pairs.filter(|(left, all)| **left > 0.0 && **all > 0.0);
    let logs: Vec<f64> = told.map(|(left, all)| (left / all).ln() / 2.0).collect();
    Ok((logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// The noise of every row, by all blocks.
pub(super) fn noise_of(problem: &Problem, blocks: &[Reduced]) -> Result<Noise, IdentificationError> {
    let prior = problem.base_values(problem.prior());
    Ok(weighted(&without(problem, blocks, usize::MAX), &problem.gains(), &prior)?.1)
}

fn without(problem: &Problem, blocks: &[Reduced], left_out: usize) -> Reduced {
    let mut rest = Reduced::new(problem);
    blocks.iter().enumerate().filter(|(k, _)| *k != left_out).for_each(|(_, block)| rest.merge(block));
    rest
}

#[cfg(test)]
mod tests {
    use super::{Band, chosen};

    fn band(scale: f64, error: f64, deviation: Option<f64>) -> Band {
        Band { scale, error, deviation }
    }

    #[test]
    fn of_bands_known_as_well_the_lowest_is_taken() {
        let known = [(1.0, 1.1), (0.5, 1.0), (0.25, 1.14), (0.125, 1.3)];
        let bands = known.map(|(scale, own)| band(scale, 0.1, Some(own)));
        assert_eq!(chosen(&bands), Some(0.25));
        // The best of those that can be told, whatever predicts well.
        let bands = [band(1.0, 0.1, None), band(0.5, 0.2, Some(1.0)), band(0.25, 0.3, Some(2.0))];
        assert_eq!(chosen(&bands), Some(0.5));
    }

    #[test]
    fn where_nobody_can_tell_the_highest_that_predicts_well_is_taken() {
        let bands = [(1.0, 0.2), (0.5, 0.1005), (0.25, 0.1)].map(|(scale, error)| band(scale, error, None));
        assert_eq!(chosen(&bands), Some(0.5));
        assert_eq!(chosen(&[]), None);
    }
}
