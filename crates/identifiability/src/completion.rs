//! The structural nullspace by completion: sparse supports first, until the
//! rank says that nothing is missing.
//!
//! For a set C of columns, the null vectors supported on C are the nullspace of Y restricted to C.
//! Going through ever larger C and keeping what is independent of what is known gives a sparse basis.
//! Which columns are pivots is decided once, in exact arithmetic where there is one, and replayed in
//! extended precision for the numbers.

use std::collections::{HashMap, VecDeque};

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_linalg::sparse_span::SparseSpan;
use steiner_linalg::{RankDecision, Stream};
use steiner_robot::{ParameterList, inertial_columns};
use steiner_scalar::{DoubleDouble, Field, Fp, Prime, QuadDouble, Real, Scalar};

use crate::certificate::{Arithmetic, Certificate, Verified};
use crate::error::IdentifiabilityError;
use crate::explanation::explanation;
use crate::field::in_own_field;
use crate::known::{Blocked, freed};
use crate::loops::nullspace_with_loops;
use crate::measure::Measurement;
use crate::nullspace::{NullVector, Nullspace, bodies_of};
use crate::parts::nullspace_by_parts;
use crate::principles::Candidate;
use crate::reason::{Reason, ReasonKey};
use crate::resolution::digits_in_a_row;
use crate::sampling::{Closed, Extent, ROUNDING, Rational, RowSource};
use crate::stack::Stack;
use crate::supports::supports;

/// Parameters up to which a tree with couplings, or with few of its forces measured, is decided in extended
/// precision when its geometry is rounded. Elimination grows with the cube: 300 take seconds, 1,000 minutes.
/// Beyond, F_p decides about the rounded geometry; if doubles see it differently, the certificate is not
/// complete.
pub(crate) const MOST_IN_EXTENDED: usize = 300;

/// The structural nullspace of a mechanism for what is measured.
pub fn structural_nullspace(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Nullspace, IdentifiabilityError> {
    in_own_field(mechanism, || nullspace_in_field(mechanism, measurement))
}

fn nullspace_in_field(
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
        let is_local = measuring.source.sketches().is_some();
        let second_opinion = || match is_local {
            true => Ok(measuring.decide_rank().rank),
            false => rank_in_doubles(mechanism, measurement),
        };
        let disputed = !exact_geometry && (is_short || second_opinion()? != found.rank);
        if disputed && !is_local && found.parameters > MOST_IN_EXTENDED {
            let mut nullspace = found.finish(Arithmetic::PrimeField, false);
            nullspace.certificate.complete = false;
            nullspace.certificate.largest_power = largest_power;
            return Ok(nullspace);
        }
        // Rounding each angle by itself can undo an alignment that several of them make together (0.1 + 0.2 −
        // 0.3), and doubles miss what is small. Sixty digits of the whole tell which it is.
        let sixty = if disputed { Some(tree_in_sixty_digits(mechanism, measurement)?) } else { None };
        if let Some((decided, arithmetic)) = sixty.filter(|(sixty, _)| is_short || sixty.rank != found.rank) {
            let mut stack = Stack::new(tree_in_thirty_digits(mechanism, measurement)?, measurement, 1e-20);
            let found =
                complete::<_, Rational<'_, DoubleDouble>>(mechanism, measurement, &mut stack, None, false)?;
            let stands = found.rank == decided.rank;
            let mut nullspace = found.finish(arithmetic, false);
            nullspace.certificate.complete &= stands;
            nullspace.certificate.require(digits_in_a_row(mechanism.robot()));
            return Ok(nullspace);
        }
        let mut nullspace = found.finish(Arithmetic::PrimeField, exact_geometry);
        nullspace.certificate.largest_power = largest_power;
        return Ok(nullspace);
    }
    match nullspace_by_parts(mechanism, measurement)? {
        Some(found) => Ok(found),
        None => nullspace_with_loops(mechanism, measurement),
    }
}

pub(crate) fn tree_in_thirty_digits<'m>(
    mechanism: &'m Mechanism,
    measurement: &'m Measurement,
) -> Result<Rational<'m, DoubleDouble>, IdentifiabilityError> {
    let draw = |stream: &mut Stream| DoubleDouble::from_f64(stream.uniform());
    let rows = Rational::new(mechanism, measurement, 2, draw)?;
    Ok(rows.unwrap_or_else(|| unreachable!("a tree in one field is a tree in all")))
}

