//! The lines of the README, in an empty crate that has only this library.

use std::path::Path;
use std::process::Command;

const STEPS: &str = include_str!("../examples/first_steps.rs");

/// The block of the README that is Rust.
fn of_the_readme() -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(readme).expect("the README");
    let (_, block) = text.split_once("```rust\n").expect("a block of Rust");
    block.split_once("```").expect("its end").0.to_owned()
}

#[test]
fn the_readme_shows_the_example_of_the_documentation() {
    assert_eq!(of_the_readme(), STEPS);
}

#[test]
fn an_empty_crate_compiles_and_runs_them() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = own.join("../..");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty_crate");
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"empty\"\nedition = \"2024\"\n\n[dependencies]\nsteiner = {{ path = {own:?} }}\n\n\
         [workspace]\n\n\
         [profile.release]\ndebug = \"line-tables-only\"\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    std::fs::write(folder.join("src/main.rs"), of_the_readme()).expect("written");
    // The same versions, target folder, profile and flags as the workspace: nothing is built twice, nothing
    // is fetched.
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the versions");
    std::fs::create_dir_all(folder.join(".cargo")).expect("a folder");
    std::fs::copy(workspace.join(".cargo/config.toml"), folder.join(".cargo/config.toml"))
        .expect("the flags");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--release", "--offline", "--quiet", "--target-dir"])
        .arg(target_folder())
        .current_dir(&folder)
        .output()
        .expect("cargo runs");
    let (seen, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    assert!(seen.contains("link2.Izz and "), "{seen}");
    assert!(seen.lines().any(|line| line.starts_with("link3.Izz = ") && line.contains('±')), "{seen}");
    assert_eq!(seen.lines().count(), 36 + 58, "{seen}");
}

/// The target folder of this build: `CARGO_TARGET_TMPDIR` is in it.
fn target_folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder")
}
