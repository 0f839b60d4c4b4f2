//! From what a file says to a robot: names resolved, cycles refused, fixed links lumped, bodies in order.

mod bodies;
mod floating;
mod link_tree;
mod locking;
mod names;
pub(crate) mod numbers;
mod relations;

use bodies::Builder;
use steiner_scalar::Exact;

use crate::description::{Description, Mention, TreeJoint};
use crate::error::RobotError;
use crate::joint::JointKind;
use crate::robot::{Robot, RobotParts};

pub use link_tree::LinkTree;
pub use names::check_names;

/// How to turn a description into a robot.
#[derive(Clone, Debug)]
pub struct AssembleOptions {
    /// Let the root move freely (default: it is fixed to the ground, unless the file says otherwise).
    pub floating: bool,
    /// Replaces the file's gravity, m/s².
    pub gravity: Option<[Exact; 3]>,
    /// Treat `<mimic>` as a coupling (default), or ignore it as Pinocchio does.
    pub mimic: bool,
    /// Coordinates that shall be independent, instead of those the file or the assembly chooses; empty: theirs.
    pub independent: Vec<String>,
    /// Joints that are held, each at a value (rad or m).
    pub lock: Vec<(String, Exact)>,
}

impl Default for AssembleOptions {
    fn default() -> Self {
        AssembleOptions {
            floating: false,
            gravity: None,
            mimic: true,
            independent: Vec::new(),
            lock: Vec::new(),
        }
    }
}

/// Takes the wanted coordinates for independent; roots that float are so anyway.
fn choose_independent(d: &mut Description, wanted: &[String]) {
    if wanted.is_empty() {
        return;
    }
    let floats = |joint: &&TreeJoint| joint.parent.is_none() && joint.joint.kind == JointKind::Floating;
    let roots = d.joints.iter().filter(floats).map(|joint| &joint.joint.name);
    let names = wanted.iter().chain(roots).cloned();
    d.independent = Some(names.map(|name| Mention { name, place: d.place.clone() }).collect());
}

/// Standard gravity of design: (0, 0, −9.81) m/s².
fn default_gravity() -> [Exact; 3] {
    [Exact::zero(), Exact::zero(), Exact::fraction(-981, 100)]
}

impl Robot {
    /// Checks a description and builds the robot.
    pub fn assemble(mut description: Description, options: &AssembleOptions) -> Result<Robot, RobotError> {
        check_names(&description)?;
        choose_independent(&mut description, &options.independent);
        if options.floating {
            floating::release_root(&mut description)?;
        }
        locking::lock(&mut description, &options.lock, options.mimic)?;
        let tree = LinkTree::new(&description)?;
        let order = tree.visit(&description)?;
        let mut builder = Builder::new(&description);
        for link in order {
            builder.place(&description, &tree, link)?;
        }
        let Builder { bodies, ground, home } = builder;
        if bodies.is_empty() {
            return Err(RobotError::NothingMoves { place: description.place.clone() });
        }
        let mut robot = RobotParts {
            name: description.name.clone(),
            gravity: options.gravity.clone().or(description.gravity.clone()).unwrap_or_else(default_gravity),
            bodies,
            ground,
            loops: Vec::new(),
            couplings: Vec::new(),
            independent: None,
            dependent: Vec::new(),
            reference: Vec::new(),
            guessed: Vec::new(),
            constants: description.constants.clone(),
            planar: description.planar,
            snapped: description.snapped,
            notes: description.notes.clone(),
            description,
        };
        numbers::check_numbers(&robot)?;
        robot.loops = relations::loops(&robot, &home)?;
        robot.couplings = relations::couplings(&robot, options.mimic)?;
        (robot.independent, robot.dependent) = relations::independent(&robot)?;
        (robot.reference, robot.guessed) = relations::guess(&robot)?;
        Ok(Robot::trusted(robot))
    }
}
