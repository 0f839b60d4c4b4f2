//! The robot a calibrated one stands for: axes that are almost aligned, aligned.
//!
//! Calibration never leaves axes exactly parallel, perpendicular or meeting. Going outward from the base,
//! each axis takes the direction of the first one it is almost parallel to, is made perpendicular to those it
//! almost is, and is moved to the point or the line it almost passes through. What is corrected at a joint moves
//! all behind it: a tilt of one joint is no misalignment of the next, a metre away. All in rational numbers, in
//! frames parallel to the base at zero, so that what is aligned is aligned exactly.

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Frame, JointKind, Pose, Robot};
use steiner_scalar::{Exact, Rational};

/// Axes closer to parallel or perpendicular than this are meant to be, rad.
pub(crate) const ALMOST_PARALLEL: f64 = 1e-3;
/// Axes that pass each other closer than this are meant to meet, m.
pub(crate) const ALMOST_MEETING: f64 = 1e-4;
/// Below this, rad or m, two axes are aligned but for rounding.
const ALIGNED: f64 = 1e-12;

/// A robot with its axes aligned, and what had to move.
pub(crate) struct Aligned {
    pub(crate) robot: Robot,
    /// For each body, its frame in the aligned robot, in base axes at zero: only displaced.
    pub(crate) origins: Vec<[f64; 3]>,
    /// For each body, where its own frame goes when the joints before it are aligned, at zero.
    pub(crate) poses: Vec<Pose<f64>>,
    /// For each body, what was wrong with its joint; empty for those that were aligned.
    pub(crate) corrections: Vec<Vec<Misalignment>>,
}

/// By how much the axis of a joint misses an alignment it almost has.
#[derive(Clone, Debug, PartialEq)]
pub struct Misalignment {
    /// Name of the joint.
    pub joint: String,
    /// What it is almost aligned with.
    pub with: Reference,
    /// What the axes almost do.
    pub kind: MisalignmentKind,
    /// The angle, rad, or the distance, m.
    pub size: f64,
}

/// What an axis is almost aligned with.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    /// The direction of gravity.
    Gravity,
    /// The axis of this joint.
    Joint(String),
}

/// An alignment that is missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MisalignmentKind {
    /// Almost parallel, rad.
    Parallel,
    /// Almost perpendicular, rad.
    Perpendicular,
    /// The axes almost meet, m.
    Meeting,
}

