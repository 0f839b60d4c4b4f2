//! The structural nullspaces of the reference mechanisms: spans, never counts.

use std::io::Write;
use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identifiability::{Measurement, structural_nullspace};

mod support;

use support::{dense, rank, recorded, sensors};

fn reference() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
    if path.is_dir() {
        return Some(path);
    }
    let _ =
        writeln!(std::io::stderr().lock(), "skipped: the reference mechanisms are not beside the project");
    None
}

/// The text behind `"key": "` in a JSON document.
fn text_of(document: &str, key: &str) -> String {
    let at = document.find(&format!("\"{key}\": \"")).expect("the key") + key.len() + 5;
    document[at..].split('"').next().unwrap_or_default().to_owned()
}

fn check(name: &str, mechanism_file: &std::path::Path, measure: &str, answer: &str) {
    let started = std::time::Instant::now();
    let robot = read_robot(&mechanism_file.to_string_lossy(), &ReadOptions::default()).unwrap();
    let mechanism = Mechanism::new(robot).unwrap();
    let measurement =
        Measurement::new(&sensors(measure), &mechanism).unwrap_or_else(|error| panic!("{name}: {error}"));
    let found =
        structural_nullspace(&mechanism, &measurement).unwrap_or_else(|error| panic!("{name}: {error}"));
    let seconds = started.elapsed().as_secs_f64();
    let theirs = recorded(answer);
    let columns = found.parameters;
    let ours = dense(&found.vectors, columns);
    println!("{name}: {} of {columns}, {seconds:.3} s, {:?}", ours.len(), found.certificate.arithmetic);
    assert_eq!(ours.len(), theirs.len(), "{name}");
    assert!(found.certificate.complete, "{name}");
    assert_eq!(rank(&ours, columns), ours.len(), "{name}: independent");
    let both: Vec<Vec<f64>> = ours.iter().chain(&theirs).cloned().collect();
    assert_eq!(rank(&both, columns), ours.len(), "{name}: the same span");
}

fn files(folder: PathBuf) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_reference_mechanism_has_its_recorded_nullspace() {
    let Some(folder) = reference() else { return };
    for path in files(folder.join("mechanisms")) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let answer = std::fs::read_to_string(folder.join(format!("nullspace/{name}.json"))).unwrap();
        check(&name, &path, "all", &answer);
    }
}

#[test]
fn every_recorded_sensor_set_has_its_nullspace() {
    let Some(folder) = reference() else { return };
    for path in files(folder.join("measure")) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let answer = std::fs::read_to_string(&path).unwrap();
        let mechanism = folder.join(text_of(&answer, "mechanism"));
        check(&name, &mechanism, &text_of(&answer, "measure"), &answer);
    }
}
