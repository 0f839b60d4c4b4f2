//! The structural nullspace by completion: sparse supports first, until the rank says that nothing is missing.
//!
//! For a set C of columns, the null vectors supported on C are the nullspace of Y restricted to C. Going through ever
//! larger C and keeping what is independent of what is known gives a sparse basis. Which columns are pivots is
//! decided once, in exact arithmetic where there is one, and replayed in extended precision for the numbers.

use std::collections::{BTreeSet, HashMap, VecDeque};

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_linalg::span::Span;
use steiner_scalar::{DoubleDouble, Field, Fp, QuadDouble, Real, Scalar};

use crate::certificate::{Arithmetic, Certificate, Verified};
use crate::error::IdentifiabilityError;
use crate::known::{Blocked, freed};
use crate::measure::Measurement;
use crate::principles::{Candidate, Principle};
use crate::sampling::{Closed, Rational, RowSource};
use crate::stack::Stack;
use crate::stories::completion_story;

/// A direction in parameter space that no motion shows.
#[derive(Clone, Debug, PartialEq)]
pub struct NullVector {
    /// (column, value), ascending, one of the values being 1.
    pub entries: Vec<(usize, f64)>,
    /// The bodies it involves, ascending.
    pub bodies: Vec<usize>,
    /// Why it is invisible.
    pub principle: Principle,
    /// The joint, loop or coupling it is about, if there is one.
    pub joint: Option<String>,
    /// One sentence about it.
    pub text: String,
}

/// The structural nullspace of a regressor.
#[derive(Clone, Debug)]
pub struct Nullspace {
    /// Number of unknown parameters.
    pub parameters: usize,
    /// A sparse basis.
    pub vectors: Vec<NullVector>,
    /// What is proven about it.
    pub certificate: Certificate,
}

impl Nullspace {
    /// Number of identifiable combinations.
    pub fn identifiable(&self) -> usize {
        self.parameters - self.vectors.len()
    }
}

/// Parameters up to which a tree is decided in extended precision when its geometry is rounded. Elimination grows with the
/// cube: 300 take seconds, a robot of 100 bodies minutes. Beyond, F_p decides about the rounded geometry; if doubles see it differently,
/// the certificate is not complete.
pub(crate) const MOST_IN_EXTENDED: usize = 300;

/// The structural nullspace of a mechanism for what is measured.
pub fn structural_nullspace(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Nullspace, IdentifiabilityError> {
    if let Some(exact) = Rational::<Fp>::new(mechanism, measurement, 1, Stream::residue)? {
        let (exact_geometry, largest_power) = (exact.is_exact(), exact.largest_power());
        let measured = tree_in_thirty_digits(mechanism, measurement)?;
        let mut deciding = Stack::new(exact, measurement, 0.0);
        let mut measuring = Stack::new(measured, measurement, 1e-20);
        let found = complete(mechanism, measurement, &mut deciding, Some(&mut measuring), !exact_geometry)?;
        let is_short = found.rank + found.vectors.len() < found.parameters;
        let disputed =
            !exact_geometry && (is_short || rank_in_doubles(mechanism, measurement)? != found.rank);
        if disputed && found.parameters > MOST_IN_EXTENDED {
            let mut nullspace = found.finish(Arithmetic::PrimeField, false);
            nullspace.certificate.complete = false;
            nullspace.certificate.largest_power = largest_power;
            return Ok(nullspace);
        }
        if disputed {
            // Rounding each angle by itself can undo an alignment that several of them make together (0.1 + 0.2 − 0.3).
            // Thirty digits of the whole see it.
            let mut stack = Stack::new(tree_in_thirty_digits(mechanism, measurement)?, measurement, 1e-20);
            let found =
                complete::<_, Rational<'_, DoubleDouble>>(mechanism, measurement, &mut stack, None, false)?;
            let gap = found.gap;
            return Ok(found.finish(Arithmetic::Extended { digits: 31, gap }, false));
        }
        let mut nullspace = found.finish(Arithmetic::PrimeField, exact_geometry);
        nullspace.certificate.largest_power = largest_power;
        return Ok(nullspace);
    }
    let thirty = in_extended::<DoubleDouble>(mechanism, measurement, 31)?;
    // More digits don't help where the file has few.
    if thirty.certificate.arithmetic.proves() || !thirty.certificate.exact_geometry {
        return Ok(thirty);
    }
    in_extended::<QuadDouble>(mechanism, measurement, 62)
}

pub(crate) fn tree_in_thirty_digits<'m>(
    mechanism: &'m Mechanism,
    measurement: &'m Measurement,
) -> Result<Rational<'m, DoubleDouble>, IdentifiabilityError> {
    let draw = |stream: &mut Stream| DoubleDouble::from_f64(stream.uniform());
    let rows = Rational::new(mechanism, measurement, 2, draw)?;
    Ok(rows.unwrap_or_else(|| unreachable!("a tree in one field is a tree in all")))
}

