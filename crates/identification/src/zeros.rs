//! Positions whose zero is not the file's.
//!
//! A position that is off by a constant bends the parameters: they take up most of what it does to gravity and
//! inertia, so that residuals hardly show it. With f(δ) = χ² that the best parameters leave when a position is taken δ
//! larger, its zero is off by −f′/f″, with the deviation √(2/f″), all by central differences. What only turns the body
//! that the joint carries, parameters follow exactly: f is flat, and nothing is said.

mod search;

use steiner_dynamics::Mechanism;

use crate::accumulate::Source;
use crate::alarm::Alarm;
use crate::deviations::Deviations;
use crate::failure::IdentificationError;
use crate::identify::Estimate;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::thinned::thinned;
use search::{Search, Trial};

/// Zeros that are off, at most: with more, the log and the file are of two robots.
const MOST: usize = 3;
/// Multiplications that all trials together may take.
const WORK: f64 = 1e9;

/// A position whose zero is off.
#[derive(Clone, Debug, PartialEq)]
pub struct ZeroError {
    /// Name of the coordinate.
    pub joint: String,
    /// What has to be added to its positions, rad or m.
    pub offset: f64,
    /// Standard deviation of that, if the other zeros are right.
    pub sigma: f64,
    /// Others that explain the log about as well in its place, as they are with axes that are parallel.
    pub or: Vec<ZeroError>,
}

/// Zeros that are off, and what that does to parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Zeros {
    pub(crate) errors: Vec<ZeroError>,
    /// By how much each base parameter changes with the right zeros.
    pub(crate) moved: Vec<f64>,
}

/// Zeros are said if they move a parameter by so many of its deviations…
const MATTERS: f64 = 3.0;
/// …and are beyond so many of their own: below, friction that a model lacks looks alike.
const BEYOND: f64 = 6.0;

impl Zeros {
    /// The doubt that they cast.
    pub(crate) fn alarm(self, moved: f64) -> Option<Alarm> {
        let beyond = self.errors.iter().any(|error| error.offset.abs() > BEYOND * error.sigma);
        (beyond && moved > MATTERS).then_some(Alarm::Zeros { errors: self.errors, moved })
    }

    /// By how many of its deviations they move a parameter at most.
    pub(crate) fn in_deviations(&self, deviations: &Deviations) -> f64 {
        let of = |k: usize| {
            let sigma =
                deviations.robust(k).unwrap_or(0.0).max(deviations.white[k]).hypot(deviations.moved[k]);
            self.moved[k].abs() / sigma
        };
        (0..self.moved.len()).map(of).filter(|x| x.is_finite()).fold(0.0, f64::max)
    }
}

/// Looks for zeros that are off; nothing where forces are currents with unknown gains, motion is simulated, or loops
/// make positions depend on each other.
pub(crate) fn wrong_zeros(
    problem: &Problem,
    source: &mut dyn Source,
    settings: &Settings,
    estimate: &Estimate,
    deviations: &Deviations,
) -> Result<Zeros, IdentificationError> {
    let mechanism = problem.mechanism();
    let candidates = candidates(mechanism);
    let other = estimate.simulated.is_some() || estimate.projection.is_some();
    let gains = problem.gains().iter().any(Option::is_some);
    if candidates.is_empty() || other || gains || !mechanism.closure().is_trivial() {
        return Ok(Zeros::default());
    }
    let squares: usize = problem.rows().iter().map(|row| (row.sees.len() + 1).pow(2)).sum();
    let most = WORK / ((2 * candidates.len() + 1) * squares) as f64;
    let recordings = thinned(source.at_hand(settings.friction())?, most);
    let trial = Trial {
        problem,
        recordings,
        weights: estimate.noise.weights(),
        threads: settings.threads(),
        inflation: deviations.inflation(),
    };
    let mut search = Search::new(&trial)?;
    if search.unshifted.counts.iter().sum::<usize>() < 2 * problem.base().len() {
        return Ok(Zeros::default());
    }
    while search.found.len() < MOST {
        let clear = search.clear(&candidates, source)?;
        if !search.takes_the_clearest(&clear)? {
            break;
        }
        if !search.settles()? {
            return Ok(Zeros::default());
        }
    }
    search.zeros()
}

/// Numbers of the configuration that are positions of joints with one degree of freedom.
fn candidates(mechanism: &Mechanism) -> Vec<usize> {
    let robot = mechanism.robot();
    let offsets = robot.configuration_offsets();
    let single: Vec<usize> = robot
        .bodies
        .iter()
        .zip(&offsets)
        .filter(|(body, _)| body.joint.kind.configuration_size() == 1)
        .map(|(_, &offset)| offset)
        .collect();
    let tree = |c: usize| mechanism.configuration_indices().map_or(c, |indices| indices[c]);
    (0..mechanism.configuration_size()).filter(|&c| single.contains(&tree(c))).collect()
}
