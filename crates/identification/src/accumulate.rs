//! One pass over a log: every measured row is reduced to a triangle of its own.
//!
//! Row r of all samples, \[Y_r | y_r\], has the triangle U_r with U_rᵀU_r = \[Y_r | y_r\]ᵀ\[Y_r | y_r\]: the
//! residual of any parameters is ‖U_r (β, −1)‖. So weights of sensors can be chosen, and changed, after the
//! log is gone, and a row pays only for what it sees (the last joint of an arm sees the last body alone).

use std::num::NonZeroUsize;
use std::ops::Range;

use steiner_linalg::triangle::Triangle;
use steiner_logs::{FrictionModel, Recording, Role};

use crate::failure::IdentificationError;
use crate::problem::{MeasuredForce, Problem};
use crate::recorded_logs::CutoffTrials;
use crate::settings::Settings;

/// Samples, each with its instruments: the same samples with motion that was filtered more strongly.
pub type TrialPairs = Vec<(Recording, Recording)>;

/// Logs that come in chunks and can be run through again: longer than memory, if need be.
pub trait Source {
    /// Decides, before the first pass, what only a model can decide about the signals: the cut-off, where it is
    /// left open. `None` where there was nothing to decide.
    fn prepare(
        &mut self,
        _problem: &Problem,
        _settings: &Settings,
    ) -> Result<Option<CutoffTrials>, IdentificationError> {
        Ok(None)
    }

    /// Decides it again for a problem with other friction: friction that a model lacks looks like noise, and more so where
    /// motion is fast. `None` where there is nothing to decide.
    fn prepare_again(
        &mut self,
        _problem: &Problem,
        _settings: &Settings,
    ) -> Result<Option<CutoffTrials>, IdentificationError> {
        Ok(None)
    }

    /// Training samples in the widest band whose motion predicts well, not too many, with dry friction filtered as the
    /// forces are; `None` where parameters come from that band anyway.
    fn widest_band(
        &mut self,
        _: &CutoffTrials,
        _: FrictionModel,
    ) -> Result<Option<Vec<Recording>>, IdentificationError> {
        Ok(None)
    }

    /// Whether it says of some forces what they are in N·m or N, whatever the gains of currents may be.
    fn fixes_scale(&self) -> bool {
        false
    }

    /// Training samples to try models on, not too many, with dry friction filtered as the forces are.
    fn trial_recordings(&mut self, _: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        self.held()
    }

    /// Those of them that are at hand without another pass.
    fn at_hand(&mut self, _: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        Ok(Vec::new())
    }

    /// Training samples to try models on, each with its instruments; `None` where there are none.
    fn trial_pairs(&mut self, _: FrictionModel) -> Result<Option<TrialPairs>, IdentificationError> {
        Ok(None)
    }

    /// Filters another friction with the forces, from the next pass on.
    fn carry(&mut self, _friction: FrictionModel) {}

    /// Training samples as they were recorded, not filtered where that is possible.
    fn unfiltered(&mut self) -> Result<Vec<Recording>, IdentificationError> {
        self.held()
    }

    /// All chunks at once.
    fn held(&mut self) -> Result<Vec<Recording>, IdentificationError> {
        let mut out = Vec::new();
        self.chunks(&mut |recording| {
            out.push(recording.clone());
            Ok(())
        })?;
        Ok(out)
    }

    /// Told how much of long work is done, from 0 to 1; an error ends it.
    fn working(&mut self, _part: f64) -> Result<(), IdentificationError> {
        Ok(())
    }

    /// Hands over one chunk after the other, each with instruments: the same samples with motion that was filtered
    /// more strongly.
    fn chunks_with_instruments(
        &mut self,
        _each: &mut dyn FnMut(&Recording, &Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        Err(IdentificationError::NoInstruments)
    }

    /// Hands over one chunk after the other, from the beginning.
    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError>;
}

impl Source for &Recording {
    fn at_hand(&mut self, _: FrictionModel) -> Result<Vec<Recording>, IdentificationError> {
        Ok(vec![(*self).clone()])
    }

    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        each(self)
    }
}

/// Recordings in memory, one after the other.
pub(crate) struct Held<'a>(pub(crate) &'a [Recording]);

impl Source for Held<'_> {
    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        self.0.iter().try_for_each(each)
    }
}

/// The triangles of all measured rows.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// For each row, over what it sees and the right-hand side.
    triangles: Vec<Triangle>,
    sees: Vec<Vec<usize>>,
    /// For each row, what it is that parameters explain.
    measured: Vec<MeasuredSquares>,
    base: usize,
    /// Number of samples reduced so far.
    pub samples: usize,
}

