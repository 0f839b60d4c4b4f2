//! The factors of a regrouping at any lengths, from the regressor alone.
//!
//! With base columns B and dependent columns D, every dependent column of the regressor is a combination of the base columns,
//! Y_D = Y_B β, and the base parameters are π_B + β π_D ((16), (17) of \[iriarte2015\]). β follows from rows at generic states by
//! elimination: no null vector is needed, so that this is also a check on them.

use steiner_scalar::elimination::{Matrix, reduce};
use steiner_scalar::{Field, Fp, Stream};

use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::sampling::{Closed, Rational, RowSource};
use crate::stack::Stack;
use steiner_dynamics::Mechanism;
use steiner_scalar::Real;

/// Which columns are base parameters, and which are regrouped into them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    /// Columns of the base parameters.
    pub(crate) base: Vec<usize>,
    /// Columns that are expressed by them.
    pub(crate) dependent: Vec<usize>,
}

impl Split {
    /// β, base by dependent, from rows; `None` if the dependent columns are not combinations of the base columns, or these not
    /// independent: then the lengths are special.
    fn solve<S: RowSource>(&self, stack: &Stack<S>) -> Option<Matrix<S::Number>> {
        let (rows, width) = (&stack.rows, self.base.len() + stack.known.len());
        let eligible: Vec<usize> = self.base.iter().chain(&stack.known).copied().collect();
        let system = Matrix::from_fn(rows.rows(), width + self.dependent.len(), |r, c| {
            let column = if c < width { eligible[c] } else { self.dependent[c - width] };
            rows[(r, column)].clone()
        });
        let largest = rows.entries().iter().fold(0.0, |most: f64, x| most.max(x.pivot_weight()));
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

    /// β of a mechanism without loops, in F_p.
    pub(crate) fn in_field(
        &self,
        mechanism: &Mechanism,
        measurement: &Measurement,
    ) -> Result<Option<Matrix<Fp>>, IdentifiabilityError> {
        let Some(rows) = Rational::<Fp>::new(mechanism, measurement, 5, Stream::residue)? else {
            return Ok(None);
        };
        let mut stack = Stack::new(rows, measurement, 0.0);
        stack.fill(measurement.columns(mechanism))?;
        Ok(self.solve(&stack))
    }

    /// β of any mechanism, in extended precision.
    pub(crate) fn in_digits<R: Real>(
        &self,
        mechanism: &Mechanism,
        measurement: &Measurement,
    ) -> Result<Option<Matrix<R>>, IdentifiabilityError> {
        let rows = Closed::<R>::new(mechanism, measurement, 6)?;
        let (tolerance, _) = rows.tolerance();
        let mut stack = Stack::new(rows, measurement, tolerance);
        stack.fill(measurement.columns(mechanism))?;
        Ok(self.solve(&stack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, analyze};
    use steiner_robot::{ReadOptions, read_robot};
    use steiner_scalar::{DoubleDouble, Exact};

    #[test]
    fn timing() {
        for name in [
            "puma560",
            "kr6",
            "panda",
            "go2",
            "two_link",
            "four_bar",
            "five_bar",
            "pkm_2prs_1psr",
            "delta",
            "palletizer",
        ] {
            let robot = read_robot(name, &ReadOptions::default()).unwrap().with_named_constants();
            let question = Question::default();
            let mechanism = Mechanism::new(robot.clone()).unwrap();
            let analysis = analyze(&mechanism, &question).unwrap();
            let base: Vec<usize> = analysis.regrouping.base.iter().map(|b| b.column).collect();
            let dependent: Vec<usize> = (0..analysis.labels.len()).filter(|c| !base.contains(c)).collect();
            let split = Split { base, dependent };
            let names: Vec<String> =
                robot.free_constants().iter().map(|c| format!("{}={}", c.name, c.value)).collect();
            let started = std::time::Instant::now();
            let values: Vec<(String, Exact)> = robot
                .free_constants()
                .iter()
                .enumerate()
                .map(|(k, c)| (c.name.clone(), c.value.clone() * Exact::fraction(1000 + 7 * k as i64, 1000)))
                .collect();
            let moved = robot.with_constants(&values).unwrap();
            let Ok(mechanism) = Mechanism::new(moved) else {
                eprintln!("{name} not assembled");
                continue;
            };
            let built = started.elapsed();
            let measurement = question.measurement(&mechanism).unwrap();
            let solved = if robot.loops.is_empty() {
                split.in_field(&mechanism, &measurement).unwrap().is_some()
            } else {
                split.in_digits::<DoubleDouble>(&mechanism, &measurement).unwrap().is_some()
            };
            eprintln!("{name}: built {built:?} total {:?} solved {solved} {names:?}", started.elapsed());
        }
    }
}
