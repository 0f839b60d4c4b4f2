//! The robot: moving bodies in order, each with its joint; loops; couplings.

use std::ops::Deref;

use steiner_scalar::{Exact, Field};

use crate::description::{Capsule, Constant, Description, LoopKind};
use crate::frame::Frame;
use crate::inertia::{PARAMETERS, PseudoInertia};
use crate::joint::{Joint, JointKind};
use crate::note::RobotNote;

/// Index of a moving body, parents before children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyIndex(pub usize);

/// A velocity coordinate of a tree joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coordinate {
    /// The body whose joint it belongs to.
    pub body: BodyIndex,
    /// Which of the joint's coordinates, from 0.
    pub component: usize,
}

/// A moving body with the joint that carries it.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name of the link that moves.
    pub name: String,
    /// Parent body; `None` is the fixed world.
    pub parent: Option<BodyIndex>,
    /// The joint to the parent.
    pub joint: Joint,
    /// Inertia of the body with everything fixed to it, about the body frame's origin.
    pub inertia: PseudoInertia,
    /// The link's own inertia, without what is fixed to it; `None` when the file gives none.
    pub own_inertia: Option<PseudoInertia>,
    /// Links fixed to this body.
    pub lumped: Vec<LumpedLink>,
    /// Capsules of the body and its lumped links, in the body frame.
    pub capsules: Vec<Capsule>,
}

/// A link that a fixed joint welds to a body or to the ground.
#[derive(Clone, Debug)]
pub struct LumpedLink {
    /// Name in the file.
    pub name: String,
    /// Its frame in the body frame (or the base frame).
    pub frame: Frame,
    /// Its own inertia in its own frame; `None` when the file gives none.
    pub inertia: Option<PseudoInertia>,
}

/// One side of a loop joint.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// The body; `None` is the fixed world.
    pub body: Option<BodyIndex>,
    /// The loop frame in the body frame.
    pub frame: Frame,
}

/// A joint that closes a loop.
#[derive(Clone, Debug)]
pub struct LoopJoint {
    /// Name in the file.
    pub name: String,
    /// What it leaves free.
    pub kind: LoopKind,
    /// Frame on the first body (predecessor).
    pub predecessor: Attachment,
    /// Frame on the second body (successor).
    pub successor: Attachment,
    /// Axis in the loop frames, any length.
    pub axis: [Exact; 3],
}

/// `coordinate = Σ factor · term + offset`.
#[derive(Clone, Debug)]
pub struct Coupling {
    /// Its name, for messages.
    pub name: String,
    /// The coordinate it determines.
    pub coordinate: Coordinate,
    /// The coordinates it depends on.
    pub terms: Vec<(Coordinate, Exact)>,
    /// rad or m.
    pub offset: Exact,
}

/// A robot, checked and in order. Made by [`Robot::assemble`] or one of the readers.
///
/// Its parts are read as fields ([`RobotParts`]) and cannot be written: [`Robot::changed`]
/// makes another robot, checked again.
#[derive(Clone, Debug)]
pub struct Robot {
    parts: RobotParts,
}

impl Deref for Robot {
    type Target = RobotParts;

    fn deref(&self) -> &RobotParts {
        &self.parts
    }
}

impl Robot {
    /// Parts that were checked, or come from a checked robot by what keeps them so.
    pub(crate) fn trusted(parts: RobotParts) -> Robot {
        Robot { parts }
    }

    /// The parts, free to be changed.
    pub fn into_parts(self) -> RobotParts {
        self.parts
    }
}

/// What a robot consists of.
#[derive(Clone, Debug)]
pub struct RobotParts {
    /// Name in the file.
    pub name: String,
    /// Gravitational acceleration in the base frame, m/s².
    pub gravity: [Exact; 3],
    /// The moving bodies, parents before children.
    pub bodies: Vec<Body>,
    /// Links fixed to the ground: without parameters, unless the ground is weighed.
    pub ground: Vec<LumpedLink>,
    /// The joints that close loops.
    pub loops: Vec<LoopJoint>,
    /// Linear relations between coordinates.
    pub couplings: Vec<Coupling>,
    /// The coordinates the file wants to be independent, if it says so.
    pub independent: Option<Vec<Coordinate>>,
    /// Coordinates that are chosen as independent only where the others don't suffice.
    pub dependent: Vec<Coordinate>,
    /// Configuration (all tree coordinates) from which closure starts: zero, or the file's guess.
    pub reference: Vec<Exact>,
    /// Coordinates whose reference value the file gives.
    pub guessed: Vec<Coordinate>,
    /// Named lengths and angles.
    pub constants: Vec<Constant>,
    /// The planar view (4 parameters per link) is wanted.
    pub planar: bool,
    /// How many printed angles were read as the multiple of 15° they stand for.
    pub snapped: usize,
    /// Remarks of the reader.
    pub notes: Vec<RobotNote>,
    /// What the file said.
    pub description: Description,
}

