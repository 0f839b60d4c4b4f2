//! All digits for the factors of base parameters.

use steiner_scalar::elimination::{Matrix, reduce};

use crate::{BaseParameter, NullVector};

/// A relative difference that is no more than rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Gives the factors of base parameters, which are rounded to be read, all the digits of the null vectors: with axes in general
/// position base parameters are differences of large numbers, and forces would show it.
pub fn sharpen(base: &mut [BaseParameter], vectors: &[NullVector]) {
    let mut dependent: Vec<usize> = vectors.iter().flat_map(|v| v.entries.iter().map(|e| e.0)).collect();
    dependent.sort_unstable();
    dependent.dedup();
    dependent.retain(|column| base.iter().all(|b| b.column != *column));
    let width = dependent.len() + base.len();
    let mut matrix = Matrix::zeros(vectors.len(), width);
    for (row, vector) in vectors.iter().enumerate() {
        for &(column, x) in &vector.entries {
            let place = dependent.binary_search(&column).ok();
            let place =
                place.or_else(|| Some(dependent.len() + base.iter().position(|b| b.column == column)?));
            if let Some(place) = place {
                matrix[(row, place)] = x;
            }
        }
    }
    // Solved for the dependent parameters, the vectors are e_d + Σ c_db e_b, and the factor of π_d in θ_b is −c_db.
    let solved = reduce(matrix, dependent.len(), 0.0);
    for (index, parameter) in base.iter_mut().enumerate() {
        for (column, factor) in parameter.terms.iter_mut().skip(1) {
            let row = solved.pivots.iter().position(|&pivot| dependent[pivot] == *column);
            let Some(row) = row else { continue };
            let sharp = -solved.reduced[(row, dependent.len() + index)];
            // Where both agree, the short decimal is what the geometry says.
            if (sharp - *factor).abs() > ROUNDING * factor.abs() {
                *factor = sharp;
            }
        }
    }
}
