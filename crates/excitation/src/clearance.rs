//! Distances that must stay positive: capsules of the robot from each other, from planes and from boxes.

use steiner_dynamics::Mechanism;
use steiner_linalg::Vec3;
use steiner_robot::{Capsule, Pose};

/// What stands around the robot, in the base frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// Everything behind a plane: points x with normal · x < offset.
    Plane {
        /// Unit normal, pointing to where the robot may be.
        normal: [f64; 3],
        /// Distance of the plane from the base's origin along the normal, m.
        offset: f64,
    },
    /// A box with faces along the base's axes.
    Box {
        /// Least coordinates, m.
        from: [f64; 3],
        /// Greatest coordinates, m.
        to: [f64; 3],
    },
}

/// A capsule of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyCapsule {
    /// The body, by its index; `None`: fixed to the ground.
    pub body: Option<usize>,
    /// In the body's frame; on the ground, in the base's.
    pub capsule: Capsule,
}

/// Two bodies, by their indices; `None` is the ground.
pub type BodyPair = (Option<usize>, Option<usize>);

/// The name of a body, or of the ground.
pub fn body_name(mechanism: &Mechanism, body: Option<usize>) -> &str {
    body.map_or("the base", |body| &mechanism.robot().bodies[body].name)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pair {
    Capsules(usize, usize),
    Obstacle(usize, usize),
}

impl Pair {
    fn first(self) -> usize {
        match self {
            Pair::Capsules(a, _) | Pair::Obstacle(a, _) => a,
        }
    }
}

pub(crate) fn size(v: Vec3<f64>) -> f64 {
    v.dot(v).sqrt()
}

/// All distances that count.
#[derive(Clone, Debug)]
pub(crate) struct Clearance {
    capsules: Vec<BodyCapsule>,
    obstacles: Vec<Obstacle>,
    pairs: Vec<Pair>,
    /// What is kept, m.
    margin: f64,
    /// Distances beyond this do not count, m.
    far: f64,
}

/// The shortest line between two shapes.
pub(crate) struct Shortest {
    /// Negative where radii overlap.
    pub(crate) distance: f64,
    /// From the second shape to the first, world axes.
    normal: Vec3<f64>,
    /// On the axis of the first capsule, and of the second if there is one; world.
    points: [Vec3<f64>; 2],
}

/// A capsule in the world.
#[derive(Clone, Copy)]
pub(crate) struct Segment {
    pub(crate) from: Vec3<f64>,
    pub(crate) to: Vec3<f64>,
    pub(crate) radius: f64,
}

impl Clearance {
    /// Pairs of bodies that a joint joins touch all the time and don't count; nor do those listed.
    pub(crate) fn new(
        mechanism: &Mechanism,
        capsules: Vec<BodyCapsule>,
        obstacles: Vec<Obstacle>,
        self_collision: bool,
        ignored: &[BodyPair],
        margin: f64,
    ) -> Self {
        let bodies = &mechanism.robot().bodies;
        let carries = |a: Option<usize>, b: Option<usize>| {
            b.is_some_and(|b| bodies[b].parent.map(|parent| parent.0) == a)
        };
        let joined = |a: Option<usize>, b: Option<usize>| {
            let looped = mechanism.robot().loops.iter().any(|closure| {
                let sides = [closure.predecessor.body.map(|b| b.0), closure.successor.body.map(|b| b.0)];
                sides == [a, b] || sides == [b, a]
            });
            a == b || carries(a, b) || carries(b, a) || looped
        };
        let left_out =
            |a: Option<usize>, b: Option<usize>| ignored.contains(&(a, b)) || ignored.contains(&(b, a));
        let mut pairs = Vec::new();
        for a in 0..capsules.len() {
            let body = capsules[a].body;
            if self_collision {
                for b in 0..a {
                    let other = capsules[b].body;
                    if !joined(body, other) && !left_out(body, other) {
                        pairs.push(Pair::Capsules(a, b));
                    }
                }
            }
            // What is mounted on the ground stays there.
            let moves =
                body.is_some_and(|body| bodies[body].parent.is_some() || bodies[body].joint.kind.dof() > 1);
            pairs.extend((0..obstacles.len()).filter(|_| moves).map(|b| Pair::Obstacle(a, b)));
        }
        let far = margin + 0.2 * mechanism.length_scale().max(0.1);
        Clearance { capsules, obstacles, pairs, margin, far }
    }

    /// Distance that is kept, m.
    pub(crate) fn margin(&self) -> f64 {
        self.margin
    }

    /// Keeps all distances larger, m.
    pub(crate) fn keep_more(&mut self, more: f64) {
        self.margin += more;
    }

    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The bodies of a pair, the lesser index first; `None` where one side is an obstacle.
    pub(crate) fn bodies(&self, pair: usize) -> Option<BodyPair> {
        let Pair::Capsules(a, b) = self.pairs[pair] else { return None };
        let (a, b) = (self.capsules[a].body, self.capsules[b].body);
        Some((a.min(b), a.max(b)))
    }

    /// Names of a pair, for people.
    pub(crate) fn name(&self, mechanism: &Mechanism, pair: usize) -> String {
        let body = |capsule: usize| body_name(mechanism, self.capsules[capsule].body);
        match self.pairs[pair] {
            Pair::Capsules(a, b) => format!("{} and {}", body(b), body(a)),
            Pair::Obstacle(a, b) => match &self.obstacles[b] {
                Obstacle::Plane { .. } => format!("{} and plane {}", body(a), b + 1),
                Obstacle::Box { .. } => format!("{} and box {}", body(a), b + 1),
            },
        }
    }

    /// Distances of all pairs less the margin, m.
    pub(crate) fn distances(&self, mechanism: &Mechanism, q: &[f64]) -> Vec<f64> {
        let Some(world) = world_poses(mechanism, q) else { return vec![f64::NEG_INFINITY; self.pairs.len()] };
        self.distances_at(mechanism, &world)
    }

    /// Second derivative of `barrier` at a distance that counts.
    pub(crate) fn bend(&self, distance: f64) -> f64 {
        distance.powi(-2)
    }

    /// −log of a distance, smoothly zero where it is far; `None` where it is used up.
    pub(crate) fn barrier(&self, distance: f64) -> Option<f64> {
        let part = distance / self.far;
        match part {
            part if part >= 1.0 => Some(0.0),
            part if part > 0.0 => Some(part - 1.0 - part.ln()),
            _ => None,
        }
    }

    /// Every distance that is near enough to count, less the margin, with its derivatives along the independent
    /// velocities.
    pub(crate) fn near(&self, mechanism: &Mechanism, q: &[f64], mut each: impl FnMut(f64, &[f64])) {
        let tree = mechanism.tree();
        let closed;
        let (tree_q, reduction) = if mechanism.is_plain_tree() {
            (q, None)
        } else {
            let Ok(found) = mechanism.tree_configuration(q) else { return };
            closed = found;
            let still = vec![0.0; mechanism.dof()];
            let Ok((z, _)) = mechanism.closure().reduction(mechanism.plan(), &closed, &still) else { return };
            (&closed[..], Some(z))
        };
        let mut poses = Vec::new();
        tree.poses_at(tree_q, &mut poses);
        let world = tree.world_poses(&poses);
        let segments = self.segments(mechanism, &world);
        let mut jacobian = None;
        let mut slopes = vec![0.0; tree.dof];
        for &pair in &self.pairs {
            let shortest = self.shortest(pair, &segments);
            let distance = shortest.distance - self.margin;
            if distance >= self.far || distance <= 0.0 {
                continue;
            }
            let columns = jacobian.get_or_insert_with(|| tree.jacobian(&poses));
            slopes.fill(0.0);
            let mut push = |capsule: usize, point: Vec3<f64>, by: f64| {
                let Some(body) = self.capsules[capsule].body else { return };
                let segment = tree.segment_of_body[body];
                let pose = &world[segment];
                let local = pose.rotation.apply_transposed(point - pose.translation);
                let normal = pose.rotation.apply_transposed(shortest.normal);
                for (column, &velocity) in columns[segment].iter().zip(&tree.ancestry[segment]) {
                    slopes[velocity] += by * normal.dot(column.linear + column.angular.cross(local));
                }
            };
            push(pair.first(), shortest.points[0], 1.0);
            if let Pair::Capsules(_, b) = pair {
                push(b, shortest.points[1], -1.0);
            }
            match &reduction {
                Some(z) => each(distance, &z.transpose().apply(&slopes)),
                None => each(distance, &slopes),
            }
        }
    }

    /// Adds the derivative of all barriers along the velocities, times a weight.
    pub(crate) fn add_gradient(&self, mechanism: &Mechanism, q: &[f64], weight: f64, out: &mut [f64]) {
        self.near(mechanism, q, |distance, slopes| {
            let by = weight * (1.0 / self.far - 1.0 / distance);
            out.iter_mut().zip(slopes).for_each(|(out, slope)| *out += by * slope);
        });
    }

    /// For each capsule a bound on how fast its points move, m/s, from bounds on the speeds of a tree's
    /// coordinates and on the distance of each segment's origin from that of the segment before, m.
    pub(crate) fn fastest(&self, mechanism: &Mechanism, speeds: &[f64], reaches: &[f64]) -> Vec<f64> {
        self.moving(mechanism, speeds, |capsule, segments| {
            let Capsule { from, to, .. } = &self.capsules[capsule].capsule;
            let own = size(Vec3(*from)).max(size(Vec3(*to)));
            let mut arm = own;
            segments
                .iter()
                .map(|&segment| {
                    let here = arm;
                    arm += reaches[segment];
                    here
                })
                .collect()
        })
    }

    /// As `fastest` over a short time: `drift` (m) is how far points get within it from where they are at `q`.
    pub(crate) fn fastest_near(
        &self,
        mechanism: &Mechanism,
        world: &[Pose<f64>],
        speeds: &[f64],
        drift: &[f64],
    ) -> Vec<f64> {
        let ends = self.segments(mechanism, world);
        self.moving(mechanism, speeds, |capsule, segments| {
            let Segment { from, to, .. } = ends[capsule];
            let arm = |&segment: &usize| {
                let origin = world[segment].translation;
                size(from - origin).max(size(to - origin)) + 2.0 * drift[capsule]
            };
            segments.iter().map(arm).collect()
        })
    }

    /// Σ speed × (turn × arm + slide) over what moves each capsule; arms are asked for from the capsule's own
    /// segment to the root, m.
    fn moving(
        &self,
        mechanism: &Mechanism,
        speeds: &[f64],
        arms: impl Fn(usize, &[usize]) -> Vec<f64>,
    ) -> Vec<f64> {
        let tree = mechanism.tree();
        let of = |capsule: usize| {
            let mut chain = Vec::new();
            let mut at = self.capsules[capsule].body.map(|body| tree.segment_of_body[body]);
            while let Some(index) = at {
                chain.push(index);
                at = tree.segments[index].parent;
            }
            let mut sum = 0.0;
            for (&index, arm) in chain.iter().zip(arms(capsule, &chain)) {
                let segment = &tree.segments[index];
                for (k, column) in segment.columns.iter().enumerate() {
                    sum += speeds[segment.velocity + k] * (size(column.angular) * arm + size(column.linear));
                }
            }
            sum
        };
        (0..self.capsules.len()).map(of).collect()
    }

    /// How fast the distance of a pair changes at most where capsules move so fast, m/s.
    pub(crate) fn closing(&self, pair: usize, fastest: &[f64]) -> f64 {
        match self.pairs[pair] {
            Pair::Capsules(a, b) => fastest[a] + fastest[b],
            Pair::Obstacle(a, _) => fastest[a],
        }
    }

    /// Distances of all pairs less the margin, m, where the segments are.
    pub(crate) fn distances_at(&self, mechanism: &Mechanism, world: &[Pose<f64>]) -> Vec<f64> {
        let segments = self.segments(mechanism, world);
        self.pairs.iter().map(|pair| self.shortest(*pair, &segments).distance - self.margin).collect()
    }

    fn segments(&self, mechanism: &Mechanism, world: &[Pose<f64>]) -> Vec<Segment> {
        self.capsules
            .iter()
            .map(|BodyCapsule { body, capsule }| {
                let place = |point: [f64; 3]| match body {
                    Some(body) => world[mechanism.tree().segment_of_body[*body]].point(Vec3(point)),
                    None => Vec3(point),
                };
                Segment { from: place(capsule.from), to: place(capsule.to), radius: capsule.radius }
            })
            .collect()
    }

    fn shortest(&self, pair: Pair, segments: &[Segment]) -> Shortest {
        match pair {
            Pair::Capsules(a, b) => between_segments(&segments[a], &segments[b]),
            Pair::Obstacle(a, b) => to_obstacle(&segments[a], &self.obstacles[b]),
        }
    }
}

/// Poses of all segments; `None` where loops cannot be closed.
pub(crate) fn world_poses(mechanism: &Mechanism, q: &[f64]) -> Option<Vec<Pose<f64>>> {
    let tree = mechanism.tree();
    let mut poses = Vec::new();
    if mechanism.is_plain_tree() {
        tree.poses_at(q, &mut poses);
    } else {
        tree.poses_at(&mechanism.tree_configuration(q).ok()?, &mut poses);
    }
    Some(tree.world_poses(&poses))
}

pub(crate) fn between_segments(a: &Segment, b: &Segment) -> Shortest {
    let (u, v, w) = (a.to - a.from, b.to - b.from, a.from - b.from);
    let (uu, uv, vv, uw, vw) = (u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w));
    let det = uu * vv - uv * uv;
    let mut s = if det > 1e-12 * uu * vv { ((uv * vw - vv * uw) / det).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = if vv > 0.0 { (uv * s + vw) / vv } else { 0.0 };
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if uu > 0.0 { ((uv * t - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    }
    let points = [a.from.plus_scaled(s, u), b.from.plus_scaled(t, v)];
    let gap = points[0] - points[1];
    let length = gap.dot(gap).sqrt();
    let normal = if length > 0.0 { gap.scale(1.0 / length) } else { Vec3::unit(2) };
    Shortest { distance: length - a.radius - b.radius, normal, points }
}

fn to_obstacle(segment: &Segment, obstacle: &Obstacle) -> Shortest {
    match obstacle {
        Obstacle::Plane { normal, offset } => {
            let normal = Vec3(*normal);
            let height = |p: Vec3<f64>| normal.dot(p) - offset;
            let (a, b) = (height(segment.from), height(segment.to));
            let (lowest, point) = if a < b { (a, segment.from) } else { (b, segment.to) };
            Shortest { distance: lowest - segment.radius, normal, points: [point, point] }
        }
        Obstacle::Box { from, to } => {
            let outside = |p: Vec3<f64>| -> Vec3<f64> {
                Vec3(std::array::from_fn(|k| p[k] - p[k].clamp(from[k], to[k])))
            };
            let along = segment.to - segment.from;
            let at = |s: f64| segment.from.plus_scaled(s, along);
            // The squared distance is convex along a segment, and its slope linear between the places where
            // the segment crosses the planes of the faces.
            let slope = |s: f64| outside(at(s)).dot(along);
            let mut places = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            for k in 0..3 {
                for (face, plane) in [from[k], to[k]].into_iter().enumerate() {
                    let s = (plane - segment.from[k]) / along[k];
                    places[2 + 2 * k + face] = if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.0 };
                }
            }
            places.sort_by(f64::total_cmp);
            let mut best = 1.0;
            let mut before = (0.0, slope(0.0));
            if before.1 >= 0.0 {
                best = 0.0;
            } else {
                for place in places {
                    let here = (place, slope(place));
                    if here.1 >= 0.0 {
                        best = before.0 + (here.0 - before.0) * before.1 / (before.1 - here.1);
                        break;
                    }
                    before = here;
                }
            }
            let point = at(best);
            let gap = outside(point);
            let length = gap.dot(gap).sqrt();
            let normal = if length > 0.0 { gap.scale(1.0 / length) } else { Vec3::unit(2) };
            Shortest { distance: length - segment.radius, normal, points: [point, point] }
        }
    }
}
