//! Capsules around the shape of a body: few, and not much larger than what is inside.
//!
//! A body is the union of its parts (boxes, cylinders, meshes), each of which is taken as its convex hull. One capsule
//! holds a slim part well, but not a plate, a block or a bent link. Such a part is cut in two by the plane after which
//! two capsules are smallest together, and again, as long as that pays. What is cut is a polyhedron that encloses the
//! hull, so that nothing of it is left out.

use std::collections::BTreeMap;

use steiner_linalg::Vec3;
use steiner_linalg::eigen::symmetric_eigen;
use steiner_robot::Capsule;

use crate::clearance::{Segment, between_segments};

/// Parts are cut while a body has fewer capsules.
const MOST: usize = 4;
/// Parts beyond these are joined, so that a body has so many capsules at most.
const MOST_PARTS: usize = 8;
/// A body of more parts, as a convex decomposition has them, is taken as one: each would be joined with each.
const TOO_MANY: usize = 64;
/// Points of a part that are taken as they are, where there are several parts.
const MANY: usize = 300;
/// Cuts pay if the capsules have less than this part of the volume after each.
const WORTH: f64 = 0.8;
/// Where cuts are tried, along each axis of a part.
const CUTS: [f64; 3] = [0.35, 0.5, 0.65];
/// Sides of the polyhedron around a hull, besides those of a box.
const SIDES: usize = 96;
/// The golden angle, rad.
const GOLDEN: f64 = 2.399963229728653;

/// A piece of a body with its capsule.
#[derive(Clone)]
struct Piece {
    points: Vec<[f64; 3]>,
    /// What is cut; made when it is asked for.
    solid: Option<Polyhedron>,
    capsule: Capsule,
    /// The two that it is cut into, once that was asked for.
    halves: Option<Box<[Piece; 2]>>,
}

impl Piece {
    fn new(points: Vec<[f64; 3]>, solid: Option<Polyhedron>) -> Option<Self> {
        let capsule = capsule_around(&points)?;
        Some(Piece { points, solid, capsule, halves: None })
    }

    fn volume(&self) -> f64 {
        volume(&self.capsule)
    }

    /// The two pieces whose capsules are smallest, if there are two.
    fn halves(&mut self) -> Option<[Piece; 2]> {
        if self.halves.is_none() {
            self.halves = self.cut().map(Box::new);
        }
        self.halves.as_deref().cloned()
    }

    fn cut(&mut self) -> Option<[Piece; 2]> {
        let (mean, axes) = principal_axes(&self.points);
        let solid = self.solid.get_or_insert_with(|| Polyhedron::around(&self.points));
        let mut best: Option<(f64, [Piece; 2])> = None;
        for axis in axes {
            let (low, high) = extent(&self.points, mean, axis);
            for part in CUTS {
                let offset = axis.dot(mean) + low + part * (high - low);
                let of = |normal: Vec3<f64>, offset: f64| {
                    let solid = solid.cut(normal, offset);
                    Piece::new(solid.corners(), Some(solid))
                };
                let Some(pieces) = of(axis, offset).zip(of(axis.scale(-1.0), -offset)) else { continue };
                let sum = pieces.0.volume() + pieces.1.volume();
                if best.as_ref().is_none_or(|(least, _)| sum < *least) {
                    best = Some((sum, [pieces.0, pieces.1]));
                }
            }
        }
        best.map(|(_, pieces)| pieces)
    }
}

/// Capsules that together hold the convex hull of each part of a body (m): about as few as fit it well.
pub fn capsules_around(parts: &[&[[f64; 3]]]) -> Vec<Capsule> {
    // Where parts may be joined, each is looked at many times.
    let points = |part: &&[[f64; 3]]| match parts.len() > 1 && part.len() > MANY {
        true => Polyhedron::around(part).corners(),
        false => part.to_vec(),
    };
    let mut pieces: Vec<Piece> = match parts.len() > TOO_MANY {
        true => Piece::new(Polyhedron::around(&parts.concat()).corners(), None).into_iter().collect(),
        false => joined(parts.iter().filter_map(|part| Piece::new(points(part), None)).collect()),
    };
    // A cut may pay only after the next one: all are made, and then it is seen how many did.
    let total = |pieces: &[Piece]| pieces.iter().map(Piece::volume).sum::<f64>();
    let mut best = (total(&pieces), pieces.clone());
    let mut worth = 1.0;
    while pieces.len() < MOST {
        let gain = |piece: &mut Piece| {
            let halves = piece.halves()?;
            Some(piece.volume() - total(&halves))
        };
        let gains = pieces.iter_mut().enumerate().filter_map(|(k, piece)| Some((gain(piece)?, k)));
        let Some((_, k)) = gains.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        let Some(halves) = pieces[k].halves() else { break };
        pieces.splice(k..=k, halves);
        worth *= WORTH;
        if total(&pieces) < worth * best.0 {
            best = (total(&pieces), pieces.clone());
            worth = 1.0;
        }
    }
    best.1.into_iter().map(|piece| piece.capsule).collect()
}

