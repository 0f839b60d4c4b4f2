//! Poses, velocities and accelerations along the tree.

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use steiner_scalar::{Scalar, Trigonometric};

use crate::tree::{Column, Tree};

/// The acceleration field of a rigid body, A = \[B | a\] with B = ω̇^ + ω^ω^: the material point x of the
/// body accelerates by B x + a. Body axes; a is that of the origin, minus gravity where the field drives a
/// regressor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccelerationField<S> {
    /// B, 1/s².
    pub gradient: Mat3<S>,
    /// a, m/s².
    pub origin: Vec3<S>,
}

impl<S: Scalar> AccelerationField<S> {
    /// B = α^ + ω ωᵀ − |ω|² 1.
    #[inline(always)]
    pub fn new(angular_velocity: Vec3<S>, angular_acceleration: Vec3<S>, origin: Vec3<S>) -> Self {
        let [x, y, z] = angular_velocity.0;
        let [ax, ay, az] = angular_acceleration.0;
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, xz, yz) = (x * y, x * z, y * z);
        let gradient = Mat3([
            [-(yy + zz), xy - az, xz + ay],
            [xy + az, -(xx + zz), yz - ax],
            [xz - ay, yz + ax, -(xx + yy)],
        ]);
        AccelerationField { gradient, origin }
    }

    /// The field of a unit-rate velocity: entries of the mass matrix are inner products of two such fields.
    #[inline(always)]
    pub fn of_column(column: &Column<S>) -> Self {
        AccelerationField { gradient: column.angular.skew(), origin: column.linear }
    }

    /// A body at rest: only gravity (in body axes, m/s²) is felt.
    #[inline(always)]
    pub fn at_rest(gravity: Vec3<S>) -> Self {
        AccelerationField { gradient: Mat3::zero(), origin: -gravity }
    }
}

/// What one segment does at an instant, in its own axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentMotion<S> {
    /// Angular velocity, rad/s.
    pub angular_velocity: Vec3<S>,
    /// Angular acceleration, rad/s².
    pub angular_acceleration: Vec3<S>,
    /// Acceleration field, with gravity subtracted from the origin's acceleration.
    pub field: AccelerationField<S>,
}

impl<S: Scalar> SegmentMotion<S> {
    /// A segment at rest without gravity.
    pub(crate) fn zero() -> Self {
        let field = AccelerationField { gradient: Mat3::zero(), origin: Vec3::zero() };
        SegmentMotion { angular_velocity: Vec3::zero(), angular_acceleration: Vec3::zero(), field }
    }
}

impl<S: Trigonometric> Tree<S> {
    /// Poses of all segments in their parents' frames at a configuration of the tree.
    #[inline(always)]
    pub fn poses_at(&self, q: &[S], poses: &mut Vec<Pose<S>>) {
        poses.clear();
        // A loop, as the closure of an iterator might not be inlined (see `LaneKernel`).
        for segment in &self.segments {
            poses.push(segment.pose_at(&q[segment.configuration..]));
        }
    }
}

impl<S: Scalar> Tree<S> {
    /// Poses of all segments in the base frame.
    pub fn world_poses(&self, poses: &[Pose<S>]) -> Vec<Pose<S>> {
        let mut world: Vec<Pose<S>> = Vec::with_capacity(poses.len());
        for (segment, pose) in self.segments.iter().zip(poses) {
            world.push(match segment.parent {
                Some(parent) => world[parent].then(pose),
                None => *pose,
            });
        }
        world
    }

    /// Velocity and acceleration of all segments, with gravity `gravity` (m/s², base axes) felt as an upward
    /// acceleration of the base.
    #[inline(always)]
    pub(crate) fn motions(
        &self,
        poses: &[Pose<S>],
        qd: &[S],
        qdd: &[S],
        gravity: Vec3<S>,
        motions: &mut [SegmentMotion<S>],
    ) {
        for (index, (segment, pose)) in self.segments.iter().zip(poses).enumerate() {
            // The carried frame: the parent's rotation, and the parent's acceleration at this segment's
            // origin.
            let (carried_velocity, carried_acceleration, carried_origin) = match segment.parent {
                Some(parent) => {
                    let m = &motions[parent];
                    (
                        pose.rotation.apply_transposed(m.angular_velocity),
                        pose.rotation.apply_transposed(m.angular_acceleration),
                        pose.rotation
                            .apply_transposed(m.field.origin + m.field.gradient.apply(pose.translation)),
                    )
                }
                None => (Vec3::zero(), Vec3::zero(), pose.rotation.apply_transposed(-gravity)),
            };
            // Relative to it, in own axes: u, w and their rates.
            let (mut u, mut w) = (Vec3::zero(), Vec3::zero());
            let (mut u_rate, mut w_rate) = (Vec3::zero(), Vec3::zero());
            for (k, column) in segment.columns.iter().enumerate() {
                let (rate, rate2) = (qd[segment.velocity + k], qdd[segment.velocity + k]);
                u = u.plus_scaled(rate, column.angular);
                w = w.plus_scaled(rate, column.linear);
                u_rate = u_rate.plus_scaled(rate2, column.angular);
                w_rate = w_rate.plus_scaled(rate2, column.linear);
            }
            let angular_velocity = carried_velocity + u;
            let angular_acceleration = carried_acceleration + u_rate + carried_velocity.cross(u);
            // Coriolis twice, and the turning of w with the segment itself.
            let origin = carried_origin + w_rate + (angular_velocity + carried_velocity).cross(w);
            motions[index] = SegmentMotion {
                angular_velocity,
                angular_acceleration,
                field: AccelerationField::new(angular_velocity, angular_acceleration, origin),
            };
        }
    }

    /// Jacobian lines (47): for each segment the unit-rate velocity fields of its ancestry, in its own axes,
    /// in the order of [`Tree::ancestry`].
    pub fn jacobian(&self, poses: &[Pose<S>]) -> Vec<Vec<Column<S>>> {
        let mut all: Vec<Vec<Column<S>>> = Vec::with_capacity(self.segments.len());
        for (segment, pose) in self.segments.iter().zip(poses) {
            let mut columns = match segment.parent {
                Some(parent) => all[parent].iter().map(|column| column.carried(pose)).collect(),
                None => Vec::new(),
            };
            columns.extend_from_slice(&segment.columns);
            all.push(columns);
        }
        all
    }
}

impl<S: Scalar> Column<S> {
    /// The same field seen by a child: in its axes, at its origin.
    #[inline(always)]
    pub fn carried(&self, child: &Pose<S>) -> Self {
        Column {
            angular: child.rotation.apply_transposed(self.angular),
            linear: child.rotation.apply_transposed(self.linear + self.angular.cross(child.translation)),
        }
    }

    /// The velocity field that is zero everywhere.
    #[inline(always)]
    pub fn zero() -> Self {
        Column { angular: Vec3::zero(), linear: Vec3::zero() }
    }

    /// `self + factor · other`.
    #[inline(always)]
    pub fn plus_scaled(&self, factor: S, other: &Self) -> Self {
        Column {
            angular: self.angular.plus_scaled(factor, other.angular),
            linear: self.linear.plus_scaled(factor, other.linear),
        }
    }

    /// The line in world axes about the world origin (Plücker coordinates of \[sun2025\] (14)), given the
    /// pose of the frame the field is expressed in.
    pub fn in_world(&self, pose: &Pose<S>) -> Self {
        let angular = pose.rotation.apply(self.angular);
        let linear = pose.rotation.apply(self.linear) + pose.translation.cross(angular);
        Column { angular, linear }
    }
}
