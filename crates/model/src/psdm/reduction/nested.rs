//! Errors of many nested models in one walk over the states.
//!
//! Models that leave out more and more of the same list of functions differ by a few functions each. From the
//! smallest one on, the regressor of each is that of the one before and the terms of the functions added.

use std::num::NonZeroUsize;
use std::ops::Range;

use steiner_dynamics::Samples;
use steiner_linalg::in_parallel;

use super::fit::{Equations, Normal};
use super::measure::Measure;
use super::states::{Factors, Functions, Lane, WIDTH, pieces};

/// Nested models, the smallest first.
pub(super) struct Nest<'a> {
    functions: &'a Functions<'a>,
    samples: &'a Samples<'a>,
    tau: &'a [f64],
    measure: &'a Measure,
    threads: NonZeroUsize,
    /// Functions each model adds to the one before.
    added: Vec<Vec<Added>>,
    /// Places in the regressor (joint · ℓ + parameter) with factors from P_i, for all
    /// functions in the order of adding.
    entries: Vec<(u32, f64)>,
}

struct Added {
    function: u32,
    entries: Range<u32>,
}

/// The regressor Y of a model at eight states, and the force it should give; both weighted.
struct Regressor<'a> {
    parameters: usize,
    /// Row by row, n × ℓ.
    values: &'a [Lane],
    /// τ.
    target: &'a [Lane],
    /// The first of the states, and how many there are.
    first: usize,
    states: usize,
}

impl Regressor<'_> {
    /// τ − Y θ of each joint.
    fn residual(&self, theta: &[f64], out: &mut Vec<Lane>) {
        out.clear();
        for (row, target) in self.values.chunks_exact(self.parameters.max(1)).zip(self.target) {
            let mut left = *target;
            for (y, theta) in row.iter().zip(theta) {
                (0..WIDTH).for_each(|lane| left[lane] -= theta * y[lane]);
            }
            out.push(left);
        }
        // Without parameters there are no rows.
        out.extend(self.target.iter().skip(out.len()));
    }
}

impl<'a> Nest<'a> {
    /// Models with the functions of `groups`: the first group, the first two, and so on. `tau`
    /// are the forces of the full model.
    pub(super) fn new(
        functions: &'a Functions<'a>,
        samples: &'a Samples<'a>,
        tau: &'a [f64],
        measure: &'a Measure,
        groups: Vec<Vec<usize>>,
        threads: NonZeroUsize,
    ) -> Self {
        let model = functions.model;
        let parameters = model.parameters.len();
        let (mut added, mut entries) = (Vec::new(), Vec::new());
        for mut group in groups {
            // In the order of the model their factors lie together.
            group.sort_unstable();
            let mut of_group = Vec::with_capacity(group.len());
            for function in group {
                let first = entries.len() as u32;
                for (joint, reduction) in model.reductions.iter().enumerate() {
                    let row = reduction.row(function);
                    entries.extend(row.map(|(k, x)| ((joint * parameters + k) as u32, x)));
                }
                let entries = first..entries.len() as u32;
                of_group.push(Added { function: function as u32, entries });
            }
            added.push(of_group);
        }
        Nest { functions, samples, tau, measure, threads, added, entries }
    }

    /// Calls `visit(accumulator, model, regressor)` for every model at every eight states; what `finish`
    /// makes of the accumulator of each range of states, in their order.
    fn walk<A, R: Send>(
        &self,
        start: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, usize, &Regressor<'_>) + Sync,
        finish: impl Fn(A) -> R + Sync,
    ) -> Vec<R> {
        let (joints, parameters) = (self.functions.model.dof(), self.functions.model.parameters.len());
        let pieces = pieces(self.samples.count);
        in_parallel(pieces.len(), self.threads, |piece| {
            let range = pieces[piece].clone();
            let mut accumulator = start();
            let mut factors = Factors::default();
            let mut values = vec![[0.0; WIDTH]; joints * parameters];
            for first in range.clone().step_by(WIDTH) {
                let states = WIDTH.min(range.end - first);
                self.functions.evaluate(self.samples, first, |k| self.measure.weights[k], &mut factors);
                let target = |joint: usize| -> Lane {
                    let of_state = |lane: usize| {
                        self.measure.weights[first + lane] * self.tau[(first + lane) * joints + joint]
                    };
                    std::array::from_fn(|lane| if lane < states { of_state(lane) } else { 0.0 })
                };
                let target: Vec<Lane> = (0..joints).map(target).collect();
                values.fill([0.0; WIDTH]);
                for (model, added) in self.added.iter().enumerate() {
                    for added in added {
                        let y = self.functions.value(added.function as usize, &factors);
                        let entries = added.entries.start as usize..added.entries.end as usize;
                        for &(place, x) in &self.entries[entries] {
                            let sum = &mut values[place as usize];
                            (0..WIDTH).for_each(|lane| sum[lane] += x * y[lane]);
                        }
                    }
                    let (values, target) = (&values[..], &target[..]);
                    let regressor = Regressor { parameters, values, target, first, states };
                    visit(&mut accumulator, model, &regressor);
                }
            }
            finish(accumulator)
        })
    }

