//! The faces of the convex hull of few points, for a drawing.

use std::collections::BTreeSet;

use steiner_linalg::Vec3;

/// Points nearer to a plane than this part of the hull's size are on it.
const FLAT: f64 = 1e-6;

/// Corners of each face by their numbers, in order about its outward normal. A flat hull has one face; points on a line
/// have none.
pub(super) fn faces(points: &[[f64; 3]]) -> Vec<Vec<usize>> {
    let p: Vec<Vec3<f64>> = points.iter().map(|p| Vec3(*p)).collect();
    let Some(first) = p.first() else { return Vec::new() };
    let size = p.iter().map(|p| (*p - *first).dot(*p - *first)).fold(0.0, f64::max).sqrt();
    let mut seen: BTreeSet<Vec<usize>> = BTreeSet::new();
    let mut out = Vec::new();
    for a in 0..p.len() {
        for b in 0..a {
            for c in 0..b {
                let normal = (p[b] - p[a]).cross(p[c] - p[a]);
                let area = normal.dot(normal).sqrt();
                if area <= FLAT * size * size {
                    continue;
                }
                let normal = normal.scale(1.0 / area);
                let height = |k: usize| normal.dot(p[k] - p[a]);
                let (mut above, mut below) = (false, false);
                for k in 0..p.len() {
                    above |= height(k) > FLAT * size;
                    below |= height(k) < -FLAT * size;
                    if above && below {
                        break;
                    }
                }
                if above && below {
                    continue;
                }
                let mut corners: Vec<usize> =
                    (0..p.len()).filter(|&k| height(k).abs() <= FLAT * size).collect();
                if !seen.insert(corners.clone()) {
                    continue;
                }
                let outward = if above { -normal } else { normal };
                let middle = corners.iter().fold(Vec3::zero(), |sum, &k| sum + p[k]);
                let middle = middle.scale(1.0 / corners.len() as f64);
                let along = p[corners[0]] - middle;
                let across = outward.cross(along);
                let angle = |k: usize| across.dot(p[k] - middle).atan2(along.dot(p[k] - middle));
                corners.sort_by(|&a, &b| angle(a).total_cmp(&angle(b)));
                out.push(corners);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_six_faces_of_four_corners_that_look_outward() {
        let corners: Vec<[f64; 3]> =
            (0..8).map(|k| std::array::from_fn(|i| if k >> i & 1 == 1 { 0.3 } else { -0.1 })).collect();
        let found = faces(&corners);
        assert_eq!(found.len(), 6, "{found:?}");
        let centre = Vec3([0.1; 3]);
        for face in found {
            assert_eq!(face.len(), 4);
            let at = |k: usize| Vec3(corners[face[k]]);
            let normal = (at(1) - at(0)).cross(at(2) - at(1));
            assert!(normal.dot(at(0) - centre) > 0.0);
        }
    }

    #[test]
    fn corners_edges_and_faces_of_any_hull_add_up() {
        // Points of a sphere: all are corners.
        let mut random = steiner_linalg::Stream::new(4);
        let points: Vec<[f64; 3]> = (0..40)
            .map(|_| {
                let d = Vec3([random.normal(), random.normal(), random.normal()]);
                d.scale(1.0 / d.dot(d).sqrt()).0
            })
            .collect();
        let found = faces(&points);
        let edges: usize = found.iter().map(Vec::len).sum::<usize>() / 2;
        assert_eq!(points.len() + found.len(), edges + 2);
        assert!(faces(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).is_empty());
        assert_eq!(faces(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).len(), 1);
    }
}
