//! What can reach a link: velocities, gravity, and the products of both that an inertia answers to.
//!
//! Section IV of \[wensing2024\]: 𝒱 (41) and 𝒜 are spans of velocities and of gravity vectors over all
//! configurations, 𝒦 (60) and 𝒫 (78) the spans of v vᵀ and of a_g vᵀ + v a_gᵀ, here as functions of the ten
//! parameters. Each follows from the parent's by linear controllability (lemma 1, appendices A-B and A-D).

use steiner_dynamics::Column;
use steiner_linalg::Vec3;
use steiner_scalar::Real;

use super::dual::{TEN, cross, power, rate, seen_by_child, six, twist, velocity_in_child};
use super::joints::{Joints, Motion};
use super::subspace::{Subspace, ZeroTest};

/// What is known about the forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Experiment {
    /// Forces of all motions.
    Motion,
    /// Forces at rest, in all configurations: 𝒩_g alone (remark 1).
    Rest,
    /// Forces of all motions, with gravity as the acceleration of a prismatic joint at the base whose force
    /// is not measured (remark 2): the same answer on another way.
    GravityAsJoint,
}

/// The four spans of a link, in its own axes.
#[derive(Clone)]
pub(super) struct AttainableSpans<'j, R> {
    experiment: Experiment,
    zero_test: &'j ZeroTest,
    /// 𝒱; not followed at rest.
    pub(super) velocity: Subspace<'j, R>,
    /// 𝒜.
    pub(super) gravity: Subspace<'j, R>,
    /// 𝒦, as functions of π.
    pub(super) kinetic: Subspace<'j, R>,
    /// 𝒫, as functions of π.
    pub(super) power: Subspace<'j, R>,
}

impl<'j, R: Real> AttainableSpans<'j, R> {
    /// Those of the ground: lines 1–4 of algorithm 1.
    pub(super) fn of_ground(experiment: Experiment, gravity: Vec3<R>, zero_test: &'j ZeroTest) -> Self {
        let mut spans = AttainableSpans {
            experiment,
            zero_test,
            velocity: Subspace::zero(6, zero_test),
            gravity: Subspace::zero(6, zero_test),
            kinetic: Subspace::zero(TEN, zero_test),
            power: Subspace::zero(TEN, zero_test),
        };
        let falling = six(&Column { angular: Vec3::zero(), linear: gravity });
        match experiment {
            Experiment::GravityAsJoint => spans.velocity.insert(falling),
            Experiment::Motion | Experiment::Rest => spans.gravity.insert(falling),
        }
        spans
    }

    /// Those behind one more elementary motion: lines 6–13 of algorithm 1.
    pub(super) fn behind(&self, joints: &Joints<R>, link: usize) -> Self {
        let motions = joints.motions(&[link], self.zero_test);
        let pose = &joints.links[link].pose;
        let columns: Vec<Column<R>> = joints.links[link].directions().collect();
        let carried = |span: &Subspace<'j, R>| {
            let before = span.mapped(|v| six(&velocity_in_child(&twist(v), pose)));
            before.closed_under(&motions, |motion, v| moved(motion, v, |phi, v| six(&cross(phi, &twist(v)))))
        };
        let seen = |span: &Subspace<'j, R>| {
            let before = span.mapped(|k| seen_by_child(k, pose));
            before.closed_under(&motions, |motion, k| moved(motion, k, |phi, k| rate(k, phi)))
        };
        let (mut velocity, gravity) = (carried(&self.velocity), carried(&self.gravity));
        let (mut kinetic, mut weight) = (seen(&self.kinetic), seen(&self.power));
        if self.measures_motion() {
            columns.iter().for_each(|phi| velocity.insert(six(phi)));
        }
        for phi in &columns {
            velocity.basis().iter().for_each(|v| kinetic.insert(power(phi, &twist(v))));
            gravity.basis().iter().for_each(|a| weight.insert(power(phi, &twist(a))));
        }
        AttainableSpans { velocity, gravity, kinetic, power: weight, ..self.clone() }
    }

    /// Whether forces of motions are measured, not only those at rest.
    pub(super) fn measures_motion(&self) -> bool {
        self.experiment != Experiment::Rest
    }

    /// 𝒱 and 𝒜: what a joint's own force answers to, (88).
    pub(super) fn accelerations(&self) -> impl Iterator<Item = Column<R>> {
        self.velocity.basis().iter().chain(self.gravity.basis()).map(|v| twist(v))
    }

    /// 𝒦 and 𝒫: all that is ever seen of an inertia that moves with the link.
    pub(super) fn functions(&self) -> impl Iterator<Item = &Vec<R>> {
        self.kinetic.basis().iter().chain(self.power.basis())
    }

    /// 𝒦 + 𝒫.
    pub(super) fn seen(&self) -> Subspace<'j, R> {
        let mut seen = self.kinetic.clone();
        self.power.basis().iter().for_each(|k| seen.insert(k.clone()));
        seen
    }

    /// Whether nothing ever moves the link.
    pub(super) fn stands_still(&self) -> bool {
        self.kinetic.basis().is_empty()
    }

    /// The number of independent directions about which the link turns.
    pub(super) fn turning_directions(&self) -> usize {
        let mut directions = Subspace::<R>::zero(3, self.zero_test);
        self.velocity.basis().iter().for_each(|v| directions.insert(v[..3].to_vec()));
        directions.basis().len()
    }
}

/// Applies a motion of several links block by block; links that stand still contribute zero.
pub(super) fn moved<R: Real>(
    motion: &Motion<R>,
    v: &[R],
    apply: impl Fn(&Column<R>, &[R]) -> Vec<R>,
) -> Vec<R> {
    let size = v.len() / motion.len();
    let blocks = motion.iter().zip(v.chunks(size));
    let image = |(twist, block): (&Option<Column<R>>, &[R])| match twist {
        Some(twist) => apply(twist, block),
        None => vec![R::zero(); size],
    };
    blocks.flat_map(image).collect()
}
