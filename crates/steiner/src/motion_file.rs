//! A motion as a file for whoever executes it: CSV and NPZ, `trajectory_msgs/JointTrajectory` as YAML and JSON,
//! MuJoCo's keyframes.

use std::fmt::Write;
use std::path::Path;

use serde_json::json;
use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_excitation::Trajectory;
use steiner_files::write_atomically;
use steiner_identification::channels;
use steiner_logs::{LogError, Recording};
use steiner_robot::JointKind;

/// What a file of a motion holds, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionFormat {
    /// `.csv`: columns `t`, `q_JOINT`, `qd_JOINT`, `qdd_JOINT`.
    Csv,
    /// `.npz`: arrays of the same names.
    Npz,
    /// `.yaml`: `trajectory_msgs/JointTrajectory`, as `ros2 topic pub` takes it.
    Yaml,
    /// `.json`: the same message.
    Json,
    /// `.xml`: `<keyframe>` of an MJCF file, to be included into the robot's.
    Mujoco,
}

/// Why a motion is not written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum MotionFileError {
    #[error(
        "{file}: the ending says nothing about the format; let it be .csv, .npz, .yaml or .json \
        (trajectory_msgs/JointTrajectory), or .xml (MuJoCo keyframes)"
    )]
    Ending { file: String },
    #[error(
        "{file}: MuJoCo's model has the joints that are locked here ({joints}), and a keyframe needs a value for \
        each; let them stand still instead of locking them, or write another format"
    )]
    Locked { file: String, joints: String },
    #[error("{file} cannot be written ({reason}); give another file")]
    Unwritable { file: String, reason: String },
    #[error(transparent)]
    Log(#[from] LogError),
    #[error("{file}: {reason}; write .csv, which has the independent coordinates alone")]
    Loops { file: String, reason: String },
}

impl MotionFormat {
    /// The format that the ending of a file's name asks for.
    pub fn of(path: &Path) -> Result<Self, MotionFileError> {
        let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase());
        match ending.as_str() {
            "csv" => Ok(MotionFormat::Csv),
            "npz" => Ok(MotionFormat::Npz),
            "yaml" | "yml" => Ok(MotionFormat::Yaml),
            "json" => Ok(MotionFormat::Json),
            "xml" | "mjcf" => Ok(MotionFormat::Mujoco),
            _ => Err(MotionFileError::Ending { file: path.display().to_string() }),
        }
    }

    /// Whether a motion of this mechanism can be written so.
    pub fn check(self, mechanism: &Mechanism, path: &Path) -> Result<(), MotionFileError> {
        let locked = mechanism.robot().description.locked();
        match self {
            MotionFormat::Mujoco if !locked.is_empty() => {
                let file = path.display().to_string();
                Err(MotionFileError::Locked { file, joints: locked.join(", ") })
            }
            _ => Ok(()),
        }
    }
}

/// Samples of a motion as the columns of a log without forces.
pub fn motion_recording(mechanism: &Mechanism, motion: &Trajectory) -> Recording {
    Recording {
        count: motion.t.len(),
        t: motion.t.clone(),
        q: motion.q.clone(),
        qd: motion.qd.clone(),
        qdd: motion.qdd.clone(),
        measured: vec![false; mechanism.dof()],
        tau: vec![0.0; mechanism.dof() * motion.t.len()],
        ..Recording::default()
    }
}

/// Writes a motion in the format that the ending of the file's name asks for: all of it or nothing.
pub fn write_motion(mechanism: &Mechanism, motion: &Trajectory, path: &Path) -> Result<(), MotionFileError> {
    let format = MotionFormat::of(path)?;
    format.check(mechanism, path)?;
    let text = match format {
        MotionFormat::Csv | MotionFormat::Npz => {
            let recording = motion_recording(mechanism, motion);
            return Ok(recording.write(&channels(mechanism), path, true)?);
        }
        MotionFormat::Yaml => yaml(mechanism, motion),
        MotionFormat::Json => format!("{:#}\n", message(mechanism, motion)),
        MotionFormat::Mujoco => keyframes(mechanism, motion)
            .map_err(|reason| MotionFileError::Loops { file: path.display().to_string(), reason })?,
    };
    let unwritable = |error: std::io::Error| MotionFileError::Unwritable {
        file: path.display().to_string(),
        reason: error.to_string(),
    };
    write_atomically(path, text).map_err(unwritable)
}

/// A motion in the coordinates of the whole tree: what a mechanism that stands on its feet does, as its robot
/// without them has it.
pub fn tree_motion(mechanism: &Mechanism, motion: &Trajectory) -> Result<Trajectory, DynamicsError> {
    let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
    let mut out = Trajectory { t: motion.t.clone(), ..Trajectory::default() };
    let mut before: Option<Vec<f64>> = None;
    for k in 0..motion.t.len() {
        let (q, own) = (&motion.q[k * nq..(k + 1) * nq], k * nv..(k + 1) * nv);
        let tree = match &before {
            Some(before) => mechanism.tree_configuration_from(q, before)?,
            None => mechanism.tree_configuration(q)?,
        };
        let state = mechanism.feasible(q, &motion.qd[own.clone()], &motion.qdd[own])?;
        out.q.extend(&tree);
        out.qd.extend(&state.velocity);
        out.qdd.extend(&state.acceleration);
        before = Some(tree);
    }
    Ok(out)
}

/// Joints that a controller of single joints can follow: name, place in the configuration and among the
/// velocities.
fn single_joints(mechanism: &Mechanism) -> Vec<(String, usize, usize)> {
    let names = mechanism.configuration_names();
    let joints = mechanism.independent_names().into_iter().enumerate();
    joints
        .filter_map(|(velocity, name)| Some((names.iter().position(|n| *n == name)?, velocity, name)))
        .map(|(at, velocity, name)| (name, at, velocity))
        .collect()
}

