//! What loops and couplings make of the motions of several bodies, as candidates.
//!
//! The symmetric products Pᵢ ⊙ Qᵢ of points of bodies i add up to nothing if the points Qᵢ are one and the same
//! in space, always, and the Pᵢ add up to nothing. So points that two bodies share without a joint may be exchanged
//! between them, and among more bodies what lies between a direction they share and points in balance: fingers
//! that open alike, the links of a planar loop. Two more relations are of numbers, not of points: angular
//! velocities in a fixed ratio, and displacements from fixed points that are lifted alike.

use steiner_dynamics::{Column, Mechanism};
use steiner_linalg::Vec3;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_robot::{Coupling, Pose};
use steiner_scalar::Scalar;

use crate::point_motions::{PointMotions, ZERO_PIVOT, echelon, points, rates_of_bodies};
use crate::principles::{Candidate, Evidence, Point, block, direction, product};
use crate::reason::{Cause, Site};
use crate::supports::{gear_trains, loop_bodies};

/// Bodies of a loop or gear train among which points are put in balance: the states at hand tell four unknowns a body.
const MOST_BODIES: usize = 10;
/// Bodies of which each is compared with each, whether or not one loop or gear train has both.
const FEW_BODIES: usize = 16;

/// Bodies that one loop or one gear train ties together.
struct Tied {
    site: Site,
    bodies: Vec<usize>,
}

/// All candidates of this file; none for an open tree.
pub(crate) fn relation_candidates<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    mechanism: &Mechanism,
    evidence: &Evidence<'_, S>,
    motions: &[PointMotions<S>],
) {
    let sets = tied_sets(mechanism);
    let tree = evidence.tree;
    let world = |poses: &[Pose<S>]| -> Vec<Pose<S>> {
        let world = tree.world_poses(poses);
        tree.segment_of_body.iter().map(|&segment| world[segment]).collect()
    };
    let states: Vec<Vec<Pose<S>>> = evidence.states.iter().map(|state| world(&state.poses)).collect();
    if sets.is_empty() || states.is_empty() {
        return;
    }
    let mut involved: Vec<usize> = sets.iter().flat_map(|set| set.bodies.iter().copied()).collect();
    involved.sort_unstable();
    involved.dedup();
    let common = |a: usize, b: usize| {
        let both = sets.iter().filter(|set| set.bodies.contains(&a) && set.bodies.contains(&b));
        both.min_by_key(|set| set.bodies.len()).map(|set| set.site.clone())
    };
    let mut pairs = Vec::new();
    for (k, &a) in involved.iter().enumerate() {
        for &b in &involved[k + 1..] {
            let site = common(a, b);
            if site.is_some() || involved.len() <= FEW_BODIES {
                pairs.push((a, b, site));
            }
        }
    }
    let shared: Vec<Shared<S>> = pairs.iter().map(|(a, b, _)| Shared::new(&states, *a, *b)).collect();
    for ((a, b, site), shared) in pairs.iter().zip(&shared) {
        coincident_points(out, shared, (*a, *b), site.clone());
    }
    for set in sets.iter().filter(|set| (3..=MOST_BODIES).contains(&set.bodies.len())) {
        let own: Vec<&Shared<S>> =
            shared.iter().filter(|one| set.bodies.contains(&one.a) && set.bodies.contains(&one.b)).collect();
        for class in classes(&own, &set.bodies) {
            points_in_balance(out, &states, &class, &set.site);
        }
    }
    let rates = rates_of_bodies(tree, evidence.states);
    let speeds: Vec<Option<Speeds<S>>> =
        rates.iter().zip(motions).map(|(own, m)| Speeds::of(own, m)).collect();
    for (a, b, site) in &pairs {
        speeds_in_ratio(out, &speeds, (*a, *b), site.clone());
        lifted_alike(out, tree.gravity, &states, (*a, *b), site.clone());
    }
    for &body in involved.iter().filter(|&&body| motions[body].directions.is_empty()) {
        axes_on_a_cone(out, &rates[body], body);
    }
}

fn tied_sets(mechanism: &Mechanism) -> Vec<Tied> {
    let robot = mechanism.robot();
    let of_loop = |closure: &steiner_robot::LoopJoint| Tied {
        site: Site::Loop(closure.name.clone()),
        bodies: loop_bodies(mechanism, closure),
    };
    let of_train = |train: std::collections::BTreeSet<usize>| {
        let own = |coupling: &&Coupling| train.contains(&coupling.coordinate.body.0);
        let site = Site::Coupling(robot.couplings.iter().find(own)?.name.clone());
        Some(Tied { site, bodies: train.into_iter().collect() })
    };
    robot.loops.iter().map(of_loop).chain(gear_trains(mechanism).into_iter().filter_map(of_train)).collect()
}

