//! Functions of the regressors of many samples, and their gradients along the motion, in lanes.

use steiner_scalar::{LaneKernel, Lanes, in_lanes};

use super::Samples;
use super::lane_group::LaneGroup;
use crate::adjoint::AdjointMemory;
use crate::error::DynamicsError;
use crate::mechanism::Mechanism;
use crate::rows::BlockSink;

/// What takes in regressors, one sample in every lane. Its methods belong to a [`LaneKernel`]: `#[inline(always)]`.
pub trait RegressorVisitor {
    /// The blocks (in the order of `Layout::blocks`) of samples `first..first + count`; lanes beyond `count`
    /// repeat the last.
    fn absorb<L: Lanes>(&mut self, first: usize, count: usize, blocks: &[[L; 10]]);
}

/// A scalar function of regressors, by its derivatives. Its methods belong to a [`LaneKernel`]: `#[inline(always)]`.
pub trait RegressorFunction {
    /// Writes ∂f/∂block for every block of samples `first..first + count`; what is in lanes beyond `count` is
    /// not used.
    fn adjoint<L: Lanes>(&mut self, first: usize, count: usize, blocks: &[[L; 10]], adjoints: &mut [[L; 10]]);
}

impl Mechanism {
    /// Whether regressors can be visited in lanes: a tree in its own coordinates.
    pub fn is_plain_tree(&self) -> bool {
        self.closure().is_trivial() && self.is_identity_configuration()
    }

    /// Hands the regressors of all samples to a visitor, on this thread.
    ///
    /// # Panics
    /// Unless it [is a plain tree](Mechanism::is_plain_tree).
    pub fn visit_regressors(
        &self,
        samples: &Samples<'_>,
        visitor: &mut impl RegressorVisitor,
    ) -> Result<(), DynamicsError> {
        assert!(self.is_plain_tree(), "loops and couplings have no lanes here");
        self.check_samples(samples)?;
        in_lanes(Visit { mechanism: self, samples, visitor })
    }

    /// The gradient of a function of all regressors along the motion, on this thread: for each sample ∂f/∂q,
    /// ∂f/∂q̇ and ∂f/∂q̈, `count × 3 dof` doubles. Those along q are per unit rate of each velocity.
    ///
    /// # Panics
    /// Unless it [is a plain tree](Mechanism::is_plain_tree).
    pub fn regressor_gradients(
        &self,
        samples: &Samples<'_>,
        function: &mut impl RegressorFunction,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        assert!(self.is_plain_tree(), "loops and couplings have no lanes here");
        self.check_buffer(out.len(), samples.count * 3 * self.dof())?;
        self.check_samples(samples)?;
        in_lanes(Gradients { mechanism: self, samples, function, out })
    }
}

/// Blocks in lanes, in memory.
struct InMemory<'a, L>(&'a mut [[L; 10]]);

impl<L: Lanes> BlockSink<L> for InMemory<'_, L> {
    #[inline(always)]
    fn block(&mut self, index: usize, values: [L; 10]) {
        self.0[index] = values;
    }
    #[inline(always)]
    fn translation(&mut self, index: usize, values: [L; 4]) {
        self.0[index][..4].copy_from_slice(&values);
    }
}

struct Visit<'a, V> {
    mechanism: &'a Mechanism,
    samples: &'a Samples<'a>,
    visitor: &'a mut V,
}

impl<V: RegressorVisitor> LaneKernel for Visit<'_, V> {
    type Output = Result<(), DynamicsError>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let Visit { mechanism, samples, visitor } = self;
        let tree = mechanism.lane_tree::<L>();
        let mut group = LaneGroup::new(mechanism, &tree, samples, &[]);
        let mut blocks = vec![[L::zero(); 10]; mechanism.layout().blocks.len()];
        let mut at = 0;
        while at < samples.count {
            let count = L::WIDTH.min(samples.count - at);
            group.blocks(at, count, &mut InMemory(&mut blocks))?;
            visitor.absorb(at, count, &blocks);
            at += count;
        }
        Ok(())
    }
}

struct Gradients<'a, F> {
    mechanism: &'a Mechanism,
    samples: &'a Samples<'a>,
    function: &'a mut F,
    out: &'a mut [f64],
}

impl<F: RegressorFunction> LaneKernel for Gradients<'_, F> {
    type Output = Result<(), DynamicsError>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let Gradients { mechanism, samples, function, out } = self;
        let tree = mechanism.lane_tree::<L>();
        let mut group = LaneGroup::new(mechanism, &tree, samples, &[]);
        let mut memory = AdjointMemory::new(&tree);
        let mut blocks = vec![[L::zero(); 10]; mechanism.layout().blocks.len()];
        let mut adjoints = blocks.clone();
        let dof = mechanism.dof();
        let mut at = 0;
        while at < samples.count {
            let count = L::WIDTH.min(samples.count - at);
            group.blocks(at, count, &mut InMemory(&mut blocks))?;
            function.adjoint(at, count, &blocks, &mut adjoints);
            group.sweep(&mut memory, &adjoints);
            let gradient = &memory.gradient;
            let mut k = 0;
            while k < dof {
                let mut lane = 0;
                while lane < count {
                    let row = &mut out[(at + lane) * 3 * dof..(at + lane + 1) * 3 * dof];
                    row[k] = gradient.q[k].lane(lane);
                    row[dof + k] = gradient.qd[k].lane(lane);
                    row[2 * dof + k] = gradient.qdd[k].lane(lane);
                    lane += 1;
                }
                k += 1;
            }
            at += count;
        }
        Ok(())
    }
}
