//! From a mechanism and what was recorded of it to parameters with their uncertainties and a model: the
//! steps, one after the other.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use steiner_dynamics::Mechanism;
use steiner_linalg::eigen::symmetric_eigen;
use steiner_logs::{Recording, Role};
use steiner_robot::{
    Friction, NewDrive, NewDynamics, PseudoInertia, Robot, RobotError, inertial_columns, inertial_count,
};

use crate::accumulate::{Reduced, Source};
use crate::alarm::{Alarm, PositionSigns, alarms, exchange, force_lags, position_signs};
use crate::all_parameters::{Model, model};
use crate::attenuation::{Attenuation, attenuation};
use crate::checked::check;
use crate::deviations::{
    Deviations, add_hidden_load, block_scores, deviations_with, lateness_in_widest_band,
};
use crate::estimate::{
    LeastSquares, Noise, Projection, essential_parameters, huber, instrumental, ordinary, sigma_of, weighted,
};
use crate::excitation::excitation;
use crate::failure::IdentificationError;
use crate::free_flight::FreeFlight;
use crate::friction_in_files::simple_friction;
use crate::friction_term::{FrictionTerm, JointFriction};
use crate::friction_trials::{FrictionTrials, friction_trials, loads};
use crate::identification::{Identification, IdentifiedParameter, LinkConsistency};
use crate::metric::pseudo_inertia;
use crate::note::IdentificationNote;
use crate::output_error::simulated;
use crate::problem::{MeasuredForce, Problem};
use crate::recorded_logs::CutoffTrials;
use crate::residuals::{residuals, stated_by_urdf};
use crate::settings::{Estimator, Settings};
use crate::standing::standing;
use crate::zeros::{Zeros, wrong_zeros};

/// Blocks of neighbouring samples a log is cut into, at least, if nobody says otherwise; and twice as many as
/// there are parameters.
const BLOCKS: usize = 40;

/// Identifies the parameters of a mechanism from a recording in memory.
pub fn identify(
    mechanism: &Mechanism,
    recording: &Recording,
    settings: &Settings,
) -> Result<Identification, IdentificationError> {
    let mut source = recording;
    identify_from(mechanism, &mut source, settings)
}

/// Identifies from recordings that come in chunks. Ordinary and weighted estimates take two passes (the
/// second for block-robust uncertainties); Huber's and instruments take more.
pub fn identify_from(
    mechanism: &Mechanism,
    source: &mut dyn Source,
    settings: &Settings,
) -> Result<Identification, IdentificationError> {
    let settings = &settings.of_robot(mechanism.robot());
    source.carry(settings.friction());
    let mut problem = Problem::new(mechanism, settings)?;
    if problem.lacks_scale() && !source.fixes_scale() {
        return Err(IdentificationError::NoScale);
    }
    let mut cutoff_trials = source.prepare(&problem, settings)?;
    let mut settings = settings.clone();
    let fitted = fit(&mut problem, source, &mut settings, &mut cutoff_trials)?;
    answer(problem, settings, fitted, cutoff_trials, Some(source))
}

