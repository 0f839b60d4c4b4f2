//! What the tests share: reading mechanisms, comparing spans, the nullspaces recorded beside the project.
#![allow(dead_code)]

pub(crate) mod drng;

use std::io::Write;
use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_identifiability::NullVector;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_robot::{Robot, SensorSet};

/// A robot in the native format.
pub(crate) fn robot(text: &str) -> Robot {
    robot_in(text, Format::Toml, &ReadOptions::default())
}

fn robot_in(text: &str, format: Format, options: &ReadOptions) -> Robot {
    let description =
        parse_text(text, "text", format, None, options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assemble(description, options).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A mechanism in the native format.
pub(crate) fn mechanism(text: &str) -> Mechanism {
    mechanism_in(text, Format::Toml, &ReadOptions::default())
}

pub(crate) fn mechanism_in(text: &str, format: Format, options: &ReadOptions) -> Mechanism {
    Mechanism::new(robot_in(text, format, options)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A robot of the zoo, or a file.
pub(crate) fn named(name: &str) -> Mechanism {
    named_with(name, &ReadOptions::default())
}

pub(crate) fn named_with(name: &str, options: &ReadOptions) -> Mechanism {
    Mechanism::new(read_robot(name, options).unwrap_or_else(|e| panic!("{e}")))
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Sensors as they are written.
pub(crate) fn sensors(text: &str) -> SensorSet {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

pub(crate) fn dense(vectors: &[NullVector], parameters: usize) -> Vec<Vec<f64>> {
    let row = |vector: &NullVector| {
        let mut row = vec![0.0; parameters];
        vector.entries.iter().for_each(|&(column, x)| row[column] = x);
        row
    };
    vectors.iter().map(row).collect()
}

pub(crate) fn rank(rows: &[Vec<f64>], columns: usize) -> usize {
    let mut matrix = Matrix::zeros(0, columns);
    for row in rows {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        matrix.push_row(&row.iter().map(|x| x / norm.max(f64::MIN_POSITIVE)).collect::<Vec<_>>());
    }
    reduce(matrix, columns, 1e-9).rank()
}

/// Whether two bases are independent and span the same, both ways; otherwise what differs.
pub(crate) fn same_span(ours: &[Vec<f64>], theirs: &[Vec<f64>], columns: usize) -> Result<(), String> {
    let both: Vec<Vec<f64>> = ours.iter().chain(theirs).cloned().collect();
    let ranks = [rank(ours, columns), rank(theirs, columns), rank(&both, columns)];
    if ours.len() == theirs.len() && ranks.iter().all(|&r| r == ours.len()) {
        return Ok(());
    }
    Err(format!("{} and {} vectors, ranks {ranks:?}", ours.len(), theirs.len()))
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
pub(crate) fn recorded(text: &str) -> Vec<Vec<f64>> {
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