/// Aligns the axes of a robot without loops; `world` are its bodies at zero. `None` if a joint is compound.
pub(crate) fn aligned(robot: &Robot, world: &[Pose<f64>]) -> Option<Aligned> {
    let mut directions: Vec<(Reference, Direction)> = Vec::new();
    let gravity = robot.gravity_vector();
    if gravity.iter().any(|x| *x != 0.0) {
        directions.push((Reference::Gravity, exact(Vec3(gravity))?));
    }
    let mut parts = robot.clone().into_parts();
    let (mut origins, mut corrections) = (Vec::new(), Vec::new());
    let mut poses: Vec<Pose<f64>> = Vec::new();
    let mut axes: Vec<Axis> = Vec::new();
    for (k, body) in robot.bodies.iter().enumerate() {
        let joint = &body.joint;
        if matches!(joint.kind, JointKind::Compound(_)) {
            return None;
        }
        let (before, parent) = match body.parent {
            Some(parent) => (world[parent.0], poses[parent.0]),
            None => (Pose::identity(), Pose::identity()),
        };
        let placement = joint.placement.pose();
        // From the joint to its body, at zero.
        let behind = before.then(&placement).inverse().then(&world[k]);
        let mut frame = parent.then(&placement);
        let local = |v: &[Exact; 3]| -> Option<Vec3<f64>> {
            Some(Vec3([v[0].to_f64().ok()?, v[1].to_f64().ok()?, v[2].to_f64().ok()?]))
        };
        let mut wrong = Vec::new();
        let direction = frame.rotation.apply(local(&joint.axis)?);
        let along = match joint.kind.has_axis() {
            true => place_direction(&mut directions, &joint.name, unit(direction), &mut wrong)?,
            false => exact(Vec3([0.0, 0.0, 1.0]))?,
        };
        if joint.kind.has_axis() {
            let towards = along.clone().map(|x| x.to_f64().value());
            frame.rotation = shortest_turn(unit(direction), unit(Vec3(towards))) * frame.rotation;
        }
        let kind = match &joint.kind {
            JointKind::Universal { axis2 } => {
                let second = frame.then(&behind).rotation.apply(local(axis2)?);
                let second = place_direction(&mut directions, &joint.name, unit(second), &mut wrong)?;
                JointKind::Universal { axis2: second.map(Exact::rational) }
            }
            kind => kind.clone(),
        };
        let origin = place_point(robot, &axes, k, &along, frame.translation, &mut wrong)?;
        let from = body.parent.map_or_else(zero, |parent| axes[parent.0].point.clone());
        let aligned_joint = &mut parts.bodies[k].joint;
        aligned_joint.kind = kind;
        aligned_joint.axis = along.clone().map(Exact::rational);
        aligned_joint.placement = Frame::translation(difference(&origin, &from).map(Exact::rational));
        aligned_joint.body_frame = Frame::identity();
        let at = Vec3(origin.clone().map(|x| x.to_f64().value()));
        let moved = at - frame.translation;
        // The new origin may be anywhere on the axis; the body is moved across it only.
        let across = match Lines::of(&joint.kind) {
            Lines::Line => {
                let along = unit(Vec3(along.clone().map(|x| x.to_f64().value())));
                moved.plus_scaled(-moved.dot(along), along)
            }
            _ => moved,
        };
        origins.push(at.0);
        poses.push(Pose { translation: frame.translation + across, ..frame }.then(&behind));
        corrections.push(wrong);
        axes.push(Axis {
            name: joint.name.clone(),
            direction: along,
            point: origin,
            lines: Lines::of(&joint.kind),
        });
    }
    Some(Aligned { robot: Robot::from_parts(parts).ok()?, origins, poses, corrections })
}

/// A direction or a point, exactly.
type Direction = [Rational; 3];

/// What a joint turns about.
#[derive(Clone, Copy, PartialEq)]
enum Lines {
    /// A line: revolute and screw joints.
    Line,
    /// A point: universal and spherical ones.
    Point,
    /// Only a direction.
    None,
}

impl Lines {
    fn of(kind: &JointKind) -> Self {
        match kind {
            JointKind::Revolute
            | JointKind::Continuous
            | JointKind::Helical { .. }
            | JointKind::Cylindrical => Lines::Line,
            JointKind::Universal { .. } | JointKind::Spherical => Lines::Point,
            _ => Lines::None,
        }
    }
}

/// The axis of a joint in base axes at zero.
struct Axis {
    name: String,
    direction: Direction,
    point: Direction,
    lines: Lines,
}

/// The direction of an axis among those known: that of the first it is almost parallel to, or one
/// perpendicular to those it almost is.
fn place_direction(
    known: &mut Vec<(Reference, Direction)>,
    name: &str,
    found: Vec3<f64>,
    wrong: &mut Vec<Misalignment>,
) -> Option<Direction> {
    let own = exact(found)?;
    let mut across: Vec<(&Reference, &Direction)> = Vec::new();
    let missed = |with: &Reference, kind: MisalignmentKind, size: f64| Misalignment {
        joint: name.to_owned(),
        with: with.clone(),
        kind,
        size,
    };
    for (other, direction) in known.iter() {
        let cosine = cosine(&own, direction);
        let tilt = cosine.abs().min(1.0).acos();
        if tilt < ALMOST_PARALLEL || cosine.abs() > 1.0 - 1e-7 {
            let tilt = sine(&own, direction);
            if tilt < ALMOST_PARALLEL {
                if tilt > ALIGNED {
                    wrong.push(missed(other, MisalignmentKind::Parallel, tilt));
                }
                return Some(if cosine < 0.0 { direction.clone().map(|x| -x) } else { direction.clone() });
            }
        }
        if cosine.abs() < ALMOST_PARALLEL && across.len() < 2 {
            across.push((other, direction));
        }
    }
    let placed = match across[..] {
        [(_, a), (_, b), ..] if sine(a, b) > ALMOST_PARALLEL => {
            let normal = cross(a, b);
            let reversed = dot(&normal, &own) < Rational::ZERO;
            if reversed { normal.map(|x| -x) } else { normal }
        }
        [(_, a), ..] => across_of(a, found)?,
        [] => unit_near(found)?,
    };
    let tilt = sine(&own, &placed);
    if let Some((other, _)) = across.first().filter(|_| tilt > ALIGNED) {
        wrong.push(missed(other, MisalignmentKind::Perpendicular, tilt));
    }
    known.push((Reference::Joint(name.to_owned()), placed.clone()));
    Some(placed)
}