/// Sums over the samples of a row whose measured force is f + K i: the force f and, where a motor's gain K is
/// asked for, its current i.
#[derive(Clone, Copy, Debug, Default)]
struct MeasuredSquares {
    forces: f64,
    mixed: f64,
    currents: f64,
}

impl MeasuredSquares {
    fn add(&mut self, force: f64, current: f64) {
        self.forces += force * force;
        self.mixed += force * current;
        self.currents += current * current;
    }

    fn merge(&mut self, other: &MeasuredSquares) {
        self.forces += other.forces;
        self.mixed += other.mixed;
        self.currents += other.currents;
    }
}

/// What Huber's weights depend on: an estimate, the noise of every row, and the threshold in units of it.
pub(crate) struct HuberWeights<'a> {
    pub(crate) values: &'a [f64],
    pub(crate) sigma: &'a [f64],
    pub(crate) threshold: f64,
}

/// Residual of a row: right-hand side minus prediction.
pub(crate) fn row_residual(values: &[f64], sees: &[usize], row: &[f64]) -> f64 {
    let (rhs, coefficients) = row.split_last().map_or((0.0, row), |(rhs, c)| (*rhs, c));
    // Four sums side by side: one alone would wait for each addition.
    let mut sums = [0.0; 4];
    let (fours, places) = (coefficients.chunks_exact(4), sees.chunks_exact(4));
    let last = fours.remainder().iter().zip(places.remainder()).map(|(a, &b)| a * values[b]).sum::<f64>();
    for (four, places) in fours.zip(places) {
        for k in 0..4 {
            sums[k] += four[k] * values[places[k]];
        }
    }
    rhs - ((sums[0] + sums[1]) + (sums[2] + sums[3]) + last)
}

impl Reduced {
    /// Nothing taken in yet.
    pub fn new(problem: &Problem) -> Self {
        Reduced {
            triangles: problem.rows().iter().map(|row| Triangle::new(row.sees.len() + 1)).collect(),
            sees: problem.rows().iter().map(|row| row.sees.clone()).collect(),
            measured: vec![MeasuredSquares::default(); problem.rows().len()],
            base: problem.base().len(),
            samples: 0,
        }
    }

    /// One row that sees all base parameters.
    pub(crate) fn of_one(triangle: Triangle, base: usize, samples: usize) -> Self {
        let (sees, measured) = (vec![(0..base).collect()], vec![MeasuredSquares::default()]);
        Reduced { triangles: vec![triangle], sees, measured, base, samples }
    }

    /// As if base parameters had been smaller by `by` while this was measured: y − Y·by in every row. What was
    /// measured, beside which residuals are stated, stays.
    pub(crate) fn with_parameters_moved(&self, by: &[f64]) -> Self {
        let moved = |(triangle, sees): (&Triangle, &Vec<usize>)| {
            let mut triangle = triangle.clone();
            triangle.reduce();
            triangle.with_rows(|row| {
                if let Some((rhs, coefficients)) = row.split_last_mut() {
                    *rhs -= coefficients.iter().zip(sees).map(|(x, &k)| x * by[k]).sum::<f64>();
                }
            })
        };
        Reduced { triangles: self.triangles.iter().zip(&self.sees).map(moved).collect(), ..self.clone() }
    }

    /// Takes the samples of one role in.
    pub fn absorb(
        &mut self,
        problem: &Problem,
        recording: &Recording,
        role: Role,
        threads: NonZeroUsize,
    ) -> Result<(), IdentificationError> {
        self.absorb_weighted(problem, recording, role, threads, None)
    }

    /// As [`Reduced::absorb`], with residuals beyond the threshold weighted down as Huber does.
    pub(crate) fn absorb_weighted(
        &mut self,
        problem: &Problem,
        recording: &Recording,
        role: Role,
        threads: NonZeroUsize,
        huber: Option<&HuberWeights<'_>>,
    ) -> Result<(), IdentificationError> {
        for part in recording.parts().into_iter().filter(|part| part.role == role) {
            self.absorb_range(problem, recording, part.samples, threads, huber)?;
        }
        Ok(())
    }

