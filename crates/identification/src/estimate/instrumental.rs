//! Instrumental variables: least squares that noise in the regressor does not bias.
//!
//! Accelerations that are derived from positions carry noise, and so does the regressor Y. Least squares then shrink
//! what stands with them: E\[YᵀY\] has the noise's own square. Instruments Z are correlated with the motion, but hardly
//! with that noise: the same rows of motion filtered at half the cut-off. Noise of accelerations grows so steeply with
//! frequency that they share about a thirtieth of its variance. Two-stage least squares,
//!
//! θ = (ŶᵀŶ)⁻¹ Ŷᵀ y with Ŷ = Z (ZᵀZ)⁻¹ Zᵀ Y,
//!
//! follow from the triangle of \[Z | Y | y\], row by row: its upper part over Y and y is the triangle of the
//! projected rows.

use std::num::NonZeroUsize;

use steiner_linalg::elimination::Matrix;
use steiner_linalg::triangle::Triangle;
use steiner_logs::Role;

use super::least_squares::LeastSquares;
use super::weighted::{Noise, reweighted};
use crate::accumulate::{Reduced, Source};
use crate::failure::IdentificationError;
use crate::problem::Problem;

/// An instrument that others make up to this part of its length is left out.
const DEPENDENT: f64 = 1e-9;

/// For each measured row what makes Ŷ of Z.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    rows: Vec<ProjectedRow>,
}

/// Ŷ = Z C of a measured row, over independent instruments.
#[derive(Clone, Debug)]
struct ProjectedRow {
    /// Which of what the row sees are its instruments.
    kept: Vec<usize>,
    /// C, instruments by what the row sees.
    factors: Matrix<f64>,
}

impl Projection {
    /// Adds `factor` times the projected row of a sample's instruments: `each` is told which of what the row
    /// sees, and how much.
    pub(crate) fn project(&self, row: usize, instruments: &[f64], mut each: impl FnMut(usize, f64)) {
        let ProjectedRow { kept, factors } = &self.rows[row];
        for column in 0..factors.columns() {
            let sum = kept.iter().enumerate().map(|(k, &z)| instruments[z] * factors[(k, column)]).sum();
            each(column, sum);
        }
    }
}

/// Rows count by their noise, as in weighted least squares. Returns with the solution the log as it was projected, and
/// how; the noise is that of the residuals before.
pub(crate) fn instrumental(
    problem: &Problem,
    source: &mut dyn Source,
    training: &Reduced,
    prior: &[f64],
    threads: NonZeroUsize,
) -> Result<(LeastSquares, Noise, Reduced, Projection), IdentificationError> {
    let sizes: Vec<usize> = problem.rows().iter().map(|row| row.sees.len()).collect();
    let empty = || -> Vec<Triangle> { sizes.iter().map(|n| Triangle::new(2 * n + 1)).collect() };
    let mut all = empty();
    source.chunks_with_instruments(&mut |recording, instruments| {
        for part in recording.parts().into_iter().filter(|part| part.role == Role::Training) {
            let start = || (empty(), Vec::new());
            let pair = (recording, instruments);
            let folded = problem.fold_with_instruments(
                pair,
                part.samples,
                threads,
                start,
                |own, _, rows, beside| {
                    let (triangles, joined) = own;
                    for (r, triangle) in triangles.iter_mut().enumerate().filter(|(r, _)| rows.counts[*r]) {
                        joined.clear();
                        joined.extend_from_slice(&beside.row(r)[..sizes[r]]);
                        joined.extend_from_slice(rows.row(r));
                        triangle.push(joined);
                    }
                },
            )?;
            for (triangles, _) in folded {
                all.iter_mut().zip(triangles).for_each(|(own, other)| own.merge(other));
            }
        }
        Ok(())
    })?;
    all.iter_mut().for_each(Triangle::reduce);
    let (triangles, rows) = all.iter().zip(&sizes).map(|(triangle, n)| projected(triangle, *n)).unzip();
    let counted = training.with_triangles(triangles);
    let (solution, noise) = reweighted(&counted, training, prior);
    Ok((solution, noise, counted, Projection { rows }))
}

/// The triangle of Ŷ and y from that of \[Z | Y | y\] with n columns in Z, and what makes Ŷ of Z.
fn projected(joined: &Triangle, n: usize) -> (Triangle, ProjectedRow) {
    let length = |c: usize| (0..=c).map(|r| joined.entry(r, c).powi(2)).sum::<f64>().sqrt();
    let kept: Vec<usize> = (0..n).filter(|&c| joined.entry(c, c).abs() > DEPENDENT * length(c)).collect();
    // Without what others make up anyway, whose rows of the triangle are rounding.
    let m = kept.len();
    let mut clean = Triangle::new(m + n + 1);
    for r in 0..joined.columns() {
        let row: Vec<f64> = kept.iter().copied().chain(n..=2 * n).map(|c| joined.entry(r, c)).collect();
        clean.push(&row);
    }
    clean.reduce();
    let mut out = Triangle::new(n + 1);
    (0..m).for_each(|r| out.push(&clean.row(r)[m..]));
    out.reduce();
    let mut factors = Matrix::zeros(m, n);
    for c in 0..n {
        for r in (0..m).rev() {
            let known: f64 = (r + 1..m).map(|k| clean.entry(r, k) * factors[(k, c)]).sum();
            factors[(r, c)] = (clean.entry(r, m + c) - known) / clean.entry(r, r);
        }
    }
    (out.standing_for(joined.rows()), ProjectedRow { kept, factors })
}
