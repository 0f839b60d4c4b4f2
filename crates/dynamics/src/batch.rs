//! Many samples at once: one per SIMD lane, chunks of them per thread.

use std::num::NonZeroUsize;

use steiner_linalg::elimination::Matrix;
use steiner_linalg::{Mat3, Vec3, parts_in_parallel};
use steiner_robot::Pose;
use steiner_scalar::Lanes;

use crate::error::DynamicsError;
use crate::feasible::Feasible;
use crate::mechanism::Mechanism;
use crate::rows::{BlockSink, Workspace, regressor_blocks};
use crate::tree::Tree;

/// The lanes batches run in.
pub type BatchLanes = steiner_scalar::F64x4;

/// Samples of a motion in independent coordinates, sample-major.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// Configurations, `count × configuration_size`.
    pub q: &'a [f64],
    /// Velocities, `count × dof`.
    pub qd: &'a [f64],
    /// Accelerations, `count × dof`.
    pub qdd: &'a [f64],
    /// Number of samples.
    pub count: usize,
}

/// What a dense output buffer holds before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// Anything: the structural zeros are written too.
    Write,
    /// Zeros where the layout has no block, as a buffer reused from an earlier call does.
    AlreadyThere,
}

impl Mechanism {
    fn check_samples(&self, samples: &Samples<'_>) -> Result<(), DynamicsError> {
        let sizes = [
            ("q", samples.q, self.configuration_size()),
            ("qd", samples.qd, self.dof()),
            ("qdd", samples.qdd, self.dof()),
        ];
        for (what, values, width) in sizes {
            if values.len() != samples.count * width {
                let order = format!("{} samples of {width}", samples.count);
                return Err(DynamicsError::Shape {
                    what,
                    found: values.len(),
                    wanted: samples.count * width,
                    order,
                });
            }
            // Without a way out of the loop the test runs in lanes too.
            if !values.iter().fold(true, |finite, x| finite & x.is_finite()) {
                let index = values.iter().position(|x| !x.is_finite()).unwrap_or_default();
                return Err(DynamicsError::NotFinite { what, index, value: values[index] });
            }
        }
        let width = self.configuration_size().max(1);
        for (sample, q) in samples.q.chunks_exact(width).enumerate() {
            self.check_configuration(q, Some(sample))?;
        }
        Ok(())
    }

    /// The regressors of all samples, dense and stacked: `count × dof × 10 N` doubles, sample-major.
    pub fn regressors(
        &self,
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        zeros: Zeros,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let layout = self.layout();
        let stride = layout.dense_size();
        self.check_buffer(out.len(), samples.count * stride)?;
        if zeros == Zeros::Write {
            out.fill(0.0);
        }
        self.in_chunks(samples, threads, out, stride, |lanes, out, first, count| {
            lanes.group(
                first,
                count,
                &mut LaneRows { offset: |block| layout.dense_offsets[block], out, stride, count },
            )
        })
    }

    /// The non-zero blocks of all samples: for each sample ten numbers per block, in the order of `Layout::blocks`.
    pub fn regressor_blocks(
        &self,
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let stride = self.layout().block_size();
        self.check_buffer(out.len(), samples.count * stride)?;
        out.fill(0.0);
        self.in_chunks(samples, threads, out, stride, |lanes, out, first, count| {
            lanes.group(first, count, &mut LaneRows { offset: |block| 10 * block, out, stride, count })
        })
    }

