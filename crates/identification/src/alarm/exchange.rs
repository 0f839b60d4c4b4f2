//! Two forces that were recorded in each other's column.

use std::num::NonZeroUsize;

use crate::accumulate::{Source, row_residual, training_ranges};
use crate::estimate::{BADLY, WELL};
use crate::failure::IdentificationError;
use crate::identification::Residual;
use crate::problem::Problem;

/// Two rows whose forces fit if they are exchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exchange {
    pub(crate) rows: [usize; 2],
    /// Relative residuals of what the file predicts, as they are.
    pub(crate) residuals: [f64; 2],
    /// Relative residuals when they are exchanged.
    pub(crate) exchanged: [f64; 2],
}

/// The two rows that the file predicts badly as they are and well when they are exchanged, if there are any; runs
/// through the log once more where at least two are bad. `by_file` are the residuals of the file.
pub(crate) fn exchange(
    problem: &Problem,
    source: &mut dyn Source,
    by_file: &Residual,
    threads: NonZeroUsize,
) -> Result<Option<Exchange>, IdentificationError> {
    let bad: Vec<usize> = (0..problem.rows().len())
        .filter(|&r| by_file.rows[r].relative > BADLY && problem.gain_of(problem.rows()[r].kind).is_none())
        .collect();
    // Known parameters are on the right-hand side: what is left of a force there is not what was recorded.
    if bad.len() < 2 || !problem.known().is_empty() {
        return Ok(None);
    }
    let values = problem.base_values(problem.prior());
    let size = bad.len();
    // Squares of (measured of one − predicted of another), and of what was measured.
    let mut apart = vec![0.0; size * size];
    let mut squares = vec![0.0; size];
    source.chunks(&mut |recording| {
        for range in training_ranges(recording) {
            let start = || (vec![0.0; size * size], vec![0.0; size]);
            let folded = problem.fold(recording, range, threads, start, |(apart, squares), _, rows| {
                let predicted = |k: usize| {
                    let row = &problem.rows()[bad[k]];
                    rows.measured[bad[k]] - row_residual(&values, &row.sees, rows.row(bad[k]))
                };
                let predicted: Vec<f64> = (0..size).map(predicted).collect();
                for (m, &r) in bad.iter().enumerate() {
                    squares[m] += rows.measured[r].powi(2);
                    for (p, x) in predicted.iter().enumerate() {
                        apart[size * m + p] += (rows.measured[r] - x).powi(2);
                    }
                }
            })?;
            for (own_apart, own_squares) in folded {
                apart.iter_mut().zip(own_apart).for_each(|(sum, x)| *sum += x);
                squares.iter_mut().zip(own_squares).for_each(|(sum, x)| *sum += x);
            }
        }
        Ok(())
    })?;
    let relative = |m: usize, p: usize| (apart[size * m + p] / squares[m]).sqrt();
    let pairs = (0..size).flat_map(|a| (a + 1..size).map(move |b| (a, b)));
    let found = pairs.map(|(a, b)| Exchange {
        rows: [bad[a], bad[b]],
        residuals: [relative(a, a), relative(b, b)],
        exchanged: [relative(a, b), relative(b, a)],
    });
    let fits = found.filter(|found| found.exchanged.iter().all(|relative| *relative < WELL));
    let worse = |found: &Exchange| found.exchanged[0].max(found.exchanged[1]);
    Ok(fits.min_by(|a, b| worse(a).total_cmp(&worse(b))))
}
