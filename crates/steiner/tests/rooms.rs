//! The house as `cargo metadata` sees it: arrows between crates point upward in the table of rooms, and none
//! is dead.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The rooms from the top of the table downward: each depends only on those before it.
const ROOMS: [&str; 17] = [
    "steiner-files",
    "steiner-scalar",
    "steiner-linalg",
    "steiner-symbols",
    "steiner-pga",
    "steiner-robot",
    "steiner-formats",
    "steiner-dynamics",
    "steiner-identifiability",
    "steiner-model",
    "steiner-logs",
    "steiner-identification",
    "steiner-excitation",
    "steiner-report",
    "steiner",
    "steiner-cli",
    "steiner-python",
];

/// A dependency on a crate of the workspace.
struct Arrow {
    from: String,
    to: String,
    folder: PathBuf,
    is_normal: bool,
}

fn arrows() -> Vec<Arrow> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut arrows = Vec::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        // Only crates of the workspace have a path.
        for dependency in dependencies.iter().filter(|dependency| dependency["path"].is_string()) {
            arrows.push(Arrow {
                from: package["name"].as_str().expect("a name").to_owned(),
                to: dependency["name"].as_str().expect("a name").to_owned(),
                folder: manifest.parent().expect("a folder").to_owned(),
                is_normal: dependency["kind"].is_null(),
            });
        }
    }
    assert!(arrows.len() > 20, "{}", String::from_utf8_lossy(&output.stderr));
    arrows
}

fn place(room: &str) -> usize {
    ROOMS
        .iter()
        .position(|other| *other == room)
        .unwrap_or_else(|| panic!("{room} is not in the table of rooms"))
}

#[test]
fn every_arrow_points_upward() {
    let downward: Vec<String> = arrows()
        .iter()
        .filter(|arrow| arrow.is_normal && place(&arrow.to) >= place(&arrow.from))
        .map(|arrow| format!("{} → {}", arrow.from, arrow.to))
        .collect();
    assert!(downward.is_empty(), "{downward:?}");
}

/// Lines of all sources of a crate that are no comments.
fn code(folder: &Path) -> String {
    let mut out = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        match entry.is_dir() {
            true => out += &code(&entry),
            false if entry.extension().is_some_and(|extension| extension == "rs") => {
                let text = std::fs::read_to_string(&entry).expect("a source");
                text.lines().filter(|line| !line.trim_start().starts_with("//")).for_each(|line| {
                    out += line;
                    out.push('\n');
                });
            }
            false => {}
        }
    }
    out
}

#[test]
fn no_arrow_is_dead() {
    let dead: Vec<String> = arrows()
        .iter()
        .filter(|arrow| {
            arrow.is_normal && !code(&arrow.folder.join("src")).contains(&arrow.to.replace('-', "_"))
        })
        .map(|arrow| format!("{} → {}", arrow.from, arrow.to))
        .collect();
    assert!(dead.is_empty(), "nothing in the sources uses {dead:?}");
}

#[test]
fn command_and_python_know_the_entry_point_alone() {
    for arrow in arrows().iter().filter(|arrow| place(&arrow.from) > place("steiner")) {
        assert_eq!(arrow.to, "steiner", "{} knows a room behind the entry point", arrow.from);
    }
}

#[test]
fn geometric_algebra_checks_and_is_not_built_upon() {
    assert!(arrows().iter().all(|arrow| arrow.to != "steiner-pga" || !arrow.is_normal));
}
