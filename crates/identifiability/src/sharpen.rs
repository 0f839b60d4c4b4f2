//! All digits for the factors of base parameters.

use steiner_linalg::elimination::{Matrix, reduce};
use steiner_scalar::{DoubleDouble, Real, Scalar};

use crate::{BaseParameter, NullVector};

/// A relative difference that is no more than rounding.
const SAME_FACTOR: f64 = 4.0 * f64::EPSILON;

/// What elimination leaves of zeros.
const NOISE: f64 = 1e-14;

/// Gives the factors of base parameters, which are rounded to be read, all the digits of the null vectors:
/// with axes in general position base parameters are differences of large numbers, and forces would show it.
pub fn sharpen(base: &mut [BaseParameter], vectors: &[NullVector]) {
    let mut dependent: Vec<usize> = vectors.iter().flat_map(|v| v.entries.iter().map(|e| e.0)).collect();
    dependent.sort_unstable();
    dependent.dedup();
    dependent.retain(|column| base.iter().all(|b| b.column != *column));
    let width = dependent.len() + base.len();
    let mut matrix: Matrix<DoubleDouble> = Matrix::zeros(vectors.len(), width);
    for (row, vector) in vectors.iter().enumerate() {
        for &(column, x) in &vector.entries {
            let place = dependent.binary_search(&column).ok();
            let place =
                place.or_else(|| Some(dependent.len() + base.iter().position(|b| b.column == column)?));
            if let Some(place) = place {
                matrix[(row, place)] = DoubleDouble::from_f64(x);
            }
        }
    }
    // Solved for the dependent parameters, the vectors are e_d + Σ c_db e_b, and the
    // factor of π_d in θ_b is −c_db.
    let solved = reduce(matrix, dependent.len(), 0.0);
    for (index, parameter) in base.iter_mut().enumerate() {
        let sharp = |row: usize| -solved.reduced[(row, dependent.len() + index)].to_f64();
        let largest = (0..solved.pivots.len()).fold(1.0, |most: f64, row| most.max(sharp(row).abs()));
        for (row, &pivot) in solved.pivots.iter().enumerate() {
            let (column, sharp) = (dependent[pivot], sharp(row));
            match parameter.terms.iter_mut().find(|(other, _)| *other == column) {
                // Where both agree, the short decimal is what the geometry says.
                Some((_, factor)) if (sharp - *factor).abs() <= SAME_FACTOR * factor.abs() => {}
                Some((_, factor)) => *factor = sharp,
                // Too small to be read, but not to be felt.
                None if sharp.abs() > NOISE * largest => parameter.terms.push((column, sharp)),
                None => {}
            }
        }
    }
}
