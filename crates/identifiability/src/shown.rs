//! What a recorded motion showed of the base parameters.
//!
//! Over the samples of a motion the base regressor W_b has full rank only if the motion excites every base parameter. Its
//! singular values, with columns scaled to length one, say what was seen; the length of the rows of its inverse says how much
//! the uncertainty of each parameter grows because the motion moved it together with others.

use steiner_dynamics::{Feasible, Mechanism};
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::singular;
use steiner_linalg::triangle::Triangle;

use crate::base_parameters::Regrouping;
use crate::drives::Drive;
use crate::error::IdentifiabilityError;
use crate::measure::Measurement;
use crate::weak::units_of_columns;

/// Singular values below this fraction of the largest were not shown: no sensor has more digits.
const UNEXCITED: f64 = 1e-7;
/// Columns weaker than this beside the strongest, in comparable units, were not shown: rounding of the motion moves them.
const STILL: f64 = 1e-9;
/// Uncertainty grown by this much is barely shown.
const BARELY: f64 = 100.0;

/// What a motion showed.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Samples.
    pub samples: usize,
    /// How many independent combinations of the base parameters it showed.
    pub rank: usize,
    /// Condition number of the base regressor with columns of length one; infinite if not all was shown.
    pub condition_number: f64,
    /// For each base parameter, in order: what it means for its uncertainty that others moved along; infinite if it was not shown.
    pub inflation: Vec<f64>,
}

impl Shown {
    /// Base parameters the motion did not show, by position.
    pub fn unseen(&self) -> Vec<usize> {
        (0..self.inflation.len()).filter(|&k| self.inflation[k].is_infinite()).collect()
    }

    /// Base parameters the motion barely told from others, by position.
    pub fn barely(&self) -> Vec<usize> {
        let barely = |k: &usize| self.inflation[*k].is_finite() && self.inflation[*k] > BARELY;
        (0..self.inflation.len()).filter(barely).collect()
    }
}

/// Gathers what samples show, one after the other: the log may be longer than memory.
pub struct Showing<'m> {
    mechanism: &'m Mechanism,
    measurement: Measurement,
    /// Columns of the base parameters.
    columns: Vec<usize>,
    rows: Triangle,
    samples: usize,
}

impl<'m> Showing<'m> {
    /// For the base parameters of an analysis, measured as there.
    pub fn new(mechanism: &'m Mechanism, measurement: Measurement, regrouping: &Regrouping) -> Self {
        let columns: Vec<usize> = regrouping.base.iter().map(|base| base.column).collect();
        let rows = Triangle::new(columns.len());
        Showing { mechanism, measurement, columns, rows, samples: 0 }
    }

    /// Takes one sample in: configuration, velocity and acceleration of the independent coordinates.
    pub fn sample(&mut self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<(), IdentifiabilityError> {
        let state: Feasible<f64> = self.mechanism.feasible(q, qd, qdd)?;
        let sign = |drive: &Drive| match state.velocity[drive.velocity] {
            0.0 => 0.0,
            x => f64::signum(x),
        };
        let signs: Vec<f64> = self.measurement.drives().iter().map(sign).collect();
        let rows = self.measurement.rows(self.mechanism, self.mechanism.tree(), &state, &signs)?;
        // Beyond this the squares of a long log would overflow.
        if rows.entries().iter().any(|x| !x.is_finite() || x.abs() > 1e100) {
            return Err(IdentifiabilityError::ImpossibleMotion);
        }
        for r in 0..rows.rows() {
            let row: Vec<f64> = self.columns.iter().map(|&c| rows[(r, c)]).collect();
            self.rows.push(&row);
        }
        self.samples += 1;
        Ok(())
    }

    /// What was shown.
    pub fn finish(mut self) -> Shown {
        self.rows.reduce();
        let count = self.columns.len();
        let entry = |r: usize, c: usize| self.rows.entry(r, c);
        let lengths: Vec<f64> =
            (0..count).map(|c| (0..=c).map(|r| entry(r, c).powi(2)).sum::<f64>().sqrt()).collect();
        let units = units_of_columns(self.mechanism, &self.measurement);
        let strength: Vec<f64> =
            lengths.iter().zip(&self.columns).map(|(length, &c)| length * units[c]).collect();
        let strongest = strength.iter().fold(0.0, |most: f64, x| most.max(*x));
        let moved: Vec<bool> = strength.iter().map(|x| *x > STILL * strongest).collect();
        let unit =
            Matrix::from_fn(count, count, |r, c| if moved[c] { entry(r, c) / lengths[c] } else { 0.0 });
        let found = singular(unit);
        let decided = found.decide_rank(UNEXCITED);
        let rank = decided.rank;
        let inflation = (0..count)
            .map(|c| {
                let hidden: f64 = found.vectors[rank..].iter().map(|v| v[c].powi(2)).sum();
                let inverse: f64 = (0..rank).map(|k| (found.vectors[k][c] / found.values[k]).powi(2)).sum();
                if !moved[c] || hidden > 1e-6 { f64::INFINITY } else { inverse.sqrt() }
            })
            .collect();
        let condition_number = match found.values.first() {
            Some(largest) if rank == count => largest / decided.smallest_kept,
            _ => f64::INFINITY,
        };
        Shown { samples: self.samples, rank, condition_number, inflation }
    }
}
