//! The distance of two convex hulls: the point nearest to the origin in the hull of all differences of their points.
//!
//! As Gilbert, Johnson and Keerthi look for it (1988): from a few differences (at most four) to the one that is nearest
//! along the way to the origin. The few are kept by Wolfe's rule for points of least norm (1976). The answer is a lower
//! bound, whatever rounding does: no difference is nearer along the normal.

use steiner_linalg::Vec3;
use steiner_robot::Pose;

use crate::hull::Corners;
use crate::shortest::Shortest;

/// Steps at most; a dozen is usual.
const STEPS: usize = 100;
/// A distance is found when nothing is nearer by more than this part of it.
const EXACT: f64 = 1e-10;
/// Hulls nearer than this touch, m.
const TOUCH: f64 = 1e-9;
/// Points nearer than this part of their distance to a line or plane are on it.
const FLAT: f64 = 1e-10;

/// A difference of two points.
#[derive(Clone, Copy)]
struct Corner {
    /// a − b.
    gap: Vec3<f64>,
    a: Vec3<f64>,
    b: Vec3<f64>,
    /// Their numbers.
    of: (usize, usize),
    /// Its part in the nearest point.
    part: f64,
}

/// Where a search begins: with the points of the hulls between which the answer was a moment before, or from a direction.
#[derive(Clone, Copy, Default)]
pub(crate) struct Warm {
    points: [(u32, u32); 4],
    count: u32,
}

impl Warm {
    fn points(&self) -> impl Iterator<Item = (usize, usize)> {
        self.points[..self.count as usize].iter().map(|&(a, b)| (a as usize, b as usize))
    }
}

/// The shortest line from hull `b`, placed in the frame of hull `a`, to that; in this frame. Negative where radii overlap;
/// less the radii where the hulls themselves do. Of hulls that are at least `enough` (m) apart nothing more is looked for:
/// the distance is then a lower bound.
pub(crate) fn hull_distance(
    a: &Corners,
    b: &Corners,
    placed: &Pose<f64>,
    (warm, enough): (&mut Warm, f64),
) -> Shortest {
    let corner = |of: (usize, usize)| {
        let (p, q) = (Vec3(a.points[of.0]), placed.point(Vec3(b.points[of.1])));
        Corner { gap: p - q, a: p, b: q, of, part: 0.0 }
    };
    let difference = |direction: Vec3<f64>| {
        corner((a.least(direction), b.least(placed.rotation.apply_transposed(-direction))))
    };
    let radii = a.radius + b.radius;
    let mut known = warm.points();
    let first = known.next().map_or_else(|| difference(-placed.translation), corner);
    let mut nearest = first.gap;
    let mut few = Few { corners: [first; 4], count: 1 };
    few.corners[0].part = 1.0;
    for of in known {
        few.push(corner(of));
        nearest = nearest_of(&mut few).unwrap_or(nearest);
    }
    let mut bound = 0.0f64;
    for _ in 0..STEPS {
        let square = nearest.dot(nearest);
        // The origin is within four corners.
        if square <= TOUCH * TOUCH || few.count == 4 {
            bound = 0.0;
            break;
        }
        let next = difference(nearest);
        let along = nearest.dot(next.gap);
        bound = bound.max(along / square.sqrt());
        if square - along <= EXACT * square || bound - radii >= enough {
            break;
        }
        few.push(next);
        let Some(better) = nearest_of(&mut few) else { break };
        // Rounding ends it.
        if !(better.dot(better) < square) {
            break;
        }
        nearest = better;
    }
    let length = nearest.dot(nearest).sqrt();
    let normal = if length > TOUCH { nearest.scale(1.0 / length) } else { Vec3::unit(2) };
    let sum = |of: &dyn Fn(&Corner) -> Vec3<f64>| {
        few.all().iter().fold(Vec3::zero(), |sum, corner| sum.plus_scaled(corner.part, of(corner)))
    };
    warm.count = few.count as u32;
    let points = few.all().iter().map(|corner| (corner.of.0 as u32, corner.of.1 as u32));
    warm.points.iter_mut().zip(points).for_each(|(warm, of)| *warm = of);
    Shortest { distance: bound - radii, normal, points: [sum(&|c| c.a), sum(&|c| c.b)] }
}

