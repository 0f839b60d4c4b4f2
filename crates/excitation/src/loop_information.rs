//! The information of a motion and its gradient for mechanisms with loops, couplings or feet whose forces are measured.
//!
//! The regressor of the independent coordinates is Zᵀ Y of the spanning tree. The tree's regressor and its adjoint run
//! in lanes, as those of an arm do; what closing the loops adds is in `steiner_dynamics::Sensitivity`.

use std::num::NonZeroUsize;

use steiner_dynamics::{Linearised, Mechanism, RegressorFunction, Samples, Sensitivity};
use steiner_identifiability::{MeasuredRow, Measurement};
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::dot;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{inertial_body, inertial_count, inertial_slot};
use steiner_scalar::Lanes;

use crate::contacts::Contacts;
use crate::error::ExcitationError;
use crate::loop_quantity::LoopQuantity;
use crate::loops::Regularity;
use crate::model::{Backward, Forward, Model, Motions};
use crate::task::Task;

/// A motion is near another where no coordinate differs by more, rad or m.
const NEAR: f64 = 0.2;

/// A block of the tree's regressor.
#[derive(Clone, Debug)]
struct Block {
    /// The tree's velocity that feels it.
    velocity: usize,
    /// First parameter of its body.
    parameter: usize,
    /// (slot, base parameter).
    columns: Vec<(usize, usize)>,
}

/// What is kept of a sample of the last forward pass.
#[derive(Clone, Debug)]
struct Sample {
    closed: Linearised,
    /// Zᵀ Y, independent coordinates × base parameters.
    rows: Matrix<f64>,
    /// Forces of the tree, drives left aside.
    tree_forces: Vec<f64>,
    /// The inverse covariance of what the independent coordinates feel.
    weights: Matrix<f64>,
}

/// What the rows need, laid out once.
#[derive(Clone, Debug)]
pub(crate) struct LoopInformation<'a> {
    mechanism: &'a Mechanism,
    spanning: &'a Mechanism,
    model: &'a Model,
    quantities: &'a [LoopQuantity],
    movable: &'a [(usize, usize)],
    contacts: Option<&'a Contacts>,
    regularity: Regularity,
    blocks: Vec<Block>,
    /// Columns of drives: (tree velocity, term, base parameter).
    drives: Vec<(usize, usize, usize)>,
    /// For each tree velocity the speed at which dry friction has its full size.
    slow: Vec<f64>,
    samples: Vec<Sample>,
    /// Blocks of the tree of all samples, and its motion.
    values: Vec<f64>,
    motion: [Vec<f64>; 3],
}

/// Whether all rows are forces of something that moves, with loops or couplings.
pub(crate) fn has_adjoint(mechanism: &Mechanism, measurement: &Measurement) -> bool {
    let forces =
        measurement.measured_rows(mechanism).iter().all(|kind| matches!(kind, MeasuredRow::Force(_)));
    forces && !mechanism.closure().is_trivial() && !measurement.is_static() && measurement.ground_count() == 0
}

impl<'a> LoopInformation<'a> {
    /// `slow` is the speed at which dry friction has its full size, for each independent velocity.
    pub(crate) fn new(task: &'a Task<'a>, spanning: &'a Mechanism, slow: &[f64]) -> Self {
        let mechanism = task.mechanism;
        let bodies = inertial_count(mechanism.robot().bodies.len());
        let base: Vec<usize> = task.analysis.regrouping.base.iter().map(|base| base.column).collect();
        let inertial = || base.iter().enumerate().filter(|(_, column)| **column < bodies);
        let block = |&(velocity, body): &(usize, usize)| Block {
            velocity,
            parameter: 10 * body,
            columns: inertial()
                .filter(|(_, column)| inertial_body(**column) == body)
                .map(|(k, column)| (inertial_slot(*column), k))
                .collect(),
        };
        let driven = task.measurement.driven();
        let of_drives = base.iter().enumerate().filter(|(_, column)| **column >= bodies);
        let drive =
            |(k, column): (usize, &usize)| (driven[(column - bodies) / 4].1, (column - bodies) % 4, k);
        let mut of_tree = vec![0.01; mechanism.tree_dof()];
        mechanism.plan().independent.iter().zip(slow).for_each(|(&k, slow)| of_tree[k] = *slow);
        LoopInformation {
            mechanism,
            spanning,
            model: &task.model,
            quantities: &task.quantities,
            movable: &task.movable,
            contacts: task.contacts.as_ref(),
            regularity: Regularity::new(mechanism),
            blocks: spanning.layout().blocks.iter().map(block).collect(),
            drives: of_drives.map(drive).collect(),
            slow: of_tree,
            samples: Vec::new(),
            values: Vec::new(),
            motion: Default::default(),
        }
    }

