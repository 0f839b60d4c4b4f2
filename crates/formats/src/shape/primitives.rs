//! Corners of polyhedra that enclose boxes, cylinders and spheres.

use std::f64::consts::{PI, TAU};

/// Sides of the prism around a cylinder; a sphere has half as many rings.
const SIDES: usize = 24;

/// A box of these lengths about the origin.
pub(super) fn cuboid(size: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8)
        .map(|k| std::array::from_fn(|i| if k >> i & 1 == 1 { 0.5 * size[i] } else { -0.5 * size[i] }))
        .collect()
}

fn ring(radius: f64, z: f64) -> impl Iterator<Item = [f64; 3]> {
    (0..SIDES).map(move |k| {
        let angle = TAU * k as f64 / SIDES as f64;
        [radius * angle.cos(), radius * angle.sin(), z]
    })
}

/// A cylinder along z about the origin: its prism touches it in the middle of each side.
pub(super) fn cylinder(radius: f64, length: f64) -> Vec<[f64; 3]> {
    let outer = radius / (PI / SIDES as f64).cos();
    [-0.5, 0.5].into_iter().flat_map(|end| ring(outer, end * length)).collect()
}

/// A sphere about the origin: facets between meridians and parallels are nearer than the corners
/// by a cosine in each direction.
pub(super) fn sphere(radius: f64) -> Vec<[f64; 3]> {
    let (rings, step) = (SIDES / 2, PI / SIDES as f64);
    let outer = radius / step.cos().powi(2);
    let latitude = |k: usize| PI * (k as f64 / rings as f64 - 0.5);
    let mut points: Vec<[f64; 3]> = vec![[0.0, 0.0, -outer], [0.0, 0.0, outer]];
    points.extend((1..rings).flat_map(|k| ring(outer * latitude(k).cos(), outer * latitude(k).sin())));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far points reach in a direction.
    fn support(points: &[[f64; 3]], d: [f64; 3]) -> f64 {
        points.iter().map(|p| (0..3).map(|k| p[k] * d[k]).sum()).fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn polyhedra_enclose_their_bodies_and_little_more() {
        let (sphere, cylinder, cuboid) = (sphere(0.5), cylinder(0.5, 2.0), cuboid([1.0, 2.0, 3.0]));
        for i in 0..60 {
            for j in 0..60 {
                let (a, b) = (0.11 * f64::from(i), PI * (f64::from(j) / 59.0 - 0.5));
                let d = [a.cos() * b.cos(), a.sin() * b.cos(), b.sin()];
                let of_sphere = support(&sphere, d);
                assert!((0.5..0.5 * 1.02).contains(&of_sphere), "{d:?}: {of_sphere}");
                let exact = 0.5 * b.cos() + b.sin().abs();
                let of_cylinder = support(&cylinder, d);
                assert!(of_cylinder > exact - 1e-12 && of_cylinder < 1.01 * exact + 1e-12, "{d:?}");
                let exact = 0.5 * d[0].abs() + d[1].abs() + 1.5 * d[2].abs();
                assert!((support(&cuboid, d) - exact).abs() < 1e-12);
            }
        }
    }
}
