//! What the numbers of q and of the velocities are: names and units, for whoever fills the arrays.

use steiner_robot::{Joint, Motion, Robot};

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
    /// Whether some joint's velocities are no rates of its coordinates.
    pub(crate) has_body_axes: bool,
}

impl Coordinates {
    /// Of a tree.
    pub(crate) fn of(robot: &Robot) -> Self {
        let joints = || robot.bodies.iter().map(|body| &body.joint);
        let mut stages = joints().flat_map(Joint::stages);
        Coordinates {
            configuration: joints().flat_map(|joint| named(joint, configuration_units)).collect(),
            velocities: joints().flat_map(|joint| named(joint, velocity_units)).collect(),
            has_body_axes: stages
                .any(|stage| matches!(stage.motion, Motion::Ball | Motion::Plane | Motion::Free)),
        }
    }
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

fn named(joint: &Joint, units: impl Fn(&Motion) -> &'static [&'static str]) -> Vec<Coordinate> {
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
