//! Half-spaces of boxes and convex hulls.

use steiner_linalg::Vec3;
use steiner_linalg::cholesky::lower_factor;

/// normal · x ≤ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Unit length.
    pub normal: [f64; 3],
    /// Distance of the plane from the origin along the normal, m.
    pub offset: f64,
}

/// The six sides of a box; `None` without inside.
pub(super) fn sides_of_box(lower: [f64; 3], upper: [f64; 3]) -> Option<Vec<HalfSpace>> {
    if (0..3).any(|k| !(upper[k] > lower[k] && lower[k].is_finite() && upper[k].is_finite())) {
        return None;
    }
    let side = |k: usize, sign: f64, offset: f64| {
        let mut normal = [0.0; 3];
        normal[k] = sign;
        HalfSpace { normal, offset }
    };
    Some((0..3).flat_map(|k| [side(k, 1.0, upper[k]), side(k, -1.0, -lower[k])]).collect())
}

/// A triangle of the hull, counter-clockwise from outside.
struct Facet {
    corners: [usize; 3],
    plane: HalfSpace,
}

/// The half-spaces of the convex hull of points (m); `None` if they lie in a plane.
///
/// Point by point: the facets that see a new point go, and the edge of what is left is joined with it.
pub fn convex_hull(points: &[[f64; 3]]) -> Option<Vec<HalfSpace>> {
    let size = points.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let slack = 1e-10 * size;
    let start = first_tetrahedron(points, 1e-7 * size)?;
    let centre = Vec3(std::array::from_fn(|k| start.iter().map(|&i| points[i][k]).sum::<f64>() / 4.0));
    let facet = |corners: [usize; 3]| -> Option<Facet> {
        let [a, b, c] = corners.map(|i| Vec3(points[i]));
        let normal = (b - a).cross(c - a);
        let length = length(normal);
        if length == 0.0 {
            return None;
        }
        let normal = Vec3(normal.0.map(|x| x / length));
        let plane = HalfSpace { normal: normal.0, offset: normal.dot(a) };
        // Inside is where the first tetrahedron's centre is.
        match normal.dot(centre) > plane.offset {
            true => {
                let plane = HalfSpace { normal: (-normal).0, offset: -plane.offset };
                Some(Facet { corners: [corners[0], corners[2], corners[1]], plane })
            }
            false => Some(Facet { corners, plane }),
        }
    };
    let [p, q, r, s] = start;
    let mut hull: Vec<Facet> =
        [[p, q, r], [p, q, s], [p, r, s], [q, r, s]].into_iter().filter_map(facet).collect();
    for (k, point) in points.iter().enumerate() {
        let sees = |f: &Facet| Vec3(f.plane.normal).dot(Vec3(*point)) > f.plane.offset + slack;
        if !hull.iter().any(sees) {
            continue;
        }
        let (seen, kept): (Vec<Facet>, Vec<Facet>) = hull.into_iter().partition(sees);
        let edges: Vec<(usize, usize)> =
            seen.iter().flat_map(|f| (0..3).map(|i| (f.corners[i], f.corners[(i + 1) % 3]))).collect();
        let rim = edges.iter().filter(|&&(a, b)| !edges.contains(&(b, a)));
        let new: Vec<Facet> = rim.filter_map(|&(a, b)| facet([a, b, k])).collect();
        hull = kept;
        hull.extend(new);
    }
    let mut planes: Vec<HalfSpace> = Vec::new();
    for Facet { plane, .. } in hull {
        // Triangles of one face have one plane. Outward by rounding, so that no point is left out.
        let same = |other: &&mut HalfSpace| Vec3(other.normal).dot(Vec3(plane.normal)) > 1.0 - 1e-12;
        match planes.iter_mut().find(same) {
            Some(other) => other.offset = other.offset.max(plane.offset),
            None => planes.push(plane),
        }
    }
    for plane in &mut planes {
        plane.offset =
            points.iter().fold(plane.offset, |most, point| most.max(Vec3(plane.normal).dot(Vec3(*point))));
    }
    Some(planes)
}

/// More points than these, with their hull's sides in the thousands, are enclosed
/// by a polyhedron of fewer sides.
const MANY: usize = 2000;
/// Its sides, besides those of the box around the points.
const DIRECTIONS: usize = 256;

