//! The information of a motion for every other sensor: wrenches, and poses at rest.
//!
//! Row by row in doubles. The gradient along the motion is by central differences of one number per sample,
//! the function that `Backward` describes, along the tangents of the closed loops.

use steiner_dynamics::{Feasible, Mechanism, SampleMemory};
use steiner_identifiability::{MeasuredRow, Measurement};
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;

use crate::error::ExcitationError;
use crate::loop_quantity::LoopQuantity;
use crate::model::{Backward, Forward, Model, Motions};

/// Step of the differences, rad or m, and per s and s².
const STEP: f64 = 1e-5;

/// How well the dependent coordinates are determined: (tr (KᵀK)⁻¹)^(−1/2) of their constraint Jacobian K,
/// relative to the assembled configuration. Smooth, and below the least singular value.
#[derive(Clone, Debug)]
pub(crate) struct Regularity {
    rows: Vec<f64>,
    columns: Vec<f64>,
    reference: f64,
}

impl Regularity {
    /// Rows and columns are scaled once, so that metres and radians compare.
    pub(crate) fn new(mechanism: &Mechanism) -> Self {
        let mut out = Regularity { rows: Vec::new(), columns: Vec::new(), reference: 1.0 };
        if mechanism.closure().is_trivial() {
            return out;
        }
        let k = mechanism.closure().jacobian(mechanism.reference_tree());
        let dependent = &mechanism.plan().dependent;
        let scale = |sum: f64| if sum > 0.0 { 1.0 / sum.sqrt() } else { 1.0 };
        out.rows = (0..k.rows()).map(|r| scale(dependent.iter().map(|&c| k[(r, c)].powi(2)).sum())).collect();
        out.columns = dependent
            .iter()
            .map(|&c| scale((0..k.rows()).map(|r| (k[(r, c)] * out.rows[r]).powi(2)).sum()))
            .collect();
        out.reference = out.at(mechanism, mechanism.reference_tree());
        out
    }

    /// At a closed configuration of the tree; 0 where a coordinate is undetermined.
    pub(crate) fn at(&self, mechanism: &Mechanism, tree_q: &[f64]) -> f64 {
        self.of(&mechanism.closure().jacobian(tree_q), mechanism)
    }

    /// The dependent columns of K, scaled.
    fn scaled(&self, k: &Matrix<f64>, mechanism: &Mechanism) -> Matrix<f64> {
        let dependent = &mechanism.plan().dependent;
        Matrix::from_fn(k.rows(), dependent.len(), |r, c| {
            k[(r, dependent[c])] * self.rows[r] * self.columns[c]
        })
    }

    /// Of a constraint Jacobian.
    pub(crate) fn of(&self, k: &Matrix<f64>, mechanism: &Mechanism) -> f64 {
        let scaled = self.scaled(k, mechanism);
        let Ok(factor) = Cholesky::new(scaled.transpose().times(&scaled)) else { return 0.0 };
        let inverse = factor.inverse();
        let trace: f64 = (0..inverse.rows()).map(|k| inverse[(k, k)]).sum();
        if trace > 0.0 { trace.powf(-0.5) / self.reference } else { 1.0 }
    }

    /// Its derivative by the Jacobian, times a number.
    pub(crate) fn gradient(&self, k: &Matrix<f64>, mechanism: &Mechanism, by: f64) -> Matrix<f64> {
        let mut out = Matrix::zeros(k.rows(), k.columns());
        let scaled = self.scaled(k, mechanism);
        let Ok(factor) = Cholesky::new(scaled.transpose().times(&scaled)) else { return out };
        let inverse = factor.inverse();
        let trace: f64 = (0..inverse.rows()).map(|k| inverse[(k, k)]).sum();
        // d tr (AᵀA)⁻¹ = −2 ⟨A (AᵀA)⁻², dA⟩
        let slope = scaled.times(&inverse).times(&inverse);
        let by = by * trace.powf(-1.5) / self.reference;
        for (c, &dependent) in mechanism.plan().dependent.iter().enumerate() {
            for r in 0..k.rows() {
                out[(r, dependent)] = by * slope[(r, c)] * self.rows[r] * self.columns[c];
            }
        }
        out
    }
}

