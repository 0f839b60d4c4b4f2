//! What the mechanism of the file itself says: how many combinations it hides, and
//! whether the symbols hold for it.

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::{Matrix, decide_rank, reduce};
use steiner_scalar::{DoubleDouble, Real, Scalar};

use super::motion::DIMENSIONS;
use super::recast::back;
use super::view::PlanarView;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::sampling::Closed;
use crate::stack::Stack;

/// Rows of the file's regressor over planar parameters in the file's frames.
pub(crate) struct AsFiled {
    rows: Matrix<DoubleDouble>,
    unit: f64,
    tolerance: f64,
}

impl AsFiled {
    pub(crate) fn new(
        mechanism: &Mechanism,
        view: &PlanarView,
        unit: f64,
    ) -> Result<Self, IdentifiabilityError> {
        let measurement = Measurement::all();
        let source = Closed::<DoubleDouble>::new(mechanism, &measurement, 8)?;
        let (tolerance, _) = source.tolerance();
        let mut stack = Stack::new(source, &measurement, tolerance);
        stack.fill(measurement.columns(mechanism))?;
        let embedding = view.embedding();
        let wide = Matrix::from_fn(embedding.rows(), embedding.columns(), |r, c| {
            DoubleDouble::from_f64(embedding[(r, c)])
        });
        // Axes of the plane are doubles.
        Ok(AsFiled { rows: stack.rows.times(&wide), unit, tolerance: tolerance.max(1e-13) })
    }

    /// Number of invisible combinations of planar parameters.
    pub(crate) fn nullity(&self) -> usize {
        let scaled = Matrix::from_fn(self.rows.rows(), self.rows.columns(), |r, c| {
            self.rows[(r, c)] * DoubleDouble::from_f64(self.unit.powi(DIMENSIONS[c % 4]))
        });
        let tolerance = self.tolerance * scaled.largest_weight();
        self.rows.columns() - decide_rank(scaled, tolerance).rank
    }

    /// φ_b = φ₁ + β φ₂ as weights of all parameters about the file's origins, φ₁ and φ₂ being about the given
    /// ones: W φ = W₁ φ_b, so β solves W₁ β = W₂. `None` if W₁ has dependent columns.
    pub(crate) fn base_parameters(
        &self,
        base: &[usize],
        dependent: &[usize],
        origins: &[[f64; 2]],
    ) -> Option<Matrix<f64>> {
        let width = self.rows.columns();
        let unit = |c: usize| self.unit.powi(DIMENSIONS[c % 4]);
        // A change of one parameter about an origin is one of its link's about the file's.
        let shift = |c: usize, o: [f64; 2]| {
            let one: [f64; 4] = std::array::from_fn(|k| f64::from(u8::from(k == c % 4)));
            back(&one, o)
        };
        let order: Vec<usize> = base.iter().chain(dependent).copied().collect();
        let moved = Matrix::from_fn(self.rows.rows(), width, |r, c| {
            let (column, link) = (order[c], order[c] / 4);
            let row = &self.rows.row(r)[4 * link..4 * link + 4];
            let terms = row.iter().zip(shift(column, origins[link]));
            let sum =
                terms.fold(DoubleDouble::from_f64(0.0), |sum, (y, x)| sum + *y * DoubleDouble::from_f64(x));
            sum * DoubleDouble::from_f64(unit(column))
        });
        let largest = moved.entries().iter().fold(0.0f64, |most, x| most.max(x.to_f64().abs()));
        let solved = reduce(moved, base.len(), self.tolerance * largest);
        if solved.rank() != base.len() {
            return None;
        }
        let mut out = Matrix::zeros(base.len(), width);
        for (row, &b) in solved.pivots.iter().enumerate() {
            let weights =
                std::iter::once((base[b], 1.0)).chain(dependent.iter().enumerate().map(|(d, &c)| {
                    let scaled = solved.reduced[(row, base.len() + d)].to_f64();
                    // What is below the noise of the arithmetic is zero.
                    let scaled = if scaled.abs() <= self.tolerance { 0.0 } else { scaled };
                    (c, scaled * unit(base[b]) / unit(c))
                }));
            for (column, weight) in weights {
                let link = column / 4;
                // Row `column` of what moves parameters to the origin: the inverse of the above.
                for place in 0..4 {
                    let there = shift(place, origins[link].map(|x| -x));
                    out[(b, 4 * link + place)] += weight * there[column % 4];
                }
            }
        }
        Some(out)
    }

    /// How visible combinations are that should not be: the largest force over what the largest parameter
    /// would exert, lengths in units of about their mean.
    pub(crate) fn residual(&self, vectors: &[Vec<f64>]) -> f64 {
        let unit = |c: usize| self.unit.powi(DIMENSIONS[c % 4]);
        let largest =
            |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |most: f64, x| most.max(x.abs()));
        let mut worst = 0.0f64;
        for vector in vectors {
            let size = largest(&mut vector.iter().enumerate().map(|(c, x)| x / unit(c)));
            for r in 0..self.rows.rows() {
                let row = self.rows.row(r);
                let force = largest(&mut row.iter().enumerate().map(|(c, y)| y.to_f64() * unit(c)));
                let sum = row
                    .iter()
                    .zip(vector)
                    .fold(DoubleDouble::from_f64(0.0), |sum, (y, x)| sum + *y * DoubleDouble::from_f64(*x));
                if force * size > 0.0 {
                    worst = worst.max(sum.to_f64().abs() / (force * size));
                }
            }
        }
        worst
    }
}
