//! The mechanism at other lengths, in the optimal parametrisation, assembled exactly.
//!
//! As all loops are closed through the ground, the links alone form trees: each can be placed where it
//! stands in the file (turned by the nearest rotation with rational sine and cosine), and the ground
//! follows. So it assembles at any lengths.

use steiner_robot::{
    Actuation, Attachment, Body, BodyIndex, Frame, Friction, Joint, JointKind, Limits, LoopJoint, LoopKind,
    Orientation, Robot, RobotParts,
};
use steiner_scalar::{Exact, Rational};

use super::linkage::{Linkage, Pair};
use super::opening::Opening;
use super::parametrisation::Parametrisation;
use crate::error::IdentifiabilityError;

/// A rotation by an angle with this cosine and sine.
type Turn = [Rational; 2];

/// Steps of half-angle sines and cosines, and of positions along slides: coarse, so that multiples of
/// quarter turns stay what they are.
const STEPS: f64 = 64.0;

fn rational(x: f64) -> Rational {
    let exact = Exact::from_f64(x).and_then(|x| x.to_rational());
    exact.unwrap_or(Rational::ZERO)
}

fn rounded(x: f64) -> Rational {
    rational((x * STEPS).round() / STEPS)
}

fn turn_near(angle: f64) -> Turn {
    let (z, w) = ((angle / 2.0).sin(), (angle / 2.0).cos());
    let (z, w) = (rounded(z), rounded(w));
    let norm = &w * &w + &z * &z;
    [(&w * &w - &z * &z) / &norm, Rational::from(2) * &w * &z / &norm]
}

fn composed([c, s]: &Turn, [d, t]: &Turn) -> Turn {
    [c * d - s * t, s * d + c * t]
}

fn inverse([c, s]: &Turn) -> Turn {
    [c.clone(), -s.clone()]
}

fn turned([c, s]: &Turn, [x, y]: &[Rational; 2]) -> [Rational; 2] {
    [c * x - s * y, s * x + c * y]
}

fn plus(a: &[Rational; 2], b: &[Rational; 2]) -> [Rational; 2] {
    [&a[0] + &b[0], &a[1] + &b[1]]
}

fn minus(a: &[Rational; 2], b: &[Rational; 2]) -> [Rational; 2] {
    [&a[0] - &b[0], &a[1] - &b[1]]
}

fn in_space([x, y]: &[Rational; 2]) -> [Exact; 3] {
    [Exact::rational(x.clone()), Exact::rational(y.clone()), Exact::zero()]
}

fn about_normal([c, s]: &Turn) -> Orientation {
    let e = |x: &Rational| Exact::rational(x.clone());
    let o = Exact::zero;
    Orientation::Matrix([[e(c), e(&-s.clone()), o()], [e(s), e(c), o()], [o(), o(), Exact::one()]])
}

/// Where links stand: the turn and the origin of each, in the ground's axes.
struct Standing {
    turns: Vec<Turn>,
    positions: Vec<[Rational; 2]>,
}

impl Standing {
    fn turn(&self, link: Option<usize>) -> Turn {
        link.map_or([Rational::ONE, Rational::ZERO], |link| self.turns[link].clone())
    }

    /// A point of the ground in a link's axes.
    fn seen_from(&self, link: Option<usize>, point: &[Rational; 2]) -> [Rational; 2] {
        let origin = link.map_or([Rational::ZERO, Rational::ZERO], |link| self.positions[link].clone());
        turned(&inverse(&self.turn(link)), &minus(point, &origin))
    }

    fn between(&self, from: Option<usize>, to: Option<usize>) -> Turn {
        composed(&inverse(&self.turn(from)), &self.turn(to))
    }
}

