//! Inverse dynamics and the mass matrix by recursion along the tree: O(N), and a code path of its own.
//!
//! Newton and Euler with spatial vectors (Featherstone): velocities and accelerations outward as
//! six-vectors, momenta and forces inward. Nothing here is shared with the regressor but the poses of the
//! joints.

use steiner_linalg::elimination::Matrix;
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use steiner_scalar::Scalar;

use crate::tree::{Column, Tree};

/// A body's inertia about its origin in some scalar.
#[derive(Clone, Copy, Debug)]
pub struct SpatialInertia<S> {
    mass: S,
    first: Vec3<S>,
    tensor: Mat3<S>,
}

impl<S: Scalar> SpatialInertia<S> {
    /// From the ten parameters `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz`.
    pub fn from_parameters(p: &[f64; 10]) -> Self {
        Self::from_scalars(&p.map(S::from_f64))
    }

    /// From the ten parameters in the scalar itself.
    pub fn from_scalars(p: &[S; 10]) -> Self {
        let [m, hx, hy, hz, xx, xy, yy, xz, yz, zz] = *p;
        SpatialInertia {
            mass: m,
            first: Vec3([hx, hy, hz]),
            tensor: Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
        }
    }

    fn zero() -> Self {
        SpatialInertia { mass: S::zero(), first: Vec3::zero(), tensor: Mat3::zero() }
    }

    /// Force and moment about the origin that go with a motion (momentum for a velocity).
    #[inline(always)]
    fn times(&self, motion: &Column<S>) -> Wrench<S> {
        Wrench {
            force: motion.linear.scale(self.mass) + motion.angular.cross(self.first),
            moment: self.tensor.apply(motion.angular) + self.first.cross(motion.linear),
        }
    }

    /// Adds a child's composite inertia, seen from its parent.
    fn absorb(&mut self, child: &Self, pose: &Pose<S>) {
        let first = pose.rotation.apply(child.first);
        let p = pose.translation;
        let half_turned = pose.rotation * child.tensor;
        // Parallel axes: I' = I − [h][p] − [p][h] − m [p][p] = I + 2 g·p 1 − g pᵀ − p gᵀ with g = h + m p /
        // 2.
        let g = first.plus_scaled(child.mass.half(), p);
        let (gp, doubled) = ([g[0] * p[0], g[1] * p[1], g[2] * p[2]], |x: S| x + x);
        let shift = |r: usize, c: usize| match (r, c) {
            (0, 0) => doubled(gp[1] + gp[2]),
            (1, 1) => doubled(gp[0] + gp[2]),
            (2, 2) => doubled(gp[0] + gp[1]),
            _ => -(g[r] * p[c] + g[c] * p[r]),
        };
        // Symmetric: one triangle is enough.
        for r in 0..3 {
            for c in r..3 {
                let turned = Vec3(half_turned.0[r]).dot(Vec3(pose.rotation.0[c]));
                self.tensor.0[r][c] = self.tensor.0[r][c] + turned + shift(r, c);
                self.tensor.0[c][r] = self.tensor.0[r][c];
            }
        }
        self.first = self.first + first.plus_scaled(child.mass, p);
        self.mass += child.mass;
    }
}

/// Force and moment about the segment's origin, in its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrench<S> {
    pub(crate) force: Vec3<S>,
    pub(crate) moment: Vec3<S>,
}

impl<S: Scalar> Wrench<S> {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Wrench { force: Vec3::zero(), moment: Vec3::zero() }
    }
    #[inline(always)]
    pub(crate) fn power(&self, column: &Column<S>) -> S {
        self.force.dot(column.linear) + self.moment.dot(column.angular)
    }
    /// Adds a child's wrench, seen from its parent.
    #[inline(always)]
    pub(crate) fn absorb(&mut self, child: &Self, pose: &Pose<S>) {
        let force = pose.rotation.apply(child.force);
        self.moment = self.moment + pose.rotation.apply(child.moment) + pose.translation.cross(force);
        self.force = self.force + force;
    }
}

/// Memory of a recursion, reused between samples.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecursionMemory<S> {
    velocity: Vec<Column<S>>,
    acceleration: Vec<Column<S>>,
    wrench: Vec<Wrench<S>>,
}

impl<S: Scalar> RecursionMemory<S> {
    /// Empty.
    pub(crate) fn new() -> Self {
        RecursionMemory { velocity: Vec::new(), acceleration: Vec::new(), wrench: Vec::new() }
    }
}

/// Inertias of all bodies in a scalar, from the 10 N parameters.
pub(crate) fn spatial_inertias<S: Scalar>(parameters: &[f64]) -> Vec<SpatialInertia<S>> {
    parameters.as_chunks::<10>().0.iter().map(SpatialInertia::from_parameters).collect()
}

