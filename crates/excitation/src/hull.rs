//! Convex hulls of bodies: few points whose hull, widened by a radius, holds all of a body.
//!
//! Which points: those farthest from the hull of the others, until what sticks out is little. That is the radius: the
//! distance from a convex set is convex, so no point between those of the body sticks out more.

use std::collections::BinaryHeap;

use steiner_linalg::Vec3;
use steiner_robot::{Capsule, Pose};

use crate::clearance::Obstacle;
use crate::hull_distance::{Warm, hull_distance};

/// What may stick out of the hull of the points, relative to the body's size.
const LITTLE: f64 = 0.006;
/// Points at most.
const MOST: usize = 96;

/// The convex hull of points, widened by a radius.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// In the body's frame; on the ground, in the base's, m.
    pub points: Vec<[f64; 3]>,
    /// m.
    pub radius: f64,
}

impl Hull {
    /// One that holds all points; `None` without any.
    pub fn around(points: &[[f64; 3]]) -> Option<Self> {
        let first = points.first()?;
        let side = |k: usize| {
            let along = points.iter().map(|p| p[k]);
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let sides = [side(0), side(1), side(2)];
        let size = sides.iter().map(|(low, high)| (high - low).powi(2)).sum::<f64>().sqrt();
        let point = |point: [f64; 3]| Corners::from(&Hull { points: vec![point], radius: 0.0 });
        let mut hull = point(*first);
        // How far each point is from the hull at most: distances only shrink as it grows. Sizes of no sign are in the
        // order of their bits.
        let mut open: BinaryHeap<(u64, usize)> = (0..points.len()).map(|k| (f64::MAX.to_bits(), k)).collect();
        while let Some((_, k)) = open.pop() {
            let from = (&mut Warm::default(), f64::INFINITY);
            let gap = hull_distance(&hull, &point(points[k]), &Pose::identity(), from).distance.max(0.0);
            match open.peek() {
                Some((next, _)) if gap < f64::from_bits(*next) => open.push((gap.to_bits(), k)),
                // It is the farthest.
                _ if gap > LITTLE * size && hull.points.len() < MOST => hull.push(points[k]),
                _ => {
                    // Distances are found to nine digits.
                    hull.radius = gap + 1e-9 * size;
                    break;
                }
            }
        }
        Some(Hull { points: hull.points, radius: hull.radius })
    }

    /// A ball rolled along a line.
    pub(crate) fn of_capsule(capsule: &Capsule) -> Self {
        Hull { points: vec![capsule.from, capsule.to], radius: capsule.radius }
    }

    /// The corners of a box.
    pub(crate) fn of_obstacle(obstacle: &Obstacle) -> Option<Self> {
        let Obstacle::Box { from, to } = obstacle else { return None };
        let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 1 { to[i] } else { from[i] });
        Some(Hull { points: (0..8).map(corner).collect(), radius: 0.0 })
    }
}

/// The points of a hull, laid out for the search of the one that is least far along a direction.
#[derive(Clone, Debug)]
pub(crate) struct Corners {
    pub(crate) points: Vec<[f64; 3]>,
    /// Coordinates of four points each, as processors read them; the last point fills up the last four.
    fours: Vec<[[f64; 4]; 3]>,
    /// m.
    pub(crate) radius: f64,
}

impl From<&Hull> for Corners {
    fn from(hull: &Hull) -> Self {
        let mut out = Corners { points: Vec::new(), fours: Vec::new(), radius: hull.radius };
        hull.points.iter().for_each(|point| out.push(*point));
        out
    }
}

impl Corners {
    fn push(&mut self, point: [f64; 3]) {
        let lane = self.points.len() % 4;
        match self.fours.last_mut().filter(|_| lane > 0) {
            Some(four) => (0..3).for_each(|k| four[k][lane..].fill(point[k])),
            None => self.fours.push(point.map(|x| [x; 4])),
        }
        self.points.push(point);
    }

    /// Which point is least far along a direction: the first of several.
    #[inline]
    pub(crate) fn least(&self, direction: Vec3<f64>) -> usize {
        let (mut least, mut at) = ([f64::INFINITY; 4], [0.0f64; 4]);
        let mut number = 0.0;
        for [x, y, z] in &self.fours {
            for lane in 0..4 {
                let here = direction[0] * x[lane] + direction[1] * y[lane] + direction[2] * z[lane];
                let better = here < least[lane];
                least[lane] = if better { here } else { least[lane] };
                at[lane] = if better { number } else { at[lane] };
            }
            number += 4.0;
        }
        let mut best = (f64::INFINITY, 0);
        for lane in 0..4 {
            let here = (least[lane], at[lane] as usize + lane);
            let better = here.0 < best.0 || here.0 == best.0 && here.1 < best.1;
            best = if better { here } else { best };
        }
        best.1.min(self.points.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steiner_linalg::Stream;

    /// How far points reach along a direction.
    fn support(points: &[[f64; 3]], d: Vec3<f64>) -> f64 {
        points.iter().map(|p| d.dot(Vec3(*p))).fold(f64::NEG_INFINITY, f64::max)
    }

    fn direction(random: &mut Stream) -> Vec3<f64> {
        let d = Vec3([random.normal(), random.normal(), random.normal()]);
        d.scale(1.0 / d.dot(d).sqrt())
    }

    #[test]
    fn the_least_of_any_number_of_corners_is_the_first_of_the_least() {
        let mut random = Stream::new(9);
        for count in 1..30 {
            let any = |random: &mut Stream| (3.0 * random.uniform()).round();
            let points: Vec<[f64; 3]> =
                (0..count).map(|_| std::array::from_fn(|_| any(&mut random))).collect();
            let corners = Corners::from(&Hull { points: points.clone(), radius: 0.0 });
            for _ in 0..20 {
                let d = Vec3(std::array::from_fn(|_| any(&mut random)));
                let along = |k: &usize| d.dot(Vec3(points[*k]));
                let least = (0..count).min_by(|a, b| along(a).total_cmp(&along(b))).unwrap();
                assert!(corners.least(d) == least || along(&least) == along(&corners.least(d)));
                assert!((0..corners.least(d)).all(|k| along(&k) > along(&corners.least(d))));
            }
        }
    }

    #[test]
    fn a_hull_of_few_points_holds_all_and_little_more() {
        let mut random = Stream::new(3);
        let bean = (0..4000).map(|_| {
            let d = direction(&mut random);
            [0.1 * d[0], 0.06 * d[1] + 0.05 * d[0].abs(), 0.2 * d[2] + 0.3]
        });
        let bean: Vec<[f64; 3]> = bean.collect();
        let hull = Hull::around(&bean).unwrap();
        assert!(hull.points.len() <= MOST && hull.radius < 0.01, "{} {}", hull.points.len(), hull.radius);
        for _ in 0..2000 {
            let d = direction(&mut random);
            let (inner, all) = (support(&hull.points, d), support(&bean, d));
            assert!(inner <= all && all <= inner + hull.radius, "{inner} {all} {}", hull.radius);
        }
    }

    #[test]
    fn a_box_is_its_corners_however_often_they_are_given() {
        let corner = |k: usize| std::array::from_fn(|i| if k >> i & 1 == 1 { 0.3 } else { -0.1 });
        let hull = Hull::around(&(0..48).map(corner).collect::<Vec<_>>()).unwrap();
        assert!(hull.points.len() == 8 && hull.radius < 1e-8, "{hull:?}");
        assert!(Hull::around(&[]).is_none());
        assert_eq!(Hull::around(&[[1.0, 2.0, 3.0]; 5]).unwrap().points, [[1.0, 2.0, 3.0]]);
    }
}
