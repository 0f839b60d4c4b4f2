//! Gautier's numeric method: a regressor at random feasible states, in doubles, and what its QR and singular
//! values say.
//!
//! For comparison with the certified nullspace, and for judging recorded motions: there the states are the
//! user's.

use steiner_dynamics::{Feasible, Mechanism};
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::{pivoted_qr, singular};
use steiner_linalg::{RankDecision, Stream};

use crate::drives::Drive;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::nullspace::{NullVector, bodies_of};
use crate::reason::Reason;

/// States, at least: what \[sun2025\] takes for its serial robots.
const LEAST_SAMPLES: usize = 100;
/// Motions at each configuration of a walk: to walk takes longer than to move.
const MOTIONS: usize = 4;
/// Configurations of one walk.
const STRAIGHT: usize = 8;
/// Condition number of the passive Jacobian beyond which \[sun2025\] discards a state of a mechanism with
/// loops. Mixing radians with metres, it can be larger everywhere; then states up to three times worse than
/// the reference are taken.
const WORST_CONDITION: f64 = 30.0;
/// Null vectors whose span has relative singular values below this depend on each other: their entries are
/// solutions in doubles, good to ten digits or so.
const INDEPENDENT: f64 = 1e-10;

/// How the numeric method samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumericOptions {
    /// States, at least.
    pub samples: usize,
    /// Error left in the dependent coordinates of loops, rad or m: 0 closes them to rounding; a general
    /// solver left alone with its defaults leaves 1e-6 or so.
    pub closure_error: f64,
}

impl Default for NumericOptions {
    fn default() -> Self {
        NumericOptions { samples: LEAST_SAMPLES, closure_error: 0.0 }
    }
}

/// What the numeric method finds.
#[derive(Clone, Debug)]
pub struct NumericNullspace {
    /// The nullspace of the QR.
    pub vectors: Vec<NullVector>,
    /// The decision by the diagonal of the QR, at Gautier's tolerance; it counts parameters known beforehand.
    pub decision: RankDecision,
    /// Rank by the diagonal of the QR, of the parameters not known beforehand.
    pub rank_by_qr: usize,
    /// Rank by the singular values, at the same tolerance.
    pub rank_by_singular_values: usize,
    /// Diagonal of R over its first entry, falling.
    pub diagonal: Vec<f64>,
    /// Singular values over the first, falling.
    pub singular_values: Vec<f64>,
    /// States used.
    pub samples: usize,
    /// States tried: with loops many cannot be assembled or are close to a singularity.
    pub attempts: usize,
}

impl NumericNullspace {
    /// Smallest diagonal entry counted over the largest that was not: how clear the rank is.
    pub fn gap(&self) -> f64 {
        self.decision.gap()
    }
}

/// The criteria (101) of \[sun2025\] for a basis of the nullspace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Criteria {
    /// Dimension of the complement B of the basis.
    pub complement: usize,
    /// Rank of Y B; (101a) asks that it equals the dimension of B.
    pub rank_on_complement: usize,
    /// ‖Y N‖_F, which (101b) asks to vanish, over ‖Y‖_F ‖N‖_F.
    pub residual: f64,
}

impl Criteria {
    /// (101a) and (101b), the latter to half of the digits of a double.
    pub fn hold(&self) -> bool {
        self.complement == self.rank_on_complement && self.residual < 1e-8
    }
}

