//! The symbol of each kind of joint, drawn in space so that its axis can be seen.

use steiner_linalg::Vec3;

use crate::skeleton::{JointMark, Point, Shape, unit};
use crate::svg::{Drawing, Px};
use crate::view::{Camera, hull};

/// Draws a joint; `r` is the size of its symbol, px. Joints at one point are nested: the more are before it,
/// the longer and thinner a joint is.
pub(crate) fn joint_glyph(drawing: &mut Drawing, camera: &Camera, joint: &JointMark, r: f64, nesting: usize) {
    let nesting = nesting.min(4) as f64;
    let (long, slim) = (1.0 + 0.75 * nesting, 0.74f64.powf(nesting));
    let centre = camera.at(joint.centre);
    let axis = joint.axes.first().copied();
    match (joint.shape, axis) {
        (Shape::Revolute, Some(axis)) => {
            cylinder(drawing, camera, joint.centre, axis, 1.15 * r * long, 0.7 * r * slim);
        }
        (Shape::Helical, Some(axis)) => {
            cylinder(drawing, camera, joint.centre, axis, 1.35 * r, 0.7 * r);
            thread(drawing, camera, joint.centre, axis, r);
        }
        (Shape::Cylindrical, Some(axis)) => {
            rod(drawing, camera, joint.centre, axis, 2.2 * r);
            cylinder(drawing, camera, joint.centre, axis, 1.3 * r, 0.55 * r);
        }
        (Shape::Prismatic, Some(axis)) => {
            rod(drawing, camera, joint.centre, axis, 2.2 * r * long);
            slab(drawing, camera, joint.centre, axis, [1.3 * r * long, 0.65 * r * slim]);
        }
        (Shape::Planar, Some(axis)) => slab(drawing, camera, joint.centre, axis, [0.25 * r, 1.5 * r]),
        (Shape::Universal, _) => {
            drawing.circle("glyph", centre, 0.55 * r);
            for &axis in &joint.axes {
                cylinder(drawing, camera, joint.centre, axis, 1.35 * r, 0.32 * r);
            }
        }
        (Shape::Floating, _) => drawing.circle("free", centre, 1.7 * r),
        (Shape::Welded, _) => {
            let (x, y) = centre;
            drawing.line("edge", (x - 0.8 * r, y - 0.8 * r), (x + 0.8 * r, y + 0.8 * r));
            drawing.line("edge", (x - 0.8 * r, y + 0.8 * r), (x + 0.8 * r, y - 0.8 * r));
        }
        (Shape::Spherical, _) | (_, None) => {
            drawing.circle("glyph", centre, 0.95 * r);
            drawing.circle("dot", centre, 0.38 * r);
        }
    }
}

/// Two directions normal to one.
fn normals(axis: Point) -> [Point; 2] {
    let helper = if axis[2].abs() < 0.9 { Vec3::unit(2) } else { Vec3::unit(0) };
    let u = unit(helper.cross(axis)).unwrap_or(Vec3::unit(0));
    [u, axis.cross(u)]
}

/// A circle about an axis, as points on the paper.
fn ring(camera: &Camera, centre: Point, axis: Point, radius: f64) -> Vec<Px> {
    let [u, w] = normals(axis);
    let at = |k: i32| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 20.0).sin_cos();
        camera.at(centre + u.scale(radius * cos) + w.scale(radius * sin))
    };
    (0..20).map(at).collect()
}

/// Half length and radius in px.
fn cylinder(drawing: &mut Drawing, camera: &Camera, centre: Point, axis: Point, half: f64, radius: f64) {
    let (half, radius) = (half / camera.scale, radius / camera.scale);
    let ends = [centre.plus_scaled(half, axis), centre.plus_scaled(-half, axis)];
    let near = if camera.depth(ends[0]) >= camera.depth(ends[1]) { 0 } else { 1 };
    let rings = ends.map(|end| ring(camera, end, axis, radius));
    drawing.polygon("glyph", &hull(&[&rings[0][..], &rings[1][..]].concat()));
    drawing.polygon("cap", &rings[near]);
}

/// A box: half sizes along and across the axis, px.
fn slab(drawing: &mut Drawing, camera: &Camera, centre: Point, axis: Point, [along, across]: [f64; 2]) {
    let [u, w] = normals(axis);
    let edges =
        [axis.scale(along), u.scale(across), w.scale(across)].map(|edge| edge.scale(1.0 / camera.scale));
    for k in 0..3 {
        // The face of each pair that looks at the eye.
        let sign = if camera.depth(edges[k]) >= 0.0 { 1.0 } else { -1.0 };
        let middle = centre.plus_scaled(sign, edges[k]);
        let (a, b) = (edges[(k + 1) % 3], edges[(k + 2) % 3]);
        let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
        let face = corners.map(|(s, t)| camera.at(middle.plus_scaled(s, a).plus_scaled(t, b)));
        drawing.polygon(if k == 0 { "cap" } else { "glyph" }, &face);
    }
}

/// The guide that something slides along.
fn rod(drawing: &mut Drawing, camera: &Camera, centre: Point, axis: Point, half: f64) {
    let half = half / camera.scale;
    let ends = [half, -half].map(|t| camera.at(centre.plus_scaled(t, axis)));
    drawing.line("edge", ends[0], ends[1]);
}

fn thread(drawing: &mut Drawing, camera: &Camera, centre: Point, axis: Point, r: f64) {
    let [u, _] = normals(axis);
    for k in [-1.0, 0.0, 1.0] {
        let middle = centre.plus_scaled(0.8 * k * r / camera.scale, axis);
        let slant = u.scale(0.7 * r / camera.scale) + axis.scale(0.3 * r / camera.scale);
        drawing.line("edge", camera.at(middle + slant), camera.at(middle - slant));
    }
}
