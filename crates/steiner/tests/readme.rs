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

/// The README's lines in a crate of their own. Every day without the formats of logs, which these lines do
/// not need and whose libraries take minutes to build; with `STEINER_THOROUGH` as a user gets them.
#[test]
fn an_empty_crate_compiles_and_runs_them() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty_crate");
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let formats = std::env::var_os("STEINER_THOROUGH").is_some();
    let manifest = format!(
        "[package]\nname = \"empty\"\nedition = \"2024\"\n\n\
         [dependencies]\nsteiner = {{ path = {own:?}, default-features = {formats} }}\n\n\
         [workspace]\n\n[profile.dev]\nopt-level = 1\ndebug = false\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    std::fs::write(folder.join("src/main.rs"), of_the_readme()).expect("written");
    // The versions of the workspace, so that nothing is fetched.
    std::fs::copy(own.join("../../Cargo.lock"), folder.join("Cargo.lock")).expect("the versions");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet"])
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .current_dir(&folder)
        .output()
        .expect("cargo runs");
    let (seen, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    assert!(seen.contains("link2.Izz and "), "{seen}");
    assert!(seen.lines().any(|line| line.starts_with("link3.Izz = ") && line.contains('±')), "{seen}");
    assert_eq!(seen.lines().count(), 36 + 58, "{seen}");
}
