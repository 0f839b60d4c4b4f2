//! Spans of null vectors, and the nullspaces recorded beside the project.
#![allow(dead_code)]

use std::io::Write;
use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Measurement, NullVector, TetrahedralModel, drng, drng_nullspace, structural_nullspace,
};
use steiner_robot::{Format, ReadOptions, Robot, assemble, parse_text, read_robot};
use steiner_scalar::elimination::{Matrix, reduce};

/// A robot in the native format.
pub(crate) fn robot(text: &str) -> Robot {
    let options = ReadOptions::default();
    let description = parse_text(text, "test", Format::Toml, None, &options).unwrap();
    assemble(description, &options).unwrap()
}

pub(crate) fn mechanism(text: &str) -> Mechanism {
    Mechanism::new(robot(text)).unwrap()
}

/// A robot of the zoo, or a file.
pub(crate) fn named(name: &str) -> Mechanism {
    Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap()
}

pub(crate) fn dense(vectors: &[NullVector], columns: usize) -> Vec<Vec<f64>> {
    let row = |vector: &NullVector| {
        let mut row = vec![0.0; columns];
        vector.entries.iter().for_each(|&(c, x)| row[c] = x);
        row
    };
    vectors.iter().map(row).collect()
}

pub(crate) fn rank(rows: &[Vec<f64>], columns: usize) -> usize {
    let mut matrix = Matrix::zeros(0, columns);
    for row in rows {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        matrix.push_row(&row.iter().map(|x| x / norm).collect::<Vec<_>>());
    }
    reduce(matrix, columns, 1e-9).rank()
}

/// Asserts that vectors are independent and that all lie in a span of independent ones.
pub(crate) fn assert_independent_and_within(
    name: &str,
    ours: &[Vec<f64>],
    span: &[Vec<f64>],
    columns: usize,
) {
    assert_eq!(rank(ours, columns), ours.len(), "{name}: independent");
    let both: Vec<Vec<f64>> = ours.iter().chain(span).cloned().collect();
    assert_eq!(rank(&both, columns), span.len(), "{name}: no false vector");
}

/// Checks DRNG against the certified nullspace and answers how many vectors it has and how many it misses.
pub(crate) fn compared(name: &str, mechanism: &Mechanism) -> (usize, usize) {
    let found = drng_nullspace(mechanism).unwrap();
    let certified = structural_nullspace(mechanism, &Measurement::all()).unwrap();
    assert!(certified.certificate.complete, "{name}");
    let columns = certified.parameters;
    let span = dense(&certified.vectors, columns);
    assert_independent_and_within(name, &dense(&found, columns), &span, columns);
    (found.len(), span.len() - found.len())
}

/// The vectors of a prepared model as rows over all parameters.
fn rows(model: &TetrahedralModel) -> Vec<Vec<f64>> {
    let row = |vector: &steiner_identifiability::JointVector| {
        let mut row = vec![0.0; 10 * model.body_count()];
        row[10 * vector.child..][..10].copy_from_slice(&vector.in_child);
        if let Some(parent) = vector.parent {
            row[10 * parent..][..10].copy_from_slice(&vector.in_parent);
        }
        row
    };
    drng(model).iter().map(row).collect()
}

/// Asserts that a model made of the robot alone gives the span of one made of the mechanism.
pub(crate) fn assert_prepared_alike(name: &str, mechanism: &Mechanism) {
    let evaluated = rows(&TetrahedralModel::new(mechanism).unwrap());
    let exact = rows(&TetrahedralModel::from_robot(mechanism.robot()).unwrap());
    assert_eq!(evaluated.len(), exact.len(), "{name}");
    assert_independent_and_within(name, &evaluated, &exact, mechanism.layout().columns());
}

/// The reference mechanisms with their recorded nullspaces; a visible line where they are absent.
pub(crate) fn references() -> Vec<(String, PathBuf, Vec<Vec<f64>>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
    if !folder.is_dir() {
        let line = "skipped: the reference mechanisms are not beside the project";
        let _ = writeln!(std::io::stderr().lock(), "{line}");
        return Vec::new();
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.join("mechanisms")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let with_answer = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let answer = std::fs::read_to_string(folder.join(format!("nullspace/{name}.json"))).unwrap();
        (name, path, recorded(&answer))
    };
    files.into_iter().map(with_answer).collect()
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
