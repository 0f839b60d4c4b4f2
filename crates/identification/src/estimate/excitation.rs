//! What the log excited: condition number, what dominates it, and base parameters that hardly show.

use super::least_squares::LeastSquares;

/// Uncertainty grown by this much, because others moved along, is weak.
const BARELY: f64 = 100.0;
/// So is a parameter known to no better than this, relative to itself and to the file's value.
const USELESS: f64 = 0.3;

/// A base parameter that the log barely moves.
#[derive(Clone, Debug, PartialEq)]
pub struct WeaklyExcited {
    /// Position among the base parameters.
    pub parameter: usize,
    /// How much its uncertainty grows because others moved along; infinite if it was not seen.
    pub inflation: f64,
    /// The base parameters it is confused with most, by position, at most three.
    pub confused_with: Vec<usize>,
}

/// What the log excited.
#[derive(Clone, Debug)]
pub struct Excitation {
    /// Base parameters that the log showed, by dimension.
    pub rank: usize,
    /// Of the weighted base regressor with columns of length one; infinite if not all was seen.
    pub condition_number: f64,
    /// Of the weighted base regressor as it is, in SI units: what papers quote.
    pub raw_condition_number: f64,
    /// The weakest combination: (base parameter, part of the direction's length), largest first.
    pub dominated_by: Vec<(usize, f64)>,
    /// How much the uncertainty of each base parameter grows because others moved along.
    pub inflation: Vec<f64>,
    /// Base parameters the log barely moves.
    pub weak: Vec<WeaklyExcited>,
}

/// Judges the excitation by the solution on the log; `sigma` are its standard deviations, `scale` the size to compare them with.
pub(crate) fn excitation(solution: &LeastSquares, raw: &[f64], sigma: &[f64], scale: &[f64]) -> Excitation {
    let n = solution.values.len();
    let ratio = |values: &[f64]| match (values.first(), values.last()) {
        (Some(largest), Some(least)) if *least > 0.0 => largest / least,
        _ => f64::INFINITY,
    };
    let condition_number = if solution.rank == n { ratio(&solution.singular_values) } else { f64::INFINITY };
    let inflation: Vec<f64> = (0..n)
        .map(|k| match sigma[k].is_finite() {
            true => solution.inverse[(k, k)].max(0.0).sqrt() * solution.lengths[k],
            false => f64::INFINITY,
        })
        .collect();
    let mut dominated_by: Vec<(usize, f64)> = match solution.directions.last() {
        Some(weakest) => weakest.iter().map(|x| x * x).enumerate().collect(),
        None => Vec::new(),
    };
    dominated_by.sort_by(|a, b| b.1.total_cmp(&a.1));
    dominated_by.retain(|(_, part)| *part > 0.01);
    let is_weak =
        |k: &usize| inflation[*k] > BARELY || sigma[*k] > USELESS * scale[*k].max(solution.values[*k].abs());
    let weak = (0..n).filter(is_weak).map(|k| {
        let mut others: Vec<(usize, f64)> = (0..n)
            .filter(|&j| j != k)
            .map(|j| {
                let (a, b) = (solution.inverse[(k, k)], solution.inverse[(j, j)]);
                (j, if a > 0.0 && b > 0.0 { solution.inverse[(k, j)].abs() / (a * b).sqrt() } else { 0.0 })
            })
            .filter(|(_, correlation)| *correlation > 0.7)
            .collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        let confused_with = others.into_iter().take(3).map(|(j, _)| j).collect();
        WeaklyExcited { parameter: k, inflation: inflation[k], confused_with }
    });
    let weak = weak.collect();
    Excitation {
        rank: solution.rank,
        condition_number,
        raw_condition_number: ratio(raw),
        dominated_by,
        inflation,
        weak,
    }
}