    /// What multiplies a parameter of a drive, and its derivative along the velocity.
    fn drive_term(&self, closed: &Linearised, velocity: usize, term: usize) -> (f64, f64) {
        match term {
            0 => (closed.state.acceleration[velocity], 0.0),
            1 => (closed.state.velocity[velocity], 1.0),
            2 => {
                let sign = (closed.state.velocity[velocity] / self.slow[velocity]).tanh();
                (sign, (1.0 - sign * sign) / self.slow[velocity])
            }
            _ => (1.0, 0.0),
        }
    }

    /// M, forces and what loops must keep; fails where the loops cannot be assembled.
    pub(crate) fn forward(&mut self, motions: &Motions) -> Result<Forward, ExcitationError> {
        let (nq, nv, size) = (self.mechanism.configuration_size(), motions.dof, self.model.size);
        let mut closed: Vec<Linearised> = Vec::with_capacity(motions.count);
        let mut near = self.mechanism.reference_tree().to_vec();
        self.motion.iter_mut().for_each(Vec::clear);
        for sample in 0..motions.count {
            let (q, qd, qdd) = motions.state(sample, nq, nv);
            // The motion that was looked at before is near by, most times.
            let quickly = self.samples.get(sample).and_then(|before| self.closed_near(&before.closed, q));
            near = match quickly {
                Some(closed) => closed,
                None => self.mechanism.tree_configuration_from(q, &near)?,
            };
            let state = self.mechanism.closure().linearised(self.mechanism.plan(), &near, qd, qdd)?;
            self.motion[0].extend(&near);
            self.motion[1].extend(&state.state.velocity);
            self.motion[2].extend(&state.state.acceleration);
            closed.push(state);
        }
        let stride = 10 * self.blocks.len();
        self.values.resize(motions.count * stride, 0.0);
        let [q, qd, qdd] = &self.motion;
        let samples = Samples { q, qd, qdd, count: motions.count };
        self.spanning.regressor_blocks(&samples, NonZeroUsize::MIN, &mut self.values)?;
        let mut information = Matrix::zeros(size, size);
        let (mut forces, mut loops) = (Vec::new(), Vec::new());
        self.samples.clear();
        for (sample, closed) in closed.into_iter().enumerate() {
            let blocks = &self.values[sample * stride..(sample + 1) * stride];
            let found = self.sample(closed, blocks)?;
            let weighted = found.weights.times(&found.rows);
            for r in 0..nv {
                let (y, weighted) = (found.rows.row(r), weighted.row(r));
                for a in (0..size).filter(|&a| weighted[a] != 0.0) {
                    let by = weighted[a] / motions.count as f64;
                    let into = &mut information.row_mut(a)[..=a];
                    into.iter_mut().zip(y).for_each(|(m, y)| *m += by * y);
                }
            }
            forces.extend(self.forces(&found));
            loops.extend(self.quantities(&found));
            self.samples.push(found);
        }
        for a in 0..size {
            for b in 0..a {
                information[(b, a)] = information[(a, b)];
            }
        }
        Ok(Forward { information, forces, loops })
    }