    /// Feeds the non-zero blocks of every sample to an accumulator without storing them: `absorb(accumulator, sample,
    /// blocks)` with ten numbers per block of `Layout::blocks`. One accumulator per thread is made by `start`; they are
    /// returned in the order of the samples they absorbed.
    pub fn fold_regressors<A: Send>(
        &self,
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &[f64]) + Sync,
    ) -> Result<Vec<A>, DynamicsError> {
        self.check_samples(samples)?;
        let width = BatchLanes::WIDTH;
        let stride = self.layout().block_size();
        let work = |first: usize, last: usize| -> Result<A, DynamicsError> {
            let mut accumulator = start();
            let mut lanes = LaneGroup::new(self, self.lane_tree(), samples);
            let mut blocks = vec![0.0; width * stride];
            let mut at = first;
            while at < last {
                let count = width.min(last - at);
                let out = &mut blocks[..];
                lanes.group(at, count, &mut LaneRows { offset: |block| 10 * block, out, stride, count })?;
                for (k, sample) in blocks.chunks_exact(stride.max(1)).take(count).enumerate() {
                    absorb(&mut accumulator, at + k, sample);
                }
                at += count;
            }
            Ok(accumulator)
        };
        let bounds = self.chunk_bounds(samples.count, threads);
        parts_in_parallel(bounds, |_, (first, last)| work(first, last)).into_iter().collect()
    }

    /// Generalised forces of all samples by recursion: `count × dof` doubles, sample-major.
    pub fn inverse_dynamics_batch(
        &self,
        parameters: &[f64],
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let stride = self.dof();
        self.check_buffer(out.len(), samples.count * stride)?;
        self.check_parameters(parameters)?;
        let inertias = crate::recursion::spatial_inertias::<BatchLanes>(parameters);
        self.in_chunks(samples, threads, out, stride, |lanes, out, first, count| {
            lanes.state(first, count)?;
            let forces = lanes.forces(&inertias);
            values_to_rows(&forces, count, out, stride);
            Ok(())
        })
    }

    /// Runs a lane group over all samples, in one chunk of the output per thread.
    fn in_chunks(
        &self,
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        out: &mut [f64],
        stride: usize,
        emit: impl Fn(&mut LaneGroup<'_, BatchLanes>, &mut [f64], usize, usize) -> Result<(), DynamicsError>
        + Sync,
    ) -> Result<(), DynamicsError> {
        self.check_samples(samples)?;
        let width = BatchLanes::WIDTH;
        let run = |first: usize, last: usize, out: &mut [f64]| -> Result<(), DynamicsError> {
            let mut lanes = LaneGroup::new(self, self.lane_tree(), samples);
            let mut at = first;
            while at < last {
                let count = width.min(last - at);
                emit(&mut lanes, &mut out[(at - first) * stride..(at - first + count) * stride], at, count)?;
                at += count;
            }
            Ok(())
        };
        let mut rest = out;
        let parts = self.chunk_bounds(samples.count, threads).into_iter().map(|(first, last)| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut((last - first) * stride);
            rest = others;
            (first, last, own)
        });
        parts_in_parallel(parts, |_, (first, last, own)| run(first, last, own)).into_iter().collect()
    }
}

/// Blocks of the regressor that are worth a thread of their own: below, starting it takes longer than the work.
const BLOCKS_PER_THREAD: usize = 1 << 15;
/// What closing the loops of one sample costs, in blocks.
const CLOSURE_BLOCKS: usize = 1 << 10;

impl Mechanism {
    /// Sample ranges per thread, whole lane groups each.
    fn chunk_bounds(&self, count: usize, threads: NonZeroUsize) -> Vec<(usize, usize)> {
        let width = BatchLanes::WIDTH;
        let closing = if self.closure().is_trivial() { 0 } else { CLOSURE_BLOCKS };
        let work = count * (self.layout().blocks.len() + closing);
        let groups = count.div_ceil(width);
        let threads = threads.get().min(work / BLOCKS_PER_THREAD).min(groups).max(1);
        let per_thread = groups.div_ceil(threads) * width;
        (0..threads)
            .map(|t| ((t * per_thread).min(count), ((t + 1) * per_thread).min(count)))
            .filter(|(first, last)| first < last || count == 0)
            .collect()
    }
}

/// The outputs of one group of samples, `stride` numbers each, zero where no block is.
struct LaneRows<'a, F> {
    /// Where a block starts in a sample's output.
    offset: F,
    out: &'a mut [f64],
    stride: usize,
    count: usize,
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
fn values_to_rows<L: Lanes>(run: &[L], count: usize, out: &mut [f64], stride: usize) {
    for (k, x) in run.iter().enumerate() {
        for lane in 0..count {
            out[lane * stride + k] = x.lane(lane);
        }
    }
}