    /// Takes in a range of samples, whatever they are for.
    pub(crate) fn absorb_range(
        &mut self,
        problem: &Problem,
        recording: &Recording,
        samples: Range<usize>,
        threads: NonZeroUsize,
        huber: Option<&HuberWeights<'_>>,
    ) -> Result<(), IdentificationError> {
        let start = || -> (Vec<Triangle>, Vec<MeasuredSquares>) {
            let triangles = problem.rows().iter().map(|row| Triangle::new(row.sees.len() + 1)).collect();
            (triangles, vec![MeasuredSquares::default(); problem.rows().len()])
        };
        // Where currents were recorded, signals are those.
        let signals = problem.signals(recording)?;
        let has_gain: Vec<bool> =
            problem.rows().iter().map(|row| problem.gain_of(row.kind).is_some()).collect();
        self.samples += samples.len();
        let folded = problem.fold(recording, samples, threads, start, |(own, squares), at, sample| {
            for (r, triangle) in own.iter_mut().enumerate().filter(|(r, _)| sample.counts[*r]) {
                let row = sample.row(r);
                let (signal, width, k) = signals[r];
                squares[r].add(sample.measured[r], if has_gain[r] { signal[width * at + k] } else { 0.0 });
                match huber {
                    None => triangle.push(row),
                    Some(huber) => {
                        let residual = row_residual(huber.values, &problem.rows()[r].sees, row);
                        let size = residual.abs() / huber.sigma[r];
                        triangle.push_scaled(row, (huber.threshold / size).min(1.0).sqrt());
                    }
                }
            }
        })?;
        for (triangles, squares) in folded {
            self.measured.iter_mut().zip(&squares).for_each(|(own, other)| own.merge(other));
            self.triangles.iter_mut().zip(triangles).for_each(|(own, other)| own.merge(other));
        }
        self.triangles.iter_mut().for_each(Triangle::reduce);
        Ok(())
    }

