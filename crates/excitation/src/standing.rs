//! A floating robot that stands on its feet: the feet become spherical joints to the ground, and the trunk moves
//! as the legs want.
//!
//! What a foot may do, push and not pull and not slip, is for `contacts.rs`.

use std::str::FromStr;

use steiner_dynamics::Mechanism;
use steiner_linalg::Vec3;
use steiner_linalg::orthonormal::Orthonormal;
use steiner_robot::{Attachment, BodyIndex, Coordinate, Frame, JointKind, LoopJoint, LoopKind, Robot};
use steiner_scalar::Exact;

use crate::error::ExcitationError;

/// A point of a link that stays on the ground. Written `FL_foot`, or `FL_calf@0,0,-0.213` with a point in the
/// link's frame, m.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// The link; one that is fixed to another will do.
    pub link: String,
    /// In the link's frame, m.
    pub point: [f64; 3],
}

impl FromStr for Foot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((link, point)) = text.split_once('@') else {
            return Ok(Foot { link: text.to_owned(), point: [0.0; 3] });
        };
        let numbers: Vec<f64> = point.split(',').filter_map(|number| number.trim().parse().ok()).collect();
        match (<[f64; 3]>::try_from(numbers), point.split(',').count()) {
            (Ok(point), 3) => Ok(Foot { link: link.to_owned(), point }),
            _ => Err(format!("'{point}' is no point of '{link}'; give three lengths, as in {link}@0,0,-0.2")),
        }
    }
}

/// The robot with its feet held to the ground where they are, its trunk level: joints as in `pose` (rad or m),
/// the others in the middle of their ranges. Its independent coordinates are those six of the legs that move the
/// trunk best. Make a [`Mechanism`] of it, and design its motion with [`crate::Design::friction`].
pub fn standing(robot: &Robot, feet: &[Foot], pose: &[(String, f64)]) -> Result<Robot, ExcitationError> {
    let trunk = robot.bodies.iter().position(|body| matches!(body.joint.kind, JointKind::Floating));
    let Some(trunk) = trunk.filter(|trunk| robot.bodies[*trunk].parent.is_none()) else {
        return Err(ExcitationError::NoRoom {
            why: format!("the robot '{}' has no floating trunk that could stand on feet", robot.name),
            remedy: "leave the feet out, or let its root float".to_owned(),
        });
    };
    if feet.len() < 3 {
        return Err(ExcitationError::NoRoom {
            why: format!("on {} feet that do not turn no trunk stands", feet.len()),
            remedy: "name at least three".to_owned(),
        });
    }
    let places = feet.iter().map(|foot| place(robot, foot)).collect::<Result<Vec<_>, _>>()?;
    let reference = pose_of(robot, trunk, pose)?;
    // Feet where the pose puts them, the lowest at height zero.
    let free = Mechanism::new(robot.without_loops())?;
    let tree = free.tree();
    let mut poses = Vec::new();
    tree.poses_at(&reference, &mut poses);
    let world = tree.world_poses(&poses);
    let on_ground: Vec<Vec3<f64>> =
        places.iter().map(|(body, point)| world[tree.segment_of_body[*body]].point(*point)).collect();
    let gravity = tree.gravity;
    let size = gravity.dot(gravity).sqrt();
    if !(size > 0.0) {
        return Err(ExcitationError::NoRoom {
            why: format!("the robot '{}' stands on the ground without gravity", robot.name),
            remedy: "give it a gravity, or leave the feet out".to_owned(),
        });
    }
    let up = gravity.scale(-1.0 / size);
    let lowest = on_ground.iter().map(|p| up.dot(*p)).fold(f64::INFINITY, f64::min);
    let exact = |x: f64| Exact::from_f64(x).unwrap_or_else(Exact::zero);
    let mut reference = reference;
    let first = robot.configuration_offsets()[trunk];
    (0..3).for_each(|k| reference[first + k] -= lowest * up[k]);
    let mut parts = robot.clone().into_parts();
    for ((foot, (body, point)), place) in feet.iter().zip(&places).zip(&on_ground) {
        let frame = |p: Vec3<f64>| Frame::translation(p.0.map(exact));
        parts.loops.push(LoopJoint {
            name: foot.link.clone(),
            kind: LoopKind::Spherical,
            predecessor: Attachment { body: None, frame: frame(place.plus_scaled(-lowest, up)) },
            successor: Attachment { body: Some(BodyIndex(*body)), frame: frame(*point) },
            axis: [Exact::zero(), Exact::zero(), Exact::one()],
        });
    }
    parts.reference = reference.into_iter().map(exact).collect();
    parts.guessed.clear();
    parts.independent = None;
    let held = Robot::from_parts(parts.clone()).map_err(refused)?;
    let mechanism = Mechanism::new(held)?;
    let independent = best_six(&mechanism, trunk)?;
    parts.independent = Some(independent);
    Robot::from_parts(parts).map_err(refused)
}

