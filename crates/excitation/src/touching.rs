//! Pairs of bodies whose capsules touch wherever the joints are: not a collision, but capsules that are fatter
//! than what is inside.

use steiner_dynamics::Mechanism;
use steiner_linalg::Stream;

use crate::clearance::{BodyCapsule, Clearance};

/// Random configurations that are looked at.
const CONFIGURATIONS: usize = 400;
/// A pair that touches in more than this part of them cannot be told from one that always does.
const NEARLY_ALWAYS: f64 = 0.95;
/// How far a joint without limits turns either way, rad or m.
const TURN: f64 = std::f64::consts::PI;

/// Pairs of bodies, the lesser index first, whose capsules come nearer than `clearance` (m) in nearly every one
/// of many random configurations within the limits of the file. Loops are looked at as assembled alone.
pub fn always_touching(
    mechanism: &Mechanism,
    capsules: &[BodyCapsule],
    clearance: f64,
) -> Vec<(usize, usize)> {
    let pairs = Clearance::new(mechanism, capsules.to_vec(), Vec::new(), true, &[], clearance);
    let robot = mechanism.robot();
    let offsets = robot.configuration_offsets();
    let mut random = Stream::new(7);
    let mut near: std::collections::BTreeMap<(usize, usize), usize> = Default::default();
    let count = if mechanism.is_plain_tree() { CONFIGURATIONS } else { 1 };
    for _ in 0..count {
        let mut q = mechanism.reference();
        for (body, &at) in robot.bodies.iter().zip(&offsets).filter(|_| count > 1) {
            if body.joint.kind.configuration_size() == 1 {
                let limits = &body.joint.limits;
                let (lower, upper) = limits.lower.zip(limits.upper).unwrap_or((-TURN, TURN));
                q[at] = 0.5 * (lower + upper) + 0.5 * (upper - lower) * random.uniform();
            }
        }
        let distances = pairs.distances(mechanism, &q);
        let mut touching: Vec<(usize, usize)> = (0..distances.len())
            .filter(|&pair| distances[pair] <= 0.0)
            .filter_map(|pair| pairs.bodies(pair))
            .collect();
        touching.sort_unstable();
        touching.dedup();
        touching.into_iter().for_each(|pair| *near.entry(pair).or_default() += 1);
    }
    near.into_iter().filter(|(_, n)| *n as f64 > NEARLY_ALWAYS * count as f64).map(|(pair, _)| pair).collect()
}
