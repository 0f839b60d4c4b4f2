//! From descriptors to vectors: a sparse basis, each vector with its reason.
//!
//! The nullspace is the direct sum of the transfers across all joints, (85) of \[wensing2024\]. Its basis is
//! made sparse in this order: what is never seen of a body by itself; what a body and its carrier may
//! exchange; what rotors take part in. Each step looks only for vectors that vanish at the leads of those
//! before, so the steps are independent.

use steiner_dynamics::{Column, Mechanism};
use steiner_linalg::Vec3;
use steiner_linalg::orthonormal::unit_vector;
use steiner_robot::{Body, JointKind};
use steiner_scalar::Real;

use super::attainable_spans::{AttainableSpans, Experiment};
use super::dual::{TEN, in_parent, power, rate};
use super::joints::{Group, Joints, Member};
use super::nullspace_descriptors::transfer_conditions;
use super::subspace::{Led, Subspace, ZeroTest};
use crate::nullspace::NullVector;
use crate::reason::{Cause, Reason, ReasonKey, Site};

/// Power of length in the unit of each parameter.
const GRADES: [i32; TEN] = [0, 1, 1, 1, 2, 2, 2, 2, 2, 2];

/// A basis of the nullspace: algorithm 1, and the vectors its descriptors describe.
pub(super) fn undetectable_changes<R: Real>(
    mechanism: &Mechanism,
    joints: &Joints<R>,
    experiment: Experiment,
    zero_test: &ZeroTest,
) -> Vec<NullVector> {
    let ground = AttainableSpans::of_ground(experiment, joints.gravity, zero_test);
    let mut spans: Vec<AttainableSpans<'_, R>> = Vec::with_capacity(joints.links.len());
    for (link, own) in joints.links.iter().enumerate() {
        let before = own.parent.map_or(&ground, |parent| &spans[parent]);
        spans.push(before.behind(joints, link));
    }
    let unseen: Vec<Vec<Led<R>>> =
        joints.link_of_body.iter().map(|&link| spans[link].seen().annihilated()).collect();
    let mut writer =
        Writer { mechanism, joints, experiment, zero_test, unseen: &unseen, vectors: Vec::new() };
    for group in &joints.groups {
        let conditions = transfer_conditions(joints, &spans, &ground, group, zero_test);
        let mut leads = Vec::new();
        for (block, member) in group.members.iter().enumerate() {
            let own = &spans[*member.links.end()];
            unseen[member.body].iter().for_each(|vector| writer.unseen(member, own, vector));
            leads.extend(unseen[member.body].iter().map(|vector| TEN * block + vector.lead));
        }
        for (block, member) in group.members.iter().enumerate() {
            let columns = TEN * block..TEN * (block + 1);
            let mut own = Subspace::zero(TEN, zero_test);
            conditions.basis().iter().for_each(|row| own.insert(row[columns.clone()].to_vec()));
            let known = leads.iter().filter(|lead| columns.contains(lead));
            known.for_each(|lead| own.insert(unit_vector(lead - columns.start, TEN)));
            for vector in own.annihilated() {
                writer.transfer(group, member, &vector);
                leads.push(columns.start + vector.lead);
            }
        }
        if group.members.len() > 1 {
            let mut all = conditions;
            leads.iter().for_each(|&lead| all.insert(unit_vector(lead, TEN * group.members.len())));
            all.annihilated().iter().for_each(|vector| writer.geared(group, vector));
        }
    }
    writer.vectors
}

/// Collects vectors and says why they are there.
struct Writer<'m, R> {
    mechanism: &'m Mechanism,
    joints: &'m Joints<R>,
    experiment: Experiment,
    zero_test: &'m ZeroTest,
    /// What is never seen of each body.
    unseen: &'m [Vec<Led<R>>],
    vectors: Vec<NullVector>,
}