fn refused(error: steiner_robot::RobotError) -> ExcitationError {
    ExcitationError::NoRoom {
        why: format!("the feet cannot be held to the ground ({error})"),
        remedy: "name other feet".to_owned(),
    }
}

/// The body of a foot, and its point in the body's frame.
fn place(robot: &Robot, foot: &Foot) -> Result<(usize, Vec3<f64>), ExcitationError> {
    for (k, body) in robot.bodies.iter().enumerate() {
        if body.name == foot.link {
            return Ok((k, Vec3(foot.point)));
        }
        if let Some(link) = body.lumped.iter().find(|link| link.name == foot.link) {
            return Ok((k, link.frame.pose().point(Vec3(foot.point))));
        }
    }
    let links = robot.bodies.iter().flat_map(|body| {
        std::iter::once(body.name.as_str()).chain(body.lumped.iter().map(|link| link.name.as_str()))
    });
    Err(ExcitationError::Unknown {
        robot: robot.name.clone(),
        kind: "link".to_owned(),
        name: foot.link.clone(),
        what: "the list of feet".to_owned(),
        hint: steiner_files::did_you_mean(&foot.link, links),
    })
}

/// The trunk at the origin, joints as given or in the middle.
fn pose_of(robot: &Robot, trunk: usize, pose: &[(String, f64)]) -> Result<Vec<f64>, ExcitationError> {
    for (name, _) in pose {
        if !robot.bodies.iter().any(|body| body.joint.name == *name) {
            return Err(ExcitationError::Unknown {
                robot: robot.name.clone(),
                kind: "joint".to_owned(),
                name: name.clone(),
                what: "the pose in which it stands".to_owned(),
                hint: steiner_files::did_you_mean(
                    name,
                    robot.bodies.iter().map(|body| body.joint.name.as_str()),
                ),
            });
        }
    }
    let mut out: Vec<f64> = robot.reference.iter().map(|x| x.to_f64().unwrap_or(0.0)).collect();
    for (body, at) in robot.bodies.iter().zip(robot.configuration_offsets()) {
        if body.joint.kind.configuration_size() != 1 {
            continue;
        }
        let given = pose.iter().find(|(name, _)| *name == body.joint.name).map(|(_, q)| *q);
        let limits = &body.joint.limits;
        let middle = limits.lower.zip(limits.upper).map(|(lower, upper)| 0.5 * (lower + upper));
        out[at] = given.or(middle).unwrap_or(out[at]);
    }
    let at = robot.configuration_offsets()[trunk];
    out[at..at + 7].copy_from_slice(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    Ok(out)
}

/// The coordinates of single-axis joints whose motions are least alike: each next one the farthest from what the
/// earlier ones determine.
fn best_six(mechanism: &Mechanism, trunk: usize) -> Result<Vec<Coordinate>, ExcitationError> {
    let robot = mechanism.robot();
    let z = mechanism.closure().velocities(mechanism.plan(), mechanism.reference_tree())?;
    let offsets = robot.velocity_offsets();
    let legs: Vec<Coordinate> = robot
        .coordinates()
        .into_iter()
        .filter(|c| c.body.0 != trunk && robot.bodies[c.body.0].joint.kind.dof() == 1)
        .collect();
    // All motions in coordinates of equal length, a row for every velocity of the tree.
    let mut motions = Orthonormal::default();
    for column in 0..z.columns() {
        motions.insert((0..z.rows()).map(|row| z[(row, column)]).collect(), |rest| rest > 0.0);
    }
    let row = |leg: Coordinate| -> Vec<f64> {
        motions.vectors().iter().map(|motion| motion[offsets[leg.body.0]]).collect()
    };
    let mut chosen = Vec::new();
    let mut directions = Orthonormal::default();
    while chosen.len() < z.columns() {
        let mut best: Option<(f64, Coordinate)> = None;
        for &leg in legs.iter().filter(|leg| !chosen.contains(*leg)) {
            let mut left = 0.0;
            directions.clone().insert(row(leg), |rest| {
                left = rest;
                false
            });
            if best.is_none_or(|(most, _)| left > most) {
                best = Some((left, leg));
            }
        }
        let Some((_, leg)) = best.filter(|(left, _)| *left > 1e-6) else {
            return Err(ExcitationError::NoRoom {
                why: "the joints of the legs do not determine where the trunk is".to_owned(),
                remedy: "name other feet, or another pose to stand in".to_owned(),
            });
        };
        directions.insert(row(leg), |_| true);
        chosen.push(leg);
    }
    chosen.sort_by_key(|leg| leg.body.0);
    Ok(chosen)
}