/// Makes one of two parts wherever their common capsule is no larger, and of the two nearest ones of too many.
fn joined(parts: Vec<Piece>) -> Vec<Piece> {
    let mut pieces: Vec<(usize, Piece)> = parts.into_iter().enumerate().collect();
    let mut next = pieces.len();
    // For each two, by their numbers, how much larger their common capsule is.
    let mut more: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    let both = |a: &Piece, b: &Piece| Piece::new(a.points.iter().chain(&b.points).copied().collect(), None);
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
        let Some(((a, b), _)) = least.filter(|(_, more)| *more <= 0.0 || pieces.len() > MOST_PARTS) else {
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

/// A convex polyhedron: the corners of each of its faces, one after another around it.
#[derive(Clone)]
struct Polyhedron {
    faces: Vec<Vec<Vec3<f64>>>,
    /// Points nearer than this to a plane are on it, m.
    slack: f64,
}

impl Polyhedron {
    /// One that encloses points, wider than their hull by a few per cent where that is round. Sides are spread evenly
    /// where the points reach equally far along all their axes, so that slim bodies are enclosed as closely.
    fn around(points: &[[f64; 3]]) -> Self {
        let (mean, axes) = principal_axes(points);
        let extents = axes.map(|axis| extent(points, mean, axis));
        let longest = extents.iter().fold(0.0f64, |most, (low, high)| most.max(high - low));
        // A plate without thickness has some.
        let slack = 1e-9 * longest.max(f64::MIN_POSITIVE);
        let [x, y, z] = extents.map(|(low, high)| (low - slack, high + slack));
        let corner = |k: usize| {
            let pick = |(low, high): (f64, f64), bit: usize| if k >> bit & 1 == 1 { high } else { low };
            let on = mean.plus_scaled(pick(x, 0), axes[0]).plus_scaled(pick(y, 1), axes[1]);
            on.plus_scaled(pick(z, 2), axes[2])
        };
        let faces = [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]];
        let mut out = Polyhedron { faces: faces.map(|face| face.map(corner).to_vec()).to_vec(), slack };
        let halves = [x, y, z].map(|(low, high)| 0.5 * (high - low));
        for k in 0..SIDES {
            // Points of a spiral with equal steps in height have equal areas around them.
            let height = 1.0 - (2 * k + 1) as f64 / SIDES as f64;
            let (angle, radius) = (k as f64 * GOLDEN, (1.0 - height * height).sqrt());
            let even = [radius * angle.cos(), radius * angle.sin(), height];
            let side = (0..3).fold(Vec3::zero(), |sum, k| sum.plus_scaled(even[k] / halves[k], axes[k]));
            let side = side.scale(1.0 / side.dot(side).sqrt());
            let (_, high) = extent(points, mean, side);
            out = out.cut(side, side.dot(mean) + high + slack);
        }
        out
    }

    /// What is left of it where normal · x ≤ offset.
    fn cut(&self, normal: Vec3<f64>, offset: f64) -> Polyhedron {
        let over = |p: &Vec3<f64>| normal.dot(*p) - offset;
        let mut faces = Vec::with_capacity(self.faces.len() + 1);
        let mut rim: Vec<Vec3<f64>> = Vec::new();
        for face in &self.faces {
            let mut left = Vec::with_capacity(face.len() + 1);
            for (k, p) in face.iter().enumerate() {
                let next = &face[(k + 1) % face.len()];
                let (here, there) = (over(p), over(next));
                if here <= self.slack {
                    left.push(*p);
                    if here >= -self.slack {
                        rim.push(*p);
                    }
                }
                if here > self.slack && there < -self.slack || here < -self.slack && there > self.slack {
                    let on = p.plus_scaled(here / (here - there), *next - *p);
                    left.push(on);
                    rim.push(on);
                }
            }
            if left.len() > 2 {
                faces.push(left);
            }
        }
        if let Some(lid) = around(rim, normal, self.slack) {
            faces.push(lid);
        }
        Polyhedron { faces, slack: self.slack }
    }

    fn corners(&self) -> Vec<[f64; 3]> {
        let mut out: Vec<[f64; 3]> = self.faces.iter().flatten().map(|p| p.0).collect();
        out.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2])));
        out.dedup();
        out
    }
}