/// The nullspace as doubles see it.
pub fn numeric_nullspace(
    mechanism: &Mechanism,
    measurement: &Measurement,
    options: &NumericOptions,
) -> Result<NumericNullspace, IdentifiabilityError> {
    let Stacked { rows, samples, attempts } = stacked(mechanism, measurement, options)?;
    let columns = measurement.columns(mechanism);
    let tolerance = tolerance(&rows);
    let qr = pivoted_qr(rows);
    let decision = qr.decide_rank(tolerance);
    let rank = decision.rank;
    let found = singular(qr.r.clone());
    let by_singular_values = found.decide_rank(tolerance).rank;
    let relative = |values: Vec<f64>| -> Vec<f64> {
        let first = values.first().copied().unwrap_or(1.0);
        values.into_iter().map(|x| if first > 0.0 { x / first } else { 0.0 }).collect()
    };
    let singular_values = relative(found.values);
    let vectors = qr.nullspace(rank).iter().map(|v| null_vector(mechanism, measurement, v)).collect();
    let known = measurement.known().len();
    debug_assert!(rank >= known && columns >= rank);
    Ok(NumericNullspace {
        vectors,
        decision,
        rank_by_qr: rank - known,
        rank_by_singular_values: by_singular_values - known,
        diagonal: relative(qr.diagonal()),
        singular_values,
        samples,
        attempts,
    })
}

/// The criteria (101) for given vectors, on fresh states.
pub fn criteria(
    mechanism: &Mechanism,
    measurement: &Measurement,
    vectors: &[NullVector],
) -> Result<Criteria, IdentifiabilityError> {
    let y = stacked(mechanism, measurement, &NumericOptions::default())?.rows;
    let columns = measurement.columns(mechanism);
    let mut basis = Matrix::<f64>::zeros(vectors.len(), columns);
    for (r, vector) in vectors.iter().enumerate() {
        vector.entries.iter().for_each(|&(c, x)| basis[(r, c)] = x);
    }
    let found = singular(basis.clone());
    let complement = &found.vectors[found.decide_rank(INDEPENDENT).rank..];
    let b = Matrix::from_fn(columns, complement.len(), |r, c| complement[c][r]);
    let norm = |m: &Matrix<f64>| m.entries().iter().map(|x| x * x).sum::<f64>().sqrt();
    let shown = y.times(&basis.transpose());
    let scale = norm(&y) * norm(&basis);
    let yb = y.times(&b);
    let (tolerance, qr) = (tolerance(&yb), pivoted_qr(yb));
    Ok(Criteria {
        complement: complement.len(),
        rank_on_complement: qr.decide_rank(tolerance).rank,
        residual: if scale > 0.0 { norm(&shown) / scale } else { 0.0 },
    })
}

/// Gautier's: rows and columns times the rounding of a double.
fn tolerance(rows: &Matrix<f64>) -> f64 {
    rows.rows().max(rows.columns()) as f64 * f64::EPSILON
}

fn null_vector(mechanism: &Mechanism, measurement: &Measurement, values: &[f64]) -> NullVector {
    let largest = values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let entries: Vec<(usize, f64)> =
        values.iter().copied().enumerate().filter(|(_, x)| x.abs() > 1e-10 * largest).collect();
    let bodies = bodies_of(&measurement.parameters(mechanism), &entries);
    NullVector { entries, reason: Reason::unexplained(bodies.clone()), bodies }
}

/// The stacked regressor at random states, and how many they are.
pub(crate) fn stacked_rows(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<(Matrix<f64>, usize), IdentifiabilityError> {
    let stacked = stacked(mechanism, measurement, &NumericOptions::default())?;
    Ok((stacked.rows, stacked.samples))
}

/// Walks from the reference along the branch of a mechanism with loops, each about straight: a crank goes all the way
/// round. What slides stays near, as it has no end of its own and far away levers grow.
struct Walks<'m> {
    mechanism: &'m Mechanism,
    stream: Stream,
    /// How far independent coordinates move from one configuration to the next, rad or lengths of a link.
    reach: f64,
    /// Pivot ratio of the passive Jacobian below which a configuration is too close to a singularity.
    least_pivot: f64,
    here: Vec<f64>,
    course: Vec<f64>,
    /// How far this walk has gone, and its configurations so far.
    gone: Vec<f64>,
    steps: usize,
}

