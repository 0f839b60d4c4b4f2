//! Pairs of bodies whose shapes touch nearly wherever the joints are: not a collision, but shapes that are fatter
//! than what is inside.

use std::collections::BTreeMap;

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;

use crate::clearance::{BodyCapsule, BodyPair, Clearance};

/// Random configurations that are looked at.
const CONFIGURATIONS: usize = 400;
/// Nobody builds joints whose bodies collide in more than this part of their ranges: shapes that do are fatter than what
/// is inside.
const MOSTLY: f64 = 0.5;
/// How far a joint without limits turns either way, rad or m.
const TURN: f64 = std::f64::consts::PI;

/// Pairs of bodies, the ground or the lesser index first, whose capsules come nearer than `clearance` (m) in most of many
/// random configurations within the limits of the file; loops near the assembled one.
pub fn mostly_touching(mechanism: &Mechanism, capsules: &[BodyCapsule], clearance: f64) -> Vec<BodyPair> {
    let pairs = Clearance::new(mechanism, capsules.to_vec(), Vec::new(), true, &[], clearance);
    let robot = mechanism.robot();
    let offsets = robot.configuration_offsets();
    let listed = mechanism.configuration_indices();
    // For each coordinate that is a number of its own: its place, middle and half range.
    let mut ranges: Vec<(usize, f64, f64)> = Vec::new();
    let reference = mechanism.reference();
    for (body, &tree_at) in robot.bodies.iter().zip(&offsets) {
        let own = listed.map_or(Some(tree_at), |all| all.iter().position(|&k| k == tree_at));
        let Some(at) = own.filter(|_| body.joint.kind.configuration_size() == 1) else { continue };
        let limits = body.joint.limits.lower.zip(body.joint.limits.upper).filter(|(l, u)| l < u);
        let (lower, upper) = limits.unwrap_or((-TURN, TURN));
        ranges.push(match robot.loops.is_empty() {
            true => (at, 0.5 * (lower + upper), 0.5 * (upper - lower)),
            // Loops are known to close about their assembled configuration alone.
            false => (at, reference[at], 0.1 * (upper - lower)),
        });
    }
    let mut random = Stream::new(7);
    let mut near: BTreeMap<BodyPair, usize> = BTreeMap::new();
    let mut count = 0;
    for _ in 0..CONFIGURATIONS {
        let mut q = reference.clone();
        ranges.iter().for_each(|&(at, middle, half)| q[at] = middle + half * random.uniform());
        let distances = pairs.distances(mechanism, &q);
        if distances.contains(&f64::NEG_INFINITY) {
            continue; // The loops do not close there.
        }
        count += 1;
        let mut touching: Vec<BodyPair> = (0..distances.len())
            .filter(|&pair| distances[pair] <= 0.0)
            .filter_map(|pair| pairs.bodies(pair))
            .collect();
        touching.sort_unstable();
        touching.dedup();
        touching.into_iter().for_each(|pair| *near.entry(pair).or_default() += 1);
    }
    near.into_iter().filter(|(_, n)| *n as f64 > MOSTLY * count as f64).map(|(pair, _)| pair).collect()
}