/// The corners of a convex face with this normal, in the order around it; `None` if they are on a line.
fn around(mut rim: Vec<Vec3<f64>>, normal: Vec3<f64>, slack: f64) -> Option<Vec<Vec3<f64>>> {
    let first = *rim.first()?;
    let middle = rim.iter().fold(Vec3::zero(), |sum, p| sum + *p).scale(1.0 / rim.len() as f64);
    let far = |a: &Vec3<f64>| (*a - middle).dot(*a - middle);
    let u = rim.iter().copied().fold(first, |a, b| if far(&b) > far(&a) { b } else { a }) - middle;
    let v = normal.cross(u);
    let angle = |p: &Vec3<f64>| v.dot(*p - middle).atan2(u.dot(*p - middle));
    rim.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    rim.dedup_by(|a, b| (*a - *b).dot(*a - *b) <= slack * slack);
    (rim.len() > 2).then_some(rim)
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

    fn out_of(capsules: &[Capsule], point: Vec3<f64>) -> f64 {
        let point = Segment { from: point, to: point, radius: 0.0 };
        let of = |Capsule { from, to, radius }: &Capsule| {
            let own = Segment { from: Vec3(*from), to: Vec3(*to), radius: *radius };
            between_segments(&point, &own).distance
        };
        capsules.iter().map(of).fold(f64::INFINITY, f64::min)
    }

    fn total(capsules: &[Capsule]) -> f64 {
        capsules.iter().map(volume).sum()
    }

    #[test]
    fn a_plate_gets_several_capsules_that_hold_all_of_it() {
        let plate = cuboid([0.1, -0.2, 0.3], [0.4, 0.3, 0.06]);
        let one = capsule_around(&plate).unwrap();
        let several = capsules_around(&[&plate]);
        assert!((2..=MOST).contains(&several.len()), "{}", several.len());
        assert!(total(&several) < 0.6 * volume(&one), "{} {}", total(&several), volume(&one));
        for i in 0..=20 {
            for j in 0..=20 {
                for k in 0..=4 {
                    let part = |at: i32, most: i32| f64::from(at) / f64::from(most) - 0.5;
                    let x = [0.1 + 0.4 * part(i, 20), -0.2 + 0.3 * part(j, 20), 0.3 + 0.06 * part(k, 4)];
                    assert!(out_of(&several, Vec3(x)) < 1e-7, "{x:?}");
                }
            }
        }
    }

    #[test]
    fn a_slim_part_keeps_one_capsule() {
        let rod = cuboid([0.0; 3], [0.05, 0.05, 0.6]);
        assert_eq!(capsules_around(&[&rod]).len(), 1);
    }

    #[test]
    fn a_round_hull_that_is_cut_stays_inside() {
        let disc = (0..200).map(|k| {
            let (angle, side) = (std::f64::consts::TAU * f64::from(k % 100) / 100.0, f64::from(k / 100));
            [0.3 * angle.cos(), 0.3 * angle.sin(), 0.05 * side]
        });
        let points: Vec<[f64; 3]> = disc.collect();
        let several = capsules_around(&[&points]);
        assert!(several.len() > 1);
        assert!(total(&several) < 0.75 * volume(&capsule_around(&points).unwrap()));
        // All of the hull: between every two of its points.
        for a in points.iter().step_by(7) {
            for b in points.iter().step_by(11) {
                for part in [0.0, 0.25, 0.5, 0.75] {
                    let p = Vec3(*a).plus_scaled(part, Vec3(*b) - Vec3(*a));
                    assert!(out_of(&several, p) < 1e-7, "{p:?}");
                }
            }
        }
    }

    #[test]
    fn parts_keep_capsules_of_their_own_and_what_is_inside_another_gets_none() {
        let (arm, across) =
            (cuboid([0.0; 3], [0.05, 0.05, 0.6]), cuboid([0.25, 0.0, 0.28], [0.5, 0.05, 0.05]));
        let inside = cuboid([0.0, 0.0, 0.1], [0.02, 0.02, 0.1]);
        assert_eq!(capsules_around(&[&arm, &across, &inside]).len(), 2);
        let many: Vec<Vec<[f64; 3]>> =
            (0..12).map(|k| cuboid([f64::from(k) * 0.3, 0.0, 0.0], [0.05; 3])).collect();
        let many: Vec<&[[f64; 3]]> = many.iter().map(Vec::as_slice).collect();
        assert_eq!(capsules_around(&many).len(), MOST_PARTS);
        assert!(capsules_around(&[]).is_empty());
    }

    #[test]
    fn flat_and_single_points_are_no_trouble() {
        let flat: Vec<[f64; 3]> = cuboid([0.0; 3], [0.3, 0.3, 0.0]);
        for capsule in capsules_around(&[&flat, &[[1.0, 2.0, 3.0]]]) {
            assert!(
                capsule.radius.is_finite() && capsule.from.iter().chain(&capsule.to).all(|x| x.is_finite())
            );
        }
    }
}