/// From a fit to the model and all that is said of it; what only another pass can say, where there is a source.
pub(crate) fn answer(
    problem: Problem,
    mut settings: Settings,
    fitted: Fit,
    cutoff_trials: Option<CutoffTrials>,
    source: Option<&mut dyn Source>,
) -> Result<Identification, IdentificationError> {
    let Fit { friction_trials, log, estimate, mut deviations, attenuation, zeros } = fitted;
    add_hidden_load(&problem, &estimate.solution.values, &mut deviations);
    if let Some(found) = &attenuation {
        let moved = deviations.moved.iter_mut().zip(&found.moved);
        moved.for_each(|(moved, difference)| *moved = moved.hypot(*difference));
    }
    let by_zeros = zeros.in_deviations(&deviations);
    let moved = deviations.moved.iter_mut().zip(&zeros.moved);
    moved.for_each(|(moved, difference)| *moved = moved.hypot(*difference));
    let model = model(
        &problem,
        (&estimate.solution, &deviations.white),
        (&estimate.counted, &estimate.counted_noise.inflated(deviations.inflation())),
        &mut settings,
    )?;
    let excitation = excitation(&problem, &log, &estimate);
    let Model { mut all, optimality, program, notes: model_notes } = model;
    zero_at_bounds(&problem, &deviations.white, &mut all);
    let simple_friction = simple_friction(&problem, &log.training, &all);
    let in_urdf = stated_by_urdf(&problem, &all, &simple_friction);
    let training = residuals(&problem, &log.training, &estimate, (&all, &in_urdf));
    let held_out = log.validation.samples > 0;
    let validation = held_out.then(|| residuals(&problem, &log.validation, &estimate, (&all, &in_urdf)));
    let mut notes: Vec<IdentificationNote> =
        cutoff_trials.iter().cloned().map(IdentificationNote::CutoffTried).collect();
    let chosen = friction_trials.iter().filter(|trials| !trials.chosen.is_empty());
    notes.extend(chosen.cloned().map(IdentificationNote::FrictionChosen));
    notes.extend(estimate.simulated.iter().map(|(note, _)| note.clone()));
    notes.extend_from_slice(problem.notes());
    notes.extend(remarks(&problem, &log, model_notes, excitation.rank));
    let mut found = Identification {
        parameters: parameters(&problem, &estimate, &deviations, &problem.base_values(&all)),
        covariance: estimate.solution.inverse.clone(),
        robust_covariance: deviations.robust.clone(),
        training,
        validation,
        excitation,
        consistency: consistency(&problem, &all),
        optimality,
        program,
        essential: settings
            .essential
            .then(|| essential_parameters(&estimate.counted, &estimate.counted_noise.sigma)),
        robot: patched(&problem, &all)?,
        simple_friction,
        noise: estimate.noise.sigma,
        all,
        settings,
        notes,
        alarms: Vec::new(),
        lags: Vec::new(),
        aligned: Vec::new(),
        cutoff_trials,
        friction_trials,
        problem,
    };
    found.lags = force_lags(&found, &deviations.lags, &deviations.told_by);
    let (by_file, threads) = (&found.training.prior, found.settings.threads());
    let (exchanged, signs) = match source {
        Some(source) => {
            (exchange(&found.problem, source, by_file, threads)?, signs_of_positions(&found, source)?)
        }
        None => (None, None),
    };
    found.alarms = alarms(&found, &log.training, exchanged, signs);
    found.alarms.extend(zeros.alarm(by_zeros));
    let shrunk = attenuation.map(|found| found.clear).unwrap_or_default();
    if !shrunk.is_empty() {
        let named = |(k, own, other): (usize, f64, f64)| (found.parameters[k].name.clone(), own, other);
        found.alarms.push(Alarm::NoisyMotion { parameters: shrunk.into_iter().map(named).collect() });
    }
    Ok(found)
}

/// Positions that count the other way; whatever is wrong with the samples at hand, other alarms need them not.
fn signs_of_positions(
    found: &Identification,
    source: &mut dyn Source,
) -> Result<Option<PositionSigns>, IdentificationError> {
    match position_signs(found, source) {
        Err(IdentificationError::Interrupted) => Err(IdentificationError::Interrupted),
        told => Ok(told.unwrap_or_default()),
    }
}

/// What was found in one band.
pub(crate) struct Fit {
    pub(crate) friction_trials: Vec<FrictionTrials>,
    pub(crate) log: Accumulated,
    pub(crate) estimate: Estimate,
    pub(crate) deviations: Deviations,
    pub(crate) attenuation: Option<Attenuation>,
    pub(crate) zeros: Zeros,
}

