//! Output error: parameters whose simulated motion is nearest to the recorded one.
//!
//! Inverse dynamics need accelerations, and noise in them biases least squares. Here the recorded forces drive a
//! simulation, M(q, β) q̈ = τ − h(q, q̇, β) with drives and friction, and simulated positions (and velocities, where they
//! were recorded) are compared with the recorded ones, unfiltered. The log is cut into windows, each with an unknown
//! start, so that no simulation runs far away (multiple shooting). For small robots on a fixed base, under-actuated
//! ones included: every joint with a torque, or with none.

mod fit;
mod forward;
mod stretch;
#[cfg(test)]
mod tests;
mod window;

use std::time::{Duration, Instant};

use steiner_identifiability::MeasuredRow;
use steiner_logs::{DryFriction, Recording};

use fit::{Fit, Free, Optimum, shared};
use stretch::Stretch;
use window::Window;

use crate::accumulate::{Reduced, Source};
use crate::estimate::{LeastSquares, least_squares};
use crate::failure::IdentificationError;
use crate::note::IdentificationNote;
use crate::problem::Problem;
use crate::settings::Settings;

/// Coordinates, at most.
const MOST_COORDINATES: usize = 8;
/// Simulated steps for one set of parameters, at most, times coordinates.
const MOST_STEPS: usize = 400_000;
/// Nobody waits longer than this for an optimum: robots with many joints may need hours.
const LONGEST: Duration = Duration::from_secs(180);
/// Parts of a sample that are tried as steps of the simulation.
const PARTS: [usize; 5] = [1, 2, 4, 8, 16];
/// Steps are short enough if half of them changes the residual by less than this.
const SHORT_ENOUGH: f64 = 1e-2;
/// Blocks of neighbouring samples for uncertainties, at least; and twice as many as there are parameters.
const BLOCKS: usize = 40;

/// What a simulation makes of a log.
pub(crate) struct Simulated {
    pub(crate) solution: LeastSquares,
    /// The problem as it is linear near the solution, in units of the noise, starts eliminated: one row.
    pub(crate) counted: Reduced,
    /// Scores of blocks of neighbouring samples, by stretch.
    pub(crate) scores: Vec<Vec<Vec<f64>>>,
    pub(crate) note: IdentificationNote,
}

/// Fits simulated motion to the training samples, from base parameters that a body could have.
pub(crate) fn simulated(
    problem: &Problem,
    source: &mut dyn Source,
    start: &[f64],
    seconds: f64,
    settings: &Settings,
) -> Result<Simulated, IdentificationError> {
    check(problem)?;
    let started = Instant::now();
    let go_on = |source: &mut dyn Source, steps: usize| {
        if started.elapsed() > LONGEST {
            return Err(IdentificationError::SimulationSlow { seconds: LONGEST.as_secs(), steps });
        }
        source.working(steps as f64 / (steps as f64 + 5.0))
    };
    let recordings = source.unfiltered()?;
    let smooth = problem.with_dry_friction(smoothed(problem, &recordings));
    let dof = problem.mechanism().dof();
    let mut stretches = Vec::new();
    for recording in &recordings {
        if !recording.contacts.is_empty() {
            return Err(not_simulated("does not know contacts or known payloads"));
        }
        let own = Stretch::of(recording, dof);
        stretches.extend(own.ok_or_else(|| not_simulated("needs a column t, or the rate of the log"))?);
    }
    let windows: Vec<Window<'_>> = (stretches.iter().enumerate())
        .flat_map(|(of, stretch)| {
            stretch.windows(seconds).into_iter().map(move |samples| Window { stretch, of, samples })
        })
        .collect();
    if windows.is_empty() {
        return Err(not_simulated("needs a dozen training samples without pauses between them"));
    }
    let mut fit = Fit { problem: &smooth, windows, parts: 1, threads: settings.threads() };
    let starts: Vec<Vec<f64>> =
        fit.windows.iter().map(|window| window.stretch.state_near(window.samples.start)).collect();
    let mut point = None;
    for parts in PARTS {
        fit.parts = parts;
        if parts * fit.samples() * dof > MOST_STEPS {
            return Err(IdentificationError::SimulationTooLong {
                steps: parts * fit.samples(),
                dof,
                most: MOST_STEPS / dof,
            });
        }
        go_on(source, 0)?;
        let now = fit.point(start.to_vec(), starts.clone());
        let alike = |a: &fit::Point, b: &fit::Point| {
            a.squares.iter().zip(&b.squares).all(|(a, b)| (a / b - 1.0).abs() < 2.0 * SHORT_ENOUGH)
        };
        let enough = matches!((&point, &now), (Some(a), Some(b)) if alike(a, b));
        point = now;
        if enough {
            break;
        }
    }
    let point =
        point.ok_or_else(|| not_simulated("loses the motion with the parameters of least squares"))?;
    // What least squares leave; a start that cannot be settled is only a worse start.
    let before = fit.descend(point.clone(), Free::Starts, |_| go_on(source, 0))?;
    let (point, before) = match before {
        Some(before) => (before.point.clone(), Some(before.point.squares)),
        None => (point, None),
    };
    let found = fit.descend(point, Free::All, |steps| go_on(source, steps))?;
    let optimum = found.ok_or(IdentificationError::SimulationUnsettled)?;
    let note = note(&fit, &optimum, before.as_deref());
    finished(&fit, optimum, note).ok_or(IdentificationError::SimulationUnsettled)
}

