//! Rows that are linear in the inertial parameters: the regressor, the mass matrix and the gravity force.

use steiner_linalg::Vec3;
use steiner_linalg::elimination::Matrix;
use steiner_robot::Pose;
use steiner_scalar::Scalar;

use crate::feasible::{Feasible, Layout, reduced_entry};
use crate::kinematics::{AccelerationField, SegmentMotion};
use crate::regressor::BodyForms;
use crate::tree::{Column, Tree};

/// Memory of a row computation, reused between samples.
#[derive(Clone, Debug)]
pub(crate) struct Workspace<S> {
    pub(crate) poses: Vec<Pose<S>>,
    pub(crate) motions: Vec<SegmentMotion<S>>,
    /// Jacobian lines of all segments, one after another.
    columns: Vec<Column<S>>,
    /// Where each segment's lines start.
    offsets: Vec<usize>,
}

impl<S: Scalar> Workspace<S> {
    /// For a tree.
    pub(crate) fn new(tree: &Tree<S>) -> Self {
        let mut offsets = Vec::with_capacity(tree.segments.len());
        let mut total = 0;
        for ancestry in tree.ancestry.iter() {
            offsets.push(total);
            total += ancestry.len();
        }
        Workspace {
            poses: Vec::with_capacity(tree.segments.len()),
            motions: vec![SegmentMotion::zero(); tree.segments.len()],
            columns: vec![Column::zero(); total],
            offsets,
        }
    }

    /// Jacobian lines of one segment, in the order of its ancestry.
    #[inline(always)]
    pub(crate) fn columns_of<'w>(&'w self, tree: &Tree<S>, segment: usize) -> &'w [Column<S>] {
        let start = self.offsets[segment];
        &self.columns[start..start + tree.ancestry[segment].len()]
    }

    /// Propagates the Jacobian lines through all segments.
    #[inline(always)]
    pub(crate) fn propagate_columns(&mut self, tree: &Tree<S>, poses: &[Pose<S>]) {
        for (index, (segment, pose)) in tree.segments.iter().zip(poses).enumerate() {
            let start = self.offsets[index];
            let (before, own) = self.columns.split_at_mut(start);
            let mut inherited = 0;
            if let Some(parent) = segment.parent {
                inherited = tree.ancestry[parent].len();
                let from = &before[self.offsets[parent]..self.offsets[parent] + inherited];
                for ((column, parents), &velocity) in
                    own[..inherited].iter_mut().zip(from).zip(&tree.ancestry[parent])
                {
                    if tree.translates[velocity] {
                        column.linear = pose.rotation.apply_transposed(parents.linear);
                    } else {
                        *column = parents.carried(pose);
                    }
                }
            }
            own[inherited..inherited + segment.columns.len()].copy_from_slice(&segment.columns);
        }
    }
}

/// Where the blocks of a regressor go, by their index in [`Layout::blocks`].
pub(crate) trait BlockSink<S> {
    /// All ten coefficients.
    fn block(&mut self, index: usize, values: [S; 10]);
    /// The coefficients of m, mx, my, mz where the other six are zero in every state.
    fn translation(&mut self, index: usize, values: [S; 4]);
}

/// Computes the blocks of the regressor of one state, body by body. They go from registers to where they
/// belong: a humanoid's blocks in lanes would not fit the first-level cache.
#[inline(always)]
pub(crate) fn regressor_blocks<S: Scalar>(
    tree: &Tree<S>,
    layout: &Layout,
    reduction: Option<&Matrix<S>>,
    workspace: &Workspace<S>,
    sink: &mut impl BlockSink<S>,
) {
    for (body, &segment) in tree.segment_of_body.iter().enumerate() {
        let forms = BodyForms::new(&workspace.motions[segment].field);
        let columns = workspace.columns_of(tree, segment);
        let ancestry = &tree.ancestry[segment];
        for (k, &block) in layout.block_of[body].iter().enumerate() {
            match reduction {
                None if tree.translates[ancestry[k]] => {
                    sink.translation(block, forms.translated(columns[k].linear))
                }
                None => sink.block(block, forms.block(&columns[k])),
                Some(z) => {
                    let line = reduced_line(columns, ancestry, z, layout.rows_of_body[body][k]);
                    sink.block(block, forms.block(&line));
                }
            }
        }
    }
}

