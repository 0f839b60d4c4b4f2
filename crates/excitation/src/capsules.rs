//! Capsules around the shape of a body, and convex hulls where capsules are too fat.
//!
//! A body is the union of its parts (boxes, cylinders, meshes), each of which is taken as its convex hull. One capsule
//! holds a slim part well, but not a plate, a block or a bent link.

use std::collections::BTreeMap;

use steiner_linalg::Vec3;
use steiner_linalg::eigen::symmetric_eigen;
use steiner_robot::Capsule;

use crate::hull::Hull;
use crate::shortest::{Segment, between_segments};

/// Parts beyond these are joined.
const MOST: usize = 3;
/// A body of more parts, as a convex decomposition has them, is taken as one: each would be joined with each.
const TOO_MANY: usize = 64;

/// A part of a body with its capsule.
struct Piece {
    points: Vec<[f64; 3]>,
    capsule: Capsule,
}

impl Piece {
    fn new(points: Vec<[f64; 3]>) -> Option<Self> {
        let capsule = capsule_around(&points)?;
        Some(Piece { points, capsule })
    }

    fn volume(&self) -> f64 {
        volume(&self.capsule)
    }
}

/// Convex hulls that together hold the parts of a body (m), one for each as far as they are few, and capsules around
/// them.
pub fn hulls_around(parts: &[&[[f64; 3]]]) -> Vec<(Capsule, Hull)> {
    let pieces = match parts.len() > TOO_MANY {
        true => Piece::new(parts.concat()).into_iter().collect(),
        false => joined(parts.iter().filter_map(|part| Piece::new(part.to_vec())).collect()),
    };
    pieces.iter().filter_map(|piece| Some((piece.capsule.clone(), Hull::around(&piece.points)?))).collect()
}