/// The points that two bodies share in all states, each in both frames; the directions come last.
struct Shared<S> {
    a: usize,
    b: usize,
    points: Vec<(Point<S>, Point<S>)>,
}

impl<S: Scalar> Shared<S> {
    fn new(states: &[Vec<Pose<S>>], a: usize, b: usize) -> Self {
        let relative: Vec<Pose<S>> = states.iter().map(|state| state[a].inverse().then(&state[b])).collect();
        let points = stays(&relative).into_iter().map(|p| (seen(&relative[0], p), p)).collect();
        Shared { a, b, points }
    }

    /// The directions they share: none, one or three.
    fn directions(&self) -> SharedDirections<S> {
        let at_infinity = self.points.iter().filter(|(_, (_, weight))| *weight == S::zero());
        at_infinity.map(|((outer, _), (inner, _))| (*outer, *inner)).collect()
    }
}

/// The points that all of some poses take to one place.
fn stays<S: Scalar>(poses: &[Pose<S>]) -> Vec<Point<S>> {
    let mut rows = Matrix::zeros(0, 4);
    for pose in &poses[1..] {
        for r in 0..3 {
            let turned = |c: usize| pose.rotation.0[r][c] - poses[0].rotation.0[r][c];
            let carried = pose.translation[r] - poses[0].translation[r];
            rows.push_row(&[turned(0), turned(1), turned(2), carried]);
        }
    }
    points(rows)
}

fn seen<S: Scalar>(pose: &Pose<S>, (v, w): Point<S>) -> Point<S> {
    (pose.rotation.apply(v) + pose.translation.scale(w), w)
}

/// What two bodies may exchange where points of both coincide.
fn coincident_points<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    shared: &Shared<S>,
    (a, b): (usize, usize),
    site: Option<Site>,
) {
    for (i, (p_a, p_b)) in shared.points.iter().enumerate() {
        for (q_a, q_b) in &shared.points[i..] {
            let mut entries: Vec<(usize, S)> = block(a, product(*p_a, *q_a), -S::one()).collect();
            entries.extend(block(b, product(*p_b, *q_b), S::one()));
            out.push(Candidate::new(Cause::PointsCoincide, site.clone(), &[a, b], entries));
        }
    }
}

/// Directions that two bodies share, in the frame of the first and of the second.
type SharedDirections<S> = Vec<(Vec3<S>, Vec3<S>)>;

/// Bodies that share a direction, each with the direction in its frame.
type Class<S> = Vec<(usize, Vec3<S>)>;

/// Three bodies or more of a set that share a direction.
fn classes<S: Scalar>(shared: &[&Shared<S>], bodies: &[usize]) -> Vec<Class<S>> {
    let mut out: Vec<Class<S>> = Vec::new();
    for &a in bodies {
        let others: Vec<(usize, SharedDirections<S>)> =
            shared.iter().filter(|one| one.a == a).map(|one| (one.b, one.directions())).collect();
        let lines = others.iter().filter(|(_, d)| d.len() == 1).map(|(_, d)| d[0].0);
        let is_parallel = others.iter().any(|(_, d)| d.len() == 3);
        let any = (0..3).map(Vec3::unit).filter(|_| is_parallel);
        for line in lines.chain(any).collect::<Vec<_>>() {
            let is_known = out.iter().flatten().any(|(body, q)| *body == a && are_parallel(*q, line));
            if is_known {
                continue;
            }
            let mut class = vec![(a, line)];
            class.extend(others.iter().filter_map(|(b, d)| Some((*b, in_other(d, line)?))));
            if class.len() > 2 {
                out.push(class);
            }
        }
    }
    out
}

/// A direction of one body in the frame of another, if it is one that they share.
fn in_other<S: Scalar>(shared: &[(Vec3<S>, Vec3<S>)], line: Vec3<S>) -> Option<Vec3<S>> {
    match shared {
        [(outer, inner)] if are_parallel(*outer, line) => {
            let k = (0..3).find(|&k| outer[k].pivot_weight() > ZERO_PIVOT)?;
            Some(inner.scale(line[k] * outer[k].try_inv()?))
        }
        [_, _, _] => {
            let rows = Matrix::from_fn(3, 4, |r, c| if c < 3 { shared[c].0[r] } else { line[r] });
            let solved = reduce(rows, 3, ZERO_PIVOT);
            (solved.rank() == 3).then(|| {
                let parts = solved.pivots.iter().enumerate();
                parts.fold(Vec3::zero(), |sum, (r, &c)| sum.plus_scaled(solved.reduced[(r, 3)], shared[c].1))
            })
        }
        _ => None,
    }
}