/// What general rows need.
#[derive(Clone, Debug)]
pub(crate) struct GeneralInformation<'a> {
    mechanism: &'a Mechanism,
    measurement: &'a Measurement,
    model: &'a Model,
    columns: Vec<usize>,
    kinds: Vec<MeasuredRow>,
    quantities: &'a [LoopQuantity],
    /// Velocities that move.
    movable: &'a [(usize, usize)],
    regularity: Regularity,
    /// Of the last forward pass.
    closed: Vec<Vec<f64>>,
    states: Vec<Feasible<f64>>,
    rows: Vec<Matrix<f64>>,
}

impl<'a> GeneralInformation<'a> {
    pub(crate) fn new(
        mechanism: &'a Mechanism,
        measurement: &'a Measurement,
        model: &'a Model,
        columns: Vec<usize>,
        quantities: &'a [LoopQuantity],
        movable: &'a [(usize, usize)],
    ) -> Self {
        GeneralInformation {
            mechanism,
            measurement,
            model,
            columns,
            kinds: measurement.measured_rows(mechanism),
            quantities,
            movable,
            regularity: Regularity::new(mechanism),
            closed: Vec::new(),
            states: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn row_matrix(&self, state: &Feasible<f64>) -> Result<Matrix<f64>, ExcitationError> {
        let signs: Vec<f64> = self
            .measurement
            .driven()
            .iter()
            .map(|&(_, velocity)| (state.velocity[velocity] / self.slow_of(velocity)).tanh())
            .collect();
        let full = self.measurement.rows(self.mechanism, self.mechanism.tree(), state, &signs)?;
        let of = |row: usize| self.kinds.iter().position(|kind| *kind == self.model.rows[row].kind);
        let from: Vec<usize> = (0..self.model.rows.len()).map(|row| of(row).unwrap_or(row)).collect();
        Ok(Matrix::from_fn(from.len(), self.columns.len(), |r, c| full[(from[r], self.columns[c])]))
    }

    fn slow_of(&self, velocity: usize) -> f64 {
        let own = self.mechanism.plan().independent.iter().position(|&k| k == velocity);
        own.map_or(0.01, |k| self.model.slow[k])
    }

    fn forces(&self, state: &Feasible<f64>) -> Result<Vec<f64>, ExcitationError> {
        let mut forces = self.mechanism.forces_at(&self.model.parameters, state)?;
        for (k, &velocity) in self.mechanism.plan().independent.iter().enumerate() {
            let [inertia, viscous, _, offset] = self.model.drives[k];
            let (v, a) = (state.velocity[velocity], state.acceleration[velocity]);
            forces[k] += inertia * a + viscous * v + offset;
        }
        Ok(forces)
    }

    /// What stays within bounds; of the configuration alone, or of the whole state alone where `of` says so.
    fn quantities(
        &self,
        tree_q: &[f64],
        state: &Feasible<f64>,
        of: impl Fn(&LoopQuantity) -> bool,
    ) -> Vec<f64> {
        let mut tree_forces = Vec::new();
        if self.quantities.iter().any(|quantity| matches!(quantity, LoopQuantity::Effort { .. })) {
            tree_forces = vec![0.0; self.mechanism.tree_dof()];
            self.mechanism.tree_forces(state, &mut SampleMemory::new(self.mechanism), &mut tree_forces);
        }
        let value = |quantity: &LoopQuantity| match quantity {
            _ if !of(quantity) => 0.0,
            LoopQuantity::Coordinate { at, .. } => tree_q[*at],
            LoopQuantity::Regularity { .. } => self.regularity.at(self.mechanism, tree_q),
            LoopQuantity::Velocity { at, .. } => state.velocity[*at],
            LoopQuantity::Effort { at, drive, .. } => {
                let [inertia, viscous, _, offset] = drive;
                let (v, a) = (state.velocity[*at], state.acceleration[*at]);
                tree_forces[*at] + inertia * a + viscous * v + offset
            }
            // Feet have information of their own.
            LoopQuantity::Push { .. } | LoopQuantity::Slip { .. } => f64::NAN,
        };
        self.quantities.iter().map(value).collect()
    }

    fn state(&self, tree_q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Feasible<f64>, ExcitationError> {
        Ok(self.mechanism.closure().feasible(self.mechanism.plan(), tree_q, qd, qdd)?)
    }

    /// As `state`, without closing the loops again.
    fn unpolished(&self, tree_q: &[f64], qd: &[f64], qdd: &[f64]) -> Result<Feasible<f64>, ExcitationError> {
        let closure = self.mechanism.closure();
        if closure.is_trivial() {
            return self.state(tree_q, qd, qdd);
        }
        Ok(closure.unpolished(self.mechanism.plan(), tree_q, qd, qdd)?)
    }

    /// The tree velocity of a unit rate of an independent coordinate.
    fn tangent(&self, state: &Feasible<f64>, velocity: usize) -> Vec<f64> {
        let tree = self.mechanism.tree_dof();
        match &state.reduction {
            Some(z) => (0..tree).map(|k| z[(k, velocity)]).collect(),
            None => (0..tree).map(|k| f64::from(u8::from(k == velocity))).collect(),
        }
    }

    /// Z times independent rates.
    fn tangent_sum(&self, state: &Feasible<f64>, rates: &[f64]) -> Vec<f64> {
        state.reduction.as_ref().map_or_else(|| rates.to_vec(), |z| z.apply(rates))
    }

    fn close(&self, q: &[f64], near: &[f64]) -> Result<Vec<f64>, ExcitationError> {
        Ok(self.mechanism.tree_configuration_from(q, near)?)
    }

    /// M, forces and what loops must keep; fails where the loops cannot be assembled.
    pub(crate) fn forward(&mut self, motions: &Motions) -> Result<Forward, ExcitationError> {
        let (nq, nv) = (self.mechanism.configuration_size(), motions.dof);
        let size = self.columns.len();
        let mut information = Matrix::zeros(size, size);
        let (mut forces, mut loops) = (Vec::new(), Vec::new());
        self.closed.clear();
        self.states.clear();
        self.rows.clear();
        let mut near = self.mechanism.reference_tree().to_vec();
        for sample in 0..motions.count {
            let (q, qd, qdd) = motions.state(sample, nq, nv);
            near = self.close(q, &near)?;
            let state = self.state(&near, qd, qdd)?;
            let rows = self.row_matrix(&state)?;
            for (r, row) in self.model.rows.iter().enumerate() {
                let y = rows.row(r);
                for a in (0..size).filter(|&a| y[a] != 0.0) {
                    let by = row.weight * y[a] / motions.count as f64;
                    let into = &mut information.row_mut(a)[..=a];
                    into.iter_mut().zip(y).for_each(|(m, y)| *m += by * y);
                }
            }
            forces.extend(self.forces(&state)?);
            loops.extend(self.quantities(&near, &state, |_| true));
            self.closed.push(near.clone());
            self.states.push(state);
            self.rows.push(rows);
        }
        for a in 0..size {
            for b in 0..a {
                information[(b, a)] = information[(a, b)];
            }
        }
        Ok(Forward { information, forces, loops })
    }

    /// ∂f/∂(q, q̇, q̈) of every sample of the last forward pass.
    pub(crate) fn backward(
        &mut self,
        motions: &Motions,
        back: &Backward<'_>,
    ) -> Result<Vec<f64>, ExcitationError> {
        let (nq, nv) = (self.mechanism.configuration_size(), motions.dof);
        let size = self.columns.len();
        let mut out = vec![0.0; motions.count * 3 * nv];
        for sample in 0..motions.count {
            let rows = &self.rows[sample];
            let mut bar = Matrix::zeros(rows.rows(), size);
            for (r, row) in self.model.rows.iter().enumerate() {
                let by = 2.0 * row.weight / motions.count as f64;
                for a in 0..size {
                    let information = back.information.row(a);
                    bar[(r, a)] = by * rows.row(r).iter().zip(information).map(|(y, g)| y * g).sum::<f64>();
                }
            }
            let of_forces = &back.forces[sample * nv..(sample + 1) * nv];
            let width = self.quantities.len();
            let of_loops = &back.loops[sample * width..(sample + 1) * width];
            let moving = self.quantities.iter().any(LoopQuantity::is_of_state);
            let value = |state: &Feasible<f64>| -> Result<f64, ExcitationError> {
                let rows = self.row_matrix(state)?;
                let mut sum: f64 = rows.entries().iter().zip(bar.entries()).map(|(y, b)| y * b).sum();
                if of_forces.iter().any(|bar| *bar != 0.0) {
                    sum += self.forces(state)?.iter().zip(of_forces).map(|(f, b)| f * b).sum::<f64>();
                }
                if moving {
                    let found = self.quantities(&[], state, LoopQuantity::is_of_state);
                    sum += found.iter().zip(of_loops).map(|(h, b)| h * b).sum::<f64>();
                }
                Ok(sum)
            };
            let (_, qd, qdd) = motions.state(sample, nq, nv);
            let (closed, state) = (&self.closed[sample], &self.states[sample]);
            let closure = self.mechanism.closure();
            for &(_, velocity) in self.movable {
                // Along the tangent the loops stay closed to second order, and central differences see none of it.
                let along = self.tangent(state, velocity);
                let moved = |sign: f64| {
                    let delta: Vec<f64> = along.iter().map(|z| sign * STEP * z).collect();
                    let q = self.mechanism.tree().displaced(closed, &delta);
                    let state = self.unpolished(&q, qd, qdd)?;
                    let mut sum = value(&state)?;
                    if of_loops.iter().any(|bar| *bar != 0.0) {
                        let found = self.quantities(&q, &state, |quantity| !quantity.is_of_state());
                        sum += found.iter().zip(of_loops).map(|(h, b)| h * b).sum::<f64>();
                    }
                    Ok::<f64, ExcitationError>(sum)
                };
                out[sample * 3 * nv + velocity] = (moved(1.0)? - moved(-1.0)?) / (2.0 * STEP);
                if self.measurement.is_static() {
                    continue;
                }
                let moved = |sign: f64| {
                    let mut state = state.clone();
                    let step = sign * STEP;
                    state.velocity.iter_mut().zip(&along).for_each(|(v, z)| *v += step * z);
                    if !closure.is_trivial() {
                        state.acceleration = self.tangent_sum(&state, qdd);
                        let bias =
                            closure.acceleration_bias(self.mechanism.plan(), closed, &state.velocity)?;
                        state.acceleration.iter_mut().zip(bias).for_each(|(a, b)| *a += b);
                    }
                    value(&state)
                };
                out[(sample * 3 + 1) * nv + velocity] = (moved(1.0)? - moved(-1.0)?) / (2.0 * STEP);
                // Linear in q̈, where any step is exact.
                let step = 1.0;
                let moved = |by: f64| {
                    let mut state = state.clone();
                    state.acceleration.iter_mut().zip(&along).for_each(|(a, z)| *a += by * z);
                    value(&state)
                };
                out[(sample * 3 + 2) * nv + velocity] = (moved(step)? - moved(-step)?) / (2.0 * step);
            }
        }
        Ok(out)
    }
}

impl Motions {
    pub(crate) fn state(&self, sample: usize, nq: usize, nv: usize) -> (&[f64], &[f64], &[f64]) {
        (
            &self.q[sample * nq..(sample + 1) * nq],
            &self.qd[sample * nv..(sample + 1) * nv],
            &self.qdd[sample * nv..(sample + 1) * nv],
        )
    }
}