/// The rank of a tree's regressor in sixty digits.
fn tree_in_sixty_digits(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<(RankDecision, Arithmetic), IdentifiabilityError> {
    let draw = |stream: &mut Stream| QuadDouble::from_f64(stream.uniform());
    let rows = Rational::new(mechanism, measurement, 2, draw)?;
    let rows = rows.unwrap_or_else(|| unreachable!("a tree in one field is a tree in all"));
    let mut stack = Stack::new(rows, measurement, ROUNDING * QuadDouble::epsilon().to_f64());
    stack.fill(measurement.columns(mechanism))?;
    let decided = stack.decide_rank();
    Ok((decided, Arithmetic::extended(62, &decided, stack.tolerance)))
}

/// The rank of a tree's regressor as doubles see it: quick, and enough to notice that
/// rounding went wrong elsewhere.
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

/// The nullspace of a mechanism with loops as some digits see it.
pub(crate) fn in_extended<R: Real>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    digits: u32,
    extent: Extent,
) -> Result<Nullspace, IdentifiabilityError> {
    let rows = Closed::<R>::within(extent, mechanism, measurement, 3)?;
    let (tolerance, exact_geometry) = rows.tolerance();
    let mut stack = Stack::new(rows, measurement, tolerance);
    let found = complete::<_, Closed<'_, R>>(mechanism, measurement, &mut stack, None, false)?;
    let arithmetic = Arithmetic::extended(digits, &found.decided, stack.tolerance);
    Ok(found.finish(arithmetic, exact_geometry && stack.source.is_closed()))
}

struct Found {
    /// All columns.
    parameters: usize,
    /// How many of them are known beforehand.
    known: usize,
    vectors: Vec<NullVector>,
    rank: usize,
    decided: RankDecision,
}

impl Found {
    fn finish(self, arithmetic: Arithmetic, exact_geometry: bool) -> Nullspace {
        let (parameters, rank) = (self.parameters - self.known, self.rank - self.known);
        let complete = arithmetic.is_clear() && rank + self.vectors.len() == parameters;
        let null_verified = match arithmetic {
            Arithmetic::PrimeField => Verified::PrimeField,
            Arithmetic::Extended { digits, visible, .. } => {
                // Loops that are open leave as much of a zero.
                Verified::Extended { digits: (digits * 3 / 5).min(-visible.log10() as u32) }
            }
        };
        let (largest_power, from_below) = (1, false);
        let certificate = Certificate {
            arithmetic,
            rank,
            complete,
            exact_geometry,
            prime: Prime::current(),
            null_verified,
            largest_power,
            from_below,
            digits_needed: None,
        };
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
    let parameters = measurement.parameters(mechanism);
    deciding.fill(parameters.len())?;
    if let Some(stack) = &mut measuring {
        stack.fill_like(parameters.len(), 2 * deciding.states)?;
    }
    let decided = deciding.decide_rank();
    let rank = decided.rank;
    let mut found = Collected {
        mechanism,
        measurement,
        nullity: parameters.len() - rank,
        known: Known::new(deciding.tolerance.sqrt(), by_doubles),
        vectors: Vec::new(),
        parameters,
    };
    let proposals = deciding.source.candidates()?;
    let numbers = match &mut measuring {
        Some(stack) => Numbers::of::<M>(stack.source.candidates()?),
        None => Numbers::of::<D>(proposals.clone()),
    };
    found.take_explained(deciding, proposals, numbers);
    found.take_supported(deciding, measuring);
    let Collected { parameters, vectors, .. } = found;
    Ok(Found { parameters: parameters.len(), known: measurement.known().len(), vectors, rank, decided })
}

/// Null vectors, as they are found.
struct Collected<'m, F> {
    mechanism: &'m Mechanism,
    measurement: &'m Measurement,
    parameters: ParameterList,
    nullity: usize,
    known: Known<F>,
    vectors: Vec<NullVector>,
}

impl<F: Field> Collected<'_, F> {
    fn is_complete(&self) -> bool {
        self.vectors.len() == self.nullity
    }

    /// Takes a vector in if it is new and not one too many.
    fn take(
        &mut self,
        in_field: &[(usize, F)],
        entries: Entries,
        reason: impl FnOnce(&[(usize, f64)]) -> Reason,
    ) {
        if self.is_complete() || entries.is_empty() || !self.known.takes(in_field, &entries) {
            return;
        }
        let reason = reason(&entries);
        self.vectors.push(null_vector(&self.parameters, entries, reason));
    }

    /// What geometry proposes and the rows confirm.
    fn take_explained<D: RowSource<Number = F>>(
        &mut self,
        deciding: &Stack<D>,
        proposals: Vec<Candidate<F>>,
        mut numbers: Numbers,
    ) {
        let ground = self.measurement.ground_count();
        let offset = inertial_columns(ground).start;
        // Geometry that only one of the two arithmetics can represent may move its points differently in the
        // other: then they don't speak of the same candidates.
        numbers.keep_common(&proposals);
        let mut blocked = Vec::new();
        for proposal in proposals {
            let Some((values, axis)) = numbers.next(&proposal.key) else { continue };
            if self.is_complete() {
                break;
            }
            if !deciding.vanishes(&proposal.entries, offset) {
                continue;
            }
            let in_field: Vec<(usize, F)> =
                proposal.entries.into_iter().map(|(column, x)| (offset + column, x)).collect();
            let numbers = sparse(values.iter().map(|&(c, x)| (offset + c, x)));
            let reason = || Reason::new(ground, proposal.key, axis);
            let changes = |known: &usize| in_field.iter().any(|(c, x)| c == known && *x != F::zero());
            if deciding.known.iter().any(changes) {
                let mut full = vec![F::zero(); self.parameters.len()];
                in_field.into_iter().for_each(|(column, x)| full[column] = x);
                blocked.push(Blocked { in_field: full, numbers, reason: reason() });
            } else {
                self.take(&in_field, numbers, |_| reason());
            }
        }
        for Blocked { in_field, numbers, reason } in freed(blocked, &deciding.known) {
            let in_field: Vec<(usize, F)> = in_field.into_iter().enumerate().collect();
            self.take(&in_field, numbers, |_| reason);
        }
    }

    /// What is left, on ever larger supports.
    fn take_supported<D: RowSource<Number = F>, M: RowSource<Number: Real>>(
        &mut self,
        deciding: &mut Stack<D>,
        mut measuring: Option<&mut Stack<M>>,
    ) {
        for bodies in supports(self.mechanism, self.measurement.ground_count()) {
            if self.is_complete() {
                break;
            }
            let columns: Vec<usize> =
                bodies.iter().flat_map(|&body| self.parameters.columns_of(body)).collect();
            if !deciding.are_enough_for(&columns) {
                continue;
            }
            let restricted = deciding.restricted(&columns);
            let largest = restricted.largest_weight();
            let local = reduce(restricted, columns.len(), deciding.tolerance * largest);
            let candidates = local.nullspace();
            let free: Vec<usize> = (0..columns.len()).filter(|c| !local.pivots.contains(c)).collect();
            let placed = |vector: &[F]| -> Vec<(usize, F)> {
                columns.iter().copied().zip(vector.iter().cloned()).collect()
            };
            let may_be_new = |k: &usize| self.known.may_take(&placed(&candidates[*k]));
            let new: Vec<usize> = (0..free.len()).filter(may_be_new).collect();
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
                let (mechanism, measurement) = (self.mechanism, self.measurement);
                self.take(&placed(&candidates[k]), entries, |entries| {
                    explanation(mechanism, measurement, entries)
                });
            }
        }
    }
}

