//! What the tests share: robots, models and random states.
#![allow(dead_code)]

pub(crate) mod agreement;
pub(crate) mod compiled;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_linalg::Stream;
use steiner_model::{Psdm, PsdmOptions};

/// A robot of the zoo.
pub(crate) fn named(name: &str) -> Mechanism {
    Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap()
}

/// A mechanism in the native format.
pub(crate) fn mechanism(text: &str) -> Mechanism {
    let options = ReadOptions::default();
    let description = parse_text(text, "text", Format::Toml, None, &options);
    let robot = assemble(description.unwrap_or_else(|e| panic!("{e}\n{text}")), &options);
    Mechanism::new(robot.unwrap_or_else(|e| panic!("{e}\n{text}"))).unwrap()
}

pub(crate) fn derived(mechanism: &Mechanism) -> Psdm {
    Psdm::derive(mechanism, &PsdmOptions::default()).unwrap()
}

/// The planar arm with the paper's assumptions: no first moments but those along x.
pub(crate) fn simplified_two_link() -> Psdm {
    let neglect = ["link1.my", "link1.mz", "link2.my", "link2.mz"].map(str::to_owned).to_vec();
    Psdm::derive(&named("two_link"), &PsdmOptions { neglect, ..PsdmOptions::default() }).unwrap()
}

/// Numbers in (−1, 1), always the same.
pub(crate) struct Random(Stream);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(Stream::new(seed))
    }
    pub(crate) fn number(&mut self) -> f64 {
        self.0.uniform()
    }
    pub(crate) fn numbers(&mut self, count: usize, scale: f64) -> Vec<f64> {
        (0..count).map(|_| scale * self.number()).collect()
    }
    /// q in ±π, q̇ in ±1 and q̈ in ±10: the states of table 2.
    pub(crate) fn state(&mut self, joints: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let pi = std::f64::consts::PI;
        (self.numbers(joints, pi), self.numbers(joints, 1.0), self.numbers(joints, 10.0))
    }
}

/// ‖a − b‖ over ‖b‖.
pub(crate) fn relative(a: &[f64], b: &[f64]) -> f64 {
    let norm = |v: Vec<f64>| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    norm(a.iter().zip(b).map(|(a, b)| a - b).collect()) / norm(b.to_vec()).max(f64::MIN_POSITIVE)
}

pub(crate) fn is_thorough() -> bool {
    std::env::var_os("STEINER_THOROUGH").is_some()
}