fn are_parallel<S: Scalar>(a: Vec3<S>, b: Vec3<S>) -> bool {
    a.cross(b).0.iter().all(|x| x.pivot_weight() <= ZERO_PIVOT)
}

/// Points of bodies that add up to nothing, or to what is fixed in the base, with a direction of all of them.
fn points_in_balance<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    states: &[Vec<Pose<S>>],
    class: &Class<S>,
    site: &Site,
) {
    let count = class.len();
    let rotated = |state: &[Pose<S>], k: usize, r: usize, c: usize| state[class[k].0].rotation.0[r][c];
    let mut vectors = Matrix::zeros(0, 3 * count);
    let mut all = Matrix::zeros(0, 4 * count + 4);
    for state in states {
        for r in 0..4 {
            let of_body = |k: usize, c: usize| match (r, c) {
                (3, 3) => S::one(),
                (3, _) => S::zero(),
                (_, 3) => state[class[k].0].translation[r],
                _ => rotated(state, k, r, c),
            };
            let ground = (0..4).map(|c| if c == r { S::one() } else { S::zero() });
            if r < 3 {
                let row: Vec<S> = (0..3 * count).map(|c| rotated(state, c / 3, r, c % 3)).collect();
                vectors.push_row(&row);
            }
            let row: Vec<S> = (0..4 * count).map(|c| of_body(c / 4, c % 4)).chain(ground).collect();
            all.push_row(&row);
        }
    }
    let closes = matches!(site, Site::Loop(_));
    let links = if closes { Cause::PlanarLoopCarried } else { Cause::PointsInBalance };
    for (rows, size, cause) in [(vectors, 3, links), (all, 4, Cause::PointsInBalance)] {
        for relation in echelon_nullspace(rows) {
            let (mut entries, mut bodies) = (Vec::new(), Vec::new());
            let mut axis = None;
            for ((body, q), p) in class.iter().zip(relation.chunks_exact(size)) {
                if p.iter().any(|x| x.pivot_weight() > ZERO_PIVOT) {
                    let weight = if size == 4 { p[3] } else { S::zero() };
                    let point = (Vec3([p[0], p[1], p[2]]), weight);
                    entries.extend(block(*body, product(point, direction(*q)), S::one()));
                    bodies.push(*body);
                    axis = axis.or(Some(*q));
                }
            }
            if bodies.len() > 1 {
                let candidate = Candidate::new(cause, Some(site.clone()), &bodies, entries);
                out.push(Candidate { axis, ..candidate });
            }
        }
    }
}

/// Speeds of a body of which the energies are known apart: its angular velocity, or that along the one direction
/// in which it slides.
struct Speeds<S> {
    /// For each state and coordinate, the speeds: three, or one.
    rates: Vec<Vec<S>>,
    /// The direction in which it slides.
    slides: Option<Vec3<S>>,
}

impl<S: Scalar> Speeds<S> {
    /// `None` for a body that never turns and does not keep to one direction.
    fn of(rates: &[Vec<Column<S>>], motion: &PointMotions<S>) -> Option<Self> {
        let all = || rates.iter().flatten();
        if motion.directions.len() < 3 {
            return Some(Speeds { rates: all().map(|rate| rate.angular.0.to_vec()).collect(), slides: None });
        }
        let first = |v: Vec3<S>| (0..3).find(|&k| v[k].pivot_weight() > ZERO_PIVOT);
        let along = all().map(|rate| rate.linear).find(|v| first(*v).is_some())?;
        let along = along.scale(along[first(along)?].try_inv()?);
        if all().any(|rate| !are_parallel(rate.linear, along)) {
            return None;
        }
        Some(Speeds { rates: all().map(|rate| vec![rate.linear.dot(along)]).collect(), slides: Some(along) })
    }

    fn count(&self) -> usize {
        if self.slides.is_some() { 1 } else { 3 }
    }

    /// The change of the ten parameters whose energy is half the product of two sums of the speeds.
    fn energy(&self, p: &[S], q: &[S]) -> [S; 10] {
        match self.slides {
            None => about(Vec3([p[0], p[1], p[2]]), Vec3([q[0], q[1], q[2]])),
            Some(along) => {
                let mut mass = [S::zero(); 10];
                mass[0] = p[0] * q[0] * along.dot(along);
                mass
            }
        }
    }
}