    /// The error of each model at each state, each model with its own θ.
    pub(super) fn errors(&self, thetas: &[&[f64]]) -> Vec<Vec<f64>> {
        let models = self.added.len();
        let done = self.walk(
            || (vec![Vec::new(); models], Vec::new()),
            |(errors, residual), model, regressor| {
                regressor.residual(thetas[model], residual);
                self.measure.apply(regressor.first, residual, 1);
                errors[model].extend((0..regressor.states).map(|lane| norm(residual, lane)));
            },
            |(errors, _)| errors,
        );
        joined(done, models)
    }

    /// θ of each model by least squares of its errors, starting from a common
    /// one; and the errors with that one.
    pub(super) fn fits(&self, theta: &[f64]) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let (models, joints) = (self.added.len(), self.functions.model.dof());
        // Bodies before a joint do not load it: most of the rows of Y are empty at the same places.
        let visible: Vec<Vec<usize>> = (0..joints).map(|joint| self.visible(joint)).collect();
        let start = || Fitting {
            normals: vec![Normal::new(theta.len()); models],
            errors: vec![Vec::new(); models],
            ..Fitting::default()
        };
        let absorb = |fitting: &mut Fitting, model: usize, regressor: &Regressor<'_>| {
            let Fitting { normals, errors, residual, rows } = fitting;
            regressor.residual(theta, residual);
            self.measure.apply(regressor.first, residual, 1);
            errors[model].extend((0..regressor.states).map(|lane| norm(residual, lane)));
            rows.clear();
            rows.extend_from_slice(regressor.values);
            self.measure.apply(regressor.first, rows, theta.len());
            let rows = rows.chunks_exact(theta.len().max(1));
            for ((row, residual), visible) in rows.zip(residual.iter()).zip(&visible) {
                normals[model].absorb(row, residual, visible);
            }
        };
        let done = self.walk(start, absorb, |fitting| {
            (fitting.normals.iter().map(Normal::equations).collect::<Vec<_>>(), fitting.errors)
        });
        let mut sums = vec![Equations::new(theta.len()); models];
        let mut errors = Vec::new();
        for (equations, of_piece) in done {
            sums.iter_mut().zip(equations).for_each(|(sum, more)| sum.add(&more));
            errors.push(of_piece);
        }
        let fitted = |sum: Equations| theta.iter().zip(sum.solve()).map(|(t, by)| t + by).collect();
        (sums.into_iter().map(fitted).collect(), joined(errors, models))
    }

    /// Parameters that a joint's row depends on.
    fn visible(&self, joint: usize) -> Vec<usize> {
        let model = self.functions.model;
        let joints = if self.measure.is_of_forces() { joint..joint + 1 } else { 0..model.dof() };
        let mut seen = vec![false; model.parameters.len()];
        let columns = model.reductions[joints].iter().flat_map(|reduction| &reduction.columns);
        columns.for_each(|&k| seen[usize::from(k)] = true);
        (0..seen.len()).filter(|&k| seen[k]).collect()
    }
}

/// What a range of states says about the parameters of each model, with room to work in.
#[derive(Default)]
struct Fitting {
    normals: Vec<Normal>,
    errors: Vec<Vec<f64>>,
    residual: Vec<Lane>,
    rows: Vec<Lane>,
}

fn norm(vector: &[Lane], lane: usize) -> f64 {
    vector.iter().map(|x| x[lane] * x[lane]).sum::<f64>().sqrt()
}

/// Errors of each model over all ranges of states.
fn joined(pieces: impl IntoIterator<Item = Vec<Vec<f64>>>, models: usize) -> Vec<Vec<f64>> {
    let mut out = vec![Vec::new(); models];
    for piece in pieces {
        out.iter_mut().zip(piece).for_each(|(all, errors)| all.extend(errors));
    }
    out
}
