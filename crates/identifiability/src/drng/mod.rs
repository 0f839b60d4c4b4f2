//! DRNG, Algorithm 4 of \[sun2025\]: the nullspace of the regressor from the
//! geometry of the joints alone, in O(N).
//!
//! Three principles, each applied joint by joint: what two bodies share may move between them (60)–(62), what
//! is fixed to the base never shows (72)–(74), and a body that turns about one direction hides part of its
//! inertia (83)–(90). No regressor is formed and no rank is taken, so the answer costs microseconds. It is
//! not always complete: rotations that loops remove, motions along gravity behind other joints and geared
//! rotors have more to hide. What is claimed is true.
//!
//! As published, with its misprints repaired where the equations contradict them;
//! each repair is noted at its line.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | O, x, y, z | `FramePoint` | tetrahedral points of a joint's frame |
//! | c^p, c^c | `in_parent`, `in_child` | their coordinates in both bodies |
//! | is_pr, d_pr | `planar` | the direction of a planar rotation, if there is one |
//! | G | `gravity` | gravitational acceleration |
//!
//! # What this does not do
//! Geometry is evaluated in doubles: directions within 1e-12 rad count as parallel. Everything else that the
//! certified [`structural_nullspace`](crate::structural_nullspace) finds is left to it.

mod explained;
mod independence;
mod joint_geometry;
mod joint_nullspace;
mod model;
mod planar_rotations;
mod shared_points;

use independence::Independence;
use joint_geometry::parallel;
use joint_nullspace::{joint_nullspace, product, square, transfer};
use model::Link;
use shared_points::FramePoint::{self, O, X, Y, Z};
use shared_points::{JointType, direction};
use steiner_linalg::Vec3;

use crate::reason::Principle;

pub use explained::drng_nullspace;
pub use model::TetrahedralModel;

/// Which equation a vector is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Equation {
    /// A product of two points of the joint's frame: (60), (62), (72)–(74), (83b)–(83d), (89), (90).
    Points(FramePoint, FramePoint),
    /// The difference of the squares of x and y: (83a).
    Squares,
    /// A product of the direction of a planar rotation with O: (84).
    Shift,
}

/// A null vector of DRNG: a change of the ten parameters `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz` (kg,
/// kg·m, kg·m²; about each body-frame origin, in body axes) of one body, or of two that a joint connects.
#[derive(Clone, Copy, Debug)]
pub struct JointVector {
    /// Why it is invisible.
    pub principle: Principle,
    equation: Equation,
    /// The joint: a body's index, or N + l for loop l.
    pub joint: usize,
    /// The body that the joint carries.
    pub child: usize,
    /// The other body; `None` where the base or nobody takes part.
    pub parent: Option<usize>,
    /// Change of the child's parameters.
    pub in_child: [f64; 10],
    /// Change of the parent's.
    pub in_parent: [f64; 10],
}

/// The null vectors that the three principles give: linearly independent, tree joints first.
///
/// For a tree their independence is no computation. The vectors of one joint differ in the child's ten
/// parameters by independent products, and the child of a joint is nobody's child elsewhere; so the leaves'
/// coefficients in a vanishing combination are zero, then their parents', down to the base. Vectors of loop
/// joints are kept if the tree's and the earlier ones don't contain them already: this costs as much as the
/// loop's way to the base is long.
pub fn drng(model: &TetrahedralModel) -> Vec<JointVector> {
    let mut vectors = Vec::with_capacity(8 * model.tree.len() + 6 * model.loops.len());
    for link in &model.tree {
        // Lines 25 and 42 append j_null also where nothing new was assigned to it, and so the vectors of
        // principle 1 again; here each branch appends its own.
        joint_nullspace(link, &mut vectors);
        if link.parent.is_none() {
            fixed_points(link, model.gravity, &mut vectors);
        }
        if let Some(d) = link.planar {
            planar_rotations(link, d, &mut vectors);
        }
    }
    if !model.loops.is_empty() {
        let mut known = Independence::of_tree(model, &vectors);
        let mut proposed = Vec::new();
        // Lines 47 to 50 print the index i of the finished loop over bodies: loop l has M_l0(l), t_l(l),
        // λ_l(l), σ_l(l), and its vectors stand behind those of the n bodies.
        for link in &model.loops {
            joint_nullspace(link, &mut proposed);
        }
        vectors.extend(proposed.into_iter().filter(|vector| known.insert(vector)));
    }
    vectors
}

