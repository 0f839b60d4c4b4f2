//! Points that gravity cannot see.
//!
//! A force in a direction of motion is, for the symmetric product of two points P and Q of a body, half of Ṗ·Q̈ + Q̇·P̈,
//! accelerations of finite points taken relative to free fall. It vanishes when P only moves along gravity and Q is a direction
//! that only turns across it, or when both stay; without gravity, whenever P stays. Candidates are all pairs of a point that moves along
//! gravity and one that moves across it; those that show after all are dropped by verification.

use steiner_dynamics::Mechanism;
use steiner_scalar::Scalar;

use crate::point_motions::PointMotions;
use crate::principles::{Candidate, Principle, block, product};

/// Moments between points that move along gravity and points that move across it.
pub(crate) fn gravity_candidates<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    mechanism: &Mechanism,
    weightless: bool,
    motions: &[PointMotions<S>],
) {
    for (child, (body, motion)) in mechanism.robot().bodies.iter().zip(motions).enumerate() {
        let name = &body.name;
        let text = match weightless {
            true => format!("Without gravity, moments of {name} taken with a point that stays never show."),
            false => format!(
                "Some points of {name} only move along gravity, others only across it: moments between them never show."
            ),
        };
        for p in &motion.along {
            for q in &motion.across {
                out.push(Candidate {
                    principle: Principle::Gravity,
                    joint: body.joint.name.clone(),
                    text: text.clone(),
                    entries: block(child, product(*p, *q), S::one()).collect(),
                });
            }
        }
    }
}

/// At rest only mass and first moments weigh, and only on points that gravity lifts or lowers.
pub(crate) fn resting_candidates<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    mechanism: &Mechanism,
    weightless: bool,
    motions: &[PointMotions<S>],
) {
    for (child, (body, motion)) in mechanism.robot().bodies.iter().zip(motions).enumerate() {
        let name = &body.name;
        let mut push = |text: String, entries: Vec<(usize, S)>| {
            let joint = body.joint.name.clone();
            out.push(Candidate { principle: Principle::Gravity, joint, text, entries });
        };
        for parameter in if weightless { 0..10 } else { 4..10 } {
            let text = match weightless {
                true => format!("At rest and without gravity nothing of {name} is felt."),
                false => format!("At rest only weight is felt: no moment of inertia of {name} shows."),
            };
            push(text, vec![(10 * child + parameter, S::one())]);
        }
        for (k, p) in motion.across.iter().enumerate() {
            for q in &motion.across[k..] {
                let text = format!("At rest, what of {name} is neither lifted nor lowered is not felt.");
                push(text, block(child, product(*p, *q), S::one()).collect());
            }
        }
    }
}