/// The robot at given lengths, its bodies in the order of the opening: joints along or in the plane normal to
/// z, each body frame at its origin.
pub(crate) fn robot_at(
    robot: &Robot,
    linkage: &Linkage,
    opening: &Opening,
    parametrisation: &Parametrisation,
    lengths: &[Rational],
) -> Result<Robot, IdentifiabilityError> {
    let standing = stand(linkage, parametrisation, lengths)?;
    let place = |link: usize| opening.order.iter().position(|&other| other == link).map(BodyIndex);
    let point = |joint: usize| {
        // A revolute joint joins at least one moving link.
        let link = linkage.joints[joint].links.iter().flatten().next().copied().unwrap_or(0);
        let local = parametrisation.coordinates(link, joint, lengths);
        plus(&standing.positions[link], &turned(&standing.turns[link], &local))
    };
    let body_of = |link: usize| -> Result<Body, IdentifiabilityError> {
        let towards = opening.towards_ground[link].map(|k| &linkage.joints[k]);
        let parent = towards.and_then(|joint| joint.other(link));
        let at = standing.seen_from(parent, &standing.positions[link]);
        let turn = standing.between(parent, Some(link));
        let (kind, axis) = match towards.map(|joint| joint.pair) {
            None => (JointKind::Planar, None),
            Some(Pair::Revolute) => (JointKind::Revolute, None),
            Some(Pair::Prismatic) => (JointKind::Prismatic, towards),
        };
        let axis = match axis {
            None => [Exact::zero(), Exact::zero(), Exact::one()],
            Some(joint) => {
                let along = direction(linkage, joint)?;
                in_space(&turned(&standing.between(Some(link), joint.links[0]), &along))
            }
        };
        let original = &robot.bodies[link];
        Ok(Body {
            name: original.name.clone(),
            parent: parent.and_then(place),
            joint: Joint {
                name: towards.map_or_else(|| original.name.clone(), |joint| joint.name.clone()),
                kind,
                placement: Frame::new(in_space(&at), about_normal(&turn)),
                axis,
                body_frame: Frame::identity(),
                limits: Limits::default(),
                rotor_inertia: 0.0,
                actuation: Actuation::default(),
                friction: Friction::default(),
            },
            inertia: original.inertia,
            own_inertia: None,
            lumped: Vec::new(),
            capsules: Vec::new(),
        })
    };
    let loop_at = |cut: usize| -> Result<LoopJoint, IdentifiabilityError> {
        let joint = &linkage.joints[cut];
        let (kind, axis, at) = match joint.pair {
            Pair::Revolute => (LoopKind::Revolute, [Exact::zero(), Exact::zero(), Exact::one()], point(cut)),
            Pair::Prismatic => {
                let at = joint.links.iter().flatten().next().map(|&link| standing.positions[link].clone());
                let at = at.unwrap_or([Rational::ZERO, Rational::ZERO]);
                (LoopKind::Prismatic, in_space(&direction(linkage, joint)?), at)
            }
        };
        let side = |k: usize| Attachment {
            body: joint.links[k].and_then(place),
            frame: Frame::new(
                in_space(&standing.seen_from(joint.links[k], &at)),
                about_normal(&standing.between(joint.links[k], joint.links[0])),
            ),
        };
        Ok(LoopJoint { name: joint.name.clone(), kind, predecessor: side(0), successor: side(1), axis })
    };
    let bodies = opening.order.iter().map(|&link| body_of(link)).collect::<Result<Vec<_>, _>>()?;
    let loops = opening.cuts.iter().map(|&cut| loop_at(cut)).collect::<Result<Vec<_>, _>>()?;
    planar_robot(robot, linkage, bodies, loops)
}

/// A robot of bodies and loops in a plane, otherwise like another.
fn planar_robot(
    robot: &Robot,
    linkage: &Linkage,
    bodies: Vec<Body>,
    loops: Vec<LoopJoint>,
) -> Result<Robot, IdentifiabilityError> {
    let gravity = linkage.gravity.map(|g| Exact::rational(rational(g)));
    let size = bodies.iter().map(|body| body.joint.kind.configuration_size()).sum();
    Ok(Robot::from_parts(RobotParts {
        name: robot.name.clone(),
        gravity,
        bodies,
        ground: Vec::new(),
        loops,
        couplings: Vec::new(),
        independent: None,
        dependent: Vec::new(),
        reference: vec![Exact::zero(); size],
        guessed: Vec::new(),
        constants: Vec::new(),
        planar: true,
        snapped: 0,
        notes: Vec::new(),
        description: robot.description.clone(),
    })?)
}

