//! JNG, Algorithm 3 of \[sun2025\]: changes of inertia by symmetric products of points, and
//! those that shared points allow.

use super::model::Link;
use super::shared_points::{FramePoint, Point, TetrahedralPoints};
use super::{Equation, JointVector};
use crate::reason::Principle;

/// Change of a body's ten parameters `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz` when its
/// pseudo-inertia changes by P Qᵀ + Q Pᵀ, or by P Pᵀ if P = Q: the operator (97), with the tensor
/// I = tr(Σ) 1 − Σ in place of Σ.
#[inline(always)]
pub(super) fn product(first: Point, second: Point) -> [f64; 10] {
    let (p, v, q, w) = (first.vector, first.weight, second.vector, second.weight);
    let s = |a: usize, b: usize| p[a] * q[b] + p[b] * q[a];
    let h = |a: usize| p[a] * w + q[a] * v;
    let (xx, yy, zz) = (s(0, 0), s(1, 1), s(2, 2));
    [2.0 * v * w, h(0), h(1), h(2), yy + zz, -s(0, 1), xx + zz, -s(0, 2), -s(1, 2), xx + yy]
}

#[inline(always)]
pub(super) fn square(point: Point) -> [f64; 10] {
    product(point, point).map(|x| 0.5 * x)
}

/// The vectors of principle 1 for one joint: (60) for each shared point, (62) for each two.
pub(super) fn joint_nullspace(link: &Link, out: &mut Vec<JointVector>) {
    let shared = link.kind.shared_points();
    for (i, &first) in shared.iter().enumerate() {
        out.extend(shared[i..].iter().map(|&second| transfer(link, Principle::SharedPoints, first, second)));
    }
}

/// A product of two points of the joint's frame that moves from the parent to the child.
#[inline(always)]
pub(super) fn transfer(
    link: &Link,
    principle: Principle,
    first: FramePoint,
    second: FramePoint,
) -> JointVector {
    let seen_from = |frame: &TetrahedralPoints| match first == second {
        true => square(frame.point(first)),
        false => product(frame.point(first), frame.point(second)),
    };
    // Lines 7 and 9, 12 and 14 print the same sign for both; (60) and (62) are
    // differences of child and parent.
    let (principle, in_parent) = match link.parent {
        Some(_) => (principle, seen_from(&link.in_parent).map(|x| -x)),
        // What the base shares doesn't move.
        None => (Principle::FixedPoints, [0.0; 10]),
    };
    JointVector {
        principle,
        equation: Equation::Points(first, second),
        joint: link.joint,
        child: link.child,
        parent: link.parent,
        in_child: seen_from(&link.in_child),
        in_parent,
    }
}
