//! How the rank of a mechanism with loops is decided.
//!
//! Thirty digits, at states all along the branch, give rank and null vectors: pivots that are clear of rounding are a
//! rank from below. F_p says whether that is all (`field.rs`): at generic points of the branch the rank is that of
//! the branch. Where no such points are found, curves through the file's configuration must show the same rank, and
//! the digits see what such curves and they could both miss; where there are none, twice the digits. Where they
//! disagree, the digits double. A remainder counts as zero only at the rounding of the arithmetic, and the digits must
//! reach beyond the finest differences that the file's own numbers can make: where the field says nothing, beyond all
//! that such differences can make one after the other.

use steiner_dynamics::Mechanism;
use steiner_robot::Robot;
use steiner_scalar::{DoubleDouble, OctoDouble, QuadDouble, Real};

use crate::certificate::{Arithmetic, Certificate};
use crate::completion::in_extended;
use crate::error::IdentifiabilityError;
use crate::field::{FieldRank, Opinion, generic_rank, rank_from_file};
use crate::measure::Measurement;
use crate::nullspace::Nullspace;
use crate::resolution::{digits_in_a_row, finest_digits};
use crate::sampling::{Closed, Extent};
use crate::stack::Stack;

/// The structural nullspace of a mechanism with loops.
pub(crate) fn nullspace_with_loops(
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Nullspace, IdentifiabilityError> {
    let mut found = match in_extended::<DoubleDouble>(mechanism, measurement, 31, Extent::Branch) {
        Err(IdentifiabilityError::TooFewConfigurations { robot, found: 0, .. })
            if mechanism.dof() == 0
                || matches!(rank_from_file(mechanism, measurement, 0)?, Opinion::Immobile) =>
        {
            return Err(IdentifiabilityError::Immobile { robot });
        }
        found => found?,
    };
    let mut opinion = opinion_of(mechanism, measurement, found.certificate.rank)?;
    if matches!(opinion, Opinion::Immobile) {
        found.certificate.complete = false;
        return Ok(found);
    }
    // As filed such a mechanism may be rigid, and what is moving is one that the file resembles. More digits don't help
    // where the file has few.
    if !found.certificate.exact_geometry {
        found.certificate.complete = false;
        return Ok(found);
    }
    // Where digits see more than the field does, or are alone, they must not have left the branch.
    let mut extent = Extent::Branch;
    let near = match opinion {
        Opinion::None => match closed_rank_of(62, Extent::Near, mechanism, measurement) {
            // No state near the file's configuration: nobody can say.
            Err(IdentifiabilityError::TooFewConfigurations { .. }) => {
                found.certificate.complete = false;
                return Ok(found);
            }
            near => Some(near?.rank),
        },
        _ => None,
    };
    if near.is_some_and(|rank| rank < found.certificate.rank) {
        extent = Extent::Near;
        found = in_extended::<QuadDouble>(mechanism, measurement, 62, extent)?;
        opinion = opinion_of(mechanism, measurement, found.certificate.rank)?;
        if matches!(opinion, Opinion::None | Opinion::Immobile) {
            found.certificate.complete = false;
            return Ok(found);
        }
    }
    let needed = digits_needed(&opinion, mechanism.robot());
    for digits in [62, 124] {
        if settled(&opinion, &found, needed).is_some() {
            break;
        }
        let Precise { rank, arithmetic, closed } = closed_rank_of(digits, extent, mechanism, measurement)?;
        let stands = closed && rank == found.certificate.rank && arithmetic.is_clear();
        if !stands {
            found = match digits {
                62 => in_extended::<QuadDouble>(mechanism, measurement, 62, extent)?,
                _ => in_extended::<OctoDouble>(mechanism, measurement, 124, extent)?,
            };
            found.certificate.complete = false;
            continue;
        }
        found.certificate.arithmetic = arithmetic;
        found.certificate.complete =
            is_whole(&found) && arithmetic.reaches(needed) && matches!(opinion, Opinion::None);
        if found.certificate.complete {
            return Ok(found);
        }
    }
    match settled(&opinion, &found, needed) {
        Some(field) => {
            found.certificate.arithmetic = Arithmetic::PrimeField;
            found.certificate.largest_power = field.order;
            found.certificate.from_below = matches!(opinion, Opinion::FromFile(_));
            found.certificate.exact_geometry = field.exact;
            found.certificate.complete = is_whole(&found);
        }
        None => {
            let certificate = &mut found.certificate;
            certificate.complete = false;
            let reached = certificate.arithmetic.reaches(needed);
            certificate.digits_needed = (!reached).then_some(needed.ceil() as u32);
        }
    }
    Ok(found)
}

/// What F_p says, where thirty digits see some rank.
fn opinion_of(
    mechanism: &Mechanism,
    measurement: &Measurement,
    seen: usize,
) -> Result<Opinion, IdentifiabilityError> {
    match generic_rank(mechanism, measurement, seen)? {
        // Digits that see more than there is are those of another geometry, or the points those of another branch.
        Some(field) if field.rank >= seen && (field.exact || field.rank == seen) => {
            Ok(Opinion::Generic(field))
        }
        _ => rank_from_file(mechanism, measurement, seen),
    }
}

/// The digits that must stand behind a rank. Curves through the file's configuration are a rank from below, as digits
/// are, and show all differences alike: what both miss is a high power of one and close to nothing along the curves.
/// Where the field says nothing, digits alone must reach what all differences can make together.
fn digits_needed(opinion: &Opinion, robot: &Robot) -> f64 {
    match opinion {
        Opinion::Generic(_) | Opinion::Immobile => 0.0,
        Opinion::FromFile(_) => 4.0 * finest_digits(robot),
        Opinion::None => digits_in_a_row(robot),
    }
}

/// What F_p says where nothing is left to doubt.
fn settled(opinion: &Opinion, found: &Nullspace, needed: f64) -> Option<FieldRank> {
    let Certificate { rank, arithmetic, .. } = found.certificate;
    match opinion {
        Opinion::Generic(field) | Opinion::FromFile(field)
            if field.rank == rank && arithmetic.reaches(needed) =>
        {
            Some(*field)
        }
        _ => None,
    }
}

fn is_whole(found: &Nullspace) -> bool {
    found.certificate.rank + found.vectors.len() == found.parameters
}

/// A rank with more digits.
struct Precise {
    rank: usize,
    arithmetic: Arithmetic,
    /// Whether the loops close to all of them.
    closed: bool,
}

fn closed_rank_of(
    digits: u32,
    extent: Extent,
    mechanism: &Mechanism,
    measurement: &Measurement,
) -> Result<Precise, IdentifiabilityError> {
    match digits {
        62 => closed_rank::<QuadDouble>(extent, mechanism, measurement, digits),
        _ => closed_rank::<OctoDouble>(extent, mechanism, measurement, digits),
    }
}

fn closed_rank<R: Real>(
    extent: Extent,
    mechanism: &Mechanism,
    measurement: &Measurement,
    digits: u32,
) -> Result<Precise, IdentifiabilityError> {
    let rows = Closed::<R>::within(extent, mechanism, measurement, 3)?;
    let (tolerance, closed) = rows.tolerance();
    let mut stack = Stack::new(rows, measurement, tolerance);
    stack.fill(measurement.columns(mechanism))?;
    let decided = stack.decide_rank();
    let arithmetic = Arithmetic::extended(digits, &decided, stack.tolerance);
    let rank = decided.rank - measurement.known().len();
    Ok(Precise { rank, arithmetic, closed: closed && stack.source.is_closed() })
}
