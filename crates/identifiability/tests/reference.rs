//! The structural nullspaces of the reference mechanisms: spans, never counts.

use std::io::Write;
use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_identifiability::structural_nullspace;
use steiner_robot::{ReadOptions, read_robot};
use steiner_scalar::elimination::{Matrix, reduce};

fn reference() -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
    if path.is_dir() {
        return Some(path);
    }
    let _ =
        writeln!(std::io::stderr().lock(), "skipped: the reference mechanisms are not beside the project");
    None
}

/// The rows of `"nullspace": [[…], …]`.
fn recorded(text: &str) -> Vec<Vec<f64>> {
    let at = text.find("\"nullspace\":").expect("a nullspace") + 12;
    let body = text[at..].trim_start().trim_start_matches('[');
    let end = body.find("]]").map_or(0, |end| end + 1);
    body[..end]
        .split(']')
        .map(|row| row.trim_start_matches([',', ' ', '[', '\n']))
        .filter(|row| !row.trim().is_empty())
        .map(|row| row.split(',').map(|x| x.trim().parse().expect("a number")).collect())
        .collect()
}

fn rank(rows: &[Vec<f64>], columns: usize) -> usize {
    let mut matrix = Matrix::zeros(0, columns);
    for row in rows {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        matrix.push_row(&row.iter().map(|x| x / norm).collect::<Vec<_>>());
    }
    reduce(matrix, columns, 1e-9).rank()
}

#[test]
fn every_reference_mechanism_has_its_recorded_nullspace() {
    let Some(folder) = reference() else { return };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("mechanisms")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let started = std::time::Instant::now();
        let robot = read_robot(&path.to_string_lossy(), &ReadOptions::default()).unwrap();
        let mechanism = Mechanism::new(robot).unwrap();
        let found = structural_nullspace(&mechanism).unwrap_or_else(|error| panic!("{name}: {error}"));
        let seconds = started.elapsed().as_secs_f64();
        let theirs =
            recorded(&std::fs::read_to_string(folder.join(format!("nullspace/{name}.json"))).unwrap());
        let columns = found.parameters;
        let ours: Vec<Vec<f64>> = found
            .vectors
            .iter()
            .map(|vector| {
                let mut row = vec![0.0; columns];
                vector.entries.iter().for_each(|&(c, x)| row[c] = x);
                row
            })
            .collect();
        println!(
            "{name}: {} of {columns}, {seconds:.3} s, {:?}",
            found.vectors.len(),
            found.certificate.arithmetic
        );
        assert_eq!(ours.len(), theirs.len(), "{name}");
        assert!(found.certificate.complete, "{name}");
        assert_eq!(rank(&ours, columns), ours.len(), "{name}: independent");
        let both: Vec<Vec<f64>> = ours.iter().chain(&theirs).cloned().collect();
        assert_eq!(rank(&both, columns), ours.len(), "{name}: the same span");
    }
}
