//! Newton and Euler in the frames of the links, linear in the ten parameters.
//!
//! Khalil's customised form, \[khalil1987\]: only angular velocities, accelerations and the acceleration
//! field A = \[B | a\] travel outward; force and moment about the link's origin are
//!
//! f = m a + B h,  n = h × a + Σ I_jk (the forms of the regressor).
//!
//! Fewer operations than with spatial vectors, the more so where parameters are zero because others carry
//! their effect: the form that code is generated from.

use steiner_linalg::Vec3;
use steiner_robot::Pose;
use steiner_scalar::Scalar;

use crate::kinematics::SegmentMotion;
use crate::recursion::Wrench;
use crate::tree::Tree;

/// Generalised forces of the *tree* coordinates (N·m or N each), from ten parameters for each body in the
/// order `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz`.
pub fn link_frame_inverse_dynamics<S: Scalar>(
    tree: &Tree<S>,
    parameters: &[[S; 10]],
    poses: &[Pose<S>],
    qd: &[S],
    qdd: &[S],
) -> Vec<S> {
    let mut motions = vec![SegmentMotion::zero(); tree.segments.len()];
    tree.motions(poses, qd, qdd, tree.gravity, &mut motions);
    let mut wrenches: Vec<Wrench<S>> = tree
        .segments
        .iter()
        .zip(&motions)
        .map(|(segment, motion)| {
            segment.body.map_or_else(Wrench::zero, |body| inertial(motion, &parameters[body]))
        })
        .collect();
    let mut tau = vec![S::zero(); tree.dof];
    for (index, segment) in tree.segments.iter().enumerate().rev() {
        let carried = wrenches[index];
        for (k, column) in segment.columns.iter().enumerate() {
            tau[segment.velocity + k] = carried.power(column);
        }
        if let Some(parent) = segment.parent {
            wrenches[parent].absorb(&carried, &poses[index]);
        }
    }
    tau
}

/// The wrench that gives a body its motion.
fn inertial<S: Scalar>(motion: &SegmentMotion<S>, parameters: &[S; 10]) -> Wrench<S> {
    let [m, hx, hy, hz, xx, xy, yy, xz, yz, zz] = *parameters;
    let (h, a, b) = (Vec3([hx, hy, hz]), motion.field.origin, &motion.field.gradient);
    let [wx, wy, wz] = motion.angular_velocity.0;
    let [ax, ay, az] = motion.angular_acceleration.0;
    let [[bxx, bxy, bxz], [byx, byy, byz], [bzx, bzy, bzz]] = b.0;
    let turning = Vec3([
        xx * ax + (zz - yy) * (wy * wz) - xy * bzx + xz * byx + yz * (byy - bzz),
        yy * ay + (xx - zz) * (wx * wz) + xy * bzy - yz * bxy + xz * (bzz - bxx),
        zz * az + (yy - xx) * (wx * wy) - xz * byz + yz * bxz + xy * (bxx - byy),
    ]);
    Wrench { force: a.scale(m) + b.apply(h), moment: turning + h.cross(a) }
}