impl Walks<'_> {
    /// The next configuration; `None` where there is none at the first attempt, or only a nearly singular one.
    fn next(&mut self) -> Option<()> {
        let mechanism = self.mechanism;
        if self.steps.is_multiple_of(STRAIGHT) {
            let course: Vec<f64> = (0..mechanism.dof()).map(|_| self.stream.uniform()).collect();
            let farthest = course.iter().fold(f64::MIN_POSITIVE, |most: f64, x| most.max(x.abs()));
            self.course = course.into_iter().map(|x| x / farthest).collect();
            self.here = mechanism.reference_tree().to_vec();
            self.gone = vec![0.0; mechanism.dof()];
        }
        let slides = |k: usize| mechanism.tree().translates[mechanism.plan().independent[k]];
        let step = |k: usize| match slides(k) {
            true => self.reach * self.stream.uniform() - self.gone[k],
            false => self.reach * (0.8 * self.course[k] + 0.2 * self.stream.uniform()),
        };
        let delta: Vec<f64> = (0..mechanism.dof()).map(step).collect();
        let there = mechanism.walked_from(&self.here, &delta);
        let Some(there) = there else {
            // Near the edge of the workspace: another way, and a shorter one if it ends at once.
            if self.steps.is_multiple_of(STRAIGHT) {
                self.reach = (0.85 * self.reach).max(0.02);
            }
            self.steps = 0;
            return None;
        };
        self.here = there;
        self.gone.iter_mut().zip(&delta).for_each(|(x, step)| *x += step);
        self.steps += 1;
        // A walk may pass a singularity, but looks elsewhere.
        (mechanism.passive_pivot_ratio(&self.here) >= self.least_pivot).then_some(())
    }
}

