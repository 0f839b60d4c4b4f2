//! Distances that must stay positive: those of the robot's bodies from each other, from planes and from boxes.
//!
//! A body is one capsule or several. Where a capsule is much fatter than what it is around, it has the convex hull of
//! that: the distance of the capsules then says which hulls are far apart, and that of the hulls counts.

mod parting;

use steiner_dynamics::Mechanism;
use steiner_linalg::Vec3;
use steiner_robot::{Capsule, Pose};

pub(crate) use parting::Rates;

use crate::hull::{Corners, Hull};
use crate::hull_distance::{Warm, hull_distance};
use crate::shortest::{Ball, Segment, Shortest, between_segments, to_obstacle};

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

impl Obstacle {
    /// How far it reaches along a direction; planes along their normal.
    fn most_along(&self, direction: Vec3<f64>) -> f64 {
        match self {
            Obstacle::Plane { offset, .. } => *offset,
            Obstacle::Box { from, to } => {
                (0..3).map(|k| (direction[k] * from[k]).max(direction[k] * to[k])).sum()
            }
        }
    }
}

/// A capsule of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyCapsule {
    /// The body, by its index; `None`: fixed to the ground.
    pub body: Option<usize>,
    /// In the body's frame; on the ground, in the base's.
    pub capsule: Capsule,
    /// What it is around, if the capsule is too fat.
    pub hull: Option<Hull>,
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

/// Pairs are looked at up to this multiple of what counts.
const FARTHER: f64 = 2.0;
/// Barriers of this weight reach as far as any; and how far the lightest ones reach, relative to that.
const HEAVY: f64 = 0.1;
const LEAST_REACH: f64 = 0.25;

/// All distances that count.
#[derive(Clone, Debug)]
pub(crate) struct Clearance {
    capsules: Vec<BodyCapsule>,
    obstacles: Vec<Obstacle>,
    /// Of capsules that are not too fat themselves, and of boxes; planes have none.
    hulls: Vec<Corners>,
    boxes: Vec<Option<Corners>>,
    pairs: Vec<Pair>,
    /// What is kept, m.
    margin: f64,
    /// What each pair keeps besides, m.
    more: Vec<f64>,
    /// Distances beyond this do not count, m.
    far: f64,
}

/// A line of a pair that is short enough to count.
pub(crate) struct Close {
    /// The pair, by its number.
    pair: usize,
    /// Less the margin, m.
    pub(crate) distance: f64,
    normal: Vec3<f64>,
    points: [Vec3<f64>; 2],
    /// What the line is between.
    warm: Warm,
}

/// What is known before lines are looked for at a time.
pub(crate) struct Before<'a> {
    /// For one pair each, from a time a moment before.
    pub(crate) warm: &'a mut [Warm],
    /// Lines at this time of a motion that is much like it, in the order of their pairs.
    pub(crate) close: &'a [Close],
    /// What is taken off what is kept, m.
    pub(crate) given: f64,
    /// Distances beyond this do not count, m.
    pub(crate) reach: f64,
    /// What the distances less the margin of all other pairs are at least, m, where that is known.
    pub(crate) others: Option<f64>,
}

