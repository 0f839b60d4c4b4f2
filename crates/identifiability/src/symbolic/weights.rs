//! The factors of a regrouping at any lengths, from the regressor alone.
//!
//! With base columns B and dependent columns D, every dependent column of the regressor is a combination
//! of the base columns, Y_D = Y_B β, and the base parameters are π_B + β π_D ((16), (17) of
//! \[iriarte2015\]). β follows from rows at generic states by elimination: no null vector is needed, so
//! that this is also a check on them.

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_scalar::{DoubleDouble, Field, Fp, Real};

use crate::analysis::{Analysis, Question};
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::sampling::{Closed, Rational, RowSource};
use crate::stack::Stack;
use crate::symbolic::family::Family;

/// Weights (kg, m) of loops below this are rounding; thirty digits leave ten for what closure costs.
const ZERO_WEIGHT: f64 = 1e-15;

/// Which columns are base parameters, and which are regrouped into them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    /// Columns of the base parameters.
    pub(crate) base: Vec<usize>,
    /// Columns that are expressed by them.
    pub(crate) dependent: Vec<usize>,
}

impl Split {
    /// As an analysis chose.
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let base: Vec<usize> = analysis.regrouping.base.iter().map(|base| base.column).collect();
        let known: Vec<usize> = analysis.known.iter().map(|(column, _)| *column).collect();
        let others = (0..analysis.labels.len()).filter(|c| !base.contains(c) && !known.contains(c));
        Split { dependent: others.collect(), base }
    }

    /// Whether a mechanism has these base parameters: its dependent columns are combinations of the base
    /// columns, and these independent.
    pub(crate) fn holds(&self, mechanism: &Mechanism, question: &Question) -> bool {
        let Ok(measurement) = question.measurement(mechanism) else { return false };
        let solved = match mechanism.robot().loops.is_empty() {
            true => self.in_field(mechanism, &measurement).map(|beta| beta.is_some()),
            false => self.in_digits::<DoubleDouble>(mechanism, &measurement).map(|beta| beta.is_some()),
        };
        solved.unwrap_or(false)
    }

    /// The entries of β that aren't zero at two members near the file's. Lengths that are equal in the file
    /// hide entries such as l1² − l2² there.
    pub(crate) fn weighted(&self, family: &Family, question: &Question) -> Vec<(usize, usize)> {
        let is_tree = family.is_tree();
        let weighted = |member: Mechanism| -> Option<Vec<bool>> {
            let measurement = question.measurement(&member).ok()?;
            if is_tree {
                let beta = self.in_field(&member, &measurement).ok()??;
                return Some(beta.entries().iter().map(|x| *x != Fp::zero()).collect());
            }
            let beta = self.in_digits::<DoubleDouble>(&member, &measurement).ok()??;
            Some(beta.entries().iter().map(|x| x.to_f64().abs() > ZERO_WEIGHT).collect())
        };
        let members = (20..26).filter_map(|seed| family.member(&family.near(seed)));
        let mut out = Vec::new();
        for shown in members.filter_map(weighted).take(2) {
            let places = shown.iter().enumerate().filter(|(_, shown)| **shown).map(|(k, _)| k);
            out.extend(places.map(|k| (k / self.dependent.len(), k % self.dependent.len())));
        }
        out
    }

    /// β, base by dependent, from rows; `None` if the dependent columns are not combinations of the base
    /// columns, or these not independent: then the lengths are special.
    fn solve<S: RowSource>(&self, stack: &Stack<S>) -> Option<Matrix<S::Number>> {
        let (rows, width) = (&stack.rows, self.base.len() + stack.known.len());
        let eligible: Vec<usize> = self.base.iter().chain(&stack.known).copied().collect();
        let system = Matrix::from_fn(rows.rows(), width + self.dependent.len(), |r, c| {
            let column = if c < width { eligible[c] } else { self.dependent[c - width] };
            rows[(r, column)].clone()
        });
        let largest = rows.largest_weight();
        let echelon = reduce(system, width, stack.tolerance * largest);
        let solved = &echelon.reduced;
        let left = (echelon.rank()..solved.rows())
            .flat_map(|r| solved.row(r)[width..].iter().map(Field::pivot_weight))
            .fold(0.0, f64::max);
        if echelon.rank() < width || left > stack.tolerance * largest {
            return None;
        }
        let mut place = vec![0; width];
        echelon.pivots.iter().enumerate().for_each(|(row, &pivot)| place[pivot] = row);
        Some(Matrix::from_fn(self.base.len(), self.dependent.len(), |b, d| {
            solved[(place[b], width + d)].clone()
        }))
    }

    /// Rows of as many states as the base parameters need, and two more to
    /// notice if they were not all; then β.
    fn solved<S: RowSource>(
        &self,
        stack: &mut Stack<S>,
        columns: usize,
    ) -> Result<Option<Matrix<S::Number>>, IdentifiabilityError> {
        let per_state = stack.source.rows()?.rows().max(1);
        let mut states = self.base.len().div_ceil(per_state) + 2;
        // Rows of one state may depend on each other.
        for _ in 0..3 {
            stack.fill_like(columns, states)?;
            if let Some(beta) = self.solve(stack) {
                return Ok(Some(beta));
            }
            states *= 2;
        }
        Ok(None)
    }

    /// β of a mechanism without loops, in F_p.
    pub(crate) fn in_field(
        &self,
        mechanism: &Mechanism,
        measurement: &Measurement,
    ) -> Result<Option<Matrix<Fp>>, IdentifiabilityError> {
        let Some(rows) = Rational::<Fp>::new(mechanism, measurement, 5, Stream::residue)? else {
            return Ok(None);
        };
        let rows = rows.with_all_rows();
        self.solved(&mut Stack::new(rows, measurement, 0.0), measurement.columns(mechanism))
    }

    /// β of any mechanism, in extended precision.
    pub(crate) fn in_digits<R: Real>(
        &self,
        mechanism: &Mechanism,
        measurement: &Measurement,
    ) -> Result<Option<Matrix<R>>, IdentifiabilityError> {
        let rows = Closed::<R>::new(mechanism, measurement, 6)?;
        let (tolerance, _) = rows.tolerance();
        self.solved(&mut Stack::new(rows, measurement, tolerance), measurement.columns(mechanism))
    }
}