fn not_simulated(why: &str) -> IdentificationError {
    IdentificationError::NotSimulated { why: why.to_owned() }
}

/// Whether the problem is one for simulation.
fn check(problem: &Problem) -> Result<(), IdentificationError> {
    let mechanism = problem.mechanism();
    let one_by_one =
        mechanism.configuration_size() == mechanism.dof() && mechanism.tree_dof() == mechanism.dof();
    if mechanism.robot().is_floating() || !mechanism.closure().is_trivial() || !one_by_one {
        return Err(not_simulated("is for trees of one-dof joints on a fixed base, without loops"));
    }
    if mechanism.dof() > MOST_COORDINATES {
        return Err(not_simulated(&format!("is for at most {MOST_COORDINATES} joints")));
    }
    let forces = problem.rows().iter().filter(|row| matches!(row.kind, MeasuredRow::Force(_))).count();
    if forces != mechanism.dof() || problem.rows().len() != forces {
        return Err(not_simulated("needs the forces of all joints, and of nothing else"));
    }
    match problem.depends_on_load() {
        true => Err(not_simulated("does not know friction that depends on load")),
        false => Ok(()),
    }
}

/// Dry friction that a simulation can follow: a jump at zero becomes a slope over the speed below which joints stand.
fn smoothed(problem: &Problem, recordings: &[Recording]) -> DryFriction {
    match problem.dry_friction() {
        DryFriction::Sign => {
            let speeds = recordings.iter().flat_map(|recording| recording.rest.iter().copied());
            let least = speeds.filter(|speed| *speed > 0.0).fold(f64::INFINITY, f64::min);
            DryFriction::Smoothed { speed: if least.is_finite() { least } else { STANDING } }
        }
        smooth => smooth,
    }
}

/// Speed over which dry friction changes where the log does not tell, rad/s or m/s.
const STANDING: f64 = 0.01;

fn note(fit: &Fit<'_>, optimum: &Optimum, before: Option<&[f64]>) -> IdentificationNote {
    let samples = fit.samples() as f64;
    let names = fit.problem.mechanism().independent_names();
    let period = fit.windows.first().map_or(0.0, |window| window.stretch.period);
    IdentificationNote::Simulated {
        windows: fit.windows.len(),
        seconds: samples * period / fit.windows.len() as f64,
        rate: fit.parts as f64 / period,
        steps: optimum.steps,
        distance: optimum.distance,
        deviations: (names.into_iter().enumerate())
            .map(|(c, name)| {
                let rms = |squares: &[f64]| (squares[c] / samples).sqrt();
                (name, rms(&optimum.point.squares), before.map_or(f64::NAN, rms))
            })
            .collect(),
    }
}

/// The linear problem at the optimum, and the scores of its blocks.
fn finished(fit: &Fit<'_>, optimum: Optimum, note: IdentificationNote) -> Option<Simulated> {
    let point = optimum.point;
    let noise = fit.noise(&point);
    let (states, p) = (2 * fit.dof(), point.base.len());
    let triangles = fit.triangles(&point, &noise)?;
    let near = shared(&triangles, states).with_rows(|row| {
        row[p] += row[..p].iter().zip(&point.base).map(|(a, b)| a * b).sum::<f64>();
    });
    let mut solution = least_squares(&near, &point.base);
    solution.values.clone_from(&point.base);
    let counted = Reduced::of_one(near, p, fit.samples());
    let blocks = BLOCKS.max(2 * p).div_ceil(fit.windows.len());
    let (columns, channels) = (states + p + 1, noise.len());
    let of_windows = fit.linearised(&point, &noise, |k, rows| {
        let by_start = by_start(&triangles[k], states, p);
        let samples = rows.len() / (columns * channels);
        let mut out = vec![vec![0.0; p]; blocks.min(samples).max(1)];
        let count = out.len();
        for (r, row) in rows.chunks_exact(columns).enumerate() {
            let score = &mut out[(r / channels) * count / samples.max(1)];
            for b in 0..p {
                let start: f64 = (0..states).map(|s| row[s] * by_start[s][b]).sum();
                score[b] += (row[states + b] - start) * row[states + p];
            }
        }
        out
    })?;
    let stretches = fit.windows.last().map_or(0, |window| window.of + 1);
    let mut scores = vec![Vec::new(); stretches];
    fit.windows.iter().zip(of_windows).for_each(|(window, own)| scores[window.of].extend(own));
    Some(Simulated { solution, counted, scores, note })
}

/// How the start that fits best follows the parameters: R_start⁻¹ R_β, states by parameters.
fn by_start(triangle: &steiner_linalg::triangle::Triangle, states: usize, p: usize) -> Vec<Vec<f64>> {
    let mut out = vec![vec![0.0; p]; states];
    for k in (0..states).rev() {
        for b in 0..p {
            let known: f64 = (k + 1..states).map(|c| triangle.entry(k, c) * out[c][b]).sum();
            out[k][b] = (triangle.entry(k, states + b) - known) / triangle.entry(k, k);
        }
    }
    out
}