/// Generalised forces of the *tree* coordinates for a motion of the tree (N·m or N each).
#[inline(always)]
pub(crate) fn tree_inverse_dynamics<S: Scalar>(
    tree: &Tree<S>,
    inertias: &[SpatialInertia<S>],
    poses: &[Pose<S>],
    qd: &[S],
    qdd: &[S],
    memory: &mut RecursionMemory<S>,
    tau: &mut [S],
) {
    let RecursionMemory { velocity, acceleration, wrench } = memory;
    velocity.clear();
    acceleration.clear();
    wrench.clear();
    for (segment, pose) in tree.segments.iter().zip(poses) {
        let (mut v, mut a) = match segment.parent {
            Some(parent) => (velocity[parent].carried(pose), acceleration[parent].carried(pose)),
            // Gravity as an upward acceleration of the base.
            None => (
                Column::zero(),
                Column { angular: Vec3::zero(), linear: pose.rotation.apply_transposed(-tree.gravity) },
            ),
        };
        let mut own = Column::zero();
        for (k, column) in segment.columns.iter().enumerate() {
            own = own.plus_scaled(qd[segment.velocity + k], column);
            a = a.plus_scaled(qdd[segment.velocity + k], column);
        }
        v = v.plus_scaled(S::one(), &own);
        // V × S q̇, the motion cross product.
        a.linear = a.linear + v.angular.cross(own.linear) + v.linear.cross(own.angular);
        a.angular = a.angular + v.angular.cross(own.angular);
        let force = match segment.body {
            Some(body) => {
                let inertia = &inertias[body];
                let momentum = inertia.times(&v);
                let mut w = inertia.times(&a);
                // V ×* (I V), the force cross product.
                w.force = w.force + v.angular.cross(momentum.force);
                w.moment = w.moment + v.angular.cross(momentum.moment) + v.linear.cross(momentum.force);
                w
            }
            None => Wrench::zero(),
        };
        velocity.push(v);
        acceleration.push(a);
        wrench.push(force);
    }
    for index in (0..tree.segments.len()).rev() {
        let segment = &tree.segments[index];
        let carried = wrench[index];
        for (k, column) in segment.columns.iter().enumerate() {
            tau[segment.velocity + k] = carried.power(column);
        }
        if let Some(parent) = segment.parent {
            wrench[parent].absorb(&carried, &poses[index]);
        }
    }
}

/// The mass matrix of the *tree* coordinates by composite bodies.
pub fn tree_mass_matrix<S: Scalar>(
    tree: &Tree<S>,
    inertias: &[SpatialInertia<S>],
    poses: &[Pose<S>],
) -> Matrix<S> {
    let mut composite: Vec<SpatialInertia<S>> = tree
        .segments
        .iter()
        .map(|segment| segment.body.map_or_else(SpatialInertia::zero, |body| inertias[body]))
        .collect();
    let mut mass = Matrix::zeros(tree.dof, tree.dof);
    for index in (0..tree.segments.len()).rev() {
        let segment = &tree.segments[index];
        for (k, column) in segment.columns.iter().enumerate() {
            let mut wrench = composite[index].times(column);
            let row = segment.velocity + k;
            let mut at = index;
            loop {
                let carrier = &tree.segments[at];
                for (c, other) in carrier.columns.iter().enumerate() {
                    let entry = wrench.power(other);
                    mass[(row, carrier.velocity + c)] = entry;
                    mass[(carrier.velocity + c, row)] = entry;
                }
                let Some(parent) = carrier.parent else { break };
                let mut moved = Wrench::zero();
                moved.absorb(&wrench, &poses[at]);
                wrench = moved;
                at = parent;
            }
        }
        if let Some(parent) = segment.parent {
            let child = composite[index];
            composite[parent].absorb(&child, &poses[index]);
        }
    }
    mass
}

/// Forces of the tree by recursion in any scalar with angles, for bounds and derivatives of them.
#[derive(Clone, Debug)]
pub struct TreeForces<S> {
    tree: Tree<S>,
    inertias: Vec<SpatialInertia<S>>,
    memory: RecursionMemory<S>,
    poses: Vec<Pose<S>>,
}

impl<S: steiner_scalar::Trigonometric> TreeForces<S> {
    /// For a tree in doubles and ten parameters for each body.
    pub fn new(tree: &Tree<f64>, parameters: &[f64]) -> Self {
        TreeForces {
            tree: tree.broadcast(),
            inertias: spatial_inertias(parameters),
            memory: RecursionMemory::new(),
            poses: Vec::new(),
        }
    }

    /// Generalised forces of all coordinates of the tree (N·m or N).
    pub fn at(&mut self, q: &[S], qd: &[S], qdd: &[S]) -> Vec<S> {
        self.tree.poses_at(q, &mut self.poses);
        let mut tau = vec![S::zero(); self.tree.dof];
        let TreeForces { tree, inertias, memory, poses } = self;
        tree_inverse_dynamics(tree, inertias, poses, qd, qdd, memory, &mut tau);
        tau
    }
}