/// The Jacobian line of a body with respect to an independent coordinate: Σ_k L_k ∂q̇_k/∂q̇_j.
#[inline(always)]
fn reduced_line<S: Scalar>(
    columns: &[Column<S>],
    ancestry: &[usize],
    z: &Matrix<S>,
    row: usize,
) -> Column<S> {
    let mut line = Column::zero();
    for (column, &k) in columns.iter().zip(ancestry) {
        line = line.plus_scaled(z[(k, row)], column);
    }
    line
}

/// The regressor of one feasible state, dense: rows by independent coordinates, 10 N columns in the order of
/// `Robot::labels`. Y·π are the generalised forces.
pub fn regressor<S: Scalar>(tree: &Tree<S>, layout: &Layout, state: &Feasible<S>) -> Matrix<S> {
    let mut workspace = Workspace::new(tree);
    tree.motions(&state.poses, &state.velocity, &state.acceleration, tree.gravity, &mut workspace.motions);
    workspace.propagate_columns(tree, &state.poses);
    let mut out = vec![S::zero(); layout.dense_size()];
    let mut sink = Dense { layout, out: &mut out };
    regressor_blocks(tree, layout, state.reduction.as_ref(), &workspace, &mut sink);
    Matrix::from_fn(layout.rows, layout.columns(), |row, column| out[row * layout.columns() + column])
}

/// A dense matrix by rows, zero where no block is.
pub(crate) struct Dense<'a, S> {
    pub(crate) layout: &'a Layout,
    pub(crate) out: &'a mut [S],
}

impl<S: Scalar> BlockSink<S> for Dense<'_, S> {
    #[inline(always)]
    fn block(&mut self, index: usize, values: [S; 10]) {
        let at = self.layout.dense_offsets[index];
        self.out[at..at + 10].copy_from_slice(&values);
    }
    #[inline(always)]
    fn translation(&mut self, index: usize, values: [S; 4]) {
        let at = self.layout.dense_offsets[index];
        self.out[at..at + 4].copy_from_slice(&values);
    }
}

/// Rows of the energies at a feasible configuration, linear in the 10 N parameters.
#[derive(Clone, Debug)]
pub struct EnergyRows<S> {
    /// Entries (j, k), j ≤ k, of the reduced mass matrix, row by row of the upper triangle.
    pub mass: Matrix<S>,
    /// Entries of the reduced gravity force: the generalised forces at rest.
    pub gravity: Matrix<S>,
}

/// The reduced mass matrix and gravity force as rows over the parameters. Velocities and accelerations of
/// the state are not used.
///
/// M_jk = Σ_i tr(S_jᵀ S_k N_i) has the form of the regressor with the acceleration field replaced by a
/// velocity field, and the gravity force that with the field of a body at rest.
pub fn energy_rows<S: Scalar>(tree: &Tree<S>, layout: &Layout, state: &Feasible<S>) -> EnergyRows<S> {
    let mut workspace = Workspace::new(tree);
    workspace.propagate_columns(tree, &state.poses);
    let world = tree.world_poses(&state.poses);
    let rows = layout.rows;
    let pairs: Vec<(usize, usize)> = (0..rows).flat_map(|j| (j..rows).map(move |k| (j, k))).collect();
    let pair_index = |j: usize, k: usize| j * rows - j * (j + 1) / 2 + k;
    let mut mass = Matrix::zeros(pairs.len(), layout.columns());
    let mut gravity = Matrix::zeros(rows, layout.columns());
    for (body, &segment) in tree.segment_of_body.iter().enumerate() {
        let columns = workspace.columns_of(tree, segment);
        let ancestry = &tree.ancestry[segment];
        let lines: Vec<Column<S>> = layout.rows_of_body[body]
            .iter()
            .map(|&row| {
                columns.iter().zip(ancestry).fold(Column::zero(), |line, (column, &k)| {
                    line.plus_scaled(reduced_entry(&state.reduction, k, row), column)
                })
            })
            .collect();
        let felt = world[segment].rotation.apply_transposed(tree.gravity);
        let rest = BodyForms::new(&AccelerationField::at_rest(felt));
        let span = 10 * body..10 * body + 10;
        for (a, &j) in layout.rows_of_body[body].iter().enumerate() {
            gravity.row_mut(j)[span.clone()].copy_from_slice(&rest.block(&lines[a]));
            for (b, &k) in layout.rows_of_body[body].iter().enumerate().skip(a) {
                let forms = BodyForms::new(&AccelerationField::of_column(&lines[b]));
                mass.row_mut(pair_index(j, k))[span.clone()].copy_from_slice(&forms.block(&lines[a]));
            }
        }
    }
    EnergyRows { mass, gravity }
}