/// Half-spaces that hold points (m) between them: the sides of their convex hull or, of more than 2000
/// points, of a polyhedron with up to 262 sides that touches the hull from outside and is wider by a few
/// percent where the hull is round. `None` if the points lie in a plane.
///
/// Directions are spread evenly where the points have the same spread along all axes, so that slim shapes are
/// enclosed as closely as round ones.
pub fn enclosing_sides(points: &[[f64; 3]]) -> Option<Vec<HalfSpace>> {
    if points.len() <= MANY {
        return convex_hull(points);
    }
    let size = points.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    first_tetrahedron(points, 1e-7 * size)?;
    let count = points.len() as f64;
    let mean: [f64; 3] = std::array::from_fn(|k| points.iter().map(|p| p[k]).sum::<f64>() / count);
    let spread: [[f64; 3]; 3] = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            points.iter().map(|p| (p[i] - mean[i]) * (p[j] - mean[j])).sum::<f64>() / count
        })
    });
    // Spread = L Lᵀ: a direction u of the evened points is n = L⁻ᵀ u of the points,
    // by substitution from the last.
    let lower = lower_factor(&spread).ok()?;
    let evened = |u: [f64; 3]| {
        let z = u[2] / lower[2][2];
        let y = (u[1] - lower[2][1] * z) / lower[1][1];
        [(u[0] - lower[1][0] * y - lower[2][0] * z) / lower[0][0], y, z]
    };
    // Points of a spiral with equal steps in height have equal areas around them.
    let spiral = (0..DIRECTIONS).map(|k| {
        let z = 1.0 - (2 * k + 1) as f64 / DIRECTIONS as f64;
        let (angle, radius) = (k as f64 * GOLDEN, (1.0 - z * z).sqrt());
        evened([radius * angle.cos(), radius * angle.sin(), z])
    });
    let axes =
        (0..6).map(|k| std::array::from_fn(|i| if i == k / 2 { 1.0 - 2.0 * (k % 2) as f64 } else { 0.0 }));
    let side = |direction: [f64; 3]| {
        let length = length(Vec3(direction));
        let normal = direction.map(|x| x / length);
        let offset =
            points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(Vec3(normal).dot(Vec3(*point))));
        HalfSpace { normal, offset }
    };
    Some(spiral.chain(axes).map(side).collect())
}

/// The golden angle, rad.
const GOLDEN: f64 = 2.399963229728653;

fn first_tetrahedron(points: &[[f64; 3]], least: f64) -> Option<[usize; 4]> {
    let farthest = |distance: &dyn Fn(Vec3<f64>) -> f64| -> Option<usize> {
        let of = |k: usize| distance(Vec3(points[k]));
        let best = (0..points.len()).max_by(|&a, &b| of(a).total_cmp(&of(b)))?;
        (of(best) > least).then_some(best)
    };
    let a = Vec3(*points.first()?);
    let q = farthest(&|x| length(x - a))?;
    let along = Vec3(points[q]) - a;
    let unit = along.scale(1.0 / length(along));
    let r = farthest(&|x| length(unit.cross(x - a)))?;
    let normal = unit.cross(Vec3(points[r]) - a);
    let normal = normal.scale(1.0 / length(normal));
    let s = farthest(&|x| normal.dot(x - a).abs())?;
    Some([0, q, r, s])
}

fn length(v: Vec3<f64>) -> f64 {
    v.dot(v).sqrt()
}

#[cfg(test)]
mod tests {
    use super::{convex_hull, enclosing_sides};

    #[test]
    fn many_points_of_a_slim_body_are_enclosed_closely_by_few_sides() {
        // A rod of two metres and one centimetre, along a diagonal.
        let points: Vec<[f64; 3]> = (0..20_000)
            .map(|k| {
                let z = 1.0 - (2 * k + 1) as f64 / 20_000.0;
                let (angle, radius) = (2.4 * f64::from(k), (1.0 - z * z).sqrt());
                let (x, y) = (0.01 * radius * angle.cos(), 0.01 * radius * angle.sin());
                [0.3 + 0.6 * z + 0.8 * x, 0.8 * z - 0.6 * x, y - 0.1]
            })
            .collect();
        let sides = enclosing_sides(&points).expect("a body");
        assert!(sides.len() <= 262);
        let out = |p: [f64; 3]| {
            sides
                .iter()
                .map(|side| (0..3).map(|k| side.normal[k] * p[k]).sum::<f64>() - side.offset)
                .fold(f64::MIN, f64::max)
        };
        for point in &points {
            assert!(out(*point) <= 1e-12);
            // Five percent farther from the middle is outside.
            let middle = [0.3, 0.0, -0.1];
            let farther = std::array::from_fn(|k| middle[k] + 1.05 * (point[k] - middle[k]));
            assert!(out(farther) > 0.0, "{point:?}");
        }
        let flat: Vec<[f64; 3]> = points.iter().map(|p| [p[0], p[1], 0.0]).collect();
        assert!(enclosing_sides(&flat).is_none());
        assert_eq!(enclosing_sides(&points[..50]), convex_hull(&points[..50]));
    }
}
