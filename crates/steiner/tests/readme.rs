//! The lines of the README, in an empty crate that has only this library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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

/// The example, which `cargo test` builds beside the tests.
fn example() -> PathBuf {
    let own = std::env::current_exe().expect("this test");
    let folder = own.parent().and_then(Path::parent).expect("the folder of the build");
    folder.join("examples").join(format!("first_steps{}", std::env::consts::EXE_SUFFIX))
}

/// The README's lines: every day as the example that was built with the tests; with `STEINER_THOROUGH`, or if there
/// is none, in a crate of their own as a user has them, which takes minutes to build.
#[test]
fn they_run() {
    let (built, thorough) = (example(), std::env::var_os("STEINER_THOROUGH").is_some());
    let output = match built.exists() && !thorough {
        true => Command::new(built).output().expect("the example runs"),
        false => in_an_empty_crate(thorough),
    };
    let (seen, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    assert!(seen.contains("link2.Izz and "), "{seen}");
    assert!(seen.lines().any(|line| line.starts_with("link3.Izz = ") && line.contains('±')), "{seen}");
    assert_eq!(seen.lines().count(), 36 + 58, "{seen}");
}

fn in_an_empty_crate(formats: bool) -> Output {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty_crate");
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"empty\"\nedition = \"2024\"\n\n\
         [dependencies]\nsteiner = {{ path = {own:?}, default-features = {formats} }}\n\n\
         [workspace]\n\n[profile.dev]\nopt-level = 1\ndebug = false\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    std::fs::write(folder.join("src/main.rs"), of_the_readme()).expect("written");
    // The versions of the workspace, so that nothing is fetched.
    std::fs::copy(own.join("../../Cargo.lock"), folder.join("Cargo.lock")).expect("the versions");
    Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet"])
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .current_dir(&folder)
        .output()
        .expect("cargo runs")
}
