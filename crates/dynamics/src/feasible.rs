//! A state that satisfies all loops and couplings: everything a regressor or an energy row consumes.

use steiner_linalg::elimination::Matrix;
use steiner_robot::Pose;
use steiner_scalar::Scalar;

/// An instant of a feasible motion, in the coordinates of the tree.
///
/// With loops or couplings the velocities of the tree are q̇ = Z q̇_a and q̈ = Z q̈_a + bias, where a are the
/// independent coordinates; generalised forces of the independent coordinates are Zᵀ times those of the tree.
#[derive(Clone, Debug)]
pub struct Feasible<S> {
    /// Pose of each segment in its parent's frame.
    pub poses: Vec<Pose<S>>,
    /// Velocities of the tree.
    pub velocity: Vec<S>,
    /// Accelerations of the tree, the bias included.
    pub acceleration: Vec<S>,
    /// Z, tree velocities by independent coordinates; `None` for a tree without couplings (Z = 1).
    pub reduction: Option<Matrix<S>>,
}

/// Which block of the regressor can be non-zero: fixed by the topology, the same for all samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Number of rows: independent coordinates.
    pub rows: usize,
    /// Number of bodies; a row has ten columns for each.
    pub bodies: usize,
    /// For each body, the rows in which it appears, ascending.
    pub rows_of_body: Vec<Vec<usize>>,
    /// For each tree velocity, the independent coordinates that can move it, ascending.
    pub movers: Vec<Vec<usize>>,
    /// The blocks in the order of the dense matrix: (row, body).
    pub blocks: Vec<(usize, usize)>,
    /// For each body and each of its rows, the index of the block.
    pub(crate) block_of: Vec<Vec<usize>>,
    /// Where each block starts in the dense matrix.
    pub(crate) dense_offsets: Vec<usize>,
}

impl Layout {
    /// From the ancestry of each body and the independent coordinates that move each tree velocity.
    pub(crate) fn new(rows: usize, ancestry_of_body: &[&[usize]], movers: Vec<Vec<usize>>) -> Self {
        let rows_of_body: Vec<Vec<usize>> = ancestry_of_body
            .iter()
            .map(|ancestry| {
                let mut rows: Vec<usize> = ancestry.iter().flat_map(|&k| movers[k].iter().copied()).collect();
                rows.sort_unstable();
                rows.dedup();
                rows
            })
            .collect();
        // Sorted by counting: a long chain has as many blocks as pairs of bodies.
        let mut start = vec![0; rows + 1];
        rows_of_body.iter().flatten().for_each(|&row| start[row + 1] += 1);
        for row in 0..rows {
            start[row + 1] += start[row];
        }
        let mut blocks = vec![(0, 0); start[rows]];
        let mut place = |(body, of_body): (usize, &Vec<usize>)| -> Vec<usize> {
            let put = |&row: &usize| {
                let at = start[row];
                start[row] += 1;
                blocks[at] = (row, body);
                at
            };
            of_body.iter().map(put).collect()
        };
        let block_of = rows_of_body.iter().enumerate().map(&mut place).collect();
        let bodies = ancestry_of_body.len();
        let dense_offsets = blocks.iter().map(|&(row, body)| 10 * (row * bodies + body)).collect();
        Layout { rows, bodies, rows_of_body, movers, blocks, block_of, dense_offsets }
    }

    /// Columns of the dense matrix: 10 N.
    pub fn columns(&self) -> usize {
        10 * self.bodies
    }

    /// Numbers in the dense matrix of one sample.
    pub fn dense_size(&self) -> usize {
        self.rows * self.columns()
    }

    /// Numbers in the non-zero blocks of one sample.
    pub fn block_size(&self) -> usize {
        10 * self.blocks.len()
    }
}

/// The linear map of a [`Feasible`] state's independent velocities to one tree velocity.
pub(crate) fn reduced_entry<S: Scalar>(reduction: &Option<Matrix<S>>, tree: usize, row: usize) -> S {
    match reduction {
        Some(z) => z[(tree, row)],
        None if tree == row => S::one(),
        None => S::zero(),
    }
}