/// Chooses friction, if that is asked for, and estimates with uncertainties.
fn fit(
    problem: &mut Problem,
    source: &mut dyn Source,
    settings: &mut Settings,
    cutoff_trials: &mut Option<CutoffTrials>,
) -> Result<Fit, IdentificationError> {
    let plain = settings.clone();
    let mut friction_trials = choose_friction(problem, source, settings, cutoff_trials.is_some())?;
    if has_chosen(&friction_trials)
        && let Some(again) = source.prepare_again(problem, settings)?
    {
        let moved = cutoff_trials.as_ref().is_none_or(|before| before.chosen != again.chosen);
        *cutoff_trials = Some(again);
        // What was chosen in one band may not be what another needs.
        if moved {
            *problem = problem.with_friction(&plain)?;
            *settings = plain;
            friction_trials = choose_friction(problem, source, settings, true)?;
        }
    }
    let (log, estimate) = settle_loads(problem, source, settings)?;
    let gathered = block_scores(problem, source, &estimate, settings)?;
    let lateness = match lateness_in_widest_band(problem, source, settings, cutoff_trials.as_ref()) {
        Err(IdentificationError::Interrupted) => return Err(IdentificationError::Interrupted),
        // Whatever is wrong with that band, lags show in the other as well as they can.
        told => told.unwrap_or_default(),
    };
    let counts = log.training.counts();
    let deviations = deviations_with(&estimate, gathered, &counts, counts.iter().sum(), lateness);
    let attenuation = match attenuation(problem, source, settings, deviations.inflation()) {
        Err(IdentificationError::Interrupted) => return Err(IdentificationError::Interrupted),
        // Whatever is wrong with instruments, the estimate does not need them.
        compared => compared.unwrap_or_default(),
    };
    let zeros = match wrong_zeros(problem, source, settings, &estimate, &deviations) {
        Err(IdentificationError::Interrupted) => return Err(IdentificationError::Interrupted),
        // Whatever is wrong with other zeros, the estimate is for the file's.
        found => found.unwrap_or_default(),
    };
    Ok(Fit { friction_trials, log, estimate, deviations, attenuation, zeros })
}

/// Tries terms of friction, if that is asked for, and takes those that are worth it into problem and settings.
fn choose_friction(
    problem: &mut Problem,
    source: &mut dyn Source,
    settings: &mut Settings,
    is_filtered: bool,
) -> Result<Vec<FrictionTrials>, IdentificationError> {
    let friction_trials = match settings.choose_friction {
        // Whatever is wrong with a log, the pass over all of it says better.
        true => match friction_trials(problem, source, settings) {
            Err(IdentificationError::Interrupted) => return Err(IdentificationError::Interrupted),
            tried => tried.unwrap_or_default(),
        },
        false => Vec::new(),
    };
    let simple = settings.friction();
    for trials in &friction_trials {
        let of = |&term: &FrictionTerm| JointFriction { joint: Some(trials.joint.clone()), term };
        settings.friction_terms.extend(trials.chosen.iter().map(of));
    }
    if has_chosen(&friction_trials) {
        let mut rich = problem.with_friction(settings)?;
        if rich.depends_on_load() && is_filtered {
            let (loads, _) = loads(problem, &rich, &source.trial_recordings(simple)?)?;
            rich.set_load_by(&loads);
        }
        *problem = rich;
    }
    source.carry(settings.friction());
    Ok(friction_trials)
}

fn has_chosen(friction_trials: &[FrictionTrials]) -> bool {
    friction_trials.iter().any(|trials| !trials.chosen.is_empty())
}

/// Passes over the log while friction depends on load: each takes the load from the one before.
const LOAD_ROUNDS: usize = 3;

/// Reduces the log and estimates, as often as friction that depends on load needs it.
fn settle_loads(
    problem: &mut Problem,
    source: &mut dyn Source,
    settings: &mut Settings,
) -> Result<(Accumulated, Estimate), IdentificationError> {
    let rounds = if problem.depends_on_load() { LOAD_ROUNDS } else { 1 };
    if rounds > 1 && settings.payload.is_some() {
        // All but the payload is the file's.
        let file = problem.base_values(problem.prior());
        problem.set_load_by(&file);
    }
    for round in 1.. {
        let log = accumulate(problem, source, settings.threads())?;
        log.check(problem, settings)?;
        let settled = settled(problem, &log, settings);
        let estimate = estimate(problem, source, &log.training, &settled)?;
        if round == rounds {
            *settings = settled;
            return Ok((log, estimate));
        }
        problem.set_load_by(&estimate.solution.values);
    }
    Err(IdentificationError::NoFiniteResult)
}

