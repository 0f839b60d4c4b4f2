//! The adjoint of the regressor: how a function of its blocks changes with the motion.
//!
//! Given ∂f/∂Y for every block, one sweep from the last segment to the first gives ∂f/∂q, ∂f/∂q̇ and ∂f/∂q̈ at
//! the price of about two regressors, however many coordinates there are. Derivatives along q are along the
//! unit-rate columns of each segment, so they make sense for balls and free bodies too.
//!
//! Written for trees: of a block with adjoint (m, h, I) (ten numbers, a body of its own), the function is
//! v·(m a + B h) + ω_j·(h × a + I α + ω × I ω), with the fields of `kinematics.rs`.

use steiner_linalg::Vec3;
use steiner_robot::Pose;
use steiner_scalar::Scalar;

use crate::feasible::Layout;
use crate::kinematics::SegmentMotion;
use crate::rows::Workspace;
use crate::tree::{Column, Tree};

/// Derivatives of a function of the motion, one number for each velocity of the tree.
#[derive(Clone, Debug)]
pub(crate) struct MotionGradient<S> {
    pub(crate) q: Vec<S>,
    pub(crate) qd: Vec<S>,
    pub(crate) qdd: Vec<S>,
}

/// Adjoints of what a segment does.
#[derive(Clone, Copy, Debug)]
struct MotionAdjoint<S> {
    angular_velocity: Vec3<S>,
    angular_acceleration: Vec3<S>,
    /// Of the origin's acceleration.
    origin: Vec3<S>,
}

impl<S: Scalar> MotionAdjoint<S> {
    #[inline(always)]
    fn zero() -> Self {
        MotionAdjoint {
            angular_velocity: Vec3::zero(),
            angular_acceleration: Vec3::zero(),
            origin: Vec3::zero(),
        }
    }

    /// Adds those of e·(B r) for a vector r: ω × (ω × r) and α × r.
    #[inline(always)]
    fn add_gradient(&mut self, motion: &SegmentMotion<S>, e: Vec3<S>, r: Vec3<S>) {
        let omega = motion.angular_velocity;
        let twice = e.dot(r) + e.dot(r);
        self.angular_velocity = self
            .angular_velocity
            .plus_scaled(omega.dot(r), e)
            .plus_scaled(e.dot(omega), r)
            .plus_scaled(-twice, omega);
        self.angular_acceleration = self.angular_acceleration + r.cross(e);
    }
}

/// A tensor times a vector. No closure: those are not compiled for the lanes of the processor.
#[inline(always)]
fn turned<S: Scalar>([xx, xy, yy, xz, yz, zz]: [S; 6], x: Vec3<S>) -> Vec3<S> {
    Vec3([
        xx * x[0] + xy * x[1] + xz * x[2],
        xy * x[0] + yy * x[1] + yz * x[2],
        xz * x[0] + yz * x[1] + zz * x[2],
    ])
}

/// Memory of the sweep, reused between samples.
#[derive(Clone, Debug)]
pub(crate) struct AdjointMemory<S> {
    motions: Vec<MotionAdjoint<S>>,
    /// As the columns of the workspace.
    columns: Vec<Column<S>>,
    offsets: Vec<usize>,
    pub(crate) gradient: MotionGradient<S>,
}

impl<S: Scalar> AdjointMemory<S> {
    pub(crate) fn new(tree: &Tree<S>) -> Self {
        let mut offsets = Vec::with_capacity(tree.segments.len());
        let mut total = 0;
        for ancestry in tree.ancestry.iter() {
            offsets.push(total);
            total += ancestry.len();
        }
        let none = vec![S::zero(); tree.dof];
        AdjointMemory {
            motions: vec![MotionAdjoint::zero(); tree.segments.len()],
            columns: vec![Column::zero(); total],
            offsets,
            gradient: MotionGradient { q: none.clone(), qd: none.clone(), qdd: none },
        }
    }

    /// The sweep: `adjoints` has ten numbers for every block of the layout. The workspace holds motions and
    /// columns of the state.
    #[inline(always)]
    pub(crate) fn sweep(
        &mut self,
        tree: &Tree<S>,
        layout: &Layout,
        workspace: &Workspace<S>,
        (poses, qd): (&[Pose<S>], &[S]),
        adjoints: &[[S; 10]],
    ) {
        let mut k = 0;
        while k < tree.segments.len() {
            self.motions[k] = MotionAdjoint::zero();
            k += 1;
        }
        let mut k = 0;
        while k < self.columns.len() {
            self.columns[k] = Column::zero();
            k += 1;
        }
        let mut body = 0;
        while body < tree.segment_of_body.len() {
            self.blocks_of(tree, layout, workspace, adjoints, body);
            body += 1;
        }
        let mut index = tree.segments.len();
        while index > 0 {
            index -= 1;
            self.segment(tree, workspace, &poses[index], qd, index);
        }
    }