/// The numbers of one sample, joint by joint.
fn point(
    mechanism: &Mechanism,
    motion: &Trajectory,
    joints: &[(String, usize, usize)],
    k: usize,
) -> [Vec<f64>; 3] {
    let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
    let of = |values: &[f64], width: usize, place: fn(&(String, usize, usize)) -> usize| -> Vec<f64> {
        joints.iter().map(|joint| values[k * width + place(joint)]).collect()
    };
    [of(&motion.q, nq, |j| j.1), of(&motion.qd, nv, |j| j.2), of(&motion.qdd, nv, |j| j.2)]
}

/// Whole seconds and nanoseconds.
fn stamp(t: f64) -> (i64, i64) {
    let nanoseconds = (t * 1e9).round() as i64;
    (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
}

fn message(mechanism: &Mechanism, motion: &Trajectory) -> serde_json::Value {
    let joints = single_joints(mechanism);
    let names: Vec<&str> = joints.iter().map(|joint| joint.0.as_str()).collect();
    let points: Vec<serde_json::Value> = (0..motion.t.len())
        .map(|k| {
            let [positions, velocities, accelerations] = point(mechanism, motion, &joints, k);
            let (sec, nanosec) = stamp(motion.t[k]);
            json!({
                "positions": positions, "velocities": velocities, "accelerations": accelerations,
                "effort": [], "time_from_start": {"sec": sec, "nanosec": nanosec},
            })
        })
        .collect();
    json!({
        "header": {"stamp": {"sec": 0, "nanosec": 0}, "frame_id": ""},
        "joint_names": names,
        "points": points,
    })
}

/// The same message; written by hand, for names of joints are all it takes to quote.
fn yaml(mechanism: &Mechanism, motion: &Trajectory) -> String {
    let joints = single_joints(mechanism);
    let names: Vec<String> = joints.iter().map(|joint| json!(joint.0).to_string()).collect();
    let mut out = format!(
        "# trajectory_msgs/JointTrajectory; rad or m, per s, per s²\n\
        header:\n  stamp: {{sec: 0, nanosec: 0}}\n  frame_id: ''\njoint_names: [{}]\npoints:\n",
        names.join(", ")
    );
    for (k, &t) in motion.t.iter().enumerate() {
        let [positions, velocities, accelerations] = point(mechanism, motion, &joints, k);
        let (sec, nanosec) = stamp(t);
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "- positions: {}\n  velocities: {}\n  accelerations: {}\n  effort: []\n  \
            time_from_start: {{sec: {sec}, nanosec: {nanosec}}}\n",
            listed(&positions, ", "),
            listed(&velocities, ", "),
            listed(&accelerations, ", ")
        );
    }
    out
}

fn listed(values: &[f64], between: &str) -> String {
    format!("[{}]", joined(values, between))
}

/// Numbers with a decimal point or an exponent that every reader takes for one of a float.
fn joined(values: &[f64], between: &str) -> String {
    let texts: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
    texts.join(between)
}

/// `qpos` and `qvel` of the whole tree: MuJoCo knows no independent coordinates, and puts w first.
fn keyframes(mechanism: &Mechanism, motion: &Trajectory) -> Result<String, String> {
    let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
    let mut out = "<mujoco>\n  <keyframe>\n".to_owned();
    for (k, &t) in motion.t.iter().enumerate() {
        let (q, qd) = (&motion.q[k * nq..(k + 1) * nq], &motion.qd[k * nv..(k + 1) * nv]);
        let rest = vec![0.0; nv];
        let state = mechanism.feasible(q, qd, &rest).map_err(|error| error.to_string())?;
        let tree = match mechanism.is_plain_tree() {
            true => q.to_vec(),
            false => mechanism.tree_configuration(q).map_err(|error| error.to_string())?,
        };
        let (qpos, qvel) = mujoco_state(mechanism, &tree, &state.velocity);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "    <key name=\"t{k}\" time=\"{t:?}\" qpos=\"{}\" qvel=\"{}\"/>",
            joined(&qpos, " "),
            joined(&qvel, " ")
        );
    }
    out += "  </keyframe>\n</mujoco>\n";
    Ok(out)
}

/// MuJoCo's order and frames: quaternions w first; of a free joint the linear velocity in the world's axes.
fn mujoco_state(mechanism: &Mechanism, tree: &[f64], velocity: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut qpos, mut qvel) = (tree.to_vec(), velocity.to_vec());
    let robot = mechanism.robot();
    let places = robot.configuration_offsets().into_iter().zip(robot.velocity_offsets());
    for (body, (at, from)) in robot.bodies.iter().zip(places) {
        let first = match body.joint.kind {
            JointKind::Floating => 3,
            JointKind::Spherical => 0,
            _ => continue,
        };
        let [x, y, z, w] = std::array::from_fn(|k| tree[at + first + k]);
        qpos[at + first..at + first + 4].copy_from_slice(&[w, x, y, z]);
        if first == 3 {
            let v: [f64; 3] = std::array::from_fn(|k| velocity[from + k]);
            qvel[from..from + 3].copy_from_slice(&turned([x, y, z, w], v));
        }
    }
    (qpos, qvel)
}

/// A vector turned by a unit quaternion.
fn turned([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let u = [x, y, z];
    let t = cross(u, v).map(|c| 2.0 * c);
    let across = cross(u, t);
    std::array::from_fn(|k| v[k] + w * t[k] + across[k])
}
