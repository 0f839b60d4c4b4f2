//! Null vectors beside known parameters: those that would change what is known, combined until none does.

use steiner_scalar::Field;

use crate::reason::Reason;

/// A true null vector that changes known parameters.
pub(crate) struct Blocked<F> {
    /// In the deciding field, over all parameters.
    pub(crate) in_field: Vec<F>,
    /// Its entries as doubles.
    pub(crate) numbers: Vec<(usize, f64)>,
    pub(crate) reason: Reason,
}

/// Eliminates known columns one by one: the vector with the fewest entries is given up for
/// each, the others are freed of it.
pub(crate) fn freed<F: Field>(mut blocked: Vec<Blocked<F>>, known: &[usize]) -> Vec<Blocked<F>> {
    for &column in known {
        let touching = |vector: &Blocked<F>| vector.in_field[column] != F::zero();
        let pivot = (0..blocked.len())
            .filter(|&k| touching(&blocked[k]))
            .min_by_key(|&k| blocked[k].numbers.iter().filter(|(_, x)| *x != 0.0).count());
        let Some(given_up) = pivot.map(|k| blocked.remove(k)) else { continue };
        let Some(inverse) = given_up.in_field[column].try_inv() else { continue };
        let size = entry(&given_up.numbers, column);
        for vector in &mut blocked {
            let factor = vector.in_field[column].clone() * inverse.clone();
            if factor == F::zero() {
                continue;
            }
            for (x, p) in vector.in_field.iter_mut().zip(&given_up.in_field) {
                *x = x.clone() - factor.clone() * p.clone();
            }
            vector.in_field[column] = F::zero();
            let share = entry(&vector.numbers, column) / size;
            for &(c, x) in &given_up.numbers {
                match vector.numbers.iter_mut().find(|(other, _)| *other == c) {
                    Some((_, value)) => *value -= share * x,
                    None => vector.numbers.push((c, -share * x)),
                }
            }
            // What cancels in the field cancels, whatever rounding leaves.
            vector.numbers.retain(|(c, _)| vector.in_field[*c] != F::zero());
        }
    }
    blocked
}

fn entry(numbers: &[(usize, f64)], column: usize) -> f64 {
    numbers.iter().filter(|(c, _)| *c == column).map(|(_, x)| x).sum()
}