/// The rank of a tree's regressor as doubles see it: quick, and enough to notice that rounding went wrong elsewhere.
pub(crate) fn rank_in_doubles(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<usize, IdentifiabilityError> {
    let Some(rows) = Rational::<f64>::new(mechanism, measurement, 4, Stream::uniform)? else { return Ok(0) };
    let mut stack = Stack::new(rows, measurement, 1e-9);
    let parameters = measurement.columns(mechanism);
    stack.fill(parameters)?;
    Ok(stack.decide_rank().rank)
}

fn in_extended<R: Real>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    digits: u32,
) -> Result<Nullspace, IdentifiabilityError> {
    let rows = Closed::<R>::new(mechanism, measurement, 3)?;
    let (tolerance, exact_geometry) = rows.tolerance();
    let mut stack = Stack::new(rows, measurement, tolerance);
    let found = complete::<_, Closed<'_, R>>(mechanism, measurement, &mut stack, None, false)?;
    let gap = found.gap;
    Ok(found.finish(Arithmetic::Extended { digits, gap }, exact_geometry))
}

struct Found {
    /// All columns.
    parameters: usize,
    /// How many of them are known beforehand.
    known: usize,
    vectors: Vec<NullVector>,
    rank: usize,
    gap: f64,
}

impl Found {
    fn finish(self, arithmetic: Arithmetic, exact_geometry: bool) -> Nullspace {
        let (parameters, rank) = (self.parameters - self.known, self.rank - self.known);
        let complete = arithmetic.proves() && rank + self.vectors.len() == parameters;
        let null_verified = match arithmetic {
            Arithmetic::PrimeField => Verified::PrimeField,
            Arithmetic::Extended { digits, .. } => Verified::Extended { digits: digits * 3 / 5 },
        };
        let largest_power = 1;
        let certificate =
            Certificate { arithmetic, rank, complete, exact_geometry, null_verified, largest_power };
        Nullspace { parameters, vectors: self.vectors, certificate }
    }
}

