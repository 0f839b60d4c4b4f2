//! What the numbers of q and of the velocities are: names and units, for whoever fills the arrays.

use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_robot::{Joint, Motion, Robot};

use super::couplings::followers;

/// A number of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coordinate {
    /// Its joint, or `joint:k` for the k-th number of a joint with several.
    pub(crate) name: String,
    /// `rad`, `m` or `quaternion`.
    pub(crate) unit: &'static str,
}

/// What a robot's arrays hold.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    /// The numbers of q.
    pub(crate) configuration: Vec<Coordinate>,
    /// The numbers of qd; units are those of the integrals.
    pub(crate) velocities: Vec<Coordinate>,
    /// Joints that follow others, as `rotor = 9 link + 0.1`.
    pub(crate) followers: Vec<String>,
    /// Whether some joint's velocities are no rates of its coordinates.
    pub(crate) has_body_axes: bool,
}

impl Coordinates {
    /// Of a tree, coupled or not: those of its independent coordinates.
    pub(crate) fn of(mechanism: &Mechanism) -> Result<Self, DynamicsError> {
        let robot = mechanism.robot();
        let configuration = tree_coordinates(robot, configuration_units);
        let velocities = tree_coordinates(robot, velocity_units);
        let picked =
            |all: &[Coordinate], indices: &[usize]| indices.iter().map(|&k| all[k].clone()).collect();
        let mut stages = robot.bodies.iter().flat_map(|body| body.joint.stages());
        Ok(Coordinates {
            followers: followers(mechanism, &velocities)?,
            configuration: match mechanism.configuration_indices() {
                Some(indices) => picked(&configuration, indices),
                None => configuration,
            },
            velocities: picked(&velocities, &mechanism.plan().independent),
            has_body_axes: stages
                .any(|stage| matches!(stage.motion, Motion::Ball | Motion::Plane | Motion::Free)),
        })
    }
}

fn tree_coordinates(robot: &Robot, units: fn(&Motion) -> &'static [&'static str]) -> Vec<Coordinate> {
    robot.bodies.iter().flat_map(|body| named(&body.joint, units)).collect()
}

fn configuration_units(motion: &Motion) -> &'static [&'static str] {
    match motion {
        Motion::Ball => &["quaternion"; 4],
        Motion::Free => &["m", "m", "m", "quaternion", "quaternion", "quaternion", "quaternion"],
        other => velocity_units(other),
    }
}

fn velocity_units(motion: &Motion) -> &'static [&'static str] {
    match motion {
        Motion::Rotation | Motion::Screw { .. } => &["rad"],
        Motion::Translation => &["m"],
        Motion::Ball => &["rad"; 3],
        Motion::Plane => &["m", "m", "rad"],
        Motion::Free => &["m", "m", "m", "rad", "rad", "rad"],
    }
}

fn named(joint: &Joint, units: fn(&Motion) -> &'static [&'static str]) -> Vec<Coordinate> {
    let stages = joint.stages();
    let all: Vec<&str> = stages.iter().flat_map(|stage| units(&stage.motion)).copied().collect();
    let name = |k: usize| if all.len() == 1 { joint.name.clone() } else { format!("{}:{k}", joint.name) };
    all.iter().enumerate().map(|(k, unit)| Coordinate { name: name(k), unit }).collect()
}

/// `link1, link2 (rad); link3 (m)`, each unit followed by `per`.
pub(crate) fn listed(coordinates: &[Coordinate], per: &str) -> String {
    let runs = coordinates.chunk_by(|a, b| a.unit == b.unit);
    let run = |run: &[Coordinate]| {
        let names: Vec<&str> = run.iter().map(|coordinate| coordinate.name.as_str()).collect();
        format!("{} ({}{per})", names.join(", "), run[0].unit)
    };
    runs.map(run).collect::<Vec<_>>().join("; ")
}
