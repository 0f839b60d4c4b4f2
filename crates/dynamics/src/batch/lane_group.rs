//! One group of samples, one per SIMD lane: their states, blocks and forces, and how these are written
//! sample by sample.

use steiner_linalg::elimination::Matrix;
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use steiner_scalar::Lanes;

use super::Samples;
use crate::adjoint::AdjointMemory;
use crate::error::DynamicsError;
use crate::feasible::Feasible;
use crate::mechanism::Mechanism;
use crate::recursion::{RecursionMemory, SpatialInertia, spatial_inertias, tree_inverse_dynamics};
use crate::rows::{BlockSink, Workspace, regressor_blocks};
use crate::tree::Tree;

/// The outputs of one group of samples, `stride` numbers each, zero where no block is.
pub(super) struct LaneRows<'a, F> {
    /// Where a block starts in a sample's output.
    pub(super) offset: F,
    pub(super) out: &'a mut [f64],
    pub(super) stride: usize,
    pub(super) count: usize,
}

impl<F: Fn(usize) -> usize> LaneRows<'_, F> {
    #[inline(always)]
    fn store<L: Lanes, const N: usize>(&mut self, block: usize, values: [L; N]) {
        let out = &mut self.out[(self.offset)(block)..];
        if self.count == L::WIDTH {
            L::store_rows(&values, out, self.stride);
        } else {
            values_to_rows(&values, self.count, out, self.stride);
        }
    }
}

impl<L: Lanes, F: Fn(usize) -> usize> BlockSink<L> for LaneRows<'_, F> {
    #[inline(always)]
    fn block(&mut self, index: usize, values: [L; 10]) {
        self.store(index, values);
    }
    #[inline(always)]
    fn translation(&mut self, index: usize, values: [L; 4]) {
        self.store(index, values);
    }
}

/// Writes values in lanes as one contiguous row per sample.
#[inline(always)]
pub(super) fn values_to_rows<L: Lanes>(run: &[L], count: usize, out: &mut [f64], stride: usize) {
    for (k, x) in run.iter().enumerate() {
        for lane in 0..count {
            out[lane * stride + k] = x.lane(lane);
        }
    }
}

/// Numbers of consecutive samples side by side; lanes beyond `count` repeat the last.
#[inline(always)]
fn gather<L: Lanes>(out: &mut [L], values: &[f64], first: usize, count: usize) {
    let width = out.len();
    for (k, x) in out.iter_mut().enumerate() {
        *x = L::from_lanes(|lane| values[(first + lane.min(count - 1)) * width + k]);
    }
}

/// One group of samples in lanes, with all its memory.
pub(super) struct LaneGroup<'a, L: Lanes> {
    mechanism: &'a Mechanism,
    samples: &'a Samples<'a>,
    tree: &'a Tree<L>,
    workspace: Workspace<L>,
    poses: Vec<Pose<L>>,
    q: Vec<L>,
    qd: Vec<L>,
    qdd: Vec<L>,
    reduction: Option<Matrix<L>>,
    inertias: Vec<SpatialInertia<L>>,
    recursion: RecursionMemory<L>,
    /// Where the next closure starts, when samples follow each other closely.
    last_closed: Option<Vec<f64>>,
}

impl<'a, L: Lanes> LaneGroup<'a, L> {
    /// `parameters` are those of all bodies where forces are wanted, and none otherwise.
    #[inline(always)]
    pub(super) fn new(
        mechanism: &'a Mechanism,
        tree: &'a Tree<L>,
        samples: &'a Samples<'a>,
        parameters: &[f64],
    ) -> Self {
        LaneGroup {
            mechanism,
            samples,
            workspace: Workspace::new(tree),
            poses: Vec::with_capacity(tree.segments.len()),
            q: vec![L::zero(); tree.configuration_size],
            qd: vec![L::zero(); tree.dof],
            qdd: vec![L::zero(); tree.dof],
            reduction: None,
            inertias: spatial_inertias(parameters),
            recursion: RecursionMemory::new(),
            tree,
            last_closed: None,
        }
    }

