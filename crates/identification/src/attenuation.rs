//! Whether noise in the motion shrinks what least squares find: the test of Durbin, Wu and Hausman.
//!
//! Where inertia and gravity nearly cancel, as in a pendulum that swings freely, a little noise in derived
//! accelerations is much beside the force that is left, and least squares make parameters smaller to avoid it.
//! They then predict the forces of such a log best, with parameters that are not the robot's. Instruments
//! ([`crate::Estimator::Instrumental`]) are not biased so, but scatter more. If both differ by more than that
//! scatter, noise is the likely reason; friction that the model lacks looks alike.

use std::num::NonZeroUsize;

use crate::accumulate::{Reduced, Source};
use crate::estimate::{LeastSquares, instrumental, weighted};
use crate::failure::IdentificationError;
use crate::problem::Problem;
use crate::settings::{Estimator, Settings};
use steiner_logs::{Recording, Role};

/// Standard deviations of the difference beyond which it is not chance, with some dozens of parameters…
const CLEARLY: f64 = 4.0;
/// …and beyond which it counts as uncertainty.
const PERHAPS: f64 = 1.5;
/// The scatter of a difference, at least, of that of the instruments' estimate.
const LEAST_SCATTER: f64 = 0.5;

/// What instruments say that least squares do not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attenuation {
    /// For each base parameter the instruments' estimate minus that of least squares, on the beginnings of the
    /// logs; zero where chance explains it.
    pub(crate) moved: Vec<f64>,
    /// Those that differ clearly: base parameter, least squares, instruments.
    pub(crate) clear: Vec<(usize, f64, f64)>,
}

/// Recordings with their instruments.
pub(crate) struct Pairs<'a>(pub(crate) &'a [(Recording, Recording)]);

impl Source for Pairs<'_> {
    fn chunks_with_instruments(
        &mut self,
        each: &mut dyn FnMut(&Recording, &Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        self.0.iter().try_for_each(|(recording, instruments)| each(recording, instruments))
    }

    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        self.0.iter().try_for_each(|(recording, _)| each(recording))
    }
}

/// Least squares and instruments on the same samples.
pub(crate) struct Compared {
    own: LeastSquares,
    other: LeastSquares,
}

impl Compared {
    /// `None` where there are too few equations.
    pub(crate) fn of(
        problem: &Problem,
        pairs: &[(Recording, Recording)],
        threads: NonZeroUsize,
    ) -> Result<Option<Self>, IdentificationError> {
        let mut reduced = Reduced::new(problem);
        for (recording, _) in pairs {
            reduced.absorb(problem, recording, Role::Training, threads)?;
        }
        if reduced.counts().iter().sum::<usize>() < 2 * problem.base().len() {
            return Ok(None);
        }
        let prior = problem.base_values(problem.prior());
        let (own, _, _) = weighted(&reduced, &problem.gains(), &prior)?;
        let (other, ..) = instrumental(problem, &mut Pairs(pairs), &reduced, &prior, threads)?;
        Ok(Some(Compared { own, other }))
    }

    /// The instruments' estimate of a base parameter minus that of least squares.
    pub(crate) fn difference(&self, base: usize) -> f64 {
        self.other.values[base] - self.own.values[base]
    }

    /// The deviation of this difference by chance; noise is so many times larger than white noise.
    pub(crate) fn scatter(&self, base: usize, inflation: f64) -> f64 {
        let (with, without) = (self.other.inverse[(base, base)], self.own.inverse[(base, base)]);
        inflation * (with - without).max(LEAST_SCATTER.powi(2) * with).sqrt()
    }
}

/// Compares both estimates on the beginnings of the logs; `inflation` is how many times larger deviations are than
/// white noise makes them. `None` where there are no instruments.
pub(crate) fn attenuation(
    problem: &Problem,
    source: &mut dyn Source,
    settings: &Settings,
    inflation: f64,
) -> Result<Option<Attenuation>, IdentificationError> {
    let unbiased = matches!(settings.estimator, Estimator::Instrumental | Estimator::Simulation { .. });
    if unbiased || problem.gains().iter().any(Option::is_some) {
        return Ok(None);
    }
    let Some(pairs) = source.trial_pairs(settings.friction())? else { return Ok(None) };
    let unknown = problem.base().len();
    let Some(compared) = Compared::of(problem, &pairs, settings.threads())? else { return Ok(None) };
    let Compared { own, other } = &compared;
    let differences: Vec<f64> = (0..unknown).map(|k| compared.difference(k)).collect();
    let scatter = |k: usize| compared.scatter(k, inflation);
    let beyond = |k: usize, times: f64| scatter(k) > 0.0 && differences[k].abs() > times * scatter(k);
    let clear = (0..unknown).filter(|&k| beyond(k, CLEARLY));
    Ok(Some(Attenuation {
        clear: clear.map(|k| (k, own.values[k], other.values[k])).collect(),
        moved: (0..unknown).map(|k| if beyond(k, PERHAPS) { differences[k] } else { 0.0 }).collect(),
    }))
}