    fn closed_near(&self, before: &Linearised, q: &[f64]) -> Option<Vec<f64>> {
        let indices = self.mechanism.configuration_indices()?;
        let mut delta = vec![0.0; self.mechanism.dof()];
        for &(at, velocity) in self.movable {
            delta[velocity] = q[at] - before.q[indices[at]];
        }
        delta.iter().all(|delta| delta.abs() < NEAR).then_some(())?;
        self.mechanism.closure().closed_near(self.mechanism.plan(), before, &delta)
    }

    fn sample(&self, closed: Linearised, blocks: &[f64]) -> Result<Sample, ExcitationError> {
        let z = reduction(&closed);
        let nv = z.columns();
        let mut rows = Matrix::zeros(nv, self.model.size);
        let mut tree_forces = vec![0.0; z.rows()];
        for (block, values) in self.blocks.iter().zip(blocks.chunks_exact(10)) {
            let parameters = &self.model.parameters[block.parameter..block.parameter + 10];
            tree_forces[block.velocity] += dot(values, parameters);
            for a in 0..nv {
                let by = z[(block.velocity, a)];
                if by != 0.0 {
                    let into = rows.row_mut(a);
                    block.columns.iter().for_each(|&(slot, base)| into[base] += by * values[slot]);
                }
            }
        }
        for &(velocity, term, base) in &self.drives {
            let value = self.drive_term(&closed, velocity, term).0;
            (0..nv).for_each(|a| rows[(a, base)] += z[(velocity, a)] * value);
        }
        let weights = match self.contacts {
            None => {
                let mut weights = Matrix::zeros(nv, nv);
                for row in &self.model.rows {
                    if let MeasuredRow::Force(k) = row.kind {
                        weights[(k, k)] = row.weight;
                    }
                }
                weights
            }
            // Torques of all legs are measured, of which the forces at the feet, unknown, leave Zᵀτ.
            Some(contacts) => {
                let driven: Vec<usize> = (0..z.rows()).filter(|&k| contacts.is_driven(k)).collect();
                let covariance = Matrix::from_fn(nv, nv, |a, b| {
                    driven.iter().map(|&k| self.model.torque_noise[k].powi(2) * z[(k, a)] * z[(k, b)]).sum()
                });
                let factor = Cholesky::new(covariance).map_err(|_| ExcitationError::NoRoom {
                    why: "the legs cannot move the trunk in all directions".to_owned(),
                    remedy: "give another pose to stand in".to_owned(),
                })?;
                factor.inverse()
            }
        };
        Ok(Sample { closed, rows, tree_forces, weights })
    }

    /// Forces of the independent coordinates, dry friction left out.
    fn forces(&self, sample: &Sample) -> Vec<f64> {
        let z = reduction(&sample.closed);
        let state = &sample.closed.state;
        let own = |(k, &velocity): (usize, &usize)| {
            let [inertia, viscous, _, offset] = self.model.drives[k];
            let carried: f64 = (0..z.rows()).map(|r| z[(r, k)] * sample.tree_forces[r]).sum();
            carried + inertia * state.acceleration[velocity] + viscous * state.velocity[velocity] + offset
        };
        self.mechanism.plan().independent.iter().enumerate().map(own).collect()
    }

    fn quantities(&self, sample: &Sample) -> Vec<f64> {
        let closed = &sample.closed;
        let carried = self.contacts.and_then(|contacts| {
            contacts.shared(&contacts.jacobian(self.mechanism, &closed.state.poses), &sample.tree_forces)
        });
        let value = |quantity: &LoopQuantity| match quantity {
            LoopQuantity::Coordinate { at, .. } => closed.q[*at],
            LoopQuantity::Regularity { .. } => self.regularity.of(&closed.jacobian, self.mechanism),
            LoopQuantity::Velocity { at, .. } => closed.state.velocity[*at],
            LoopQuantity::Effort { at, drive, .. } => {
                let of_drive: f64 =
                    (0..4).map(|term| drive[term] * self.drive_term(closed, *at, term).0).sum();
                let carried = match self.contacts {
                    None => Some(sample.tree_forces[*at]),
                    Some(_) => carried.as_ref().map(|carried| carried.joints[*at]),
                };
                carried.map_or(f64::INFINITY, |carried| carried + of_drive)
            }
            LoopQuantity::Push { foot, .. } => {
                carried.as_ref().map_or(f64::NEG_INFINITY, |carried| carried.feet[*foot].0)
            }
            LoopQuantity::Slip { foot, .. } => {
                carried.as_ref().map_or(f64::INFINITY, |carried| carried.feet[*foot].1)
            }
        };
        self.quantities.iter().map(value).collect()
    }