/// A rational unit vector: no field has to round it.
fn unit_near(found: Vec3<f64>) -> Option<Direction> {
    // From the pole on the other side: (2u, 2w, 1 − u² − w²) over 1 + u² + w².
    let away = if found[2] < 0.0 { -1.0 } else { 1.0 };
    let [u, w, _] =
        exact(Vec3([found[0] / (1.0 + away * found[2]), found[1] / (1.0 + away * found[2]), 0.0]))?;
    let squares = &u * &u + &w * &w;
    let up = if away < 0.0 { &squares - Rational::ONE } else { Rational::ONE - &squares };
    Some([&u + &u, &w + &w, up].map(|x| x / (Rational::ONE + &squares)))
}

/// The direction across another that is nearest to what was found: a rational unit
/// vector where the other is one.
fn across_of(other: &Direction, found: Vec3<f64>) -> Option<Direction> {
    let Some([x, y, z]) = unit_of(other) else {
        let own = exact(found)?;
        let factor = dot(&own, other) / dot(other, other);
        return Some(difference(&own, &other.clone().map(|x| x * &factor)));
    };
    // The shortest turn of ±z to the other takes x and y across it.
    let side = if z < Rational::ZERO { -Rational::ONE } else { Rational::ONE };
    let (x, y, z) = (&x * &side, &y * &side, &z * &side);
    let tall = Rational::ONE + &z;
    let first = [Rational::ONE - &x * &x / &tall, -(&x * &y / &tall), -x.clone()];
    let second = [-(&x * &y / &tall), Rational::ONE - &y * &y / &tall, -y.clone()];
    let along = |v: &Direction| (0..3).map(|k| v[k].to_f64().value() * found[k]).sum::<f64>();
    let (c, s) = (along(&first), along(&second));
    let turned = if c < 0.0 { -1.0 } else { 1.0 };
    let [t, _, _] = exact(Vec3([s / (c + turned * c.hypot(s)), 0.0, 0.0]))?;
    let norm = Rational::ONE + &t * &t;
    let sign = if turned < 0.0 { -Rational::ONE } else { Rational::ONE };
    let (c, s) = (&sign * (Rational::ONE - &t * &t) / &norm, &sign * (&t + &t) / &norm);
    Some([0, 1, 2].map(|k| &first[k] * &c + &second[k] * &s))
}

/// A direction of length one, if that is rational for certain.
fn unit_of(direction: &Direction) -> Option<Direction> {
    if dot(direction, direction) == Rational::ONE {
        return Some(direction.clone());
    }
    let mut along = direction.iter().enumerate().filter(|(_, x)| **x != Rational::ZERO);
    let (axis, _) = along.next().filter(|_| along.next().is_none())?;
    let mut unit = zero();
    unit[axis] = if direction[axis] < Rational::ZERO { -Rational::ONE } else { Rational::ONE };
    Some(unit)
}

