//! The planar view of a mechanism: four parameters per link, section 2.1 of \[iriarte2015\].
//!
//! Of the ten parameters of a body that moves in a plane with unit normal n, its motion shows the mass m, the
//! first moments along two axes u, v of the plane, mx = u·h and my = v·h, and the moment of inertia J = n·I n
//! about the normal through the origin.

use steiner_linalg::Vec3;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{
    JointKind, Label, LoopKind, PARAMETERS, Robot, evaluate_direction, inertial_body, inertial_count,
    inertial_slot,
};
use steiner_scalar::Exact;

use crate::error::IdentifiabilityError;
use crate::nullspace::NullVector;

/// The four parameters of a link, in this order.
const PLANAR_PARAMETERS: [&str; 4] = ["m", "mx", "my", "J"];

/// Sine of the angle by which an axis may miss the normal: the rounding of a file.
const ALIGNED: f64 = 1e-9;

/// In which plane a mechanism moves, and which axes of it each link calls x and y.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanarView {
    /// Names of the links, in the robot's order.
    pub links: Vec<String>,
    /// Unit normal of the plane in the base frame.
    pub normal: [f64; 3],
    /// The normal in each link's frame.
    normals: Vec<Vec3<f64>>,
    /// For each link the two axes of the plane, in its frame: with the normal they are right-handed. Axes of
    /// the frame itself (x, y for a normal along z; y, z along x; z, x along y) where the normal is one.
    pub(crate) axes: Vec<[Vec3<f64>; 2]>,
    /// The same for the base.
    pub(crate) base_axes: [Vec3<f64>; 2],
}

impl PlanarView {
    /// Finds the plane from the axes of the joints; the error names the first joint that leaves it.
    pub fn new(robot: &Robot) -> Result<Self, IdentifiabilityError> {
        let leaves = |joint: &str, reason: &str| IdentifiabilityError::LeavesPlane {
            robot: robot.name.clone(),
            joint: joint.to_owned(),
            reason: reason.to_owned(),
        };
        let normal = normal_of(robot);
        let mut normals: Vec<Vec3<f64>> = Vec::with_capacity(robot.bodies.len());
        for body in &robot.bodies {
            let joint = &body.joint;
            let before = body.parent.map_or(normal, |parent| normals[parent.0]);
            let at_joint = joint.placement.pose().rotation.apply_transposed(before);
            let axis = direction(&joint.axis);
            match &joint.kind {
                JointKind::Revolute | JointKind::Continuous | JointKind::Planar => {
                    if !is_parallel(axis, at_joint) {
                        return Err(leaves(&joint.name, "turns about an axis that is not normal to it"));
                    }
                }
                JointKind::Prismatic => {
                    if !is_normal(axis, at_joint) {
                        return Err(leaves(&joint.name, "slides along a direction that is not in it"));
                    }
                }
                other => return Err(leaves(&joint.name, &format!("is {}", other.name()))),
            }
            normals.push(tidied(joint.body_frame.pose().rotation.apply_transposed(at_joint)));
        }
        for closure in &robot.loops {
            let side = &closure.predecessor;
            let there = side.body.map_or(normal, |body| normals[body.0]);
            let there = side.frame.pose().rotation.apply_transposed(there);
            let axis = direction(&closure.axis);
            let fits = match closure.kind {
                LoopKind::Spherical => true,
                LoopKind::Revolute | LoopKind::Planar => is_parallel(axis, there),
                LoopKind::Prismatic => is_normal(axis, there),
                LoopKind::Cylindrical => is_parallel(axis, there) || is_normal(axis, there),
                LoopKind::Universal { .. } | LoopKind::Fixed => {
                    return Err(leaves(&closure.name, &format!("is {}", closure.kind.name())));
                }
            };
            if !fits {
                return Err(leaves(&closure.name, "has an axis that is neither normal to it nor in it"));
            }
        }
        Ok(PlanarView {
            links: robot.bodies.iter().map(|body| body.name.clone()).collect(),
            normal: normal.0,
            axes: normals.iter().map(|n| axes_of_plane(*n)).collect(),
            base_axes: axes_of_plane(normal),
            normals,
        })
    }

    /// Labels of the 4 N parameters: `link.m`, `link.mx`, `link.my`, `link.J` for each link.
    pub fn labels(&self) -> Vec<String> {
        self.names().iter().map(Label::to_string).collect()
    }

    /// The same, apart: link and parameter.
    pub fn names(&self) -> Vec<Label> {
        let of_link =
            |link: &String| PLANAR_PARAMETERS.map(|parameter| Label { owner: link.clone(), parameter });
        self.links.iter().flat_map(of_link).collect()
    }

    /// The planar parameters of the ten of each body: 4 N by 10 N.
    pub fn projection(&self) -> Matrix<f64> {
        let mut out = Matrix::zeros(4 * self.links.len(), inertial_count(self.links.len()));
        for (body, (n, [u, v])) in self.normals.iter().zip(&self.axes).enumerate() {
            let (row, column) = (4 * body, inertial_count(body));
            out[(row, column)] = 1.0;
            for k in 0..3 {
                out[(row + 1, column + 1 + k)] = u[k];
                out[(row + 2, column + 1 + k)] = v[k];
            }
            for (k, &(i, j)) in TENSOR.iter().enumerate() {
                out[(row + 3, column + 4 + k)] = n[i] * n[j] * if i == j { 1.0 } else { 2.0 };
            }
        }
        out
    }

