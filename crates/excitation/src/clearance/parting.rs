//! A plane that parts two bodies for a short time.
//!
//! Points p of a body move as p + τ ṗ, up to τ²/2 × their largest acceleration. Along a fixed normal n the body
//! reaches no farther than min n·(p + τ ṗ), which is a support of its shape: ṗ is a field of velocities, and so
//! n·(p + τ ṗ) is linear in p. As a least of linear functions it is concave in τ: both ends of a time say all of it. Of a
//! body inside two shapes, a capsule and a hull, the larger of the two supports holds at each end.
//! Near the moment where two bodies are nearest this is sharp to second order, while a bound by speeds is to first.

use steiner_dynamics::Mechanism;
use steiner_linalg::Vec3;
use steiner_robot::{Capsule, Pose};

use super::{Clearance, Pair, size};
use crate::hull::Corners;
use crate::shortest::{Segment, Shortest};

/// A mechanism at a moment, and how fast all of it can become within a short time.
pub(crate) struct Moment {
    placed: Vec<Pose<f64>>,
    segments: Vec<Segment>,
    /// Angular velocity and velocity of the origin of each capsule's frame, world axes.
    moving: Vec<(Vec3<f64>, Vec3<f64>)>,
    /// For each capsule a bound on the accelerations of its points over the time, m/s².
    accelerations: Vec<f64>,
    /// And of their speeds, m/s.
    speeds: Vec<f64>,
    /// Half the time, s.
    radius: f64,
}

/// Signals of a tree's coordinates about a moment.
pub(crate) struct Rates<'a> {
    /// Velocities at the moment.
    pub(crate) velocities: &'a [f64],
    /// Bounds on speeds over the time.
    pub(crate) speeds: &'a [f64],
    /// And on accelerations.
    pub(crate) accelerations: &'a [f64],
}

impl Clearance {
    /// What the capsules do about a moment: `fastest` bounds the speed of each capsule's points over the whole motion, m/s.
    pub(crate) fn moment(
        &self,
        mechanism: &Mechanism,
        q: &[f64],
        rates: &Rates<'_>,
        fastest: &[f64],
        radius: f64,
    ) -> Moment {
        let tree = mechanism.tree();
        let mut poses = Vec::new();
        tree.poses_at(q, &mut poses);
        let world = tree.world_poses(&poses);
        let columns = tree.jacobian(&poses);
        let placed = self.placed(mechanism, &world);
        let segments = self.segments(&placed);
        let moving = self.capsules.iter().zip(&placed).map(|(own, pose)| {
            let Some(body) = own.body else { return (Vec3::zero(), Vec3::zero()) };
            let segment = tree.segment_of_body[body];
            let (mut angular, mut linear) = (Vec3::zero(), Vec3::zero());
            for (column, &velocity) in columns[segment].iter().zip(&tree.ancestry[segment]) {
                angular = angular.plus_scaled(rates.velocities[velocity], column.angular);
                linear = linear.plus_scaled(rates.velocities[velocity], column.linear);
            }
            (pose.rotation.apply(angular), pose.rotation.apply(linear))
        });
        let moving = moving.collect();
        let mut accelerations = vec![0.0; self.capsules.len()];
        let mut speeds = accelerations.clone();
        for (k, own) in self.capsules.iter().enumerate() {
            let mut chain = Vec::new();
            let mut at = own.body.map(|body| tree.segment_of_body[body]);
            while let Some(index) = at {
                chain.push(index);
                at = tree.segments[index].parent;
            }
            // d/dt Σ q̇ f, with the field f of each coordinate at the point: q̈ f, turned by what is before it and by its own
            // segment, and changed by all motion before that moves the point.
            let (mut turned, around) = (0.0, self.around(k) + 2.0 * radius * fastest[k]);
            for index in chain.into_iter().rev() {
                let segment = &tree.segments[index];
                let origin = world[index].translation;
                let arm = size(segments[k].from - origin).max(size(segments[k].to - origin)) + around;
                let before: f64 = turned;
                for (c, column) in segment.columns.iter().enumerate() {
                    turned += rates.speeds[segment.velocity + c] * size(column.angular);
                }
                for (c, column) in segment.columns.iter().enumerate() {
                    let field = size(column.angular) * arm + size(column.linear);
                    let (speed, rate) =
                        (rates.speeds[segment.velocity + c], rates.accelerations[segment.velocity + c]);
                    speeds[k] += speed * field;
                    accelerations[k] += (rate + speed * (turned + before)) * field;
                }
            }
        }
        Moment { placed, segments, moving, accelerations, speeds, radius }
    }

    /// The distance of a pair less its margin at the moment, and a number that it does not fall below over the time, m.
    pub(crate) fn over(&self, pair: usize, moment: &Moment, warm: &mut super::Warm) -> (f64, f64) {
        let margin = self.margin + self.more[pair];
        let own = self.pairs[pair];
        let near = margin + self.far;
        let shortest = self.shortest(own, &moment.segments, &moment.placed, (warm, (near, f64::INFINITY)));
        let distance = shortest.distance - margin;
        let (a, b) = match own {
            Pair::Capsules(a, b) => (a, Some(b)),
            Pair::Obstacle(a, _) => (a, None),
        };
        let closing = moment.speeds[a] + b.map_or(0.0, |b| moment.speeds[b]);
        let by_speed = distance - moment.radius * closing;
        if by_speed > 0.0 && distance > self.far {
            return (distance, by_speed);
        }
        let bend = moment.accelerations[a] + b.map_or(0.0, |b| moment.accelerations[b]);
        let parted = |time: f64| self.parted(own, moment, &shortest, time);
        let ends = parted(-moment.radius).min(parted(moment.radius));
        let by_plane = ends - margin - 0.5 * moment.radius * moment.radius * bend;
        (distance, by_speed.max(by_plane))
    }