/// Inertia behind speeds of two bodies that keep a ratio: T = ½ (ω·d)², or ½ m v².
fn speeds_in_ratio<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    speeds: &[Option<Speeds<S>>],
    (a, b): (usize, usize),
    site: Option<Site>,
) {
    let (Some(of_a), Some(of_b)) = (&speeds[a], &speeds[b]) else { return };
    let count = of_a.count();
    let mut rows = Matrix::zeros(0, count + of_b.count());
    for (first, second) in of_a.rates.iter().zip(&of_b.rates) {
        let row: Vec<S> = first.iter().copied().chain(second.iter().map(|x| -*x)).collect();
        rows.push_row(&row);
    }
    let found = echelon_nullspace(rows);
    let is_none = |v: &[S]| v.iter().all(|x| x.pivot_weight() <= ZERO_PIVOT);
    if found.iter().all(|x| is_none(&x[..count]) || is_none(&x[count..])) {
        return;
    }
    for (i, p) in found.iter().enumerate() {
        for q in &found[i..] {
            let mut entries: Vec<(usize, S)> =
                block(a, of_a.energy(&p[..count], &q[..count]), -S::one()).collect();
            entries.extend(block(b, of_b.energy(&p[count..], &q[count..]), S::one()));
            out.push(Candidate::new(Cause::SpeedsInRatio, site.clone(), &[a, b], entries));
        }
    }
}

/// Change of the ten parameters whose energy is half the product of two components of the angular velocity.
fn about<S: Scalar>(p: Vec3<S>, q: Vec3<S>) -> [S; 10] {
    let s = |a: usize, b: usize| (p[a] * q[b] + p[b] * q[a]).half();
    let o = S::zero();
    [o, o, o, o, s(0, 0), s(0, 1), s(1, 1), s(0, 2), s(1, 2), s(2, 2)]
}

/// Mass displaced from points that are fixed: of two bodies, what gravity feels alike.
fn lifted_alike<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    gravity: Vec3<S>,
    states: &[Vec<Pose<S>>],
    (a, b): (usize, usize),
    site: Option<Site>,
) {
    let fixed = |body: usize| {
        let poses: Vec<Pose<S>> = states.iter().map(|state| state[body]).collect();
        stays(&poses).into_iter().find(|(_, weight)| *weight != S::zero())
    };
    if gravity == Vec3::zero() {
        return;
    }
    let (Some(at_a), Some(at_b)) = (fixed(a), fixed(b)) else { return };
    let mut rows = Matrix::zeros(0, 7);
    for state in states {
        let down = |body: usize| state[body].rotation.apply_transposed(gravity).0;
        rows.push_row(&[&down(a)[..], &down(b)[..], &[S::one()]].concat());
    }
    for x in echelon_nullspace(rows) {
        let (of_a, of_b) = (Vec3([x[0], x[1], x[2]]), Vec3([x[3], x[4], x[5]]));
        let mut entries: Vec<(usize, S)> = block(a, product(at_a, direction(of_a)), S::one()).collect();
        entries.extend(block(b, product(at_b, direction(of_b)), S::one()));
        out.push(Candidate::new(Cause::LiftedAlike, site.clone(), &[a, b], entries));
    }
}

/// Inertia A with ωᵀAω = 0 wherever the axis of rotation goes: a cone of the second order in the body.
fn axes_on_a_cone<S: Scalar>(out: &mut Vec<Candidate<S>>, rates: &[Vec<Column<S>>], body: usize) {
    let mut rows = Matrix::zeros(0, 6);
    for turning in rates.iter().map(|all| all.iter().map(|rate| rate.angular).collect::<Vec<_>>()) {
        for (k, &p) in turning.iter().enumerate() {
            for &q in &turning[k..] {
                let cross = |a: usize, b: usize| p[a] * q[b] + p[b] * q[a];
                let row = [p[0] * q[0], cross(0, 1), p[1] * q[1], cross(0, 2), cross(1, 2), p[2] * q[2]];
                rows.push_row(&row);
            }
        }
    }
    for a in echelon_nullspace(rows) {
        let o = S::zero();
        let values = [o, o, o, o, a[0], a[1], a[2], a[3], a[4], a[5]];
        let entries = block(body, values, S::one()).collect();
        out.push(Candidate::new(Cause::AxesOnACone, None, &[body], entries));
    }
}

/// The nullspace by the one basis in reduced echelon form: the same in every scalar.
fn echelon_nullspace<S: Scalar>(rows: Matrix<S>) -> Vec<Vec<S>> {
    let columns = rows.columns();
    echelon(reduce(rows, columns, ZERO_PIVOT).nullspace(), columns)
}