/// The velocity of each segment in its own axes, at its origin, for some rates of the tree's coordinates.
pub fn velocities<S: Scalar>(tree: &Tree<S>, poses: &[Pose<S>], rates: &[S]) -> Vec<Column<S>> {
    let mut velocities: Vec<Column<S>> = Vec::with_capacity(tree.segments.len());
    for (segment, pose) in tree.segments.iter().zip(poses) {
        let carried = segment.parent.map_or(Column::zero(), |parent| velocities[parent].carried(pose));
        let own = segment.columns.iter().zip(&rates[segment.velocity..]);
        velocities.push(own.fold(carried, |sum, (column, &rate)| sum.plus_scaled(rate, column)));
    }
    velocities
}

/// wᵀY: a weighted sum of the rows of the regressor of a tree without couplings, ten numbers for each body. As
/// the power of all forces along the velocities w, it takes one pass through the tree.
pub fn weighted_row<S: Scalar>(tree: &Tree<S>, state: &Feasible<S>, weights: &[S]) -> Vec<[S; 10]> {
    let mut motions = vec![SegmentMotion::zero(); tree.segments.len()];
    tree.motions(&state.poses, &state.velocity, &state.acceleration, tree.gravity, &mut motions);
    let velocities = velocities(tree, &state.poses, weights);
    let block = |&segment: &usize| BodyForms::new(&motions[segment].field).block(&velocities[segment]);
    tree.segment_of_body.iter().map(block).collect()
}

/// Rows of the wrench (force, then torque) that moves some bodies and carries them against gravity, in the
/// axes and about the origin of a frame given by its pose in the world; 6 × 10 N, zero for bodies not
/// listed.
///
/// With the base frame and all bodies this is what a force plate under a fixed robot measures; with a body's
/// own frame and its descendants, what a sensor inside its joint measures (trees only: a loop carries part
/// of it elsewhere).
pub fn wrench_rows<S: Scalar>(
    tree: &Tree<S>,
    state: &Feasible<S>,
    frame: &Pose<S>,
    bodies: &[usize],
) -> Matrix<S> {
    let mut workspace = Workspace::new(tree);
    tree.motions(&state.poses, &state.velocity, &state.acceleration, tree.gravity, &mut workspace.motions);
    let world = tree.world_poses(&state.poses);
    let mut rows = Matrix::zeros(6, 10 * tree.segment_of_body.len());
    for &body in bodies {
        let segment = tree.segment_of_body[body];
        let forms = BodyForms::new(&workspace.motions[segment].field);
        let pose = frame.inverse().then(&world[segment]);
        for (row, column) in frame_columns().iter().enumerate() {
            let block = forms.block(&column.carried(&pose));
            rows.row_mut(row)[10 * body..10 * body + 10].copy_from_slice(&block);
        }
    }
    rows
}

/// The wrench rows of a body that rests on the ground at `pose`: its weight.
pub fn resting_rows<S: Scalar>(gravity: Vec3<S>, pose: &Pose<S>) -> [[S; 10]; 6] {
    let forms = BodyForms::new(&AccelerationField::at_rest(pose.rotation.apply_transposed(gravity)));
    frame_columns().map(|column| forms.block(&column.carried(pose)))
}

/// Unit velocities of a frame: three translations, three rotations about its origin.
fn frame_columns<S: Scalar>() -> [Column<S>; 6] {
    std::array::from_fn(|k| {
        let mut column = Column::zero();
        let part = if k < 3 { &mut column.linear } else { &mut column.angular };
        *part = Vec3::unit(k % 3);
        column
    })
}
