//! An inertia as a solid: the ellipsoid of uniform density with the same mass, centre and second moments.
//!
//! A solid ellipsoid with semi-axes a has the second moments m a²/5 along its axes, so its shape is E = 5
//! Σ/m with the second moments Σ about the centre, and its shadow on a plane spanned by P is the ellipse of
//! P E Pᵀ.

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Pose, PseudoInertia};

use crate::skeleton::Point;
use crate::svg::{Drawing, px};
use crate::view::Camera;

/// An ellipsoid in space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ellipsoid {
    pub(crate) centre: Point,
    /// Squares of the semi-axes, as a matrix, m².
    shape: Mat3<f64>,
}

/// The outline of an ellipsoid on paper, px and degrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    pub(crate) semi_axes: [f64; 2],
    /// Of the first axis against the horizontal, clockwise as SVG turns.
    pub(crate) angle: f64,
}

impl Ellipsoid {
    /// Of an inertia in a frame that is placed somewhere; `None` where there is no mass.
    pub(crate) fn of(inertia: &PseudoInertia, pose: &Pose<f64>) -> Option<Self> {
        let mass = inertia.mass;
        let [xx, xy, yy, xz, yz, zz] = inertia.second_about_centre().map(|s| 5.0 * s / mass);
        let own = Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
        let shape = pose.rotation * own * pose.rotation.transpose();
        let centre = pose.point(Vec3(inertia.centred().com));
        let numbers = shape.0.iter().flatten().chain(&centre.0);
        (mass > 0.0 && numbers.into_iter().all(|x| x.is_finite())).then_some(Ellipsoid { centre, shape })
    }

    /// Points that reach as far as it does along the base axes.
    pub(crate) fn extremes(&self) -> Vec<Point> {
        let reach = |k: usize| {
            // The farthest point along e is c + E e / √(eᵀ E e).
            let along = self.shape.0[k][k].max(0.0).sqrt();
            if along > 0.0 { self.shape.column(k).scale(1.0 / along) } else { Vec3::zero() }
        };
        (0..3).flat_map(|k| [self.centre + reach(k), self.centre - reach(k)]).collect()
    }

    /// Its outline in a view; what cannot be (a negative square) is drawn flat.
    pub(crate) fn outline(&self, camera: &Camera) -> Outline {
        let (right, up) = (camera.view.right, camera.view.up);
        let entry = |a: Point, b: Point| a.dot(self.shape.apply(b));
        let (a, b, c) = (entry(right, right), entry(right, up), entry(up, up));
        let (middle, half) = (0.5 * (a + c), 0.5 * (a - c));
        let spread = half.hypot(b);
        let angle = 0.5 * b.atan2(half);
        let pixels = |square: f64| camera.scale * square.max(0.0).sqrt();
        // The paper's y points down.
        Outline { semi_axes: [pixels(middle + spread), pixels(middle - spread)], angle: -angle.to_degrees() }
    }
}

/// An ellipsoid of a body in a picture.
pub(crate) struct Solid {
    /// Among the named bodies.
    pub(crate) body: usize,
    pub(crate) ellipsoid: Ellipsoid,
    /// What the file says, not what was identified: dashed, with a cross.
    pub(crate) is_prior: bool,
    /// Whose inertia it is.
    pub(crate) whose: String,
}

impl Solid {
    /// Its outline and its centre of mass, in the colour that the group around it has.
    pub(crate) fn draw(&self, drawing: &mut Drawing, camera: &Camera, dot: f64) {
        let Outline { semi_axes: [a, b], angle } = self.ellipsoid.outline(camera);
        let (x, y) = camera.at(self.ellipsoid.centre);
        let class = if self.is_prior { "solid prior" } else { "solid" };
        // Thin ones are still to be seen.
        let turned = format!("rotate({} {} {})", px(angle), px(x), px(y));
        drawing.mark(
            "ellipse",
            &[("class", class), ("transform", &turned)],
            &[("cx", x), ("cy", y), ("rx", a.max(0.7)), ("ry", b.max(0.7))],
        );
        match self.is_prior {
            true => {
                drawing.line("mass prior", (x - dot, y), (x + dot, y));
                drawing.line("mass prior", (x, y - dot), (x, y + dot));
            }
            false => drawing.circle("mass", (x, y), dot),
        }
    }
}

#[cfg(test)]
mod tests {
    use steiner_linalg::{Mat3, Vec3};
    use steiner_robot::{CentredInertia, Pose, PseudoInertia};

    use super::Ellipsoid;
    use crate::view::views;

    /// A brick of ellipsoid: semi-axes 3, 2, 1 along x, y, z about (1, 1, 1).
    fn known() -> PseudoInertia {
        let mass = 10.0;
        let [a, b, c] = [3.0f64, 2.0, 1.0].map(|x| mass * x * x / 5.0);
        PseudoInertia::from_centred(&CentredInertia {
            mass,
            com: [1.0; 3],
            tensor: [b + c, 0.0, a + c, 0.0, 0.0, a + b],
        })
    }

    #[test]
    fn the_shadow_of_an_ellipsoid_has_its_semi_axes() {
        let solid = Ellipsoid::of(&known(), &Pose::identity()).expect("it has mass");
        for (name, view) in views(Vec3([0.0, 0.0, -9.81])) {
            let camera = view.camera(&solid.extremes(), (200.0, 200.0), 10.0);
            let outline = solid.outline(&camera);
            let [a, b] = outline.semi_axes.map(|x| x / camera.scale);
            let wanted = match name {
                "front" => [2.0, 1.0],
                "side" => [3.0, 1.0],
                "top" => [3.0, 2.0],
                _ => continue,
            };
            assert!((a - wanted[0]).abs() < 1e-12 && (b - wanted[1]).abs() < 1e-12, "{name}: {a} {b}");
            assert!(outline.angle.abs() < 1e-9, "{name}");
        }
    }

    #[test]
    fn no_point_of_the_surface_is_outside_the_outline_and_some_touch_it() {
        let (sin, cos) = 0.7f64.sin_cos();
        let rotation = Mat3([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
            * Mat3([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]]);
        let pose = Pose { rotation, translation: Vec3([0.3, -2.0, 5.0]) };
        let solid = Ellipsoid::of(&known(), &pose).expect("it has mass");
        let camera = views(Vec3([0.0, 0.0, -9.81]))[0].1.camera(&solid.extremes(), (300.0, 300.0), 10.0);
        let outline = solid.outline(&camera);
        let (x0, y0) = camera.at(solid.centre);
        let (s, c) = outline.angle.to_radians().sin_cos();
        let mut most: f64 = 0.0;
        for i in 0..400 {
            for j in 0..200 {
                let (u, v) = (f64::from(i) * 0.0157, f64::from(j) * 0.0157);
                let own = Vec3([1.0 + 3.0 * u.cos() * v.sin(), 1.0 + 2.0 * u.sin() * v.sin(), 1.0 + v.cos()]);
                let (x, y) = camera.at(pose.point(own));
                let (dx, dy) = (x - x0, y - y0);
                let [a, b] = outline.semi_axes;
                most = most.max(((c * dx + s * dy) / a).powi(2) + ((c * dy - s * dx) / b).powi(2));
            }
        }
        assert!(most < 1.0 + 1e-9 && most > 0.999, "{most}");
    }
}