    /// ∂f/∂(q, q̇, q̈) of every sample of the last forward pass.
    pub(crate) fn backward(
        &mut self,
        motions: &Motions,
        back: &Backward<'_>,
    ) -> Result<Vec<f64>, ExcitationError> {
        let (nv, width, tree) = (motions.dof, self.quantities.len(), self.mechanism.tree_dof());
        let stride = 10 * self.blocks.len();
        let mut given = Given { bars: vec![0.0; motions.count * stride], stride };
        let mut parts = Vec::with_capacity(motions.count);
        for (k, sample) in self.samples.iter().enumerate() {
            let values = &self.values[k * stride..(k + 1) * stride];
            let bars = &mut given.bars[k * stride..(k + 1) * stride];
            let of_forces = &back.forces[k * nv..(k + 1) * nv];
            let of_loops = &back.loops[k * width..(k + 1) * width];
            let by_information = (back.information, 1.0 / motions.count as f64);
            parts.push(self.adjoint(sample, values, by_information, of_forces, of_loops, bars));
        }
        let [q, qd, qdd] = &self.motion;
        let samples = Samples { q, qd, qdd, count: motions.count };
        let mut of_tree = vec![0.0; motions.count * 3 * tree];
        self.spanning.regressor_gradients(&samples, &mut given, &mut of_tree)?;
        let mut out = vec![0.0; motions.count * 3 * nv];
        let closure = self.mechanism.closure();
        for (k, (sample, mut part)) in self.samples.iter().zip(parts).enumerate() {
            let of_tree = &of_tree[k * 3 * tree..(k + 1) * 3 * tree];
            for r in 0..tree {
                part.position[r] += of_tree[r];
                part.velocity[r] += of_tree[tree + r];
                part.acceleration[r] += of_tree[2 * tree + r];
            }
            let z = reduction(&sample.closed);
            let qd = &motions.qd[k * nv..(k + 1) * nv];
            let of_loops = &back.loops[k * width..(k + 1) * width];
            let regular: f64 = self
                .quantities
                .iter()
                .zip(of_loops)
                .filter(|(quantity, _)| matches!(quantity, LoopQuantity::Regularity { .. }))
                .map(|(_, bar)| bar)
                .sum();
            let by_jacobian = (regular != 0.0)
                .then(|| self.regularity.gradient(&sample.closed.jacobian, self.mechanism, regular));
            let out = &mut out[k * 3 * nv..(k + 1) * 3 * nv];
            for &(_, j) in self.movable {
                let along: Vec<f64> = (0..tree).map(|r| z[(r, j)]).collect();
                let change = closure.sensitivity(self.mechanism.plan(), &sample.closed, qd, j);
                let mut sum = dot(&part.position, &along)
                    + dot(&part.velocity, &change.velocity)
                    + dot(&part.acceleration, &change.acceleration);
                for (row, &dependent) in self.mechanism.plan().dependent.iter().enumerate() {
                    sum += dot(part.reduction.row(dependent), change.reduction.row(row));
                }
                if let Some(by) = &by_jacobian {
                    sum += dot(by.entries(), change.jacobian.entries());
                }
                out[j] = sum + self.along_feet(sample, &change, of_loops);
                out[nv + j] =
                    dot(&part.velocity, &along) + dot(&part.acceleration, &change.acceleration_by_velocity);
                out[2 * nv + j] = dot(&part.acceleration, &along);
            }
        }
        Ok(out)
    }