/// One to four corners.
struct Few {
    corners: [Corner; 4],
    count: usize,
}

impl Few {
    fn all(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    fn push(&mut self, corner: Corner) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    fn remove(&mut self, k: usize) {
        self.corners.copy_within(k + 1..self.count, k);
        self.count -= 1;
    }
}

/// The point nearest to the origin in the hull of a few; leaves those that it is made of, with their parts. `None` if the
/// last one adds nothing.
fn nearest_of(few: &mut Few) -> Option<Vec3<f64>> {
    loop {
        let Some(wanted) = parts_of_nearest(few.all()) else {
            // The last one is where others are already.
            few.count -= 1;
            return None;
        };
        // As far from the parts that they have to those wanted as none becomes negative.
        let mut step = 1.0;
        let mut first = None;
        for (k, (corner, wanted)) in few.all().iter().zip(&wanted).enumerate() {
            if *wanted <= 0.0 {
                let until = corner.part / (corner.part - wanted).max(f64::MIN_POSITIVE);
                if first.is_none() || until < step {
                    (step, first) = (until.min(1.0), Some(k));
                }
            }
        }
        let count = few.count;
        few.corners[..count]
            .iter_mut()
            .zip(&wanted)
            .for_each(|(c, wanted)| c.part += step * (wanted - c.part));
        match first {
            Some(k) => few.remove(k),
            None => {
                return Some(few.all().iter().fold(Vec3::zero(), |sum, c| sum.plus_scaled(c.part, c.gap)));
            }
        }
    }
}

/// Parts of one to four points in the point nearest to the origin of the line, plane or space through them.
fn parts_of_nearest(few: &[Corner]) -> Option<[f64; 4]> {
    let p = few[0].gap;
    let side = |k: usize| few[k].gap - p;
    Some(match few.len() {
        1 => [1.0, 0.0, 0.0, 0.0],
        2 => {
            let u = side(1);
            let uu = u.dot(u);
            if !(uu > 0.0) {
                return None;
            }
            let s = -u.dot(p) / uu;
            [1.0 - s, s, 0.0, 0.0]
        }
        3 => {
            let (u, v) = (side(1), side(2));
            let normal = u.cross(v);
            let area = normal.dot(normal);
            if !(area > FLAT * FLAT * u.dot(u) * v.dot(v)) {
                return None;
            }
            let (s, t) = (v.cross(p).dot(normal) / area, p.cross(u).dot(normal) / area);
            [1.0 - s - t, s, t, 0.0]
        }
        _ => {
            let (u, v, w) = (side(1), side(2), side(3));
            let volume = u.dot(v.cross(w));
            if !(volume.powi(2) > FLAT * FLAT * u.dot(u) * v.dot(v) * w.dot(w)) {
                return None;
            }
            let back = -p;
            let [r, s, t] =
                [back.dot(v.cross(w)), u.dot(back.cross(w)), u.dot(v.cross(back))].map(|part| part / volume);
            [1.0 - r - s - t, r, s, t]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::Hull;
    use crate::shortest::{Segment, between_segments};
    use steiner_linalg::{Mat3, Stream};
    use steiner_robot::Capsule;

    fn distance_of(a: &Hull, b: &Hull, placed: &Pose<f64>, warm: &mut Warm) -> Shortest {
        hull_distance(&Corners::from(a), &Corners::from(b), placed, (warm, f64::INFINITY))
    }

    fn any(random: &mut Stream, size: f64) -> Vec3<f64> {
        Vec3(std::array::from_fn(|_| size * random.normal()))
    }

    fn cloud(random: &mut Stream, count: usize) -> Hull {
        Hull { points: (0..count).map(|_| any(random, 0.1).0).collect(), radius: 0.01 }
    }

    fn placed(random: &mut Stream, away: f64) -> Pose<f64> {
        let turn = any(random, 1.0);
        let whole = (1.0 + turn.dot(turn)).sqrt();
        let rotation = Mat3::from_quaternion(1.0 / whole, turn.scale(1.0 / whole));
        Pose { rotation, translation: any(random, away) }
    }

    #[test]
    fn boxes_face_each_other_with_faces_edges_and_corners() {
        let cube = Hull {
            points: (0..8).map(|k| std::array::from_fn(|i| f64::from(k >> i & 1))).collect(),
            radius: 0.0,
        };
        let moved = |by: [f64; 3]| Pose { rotation: Mat3::identity(), translation: Vec3(by) };
        let distance = |by: [f64; 3]| distance_of(&cube, &cube, &moved(by), &mut Warm::default()).distance;
        for (by, wanted) in [
            ([1.5, 0.2, -0.3], 0.5),
            ([1.3, 1.4, 0.6], 0.5),
            ([-1.2, 1.3, 1.6], 0.7),
            ([0.9, 0.0, 0.0], 0.0),
            ([0.0, 0.0, 0.0], 0.0),
        ] {
            assert!((distance(by) - wanted).abs() < 1e-9, "{by:?}: {}", distance(by));
        }
    }

    #[test]
    fn no_point_is_nearer_than_the_distance_and_two_are_as_near() {
        let mut random = Stream::new(11);
        let mut apart = 0;
        for case in 0..3000 {
            let (a, b) = (cloud(&mut random, 1 + case % 40), cloud(&mut random, 1 + case % 31));
            let pose = placed(&mut random, 0.4);
            let mut warm = Warm::default();
            let mut found = distance_of(&a, &b, &pose, &mut warm);
            if case % 2 == 0 {
                let turned = placed(&mut random, 0.4);
                distance_of(&a, &b, &turned, &mut warm);
                found = distance_of(&a, &b, &pose, &mut warm);
            }
            let [p, q] = found.points;
            let gap = (p - q).dot(p - q).sqrt();
            if found.distance + 0.02 <= 0.0 {
                assert!(gap < 1e-8, "{case}: {gap}");
                continue;
            }
            apart += 1;
            assert!((gap - 0.02 - found.distance).abs() < 1e-9, "{case}: {gap} {}", found.distance);
            // The planes through the two points part the hulls.
            let least = a.points.iter().map(|x| found.normal.dot(Vec3(*x) - p)).fold(f64::INFINITY, f64::min);
            let most =
                b.points.iter().map(|x| found.normal.dot(pose.point(Vec3(*x)) - q)).fold(-1.0, f64::max);
            assert!(least > -1e-9 && most < 1e-9, "{case}: {least} {most}");
        }
        assert!(apart > 1000, "{apart}");
    }

    #[test]
    fn hulls_that_are_far_enough_apart_get_a_lower_bound() {
        let mut random = Stream::new(17);
        let mut bounds = 0;
        for case in 0..2000 {
            let (a, b) = (cloud(&mut random, 1 + case % 40), cloud(&mut random, 1 + case % 31));
            let pose = placed(&mut random, 0.4);
            let exact = distance_of(&a, &b, &pose, &mut Warm::default()).distance;
            let enough = 0.5 * random.uniform().abs();
            let from = (&mut Warm::default(), enough);
            let found = hull_distance(&Corners::from(&a), &Corners::from(&b), &pose, from).distance;
            assert!(found <= exact + 1e-9 && found >= exact.min(enough) - 1e-9, "{case}: {found} {exact}");
            bounds += usize::from(found < exact - 1e-6);
        }
        assert!(bounds > 100, "{bounds}");
    }

    #[test]
    fn hulls_of_capsules_are_as_far_apart_as_capsules() {
        let mut random = Stream::new(5);
        for _ in 0..1000 {
            let ends: [Vec3<f64>; 4] = std::array::from_fn(|_| any(&mut random, 1.0));
            let hull =
                |k: usize| Hull::of_capsule(&Capsule { from: ends[k].0, to: ends[k + 1].0, radius: 0.1 });
            let line = |k: usize| Segment { from: ends[k], to: ends[k + 1], radius: 0.1 };
            let exact = between_segments(&line(0), &line(2)).distance;
            let found = distance_of(&hull(0), &hull(2), &Pose::identity(), &mut Warm::default()).distance;
            assert!((exact - found).abs() < 1e-8, "{exact} {found}");
        }
    }
}