    /// Adjoints of the fields of one body from those of its blocks.
    #[inline(always)]
    fn blocks_of(
        &mut self,
        tree: &Tree<S>,
        layout: &Layout,
        workspace: &Workspace<S>,
        adjoints: &[[S; 10]],
        body: usize,
    ) {
        let segment = tree.segment_of_body[body];
        let motion = &workspace.motions[segment];
        let (omega, alpha, a) = (motion.angular_velocity, motion.angular_acceleration, motion.field.origin);
        let columns = workspace.columns_of(tree, segment);
        let start = self.offsets[segment];
        let mut sum = self.motions[segment];
        let blocks = &layout.block_of[body];
        let mut k = 0;
        while k < blocks.len() {
            let [m, hx, hy, hz, xx, xy, yy, xz, yz, zz] = adjoints[blocks[k]];
            let h = Vec3([hx, hy, hz]);
            let Column { angular: turn, linear: v } = columns[k];
            let own = &mut self.columns[start + k];
            // v·(m a + B h) and ω_j·(h × a)
            own.linear = own.linear.plus_scaled(m, a) + motion.field.gradient.apply(h);
            sum.origin = sum.origin.plus_scaled(m, v) + turn.cross(h);
            sum.add_gradient(motion, v, h);
            // ω_j·(I α + ω × I ω)
            let inertia = [xx, xy, yy, xz, yz, zz];
            let momentum = turned(inertia, omega);
            own.angular = own.angular + h.cross(a) + turned(inertia, alpha) + omega.cross(momentum);
            sum.angular_acceleration = sum.angular_acceleration + turned(inertia, turn);
            sum.angular_velocity =
                sum.angular_velocity + momentum.cross(turn) + turned(inertia, turn.cross(omega));
            k += 1;
        }
        self.motions[segment] = sum;
    }

    /// Hands the adjoints of a segment to its coordinates and its parent.
    #[inline(always)]
    fn segment(&mut self, tree: &Tree<S>, workspace: &Workspace<S>, pose: &Pose<S>, qd: &[S], index: usize) {
        let segment = &tree.segments[index];
        let motion = &workspace.motions[index];
        let bar = self.motions[index];
        // The parts of the motion that the segment itself makes, as in `Tree::motions`.
        let (mut u, mut w) = (Vec3::zero(), Vec3::zero());
        let (mut u_rate, mut w_rate) = (Vec3::zero(), Vec3::zero());
        let mut k = 0;
        while k < segment.columns.len() {
            let column = &segment.columns[k];
            u = u.plus_scaled(qd[segment.velocity + k], column.angular);
            w = w.plus_scaled(qd[segment.velocity + k], column.linear);
            k += 1;
        }
        let carried = motion.angular_velocity - u;
        let both = motion.angular_velocity + carried;
        // o = o_c + ẇ + (ω + ω_c) × w
        let by_both = w.cross(bar.origin);
        let by_w = bar.origin.cross(both);
        let omega_bar = bar.angular_velocity + by_both;
        // α = α_c + u̇ + ω_c × u and ω = ω_c + u
        let carried_bar = by_both + omega_bar + u.cross(bar.angular_acceleration);
        let by_u = omega_bar + bar.angular_acceleration.cross(carried);
        u_rate = u_rate + bar.angular_acceleration;
        w_rate = w_rate + bar.origin;

        // What turning the segment's axes does to all that is carried into them: x̄ · (x × axis).
        let mut turning = carried_bar.cross(carried);
        let mut shifting = Vec3::zero();
        let start = self.offsets[index];
        match segment.parent {
            None => {
                turning = turning + bar.origin.cross(pose.rotation.apply_transposed(-tree.gravity));
            }
            Some(parent) => {
                let above = workspace.motions[parent];
                let reached = above.field.origin + above.field.gradient.apply(pose.translation);
                let carried_acceleration = pose.rotation.apply_transposed(above.angular_acceleration);
                turning = turning
                    + bar.angular_acceleration.cross(carried_acceleration)
                    + bar.origin.cross(pose.rotation.apply_transposed(reached));
                let e = pose.rotation.apply(bar.origin);
                let up = &mut self.motions[parent];
                up.angular_velocity = up.angular_velocity + pose.rotation.apply(carried_bar);
                up.angular_acceleration =
                    up.angular_acceleration + pose.rotation.apply(bar.angular_acceleration);
                up.origin = up.origin + e;
                up.add_gradient(&above, e, pose.translation);
                shifting = shifting + above.field.gradient.apply_transposed(e);

                let inherited = tree.ancestry[parent].len();
                let (before, own) = self.columns.split_at_mut(start);
                let to = &mut before[self.offsets[parent]..self.offsets[parent] + inherited];
                let columns = workspace.columns_of(tree, index);
                let from = workspace.columns_of(tree, parent);
                let mut k = 0;
                while k < inherited {
                    let Column { angular, linear } = own[k];
                    turning = turning + angular.cross(columns[k].angular) + linear.cross(columns[k].linear);
                    let g = pose.rotation.apply(linear);
                    to[k].linear = to[k].linear + g;
                    to[k].angular = to[k].angular + pose.rotation.apply(angular) + pose.translation.cross(g);
                    shifting = shifting + g.cross(from[k].angular);
                    k += 1;
                }
            }
        }
        let shifting = pose.rotation.apply_transposed(shifting);
        let mut k = 0;
        while k < segment.columns.len() {
            let Column { angular, linear } = segment.columns[k];
            let at = segment.velocity + k;
            self.gradient.q[at] = angular.dot(turning) + linear.dot(shifting);
            self.gradient.qd[at] = angular.dot(by_u) + linear.dot(by_w);
            self.gradient.qdd[at] = angular.dot(u_rate) + linear.dot(w_rate);
            k += 1;
        }
    }
}
