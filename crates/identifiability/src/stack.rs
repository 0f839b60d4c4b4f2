//! Rows of the regressor at many states, and questions to them.

use steiner_linalg::elimination::{Matrix, decide_rank};
use steiner_linalg::span::Span;
use steiner_linalg::{RankDecision, checkpoint};
use steiner_scalar::Field;

use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::sampling::RowSource;
use crate::transfers::MOST_COLUMNS;

/// Generic states that in sequence must show nothing new. Where one does, all would but for a coincidence:
/// what a fixed set of rows spans, a generic state either always stays within or almost never.
pub(crate) const QUIET_STATES: usize = 3;
/// The same where numbers are rounded.
const QUIET_STATES_ROUNDED: usize = 6;
/// What is left of a row beside others, relative to the row, when it is one of them but for rounding: a few
/// units of the last digit of a double; less where smaller pivots count. Too small a value costs states, too large
/// a one rows, and with them rank.
const ROUNDED_ROW: f64 = 1e-15;

/// Rows as far as they were asked for.
pub(crate) struct Stack<S: RowSource> {
    pub(crate) source: S,
    pub(crate) rows: Matrix<S::Number>,
    /// Pivots below this are zero; 0 in exact fields.
    pub(crate) tolerance: f64,
    /// States behind the rows.
    pub(crate) states: usize,
    /// Parameters known beforehand: as good as measured by themselves.
    pub(crate) known: Vec<usize>,
}

impl<S: RowSource> Stack<S> {
    pub(crate) fn new(source: S, measurement: &Measurement, tolerance: f64) -> Self {
        let known = measurement.known().iter().map(|(column, _)| *column).collect();
        Stack { source, rows: Matrix::zeros(0, 0), tolerance, states: 0, known }
    }

    /// States until they show nothing new.
    pub(crate) fn fill(&mut self, columns: usize) -> Result<(), IdentifiabilityError> {
        if let Some(enough) = self.source.sketches() {
            return self.fill_like(columns, enough);
        }
        let exact = S::Number::EXACT;
        let mut span = Span::new(if exact { 0.0 } else { ROUNDED_ROW.min(self.tolerance) });
        self.start(columns);
        (0..self.rows.rows()).for_each(|r| _ = span.insert(self.rows.row(r).to_vec()));
        let wanted = if exact { QUIET_STATES } else { QUIET_STATES_ROUNDED };
        let (mut states, mut nothing_new) = (0, 0);
        while nothing_new < wanted {
            checkpoint();
            states += 1;
            let before = span.len();
            let more = self.source.rows()?;
            for r in 0..more.rows() {
                self.rows.push_row(more.row(r));
                if span.len() < columns {
                    span.insert(more.row(r).to_vec());
                }
            }
            nothing_new = if span.len() > before { 0 } else { nothing_new + 1 };
        }
        self.states = states;
        self.tolerance = self.tolerance.max(self.source.openness());
        Ok(())
    }

    /// The rows of what is known, and no others.
    fn start(&mut self, columns: usize) {
        let unit = |column: usize, c: usize| if c == column { S::Number::one() } else { S::Number::zero() };
        self.rows = Matrix::from_fn(self.known.len(), columns, |r, c| unit(self.known[r], c));
    }

    /// As many states as another stack found enough.
    pub(crate) fn fill_like(&mut self, columns: usize, states: usize) -> Result<(), IdentifiabilityError> {
        let states = self.source.sketches().unwrap_or(states);
        self.start(columns);
        for _ in 0..states {
            checkpoint();
            let more = self.source.rows()?;
            (0..more.rows()).for_each(|r| self.rows.push_row(more.row(r)));
        }
        self.states = states;
        Ok(())
    }

    /// Whether a vector, given by its entries behind `offset`, vanishes on all rows that were measured.
    pub(crate) fn vanishes(&self, entries: &[(usize, S::Number)], offset: usize) -> bool {
        let size = entries.iter().fold(0.0, |most: f64, (_, x)| most.max(x.pivot_weight()));
        (self.known.len()..self.rows.rows()).all(|r| {
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

    /// Whether rows can tell null vectors on some columns from what they are too few to see.
    pub(crate) fn are_enough_for(&self, columns: &[usize]) -> bool {
        self.source.sketches().is_none() || columns.len() <= MOST_COLUMNS
    }

    /// The rank of all rows, that of the regressor.
    pub(crate) fn decide_rank(&self) -> RankDecision {
        if let Some(joints) = self.source.by_joint(&self.rows) {
            let start = RankDecision::of([], self.tolerance);
            return joints.into_iter().fold(start, |all, (rows, size)| {
                let own = decide_rank(rows, self.tolerance * size);
                let size = size.max(f64::MIN_POSITIVE);
                RankDecision {
                    rank: all.rank + own.rank,
                    smallest_kept: all.smallest_kept.min(own.smallest_kept / size),
                    largest_dropped: all.largest_dropped.max(own.largest_dropped / size),
                    ..all
                }
            });
        }
        decide_rank(self.rows.clone(), self.tolerance * self.rows.largest_weight())
    }
}
