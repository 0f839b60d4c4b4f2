//! Body frames by the rules of Khalil and Kleinfinger: the modified frames of Denavit and Hartenberg.
//!
//! z_j lies on the axis of joint j, x_j on the common normal of z_j and the axis of the next joint, so that
//! a joint is placed by Rx(α) Tx(a) Rz(θ) Tz(d); a second child of a body by Rz(γ) Tz(b) in front of it.
//! Where axes are parallel, d_j = 0 fixes the origin; where they intersect, and for the last body, x_j keeps
//! as close to x_(j−1) as it can.

use steiner_linalg::Vec3;
use steiner_scalar::{EvaluationError, Exact, Field, QuadDouble, Real, Scalar};

use crate::frame::{Frame, Orientation, Pose, evaluate_vector};
use crate::joint::JointKind;
use crate::robot::{Attachment, Body, Robot};

/// Lengths (m) and sines below this are zero: frames are computed in sixty digits.
const COINCIDENT: f64 = 1e-24;

/// Why a robot has no such frames.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoModifiedFrames {
    #[error(
        "modified Denavit–Hartenberg frames need joints with one degree of freedom; {joint} is {kind}; keep the frames of the file"
    )]
    Joint { joint: String, kind: &'static str },
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

type V = Vec3<QuadDouble>;

/// A joint axis in the world, everything at zero.
#[derive(Clone, Copy)]
struct Axis {
    point: V,
    direction: V,
}

impl Robot {
    /// The same robot with modified Denavit–Hartenberg frames in its bodies,
    /// their inertias expressed in them.
    pub fn in_modified_frames(&self) -> Result<Robot, NoModifiedFrames> {
        let (old, axes) = at_zero(self)?;
        let mut new: Vec<Pose<QuadDouble>> = Vec::with_capacity(self.bodies.len());
        let mut robot = self.clone().into_parts();
        for (j, body) in self.bodies.iter().enumerate() {
            let next = self.bodies.iter().position(|child| child.parent.is_some_and(|parent| parent.0 == j));
            let before = body.parent.map(|parent| new[parent.0]);
            let own = axes[j].map(|axis| own_frame(axis, next.and_then(|k| axes[k]), before, &old[j]));
            new.push(own.unwrap_or(old[j]));
            // What floats stays as it is.
            if axes[j].is_some() {
                let joint = &mut robot.bodies[j].joint;
                let seen_from_parent = before.unwrap_or_else(Pose::identity).inverse().then(&new[j]);
                joint.placement = match before {
                    Some(_) => modified(&seen_from_parent),
                    None => posed(&seen_from_parent),
                };
                joint.axis = [Exact::zero(), Exact::zero(), Exact::one()];
                joint.body_frame = Frame::identity();
            }
            let seen = doubles(&new[j].inverse().then(&old[j]));
            let moved = &mut robot.bodies[j];
            moved.inertia = moved.inertia.moved(&seen.rotation, seen.translation.0);
            moved.own_inertia = moved.own_inertia.map(|own| own.moved(&seen.rotation, seen.translation.0));
            let inner = posed(&new[j].inverse().then(&old[j]));
            moved.lumped.iter_mut().for_each(|link| link.frame = inner.then(&link.frame));
            moved.capsules.clear();
        }
        for closure in &mut robot.loops {
            for Attachment { body, frame } in [&mut closure.predecessor, &mut closure.successor] {
                let Some(body) = *body else { continue };
                *frame = posed(&new[body.0].inverse().then(&old[body.0])).then(frame);
            }
        }
        robot.constants.clear();
        Ok(Robot::trusted(robot))
    }
}

/// How a modified frame lies in that of its parent: Rz(γ) Tz(b) Rx(α) Tx(a) Rz(θ) Tz(d), in m and rad.
#[derive(Clone, Debug, PartialEq)]
pub struct ModifiedPlacement {
    /// Name of the body.
    pub body: String,
    /// Name of its parent body.
    pub parent: String,
    /// γ and b, of a second child of its parent.
    pub outer: [Exact; 2],
    /// α and a.
    pub normal: [Exact; 2],
    /// θ and d.
    pub axial: [Exact; 2],
}

impl Robot {
    /// How modified frames lie in those of their parents, for every body that has a parent.
    pub fn modified_placements(&self) -> Vec<ModifiedPlacement> {
        let placed = |body: &Body| {
            let parent = self.bodies[body.parent?.0].name.clone();
            let steps = body.joint.placement.steps();
            let mut screws: [[Exact; 2]; 3] = std::array::from_fn(|_| [Exact::zero(), Exact::zero()]);
            // The first of three steps turns and lifts the outer frame.
            let used = screws.iter_mut().skip(3usize.saturating_sub(steps.len()));
            for (step, screw) in steps.iter().zip(used) {
                let Orientation::RollPitchYaw(turn) = &step.orientation else { return None };
                *screw = [turn, &step.xyz].map(component);
            }
            let [outer, normal, axial] = screws;
            Some(ModifiedPlacement { body: body.name.clone(), parent, outer, normal, axial })
        };
        self.bodies.iter().filter_map(placed).collect()
    }
}

/// The one component that isn't zero, if there is one.
fn component(vector: &[Exact; 3]) -> Exact {
    vector.iter().find(|x| !x.is_zero()).cloned().unwrap_or_else(Exact::zero)
}

/// A pose for every body, an axis for every joint that has one.
type AtZero = (Vec<Pose<QuadDouble>>, Vec<Option<Axis>>);

/// Poses of all bodies and the axes of their joints; none for a floating body.
fn at_zero(robot: &Robot) -> Result<AtZero, NoModifiedFrames> {
    let (mut poses, mut axes): AtZero = (Vec::new(), Vec::new());
    for body in &robot.bodies {
        let joint = &body.joint;
        let parent = body.parent.map_or_else(Pose::identity, |parent| poses[parent.0]);
        let placed = parent.then(&joint.placement.evaluate()?.value);
        poses.push(placed.then(&joint.body_frame.evaluate()?.value));
        let axis = match joint.kind {
            JointKind::Revolute
            | JointKind::Continuous
            | JointKind::Prismatic
            | JointKind::Helical { .. } => {
                let direction = placed.rotation.apply(evaluate_vector(&joint.axis)?.value);
                Some(Axis { point: placed.translation, direction: unit(direction) })
            }
            JointKind::Floating if body.parent.is_none() => None,
            _ => {
                return Err(NoModifiedFrames::Joint { joint: joint.name.clone(), kind: joint.kind.name() });
            }
        };
        axes.push(axis);
    }
    Ok((poses, axes))
}

fn own_frame(
    axis: Axis,
    next: Option<Axis>,
    before: Option<Pose<QuadDouble>>,
    old: &Pose<QuadDouble>,
) -> Pose<QuadDouble> {
    let z = axis.direction;
    // Where the previous x meets this axis, or the foot of the old origin.
    let reached = before.map_or_else(|| foot(axis, old.translation), |before| meeting(axis, &before));
    let x_before = before.map_or_else(|| old.rotation.column(0), |before| before.rotation.column(0));
    let across = |v: V| v - z.scale(v.dot(z));
    let keeping = || {
        let candidates =
            [x_before, old.rotation.column(0), old.rotation.column(1), Vec3::unit(0), Vec3::unit(1)];
        let usable = candidates.into_iter().map(across).find(|v| size(*v) > 1e-6);
        unit(usable.unwrap_or_else(|| across(Vec3::unit(2))))
    };
    let (x, origin) = match next {
        None => (keeping(), reached),
        Some(next) => {
            let normal = z.cross(next.direction);
            let between = next.point - axis.point;
            if size(normal) > COINCIDENT {
                // The foot of the common normal on this axis.
                let along = between.cross(next.direction).dot(normal) / normal.dot(normal);
                (unit(normal), axis.point + z.scale(along))
            } else if size(across(next.point - reached)) > COINCIDENT {
                (unit(across(next.point - reached)), reached)
            } else {
                (keeping(), reached)
            }
        }
    };
    let forwards = x.dot(x_before).to_f64();
    let x = if forwards < -COINCIDENT { -x } else { x };
    Pose { rotation: steiner_linalg::Mat3::from_columns([x, z.cross(x), z]), translation: origin }
}

/// Where the x axis of a frame comes nearest to an axis.
fn meeting(axis: Axis, before: &Pose<QuadDouble>) -> V {
    let x = before.rotation.column(0);
    let normal = axis.direction.cross(x);
    if size(normal) < COINCIDENT {
        return foot(axis, before.translation);
    }
    let along = (before.translation - axis.point).cross(x).dot(normal) / normal.dot(normal);
    axis.point + axis.direction.scale(along)
}

fn foot(axis: Axis, point: V) -> V {
    axis.point + axis.direction.scale((point - axis.point).dot(axis.direction))
}

/// Rz(γ) Tz(b) Rx(α) Tx(a) Rz(θ) Tz(d) for a pose; γ and b vanish where x of the
/// outer frame is the common normal.
fn modified(pose: &Pose<QuadDouble>) -> Frame {
    let z = pose.rotation.column(2);
    let p = pose.translation;
    let outer_z: V = Vec3::unit(2);
    let normal = outer_z.cross(z);
    // The direction of the common normal and its foot on the outer axis.
    let (x, b) = if size(normal) > COINCIDENT {
        let along = p.cross(z).dot(normal) / normal.dot(normal);
        (unit(normal), along)
    } else {
        let across = p - outer_z.scale(p[2]);
        (if size(across) > COINCIDENT { unit(across) } else { Vec3::unit(0) }, QuadDouble::zero())
    };
    let x = if x[0].to_f64() < -COINCIDENT { -x } else { x };
    let gamma = x[1].atan2(x[0]);
    let alpha = normal.dot(x).atan2(z[2]);
    let a = p.dot(x);
    let rest = p - outer_z.scale(b) - x.scale(a);
    let d = rest.dot(z);
    let theta = x.cross(pose.rotation.column(0)).dot(z).atan2(x.dot(pose.rotation.column(0)));
    let step = |xyz: [Exact; 3], rpy: [Exact; 3]| Frame::new(xyz, Orientation::RollPitchYaw(rpy));
    let zero = Exact::zero;
    let mut frame = Frame::identity();
    if size(Vec3([gamma, b, QuadDouble::zero()])) > COINCIDENT {
        frame = frame.then(&step([zero(), zero(), length(b)], [zero(), zero(), angle(gamma)]));
    }
    frame
        .then(&step([length(a), zero(), zero()], [angle(alpha), zero(), zero()]))
        .then(&step([zero(), zero(), length(d)], [zero(), zero(), angle(theta)]))
}

/// A pose as one displacement.
fn posed(pose: &Pose<QuadDouble>) -> Frame {
    let m = &pose.rotation.0;
    let horizontal = (m[0][0] * m[0][0] + m[1][0] * m[1][0]).sqrt();
    let pitch = (-m[2][0]).atan2(horizontal);
    let (roll, yaw) = match horizontal.to_f64() > COINCIDENT {
        true => (m[2][1].atan2(m[2][2]), m[1][0].atan2(m[0][0])),
        false => (QuadDouble::zero(), (-m[0][1]).atan2(m[1][1])),
    };
    let xyz = [0, 1, 2].map(|k| length(pose.translation[k]));
    Frame::new(xyz, Orientation::RollPitchYaw([roll, pitch, yaw].map(angle)))
}

fn length(x: QuadDouble) -> Exact {
    Exact::rational(x.round_to_thirty_places())
}

/// A multiple of 15°, if that is what it is.
fn angle(x: QuadDouble) -> Exact {
    let twelfths = x * QuadDouble::from_f64(12.0) / QuadDouble::pi();
    let whole = twelfths.to_f64().round();
    if (twelfths - QuadDouble::from_f64(whole)).to_f64().abs() < COINCIDENT {
        return Exact::pi() * Exact::fraction(whole as i64, 12);
    }
    Exact::rational(x.round_to_thirty_places())
}

fn size(v: V) -> f64 {
    v.dot(v).sqrt().to_f64()
}

fn unit(v: V) -> V {
    v.scale(v.dot(v).sqrt().inv())
}

fn doubles(pose: &Pose<QuadDouble>) -> Pose<f64> {
    Pose {
        rotation: steiner_linalg::Mat3(pose.rotation.0.map(|row| row.map(|x| x.to_f64()))),
        translation: Vec3(pose.translation.0.map(|x| x.to_f64())),
    }
}