/// Lines at a time that are short enough to count.
#[derive(Default)]
pub(crate) struct Found {
    /// In the order of their pairs.
    pub(crate) close: Vec<Close>,
    /// What the distances less the margin of all other pairs are at least, m.
    pub(crate) others: f64,
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
        let own = |own: &BodyCapsule| match &own.hull {
            Some(hull) => Corners::from(hull),
            None => Corners::from(&Hull::of_capsule(&own.capsule)),
        };
        let hulls = capsules.iter().map(own).collect();
        let boxes =
            obstacles.iter().map(|own| Hull::of_obstacle(own).map(|hull| Corners::from(&hull))).collect();
        let more = vec![0.0; pairs.len()];
        Clearance { capsules, obstacles, hulls, boxes, pairs, margin, more, far }
    }

    /// Distance that is kept, m.
    pub(crate) fn margin(&self) -> f64 {
        self.margin
    }

    /// Keeps the distances of the bodies with this name larger, m.
    pub(crate) fn keep_more(&mut self, mechanism: &Mechanism, name: &str, more: f64) {
        for pair in
            (0..self.pairs.len()).filter(|&pair| self.name(mechanism, pair) == name).collect::<Vec<_>>()
        {
            self.more[pair] += more;
        }
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
        self.distances_at(mechanism, &world, 0..self.pairs.len())
    }

    /// Second derivative of `barrier` at a distance that counts.
    pub(crate) fn bend(&self, distance: f64) -> f64 {
        distance.powi(-2)
    }

    /// Distances beyond this do not count for barriers of a weight, m: the lighter they are the nearer a motion comes
    /// before they push.
    pub(crate) fn reach(&self, barrier: f64) -> f64 {
        if barrier > 0.0 { self.far * (barrier / HEAVY).cbrt().clamp(LEAST_REACH, 1.0) } else { 0.0 }
    }

    /// −log of a distance that counts, smoothly zero where it is as far as barriers reach.
    pub(crate) fn barrier(&self, distance: f64, reach: f64) -> f64 {
        let part = distance / reach;
        part - 1.0 - part.ln()
    }

    /// Every line that is short enough to count where the joints are; `None` where a distance is used up or loops cannot
    /// be closed.
    pub(crate) fn find_close(&self, mechanism: &Mechanism, q: &[f64], before: Before<'_>) -> Option<Found> {
        let Before { warm, close: known, given, reach, others } = before;
        // What others keep is enough: only those known to be near are looked at.
        let others = others.filter(|others| *others >= reach);
        let mut out =
            Found { close: Vec::with_capacity(known.len() + 2), others: others.unwrap_or(f64::INFINITY) };
        if others.is_some() && known.is_empty() {
            return Some(out);
        }
        let world = world_poses(mechanism, q)?;
        let placed = self.placed(mechanism, &world);
        let segments = self.segments(&placed);
        let balls: Vec<Ball> = segments.iter().map(Ball::around).collect();
        let mut look_at = |number: usize, warm: &mut Warm| -> Option<()> {
            let pair = self.pairs[number];
            let margin = self.margin + self.more[number] - given;
            let gap = match pair {
                Pair::Capsules(a, b) => balls[a].gap(&balls[b]),
                Pair::Obstacle(a, b) => balls[a].gap_to(&self.obstacles[b]),
            };
            // A little farther than what counts, for a motion that is much like this one.
            let enough = margin + FARTHER * reach;
            if gap >= enough {
                out.others = out.others.min(gap - margin);
                return Some(());
            }
            let Shortest { distance, normal, points } =
                self.shortest(pair, &segments, &placed, (warm, (enough, enough)));
            let distance = distance - margin;
            match distance < reach {
                true => out.close.push(Close { pair: number, distance, normal, points, warm: *warm }),
                false => out.others = out.others.min(distance),
            }
            (distance > 0.0).then_some(())
        };
        if others.is_some() {
            for known in known {
                look_at(known.pair, &mut { known.warm })?;
            }
        } else {
            let mut known = known.iter().peekable();
            for (number, warm) in warm.iter_mut().enumerate() {
                if let Some(known) = known.next_if(|known| known.pair == number) {
                    *warm = known.warm;
                }
                look_at(number, warm)?;
            }
        }
        Some(out)
    }

    /// Derivatives of lines that were found where the joints are, along the independent velocities.
    pub(crate) fn slopes(
        &self,
        mechanism: &Mechanism,
        q: &[f64],
        close: &[Close],
        mut each: impl FnMut(f64, &[f64]),
    ) {
        if close.is_empty() {
            return;
        }
        let tree = mechanism.tree();
        let closed;
        let (tree_q, reduction) = if mechanism.is_plain_tree() {
            (q, None)
        } else {
            let Ok(found) = mechanism.tree_configuration(q) else { return };
            closed = found;
            let Ok(z) = mechanism.closure().velocities(mechanism.plan(), &closed) else { return };
            (&closed[..], Some(z))
        };
        let mut poses = Vec::new();
        tree.poses_at(tree_q, &mut poses);
        let world = tree.world_poses(&poses);
        // Fields of all velocities about the origin of the base, base axes.
        let mut fields = vec![(Vec3::zero(), Vec3::zero()); tree.dof];
        for (segment, pose) in tree.segments.iter().zip(&world) {
            for (column, field) in segment.columns.iter().zip(&mut fields[segment.velocity..]) {
                let angular = pose.rotation.apply(column.angular);
                let linear = pose.rotation.apply(column.linear) + pose.translation.cross(angular);
                *field = (angular, linear);
            }
        }
        let mut slopes = vec![0.0; tree.dof];
        for Close { pair, distance, normal, points, .. } in close {
            slopes.fill(0.0);
            let mut push = |capsule: usize, point: Vec3<f64>, by: f64| {
                let Some(body) = self.capsules[capsule].body else { return };
                let moment = point.cross(*normal);
                for &velocity in &tree.ancestry[tree.segment_of_body[body]] {
                    let (angular, linear) = fields[velocity];
                    slopes[velocity] += by * (normal.dot(linear) + moment.dot(angular));
                }
            };
            let pair = self.pairs[*pair];
            push(pair.first(), points[0], 1.0);
            if let Pair::Capsules(_, b) = pair {
                push(b, points[1], -1.0);
            }
            match &reduction {
                Some(z) => each(*distance, &z.transpose().apply(&slopes)),
                None => each(*distance, &slopes),
            }
        }
    }

    /// Derivative of `barrier` at a distance that counts.
    pub(crate) fn slope(&self, distance: f64, reach: f64) -> f64 {
        1.0 / reach - 1.0 / distance
    }

    /// For each capsule a bound on how fast its points move, m/s, from bounds on the speeds of a tree's
    /// coordinates and on the distance of each segment's origin from that of the segment before, m.
    pub(crate) fn fastest(&self, mechanism: &Mechanism, speeds: &[f64], reaches: &[f64]) -> Vec<f64> {
        let tree = mechanism.tree();
        let of = |capsule: usize| {
            let Capsule { from, to, .. } = &self.capsules[capsule].capsule;
            let mut arm = size(Vec3(*from)).max(size(Vec3(*to))) + self.around(capsule);
            let mut sum = 0.0;
            let mut at = self.capsules[capsule].body.map(|body| tree.segment_of_body[body]);
            while let Some(index) = at {
                let segment = &tree.segments[index];
                for (k, column) in segment.columns.iter().enumerate() {
                    sum += speeds[segment.velocity + k] * (size(column.angular) * arm + size(column.linear));
                }
                arm += reaches[index];
                at = segment.parent;
            }
            sum
        };
        (0..self.capsules.len()).map(of).collect()
    }

    /// For each velocity how far a unit of its coordinate carries any point at most, m.
    pub(crate) fn levers(&self, mechanism: &Mechanism, reaches: &[f64]) -> Vec<f64> {
        let dof = mechanism.tree().dof;
        let of = |velocity: usize| {
            let alone: Vec<f64> = (0..dof).map(|k| f64::from(u8::from(k == velocity))).collect();
            self.fastest(mechanism, &alone, reaches).into_iter().fold(0.0, f64::max)
        };
        (0..dof).map(of).collect()
    }

    /// How far points whose distance counts are from the axis of a capsule at most, m.
    fn around(&self, capsule: usize) -> f64 {
        let own = &self.capsules[capsule];
        if own.hull.is_some() { own.capsule.radius } else { 0.0 }
    }

    /// Distances of some pairs less the margin, m, where the segments are.
    pub(crate) fn distances_at(
        &self,
        mechanism: &Mechanism,
        world: &[Pose<f64>],
        pairs: impl Iterator<Item = usize>,
    ) -> Vec<f64> {
        let placed = self.placed(mechanism, world);
        let segments = self.segments(&placed);
        let of = |k: usize| {
            let near = self.margin + self.more[k] + self.far;
            let from = (&mut Warm::default(), (near, f64::INFINITY));
            self.shortest(self.pairs[k], &segments, &placed, from).distance - self.margin - self.more[k]
        };
        pairs.map(of).collect()
    }

    /// Where the frame of each capsule is.
    fn placed(&self, mechanism: &Mechanism, world: &[Pose<f64>]) -> Vec<Pose<f64>> {
        let place = |own: &BodyCapsule| match own.body {
            Some(body) => world[mechanism.tree().segment_of_body[body]],
            None => Pose::identity(),
        };
        self.capsules.iter().map(place).collect()
    }

    fn segments(&self, placed: &[Pose<f64>]) -> Vec<Segment> {
        let of = |(own, pose): (&BodyCapsule, &Pose<f64>)| {
            let Capsule { from, to, radius } = own.capsule;
            Segment { from: pose.point(Vec3(from)), to: pose.point(Vec3(to)), radius }
        };
        self.capsules.iter().zip(placed).map(of).collect()
    }

    /// The shortest line of a pair: that of the hulls, if there are any and the capsules are nearer than `near`. Hulls that
    /// are at least `enough` apart get a lower bound.
    fn shortest(
        &self,
        pair: Pair,
        segments: &[Segment],
        placed: &[Pose<f64>],
        (warm, (near, enough)): (&mut Warm, (f64, f64)),
    ) -> Shortest {
        let (rough, is_close) = match pair {
            Pair::Capsules(a, b) => (
                between_segments(&segments[a], &segments[b]),
                self.capsules[a].hull.is_some() || self.capsules[b].hull.is_some(),
            ),
            Pair::Obstacle(a, b) => {
                (to_obstacle(&segments[a], &self.obstacles[b]), self.capsules[a].hull.is_some())
            }
        };
        if !is_close || rough.distance >= near {
            return rough;
        }
        let own = &placed[pair.first()];
        let hull = &self.hulls[pair.first()];
        let along = own.rotation.apply_transposed(rough.normal);
        let found = match pair {
            Pair::Capsules(_, b) => {
                hull_distance(hull, &self.hulls[b], &own.inverse().then(&placed[b]), (warm, enough))
            }
            Pair::Obstacle(_, b) => match (&self.boxes[b], &self.obstacles[b]) {
                (Some(corners), _) => hull_distance(hull, corners, &own.inverse(), (warm, enough)),
                (None, Obstacle::Plane { offset, .. }) => {
                    let point = Vec3(hull.points[hull.least(along)]);
                    let distance = rough.normal.dot(own.point(point)) - offset - hull.radius;
                    Shortest { distance, normal: along, points: [point, point] }
                }
                (None, Obstacle::Box { .. }) => return rough,
            },
        };
        // Both hold the body: what is between them counts.
        if found.distance <= rough.distance {
            return rough;
        }
        let points = found.points.map(|point| own.point(point));
        Shortest { distance: found.distance, normal: own.rotation.apply(found.normal), points }
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
