//! What the tests share: files beside the project, skipping visibly, random robots
//! and when two robots are the same.
#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod dice;
pub mod random_description;
pub mod same_robot;

use std::io::Write;
use std::path::PathBuf;

/// Says that a test had nothing to work on. Written past the test harness, which
/// hides what passing tests print.
pub fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr().lock(), "skipped: {reason}");
}

/// The robots of the Python package `example-robot-data`: in the folder `STEINER_EXAMPLE_ROBOTS` names, or in
/// the virtual environment that `scripts/test` makes.
pub fn example_robots() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("STEINER_EXAMPLE_ROBOTS") {
        return Some(PathBuf::from(named));
    }
    let libraries = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.venv/lib");
    let found = std::fs::read_dir(libraries).ok()?.flatten().find_map(|python| {
        let robots = python.path().join("site-packages/cmeel.prefix/share/example-robot-data/robots");
        robots.is_dir().then_some(robots)
    });
    if found.is_none() {
        skipped("the package example-robot-data is not installed (scripts/test installs it)");
    }
    found
}

/// All URDFs among [`example_robots`], in order of their paths.
pub fn example_urdfs() -> Vec<PathBuf> {
    let Some(root) = example_robots() else { return Vec::new() };
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "urdf") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