impl<R: Real> Writer<'_, R> {
    fn body(&self, member: &Member) -> &Body {
        &self.mechanism.robot().bodies[member.body]
    }

    fn joint(&self, member: &Member) -> Option<Site> {
        Some(Site::Joint(self.body(member).joint.name.clone()))
    }

    /// What is never seen of a body by itself.
    fn unseen(&mut self, member: &Member, spans: &AttainableSpans<'_, R>, vector: &Led<R>) {
        let cause = match (self.experiment, spans.turning_directions()) {
            (Experiment::Rest, _) if GRADES[vector.lead] == 2 => Cause::NoInertiaAtRest,
            (Experiment::Rest, _) => Cause::LevelAtRest,
            _ if spans.stands_still() => Cause::HeldStill,
            (_, 0) => Cause::NeverTurns,
            (_, 1) => Cause::TurnsAboutOneDirection,
            _ => Cause::UnreachedByMotion,
        };
        let blocks = vec![(member.body, vector.values.clone())];
        self.push(blocks, GRADES[vector.lead], (cause, self.joint(member), vec![member.body]));
    }

    /// What a body may take from its carrier.
    fn transfer(&mut self, group: &Group, member: &Member, vector: &Led<R>) {
        let carrier = self.carrier(group);
        let held = member.links.clone().all(|link| self.joints.links[link].directions().next().is_none());
        let cause = if held {
            Cause::HeldTogether
        } else if self.is_shared(member, &vector.values) {
            shared_cause(&self.body(member).joint.kind, GRADES[vector.lead])
        } else {
            Cause::AcrossJoint
        };
        let mut blocks = vec![(member.body, vector.values.clone())];
        blocks.extend(carrier.map(|carrier| (carrier, self.taken(carrier, &[member], &vector.values))));
        let told = carrier.into_iter().chain([member.body]).collect();
        self.push(blocks, GRADES[vector.lead], (cause, self.joint(member), told));
    }

    /// What bodies that turn together may exchange, with their carrier.
    fn geared(&mut self, group: &Group, vector: &Led<R>) {
        let touched = |values: &&[R]| values.iter().any(|x| x.abs().to_f64() > self.zero_test.noise);
        let parts = group.members.iter().zip(vector.values.chunks(TEN)).filter(|(_, values)| touched(values));
        let (members, values): (Vec<&Member>, Vec<&[R]>) = parts.unzip();
        let involved: Vec<usize> = members.iter().map(|member| member.body).collect();
        let coupling =
            self.mechanism.robot().couplings.iter().find(|c| involved.contains(&c.coordinate.body.0));
        let site = coupling.map(|coupling| Site::Coupling(coupling.name.clone()));
        let mut blocks: Vec<(usize, Vec<R>)> =
            involved.iter().copied().zip(values.iter().map(|v| v.to_vec())).collect();
        if let Some(carrier) = self.carrier(group) {
            blocks.push((carrier, self.taken(carrier, &members, &values.concat())));
        }
        self.push(blocks, GRADES[vector.lead % TEN], (Cause::MovesTogether, site, involved));
    }

    fn carrier(&self, group: &Group) -> Option<usize> {
        group.carrier.and_then(|link| self.mechanism.tree().segments[link].body)
    }

    /// What the carrier gives, without what is never seen of it.
    fn taken(&self, carrier: usize, members: &[&Member], values: &[R]) -> Vec<R> {
        let mut taken = vec![R::zero(); TEN];
        for (member, given) in members.iter().zip(values.chunks(TEN)) {
            let outwards = member.links.clone().rev();
            let moved =
                outwards.fold(given.to_vec(), |given, link| in_parent(&given, &self.joints.links[link].pose));
            taken.iter_mut().zip(moved).for_each(|(sum, x)| *sum -= x);
        }
        for unseen in &self.unseen[carrier] {
            let factor = taken[unseen.lead];
            taken.iter_mut().zip(&unseen.values).for_each(|(x, y)| *x -= factor * *y);
            taken[unseen.lead] = R::zero();
        }
        taken
    }

    /// Whether a change is one of what both sides of the joint share: invariance (29) and
    /// momentum (30) hold for all velocities.
    fn is_shared(&self, member: &Member, change: &[R]) -> bool {
        let vanishes = |k: Vec<R>, change: &[R]| {
            let value = k.iter().zip(change).fold(R::zero(), |sum, (a, b)| a.mul_add(*b, sum));
            value.abs().to_f64() < self.zero_test.noise.sqrt()
        };
        let zero = Vec3::zero();
        let velocities: Vec<Column<R>> = (0..3)
            .flat_map(|k| {
                [
                    Column { angular: Vec3::unit(k), linear: zero },
                    Column { angular: zero, linear: Vec3::unit(k) },
                ]
            })
            .collect();
        let mut change = change.to_vec();
        for link in member.links.clone().rev() {
            let link = &self.joints.links[link];
            for phi in link.directions() {
                let invariant = (0..TEN).all(|k| vanishes(rate(&unit_vector::<R>(k, TEN), &phi), &change));
                if !invariant || !velocities.iter().all(|v| vanishes(power(v, &phi), &change)) {
                    return false;
                }
            }
            change = in_parent(&change, &link.pose);
        }
        true
    }

    /// Writes a vector in SI units, its lead one.
    fn push(&mut self, blocks: Vec<(usize, Vec<R>)>, grade: i32, key: ReasonKey) {
        let values = blocks.iter().flat_map(|(_, values)| values);
        let largest = values.fold(0.0, |most: f64, x| most.max(x.abs().to_f64()));
        let mut entries = Vec::new();
        let mut bodies = Vec::new();
        for (body, values) in blocks {
            let before = entries.len();
            for ((k, x), power) in values.iter().enumerate().zip(GRADES) {
                if x.abs().to_f64() > self.zero_test.noise {
                    let unit = self.joints.size.powi(power - grade);
                    entries.push((TEN * body + k, short_decimal(x.to_f64() * unit, largest * unit)));
                }
            }
            if entries.len() > before {
                bodies.push(body);
            }
        }
        entries.sort_by_key(|(column, _)| *column);
        bodies.sort_unstable();
        let reason = Reason::new(0, key, None);
        self.vectors.push(NullVector { entries, bodies, reason });
    }
}

/// What the two sides of a joint share; `grade` is 0 for a mass, 1 for a first
/// moment, 2 for a moment of inertia.
fn shared_cause(kind: &JointKind, grade: i32) -> Cause {
    match (kind, grade) {
        (JointKind::Revolute | JointKind::Continuous, 0) => Cause::MassOnSharedAxis,
        (JointKind::Revolute | JointKind::Continuous, 1) => Cause::DisplacementAlongSharedAxis,
        (JointKind::Universal { .. } | JointKind::Spherical, _) => Cause::MassAtSharedPoint,
        (JointKind::Prismatic | JointKind::Compound(_) | JointKind::Floating | JointKind::Fixed, _) => {
            Cause::InertiaAcrossSlide
        }
        _ => Cause::RodAlongSharedAxis,
    }
}

/// A decimal of twelve digits behind the order of `scale` in place of a number that differs from it by no
/// more than rounding: 0.4318 for 0.43180000000000002. Other numbers stay as they are.
fn short_decimal(x: f64, scale: f64) -> f64 {
    let digits = 10f64.powi(12 - scale.log10().floor() as i32);
    let short = (x * digits).round() / digits;
    if (x - short).abs() <= 8.0 * f64::EPSILON * scale { short } else { x }
}
