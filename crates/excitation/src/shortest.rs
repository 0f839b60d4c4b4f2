//! The shortest line between two shapes: capsules, obstacles, hulls.

use steiner_linalg::Vec3;

use crate::clearance::{Obstacle, size};

/// The shortest line between two shapes.
pub(crate) struct Shortest {
    /// Negative where radii overlap.
    pub(crate) distance: f64,
    /// From the second shape to the first, world axes.
    pub(crate) normal: Vec3<f64>,
    /// On the axis of the first capsule, and of the second if there is one; world.
    pub(crate) points: [Vec3<f64>; 2],
}

/// A capsule in the world.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    pub(crate) from: Vec3<f64>,
    pub(crate) to: Vec3<f64>,
    pub(crate) radius: f64,
}

/// A ball around a capsule: balls that are far apart are found fast.
pub(crate) struct Ball {
    centre: Vec3<f64>,
    radius: f64,
}

impl Ball {
    pub(crate) fn around(capsule: &Segment) -> Self {
        let half = (capsule.to - capsule.from).scale(0.5);
        Ball { centre: capsule.from + half, radius: size(half) + capsule.radius }
    }

    pub(crate) fn gap(&self, other: &Ball) -> f64 {
        size(self.centre - other.centre) - self.radius - other.radius
    }

    pub(crate) fn gap_to(&self, obstacle: &Obstacle) -> f64 {
        let centre = self.centre;
        let from_centre = match obstacle {
            Obstacle::Plane { normal, offset } => Vec3(*normal).dot(centre) - offset,
            Obstacle::Box { from, to } => {
                size(Vec3(std::array::from_fn(|k| centre[k] - centre[k].clamp(from[k], to[k]))))
            }
        };
        from_centre - self.radius
    }
}

pub(crate) fn between_segments(a: &Segment, b: &Segment) -> Shortest {
    let (u, v, w) = (a.to - a.from, b.to - b.from, a.from - b.from);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let det = uu * vv - uv * uv;
    let mut s = if det > 1e-12 * uu * vv { ((uv * vw - vv * uw) / det).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = if vv > 0.0 { (uv * s + vw) / vv } else { 0.0 };
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if uu > 0.0 { ((uv * t - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    }
    let points = [a.from.plus_scaled(s, u), b.from.plus_scaled(t, v)];
    let gap = points[0] - points[1];
    let length = gap.dot(gap).sqrt();
    let normal = if length > 0.0 { gap.scale(1.0 / length) } else { Vec3::unit(2) };
    Shortest { distance: length - a.radius - b.radius, normal, points }
}

pub(crate) fn to_obstacle(segment: &Segment, obstacle: &Obstacle) -> Shortest {
    match obstacle {
        Obstacle::Plane { normal, offset } => {
            let normal = Vec3(*normal);
            let height = |p: Vec3<f64>| normal.dot(p) - offset;
            let (a, b) = (height(segment.from), height(segment.to));
            let (lowest, point) = if a < b { (a, segment.from) } else { (b, segment.to) };
            Shortest { distance: lowest - segment.radius, normal, points: [point, point] }
        }
        Obstacle::Box { from, to } => {
            let outside = |p: Vec3<f64>| -> Vec3<f64> {
                Vec3(std::array::from_fn(|k| p[k] - p[k].clamp(from[k], to[k])))
            };
            let along = segment.to - segment.from;
            let at = |s: f64| segment.from.plus_scaled(s, along);
            // The squared distance is convex along a segment, and its slope linear between the places where
            // the segment crosses the planes of the faces.
            let slope = |s: f64| outside(at(s)).dot(along);
            let mut places = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            for k in 0..3 {
                for (face, plane) in [from[k], to[k]].into_iter().enumerate() {
                    let s = (plane - segment.from[k]) / along[k];
                    places[2 + 2 * k + face] = if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.0 };
                }
            }
            places.sort_by(f64::total_cmp);
            let mut best = 1.0;
            let mut before = (0.0, slope(0.0));
            if before.1 >= 0.0 {
                best = 0.0;
            } else {
                for place in places {
                    let here = (place, slope(place));
                    if here.1 >= 0.0 {
                        best = before.0 + (here.0 - before.0) * before.1 / (before.1 - here.1);
                        break;
                    }
                    before = here;
                }
            }
            let point = at(best);
            let gap = outside(point);
            let length = gap.dot(gap).sqrt();
            let normal = if length > 0.0 { gap.scale(1.0 / length) } else { Vec3::unit(2) };
            Shortest { distance: length - segment.radius, normal, points: [point, point] }
        }
    }
}