/// The entries of a vector: (column, value).
type Entries = Vec<(usize, f64)>;

/// Numbers of a candidate: its entries, and the direction that belongs to its reason.
type Measured = (Entries, Option<[f64; 3]>);

/// The numbers of candidates, by what these are, in order.
struct Numbers(HashMap<ReasonKey, VecDeque<Measured>>);

impl Numbers {
    fn of<S: RowSource>(candidates: Vec<Candidate<S::Number>>) -> Self {
        let mut numbers: HashMap<_, VecDeque<_>> = HashMap::new();
        for candidate in candidates {
            let entries = candidate.entries.iter().map(|(c, x)| (*c, S::measure(x))).collect();
            let axis = candidate.axis.map(|axis| axis.0.map(|x| S::measure(&x)));
            numbers.entry(candidate.key).or_default().push_back((entries, axis));
        }
        Numbers(numbers)
    }

    /// Drops what was not proposed equally often.
    fn keep_common<F>(&mut self, proposals: &[Candidate<F>]) {
        let mut counts: HashMap<&ReasonKey, usize> = HashMap::new();
        proposals.iter().for_each(|proposal| *counts.entry(&proposal.key).or_default() += 1);
        self.0.retain(|key, numbers| counts.get(key) == Some(&numbers.len()));
    }

    fn next(&mut self, key: &ReasonKey) -> Option<Measured> {
        self.0.get_mut(key)?.pop_front()
    }
}

/// The vectors found so far. A field that has to round a robot's geometry may round one direction in two
/// ways: then it takes for two vectors what is one in truth, and doubles decide what is new.
struct Known<F> {
    in_field: SparseSpan<F>,
    in_doubles: SparseSpan<f64>,
    by_doubles: bool,
}

impl<F: Field> Known<F> {
    fn new(tolerance: f64, by_doubles: bool) -> Self {
        Known { in_field: SparseSpan::new(tolerance), in_doubles: SparseSpan::new(1e-10), by_doubles }
    }

    /// Whether a vector of the field may be new: for certain only once its numbers are known.
    fn may_take(&self, in_field: &[(usize, F)]) -> bool {
        self.by_doubles || self.in_field.admits(in_field)
    }

    /// Takes a vector in if it is new.
    fn takes(&mut self, in_field: &[(usize, F)], numbers: &[(usize, f64)]) -> bool {
        match self.by_doubles {
            true => self.in_doubles.insert(numbers),
            false => self.in_field.insert(in_field),
        }
    }
}

/// Solves for the pivots again, in numbers: one vector per wanted free column; `None` where there is no
/// solution, because what decided had to round the geometry and decided about another one.
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

fn null_vector(parameters: &ParameterList, mut entries: Entries, reason: Reason) -> NullVector {
    entries.sort_by_key(|(c, _)| *c);
    // One of the values is 1: the first that already is, or else the largest becomes it.
    let largest = entries.iter().fold(0.0, |most: f64, (_, x)| if x.abs() > most.abs() { *x } else { most });
    if entries.iter().all(|(_, x)| *x != 1.0) && largest != 0.0 {
        entries.iter_mut().for_each(|(_, x)| *x /= largest);
    }
    let bodies = bodies_of(parameters, &entries);
    NullVector { entries, bodies, reason }
}