    /// A body with given planar parameters: 10 N by 4 N. What the plane does not show is zero;
    /// [`PlanarView::projection`] undoes it.
    pub fn embedding(&self) -> Matrix<f64> {
        let mut out = Matrix::zeros(inertial_count(self.links.len()), 4 * self.links.len());
        for (body, (n, [u, v])) in self.normals.iter().zip(&self.axes).enumerate() {
            let (row, column) = (inertial_count(body), 4 * body);
            out[(row, column)] = 1.0;
            for k in 0..3 {
                out[(row + 1 + k, column + 1)] = u[k];
                out[(row + 1 + k, column + 2)] = v[k];
            }
            for (k, &(i, j)) in TENSOR.iter().enumerate() {
                out[(row + 4 + k, column + 3)] = n[i] * n[j];
            }
        }
        out
    }

    /// The one of the ten parameters of its link that a planar parameter is: `a.J` is `a.Izz` in the plane of
    /// x and y. `None` for a label that is unknown, or whose link's frame has no two axes in the plane.
    pub fn in_space(&self, label: &str) -> Option<String> {
        let column = self.labels().iter().position(|known| known == label)?;
        let embedding = self.embedding();
        let rows: Vec<usize> = (0..embedding.rows()).filter(|&r| embedding[(r, column)] != 0.0).collect();
        match rows[..] {
            [row] if embedding[(row, column)] == 1.0 => {
                Some(format!("{}.{}", self.links[inertial_body(row)], PARAMETERS[inertial_slot(row)]))
            }
            _ => None,
        }
    }

    /// For each link the directions in its frame that mx and my lie along.
    pub fn axes(&self) -> &[[Vec3<f64>; 2]] {
        &self.axes
    }

    /// Null vectors of the ten parameters seen in the plane: rows of 4 N numbers, those
    /// left out of which nothing is seen.
    ///
    /// They span the planar nullspace, as the regressor of a planar motion is one of planar
    /// parameters times the projection.
    pub fn projected(&self, vectors: &[NullVector]) -> Vec<Vec<f64>> {
        let projection = self.projection();
        let row = |vector: &NullVector| {
            let mut full = vec![0.0; projection.columns()];
            vector.entries.iter().for_each(|&(c, x)| full[c] = x);
            (full.iter().fold(0.0f64, |most, x| most.max(x.abs())), projection.apply(&full))
        };
        let is_seen = |(size, v): &(f64, Vec<f64>)| v.iter().any(|x| x.abs() > ALIGNED * size);
        vectors.iter().map(row).filter(is_seen).map(|(_, v)| v).collect()
    }
}

/// Rows and columns of the tensor's entries in the order of `steiner_robot::PARAMETERS`.
const TENSOR: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];

fn direction(axis: &[Exact; 3]) -> Vec3<f64> {
    // Readers refuse axes without a direction.
    evaluate_direction(axis).map_or(Vec3::unit(2), |evaluated| evaluated.value)
}

fn is_parallel(a: Vec3<f64>, b: Vec3<f64>) -> bool {
    let cross = a.cross(b);
    cross.dot(cross) < ALIGNED * ALIGNED
}

fn is_normal(a: Vec3<f64>, b: Vec3<f64>) -> bool {
    a.dot(b).abs() < ALIGNED
}

/// The normal in the base frame: the axis of the first joint that turns; where all slide, what is normal to
/// two slides, to a slide and gravity, or to the slide alone. Its largest coordinate is positive.
fn normal_of(robot: &Robot) -> Vec3<f64> {
    let mut rotations = Vec::with_capacity(robot.bodies.len());
    let mut slides: Vec<Vec3<f64>> = Vec::new();
    let mut found = None;
    for body in &robot.bodies {
        let joint = &body.joint;
        let placed = joint.placement.pose().rotation;
        let at_joint = body.parent.map_or(placed, |parent| rotations[parent.0] * placed);
        rotations.push(at_joint * joint.body_frame.pose().rotation);
        let axis = at_joint.apply(direction(&joint.axis));
        match joint.kind {
            JointKind::Prismatic => slides.push(axis),
            JointKind::Revolute | JointKind::Continuous | JointKind::Planar => {
                found = Some(axis);
                break;
            }
            _ => {}
        }
    }
    let across = || {
        let first = *slides.first()?;
        let gravity = Vec3(robot.gravity_vector());
        let others = slides[1..].iter().copied().chain([gravity]).chain((0..3).map(Vec3::unit));
        let normal = |other: Vec3<f64>| first.cross(other);
        let clear = |n: &Vec3<f64>| n.dot(*n) > 1e-6;
        others.map(normal).find(clear).map(|n| n.scale(1.0 / n.dot(n).sqrt()))
    };
    let n = tidied(found.or_else(across).unwrap_or(Vec3::unit(2)));
    let largest = (0..3).fold(0, |best, k| if n[k].abs() > n[best].abs() + 1e-12 { k } else { best });
    if n[largest] < 0.0 { -n } else { n }
}

/// A unit vector along an axis is that axis.
fn tidied(n: Vec3<f64>) -> Vec3<f64> {
    match (0..3).find(|&k| is_parallel(n, Vec3::unit(k))) {
        Some(k) => Vec3::unit(k).scale(n[k].signum()),
        None => n,
    }
}

fn axes_of_plane(normal: Vec3<f64>) -> [Vec3<f64>; 2] {
    let normal = tidied(normal);
    for k in 0..3 {
        let (next, last) = (Vec3::unit((k + 1) % 3), Vec3::unit((k + 2) % 3));
        match normal[k] {
            1.0 => return [next, last],
            -1.0 => return [last, next],
            _ => {}
        }
    }
    let least = (0..3).fold(0, |best, k| if normal[k].abs() < normal[best].abs() { k } else { best });
    let along = Vec3::unit(least).plus_scaled(-normal[least], normal);
    let u = along.scale(1.0 / along.dot(along).sqrt());
    [u, normal.cross(u)]
}
