//! What the tests share: reading mechanisms, comparing spans, where the references are.
#![allow(dead_code, unreachable_pub, missing_docs)]

use std::io::Write;
use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_identifiability::NullVector;
use steiner_robot::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_scalar::elimination::{Matrix, reduce};

/// A mechanism from a native file's text.
pub fn mechanism(text: &str) -> Mechanism {
    mechanism_in(text, Format::Toml, &ReadOptions::default())
}

pub fn mechanism_in(text: &str, format: Format, options: &ReadOptions) -> Mechanism {
    let description =
        parse_text(text, "text", format, None, options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let robot = assemble(description, options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    Mechanism::new(robot).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// A mechanism from a file or the zoo.
pub fn named(name: &str, options: &ReadOptions) -> Mechanism {
    Mechanism::new(read_robot(name, options).unwrap_or_else(|e| panic!("{e}")))
        .unwrap_or_else(|e| panic!("{e}"))
}

/// All reference mechanisms, or none with a visible message.
pub fn references() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference/mechanisms");
    let Ok(entries) = std::fs::read_dir(folder) else {
        let message = "skipped: the reference mechanisms are not beside the project";
        let _ = writeln!(std::io::stderr().lock(), "{message}");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    paths.sort();
    paths
}

pub fn dense(vectors: &[NullVector], parameters: usize) -> Vec<Vec<f64>> {
    let row = |vector: &NullVector| {
        let mut row = vec![0.0; parameters];
        vector.entries.iter().for_each(|&(column, x)| row[column] = x);
        row
    };
    vectors.iter().map(row).collect()
}

pub fn rank(rows: &[Vec<f64>], columns: usize) -> usize {
    let mut matrix = Matrix::zeros(0, columns);
    for row in rows {
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        matrix.push_row(&row.iter().map(|x| x / norm.max(f64::MIN_POSITIVE)).collect::<Vec<_>>());
    }
    reduce(matrix, columns, 1e-9).rank()
}

/// Whether two bases are independent and span the same, both ways; otherwise what differs.
pub fn same_span(ours: &[Vec<f64>], theirs: &[Vec<f64>], columns: usize) -> Result<(), String> {
    let both: Vec<Vec<f64>> = ours.iter().chain(theirs).cloned().collect();
    let ranks = [rank(ours, columns), rank(theirs, columns), rank(&both, columns)];
    if ours.len() == theirs.len() && ranks.iter().all(|&r| r == ours.len()) {
        return Ok(());
    }
    Err(format!("{} and {} vectors, ranks {ranks:?}", ours.len(), theirs.len()))
}
