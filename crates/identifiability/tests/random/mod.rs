//! What the tests share: reading, analysing, and a generator of numbers.
#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod agreement;
pub mod forces;
pub mod linkages;
pub mod machines;
pub mod rewriting;
pub mod singular_values;
pub mod trees;

use proptest::test_runner::Config;
use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text};
use steiner_identifiability::{Measurement, Nullspace, structural_nullspace};
use steiner_linalg::Stream;
use steiner_robot::Description;

/// The usual number of cases, or more when thoroughness is asked for.
pub fn cases(usual: u32) -> Config {
    let thorough = std::env::var_os("STEINER_THOROUGH").is_some();
    let cases = if thorough { 8 * usual } else { usual };
    Config {
        cases,
        failure_persistence: None,
        max_global_rejects: 64 * cases,
        max_local_rejects: 1 << 20,
        ..Config::default()
    }
}

pub fn description(text: &str) -> Description {
    parse_text(text, "test.toml", Format::Toml, None, &ReadOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn zoo(name: &str) -> Description {
    steiner_formats::describe(name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn mechanism(description: Description) -> Mechanism {
    let robot = assemble(description, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"))
}

/// A sensor set of a mechanism, as it is written.
pub fn measurement(measure: &str, mechanism: &Mechanism) -> Measurement {
    let set = measure.parse().unwrap_or_else(|error| panic!("{error}"));
    Measurement::new(&set, mechanism).unwrap_or_else(|error| panic!("{error}"))
}

/// The nullspace for a sensor set, which must be complete.
pub fn nullspace_of(mechanism: &Mechanism, measure: &str) -> Nullspace {
    let measurement = measurement(measure, mechanism);
    let nullspace =
        structural_nullspace(mechanism, &measurement).unwrap_or_else(|error| panic!("{measure}: {error}"));
    assert!(nullspace.certificate.complete, "{measure}: {:?}", nullspace.certificate);
    nullspace
}

pub fn nullity(description: &Description) -> usize {
    nullspace_of(&mechanism(description.clone()), "all").vectors.len()
}

/// The vectors of a basis, dense and of unit length.
pub fn dense(nullspace: &Nullspace) -> Vec<Vec<f64>> {
    let spread = |entries: &[(usize, f64)]| {
        let norm = entries.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
        let mut row = vec![0.0; nullspace.parameters];
        entries.iter().for_each(|&(column, x)| row[column] = x / norm);
        row
    };
    nullspace.vectors.iter().map(|vector| spread(&vector.entries)).collect()
}

/// Random numbers, the same in every run.
pub struct Noise(Stream);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Noise(Stream::new(seed))
    }

    /// In (−1, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    pub fn vector(&mut self, size: usize) -> Vec<f64> {
        (0..size).map(|_| self.uniform()).collect()
    }
}