/// What one pass over the log leaves of it.
#[derive(Clone, Debug)]
pub(crate) struct Accumulated {
    pub(crate) training: Reduced,
    pub(crate) validation: Reduced,
    /// Slower than this, rad/s or m/s, a row does not count: the most of all chunks.
    pub(crate) least_speeds: Vec<f64>,
    /// Labels of dry friction that was not filtered although forces were.
    pub(crate) unfiltered: BTreeSet<String>,
    pub(crate) flight: FreeFlight,
}

impl Accumulated {
    /// Nothing taken in yet.
    pub(crate) fn new(problem: &Problem) -> Self {
        Accumulated {
            training: Reduced::new(problem),
            validation: Reduced::new(problem),
            least_speeds: vec![0.0; problem.rows().len()],
            unfiltered: BTreeSet::new(),
            flight: FreeFlight::new(problem),
        }
    }

    /// Takes all samples of a log in.
    pub(crate) fn absorb(
        &mut self,
        problem: &Problem,
        source: &mut dyn Source,
        threads: NonZeroUsize,
    ) -> Result<(), IdentificationError> {
        source.chunks(&mut |recording| {
            check(recording, problem.mechanism())?;
            let own = problem.least_speeds(recording);
            self.least_speeds.iter_mut().zip(own).for_each(|(most, own)| *most = most.max(own));
            self.unfiltered.extend(problem.unfiltered_friction(recording));
            self.flight.absorb(recording, problem.mechanism());
            self.training.absorb(problem, recording, Role::Training, threads)?;
            self.validation.absorb(problem, recording, Role::Validation, threads)
        })
    }

    /// Takes in what another has taken in.
    pub(crate) fn merge(&mut self, other: &Accumulated) {
        self.training.merge(&other.training);
        self.validation.merge(&other.validation);
        self.least_speeds.iter_mut().zip(&other.least_speeds).for_each(|(most, own)| *most = most.max(*own));
        self.unfiltered.extend(other.unfiltered.iter().cloned());
        self.flight.merge(&other.flight);
    }

    /// Refuses what nothing can be estimated from.
    pub(crate) fn check(&self, problem: &Problem, settings: &Settings) -> Result<(), IdentificationError> {
        if !settings.free_flight {
            self.flight.check(problem.mechanism())?;
        }
        let silent = self.training.squares().iter().all(|square| *square == 0.0);
        if silent && problem.mechanism().robot().is_floating() {
            return Err(IdentificationError::NoScaleInFlight);
        }
        let (samples, unknown) = (self.training.samples, problem.base().len());
        let counted: usize = self.training.counts().iter().sum();
        let by_rest = problem.rows().iter().all(|row| row.least_speed.is_none());
        if counted == 0 && samples > 0 && by_rest && self.least_speeds.iter().all(|speed| *speed > 0.0) {
            let rows = problem.rows().iter().map(|row| row.name.clone()).collect();
            return Err(IdentificationError::NothingMoves { rows });
        }
        match counted < unknown {
            true => Err(IdentificationError::TooFewSamples { samples: samples.min(counted), unknown }),
            false => Ok(()),
        }
    }
}

/// Reduces the samples of both roles to triangles.
pub(crate) fn accumulate(
    problem: &Problem,
    source: &mut dyn Source,
    threads: NonZeroUsize,
) -> Result<Accumulated, IdentificationError> {
    let mut log = Accumulated::new(problem);
    log.absorb(problem, source, threads)?;
    Ok(log)
}

/// The settings with what the defaults became on this log.
pub(crate) fn settled(problem: &Problem, log: &Accumulated, settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.threads = Some(settings.threads());
    let given = |row: &MeasuredForce| settings.least_speed.iter().any(|(joint, _)| *joint == row.name);
    let speeds = problem.rows().iter().zip(&log.least_speeds);
    let speeds = speeds.filter(|(row, speed)| **speed > 0.0 || given(row));
    settings.least_speed = speeds.map(|(row, speed)| (row.name.clone(), *speed)).collect();
    let usual = log.training.samples / BLOCKS.max(2 * problem.base().len());
    settings.block = Some(settings.block.unwrap_or(usual).max(1));
    settings
}

