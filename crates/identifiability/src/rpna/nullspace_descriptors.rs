//! The nullspace descriptor of a joint: which inertia may pass through it without a trace.
//!
//! An inertia δ taken from the carrier and given to what the joint moves is invisible
//! exactly if (84) of \[wensing2024\]
//!
//! * no force of the joint shows it: (46), (75), with the torque condition (94) where rotors turn along;
//! * no force before the joint shows that it moves: (69), (81).
//!
//! With rotors, δ has one block per body, and both conditions speak of all blocks together. (92) and (93)
//! state them at q = 0; since joint and rotor move about different lines they must hold for all q, so the
//! functions are closed under the common motion.

use steiner_scalar::Real;

use super::attainable_spans::{AttainableSpans, moved};
use super::dual::{TEN, power, rate, seen_by_child, velocity_in_child};
use super::joints::{Group, Joints};
use super::subspace::{Subspace, ZeroTest};

/// Everything that annihilates the inertias a group of bodies may take from its carrier: N_i of (88) in the
/// parameters of the bodies, ten columns each. The inner motions of a joint in several stages have no body to
/// leave anything with, so what passes the last of them has to pass all.
pub(super) fn transfer_conditions<'j, R: Real>(
    joints: &Joints<R>,
    spans: &[AttainableSpans<'j, R>],
    ground: &AttainableSpans<'j, R>,
    group: &Group,
    zero_test: &'j ZeroTest,
) -> Subspace<'j, R> {
    let before = |link: usize| joints.links[link].parent.map_or(ground, |parent| &spans[parent]);
    let first: Vec<usize> = group.members.iter().map(|member| *member.links.start()).collect();
    let width = TEN * first.len();
    let mut conditions = descriptor(joints, before(first[0]), &first, zero_test);
    for (block, member) in group.members.iter().enumerate() {
        let columns = TEN * block..TEN * (block + 1);
        for link in member.links.clone().skip(1) {
            let pose = &joints.links[link].pose;
            conditions = conditions.mapped(|row| {
                let mut row = row.to_vec();
                row.splice(columns.clone(), seen_by_child(&row[columns.clone()], pose));
                row
            });
            for row in descriptor(joints, before(link), &[link], zero_test).basis() {
                let mut wide = vec![R::zero(); width];
                wide[columns.clone()].copy_from_slice(row);
                conditions.insert(wide);
            }
        }
    }
    conditions
}

/// The descriptor of elementary motions that share their coordinates.
fn descriptor<'j, R: Real>(
    joints: &Joints<R>,
    before: &AttainableSpans<'j, R>,
    links: &[usize],
    zero_test: &'j ZeroTest,
) -> Subspace<'j, R> {
    let motions = joints.motions(links, zero_test);
    let members: Vec<_> = links.iter().map(|&link| &joints.links[link]).collect();
    let freedoms = members.first().map_or(0, |member| member.columns.len());
    let width = TEN * links.len();
    let carried = |motion: &_, row: &[R]| moved(motion, row, |phi, k| rate(k, phi));

    let mut own = Subspace::zero(width, zero_test);
    for freedom in 0..freedoms {
        for v in before.accelerations() {
            let momentum =
                members.iter().map(|m| power(&velocity_in_child(&v, &m.pose), &m.columns[freedom]));
            own.insert(momentum.flatten().collect());
        }
        for other in (0..=freedom).filter(|_| before.measures_motion()) {
            let torque = members.iter().map(|m| power(&m.columns[other], &m.columns[freedom]));
            own.insert(torque.flatten().collect());
        }
    }
    let mut conditions = own.closed_under(&motions, carried);
    if conditions.is_everything() {
        return conditions;
    }

    let mut outer = Subspace::zero(width, zero_test);
    for k in before.functions() {
        outer.insert_direction(members.iter().flat_map(|member| seen_by_child(k, &member.pose)).collect());
    }
    let outer = outer.closed_under(&motions, carried);
    for row in outer.basis() {
        motions.iter().for_each(|motion| conditions.insert(carried(motion, row)));
    }
    conditions
}