    /// Poses, velocities and accelerations of a group; lanes beyond `count` repeat its last sample.
    #[inline(always)]
    pub(super) fn state(&mut self, first: usize, count: usize) -> Result<(), DynamicsError> {
        let mechanism = self.mechanism;
        if mechanism.closure().is_trivial() && mechanism.is_identity_configuration() {
            let Samples { q, qd, qdd, .. } = self.samples;
            gather(&mut self.q, q, first, count);
            gather(&mut self.qd, qd, first, count);
            gather(&mut self.qdd, qdd, first, count);
            self.tree.poses_at(&self.q, &mut self.poses);
            return Ok(());
        }
        let states: Vec<Feasible<f64>> =
            (first..first + count).map(|sample| self.closed(sample)).collect::<Result<_, _>>()?;
        self.pack(&states);
        Ok(())
    }

    fn closed(&mut self, sample: usize) -> Result<Feasible<f64>, DynamicsError> {
        let mechanism = self.mechanism;
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        let q = &self.samples.q[sample * nq..(sample + 1) * nq];
        let near = self.last_closed.take().filter(|last| {
            let part = mechanism.independent_part(last);
            part.iter().zip(q).all(|(a, b)| (a - b).abs() < 0.05)
        });
        let tree_q = match near {
            Some(start) => mechanism.tree_configuration_from(q, &start)?,
            None => mechanism.tree_configuration(q)?,
        };
        let state = mechanism.closure().feasible(
            mechanism.plan(),
            &tree_q,
            &self.samples.qd[sample * nv..(sample + 1) * nv],
            &self.samples.qdd[sample * nv..(sample + 1) * nv],
        );
        self.last_closed = Some(tree_q);
        state
    }

    #[inline(always)]
    fn pack(&mut self, states: &[Feasible<f64>]) {
        let at = |lane: usize| lane.min(states.len() - 1);
        let matrix = |f: &dyn Fn(usize) -> Mat3<f64>| {
            let lanes: Vec<Mat3<f64>> = (0..states.len()).map(f).collect();
            Mat3(std::array::from_fn(|r| std::array::from_fn(|c| L::from_lanes(|l| lanes[at(l)].0[r][c]))))
        };
        self.poses.clear();
        for k in 0..self.tree.segments.len() {
            let translation =
                Vec3(std::array::from_fn(|c| L::from_lanes(|l| states[at(l)].poses[k].translation[c])));
            self.poses.push(Pose { rotation: matrix(&|l| states[l].poses[k].rotation), translation });
        }
        for k in 0..self.tree.dof {
            self.qd[k] = L::from_lanes(|l| states[at(l)].velocity[k]);
            self.qdd[k] = L::from_lanes(|l| states[at(l)].acceleration[k]);
        }
        self.reduction = states[0].reduction.as_ref().map(|z| {
            Matrix::from_fn(z.rows(), z.columns(), |r, c| {
                L::from_lanes(|l| states[at(l)].reduction.as_ref().map_or(0.0, |z| z[(r, c)]))
            })
        });
    }

    /// Computes the blocks of a group.
    #[inline(always)]
    pub(super) fn blocks(
        &mut self,
        first: usize,
        count: usize,
        sink: &mut impl BlockSink<L>,
    ) -> Result<(), DynamicsError> {
        self.state(first, count)?;
        let gravity = self.tree.gravity;
        self.tree.motions(&self.poses, &self.qd, &self.qdd, gravity, &mut self.workspace.motions);
        self.workspace.propagate_columns(self.tree, &self.poses);
        let layout = self.mechanism.layout();
        regressor_blocks(self.tree, layout, self.reduction.as_ref(), &self.workspace, sink);
        Ok(())
    }

    /// The adjoint of the regressor at the current state, whose blocks were computed before; trees alone.
    #[inline(always)]
    pub(super) fn sweep(&self, memory: &mut AdjointMemory<L>, adjoints: &[[L; 10]]) {
        let layout = self.mechanism.layout();
        memory.sweep(self.tree, layout, &self.workspace, (&self.poses, &self.qd), adjoints);
    }

    /// Generalised forces of the independent coordinates of the current state.
    #[inline(always)]
    pub(super) fn forces(&mut self) -> Vec<L> {
        let mut tau = vec![L::zero(); self.tree.dof];
        tree_inverse_dynamics(
            self.tree,
            &self.inertias,
            &self.poses,
            &self.qd,
            &self.qdd,
            &mut self.recursion,
            &mut tau,
        );
        match &self.reduction {
            Some(z) => z.transpose().apply(&tau),
            None => tau,
        }
    }
}