/// Base parameters by least squares, and the noise of every row.
pub(crate) struct Estimate {
    pub(crate) solution: LeastSquares,
    pub(crate) noise: Noise,
    /// The training samples as the estimator weighs them.
    counted: Reduced,
    /// The noise of those.
    counted_noise: Noise,
    /// How simulated motion was fitted, and the scores of its blocks.
    pub(crate) simulated: Option<(IdentificationNote, Vec<Vec<Vec<f64>>>)>,
    /// What made them of the rows as they are, with instruments.
    pub(crate) projection: Option<Projection>,
    /// The base parameters of the file.
    pub(crate) prior: Vec<f64>,
}

/// Least squares as the settings ask for; Huber's and instruments run over the log again.
pub(crate) fn estimate(
    problem: &Problem,
    source: &mut dyn Source,
    training: &Reduced,
    settings: &Settings,
) -> Result<Estimate, IdentificationError> {
    let prior = problem.base_values(problem.prior());
    let gains = problem.gains();
    let mut projection = None;
    let (solution, noise, counted) = match settings.estimator {
        Estimator::Ordinary if gains.iter().all(Option::is_none) => {
            let (solution, noise) = ordinary(training, &prior);
            (solution, noise, training.clone())
        }
        Estimator::Ordinary
        | Estimator::Weighted
        | Estimator::Ridge { .. }
        | Estimator::Simulation { .. } => weighted(training, &gains, &prior)?,
        Estimator::Huber { threshold } => {
            huber(problem, source, training, &prior, threshold, settings.threads())?
        }
        Estimator::Instrumental => {
            let (solution, noise, counted, own) =
                instrumental(problem, source, training, &prior, settings.threads())?;
            projection = Some(own);
            (solution, noise, counted)
        }
    };
    let mut estimate = Estimate {
        counted_noise: noise.clone(),
        solution,
        noise,
        counted,
        simulated: None,
        projection,
        prior,
    };
    if let Estimator::Simulation { window } = settings.estimator {
        simulate(problem, source, training, window, settings, &mut estimate)?;
    }
    let finite = training.squares().into_iter().chain(estimate.solution.values.iter().copied());
    let finite = finite.into_iter().all(f64::is_finite);
    match finite {
        true => Ok(estimate),
        false => Err(IdentificationError::NoFiniteResult),
    }
}

/// Goes on from least squares by simulated motion. It starts at parameters that bodies could have: others may have a
/// mass matrix that is not positive definite, and no motion.
fn simulate(
    problem: &Problem,
    source: &mut dyn Source,
    training: &Reduced,
    window: f64,
    settings: &Settings,
    estimate: &mut Estimate,
) -> Result<(), IdentificationError> {
    let Estimate { solution, noise, counted, .. } = &*estimate;
    let white = sigma_of(solution, &solution.inverse);
    let mut possible = Settings { estimator: Estimator::Weighted, ..settings.clone() };
    possible.consistent.get_or_insert_default();
    let start = model(problem, (solution, &white), (counted, noise), &mut possible)?;
    let found = simulated(problem, source, &problem.base_values(&start.all), window, settings)?;
    estimate.noise = Noise::of(training, &found.solution.values, found.solution.rank);
    estimate.counted_noise = Noise { sigma: vec![1.0] };
    (estimate.solution, estimate.counted) = (found.solution, found.counted);
    estimate.simulated = Some((found.note, found.scores));
    Ok(())
}

/// What a user should know of this identification.
fn remarks(
    problem: &Problem,
    log: &Accumulated,
    model_notes: Vec<IdentificationNote>,
    shown: usize,
) -> Vec<IdentificationNote> {
    let mut notes = Vec::new();
    notes.extend(standing(problem, [&log.training, &log.validation], &log.least_speeds));
    if !log.unfiltered.is_empty() {
        let drives = log.unfiltered.iter().cloned().collect();
        notes.push(IdentificationNote::FrictionNotFiltered { drives });
    }
    notes.extend(model_notes);
    let of = problem.base().len();
    if shown < of {
        notes.push(IdentificationNote::PartlyShown { shown, of });
    }
    notes
}

