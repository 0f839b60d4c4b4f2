//! Points that gravity cannot see.
//!
//! A force in a direction of motion is, for the symmetric product of two points P and Q of a body, half of
//! Ṗ·Q̈ + Q̇·P̈, accelerations of finite points taken relative to free fall. It vanishes when P only moves
//! along gravity and Q is a direction that only turns across it, or when both stay; without gravity, whenever
//! P stays. Candidates are all pairs of a point that moves along gravity and one that moves across it; those
//! that show after all are dropped by verification.

use steiner_dynamics::Mechanism;
use steiner_robot::inertial_columns;
use steiner_scalar::Scalar;

use crate::point_motions::PointMotions;
use crate::principles::{Candidate, block, joint_of, product};
use crate::reason::Cause;

/// Moments between points that move along gravity and points that move across it.
pub(crate) fn gravity_candidates<S: Scalar>(
    out: &mut Vec<Candidate<S>>,
    mechanism: &Mechanism,
    weightless: bool,
    motions: &[PointMotions<S>],
) {
    let cause = if weightless { Cause::FixedWithoutGravity } else { Cause::AlongAndAcrossGravity };
    for (child, motion) in motions.iter().enumerate() {
        let joint = joint_of(mechanism.robot(), child);
        for p in &motion.along {
            for q in &motion.across {
                let entries = block(child, product(*p, *q), S::one()).collect();
                out.push(Candidate::new(cause, joint.clone(), &[child], entries));
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
    let (cause, felt) =
        if weightless { (Cause::NothingAtRestWithoutGravity, 0) } else { (Cause::NoInertiaAtRest, 4) };
    for (child, motion) in motions.iter().enumerate() {
        let joint = joint_of(mechanism.robot(), child);
        for column in inertial_columns(child).skip(felt) {
            out.push(Candidate::new(cause, joint.clone(), &[child], vec![(column, S::one())]));
        }
        for (k, p) in motion.across.iter().enumerate() {
            for q in &motion.across[k..] {
                let entries = block(child, product(*p, *q), S::one()).collect();
                out.push(Candidate::new(Cause::LevelAtRest, joint.clone(), &[child], entries));
            }
        }
    }
}
