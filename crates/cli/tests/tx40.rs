//! A real arm from the command line: two files of motors without a clock, one mapping, one line.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use steiner::formats::{ReadOptions, read_robot};

/// The folder with the recording, which lies beside the project.
fn recording() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/tx40");
    if !path.exists() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// `steiner identify` with the line of docs/identification.md, as a document.
fn identified(folder: &Path, further: &[&str]) -> Value {
    let mapping = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mappings/tx40.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_steiner"));
    command.arg("identify").arg(folder.join("tx40.urdf")).arg(folder).arg("--mapping").arg(mapping);
    command.args(["--drive", "crosswise:wrist=joint_5:1,joint_6:1", "--hold-out", "0.3333", "--json"]);
    let output = command.args(further).output().expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn total(document: &Value, part: &str) -> f64 {
    document["residual"][part]["total"].as_f64().expect("a residual")
}

#[test]
fn one_line_identifies_a_real_arm_and_writes_a_file_of_links_that_can_exist() {
    let Some(folder) = recording() else { return };
    let out = std::env::temp_dir().join(format!("steiner-tx40-{}", std::process::id()));
    std::fs::create_dir_all(&out).expect("a folder");
    let urdf = out.join("identified.urdf").display().to_string();
    let ours = identified(&folder, &["-o", &urdf]);
    let ordinary = identified(&folder, &["--estimator", "ordinary", "--no-consistency"]);

    // 61 of bodies, drives and the crosswise drive, and the friction that was chosen.
    let chosen = ours["friction_trials"].as_array().expect("trials").iter();
    // A harmonic has a sine and a cosine.
    let parameters = |term: &Value| 1 + usize::from(term.as_str().is_some_and(|t| t.starts_with("harmonic")));
    let chosen: usize = chosen.filter_map(|joint| joint["chosen"].as_array()).flatten().map(parameters).sum();
    assert!(chosen > 0);
    assert_eq!(ours["parameters"].as_array().map(Vec::len), Some(61 + chosen));
    assert_eq!(ours["rank"], 61 + chosen);
    let simple = identified(&folder, &["--friction", "simple"]);
    assert_eq!(simple["parameters"].as_array().map(Vec::len), Some(61));
    assert!(total(&ours, "validation") < 0.85 * total(&simple, "validation"));
    let ratio = total(&ours, "validation") / total(&ordinary, "validation");
    assert!(ratio <= 1.02, "{ratio}");
    assert!(total(&ours, "train") <= 1.1 * total(&ordinary, "train"));
    assert!(total(&ours, "train") < 0.05 && total(&ours, "validation") < 0.07, "{}", ours["residual"]);
    let bodies = ours["consistent"].as_object().expect("an entry for each link");
    assert!(bodies.len() == 6 && bodies.values().all(|consistent| consistent == true), "{bodies:?}");
    // What the defaults became is said: where each joint stands, too.
    let speeds = ours["settings"]["least_speed"].to_string();
    assert!((1..=6).all(|k| speeds.contains(&format!("joint_{k}"))), "{speeds}");

    // The file is read again, with the model's numbers, and each of its links is physically consistent.
    let robot = read_robot(&urdf, &ReadOptions::default()).expect("the file is a robot");
    assert_eq!(robot.bodies.len(), 6);
    for body in &robot.bodies {
        body.inertia.check().unwrap_or_else(|problem| panic!("{}: {problem}", body.name));
        let label = format!("{}.m", body.name);
        let mass = ours["model"][&label].as_f64().expect("a mass");
        assert!((body.inertia.mass / mass - 1.0).abs() < 1e-9, "{label}: {} and {mass}", body.inertia.mass);
    }
    // It predicts what the file it came from does not.
    let again = identified(&folder, &[]);
    assert_eq!(again["residual"], ours["residual"]);
    std::fs::remove_dir_all(&out).expect("the folder goes");
}
