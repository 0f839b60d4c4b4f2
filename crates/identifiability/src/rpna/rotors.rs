//! Couplings that make rotors: joints on one carrier that turn together.
//!
//! A rotor sits on the body that carries its joint and follows it, q_rotor = n q_joint + c (section V-C of
//! \[wensing2024\]). Seen from the carrier, joint and rotor are then one joint that moves several bodies,
//! each by a motion that is constant in it: exactly what the recursion needs. So the class it answers for,
//! exactly and for any axes, ratio and base, is: every coupling ties two elementary motions of one freedom
//! each that start from the same body. Whether the bodies are leaves does not matter. A coupling along a
//! chain is different: the motion of its outer body is not constant in that body.

use steiner_dynamics::{DynamicsError, Mechanism, Tree};
use steiner_robot::{Coordinate, Coupling};
use steiner_scalar::{Exact, Real};

use crate::error::IdentifiabilityError;

/// How an elementary motion follows a coordinate: q = ratio · leader + offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gearing<R> {
    /// The segment whose coordinate is free (the segment itself, if nothing drives it).
    pub(super) leader: usize,
    /// Speed per speed of the leader; 0 when a coupling holds it still.
    pub(super) ratio: R,
    /// rad or m.
    pub(super) offset: R,
}

/// The gearing of every segment. Couplings of other kinds are refused by name.
pub(super) fn gearings<R: Real>(
    mechanism: &Mechanism,
    tree: &Tree<R>,
) -> Result<Vec<Gearing<R>>, IdentifiabilityError> {
    let robot = mechanism.robot();
    let free = |leader| Gearing { leader, ratio: R::one(), offset: R::zero() };
    let mut gearings: Vec<Gearing<R>> = (0..tree.segments.len()).map(free).collect();
    if robot.couplings.is_empty() {
        return Ok(gearings);
    }
    let mut segment_of_velocity = vec![0; tree.dof];
    for (index, segment) in tree.segments.iter().enumerate() {
        segment_of_velocity[segment.velocity..segment.velocity + segment.dof()].fill(index);
    }
    let offsets = robot.velocity_offsets();
    let segment_of = |c: Coordinate| segment_of_velocity[offsets[c.body.0] + c.component];
    let refuse = |coupling: &Coupling, reason: String| IdentifiabilityError::NoRotor {
        robot: robot.name.clone(),
        coupling: coupling.name.clone(),
        reason,
    };
    let number = |exact: &Exact| {
        let geometry = |reason| DynamicsError::Geometry { robot: robot.name.clone(), reason };
        Ok::<R, IdentifiabilityError>(R::evaluate(exact).map_err(geometry)?.value)
    };
    // Each coupling by itself: what follows what.
    let mut follows: Vec<Option<(usize, R, R)>> = vec![None; tree.segments.len()];
    for coupling in &robot.couplings {
        let (leader, factor) = match &coupling.terms[..] {
            [] => (coupling.coordinate, R::zero()),
            [(term, factor)] => (*term, number(factor)?),
            terms => return Err(refuse(coupling, format!("adds up {} coordinates", terms.len()))),
        };
        let (follower, leader) = (segment_of(coupling.coordinate), segment_of(leader));
        let names = || {
            let terms = coupling.terms.iter().map(|(term, _)| robot.coordinate_name(*term));
            let all: Vec<String> =
                std::iter::once(robot.coordinate_name(coupling.coordinate)).chain(terms).collect();
            all.join(" and ")
        };
        if [follower, leader].iter().any(|&segment| tree.segments[segment].dof() != 1) {
            return Err(refuse(coupling, format!("takes one freedom out of several of {}", names())));
        }
        if tree.segments[follower].parent != tree.segments[leader].parent {
            return Err(refuse(coupling, format!("ties {}, which do not sit on the same body", names())));
        }
        if follows[follower].replace((leader, factor, number(&coupling.offset)?)).is_some() {
            return Err(refuse(coupling, format!("drives {} a second time", names())));
        }
    }
    // A gear may drive a gear.
    for (segment, gearing) in gearings.iter_mut().enumerate() {
        let mut steps = 0;
        while let Some((leader, factor, offset)) = follows[gearing.leader] {
            gearing.offset += gearing.ratio * offset;
            gearing.ratio = gearing.ratio * factor;
            if gearing.ratio == R::zero() {
                gearing.leader = segment;
                break;
            }
            gearing.leader = leader;
            steps += 1;
            if steps > robot.couplings.len() {
                let own = |c: &&Coupling| segment_of(c.coordinate) == segment;
                let coupling = robot.couplings.iter().find(own).unwrap_or(&robot.couplings[0]);
                return Err(refuse(coupling, "drives itself in a circle".to_owned()));
            }
        }
    }
    Ok(gearings)
}
