//! What a robot is going to do, as ranges of its joints: the states a smaller model must be good for.

mod file;

use steiner_dynamics::Samples;
use steiner_linalg::Stream;
use steiner_robot::{JointKind, Robot};

use crate::error::ModelError;

/// States drawn unless told otherwise: enough to resolve one in a thousand.
const SAMPLES: usize = 20_000;
/// Most states a profile may ask for; they are all kept in memory.
const MOST_SAMPLES: usize = 10_000_000;

/// From, to.
type Range = (f64, f64);

/// Ranges of all joints, from which states are drawn uniformly and independently.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Number of states.
    pub samples: usize,
    /// The same seed draws the same states.
    pub seed: u64,
    /// For each joint (of one freedom) the ranges of q (rad or m), q̇ (per s) and q̈ (per s²).
    pub joints: Vec<[Range; 3]>,
}

/// States of a task, sample-major.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TaskStates {
    /// Configurations, rad or m.
    pub q: Vec<f64>,
    /// Velocities, per s.
    pub qd: Vec<f64>,
    /// Accelerations, per s².
    pub qdd: Vec<f64>,
    /// Number of states.
    pub count: usize,
}

impl TaskStates {
    /// As the model takes them.
    pub fn samples(&self) -> Samples<'_> {
        Samples { q: &self.q, qd: &self.qd, qdd: &self.qdd, count: self.count }
    }
}

impl Profile {
    /// The slow profile of section 4.3: q̇ within ±0.1, q̈ within ±1, revolute joints anywhere,
    /// prismatic ones within their limits.
    pub fn slow(robot: &Robot) -> Result<Self, ModelError> {
        Self::paper("slow", robot, 0.1, 1.0)
    }

    /// The fast profile of section 4.3: q̇ within ±1, q̈ within ±10, revolute joints anywhere,
    /// prismatic ones within their limits.
    pub fn fast(robot: &Robot) -> Result<Self, ModelError> {
        Self::paper("fast", robot, 1.0, 10.0)
    }

    fn paper(name: &str, robot: &Robot, velocity: f64, acceleration: f64) -> Result<Self, ModelError> {
        let joint = |body: &steiner_robot::Body| {
            let q = travel(robot, body, name, false)?;
            Ok::<_, ModelError>([q, symmetric(velocity), symmetric(acceleration)])
        };
        let joints = robot.bodies.iter().map(joint).collect::<Result<_, _>>()?;
        Ok(Profile { samples: SAMPLES, seed: 1, joints })
    }

    /// Draws the states.
    pub fn states(&self) -> TaskStates {
        let mut stream = Stream::new(self.seed);
        let mut out = TaskStates { count: self.samples, ..TaskStates::default() };
        for _ in 0..self.samples {
            for [q, qd, qdd] in &self.joints {
                for (list, &(low, high)) in [(&mut out.q, q), (&mut out.qd, qd), (&mut out.qdd, qdd)] {
                    list.push(low + 0.5 * (1.0 + stream.uniform()) * (high - low));
                }
            }
        }
        out
    }
}

fn symmetric(x: f64) -> Range {
    (-x, x)
}

/// How far a joint goes: its limits, or all around.
fn travel(
    robot: &Robot,
    body: &steiner_robot::Body,
    profile: &str,
    limits: bool,
) -> Result<Range, ModelError> {
    let joint = &body.joint;
    let turns = matches!(joint.kind, JointKind::Revolute | JointKind::Continuous);
    match (joint.limits.lower, joint.limits.upper) {
        (Some(lower), Some(upper)) if limits || !turns => Ok((lower, upper)),
        _ if turns => Ok(symmetric(std::f64::consts::PI)),
        _ => Err(no_range(robot, body, profile, "travels", "q")),
    }
}

fn no_range(
    robot: &Robot,
    body: &steiner_robot::Body,
    profile: &str,
    moves: &'static str,
    key: &'static str,
) -> ModelError {
    ModelError::NoRange {
        profile: profile.to_owned(),
        robot: robot.name.clone(),
        joint: body.joint.name.clone(),
        moves,
        key,
    }
}