/// The base parameters with their uncertainties; `values` are those of the final model.
fn parameters(
    problem: &Problem,
    estimate: &Estimate,
    deviations: &Deviations,
    values: &[f64],
) -> Vec<IdentifiedParameter> {
    let parameter = |k: usize| {
        let base = &problem.base()[k];
        let (white, robust) = (deviations.white[k], deviations.robust(k));
        let sigma = robust.map_or(white, |robust| robust.max(white)).hypot(deviations.moved[k]);
        IdentifiedParameter {
            name: problem.labels()[base.column].clone(),
            terms: base.terms.iter().map(|&(c, factor)| (problem.labels()[c].clone(), factor)).collect(),
            value: values[k],
            least_squares: estimate.solution.values[k],
            sigma,
            white_sigma: white,
            robust_sigma: robust,
            relative_sigma: 100.0 * sigma / values[k].abs(),
            prior: estimate.prior[k],
        }
    };
    (0..problem.base().len()).map(parameter).collect()
}

/// Numbers of drives that cannot be negative, as zero where a barrier has them at nothing: below a millionth of the
/// deviation of what they are seen in.
fn zero_at_bounds(problem: &Problem, sigma: &[f64], all: &mut [f64]) {
    let negative = problem.cannot_be_negative();
    for column in (0..all.len()).filter(|&column| negative[column]) {
        let mut seen = problem.base().iter().zip(sigma).filter_map(|(base, sigma)| {
            let term = base.terms.iter().find(|(other, _)| *other == column);
            term.map(|(_, factor)| (0.0..1e-6 * sigma).contains(&(factor.abs() * all[column])))
        });
        if seen.next().is_some_and(|first| first && seen.all(|below| below)) {
            all[column] = 0.0;
        }
    }
}

/// Whether each body is physically consistent.
fn consistency(problem: &Problem, all: &[f64]) -> Vec<LinkConsistency> {
    let names = problem.measurement().bodies(problem.mechanism());
    let link_consistency = |(body, link): (usize, String)| {
        let mut ten = [0.0; 10];
        ten.copy_from_slice(&all[inertial_columns(body)]);
        let inertia = PseudoInertia::from_parameters(&ten);
        let matrix = pseudo_inertia(&ten);
        let trace: f64 = (0..4).map(|k| matrix[k][k]).sum();
        let least_eigenvalue = if trace == 0.0 { 0.0 } else { symmetric_eigen(&matrix).0[0] / trace.abs() };
        let problem = inertia.check().err().map(|problem| problem.to_string());
        LinkConsistency { link, inertia, least_eigenvalue, problem }
    };
    names.into_iter().enumerate().map(link_consistency).collect()
}

/// The robot with new inertias and drives. What was lumped keeps its own inertia; the link that moves takes
/// up the difference.
fn patched(problem: &Problem, all: &[f64]) -> Result<Robot, RobotError> {
    let bodies = problem.measurement().bodies(problem.mechanism());
    let first = inertial_count(problem.body_count());
    // What was known or not seen keeps the file's numbers to the last bit.
    let inertias = bodies.into_iter().enumerate().filter_map(|(k, body)| {
        let (new, old) = (&all[inertial_columns(k)], &problem.prior()[inertial_columns(k)]);
        (new != old).then(|| (body, PseudoInertia::from_parameters(&std::array::from_fn(|i| new[i]))))
    });
    let driven = problem.measurement().driven().into_iter().zip(all[first..].chunks_exact(4));
    let drives = driven.map(|((joint, _), four)| NewDrive {
        joint: joint.to_owned(),
        rotor_inertia: four[0],
        friction: Friction {
            further: problem.further_friction(joint, all),
            ..Friction::simple(four[1], four[2], four[3])
        },
    });
    let new = NewDynamics { inertias: inertias.collect(), drives: drives.collect() };
    problem.mechanism().robot().with_dynamics(&new)
}