/// The regressor at states all along the branch of a mechanism with loops, and how many they are.
pub(crate) fn rows_along_branch(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<(Matrix<f64>, usize), IdentifiabilityError> {
    let (reference, stream) = (mechanism.reference_tree().to_vec(), Stream::new(7));
    let least_pivot = WORST_CONDITION.recip().min(0.3 * mechanism.passive_pivot_ratio(&reference));
    let (here, course, gone) = (reference, Vec::new(), Vec::new());
    let mut walks = Walks { mechanism, stream, reach: 0.6, least_pivot, here, course, gone, steps: 0 };
    let mut rows = Matrix::zeros(0, measurement.columns(mechanism));
    let (mut samples, mut attempts) = (0, 0);
    while samples < LEAST_SAMPLES || rows.rows() < 4 * rows.columns() {
        attempts += 1;
        if attempts > 50 * (samples + 4) {
            return Err(IdentifiabilityError::TooFewConfigurations {
                robot: mechanism.robot().name.clone(),
                found: samples,
                wanted: LEAST_SAMPLES,
            });
        }
        if walks.next().is_none() {
            continue;
        }
        let before = rows.rows();
        if let Ok((assembled, _)) = mechanism.closure().assembled(mechanism.plan(), &walks.here) {
            for _ in 0..MOTIONS {
                let mut rates = || (0..mechanism.dof()).map(|_| walks.stream.uniform()).collect::<Vec<f64>>();
                let (qd, qdd) = (rates(), rates());
                push_rows(&mut rows, mechanism, measurement, &assembled.moving(&qd, &qdd))?;
                samples += 1;
            }
        }
        // Where nothing is measured there is nothing more to see.
        if samples > 0 && rows.rows() == before {
            break;
        }
    }
    Ok((rows, samples))
}

/// The rows of a state as a log would have them: with the signs that velocities have there.
fn push_rows(
    rows: &mut Matrix<f64>,
    mechanism: &Mechanism,
    measurement: &Measurement,
    state: &Feasible<f64>,
) -> Result<(), IdentifiabilityError> {
    let sign = |drive: &Drive| state.velocity[drive.velocity].signum();
    let signs: Vec<f64> = measurement.drives().iter().map(sign).collect();
    let more = measurement.rows(mechanism, mechanism.tree(), state, &signs)?;
    (0..more.rows()).for_each(|r| rows.push_row(more.row(r)));
    Ok(())
}

/// What is known beforehand is as good as measured by itself.
fn rows_of_known(mechanism: &Mechanism, measurement: &Measurement) -> Matrix<f64> {
    let known = measurement.known();
    let unit = |r: usize, c: usize| if c == known[r].0 { 1.0 } else { 0.0 };
    Matrix::from_fn(known.len(), measurement.columns(mechanism), unit)
}

/// A regressor at many states.
struct Stacked {
    rows: Matrix<f64>,
    samples: usize,
    attempts: usize,
}

fn stacked(
    mechanism: &Mechanism,
    measurement: &Measurement,
    options: &NumericOptions,
) -> Result<Stacked, IdentifiabilityError> {
    let columns = measurement.columns(mechanism);
    let mut rows = rows_of_known(mechanism, measurement);
    let mut stream = Stream::new(7);
    let mut reach = 0.6;
    let worst = WORST_CONDITION.max(3.0 * passive_condition(mechanism, mechanism.reference_tree()));
    let (mut samples, mut attempts) = (0, 0);
    while samples < options.samples || rows.rows() < 4 * columns {
        attempts += 1;
        if attempts > 50 * (samples + 4) {
            return Err(IdentifiabilityError::TooFewConfigurations {
                robot: mechanism.robot().name.clone(),
                found: samples,
                wanted: options.samples,
            });
        }
        let Some(state) = random_state(mechanism, &mut stream, reach, worst, options.closure_error) else {
            // Near the edge of the workspace: stay closer.
            if attempts % 4 == 0 {
                reach = (reach * 0.9f64).max(0.02);
            }
            continue;
        };
        let before = rows.rows();
        push_rows(&mut rows, mechanism, measurement, &state)?;
        samples += 1;
        // Where nothing moves there is nothing more to see.
        if rows.rows() == before {
            break;
        }
    }
    Ok(Stacked { rows, samples, attempts })
}

/// A random feasible state: anywhere for trees, around the reference for loops.
pub(crate) fn random_state(
    mechanism: &Mechanism,
    stream: &mut Stream,
    reach: f64,
    worst_condition: f64,
    closure_error: f64,
) -> Option<Feasible<f64>> {
    let closed = !mechanism.robot().loops.is_empty();
    let reach = if closed { reach } else { std::f64::consts::PI };
    let delta: Vec<f64> = (0..mechanism.dof()).map(|_| reach * stream.uniform()).collect();
    let mut q = mechanism.walked(&delta)?;
    if closed && passive_condition(mechanism, &q) > worst_condition {
        return None;
    }
    let left_open = closed && closure_error > 0.0;
    if left_open {
        let mut error = vec![0.0; mechanism.tree_dof()];
        mechanism.plan().dependent.iter().for_each(|&k| error[k] = closure_error * stream.uniform());
        q = mechanism.tree().displaced(&q, &error);
    }
    let mut rates = || -> Vec<f64> { (0..mechanism.dof()).map(|_| stream.uniform()).collect() };
    let (qd, qdd) = (rates(), rates());
    let (closure, plan) = (mechanism.closure(), mechanism.plan());
    let state = if left_open {
        closure.unpolished(plan, &q, &qd, &qdd)
    } else {
        closure.feasible(plan, &q, &qd, &qdd)
    };
    state.ok()
}

/// Condition number of the constraint Jacobian with respect to the dependent velocities.
fn passive_condition(mechanism: &Mechanism, q: &[f64]) -> f64 {
    let jacobian = mechanism.closure().jacobian(q);
    let dependent = &mechanism.plan().dependent;
    let passive = Matrix::from_fn(jacobian.rows(), dependent.len(), |r, c| jacobian[(r, dependent[c])]);
    let values = singular(passive).values;
    match (values.first(), values.last()) {
        (Some(largest), Some(least)) if *least > 0.0 => largest / least,
        (Some(_), _) => f64::INFINITY,
        _ => 1.0,
    }
}
