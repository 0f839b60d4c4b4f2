//! Half-spaces of boxes and convex hulls.

/// normal · x ≤ offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    /// Unit length.
    pub normal: [f64; 3],
    /// m
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
    let centre: [f64; 3] = std::array::from_fn(|k| start.iter().map(|&i| points[i][k]).sum::<f64>() / 4.0);
    let facet = |corners: [usize; 3]| -> Option<Facet> {
        let [a, b, c] = corners.map(|i| points[i]);
        let normal = cross(minus(b, a), minus(c, a));
        let length = dot(normal, normal).sqrt();
        if length == 0.0 {
            return None;
        }
        let normal = normal.map(|x| x / length);
        let plane = HalfSpace { normal, offset: dot(normal, a) };
        // Inside is where the first tetrahedron's centre is.
        match dot(normal, centre) > plane.offset {
            true => {
                let plane = HalfSpace { normal: normal.map(|x| -x), offset: -plane.offset };
                Some(Facet { corners: [corners[0], corners[2], corners[1]], plane })
            }
            false => Some(Facet { corners, plane }),
        }
    };
    let [p, q, r, s] = start;
    let mut hull: Vec<Facet> =
        [[p, q, r], [p, q, s], [p, r, s], [q, r, s]].into_iter().filter_map(facet).collect();
    for (k, point) in points.iter().enumerate() {
        let sees = |f: &Facet| dot(f.plane.normal, *point) > f.plane.offset + slack;
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
        let same = |other: &&mut HalfSpace| dot(other.normal, plane.normal) > 1.0 - 1e-12;
        match planes.iter_mut().find(same) {
            Some(other) => other.offset = other.offset.max(plane.offset),
            None => planes.push(plane),
        }
    }
    for plane in &mut planes {
        plane.offset = points.iter().fold(plane.offset, |most, point| most.max(dot(plane.normal, *point)));
    }
    Some(planes)
}

fn first_tetrahedron(points: &[[f64; 3]], least: f64) -> Option<[usize; 4]> {
    let farthest = |distance: &dyn Fn([f64; 3]) -> f64| -> Option<usize> {
        let best = (0..points.len()).max_by(|&a, &b| distance(points[a]).total_cmp(&distance(points[b])))?;
        (distance(points[best]) > least).then_some(best)
    };
    let a = *points.first()?;
    let q = farthest(&|x| dot(minus(x, a), minus(x, a)).sqrt())?;
    let along = minus(points[q], a);
    let unit = along.map(|x| x / dot(along, along).sqrt());
    let r = farthest(&|x| {
        let c = cross(unit, minus(x, a));
        dot(c, c).sqrt()
    })?;
    let normal = cross(unit, minus(points[r], a));
    let normal = normal.map(|x| x / dot(normal, normal).sqrt());
    let s = farthest(&|x| dot(normal, minus(x, a)).abs())?;
    Some([0, q, r, s])
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
