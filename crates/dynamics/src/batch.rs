//! Many samples at once: one per SIMD lane, chunks of them per thread.

mod chunk;
mod lane_group;
mod lane_tree;
mod visit;

use std::num::NonZeroUsize;

use chunk::{Blocks, Chunk, Emit, Folding, Forces, packed};
pub(crate) use lane_tree::LaneTree;
use steiner_linalg::parts_in_parallel;
use steiner_scalar::in_lanes;
pub use visit::{RegressorFunction, RegressorVisitor};

use crate::error::DynamicsError;
use crate::mechanism::Mechanism;

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
        let emit = Blocks(|block: usize| layout.dense_offsets[block]);
        self.in_chunks(samples, threads, (out, stride), zeros, &emit)
    }

    /// The non-zero blocks of all samples: for each sample ten numbers per block, in the order of
    /// `Layout::blocks`.
    pub fn regressor_blocks(
        &self,
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let stride = self.layout().block_size();
        self.check_buffer(out.len(), samples.count * stride)?;
        self.in_chunks(samples, threads, (out, stride), Zeros::Write, &Blocks(packed))
    }

    /// Feeds the non-zero blocks of every sample to an accumulator without storing them:
    /// `absorb(accumulator, sample, blocks)` with ten numbers per block of `Layout::blocks`. One accumulator
    /// per thread is made by `start`; they are returned in the order of the samples they absorbed.
    pub fn fold_regressors<A: Send>(
        &self,
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &[f64]) + Sync,
    ) -> Result<Vec<A>, DynamicsError> {
        self.check_samples(samples)?;
        let bounds = self.chunk_bounds(samples.count, threads);
        parts_in_parallel(bounds, |_, (first, last)| {
            let mut accumulator = start();
            self.feed(samples, (first, last), &mut |sample, blocks| {
                absorb(&mut accumulator, sample, blocks)
            })?;
            Ok(accumulator)
        })
        .into_iter()
        .collect()
    }

    fn feed(
        &self,
        samples: &Samples<'_>,
        (first, last): (usize, usize),
        absorb: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<(), DynamicsError> {
        in_lanes(Folding { mechanism: self, samples, first, last, absorb })
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
        self.in_chunks(samples, threads, (out, stride), Zeros::AlreadyThere, &Forces { parameters })
    }

    /// Runs a lane group over all samples, in one chunk of the output per thread.
    fn in_chunks(
        &self,
        samples: &Samples<'_>,
        threads: NonZeroUsize,
        (out, stride): (&mut [f64], usize),
        zeros: Zeros,
        emit: &impl Emit,
    ) -> Result<(), DynamicsError> {
        self.check_samples(samples)?;
        let zeros = zeros == Zeros::Write;
        let mut rest = out;
        let parts = self.chunk_bounds(samples.count, threads).into_iter().map(|(first, last)| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut((last - first) * stride);
            rest = others;
            (first, last, own)
        });
        parts_in_parallel(parts, |_, (first, last, out)| {
            in_lanes(Chunk { mechanism: self, samples, first, last, out, stride, zeros, emit })
        })
        .into_iter()
        .collect()
    }
}

/// Samples in the widest lanes there are.
const WIDEST: usize = 8;
/// Blocks of the regressor that are worth a thread of their own: below, starting it takes longer than the
/// work.
const BLOCKS_PER_THREAD: usize = 1 << 15;
/// What closing the loops of one sample costs, in blocks.
const CLOSURE_BLOCKS: usize = 1 << 10;

impl Mechanism {
    /// Sample ranges per thread, whole lane groups each.
    fn chunk_bounds(&self, count: usize, threads: NonZeroUsize) -> Vec<(usize, usize)> {
        let closing = if self.closure().is_trivial() { 0 } else { CLOSURE_BLOCKS };
        let work = count * (self.layout().blocks.len() + closing);
        let groups = count.div_ceil(WIDEST);
        let threads = threads.get().min(work / BLOCKS_PER_THREAD).min(groups).max(1);
        let per_thread = groups.div_ceil(threads) * WIDEST;
        (0..threads)
            .map(|t| ((t * per_thread).min(count), ((t + 1) * per_thread).min(count)))
            .filter(|(first, last)| first < last || count == 0)
            .collect()
    }
}
