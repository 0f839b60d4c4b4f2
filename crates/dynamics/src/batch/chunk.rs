//! Consecutive samples of one thread, as kernels in lanes.

use steiner_scalar::{LaneKernel, Lanes, copy_streamed};

use super::Samples;
use super::lane_group::{LaneGroup, LaneRows, values_to_rows};
use crate::error::DynamicsError;
use crate::mechanism::Mechanism;

/// Numbers that stay in a cache for whoever reads them next.
const IN_CACHE: usize = 1 << 18;

/// What is written for each sample.
pub(super) trait Emit: Sync {
    /// The parameters of the bodies, where forces are wanted.
    fn parameters(&self) -> &[f64] {
        &[]
    }
    /// Writes the rows of `count` samples.
    fn emit<L: Lanes>(
        &self,
        group: &mut LaneGroup<'_, L>,
        rows: Rows<'_>,
        first: usize,
    ) -> Result<(), DynamicsError>;
}

/// Where the rows of a group of samples go.
pub(super) struct Rows<'a> {
    pub(super) out: &'a mut [f64],
    pub(super) stride: usize,
    pub(super) count: usize,
}

/// The blocks of the regressor that can be non-zero, each where a function of its index says.
pub(super) struct Blocks<F>(pub(super) F);

impl<F: Fn(usize) -> usize + Sync> Emit for Blocks<F> {
    #[inline(always)]
    fn emit<L: Lanes>(
        &self,
        group: &mut LaneGroup<'_, L>,
        Rows { out, stride, count }: Rows<'_>,
        first: usize,
    ) -> Result<(), DynamicsError> {
        group.blocks(first, count, &mut LaneRows { offset: &self.0, out, stride, count })
    }
}

/// Blocks one after another.
#[inline(always)]
pub(super) fn packed(block: usize) -> usize {
    10 * block
}

/// Generalised forces.
pub(super) struct Forces<'a> {
    pub(super) parameters: &'a [f64],
}

impl Emit for Forces<'_> {
    fn parameters(&self) -> &[f64] {
        self.parameters
    }
    #[inline(always)]
    fn emit<L: Lanes>(
        &self,
        group: &mut LaneGroup<'_, L>,
        Rows { out, stride, count }: Rows<'_>,
        first: usize,
    ) -> Result<(), DynamicsError> {
        group.state(first, count)?;
        let forces = group.forces();
        values_to_rows(&forces, count, out, stride);
        Ok(())
    }
}

/// Samples `first..last` and where their rows go.
pub(super) struct Chunk<'a, E> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) samples: &'a Samples<'a>,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) out: &'a mut [f64],
    pub(super) stride: usize,
    /// Whether `out` may hold anything, so that structural zeros are written too.
    pub(super) zeros: bool,
    pub(super) emit: &'a E,
}

impl<E: Emit> LaneKernel for Chunk<'_, E> {
    type Output = Result<(), DynamicsError>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let Chunk { mechanism, samples, first, last, out, stride, zeros, emit } = self;
        let tree = mechanism.lane_tree::<L>();
        let mut group = LaneGroup::new(mechanism, &tree, samples, emit.parameters());
        // A group whose zeros stay, in cache; copied as a whole it costs the memory one pass instead of two.
        let mut staged = vec![0.0; if zeros { L::WIDTH * stride } else { 0 }];
        let past_caches = out.len() > IN_CACHE;
        let mut at = first;
        while at < last {
            let count = L::WIDTH.min(last - at);
            let own = &mut out[(at - first) * stride..(at - first + count) * stride];
            let target = if zeros { &mut staged[..count * stride] } else { &mut *own };
            emit.emit(&mut group, Rows { out: target, stride, count }, at)?;
            if zeros {
                match past_caches {
                    true => copy_streamed(&staged[..count * stride], own),
                    false => own.copy_from_slice(&staged[..count * stride]),
                }
            }
            at += count;
        }
        Ok(())
    }
}

/// Samples `first..last` and what takes their blocks in. A pointer to it costs little beside a regressor, and
/// the kernel is compiled once.
pub(super) struct Folding<'a> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) samples: &'a Samples<'a>,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) absorb: &'a mut dyn FnMut(usize, &[f64]),
}

impl LaneKernel for Folding<'_> {
    type Output = Result<(), DynamicsError>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let Folding { mechanism, samples, first, last, absorb } = self;
        let stride = mechanism.layout().block_size();
        let tree = mechanism.lane_tree::<L>();
        let mut group = LaneGroup::new(mechanism, &tree, samples, &[]);
        let mut blocks = vec![0.0; L::WIDTH * stride];
        let mut at = first;
        while at < last {
            let count = L::WIDTH.min(last - at);
            Blocks(packed).emit(&mut group, Rows { out: &mut blocks, stride, count }, at)?;
            for k in 0..count {
                absorb(at + k, &blocks[k * stride..(k + 1) * stride]);
            }
            at += count;
        }
        Ok(())
    }
}