/// Grows supports until rank and vectors add up.
fn complete<D: RowSource, M: RowSource<Number: Real>>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    deciding: &mut Stack<D>,
    mut measuring: Option<&mut Stack<M>>,
    by_doubles: bool,
) -> Result<Found, IdentifiabilityError> {
    let parameters = measurement.columns(mechanism);
    deciding.fill(parameters)?;
    if let Some(stack) = &mut measuring {
        stack.fill_like(parameters, 2 * deciding.states)?;
    }
    let decided = deciding.decide_rank();
    let (rank, gap) = (decided.rank, decided.gap());
    let nullity = parameters - rank;
    let mut vectors: Vec<NullVector> = Vec::new();
    let mut known = Known::new(deciding.tolerance.sqrt(), by_doubles, parameters);
    let offset = 10 * measurement.ground_count();
    let proposals = deciding.source.candidates()?;
    let mut numbers = match &mut measuring {
        Some(stack) => Numbers::of::<M>(stack.source.candidates()?),
        None => Numbers::of::<D>(proposals.clone()),
    };
    // Geometry that only one of the two arithmetics can represent may move its points differently in the other: then they
    // don't speak of the same candidates.
    numbers.keep_common(&proposals);
    let mut blocked = Vec::new();
    for proposal in proposals {
        let Some(values) = numbers.next(&proposal) else { continue };
        if vectors.len() == nullity {
            break;
        }
        if !deciding.vanishes(&proposal.entries, offset) {
            continue;
        }
        let mut full = vec![D::Number::zero(); parameters];
        for (column, x) in proposal.entries {
            full[offset + column] = x;
        }
        let numbers = sparse(values.iter().map(|&(c, x)| (offset + c, x)));
        let joint = Some(proposal.joint).filter(|joint| !joint.is_empty());
        let story = (proposal.principle, joint, proposal.text);
        if deciding.known.iter().any(|&column| full[column] != D::Number::zero()) {
            blocked.push(Blocked { in_field: full, numbers, story });
        } else if known.takes(full, &numbers) {
            vectors.push(null_vector(mechanism, measurement, numbers, story));
        }
    }
    for Blocked { in_field, numbers, story } in freed(blocked, &deciding.known) {
        if vectors.len() < nullity && !numbers.is_empty() && known.takes(in_field, &numbers) {
            vectors.push(null_vector(mechanism, measurement, numbers, story));
        }
    }
    for bodies in supports(mechanism, measurement.ground_count()) {
        if vectors.len() == nullity {
            break;
        }
        let columns: Vec<usize> =
            bodies.iter().flat_map(|&body| measurement.columns_of(mechanism, body)).collect();
        let restricted = deciding.restricted(&columns);
        let largest = restricted.largest_weight();
        let local = reduce(restricted, columns.len(), deciding.tolerance * largest);
        let candidates = local.nullspace();
        let free: Vec<usize> = (0..columns.len()).filter(|c| !local.pivots.contains(c)).collect();
        let spread = |vector: &[D::Number]| {
            let mut full = vec![D::Number::zero(); parameters];
            columns.iter().zip(vector).for_each(|(&c, x)| full[c] = x.clone());
            full
        };
        let new: Vec<usize> = (0..free.len()).filter(|&k| known.may_take(&spread(&candidates[k]))).collect();
        if new.is_empty() {
            continue;
        }
        let numbers: Vec<Option<Vec<f64>>> = match &mut measuring {
            Some(stack) => {
                let wanted: Vec<usize> = new.iter().map(|&k| free[k]).collect();
                replay(*stack, &columns, &local.pivots, &wanted)
            }
            None => new.iter().map(|&k| Some(candidates[k].iter().map(D::measure).collect())).collect(),
        };
        for (&k, values) in new.iter().zip(&numbers) {
            let Some(values) = values else { continue };
            let entries = sparse(columns.iter().copied().zip(values.iter().copied()));
            if vectors.len() == nullity || !known.takes(spread(&candidates[k]), &entries) {
                continue;
            }
            let story = completion_story(mechanism, measurement, &entries);
            vectors.push(null_vector(mechanism, measurement, entries, story));
        }
    }
    Ok(Found { parameters, known: measurement.known().len(), vectors, rank, gap })
}

/// The entries of a vector: (column, value).
type Entries = Vec<(usize, f64)>;

/// The numbers of candidates, by what is said of them, in order.
struct Numbers(HashMap<(String, String), VecDeque<Entries>>);

impl Numbers {
    fn key<F>(candidate: &Candidate<F>) -> (String, String) {
        (format!("{} {}", candidate.principle.name(), candidate.joint), candidate.text.clone())
    }

    fn of<S: RowSource>(candidates: Vec<Candidate<S::Number>>) -> Self {
        let mut numbers: HashMap<_, VecDeque<_>> = HashMap::new();
        for candidate in candidates {
            let entries = candidate.entries.iter().map(|(c, x)| (*c, S::measure(x))).collect();
            numbers.entry(Self::key(&candidate)).or_default().push_back(entries);
        }
        Numbers(numbers)
    }