impl RobotParts {
    /// Number of moving bodies N.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Number of velocities before loops and couplings.
    pub fn tree_dof(&self) -> usize {
        self.bodies.iter().map(|body| body.joint.kind.dof()).sum()
    }

    /// Number of configuration coordinates before loops and couplings.
    pub fn tree_configuration_size(&self) -> usize {
        self.bodies.iter().map(|body| body.joint.kind.configuration_size()).sum()
    }

    /// First velocity index of each body's joint.
    pub fn velocity_offsets(&self) -> Vec<usize> {
        offsets(self.bodies.iter().map(|body| body.joint.kind.dof()))
    }

    /// First configuration index of each body's joint.
    pub fn configuration_offsets(&self) -> Vec<usize> {
        offsets(self.bodies.iter().map(|body| body.joint.kind.configuration_size()))
    }

    /// The body that carries a name.
    pub fn body_named(&self, name: &str) -> Option<BodyIndex> {
        self.bodies.iter().position(|body| body.name == name).map(BodyIndex)
    }

    /// The coordinates a name stands for: a joint or body (all of its coordinates), or `name:k`.
    pub fn coordinates_named(&self, name: &str) -> Option<Vec<Coordinate>> {
        let of = |name: &str| {
            let by_joint = self.bodies.iter().position(|body| body.joint.name == name);
            by_joint.or_else(|| self.bodies.iter().position(|body| body.name == name))
        };
        if let Some(body) = of(name) {
            let dof = self.bodies[body].joint.kind.dof();
            let body = BodyIndex(body);
            return Some((0..dof).map(|component| Coordinate { body, component }).collect());
        }
        if let Some(found) = self.compound_part_named(name) {
            return Some(found);
        }
        let (name, component) = name.rsplit_once(':')?;
        let (body, component) = (of(name)?, component.parse::<usize>().ok()?);
        (component < self.bodies[body].joint.kind.dof())
            .then(|| vec![Coordinate { body: BodyIndex(body), component }])
    }

    fn compound_part_named(&self, name: &str) -> Option<Vec<Coordinate>> {
        for (body, carrier) in self.bodies.iter().enumerate() {
            let JointKind::Compound(parts) = &carrier.joint.kind else { continue };
            let mut first = 0;
            for part in parts {
                let dof = part.kind.dof();
                if part.name == name {
                    let coordinate = |component| Coordinate { body: BodyIndex(body), component };
                    return Some((first..first + dof).map(coordinate).collect());
                }
                first += dof;
            }
        }
        None
    }

    /// The name of a coordinate: that of its joint, with `:k` for multi-dof joints.
    pub fn coordinate_name(&self, coordinate: Coordinate) -> String {
        let joint = &self.bodies[coordinate.body.0].joint;
        if joint.kind.dof() == 1 {
            joint.name.clone()
        } else {
            format!("{}:{}", joint.name, coordinate.component)
        }
    }

    /// All velocity coordinates of the tree, in order.
    pub fn coordinates(&self) -> Vec<Coordinate> {
        let of_body = |body: usize| {
            let dof = self.bodies[body].joint.kind.dof();
            (0..dof).map(move |component| Coordinate { body: BodyIndex(body), component })
        };
        (0..self.bodies.len()).flat_map(of_body).collect()
    }

    /// Labels of the 10 N inertial parameters: `link.m`, `link.mx`, … `link.Izz` for each body.
    pub fn labels(&self) -> Vec<String> {
        let of_body = |body: &Body| PARAMETERS.map(|parameter| format!("{}.{parameter}", body.name));
        self.bodies.iter().flat_map(of_body).collect()
    }

    /// The 10 N inertial parameters of the file, in the order of `Robot::labels`.
    pub fn parameters(&self) -> Vec<f64> {
        self.bodies.iter().flat_map(|body| body.inertia.parameters()).collect()
    }

    /// Gravity in doubles, m/s².
    pub fn gravity_vector(&self) -> [f64; 3] {
        self.gravity.clone().map(|g| f64::evaluate(&g).map_or(0.0, |evaluated| evaluated.value))
    }

    /// Whether the root moves freely.
    pub fn is_floating(&self) -> bool {
        self.bodies.iter().any(|body| body.parent.is_none() && body.joint.kind == JointKind::Floating)
    }
}

fn offsets(sizes: impl Iterator<Item = usize>) -> Vec<usize> {
    sizes
        .scan(0, |next, size| {
            let offset = *next;
            *next += size;
            Some(offset)
        })
        .collect()
}