/// One group of samples in lanes, with all its memory.
struct LaneGroup<'a, L: Lanes> {
    mechanism: &'a Mechanism,
    samples: &'a Samples<'a>,
    tree: &'a Tree<L>,
    workspace: Workspace<L>,
    poses: Vec<Pose<L>>,
    q: Vec<L>,
    qd: Vec<L>,
    qdd: Vec<L>,
    reduction: Option<Matrix<L>>,
    recursion: crate::recursion::RecursionMemory<L>,
    /// Where the next closure starts, when samples follow each other closely.
    last_closed: Option<Vec<f64>>,
}

impl<'a, L: Lanes> LaneGroup<'a, L> {
    fn new(mechanism: &'a Mechanism, tree: &'a Tree<L>, samples: &'a Samples<'a>) -> Self {
        LaneGroup {
            mechanism,
            samples,
            workspace: Workspace::new(tree),
            poses: Vec::with_capacity(tree.segments.len()),
            q: vec![L::zero(); tree.configuration_size],
            qd: vec![L::zero(); tree.dof],
            qdd: vec![L::zero(); tree.dof],
            reduction: None,
            recursion: crate::recursion::RecursionMemory::new(),
            tree,
            last_closed: None,
        }
    }

    /// Poses, velocities and accelerations of a group; lanes beyond `count` repeat its last sample.
    #[inline(always)]
    fn state(&mut self, first: usize, count: usize) -> Result<(), DynamicsError> {
        let mechanism = self.mechanism;
        let sample = |lane: usize| first + lane.min(count - 1);
        if mechanism.closure().is_trivial() && mechanism.is_identity_configuration() {
            let Samples { q, qd, qdd, .. } = self.samples;
            let gather = |out: &mut [L], values: &[f64]| {
                let width = out.len();
                for (k, x) in out.iter_mut().enumerate() {
                    *x = L::from_lanes(|lane| values[sample(lane) * width + k]);
                }
            };
            gather(&mut self.q, q);
            gather(&mut self.qd, qd);
            gather(&mut self.qdd, qdd);
            self.tree.poses_at(&self.q, &mut self.poses);
            return Ok(());
        }
        let states: Vec<Feasible<f64>> =
            (0..L::WIDTH).map(|lane| self.closed(sample(lane))).collect::<Result<_, _>>()?;
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

    fn pack(&mut self, states: &[Feasible<f64>]) {
        let matrix = |f: &dyn Fn(usize) -> Mat3<f64>| {
            let lanes: Vec<Mat3<f64>> = (0..L::WIDTH).map(f).collect();
            Mat3(std::array::from_fn(|r| std::array::from_fn(|c| L::from_lanes(|l| lanes[l].0[r][c]))))
        };
        self.poses.clear();
        for k in 0..self.tree.segments.len() {
            let translation =
                Vec3(std::array::from_fn(|c| L::from_lanes(|l| states[l].poses[k].translation[c])));
            self.poses.push(Pose { rotation: matrix(&|l| states[l].poses[k].rotation), translation });
        }
        for k in 0..self.tree.dof {
            self.qd[k] = L::from_lanes(|l| states[l].velocity[k]);
            self.qdd[k] = L::from_lanes(|l| states[l].acceleration[k]);
        }
        self.reduction = states[0].reduction.as_ref().map(|z| {
            Matrix::from_fn(z.rows(), z.columns(), |r, c| {
                L::from_lanes(|l| states[l].reduction.as_ref().map_or(0.0, |z| z[(r, c)]))
            })
        });
    }

    /// Computes the blocks of a group.
    #[inline(always)]
    fn group(
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

    /// Generalised forces of the independent coordinates of the current state.
    fn forces(&mut self, inertias: &[crate::recursion::SpatialInertia<L>]) -> Vec<L> {
        let mut tau = vec![L::zero(); self.tree.dof];
        crate::recursion::tree_inverse_dynamics(
            self.tree,
            inertias,
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
