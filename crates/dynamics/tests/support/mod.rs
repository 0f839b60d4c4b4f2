//! What the tests share: random numbers, random states, where the reference mechanisms are.
#![allow(dead_code, unreachable_pub, missing_docs)]

use std::io::Write;
use std::path::PathBuf;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_linalg::Stream;
use steiner_robot::{PseudoInertia, Robot};

/// Random numbers, the same in every run.
pub struct Noise(Stream);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Noise(Stream::new(seed))
    }
    /// Of one robot among many: what it draws does not depend on which others are there.
    pub fn of(name: &str, seed: u64) -> Self {
        // FNV-1a, the same on every machine and with every compiler.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self::new(hash ^ seed)
    }
    /// In (−1, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }
    pub fn vector(&mut self, size: usize) -> Vec<f64> {
        (0..size).map(|_| self.uniform()).collect()
    }
    /// In 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }
}

/// The folder of reference mechanisms, or `None` with a visible message.
pub fn reference(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    // Written past the test harness, which hides what passing tests print.
    let _ = writeln!(
        std::io::stderr().lock(),
        "skipped: the reference mechanisms are not beside the project ({folder})"
    );
    None
}

/// All files of a folder, sorted.
pub fn files(folder: &PathBuf) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .collect();
    paths.sort();
    paths
}

pub fn read(path: &std::path::Path) -> Robot {
    read_robot(&path.to_string_lossy(), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Below this ratio of pivots a configuration is too near a singularity to compare digits at.
const REGULAR: f64 = 1e-2;

/// A configuration near the reference that can be assembled and is not singular: independent
/// coordinates moved by up to `size`.
pub fn random_configuration(mechanism: &Mechanism, noise: &mut Noise, size: f64) -> Vec<f64> {
    let tree = mechanism.tree();
    let reference = mechanism.reference_tree();
    if mechanism.plan().dependent.is_empty() {
        let delta = noise.vector(tree.dof).iter().map(|x| size * x).collect::<Vec<_>>();
        return mechanism.independent_part(&tree.displaced(reference, &delta));
    }
    for attempt in 0..60 {
        let scale = size * 0.9f64.powi(attempt);
        let mut delta = vec![0.0; tree.dof];
        for &k in &mechanism.plan().independent {
            delta[k] = scale * noise.uniform();
        }
        let q = match mechanism.takes_tree_configuration() {
            // Such a configuration closes loops and couplings by itself.
            true => {
                let independent: Vec<f64> = mechanism.plan().independent.iter().map(|&k| delta[k]).collect();
                let Some(q) = mechanism.walked(&independent) else { continue };
                q
            }
            false => mechanism.independent_part(&tree.displaced(reference, &delta)),
        };
        if mechanism
            .tree_configuration(&q)
            .is_ok_and(|tree_q| mechanism.passive_pivot_ratio(&tree_q) > REGULAR)
        {
            return q;
        }
    }
    panic!("{}: no regular configuration within {size} of the reference in 60 tries", mechanism.robot().name)
}

/// A robot written in the test itself.
pub fn robot(text: &str) -> Robot {
    let options = ReadOptions::default();
    let description = parse_text(text, "test.toml", Format::Toml, None, &options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assemble(description, &options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn mechanism(text: &str) -> Mechanism {
    Mechanism::new(robot(text)).unwrap_or_else(|error| panic!("{error}"))
}

/// Ten arbitrary numbers for every body: forces are linear in them, consistent or not.
pub fn with_random_inertias(robot: Robot, noise: &mut Noise) -> Robot {
    let mut robot = robot.into_parts();
    for body in &mut robot.bodies {
        let parameters: [f64; 10] = std::array::from_fn(|_| noise.uniform());
        body.inertia = PseudoInertia::from_parameters(&parameters);
    }
    Robot::from_parts(robot).unwrap_or_else(|error| panic!("{error}"))
}

/// Largest difference over the largest number of the first.
pub fn discrepancy(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = a.iter().fold(1e-12, |most: f64, x| most.max(x.abs()));
    // A NaN anywhere is a difference.
    a.iter().zip(b).fold(0.0, |most: f64, (x, y)| {
        let wrong = (x - y).abs() / scale;
        if wrong.is_nan() { f64::INFINITY } else { most.max(wrong) }
    })
}

/// All robots with loops: the reference mechanisms beside the project and the zoo's, with arbitrary inertias,
/// and for each the rest of the random numbers its inertias were drawn from.
pub fn closed_mechanisms(seed: u64) -> Vec<(String, Mechanism, Noise)> {
    let mut robots: Vec<Robot> = steiner_formats::zoo::ENTRIES
        .iter()
        .map(|entry| {
            read_robot(entry.name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
        })
        .collect();
    if let Some(folder) = reference("mechanisms") {
        robots.extend(files(&folder).iter().map(|path| read(path)));
    }
    robots
        .into_iter()
        .filter(|robot| !robot.loops.is_empty() || !robot.couplings.is_empty())
        .map(|robot| {
            let name = robot.name.clone();
            let mut noise = Noise::of(&name, seed);
            let robot = with_random_inertias(robot, &mut noise);
            (name, Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}")), noise)
        })
        .collect()
}