    /// Drops what was not proposed equally often.
    fn keep_common<F>(&mut self, proposals: &[Candidate<F>]) {
        let mut counts: HashMap<(String, String), usize> = HashMap::new();
        proposals.iter().for_each(|proposal| *counts.entry(Self::key(proposal)).or_default() += 1);
        self.0.retain(|key, numbers| counts.get(key) == Some(&numbers.len()));
    }

    fn next<F>(&mut self, proposal: &Candidate<F>) -> Option<Entries> {
        self.0.get_mut(&Self::key(proposal))?.pop_front()
    }
}

/// The vectors found so far. A field that has to round a robot's geometry may round one direction in two ways: then it takes for two
/// vectors what is one in truth, and doubles decide what is new.
struct Known<F> {
    in_field: Span<F>,
    in_doubles: Span<f64>,
    by_doubles: bool,
    parameters: usize,
}

impl<F: Field> Known<F> {
    fn new(tolerance: f64, by_doubles: bool, parameters: usize) -> Self {
        Known { in_field: Span::new(tolerance), in_doubles: Span::new(1e-10), by_doubles, parameters }
    }

    /// Whether a vector of the field may be new: for certain only once its numbers are known.
    fn may_take(&self, in_field: &[F]) -> bool {
        self.by_doubles || self.in_field.admits(in_field)
    }

    /// Takes a vector in if it is new.
    fn takes(&mut self, in_field: Vec<F>, numbers: &[(usize, f64)]) -> bool {
        if !self.by_doubles {
            return self.in_field.insert(in_field);
        }
        let mut full = vec![0.0; self.parameters];
        numbers.iter().for_each(|&(c, x)| full[c] += x);
        self.in_doubles.insert(full)
    }
}

/// Solves for the pivots again, in numbers: one vector per wanted free column; `None` where there is no solution, because what decided
/// had to round the geometry and decided about another one.
fn replay<M: RowSource<Number: Real>>(
    stack: &mut Stack<M>,
    columns: &[usize],
    pivots: &[usize],
    wanted: &[usize],
) -> Vec<Option<Vec<f64>>> {
    let y = stack.restricted(columns);
    let largest = y.largest_weight();
    let negligible = stack.tolerance.max(1e-10 * largest);
    let width = pivots.len();
    let system = Matrix::from_fn(y.rows(), width + wanted.len(), |r, c| match c.checked_sub(width) {
        None => y[(r, pivots[c])],
        Some(k) => -y[(r, wanted[k])],
    });
    let echelon = reduce(system, width, stack.tolerance);
    let vector = |k: usize| {
        let column = |row: usize| echelon.reduced[(row, width + k)].to_f64();
        let left = (echelon.rank()..y.rows()).fold(0.0, |most: f64, row| most.max(column(row).abs()));
        let mut values = vec![0.0; columns.len()];
        values[wanted[k]] = 1.0;
        for (row, &pivot) in echelon.pivots.iter().enumerate() {
            values[pivots[pivot]] = column(row);
        }
        (left <= negligible).then_some(values)
    };
    (0..wanted.len()).map(vector).collect()
}

/// Drops what is noise beside the largest entry.
fn sparse(entries: impl Iterator<Item = (usize, f64)> + Clone) -> Vec<(usize, f64)> {
    let largest = entries.clone().fold(0.0, |most: f64, (_, x)| most.max(x.abs()));
    entries.filter(|(_, x)| x.abs() > 1e-14 * largest).collect()
}

/// Principle, joint and sentence.
pub(crate) type Story = (Principle, Option<String>, String);

fn null_vector(
    mechanism: &Mechanism,
    measurement: &Measurement,
    mut entries: Vec<(usize, f64)>,
    (principle, joint, text): Story,
) -> NullVector {
    entries.sort_by_key(|(c, _)| *c);
    // One of the values is 1: the first that already is, or else the largest becomes it.
    let largest = entries.iter().fold(0.0, |most: f64, (_, x)| if x.abs() > most.abs() { *x } else { most });
    if entries.iter().all(|(_, x)| *x != 1.0) && largest != 0.0 {
        entries.iter_mut().for_each(|(_, x)| *x /= largest);
    }
    let bodies: BTreeSet<usize> = entries.iter().map(|&(c, _)| measurement.body_of(mechanism, c)).collect();
    NullVector { entries, bodies: bodies.into_iter().collect(), principle, joint, text }
}