    /// All its numbers, for another process: samples, and of each row its count, the sums of what was measured
    /// and the triangle.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let mut out = vec![self.samples as f64];
        for (triangle, sums) in self.triangles.iter().zip(&self.measured) {
            out.extend([triangle.rows() as f64, sums.forces, sums.mixed, sums.currents]);
            out.extend(triangle.upper());
        }
        out
    }

    /// Takes the numbers of another one of the same problem off the front; `None` where there are too few.
    pub(crate) fn take_numbers(&mut self, numbers: &mut &[f64]) -> Option<()> {
        let take = |numbers: &mut &[f64], count: usize| -> Option<Vec<f64>> {
            let (own, rest) = numbers.split_at_checked(count)?;
            *numbers = rest;
            Some(own.to_vec())
        };
        self.samples = take(numbers, 1)?[0] as usize;
        for (triangle, sums) in self.triangles.iter_mut().zip(&mut self.measured) {
            let head = take(numbers, 4)?;
            *sums = MeasuredSquares { forces: head[1], mixed: head[2], currents: head[3] };
            let columns = triangle.columns();
            let upper = take(numbers, columns * (columns + 1) / 2)?;
            *triangle = Triangle::from_upper(columns, &upper, head[0] as usize)?;
        }
        Some(())
    }

    /// Takes in what another has taken in.
    pub(crate) fn merge(&mut self, other: &Reduced) {
        self.samples += other.samples;
        self.measured.iter_mut().zip(&other.measured).for_each(|(own, other)| own.merge(other));
        self.triangles.iter_mut().zip(&other.triangles).for_each(|(own, other)| own.merge(other.clone()));
        self.triangles.iter_mut().for_each(Triangle::reduce);
    }

    /// The same log near given parameters, with currents as these predict them: what is linear in base
    /// parameters and gains there. `gains` are the rows' unknown gains among the base parameters.
    ///
    /// The noise of a row with gain K is on the current, so that its residual is e/K. With e/K in place of the
    /// current's own noise, ∂(e/K)/∂K has the coefficient a + e/K where e has a: minus the current as predicted.
    pub(crate) fn with_predicted_currents(&self, gains: &[Option<usize>], values: &[f64]) -> Self {
        let mut out = self.clone();
        for ((triangle, sees), gain) in out.triangles.iter_mut().zip(&self.sees).zip(gains) {
            let Some((at, gain)) = gain.and_then(|b| Some((sees.iter().position(|&s| s == b)?, values[b])))
            else {
                continue;
            };
            *triangle = triangle.with_rows(|row| {
                let residual = row_residual(values, sees, row);
                row[at] += residual / gain;
                row[sees.len()] += residual;
            });
        }
        out
    }

    /// The same log with a base parameter taken as known.
    pub(crate) fn with_known(&self, base: usize, value: f64) -> Self {
        let mut out = self.clone();
        for (triangle, sees) in out.triangles.iter_mut().zip(&self.sees) {
            if let Some(at) = sees.iter().position(|&b| b == base) {
                *triangle = triangle.with_rows(|row| {
                    row[sees.len()] -= value * row[at];
                    row[at] = 0.0;
                });
            }
        }
        out
    }

    /// The same log with what was recorded of one row times a factor.
    pub(crate) fn with_scaled_row(&self, row: usize, factor: f64) -> Self {
        let mut out = self.clone();
        let last = self.sees[row].len();
        out.triangles[row] = self.triangles[row].with_rows(|numbers| numbers[last] *= factor);
        out
    }

    /// The same log with other triangles, row by row.
    pub(crate) fn with_triangles(&self, triangles: Vec<Triangle>) -> Self {
        Reduced { triangles, ..self.clone() }
    }

    /// The triangle of a row, over what it sees and the right-hand side.
    pub(crate) fn triangle(&self, row: usize) -> &Triangle {
        &self.triangles[row]
    }

    /// Number of base parameters.
    pub(crate) fn unknowns(&self) -> usize {
        self.base
    }

    /// The gain by which a row's current comes nearest to the torque that `values` predict: (a · e)/(a · a)
    /// with a the current's column and e the residual without it.
    pub(crate) fn gain_by(&self, row: usize, gain: usize, values: &[f64]) -> f64 {
        let (triangle, sees) = (&self.triangles[row], &self.sees[row]);
        let Some(at) = sees.iter().position(|&b| b == gain) else { return f64::NAN };
        let mut values = values.to_vec();
        values[gain] = 0.0;
        let mut sums = (0.0, 0.0);
        for k in 0..triangle.columns() {
            let numbers = triangle.row(k);
            sums.0 += numbers[at] * row_residual(&values, sees, numbers);
            sums.1 += numbers[at] * numbers[at];
        }
        sums.0 / sums.1
    }

    /// How often each row counted.
    pub fn counts(&self) -> Vec<usize> {
        self.triangles.iter().map(Triangle::rows).collect()
    }

    /// For each row (base parameter it sees, root mean square of its column over the samples that counted),
    /// N·m or N per unit of the parameter.
    pub(crate) fn column_sizes(&self) -> Vec<Vec<(usize, f64)>> {
        let of_row = |(triangle, sees): (&Triangle, &Vec<usize>)| {
            let samples = triangle.rows().max(1) as f64;
            let square = |c: usize| (0..=c).map(|r| triangle.entry(r, c).powi(2)).sum::<f64>();
            sees.iter().enumerate().map(|(c, &b)| (b, (square(c) / samples).sqrt())).collect()
        };
        self.triangles.iter().zip(&self.sees).map(of_row).collect()
    }

    /// Σ of the squares of what was measured in each row, with contacts and before known parameters are taken
    /// off, N²m² or N². Currents count as forces by the gains among `parameters`, the values of all of them.
    pub fn measured_squares(&self, problem: &Problem, parameters: &[f64]) -> Vec<f64> {
        let of_row = |(row, sums): (&MeasuredForce, &MeasuredSquares)| {
            let gain = problem.gain_of(row.kind).map_or(0.0, |column| parameters[column]);
            sums.forces + gain * (2.0 * sums.mixed + gain * sums.currents)
        };
        problem.rows().iter().zip(&self.measured).map(of_row).collect()
    }

    /// Σ y² of each row, where y is what is left for the unknown parameters to explain.
    pub fn squares(&self) -> Vec<f64> {
        let square = |triangle: &Triangle| {
            let last = triangle.columns() - 1;
            (0..=last).map(|k| triangle.entry(k, last).powi(2)).sum()
        };
        self.triangles.iter().map(square).collect()
    }

    /// Σ (y − Yβ)² of each row.
    pub fn residual_squares(&self, values: &[f64]) -> Vec<f64> {
        let of_row = |(triangle, sees): (&Triangle, &Vec<usize>)| {
            (0..triangle.columns()).map(|k| row_residual(values, sees, triangle.row(k)).powi(2)).sum()
        };
        self.triangles.iter().zip(&self.sees).map(of_row).collect()
    }

    /// All rows in one triangle over the base parameters and the right-hand side, each row times its weight.
    pub(crate) fn stacked(&self, weights: &[f64]) -> Triangle {
        let mut out = Triangle::new(self.base + 1);
        let mut full = vec![0.0; self.base + 1];
        for ((triangle, sees), weight) in self.triangles.iter().zip(&self.sees).zip(weights) {
            for k in 0..triangle.columns() {
                full.fill(0.0);
                let row = triangle.row(k);
                sees.iter().zip(row).for_each(|(&b, x)| full[b] = weight * x);
                full[self.base] = weight * row[sees.len()];
                out.push(&full);
            }
        }
        out.reduce();
        out
    }
}

/// Stretches to learn from.
pub(crate) fn training_ranges(recording: &Recording) -> Vec<Range<usize>> {
    let parts = recording.parts().into_iter().filter(|part| part.role == Role::Training);
    parts.map(|part| part.samples).collect()
}