    /// From the derivatives of a function by rows, forces and quantities of a sample to those by the tree's blocks
    /// (written to `bars`), motion and Z.
    fn adjoint(
        &self,
        sample: &Sample,
        values: &[f64],
        (information, part): (&Matrix<f64>, f64),
        of_forces: &[f64],
        of_loops: &[f64],
        bars: &mut [f64],
    ) -> TreeAdjoint {
        let Sample { closed, rows, tree_forces, weights } = sample;
        let z = reduction(closed);
        let (tree, nv) = (z.rows(), z.columns());
        let mut out = TreeAdjoint {
            position: vec![0.0; tree],
            velocity: vec![0.0; tree],
            acceleration: vec![0.0; tree],
            reduction: Matrix::zeros(tree, nv),
        };
        // f of M = Yᵀ W Y: ∂f/∂Y = 2 W Y ∂f/∂M.
        let informed = rows.times(information);
        let mut by_rows = weights.times(&informed);
        by_rows.entries_mut().iter_mut().for_each(|x| *x *= 2.0 * part);
        if let Some(contacts) = self.contacts {
            // W = C⁻¹ with C = Zᵀ N Z: ∂f/∂C = −W Y ∂f/∂M Yᵀ W.
            let by_covariance = by_rows.times(&rows.transpose()).times(weights);
            for k in (0..tree).filter(|&k| contacts.is_driven(k)) {
                let noise = self.model.torque_noise[k].powi(2);
                for a in 0..nv {
                    let sum: f64 = (0..nv).map(|b| by_covariance[(a, b)] * z[(k, b)]).sum();
                    out.reduction[(k, a)] -= noise * sum;
                }
            }
        }
        let mut by_tree_forces = z.apply(of_forces);
        for (k, &velocity) in self.mechanism.plan().independent.iter().enumerate() {
            let [inertia, viscous, ..] = self.model.drives[k];
            out.acceleration[velocity] += inertia * of_forces[k];
            out.velocity[velocity] += viscous * of_forces[k];
        }
        for k in 0..tree {
            (0..nv).for_each(|a| out.reduction[(k, a)] += tree_forces[k] * of_forces[a]);
        }
        let (feet, joints) = self.by_shared(closed, of_loops, &mut out);
        let by_shared = match self.contacts {
            None => Some(joints),
            Some(contacts) => {
                let jacobian = contacts.jacobian(self.mechanism, &closed.state.poses);
                contacts.pull(&jacobian, tree_forces, &feet, &joints)
            }
        };
        if let Some(by) = by_shared {
            by_tree_forces.iter_mut().zip(by).for_each(|(sum, by)| *sum += by);
        }
        for (quantity, bar) in self.quantities.iter().zip(of_loops) {
            match quantity {
                LoopQuantity::Coordinate { velocity, .. } => out.position[*velocity] += bar,
                LoopQuantity::Velocity { at, .. } => out.velocity[*at] += bar,
                _ => {}
            }
        }
        for (k, block) in self.blocks.iter().enumerate() {
            let (values, bars) = (&values[10 * k..10 * k + 10], &mut bars[10 * k..10 * k + 10]);
            let force = by_tree_forces[block.velocity];
            let parameters = &self.model.parameters[block.parameter..block.parameter + 10];
            bars.iter_mut().zip(parameters).for_each(|(bar, parameter)| *bar = force * parameter);
            for a in 0..nv {
                let (by, row) = (z[(block.velocity, a)], by_rows.row(a));
                let mut sum = 0.0;
                for &(slot, base) in &block.columns {
                    bars[slot] += by * row[base];
                    sum += values[slot] * row[base];
                }
                out.reduction[(block.velocity, a)] += sum;
            }
        }
        for &(velocity, term, base) in &self.drives {
            let (value, rate) = self.drive_term(closed, velocity, term);
            let by: f64 = (0..nv).map(|a| z[(velocity, a)] * by_rows[(a, base)]).sum();
            (0..nv).for_each(|a| out.reduction[(velocity, a)] += value * by_rows[(a, base)]);
            if term == 0 {
                out.acceleration[velocity] += by;
            }
            out.velocity[velocity] += rate * by;
        }
        out
    }

