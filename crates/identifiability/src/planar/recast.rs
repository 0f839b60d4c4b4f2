//! From the optimal parametrisation back to the file's frames, as section 3.4 of \[iriarte2015\] says.
//!
//! With the origin moved to o in a link's axes, m' = m, mx' = mx − oₓ m, my' = my − o_y m and
//! J' = J − 2 oₓ mx − 2 o_y my + |o|² m.

use steiner_scalar::Field;

use super::parametrisation::PlanarLength;
use super::product::{LengthFactor, LengthProduct, Lengths};

/// A sum of products of lengths with whole factors; empty is zero.
pub type LengthProductSum = Vec<(i64, LengthProduct)>;

/// Adds a multiple of a product to a sum in which every product stands once, its sign in the factor.
pub(crate) fn add(sum: &mut LengthProductSum, factor: i64, term: &LengthProduct) {
    let factor = if term.negative { -factor } else { factor };
    let term = LengthProduct { negative: false, ..term.clone() };
    match sum.iter().position(|(_, other)| *other == term) {
        Some(at) => {
            sum[at].0 += factor;
            if sum[at].0 == 0 {
                sum.remove(at);
            }
        }
        None => sum.push((factor, term)),
    }
}

/// The value of a sum; `None` where it divides by zero.
pub(crate) fn value<F: Field>(sum: &LengthProductSum, at: &Lengths<F>) -> Option<F> {
    sum.iter()
        .try_fold(F::zero(), |total, (factor, term)| Some(total + F::from_i64(*factor) * at.value(term)?))
}

/// Row k of A with φ' = A φ for one link whose origin is at the given lengths (`None` is zero): (parameter
/// of the file, factor, product).
pub(crate) fn moved(
    parameter: usize,
    origin: &[Option<usize>; 2],
    lengths: &[PlanarLength],
) -> Vec<(usize, i64, LengthProduct)> {
    let coordinate = |k: usize| LengthProduct {
        negative: lengths[k].negative,
        ..LengthProduct::new(false, vec![LengthFactor::Length(k)], vec![])
    };
    let mut row = vec![(parameter, 1, LengthProduct::one())];
    let along = |axis: usize| origin[axis].map(coordinate);
    match parameter {
        1 | 2 => row.extend(along(parameter - 1).map(|o| (0, -1, o))),
        3 => {
            for axis in [0, 1] {
                let Some(o) = along(axis) else { continue };
                row.push((0, 1, o.times(&o)));
                row.push((1 + axis, -2, o));
            }
        }
        _ => {}
    }
    row
}

/// A change of planar parameters about o as one about the file's origin: the inverse of A, in numbers.
pub(crate) fn back(change: &[f64; 4], o: [f64; 2]) -> [f64; 4] {
    let [m, x, y, j] = *change;
    [m, x + o[0] * m, y + o[1] * m, j + 2.0 * (o[0] * x + o[1] * y) + (o[0] * o[0] + o[1] * o[1]) * m]
}
