//! What a model says of a log, sample by sample.

use std::num::NonZeroUsize;

use steiner_identifiability::MeasuredRow;
use steiner_logs::Recording;

use crate::accumulate::row_residual;
use crate::checked::check;
use crate::failure::IdentificationError;
use crate::problem::Problem;

/// Measured and predicted forces, `count × rows`, sample-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Names of the rows.
    pub rows: Vec<String>,
    /// What the sensors showed, N·m or N (currents times their gain where that was unknown).
    pub measured: Vec<f64>,
    /// What the model says they should.
    pub predicted: Vec<f64>,
    /// Whether the sample counted for the row (it was fast enough).
    pub counted: Vec<bool>,
}

impl Prediction {
    /// Norm of the difference over that of what was measured, over all rows that counted.
    pub fn relative_error(&self) -> f64 {
        let (mut left, mut all) = (0.0, 0.0);
        for ((measured, predicted), _) in
            self.measured.iter().zip(&self.predicted).zip(&self.counted).filter(|(_, counted)| **counted)
        {
            left += (measured - predicted).powi(2);
            all += measured * measured;
        }
        f64::sqrt(left / all)
    }
}

/// Predicts every row of a problem for all samples of a log, with given values of *all* parameters, in the
/// order of the problem's labels.
pub fn predict(
    problem: &Problem,
    recording: &Recording,
    parameters: &[f64],
    threads: NonZeroUsize,
) -> Result<Prediction, IdentificationError> {
    check(recording, problem.mechanism())?;
    if parameters.len() != problem.labels().len() {
        let (found, wanted) = (parameters.len(), problem.labels().len());
        let what = "parameters".to_owned();
        return Err(IdentificationError::Shape { what, found, count: 1, width: wanted, wanted });
    }
    let values = problem.base_values(parameters);
    let gains: Vec<Option<f64>> =
        problem.rows().iter().map(|row| problem.gain_of(row.kind).map(|column| parameters[column])).collect();
    let signals = problem.signals(recording)?;
    let start = || (Vec::new(), Vec::new(), Vec::new());
    let folded = problem.fold(recording, 0..recording.count, threads, start, |own, sample, rows| {
        for (r, row) in problem.rows().iter().enumerate() {
            let (signal, width, k) = signals[r];
            let measured = signal[width * sample + k] * gains[r].unwrap_or(1.0);
            own.0.push(measured);
            own.1.push(measured - row_residual(&values, &row.sees, rows.row(r)));
            own.2.push(rows.counts[r]);
        }
    })?;
    let mut out = Prediction {
        rows: problem.rows().iter().map(|row| row.name.clone()).collect(),
        measured: Vec::new(),
        predicted: Vec::new(),
        counted: Vec::new(),
    };
    for (measured, predicted, counted) in folded {
        out.measured.extend(measured);
        out.predicted.extend(predicted);
        out.counted.extend(counted);
    }
    Ok(out)
}

impl Problem {
    /// The column of the gain of a row whose current was recorded.
    pub(crate) fn gain_of(&self, row: MeasuredRow) -> Option<usize> {
        let MeasuredRow::Force(k) = row else { return None };
        self.gain_column(k)
    }
}
