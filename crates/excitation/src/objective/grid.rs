//! The functions of a motion and their derivatives at a grid of times.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::basis::Basis;
use crate::task::Task;

/// The functions of a basis and their derivatives at a grid of times.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(super) count: usize,
    pub(super) functions: usize,
    /// Times × functions, for each order of derivative.
    pub(super) values: [Vec<f64>; 4],
}

impl Grid {
    /// The same with some times more, at the end.
    pub(super) fn with(&self, basis: &Basis, times: impl Iterator<Item = f64>) -> Self {
        let mut out = self.clone();
        for t in times {
            out.count += 1;
            out.values.iter_mut().enumerate().for_each(|(order, values)| values.extend(basis.at(t, order)));
        }
        out
    }

    pub(super) fn new(basis: &Basis, times: &[f64]) -> Self {
        let values = std::array::from_fn(|order| times.iter().flat_map(|&t| basis.at(t, order)).collect());
        Grid { count: times.len(), functions: basis.len(), values }
    }

    /// A derivative of one coordinate at all times.
    pub(super) fn signal(&self, x: &[f64], order: usize) -> Vec<f64> {
        let rows = self.values[order].chunks_exact(self.functions);
        rows.map(|row| row.iter().zip(x).map(|(f, x)| f * x).sum()).collect()
    }

    /// Adds what a change of a signal means for the coefficients.
    pub(super) fn pull(&self, bar: impl Fn(usize) -> f64, order: usize, out: &mut [f64]) {
        for (t, row) in self.values[order].chunks_exact(self.functions).enumerate() {
            let bar = bar(t);
            if bar != 0.0 {
                out.iter_mut().zip(row).for_each(|(out, f)| *out += bar * f);
            }
        }
    }
}

/// Grids that were made for a task, by their number of times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grids(Arc<Mutex<BTreeMap<usize, Arc<Grid>>>>);

impl Grids {
    pub(super) fn of(&self, task: &Task<'_>, count: usize) -> Arc<Grid> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let grid = made.entry(count).or_insert_with(|| Arc::new(Grid::new(&task.basis, &task.times(count))));
        Arc::clone(grid)
    }
}
