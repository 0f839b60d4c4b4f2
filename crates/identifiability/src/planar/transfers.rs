//! Transfers of mass and moment of inertia, (A.1) to (A.5) of \[iriarte2015\], in exact
//! numbers: an independent check of β.
//!
//! At a revolute joint a point mass may pass from one link to the other, at a prismatic joint a moment of
//! inertia, and motion stays the same. All transfers along the opened chains and at the cuts together are
//! φ' = φ + T t; amounts t that remove φ₂ leave φ₁' = φ₁ − T₁ T₂⁻¹ φ₂, which is the β of the same choice.

use steiner_linalg::Stream;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_scalar::{Exact, Rational};

use super::base_parameters::{PlanarBaseParameters, TransferCheck};
use super::linkage::{Linkage, Pair};
use super::parametrisation::Parametrisation;
use super::product::{Lengths, PlanarWeight};

/// Random sets of lengths at which transfers are compared.
const SETS: usize = 3;

/// The columns of T, by rows: one for each joint, and for what the paper leaves out.
///
/// A link that never turns shows no first moments; where gravity does not pull in the plane, a link that
/// turns about a point of the ground shows none about that point.
fn transfers(
    linkage: &Linkage,
    parametrisation: &Parametrisation,
    lengths: &[Rational],
) -> Vec<Vec<Rational>> {
    let width = 4 * linkage.links.len();
    let mut found = Vec::new();
    let unit = |column: usize| {
        let mut row = vec![Rational::ZERO; width];
        row[column] = Rational::ONE;
        row
    };
    for (k, joint) in linkage.joints.iter().enumerate() {
        let mut row = vec![Rational::ZERO; width];
        for (side, link) in joint.links.iter().enumerate() {
            let Some(link) = *link else { continue };
            let sign = if side == 0 { Rational::ONE } else { -Rational::ONE };
            match joint.pair {
                Pair::Revolute => {
                    let [x, y] = parametrisation.coordinates(link, k, lengths);
                    let square = &x * &x + &y * &y;
                    for (place, amount) in [Rational::ONE, x, y, square].into_iter().enumerate() {
                        row[4 * link + place] = &sign * amount;
                    }
                }
                Pair::Prismatic => row[4 * link + 3] = sign,
            }
        }
        found.push(row);
        let grounded = joint.links.iter().position(Option::is_none).and_then(|side| joint.links[1 - side]);
        if let (Some(link), Pair::Revolute, false) = (grounded, joint.pair, linkage.feels_gravity()) {
            let [x, y] = parametrisation.coordinates(link, k, lengths);
            for (place, along) in [(1, x), (2, y)] {
                let mut row = unit(4 * link + place);
                row[4 * link + 3] = Rational::from(2) * along;
                found.push(row);
            }
        }
    }
    for link in (0..linkage.links.len()).filter(|&link| linkage.never_turns()[link]) {
        found.extend([unit(4 * link + 1), unit(4 * link + 2)]);
    }
    found
}

/// What the transfers make of a choice of φ₂.
#[derive(Clone, Debug, PartialEq)]
enum Transferred {
    /// β, base by dependent.
    Weights(Matrix<Rational>),
    /// There are fewer or more independent transfers than φ₂ has parameters, or they cannot remove it.
    Otherwise { independent: usize },
}

/// β by transfers.
fn transferred(transfers: &[Vec<Rational>], base: &[usize], dependent: &[usize]) -> Transferred {
    let (size, width) = (dependent.len(), dependent.len() + base.len());
    let column = |c: usize| c.checked_sub(size).map_or_else(|| dependent[c], |b| base[b]);
    let all = Matrix::from_fn(transfers.len(), width, |r, c| transfers[r][column(c)].clone());
    let independent = steiner_linalg::elimination::decide_rank(all.clone(), 0.0).rank;
    let solved = reduce(all, size, 0.0);
    if independent != size || solved.rank() != size {
        return Transferred::Otherwise { independent };
    }
    let mut place = vec![0; size];
    solved.pivots.iter().enumerate().for_each(|(row, &pivot)| place[pivot] = row);
    Transferred::Weights(Matrix::from_fn(base.len(), size, |b, d| {
        -solved.reduced[(place[d], size + b)].clone()
    }))
}

/// Compares β with what transfers give, at random lengths.
pub(crate) fn check(
    found: &PlanarBaseParameters,
    linkage: &Linkage,
    parametrisation: &Parametrisation,
) -> TransferCheck {
    let mut stream = Stream::new(6);
    let mut entries = Vec::new();
    for _ in 0..SETS {
        let mut draw = || {
            let n = (500.0 * (stream.uniform() + 1.0)).floor() as i64;
            Exact::fraction(2 + n, 307).to_rational().unwrap_or(Rational::ONE)
        };
        let lengths: Vec<Rational> = found.lengths.iter().map(|_| draw()).collect();
        let all = transfers(linkage, parametrisation, &lengths);
        let theirs = match transferred(&all, &found.base, &found.dependent) {
            Transferred::Weights(weights) => weights,
            Transferred::Otherwise { independent } => return TransferCheck::Incomplete { independent },
        };
        let at = Lengths::new(lengths, &found.squares);
        for (b, row) in found.weights.iter().enumerate() {
            for (d, weight) in row.iter().enumerate() {
                let ours = match weight {
                    PlanarWeight::Zero => Some(Rational::ZERO),
                    PlanarWeight::Product(term) => at.value(term),
                    // Nothing was claimed.
                    PlanarWeight::Ambiguous { .. } | PlanarWeight::Outside { .. } => continue,
                };
                if ours.as_ref() != Some(&theirs[(b, d)]) && !entries.contains(&(b, d)) {
                    entries.push((b, d));
                }
            }
        }
    }
    match (entries.is_empty(), found.unrecognised().len()) {
        (true, 0) => TransferCheck::Agree { sets: SETS },
        (true, left_out) => TransferCheck::AgreeInPart { sets: SETS, left_out },
        (false, _) => TransferCheck::Differ { entries },
    }
}
