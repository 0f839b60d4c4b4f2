//! Mechanisms whose answers are known, and what tests of `steiner check` read.

use serde_json::Value;

use super::Bench;

/// A body on a horizontal axis, with a drive.
pub(crate) const PENDULUM: &str = r#"
name = "pendulum"
gravity = [0, 0, -9.81]
[[body]]
name = "bob"
parent = "base"
joint = "revolute"
axis = [0, 1, 0]
inertia = { mass = 1.0, com = [0, 0, -0.4], tensor = [0.01, 0, 0.01, 0, 0, 0.002] }
"#;

/// Two sliders across gravity; the second moves twice as far as the first.
pub(crate) const GEARED: &str = r#"
name = "geared"
[[body]]
name = "first"
parent = "base"
joint = "prismatic"
axis = [1, 0, 0]
inertia = { mass = 1.0, com = [0, 0, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }
[[body]]
name = "second"
parent = "base"
joint = "prismatic"
xyz = [0, 1, 0]
axis = [1, 0, 0]
inertia = { mass = 2.0, com = [0, 0, 0], tensor = [0.01, 0, 0.01, 0, 0, 0.01] }
[[coupling]]
coordinate = "second"
terms = [["first", 2.0]]
"#;

/// One body that floats.
pub(crate) const SATELLITE: &str = r#"
name = "satellite"
gravity = [0, 0, 0]
[[body]]
name = "hull"
parent = "base"
joint = "floating"
inertia = { mass = 10.0, com = [0, 0, 0.1], tensor = [1, 0, 1, 0, 0, 1] }
"#;

/// Verdicts as `parameter verdict`, in order.
pub(crate) fn verdicts(document: &Value) -> Vec<String> {
    let answers = document["wanted"].as_array().expect("a list");
    let word = |answer: &Value, key: &str| answer[key].as_str().expect("a word").to_owned();
    answers
        .iter()
        .map(|answer| format!("{} {}", word(answer, "parameter"), word(answer, "verdict")))
        .collect()
}

/// A log of the arm: joints move as sinusoids but those that stand, torques are the robot's own.
pub(crate) fn log_of_arm(bench: &Bench, still: &str) {
    let mut rows = "t,q_j1,q_j2,q_j3\n".to_owned();
    for k in 0..2000 {
        let t = 0.005 * f64::from(k);
        let q = [("j1", 1.3, 0.0), ("j2", 2.1, 0.4), ("j3", 3.7, 0.9)].map(|(joint, w, phase)| {
            if joint == still { 0.3 } else { 0.8 * (w * t + phase).sin() + 0.2 * (3.1 * w * t).cos() }
        });
        rows += &format!("{t},{},{},{}\n", q[0], q[1], q[2]);
    }
    bench.write("motion.csv", rows);
}