/// Principle 2: what a joint fixes to the base, lines 10 to 26.
fn fixed_points(link: &Link, gravity: Vec3<f64>, out: &mut Vec<JointVector>) {
    let along_gravity = || parallel(link.in_parent.z(), gravity);
    let pairs: &[(FramePoint, FramePoint)] = match link.kind {
        // (72). Line 13 prints G ≠ 0, but then gravity accelerates O and (65)
        // breaks: it holds for G = 0 only.
        JointType::Spherical if gravity == Vec3::zero() => &[(O, X), (O, Y), (O, Z)],
        // (73)
        JointType::Prismatic | JointType::Translating => &[(O, X), (O, Y), (O, Z)],
        // (74), of which gravity across the axis leaves (74c) and (74d).
        JointType::Revolute if along_gravity() => &[(Z, X), (Z, Y), (O, X), (O, Y)],
        JointType::Revolute => &[(Z, X), (Z, Y)],
        // Likewise. The body slides too, but P̈ lies at infinity like the slide, so that (66) holds for z and
        // any P; and a slide along the axis leaves Ö on it.
        JointType::Screw if along_gravity() => &[(Z, X), (Z, Y), (O, Z), (O, X), (O, Y)],
        JointType::Screw | JointType::Turning => &[(Z, X), (Z, Y), (O, Z)],
        JointType::Spherical | JointType::Floating | JointType::Fixed => &[],
    };
    out.extend(pairs.iter().map(|&(first, second)| alone(link, Principle::FixedPoints, first, second)));
}

/// Principle 3: what a body that turns about d only (never, if d = 0) hides, lines 27 to 43.
fn planar_rotations(link: &Link, d: Vec3<f64>, out: &mut Vec<JointVector>) {
    let principle = Principle::PlanarRotation;
    let (at_base, frame) = (link.parent.is_none(), &link.in_child);
    match link.kind {
        JointType::Revolute | JointType::Screw | JointType::Turning => {
            let (xx, yy) = (square(frame.point(X)), square(frame.point(Y)));
            out.push(own(link, principle, Equation::Squares, std::array::from_fn(|k| xx[k] - yy[k]))); // (83a)
            out.push(alone(link, principle, X, Y)); // (83b)
            if !at_base {
                out.push(alone(link, principle, Z, X)); // (83c)
                out.push(alone(link, principle, Z, Y)); // (83d)
            }
            // A revolute joint shares O and z, a helical, cylindrical or planar one z
            // alone: (81) and (82) with P = O.
            if !at_base && link.kind != JointType::Revolute {
                out.push(alone(link, principle, O, Z));
            }
        }
        JointType::Prismatic | JointType::Translating if !at_base => {
            // Before the first rotation d is zero and (84) says nothing.
            if d != Vec3::zero() {
                let values = product(direction(d), frame.point(O));
                out.push(own(link, principle, Equation::Shift, values)); // (84)
            }
            if link.kind == JointType::Prismatic && parallel(d, frame.z()) {
                out.push(transfer(link, principle, O, X)); // (89)
                out.push(transfer(link, principle, O, Y)); // (90)
            }
        }
        _ => {}
    }
}

/// A product of two points in the child alone.
#[inline(always)]
fn alone(link: &Link, principle: Principle, first: FramePoint, second: FramePoint) -> JointVector {
    let values = product(link.in_child.point(first), link.in_child.point(second));
    own(link, principle, Equation::Points(first, second), values)
}

#[inline(always)]
fn own(link: &Link, principle: Principle, equation: Equation, in_child: [f64; 10]) -> JointVector {
    let (joint, child) = (link.joint, link.child);
    JointVector { principle, equation, joint, child, parent: None, in_child, in_parent: [0.0; 10] }
}