/// Where the frame of a joint goes: onto the line or the point of a joint before
/// it that its axis almost meets.
fn place_point(
    robot: &Robot,
    axes: &[Axis],
    body: usize,
    along: &Direction,
    found: Vec3<f64>,
    wrong: &mut Vec<Misalignment>,
) -> Option<Direction> {
    let own = exact(found)?;
    let lines = Lines::of(&robot.bodies[body].joint.kind);
    let name = &robot.bodies[body].joint.name;
    if lines == Lines::None {
        return Some(own);
    }
    let mut ancestor = robot.bodies[body].parent;
    while let Some(at) = ancestor {
        let axis = &axes[at.0];
        let placed = match (axis.lines, lines) {
            (Lines::None, _) => None,
            (Lines::Point, _) => Some(axis.point.clone()),
            (Lines::Line, Lines::Line) if sine(&axis.direction, along) > ALMOST_PARALLEL => {
                Some(nearest_to_line(axis, &own, along))
            }
            (Lines::Line, _) => Some(foot(&own, &axis.point, &axis.direction)),
        };
        // Where its ancestor meets others, it is meant to meet all of them.
        let is_near = |at: &Direction| length(&difference(at, &axis.point)) < ALMOST_MEETING;
        if let Some(placed) = placed.map(|at| if is_near(&at) { axis.point.clone() } else { at }) {
            let away = match lines {
                Lines::Line => length(&difference(&foot(&placed, &own, along), &placed)),
                _ => length(&difference(&placed, &own)),
            };
            if away < ALMOST_MEETING {
                if away > ALIGNED {
                    let (joint, with) = (name.clone(), Reference::Joint(axis.name.clone()));
                    wrong.push(Misalignment { joint, with, kind: MisalignmentKind::Meeting, size: away });
                }
                return Some(placed);
            }
        }
        // Through a joint that only slides, what was fixed before it may still matter.
        let slides = matches!(robot.bodies[at.0].joint.kind, JointKind::Prismatic);
        ancestor = if slides || axis.lines != Lines::None { robot.bodies[at.0].parent } else { None };
    }
    Some(own)
}

/// The point of an axis that is nearest to a line.
fn nearest_to_line(axis: &Axis, point: &Direction, direction: &Direction) -> Direction {
    let normal = cross(&axis.direction, direction);
    let to = difference(point, &axis.point);
    // (to × direction) · normal / |normal|² along the axis.
    let factor = dot(&cross(&to, direction), &normal) / dot(&normal, &normal);
    let step = axis.direction.clone().map(|x| x * &factor);
    [0, 1, 2].map(|k| &axis.point[k] + &step[k])
}

/// The foot of a point on a line.
fn foot(point: &Direction, on: &Direction, direction: &Direction) -> Direction {
    let factor = dot(&difference(point, on), direction) / dot(direction, direction);
    [0, 1, 2].map(|k| &on[k] + &direction[k] * &factor)
}

/// The shortest turn of a direction onto another, both of unit length: 1 + k^ + k^² / (1 + c) with k = a × b.
fn shortest_turn(from: Vec3<f64>, to: Vec3<f64>) -> Mat3<f64> {
    let skew = from.cross(to).skew();
    let factor = 1.0 / (1.0 + from.dot(to));
    let square = skew * skew;
    Mat3(std::array::from_fn(|r| {
        std::array::from_fn(|c| f64::from(u8::from(r == c)) + skew.0[r][c] + factor * square.0[r][c])
    }))
}

fn unit(v: Vec3<f64>) -> Vec3<f64> {
    let length = v.dot(v).sqrt();
    Vec3([v[0] / length, v[1] / length, v[2] / length])
}

/// Fifteen decimals: what a double says reliably.
fn exact(v: Vec3<f64>) -> Option<Direction> {
    let digits = |x: f64| {
        let scaled = (x * 1e15).round();
        (scaled.abs() < 9e18)
            .then(|| Rational::from(scaled as i64) / Rational::from(1_000_000_000_000_000i64))
    };
    Some([digits(v[0])?, digits(v[1])?, digits(v[2])?])
}

fn zero() -> Direction {
    [Rational::ZERO, Rational::ZERO, Rational::ZERO]
}

fn dot(a: &Direction, b: &Direction) -> Rational {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Direction, b: &Direction) -> Direction {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}

fn difference(a: &Direction, b: &Direction) -> Direction {
    [0, 1, 2].map(|k| &a[k] - &b[k])
}

fn length(a: &Direction) -> f64 {
    dot(a, a).to_f64().value().sqrt()
}

fn cosine(a: &Direction, b: &Direction) -> f64 {
    dot(a, b).to_f64().value() / (length(a) * length(b))
}

fn sine(a: &Direction, b: &Direction) -> f64 {
    length(&cross(a, b)) / (length(a) * length(b))
}
