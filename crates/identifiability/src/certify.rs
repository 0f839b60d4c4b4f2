//! A certificate for null vectors that somebody else found: the rank in the arithmetic that decides, each
//! vector checked in extended precision.

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_linalg::span::Span;
use steiner_scalar::{DoubleDouble, Fp, Prime, Real};

use crate::certificate::{Arithmetic, Certificate, Verified};
use crate::completion::{rank_in_doubles, structural_nullspace, tree_in_thirty_digits};
use crate::error::IdentifiabilityError;
use crate::field::in_own_field;
use crate::measure::Measurement;
use crate::nullspace::NullVector;
use crate::sampling::{Closed, Rational, RowSource};
use crate::stack::Stack;

/// Digits to which a vector of doubles can be expected to vanish.
const DIGITS: u32 = 9;

/// What is proven about given vectors, and which of them are false.
pub(crate) fn certify(
    mechanism: &Mechanism,
    measurement: &Measurement,
    vectors: &[NullVector],
) -> Result<(Certificate, Vec<usize>), IdentifiabilityError> {
    in_own_field(mechanism, || certify_in_field(mechanism, measurement, vectors))
}

fn certify_in_field(
    mechanism: &Mechanism,
    measurement: &Measurement,
    vectors: &[NullVector],
) -> Result<(Certificate, Vec<usize>), IdentifiabilityError> {
    let decided = decide(mechanism, measurement)?;
    let columns = measurement.columns(mechanism);
    let wrong = match mechanism.robot().loops.is_empty() {
        true => false_ones(tree_in_thirty_digits(mechanism, measurement)?, measurement, columns, vectors)?,
        false => false_ones(
            Closed::<DoubleDouble>::new(mechanism, measurement, 3)?,
            measurement,
            columns,
            vectors,
        )?,
    };
    let mut independent = Span::<f64>::new(1e-9);
    for (_, vector) in vectors.iter().enumerate().filter(|(k, _)| !wrong.contains(k)) {
        let mut full = vec![0.0; columns];
        vector.entries.iter().for_each(|&(c, x)| full[c] = x);
        independent.insert(full);
    }
    let Decision { arithmetic, rank, exact_geometry, undisputed, largest_power, from_below, digits_needed } =
        decided;
    let rank = rank - measurement.known().len();
    let found = independent.len();
    let all = rank + found == columns - measurement.known().len();
    let complete = arithmetic.is_clear() && undisputed && wrong.is_empty() && all;
    let null_verified = Verified::Extended { digits: DIGITS };
    let certificate = Certificate {
        arithmetic,
        rank,
        complete,
        exact_geometry,
        prime: Prime::current(),
        null_verified,
        largest_power,
        from_below,
        digits_needed,
    };
    Ok((certificate, wrong))
}

/// How the rank was decided.
struct Decision {
    arithmetic: Arithmetic,
    rank: usize,
    exact_geometry: bool,
    /// Whether other arithmetics see the same, where that could matter.
    undisputed: bool,
    largest_power: u64,
    from_below: bool,
    digits_needed: Option<u32>,
}

fn decide(mechanism: &Mechanism, measurement: &Measurement) -> Result<Decision, IdentifiabilityError> {
    let columns = measurement.columns(mechanism);
    let Some(exact) = Rational::<Fp>::new(mechanism, measurement, 1, Stream::residue)? else {
        return decided_by_completion(mechanism, measurement);
    };
    let (exact_geometry, largest_power) = (exact.is_exact(), exact.largest_power());
    let mut stack = Stack::new(exact, measurement, 0.0);
    stack.fill(columns)?;
    let rank = stack.decide_rank().rank;
    if !exact_geometry && rank_in_doubles(mechanism, measurement)? != rank {
        return decided_by_completion(mechanism, measurement);
    }
    let arithmetic = Arithmetic::PrimeField;
    Ok(Decision {
        arithmetic,
        rank,
        exact_geometry,
        undisputed: true,
        largest_power,
        from_below: false,
        digits_needed: None,
    })
}

/// As the default method decides it: where one arithmetic is not enough.
fn decided_by_completion(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Decision, IdentifiabilityError> {
    let certificate = structural_nullspace(mechanism, measurement)?.certificate;
    let rank = certificate.rank + measurement.known().len();
    Ok(Decision {
        arithmetic: certificate.arithmetic,
        rank,
        exact_geometry: certificate.exact_geometry,
        undisputed: certificate.complete,
        largest_power: certificate.largest_power,
        from_below: certificate.from_below,
        digits_needed: certificate.digits_needed,
    })
}

/// The vectors that don't vanish.
fn false_ones<S: RowSource<Number: Real>>(
    source: S,
    measurement: &Measurement,
    columns: usize,
    vectors: &[NullVector],
) -> Result<Vec<usize>, IdentifiabilityError> {
    let mut stack = Stack::new(source, measurement, 10f64.powi(-(DIGITS as i32)));
    stack.fill(columns)?;
    let is_false = |vector: &NullVector| {
        let entries: Vec<(usize, S::Number)> =
            vector.entries.iter().map(|&(c, x)| (c, steiner_scalar::Scalar::from_f64(x))).collect();
        let changes_known = entries.iter().any(|(c, _)| stack.known.contains(c));
        changes_known || !stack.vanishes(&entries, 0)
    };
    Ok((0..vectors.len()).filter(|&k| is_false(&vectors[k])).collect())
}