/// Makes one of two parts wherever their common capsule is no larger, and of the two nearest ones of too many.
fn joined(parts: Vec<Piece>) -> Vec<Piece> {
    let mut pieces: Vec<(usize, Piece)> = parts.into_iter().enumerate().collect();
    let mut next = pieces.len();
    // For each two, by their numbers, how much larger their common capsule is.
    let mut more: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let both = |a: &Piece, b: &Piece| Piece::new([&a.points[..], &b.points].concat());
    loop {
        for (k, (b, second)) in pieces.iter().enumerate() {
            for (a, first) in &pieces[..k] {
                more.entry((*a, *b)).or_insert_with(|| {
                    let volume = both(first, second).map_or(f64::INFINITY, |joined| joined.volume());
                    volume - first.volume() - second.volume()
                });
            }
        }
        let least = more.iter().min_by(|a, b| a.1.total_cmp(b.1)).map(|(pair, more)| (*pair, *more));
        let Some(((a, b), _)) = least.filter(|(_, more)| *more <= 0.0 || pieces.len() > MOST) else {
            break;
        };
        let of = |number: usize| pieces.iter().find(|(own, _)| *own == number).map(|(_, piece)| piece);
        let Some(piece) = of(a).zip(of(b)).and_then(|(a, b)| both(a, b)) else { break };
        pieces.retain(|(number, _)| *number != a && *number != b);
        more.retain(|(first, second), _| ![*first, *second].iter().any(|k| *k == a || *k == b));
        pieces.push((next, piece));
        next += 1;
    }
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

/// The mean of points and their principal axes, along which they spread most first.
fn principal_axes(points: &[[f64; 3]]) -> (Vec3<f64>, [Vec3<f64>; 3]) {
    let mean = points.iter().fold(Vec3::zero(), |sum, p| sum + Vec3(*p)).scale(1.0 / points.len() as f64);
    let mut spread = [[0.0; 3]; 3];
    for p in points {
        let d = Vec3(*p) - mean;
        for r in 0..3 {
            for c in 0..3 {
                spread[r][c] += d[r] * d[c];
            }
        }
    }
    let (values, vectors) = symmetric_eigen(&spread);
    let main = (0..3).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(0);
    (mean, std::array::from_fn(|k| Vec3(std::array::from_fn(|r| vectors[r][(main + k) % 3]))))
}

/// How far points reach along an axis, from a point on it.
fn extent(points: &[[f64; 3]], from: Vec3<f64>, axis: Vec3<f64>) -> (f64, f64) {
    let along = points.iter().map(|p| axis.dot(Vec3(*p) - from));
    along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

/// A capsule that holds all points: along the direction in which they spread most.
pub fn capsule_around(points: &[[f64; 3]]) -> Option<Capsule> {
    if points.is_empty() {
        return None;
    }
    let (mean, axes) = principal_axes(points);
    // The fattest direction is not always the best: take the smallest of three capsules.
    let tries = axes.into_iter();
    tries.map(|axis| capsule_along(points, mean, axis)).min_by(|a, b| volume(a).total_cmp(&volume(b)))
}

fn capsule_along(points: &[[f64; 3]], mean: Vec3<f64>, axis: Vec3<f64>) -> Capsule {
    // The axis goes through the middle of the box around the points.
    let e = if axis[0].abs() < 0.6 { Vec3::unit(0) } else { Vec3::unit(1) };
    let side = axis.cross(e);
    let side = side.scale(1.0 / side.dot(side).sqrt());
    let up = axis.cross(side);
    let middle = |(low, high): (f64, f64)| 0.5 * (low + high);
    let centre = mean
        .plus_scaled(middle(extent(points, mean, side)), side)
        .plus_scaled(middle(extent(points, mean, up)), up);
    let cut = |p: &[f64; 3]| {
        let d = Vec3(*p) - centre;
        let along = axis.dot(d);
        (along, (d.dot(d) - along * along).max(0.0).sqrt())
    };
    let radius = points.iter().map(|p| cut(p).1).fold(0.0, f64::max);
    // Each end is a half-ball: as far in as its points allow.
    let reach = |sign: f64| {
        points
            .iter()
            .map(|p| {
                let (along, off) = cut(p);
                sign * along - (radius * radius - off * off).max(0.0).sqrt()
            })
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let (high, low) = (reach(1.0), -reach(-1.0));
    let (low, high) = if low > high { (middle((low, high)), middle((low, high))) } else { (low, high) };
    let from = centre.plus_scaled(low, axis);
    let to = centre.plus_scaled(high, axis);
    // Where the half-balls overlap, the radius covers what the ends do not.
    let segment = Segment { from, to, radius: 0.0 };
    let needed = points.iter().map(|p| {
        let point = Segment { from: Vec3(*p), to: Vec3(*p), radius: 0.0 };
        between_segments(&point, &segment).distance
    });
    let radius = needed.fold(0.0, f64::max);
    Capsule { from: from.0, to: to.0, radius }
}

fn volume(capsule: &Capsule) -> f64 {
    let axis = Vec3(capsule.to) - Vec3(capsule.from);
    let r = capsule.radius;
    std::f64::consts::PI * r * r * (axis.dot(axis).sqrt() + 4.0 / 3.0 * r)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corners of a box.
    fn cuboid(centre: [f64; 3], size: [f64; 3]) -> Vec<[f64; 3]> {
        let side = |k: usize, i: usize| centre[i] + if k >> i & 1 == 1 { 0.5 } else { -0.5 } * size[i];
        (0..8).map(|k| std::array::from_fn(|i| side(k, i))).collect()
    }

    #[test]
    fn parts_keep_hulls_of_their_own_and_what_is_inside_another_gets_none() {
        let (arm, across) =
            (cuboid([0.0; 3], [0.05, 0.05, 0.6]), cuboid([0.25, 0.0, 0.28], [0.5, 0.05, 0.05]));
        let inside = cuboid([0.0, 0.0, 0.1], [0.02, 0.02, 0.1]);
        assert_eq!(hulls_around(&[&arm, &across, &inside]).len(), 2);
        let many: Vec<Vec<[f64; 3]>> =
            (0..12).map(|k| cuboid([f64::from(k) * 0.3, 0.0, 0.0], [0.05; 3])).collect();
        let many: Vec<&[[f64; 3]]> = many.iter().map(Vec::as_slice).collect();
        assert_eq!(hulls_around(&many).len(), MOST);
        assert!(hulls_around(&[]).is_empty());
    }

    #[test]
    fn flat_and_single_points_are_no_trouble() {
        let flat: Vec<[f64; 3]> = cuboid([0.0; 3], [0.3, 0.3, 0.0]);
        for (capsule, hull) in hulls_around(&[&flat, &[[1.0, 2.0, 3.0]]]) {
            assert!(capsule.radius.is_finite() && hull.radius < 1e-6, "{capsule:?} {hull:?}");
            assert!(capsule.from.iter().chain(&capsule.to).all(|x| x.is_finite()));
        }
    }
}