    /// How far two shapes are apart along the normal of their shortest line, after a time at the velocities of the moment.
    fn parted(&self, pair: Pair, moment: &Moment, shortest: &Shortest, time: f64) -> f64 {
        let normal = shortest.normal;
        let near = |capsule: usize, normal: Vec3<f64>| {
            let (pose, (angular, linear)) = (&moment.placed[capsule], moment.moving[capsule]);
            let turned = pose.rotation.apply_transposed(normal.plus_scaled(time, normal.cross(angular)));
            let (own, stretched) = (&self.capsules[capsule], size(turned));
            let along =
                |hull: &Corners| turned.dot(Vec3(hull.points[hull.least(turned)])) - hull.radius * stretched;
            let Capsule { from, to, radius } = own.capsule;
            // What counts of a capsule without a hull are the points of its axis, the radius about them is kept.
            let radius = if own.hull.is_some() { radius * stretched } else { radius };
            let inside = turned.dot(Vec3(from)).min(turned.dot(Vec3(to))) - radius;
            // Both hold the body, whose points are in both.
            let inside = match own.hull {
                Some(_) => inside.max(along(&self.hulls[capsule])),
                None => inside,
            };
            inside + normal.dot(pose.translation.plus_scaled(time, linear))
        };
        match pair {
            Pair::Capsules(a, b) => near(a, normal) + near(b, -normal),
            Pair::Obstacle(a, b) => near(a, normal) - self.obstacles[b].most_along(normal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clearance::{BodyCapsule, Obstacle, Warm};
    use crate::hull::Hull;
    use steiner_formats::{ReadOptions, read_robot};
    use steiner_linalg::Stream;

    #[test]
    fn no_distance_falls_below_what_is_said_of_a_short_time() {
        let mut random = Stream::new(21);
        // The SCARA has a joint that slides.
        for name in ["ur5", "scara_sr6ia"] {
            let arm = Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap();
            let any = |random: &mut Stream, size: f64| -> [f64; 3] {
                std::array::from_fn(|_| size * random.uniform())
            };
            let shapes: Vec<BodyCapsule> = (0..arm.dof())
                .map(|body| {
                    let points: Vec<[f64; 3]> = (0..12).map(|_| any(&mut random, 0.1)).collect();
                    let capsule = crate::capsules::capsule_around(&points).unwrap();
                    let hull = (body % 2 == 0).then_some(Hull { points, radius: 0.0 });
                    BodyCapsule { body: Some(body), capsule, hull }
                })
                .collect();
            let obstacles = vec![
                Obstacle::Plane { normal: [0.0, 0.6, 0.8], offset: -0.4 },
                Obstacle::Box { from: [0.3, 0.2, 0.1], to: [0.5, 0.6, 0.4] },
            ];
            let clearance = Clearance::new(&arm, shapes, obstacles, true, &[], 0.01);
            for case in 0..60 {
                let mut draw =
                    |size: f64| -> Vec<f64> { (0..arm.dof()).map(|_| size * random.uniform()).collect() };
                let (q, velocities, bend) = (draw(2.0), draw(2.0), draw(5.0));
                let radius = if case % 2 == 0 { 0.05 } else { 0.004 };
                let at = |t: f64| -> Vec<f64> {
                    (0..q.len()).map(|k| q[k] + t * velocities[k] + 0.5 * t * t * bend[k]).collect()
                };
                let accelerations: Vec<f64> = bend.iter().map(|a| a.abs()).collect();
                let speeds: Vec<f64> =
                    velocities.iter().zip(&accelerations).map(|(v, a)| v.abs() + radius * a).collect();
                // No point is farther than 2 m from a joint.
                let most = 2.0 * speeds.iter().sum::<f64>();
                let rates = Rates { velocities: &velocities, speeds: &speeds, accelerations: &accelerations };
                let fastest = vec![most; arm.dof()];
                let moment = clearance.moment(&arm, &q, &rates, &fastest, radius);
                let mut least = vec![f64::INFINITY; clearance.len()];
                for k in -20..=20 {
                    let found = clearance.distances(&arm, &at(radius * f64::from(k) / 20.0));
                    least.iter_mut().zip(found).for_each(|(least, found)| *least = least.min(found));
                }
                for (pair, least) in least.into_iter().enumerate() {
                    let (here, bound) = clearance.over(pair, &moment, &mut Warm::default());
                    // Beyond that distances are those of the capsules.
                    let bound = bound.min(clearance.far);
                    assert!(
                        bound <= least + 1e-9 && least <= here + 1e-9,
                        "{name} {case} {pair}: {bound} {least}"
                    );
                }
            }
        }
    }
}
