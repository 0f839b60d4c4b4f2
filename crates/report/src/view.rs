//! Parallel projection of space onto paper.

use steiner_linalg::Vec3;

use crate::skeleton::{Point, unit};
use crate::svg::Px;

/// The directions of a picture, orthonormal, in base axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) right: Point,
    pub(crate) up: Point,
    /// Towards the eye.
    pub(crate) toward: Point,
}

/// A view with a scale and a place on the paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) view: View,
    /// px per metre.
    pub(crate) scale: f64,
    centre: (f64, f64),
    middle: Px,
}

/// A picture of an oblique view, and the three plain ones: front, side and top. Up is against gravity.
pub(crate) fn views(gravity: Point) -> [(&'static str, View); 4] {
    let up = unit(-gravity).unwrap_or(Vec3::unit(2));
    let across = if up[0].abs() < 0.9 { Vec3::unit(0) } else { Vec3::unit(1) };
    let x = unit(across.plus_scaled(-across.dot(up), up)).unwrap_or(Vec3::unit(1));
    let y = up.cross(x);
    let (azimuth, elevation) = (-56f64.to_radians(), 24f64.to_radians());
    let level = x.scale(azimuth.cos()) + y.scale(azimuth.sin());
    let toward = level.scale(elevation.cos()) + up.scale(elevation.sin());
    let right = up.cross(level);
    let (along_y, along_x) = (View { right: x, up, toward: -y }, View { right: y, up, toward: x });
    // Robots on the ground face x (REP 103); planar mechanisms hang in the plane of x and gravity.
    let (front, side) = if up[2].abs() > 0.9 { (along_x, along_y) } else { (along_y, along_x) };
    [
        ("oblique", View { right, up: toward.cross(right), toward }),
        ("front", front),
        ("side", side),
        ("top", View { right: x, up: y, toward: up }),
    ]
}

impl View {
    fn flat(&self, p: Point) -> (f64, f64) {
        (self.right.dot(p), self.up.dot(p))
    }

    /// (left, right, bottom, top) of points, m; zero where there are none.
    fn bounds(&self, points: &[Point]) -> [f64; 4] {
        let start = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        let grown = points
            .iter()
            .map(|&p| self.flat(p))
            .fold(start, |[l, r, b, t], (x, y)| [l.min(x), r.max(x), b.min(y), t.max(y)]);
        grown.map(|x| if x.is_finite() { x } else { 0.0 })
    }

    /// Width and height of what points take, m.
    pub(crate) fn extent(&self, points: &[Point]) -> (f64, f64) {
        let [left, right, bottom, top] = self.bounds(points);
        (right - left, top - bottom)
    }

    /// A camera that shows all points on a sheet with a margin. A mechanism without
    /// extent is shown one metre wide.
    pub(crate) fn camera(self, points: &[Point], (width, height): (f64, f64), margin: f64) -> Camera {
        let [left, right, bottom, top] = self.bounds(points);
        let room = (width - 2.0 * margin, height - 2.0 * margin);
        let needed = f64::max((right - left) / room.0, (top - bottom) / room.1);
        let scale = if needed > 1e-12 { 1.0 / needed } else { room.1.min(room.0) };
        let centre = ((left + right) / 2.0, (bottom + top) / 2.0);
        Camera { view: self, scale, centre, middle: (width / 2.0, height / 2.0) }
    }
}

impl Camera {
    /// The same picture further to the right, px.
    pub(crate) fn shifted(mut self, distance: f64) -> Camera {
        self.middle.0 += distance;
        self
    }

    /// Where a point is on the paper.
    pub(crate) fn at(&self, p: Point) -> Px {
        let (x, y) = self.view.flat(p);
        (self.middle.0 + self.scale * (x - self.centre.0), self.middle.1 - self.scale * (y - self.centre.1))
    }

    /// A direction on the paper, foreshortened.
    pub(crate) fn along(&self, v: Point) -> Px {
        let (x, y) = self.view.flat(v);
        (x, -y)
    }

    /// Nearness to the eye, m.
    pub(crate) fn depth(&self, p: Point) -> f64 {
        self.view.toward.dot(p)
    }
}

/// The convex hull of points on the paper, counter-clockwise.
pub(crate) fn hull(points: &[Px]) -> Vec<Px> {
    let mut sorted: Vec<Px> = points.iter().copied().filter(|p| p.0.is_finite() && p.1.is_finite()).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let turn = |a: Px, b: Px, c: Px| (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
    let half = |points: &mut dyn Iterator<Item = Px>| {
        let mut chain: Vec<Px> = Vec::new();
        for p in points {
            while chain.len() > 1 && turn(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0 {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut sorted.iter().copied());
    lower.extend(half(&mut sorted.iter().rev().copied()));
    lower
}

#[cfg(test)]
mod tests {
    use super::{hull, views};
    use steiner_linalg::Vec3;

    #[test]
    fn views_are_right_handed_for_any_gravity() {
        for gravity in [[0.0, 0.0, -9.81], [0.0, -9.81, 0.0], [9.81, 0.0, 0.0], [0.0; 3], [1.0, 2.0, -3.0]] {
            for (name, view) in views(Vec3(gravity)) {
                let error = view.right.cross(view.up) - view.toward;
                assert!(error.dot(error) < 1e-24, "{name} {gravity:?}");
            }
        }
    }

    #[test]
    fn nothing_at_all_still_has_a_scale() {
        let camera = views(Vec3([0.0; 3]))[0].1.camera(&[], (100.0, 100.0), 10.0);
        assert!(camera.scale > 0.0 && camera.at(Vec3([0.0; 3])) == (50.0, 50.0));
    }

    #[test]
    fn a_hull_has_no_inner_points() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5)];
        assert_eq!(hull(&square).len(), 4);
        assert_eq!(hull(&[(1.0, 1.0), (1.0, 1.0)]).len(), 1);
    }
}
