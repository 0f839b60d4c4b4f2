//! What F_p says of a mechanism with loops.
//!
//! At generic points of the file's branch (`steiner_dynamics::Branch`) the rank is that of the branch, but for a
//! coincidence modulo p: whatever is not null shows at the first such point. Where none is found, curves through the
//! file's configuration bound the rank from below. Curves that do not close say that the mechanism does not move as
//! its velocities promise.

use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};

use steiner_dynamics::{Arcs, Mechanism, Place};
use steiner_linalg::Stream;
use steiner_linalg::elimination::{Matrix, decide_rank};
use steiner_scalar::Prime;

use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::sampling::{Curves, Start};
use crate::stack::Stack;

/// Coefficients of curves, of which each point has many.
pub(crate) const SHORT: usize = 10;
/// Coefficients where short curves through the file's configuration show too little, and of the lines on which
/// generic points are found.
pub(crate) const LONG: usize = 32;
/// Generic points that curves start at, in turn.
const POINTS: usize = 3;
/// Points of which one lies on the file's branch, if others are on its mirror images.
const MORE_POINTS: usize = 8;

/// Work modulo a prime that depends on what a robot's file says: nobody can write a file with the prime in mind.
pub(crate) fn in_own_field<T>(mechanism: &Mechanism, work: impl FnOnce() -> T) -> T {
    if Prime::current() != Prime::DEFAULT {
        return work();
    }
    let draw = || {
        let mut hasher = DefaultHasher::new();
        format!("{:?}", mechanism.robot()).hash(&mut hasher);
        Ok::<_, Infallible>(OwnPrime(Prime::drawn(hasher.finish())))
    };
    let Ok(own) = mechanism.found_once((), draw);
    own.0.within(work)
}

/// That of a mechanism, found once.
struct OwnPrime(Prime);

/// A rank decided in F_p.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRank {
    /// Of the parameters not known beforehand.
    pub(crate) rank: usize,
    /// Coefficients of the curves.
    pub(crate) order: u64,
    /// Whether the field has all of the geometry, or other numbers for angles such as 0.3 rad.
    pub(crate) exact: bool,
}

/// What the field says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Opinion {
    /// The rank, seen at generic points of the branch, or of it and its mirror images.
    Generic(FieldRank),
    /// A rank from below, seen from the file's configuration.
    FromFile(FieldRank),
    /// The loops close there, and nowhere beside.
    Immobile,
    /// The file's configuration is not exact in the field, or singular.
    None,
}

/// Points that curves start at; none where the file's configuration is the only one that is known.
pub(crate) fn places(mechanism: &Mechanism) -> Result<Vec<Place>, IdentifiabilityError> {
    let found = || some_places(mechanism, POINTS).map(Places);
    Ok(mechanism.found_once(Prime::current(), found)?.0.clone())
}

/// Those of a mechanism, found once.
struct Places(Vec<Place>);

fn some_places(mechanism: &Mechanism, count: usize) -> Result<Vec<Place>, IdentifiabilityError> {
    let Some(arcs) = Arcs::<LONG>::new(mechanism)? else { return Ok(Vec::new()) };
    let mut stream = Stream::new(11);
    let points = arcs.branch().and_then(|branch| branch.points(count, || stream.residue()));
    Ok(points.unwrap_or_default())
}

/// The rank at generic points; `None` where there are none, or where they do not speak of one branch: some show more
/// than is `expected`, and others don't.
pub(crate) fn generic_rank(
    mechanism: &Mechanism,
    measurement: &Measurement,
    expected: usize,
) -> Result<Option<FieldRank>, IdentifiabilityError> {
    let places = places(mechanism)?;
    if places.is_empty() {
        return Ok(None);
    }
    let together = match seen_along_curves::<SHORT>(mechanism, measurement, Start::Generic(&places))? {
        Opinion::FromFile(seen) => seen,
        _ => return Ok(None),
    };
    if together.rank <= expected {
        return Ok(Some(together));
    }
    for place in &some_places(mechanism, MORE_POINTS)? {
        // One coordinate has one curve, whose coefficients must be as many as what they tell apart.
        let place = Start::At(place);
        let alone = match mechanism.dof() {
            0 | 1 => seen_along_curves::<LONG>(mechanism, measurement, place)?,
            _ => seen_along_curves::<SHORT>(mechanism, measurement, place)?,
        };
        if matches!(alone, Opinion::FromFile(alone) if alone.rank <= expected) {
            return Ok(None);
        }
    }
    Ok(Some(together))
}

/// The rank from below near the file's configuration. Curves that show less than is `expected`, or the last of it
/// in their last coefficients, are too short to speak.
pub(crate) fn rank_from_file(
    mechanism: &Mechanism,
    measurement: &Measurement,
    expected: usize,
) -> Result<Opinion, IdentifiabilityError> {
    // What rounding changed is no witness against the digits.
    let speaks = |seen: &Opinion| match seen {
        Opinion::FromFile(field) if field.exact => field.rank >= expected,
        Opinion::FromFile(field) => field.rank == expected,
        _ => true,
    };
    if mechanism.dof() > 1 {
        let short = seen_along_curves::<SHORT>(mechanism, measurement, Start::File)?;
        if speaks(&short) && !matches!(short, Opinion::None) {
            return Ok(short);
        }
    }
    let long = seen_along_curves::<LONG>(mechanism, measurement, Start::File)?;
    Ok(if speaks(&long) { long } else { Opinion::None })
}

/// The rank along curves through some places, or through the file's configuration.
fn seen_along_curves<const N: usize>(
    mechanism: &Mechanism,
    measurement: &Measurement,
    start: Start<'_>,
) -> Result<Opinion, IdentifiabilityError> {
    let Some(rows) = Curves::<N>::new(mechanism, measurement, start)? else { return Ok(Opinion::None) };
    let from_file = matches!(start, Start::File);
    let exact = rows.is_exact();
    let mut stack = Stack::new(rows, measurement, 0.0);
    match stack.fill(measurement.columns(mechanism)) {
        // Whose constraints hold at first order only.
        Err(IdentifiabilityError::TooFewConfigurations { .. }) => {
            return Ok(if exact && from_file { Opinion::Immobile } else { Opinion::None });
        }
        filled => filled?,
    }
    let known = measurement.known().len();
    let rank = stack.decide_rank().rank - known;
    let seen = FieldRank { rank, order: N as u64, exact };
    if !from_file {
        return Ok(Opinion::FromFile(seen));
    }
    // What shows in the second half of the coefficients alone may have relatives beyond the last.
    let early: Vec<usize> =
        (0..stack.rows.rows()).filter(|r| *r < known || (r - known) % N < N / 2).collect();
    let first = Matrix::from_fn(early.len(), stack.rows.columns(), |r, c| stack.rows[(early[r], c)]);
    let saturated = decide_rank(first, 0.0).rank - known == rank;
    Ok(if saturated { Opinion::FromFile(seen) } else { Opinion::None })
}
