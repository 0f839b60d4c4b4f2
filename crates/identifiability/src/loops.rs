//! How the rank of a mechanism with loops is decided.
//!
//! Thirty digits give rank and null vectors. They are believed if another arithmetic sees the same rank: F_p
//! along curves through the file's configuration, where that is exact and regular (what is not zero there is a
//! proof, without a tolerance, on the file's own branch); elsewhere twice the digits. Where they disagree, the
//! digits double. A remainder counts as zero only at the rounding of the arithmetic, and the digits must
//! reach beyond the finest differences that the file's own numbers can make.

use steiner_dynamics::Mechanism;
use steiner_scalar::{DoubleDouble, OctoDouble, QuadDouble, Real};

use crate::certificate::Arithmetic;
use crate::completion::in_extended;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::nullspace::Nullspace;
use crate::resolution::finest_effect;
use crate::sampling::{Closed, Curves};
use crate::stack::Stack;

/// Coefficients of curves where several coordinates are independent: many curves share them.
const SHORT: usize = 10;
/// Coefficients where short curves show too little, or one coordinate moves all. Functions that differ in later
/// coefficients only are not told apart: the rank is a lower bound.
const LONG: usize = 32;

/// The structural nullspace of a mechanism with loops.
pub(crate) fn nullspace_with_loops(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Nullspace, IdentifiabilityError> {
    let mut found = in_extended::<DoubleDouble>(mechanism, measurement, 31)?;
    // More digits don't help where the file has few.
    if !found.certificate.exact_geometry {
        return Ok(found);
    }
    let field = rank_in_field(mechanism, measurement, found.certificate.rank)?;
    let finest = finest_effect(mechanism.robot());
    for digits in [62, 124] {
        if field.is_some_and(|field| field.rank == found.certificate.rank) {
            break;
        }
        let (decided, arithmetic) = closed_rank_of(digits, mechanism, measurement)?;
        let stands = decided == found.certificate.rank && arithmetic.is_clear();
        if !stands {
            found = match digits {
                62 => in_extended::<QuadDouble>(mechanism, measurement, 62)?,
                _ => in_extended::<OctoDouble>(mechanism, measurement, 124)?,
            };
            found.certificate.complete = false;
            continue;
        }
        found.certificate.arithmetic = arithmetic;
        found.certificate.complete = is_whole(&found) && sees(arithmetic, finest) && field.is_none();
        if found.certificate.complete {
            return Ok(found);
        }
    }
    match field.filter(|field| field.rank == found.certificate.rank) {
        Some(field) => {
            found.certificate.arithmetic = Arithmetic::PrimeField;
            found.certificate.largest_power = field.order;
            found.certificate.from_below = true;
            found.certificate.exact_geometry = field.exact;
            found.certificate.complete = is_whole(&found);
        }
        None => found.certificate.complete = false,
    }
    Ok(found)
}

fn is_whole(found: &Nullspace) -> bool {
    found.certificate.rank + found.vectors.len() == found.parameters
}

fn sees(arithmetic: Arithmetic, effect: f64) -> bool {
    match arithmetic {
        Arithmetic::PrimeField => true,
        Arithmetic::Extended { visible, .. } => visible <= effect,
    }
}

/// A rank decided in F_p.
#[derive(Clone, Copy)]
struct FieldRank {
    /// Of the parameters not known beforehand.
    rank: usize,
    /// Coefficients of the curves.
    order: u64,
    /// Whether the field has all of the geometry, or other numbers for angles such as 0.3 rad.
    exact: bool,
}

/// The rank in F_p, a lower bound of the true one; `None` where the file's configuration is not exact in the
/// field, or where curves show less than is `expected`: then they are too short to speak.
fn rank_in_field(
    mechanism: &Mechanism,
    measurement: &Measurement,
    expected: usize,
) -> Result<Option<FieldRank>, IdentifiabilityError> {
    let short = match mechanism.dof() {
        0 | 1 => None,
        _ => rank_along_curves::<SHORT>(mechanism, measurement)?,
    };
    // What rounding changed is no witness against the digits, nor are curves that are too short.
    let speaks = |field: &FieldRank| match field.exact {
        true => field.rank >= expected,
        false => field.rank == expected,
    };
    match short.filter(speaks) {
        Some(short) => Ok(Some(short)),
        None => Ok(rank_along_curves::<LONG>(mechanism, measurement)?.filter(speaks)),
    }
}

fn rank_along_curves<const N: usize>(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Option<FieldRank>, IdentifiabilityError> {
    let Some(rows) = Curves::<N>::new(mechanism, measurement, 5)? else { return Ok(None) };
    let exact = rows.is_exact();
    let mut stack = Stack::new(rows, measurement, 0.0);
    match stack.fill(measurement.columns(mechanism)) {
        // Singular at the file's configuration: no curves.
        Err(IdentifiabilityError::TooFewConfigurations { .. }) => return Ok(None),
        filled => filled?,
    }
    let rank = stack.decide_rank().rank - measurement.known().len();
    Ok(Some(FieldRank { rank, order: N as u64, exact }))
}

fn closed_rank_of(
    digits: u32,
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<(usize, Arithmetic), IdentifiabilityError> {
    match digits {
        62 => closed_rank::<QuadDouble>(mechanism, measurement, digits),
        _ => closed_rank::<OctoDouble>(mechanism, measurement, digits),
    }
}

fn closed_rank<R: Real>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    digits: u32,
) -> Result<(usize, Arithmetic), IdentifiabilityError> {
    let rows = Closed::<R>::new(mechanism, measurement, 3)?;
    let (tolerance, _) = rows.tolerance();
    let mut stack = Stack::new(rows, measurement, tolerance);
    stack.fill(measurement.columns(mechanism))?;
    let decided = stack.decide_rank();
    let arithmetic = Arithmetic::extended(digits, &decided, tolerance);
    Ok((decided.rank - measurement.known().len(), arithmetic))
}