    /// Derivatives by the forces at the feet and of the joints that share the load or follow others; drives go straight
    /// to the motion.
    fn by_shared(
        &self,
        closed: &Linearised,
        of_loops: &[f64],
        out: &mut TreeAdjoint,
    ) -> (Vec<(f64, f64)>, Vec<f64>) {
        let count = self.contacts.map_or(0, |contacts| contacts.feet.len());
        let (mut feet, mut joints) = (vec![(0.0, 0.0); count], vec![0.0; out.position.len()]);
        for (quantity, bar) in self.quantities.iter().zip(of_loops) {
            match quantity {
                LoopQuantity::Push { foot, .. } => feet[*foot].0 += bar,
                LoopQuantity::Slip { foot, .. } => feet[*foot].1 += bar,
                LoopQuantity::Effort { at, drive, .. } => {
                    joints[*at] += bar;
                    out.acceleration[*at] += bar * drive[0];
                    let rates = (1..3).map(|term| drive[term] * self.drive_term(closed, *at, term).1);
                    out.velocity[*at] += bar * rates.sum::<f64>();
                }
                _ => {}
            }
        }
        (feet, joints)
    }

    /// What a change of how feet share given forces does, along a coordinate.
    fn along_feet(&self, sample: &Sample, change: &Sensitivity, of_loops: &[f64]) -> f64 {
        let Some(contacts) = self.contacts else { return 0.0 };
        let (sides, step) = &change.around;
        let value = |q: &Vec<f64>| {
            let tree = self.mechanism.tree();
            let mut poses = Vec::new();
            tree.poses_at(q, &mut poses);
            let shared = contacts.shared(&contacts.jacobian(self.mechanism, &poses), &sample.tree_forces)?;
            let of = |(quantity, bar): (&LoopQuantity, &f64)| match quantity {
                LoopQuantity::Push { foot, .. } => bar * shared.feet[*foot].0,
                LoopQuantity::Slip { foot, .. } => bar * shared.feet[*foot].1,
                LoopQuantity::Effort { at, .. } => bar * shared.joints[*at],
                _ => 0.0,
            };
            Some(self.quantities.iter().zip(of_loops).map(of).sum::<f64>())
        };
        match (value(&sides[0]), value(&sides[1])) {
            (Some(before), Some(after)) => (after - before) / (2.0 * step),
            _ => 0.0,
        }
    }
}

/// Derivatives by the motion of the tree and by Z.
struct TreeAdjoint {
    position: Vec<f64>,
    velocity: Vec<f64>,
    acceleration: Vec<f64>,
    reduction: Matrix<f64>,
}

fn reduction(closed: &Linearised) -> &Matrix<f64> {
    match &closed.state.reduction {
        Some(z) => z,
        None => unreachable!("a linearised state has its reduction"),
    }
}

/// Adjoints of the blocks of all samples that were computed before.
struct Given {
    bars: Vec<f64>,
    stride: usize,
}

impl RegressorFunction for Given {
    #[inline(always)]
    fn adjoint<L: Lanes>(&mut self, first: usize, count: usize, _: &[[L; 10]], adjoints: &mut [[L; 10]]) {
        let mut block = 0;
        while block < adjoints.len() {
            let mut slot = 0;
            while slot < 10 {
                let at = 10 * block + slot;
                adjoints[block][slot] =
                    L::from_lanes(|lane| self.bars[(first + lane.min(count - 1)) * self.stride + at]);
                slot += 1;
            }
            block += 1;
        }
    }
}
