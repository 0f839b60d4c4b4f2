//! Joints that follow others by couplings alone (mimic joints, gears): their limits, said of what they follow.
//!
//! Such a coordinate is Σ factor · q + offset, so its position and its speed are sums like those of a cable, and hold
//! between the samples. Its force is that of the tree: what its own link and all beyond take from it.

use steiner_dynamics::Mechanism;
use steiner_robot::Limits;

use crate::design::Design;
use crate::error::ExcitationError;
use crate::limits::{JointLimits, positive};
use crate::loop_quantity::LoopQuantity;
use crate::proof::Quantity;
use crate::task::SumLimit;

/// A coordinate that follows movable ones.
struct Follower {
    name: String,
    /// Its velocity in the tree.
    velocity: usize,
    /// (movable coordinate, factor).
    terms: Vec<(usize, f64)>,
    /// What it is where those are zero, rad or m.
    offset: f64,
    limits: Limits,
    /// Ia, fv, fc and offset.
    drive: [f64; 4],
}

/// What robots with loops have of this is for the closed loops.
fn followers(
    mechanism: &Mechanism,
    movable: &[(usize, usize)],
    design: &Design,
) -> Result<Vec<Follower>, ExcitationError> {
    let robot = mechanism.robot();
    if robot.couplings.is_empty() || !robot.loops.is_empty() {
        return Ok(Vec::new());
    }
    let reference = mechanism.reference_tree();
    let z = mechanism.closure().velocities(mechanism.plan(), reference)?;
    let own = mechanism.reference();
    let places = robot.bodies.iter().zip(robot.configuration_offsets()).zip(robot.velocity_offsets());
    let follower = |((body, at), velocity): ((&steiner_robot::Body, usize), usize)| {
        let joint = &body.joint;
        let dependent = mechanism.plan().dependent.contains(&velocity);
        let terms: Vec<(usize, f64)> = movable
            .iter()
            .enumerate()
            .map(|(k, &(_, leader))| (k, z[(velocity, leader)]))
            .filter(|(_, factor)| *factor != 0.0)
            .collect();
        if !dependent || terms.is_empty() || joint.kind.dof() != 1 {
            return None;
        }
        let led: f64 = terms.iter().map(|&(k, factor)| factor * own[movable[k].0]).sum();
        let mut limits = joint.limits.clone();
        design.limits.iter().filter(|change| change.joint == joint.name).for_each(|change| {
            if let Some((lower, upper)) = change.range {
                (limits.lower, limits.upper) = (Some(lower), Some(upper));
            }
            limits.velocity = change.velocity.or(limits.velocity);
            limits.effort = change.effort.or(limits.effort);
        });
        let friction = &joint.friction;
        Some(Follower {
            name: joint.name.clone(),
            velocity,
            terms,
            offset: reference[at] - led,
            limits,
            drive: [joint.rotor_inertia, friction.viscous, friction.coulomb, friction.offset],
        })
    };
    Ok(places.filter_map(follower).collect())
}

/// Limits of positions and speeds of all that follows, as sums of what moves.
pub(crate) fn sums(
    mechanism: &Mechanism,
    movable: &[(usize, usize)],
    limits: &[JointLimits],
    design: &Design,
) -> Result<Vec<SumLimit>, ExcitationError> {
    let mut out = Vec::new();
    for follower in followers(mechanism, movable, design)? {
        let sum = |quantity, order, offset, (lower, upper)| SumLimit {
            name: follower.name.clone(),
            quantity,
            order,
            terms: follower.terms.clone(),
            offset,
            lower,
            upper,
        };
        // Files of joints that follow often state 0 to 0 for no range, as for no speed and no effort.
        let range = follower.limits.lower.zip(follower.limits.upper).filter(|range| *range != (0.0, 0.0));
        if let Some((lower, upper)) = range {
            let position = sum(Quantity::Position, 0, follower.offset, (lower, upper));
            has_room(&position, limits)?;
            out.push(position);
        }
        if let Some(most) = positive(follower.limits.velocity) {
            let most = most * design.speed;
            out.push(sum(Quantity::Velocity, 1, 0.0, (-most, most)));
        }
    }
    Ok(out)
}

/// Refuses a range that nothing within the limits of what is followed leads to.
fn has_room(sum: &SumLimit, limits: &[JointLimits]) -> Result<(), ExcitationError> {
    let (mut least, mut most) = (sum.offset, sum.offset);
    for &(k, factor) in &sum.terms {
        let ends = [factor * limits[k].lower, factor * limits[k].upper];
        least += ends[0].min(ends[1]);
        most += ends[0].max(ends[1]);
    }
    if least.max(sum.lower) < most.min(sum.upper) {
        return Ok(());
    }
    let leaders: Vec<&str> = sum.terms.iter().map(|&(k, _)| limits[k].name.as_str()).collect();
    Err(ExcitationError::NoRoom {
        why: format!(
            "joint '{}' follows '{}' and is between {} and {} there, where its own range is {} to {}",
            sum.name,
            leaders.join("', '"),
            short(least),
            short(most),
            short(sum.lower),
            short(sum.upper)
        ),
        remedy: "correct the range or the offset of the joint that follows".to_owned(),
    })
}

/// A number with four decimals at most.
fn short(x: f64) -> f64 {
    (1e4 * x).round() / 1e4
}

/// Limits of the forces of all that follows.
pub(crate) fn efforts(
    mechanism: &Mechanism,
    movable: &[(usize, usize)],
    design: &Design,
) -> Result<Vec<LoopQuantity>, ExcitationError> {
    let mut out = Vec::new();
    for follower in followers(mechanism, movable, design)? {
        let Some(effort) = positive(follower.limits.effort) else { continue };
        let effort = effort * (1.0 - design.torque_margin);
        let [inertia, viscous, dry, offset] = follower.drive;
        // Dry friction may act either way where the joint turns back.
        let most = effort - dry.abs();
        if !(most > 0.0) {
            return Err(ExcitationError::NoRoom {
                why: format!(
                    "the dry friction of joint '{}' is {} N·m or N, and the joint can give {}",
                    follower.name,
                    short(dry.abs()),
                    short(effort)
                ),
                remedy: "correct its friction or its effort limit".to_owned(),
            });
        }
        out.push(LoopQuantity::Effort {
            name: follower.name,
            at: follower.velocity,
            most,
            drive: [inertia, viscous, 0.0, offset],
            dry: dry.abs(),
        });
    }
    Ok(out)
}
