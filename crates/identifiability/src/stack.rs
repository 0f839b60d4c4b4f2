//! Rows of the regressor at many states, and questions to them.

use steiner_scalar::Field;
use steiner_scalar::elimination::{Matrix, rank};

use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::sampling::RowSource;

/// Rows beyond the number of columns, so that a coincidence would have to repeat itself.
const EXTRA_ROWS: usize = 8;
/// States, at least.
const LEAST_STATES: usize = 24;

/// Rows as far as they were asked for.
pub(crate) struct Stack<S: RowSource> {
    pub(crate) source: S,
    pub(crate) rows: Matrix<S::Number>,
    /// Pivots below this are zero; 0 in exact fields.
    pub(crate) tolerance: f64,
    /// Parameters known beforehand: as good as measured by themselves.
    known: Vec<usize>,
}

impl<S: RowSource> Stack<S> {
    pub(crate) fn new(source: S, measurement: &Measurement, tolerance: f64) -> Self {
        let known = measurement.known().iter().map(|(column, _)| *column).collect();
        Stack { source, rows: Matrix::zeros(0, 0), tolerance, known }
    }

    /// Enough states for any question about `columns` columns: more rows than columns, and from more states than a body has
    /// parameters, since rows of one state say the same about a body that few of its velocities move.
    pub(crate) fn fill(&mut self, columns: usize) -> Result<(), IdentifiabilityError> {
        self.rows = Matrix::zeros(0, columns);
        for &column in &self.known {
            let mut row = vec![S::Number::zero(); columns];
            row[column] = S::Number::one();
            self.rows.push_row(&row);
        }
        let mut states = 0;
        while self.rows.rows() < self.known.len() + columns + EXTRA_ROWS || states < LEAST_STATES {
            states += 1;
            let more = self.source.rows()?;
            for r in 0..more.rows() {
                self.rows.push_row(more.row(r));
            }
            // Where nothing moves nothing is measured, however often.
            if more.rows() == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Whether a vector, given by its entries behind `offset`, vanishes on all rows.
    pub(crate) fn vanishes(&self, entries: &[(usize, S::Number)], offset: usize) -> bool {
        let size = entries.iter().fold(0.0, |most: f64, (_, x)| most.max(x.pivot_weight()));
        (0..self.rows.rows()).all(|r| {
            let row = self.rows.row(r);
            let (mut sum, mut largest) = (S::Number::zero(), 0.0f64);
            for (c, x) in entries {
                let term = row[offset + c].clone() * x.clone();
                largest = largest.max(term.pivot_weight());
                sum = sum + term;
            }
            sum.pivot_weight() <= self.tolerance * largest.max(size)
        })
    }

    /// All rows that see some of the columns, restricted to them.
    pub(crate) fn restricted(&self, columns: &[usize]) -> Matrix<S::Number> {
        let rows = &self.rows;
        let seeing: Vec<usize> = (0..rows.rows())
            .filter(|&r| columns.iter().any(|&c| rows.row(r)[c].pivot_weight() > 0.0))
            .collect();
        Matrix::from_fn(seeing.len(), columns.len(), |r, c| rows.row(seeing[r])[columns[c]].clone())
    }

    /// Rank of all rows, and how clear it is.
    pub(crate) fn rank(&self) -> (usize, f64) {
        let largest = self.rows.entries().iter().fold(0.0, |most: f64, x| most.max(x.pivot_weight()));
        rank(self.rows.clone(), self.tolerance * largest)
    }
}