/// A slide's direction in the axes of its first link, of any length.
fn direction(
    linkage: &Linkage,
    joint: &super::linkage::PlanarJoint,
) -> Result<[Rational; 2], IdentifiabilityError> {
    let number = |x: &Exact| match x.to_rational() {
        Some(r) => Ok(r),
        None => x.to_f64().map(rational),
    };
    let failed = |reason| IdentifiabilityError::Number { robot: linkage.robot.clone(), reason };
    let [x, y] = &joint.direction;
    Ok([number(x).map_err(failed)?, number(y).map_err(failed)?])
}

fn stand(
    linkage: &Linkage,
    parametrisation: &Parametrisation,
    lengths: &[Rational],
) -> Result<Standing, IdentifiabilityError> {
    let links = linkage.links.len();
    let mut standing =
        Standing { turns: turns(linkage), positions: vec![[Rational::ZERO, Rational::ZERO]; links] };
    // Joints between links form trees: placed from any link of each.
    let mut placed = vec![false; links];
    for start in 0..links {
        if placed[start] {
            continue;
        }
        placed[start] = true;
        standing.positions[start] = optimal_position(linkage, parametrisation, start).map(rounded);
        let mut stack = vec![start];
        while let Some(here) = stack.pop() {
            for k in linkage.joints_of(here) {
                let joint = &linkage.joints[k];
                let Some(next) = joint.other(here).filter(|&next| !placed[next]) else { continue };
                let step = match joint.pair {
                    Pair::Revolute => {
                        let out = parametrisation.coordinates(here, k, lengths);
                        let back = parametrisation.coordinates(next, k, lengths);
                        minus(&turned(&standing.turns[here], &out), &turned(&standing.turns[next], &back))
                    }
                    Pair::Prismatic => {
                        // As far along and beside the slide as in the file; what is in line stays in line.
                        let along = turned(&standing.turn(joint.links[0]), &direction(linkage, joint)?);
                        let (a, b) = (
                            optimal_position(linkage, parametrisation, here),
                            optimal_position(linkage, parametrisation, next),
                        );
                        let (d, e) = (along[0].to_f64().value(), along[1].to_f64().value());
                        let (x, y) = (b[0] - a[0], b[1] - a[1]);
                        let norm = d * d + e * e;
                        let (far, beside) =
                            (rounded((x * d + y * e) / norm), rounded((y * d - x * e) / norm));
                        let across = [-along[1].clone(), along[0].clone()];
                        [0, 1].map(|k| &far * &along[k] + &beside * &across[k])
                    }
                };
                standing.positions[next] = plus(&standing.positions[here], &step);
                placed[next] = true;
                stack.push(next);
            }
        }
    }
    Ok(standing)
}

/// Where a link's origin stands in the file's reference, m.
fn optimal_position(linkage: &Linkage, parametrisation: &Parametrisation, link: usize) -> [f64; 2] {
    let placed = &linkage.reference[link];
    let [x, y] = [0, 1].map(|k| parametrisation.origins[link][k].to_f64().unwrap_or(0.0));
    let (s, c) = placed.angle.sin_cos();
    [placed.position[0] + c * x - s * y, placed.position[1] + s * x + c * y]
}

/// The turns of links as in the file's reference, nearly. Links that slides keep parallel are turned
/// together, so that their relative angles are simple where the file's are.
fn turns(linkage: &Linkage) -> Vec<Turn> {
    let links = linkage.links.len();
    let mut turns: Vec<Option<Turn>> = vec![None; links];
    let still = linkage.never_turns();
    for link in (0..links).filter(|&link| still[link]) {
        turns[link] = Some(turn_near(linkage.reference[link].angle));
    }
    for first in 0..links {
        if turns[first].is_some() {
            continue;
        }
        let turn = turn_near(linkage.reference[first].angle);
        let mut stack = vec![first];
        turns[first] = Some(turn.clone());
        while let Some(here) = stack.pop() {
            for k in linkage.joints_of(here).filter(|&k| linkage.joints[k].pair == Pair::Prismatic) {
                let Some(next) = linkage.joints[k].other(here).filter(|&next| turns[next].is_none()) else {
                    continue;
                };
                let relative = linkage.reference[next].angle - linkage.reference[first].angle;
                turns[next] = Some(composed(&turn, &turn_near(relative)));
                stack.push(next);
            }
        }
    }
    turns.into_iter().map(|turn| turn.unwrap_or([Rational::ONE, Rational::ZERO])).collect()
}