/// Sets of bodies, small ones first: one; two joined by a joint or loop; two anywhere; those of a loop; those of a gear train; all.
/// The links on the ground, `ground` of them, are counted first and joined to all that stands on it.
fn supports(mechanism: &Mechanism, ground: usize) -> Vec<Vec<usize>> {
    let robot = mechanism.robot();
    let count = ground + robot.bodies.len();
    let mut sets: Vec<Vec<usize>> = (0..count).map(|body| vec![body]).collect();
    let pair = |a: usize, b: usize| vec![ground + a.min(b), ground + a.max(b)];
    let joints = robot.bodies.iter().enumerate().filter_map(|(k, body)| body.parent.map(|p| pair(p.0, k)));
    let closures = robot.loops.iter().filter_map(|l| Some(pair(l.predecessor.body?.0, l.successor.body?.0)));
    let on_ground = robot.bodies.iter().enumerate().filter(|(_, body)| body.parent.is_none());
    let grounded = on_ground.flat_map(|(k, _)| (0..ground).map(move |g| vec![g, ground + k]));
    sets.extend(joints.chain(closures).chain(grounded));
    if count <= 60 {
        sets.extend((0..count).flat_map(|a| (a + 1..count).map(move |b| vec![a, b])));
    }
    for closure in &robot.loops {
        sets.push(loop_bodies(mechanism, closure).into_iter().map(|body| ground + body).collect());
    }
    for train in gear_trains(mechanism) {
        sets.push(train.into_iter().map(|body| ground + body).collect());
    }
    sets.push((0..count).collect());
    let mut seen = BTreeSet::new();
    sets.retain(|set| seen.insert(set.clone()));
    sets
}

/// Bodies whose joints couplings tie together, with the bodies that carry them.
fn gear_trains(mechanism: &Mechanism) -> Vec<BTreeSet<usize>> {
    let robot = mechanism.robot();
    let mut trains: Vec<BTreeSet<usize>> = Vec::new();
    for coupling in &robot.couplings {
        let named = coupling.terms.iter().map(|(term, _)| *term).chain([coupling.coordinate]);
        let mut train: BTreeSet<usize> = named.map(|coordinate| coordinate.body.0).collect();
        let (tied, apart) = trains.into_iter().partition(|other| !other.is_disjoint(&train));
        trains = apart;
        train.extend(Vec::<BTreeSet<usize>>::into_iter(tied).flatten());
        trains.push(train);
    }
    for train in &mut trains {
        let carriers: Vec<usize> =
            train.iter().filter_map(|&body| robot.bodies[body].parent.map(|parent| parent.0)).collect();
        train.extend(carriers);
    }
    trains
}

/// The bodies from both sides of a loop up to their common ancestor.
pub(crate) fn loop_bodies(mechanism: &Mechanism, closure: &steiner_robot::LoopJoint) -> Vec<usize> {
    let robot = mechanism.robot();
    let path = |start: Option<steiner_robot::BodyIndex>| {
        let mut path = Vec::new();
        let mut at = start;
        while let Some(body) = at {
            path.push(body.0);
            at = robot.bodies[body.0].parent;
        }
        path
    };
    let (first, second) = (path(closure.predecessor.body), path(closure.successor.body));
    let common: Vec<usize> = first.iter().copied().filter(|body| second.contains(body)).collect();
    let mut bodies: Vec<usize> = first.iter().chain(&second).copied().collect();
    // The nearest common ancestor moves with the loop and belongs to it; those above don't.
    bodies.retain(|body| !common.contains(body) || common.first() == Some(body));
    bodies.sort_unstable();
    bodies.dedup();
    bodies
}
