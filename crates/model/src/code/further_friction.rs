//! Friction beside viscous and Coulomb friction, as the file states it: constants of the code.
//!
//! With the load L that inertia and gravity of the links ask of a coordinate, and all other friction f,
//!
//! τ = L + f + c |L|,  c = Σ fl sign(q̇) over the joints that move with the coordinate.
//!
//! Rotors are no load (but where no force tells their inertia from that of a link), so that with c accelerations
//! depend on themselves: there is no straight-line code for forward dynamics then.

use steiner_robot::{FurtherFriction, Robot};
use steiner_scalar::{Field, Scalar, Trigonometric};
use steiner_symbols::Traced;

/// The further friction of a joint.
#[derive(Clone, Debug)]
pub(crate) struct FurtherOfJoint {
    /// Its velocity in the tree.
    pub(crate) velocity: usize,
    /// Its position among the numbers of the tree's configuration.
    pub(crate) position: usize,
    pub(crate) friction: FurtherFriction,
}

/// That of all joints that have some.
pub(crate) fn further_friction(robot: &Robot) -> Vec<FurtherOfJoint> {
    let places = robot.velocity_offsets().into_iter().zip(robot.configuration_offsets());
    let joints = robot.bodies.iter().map(|body| &body.joint).zip(places);
    let rubbing = joints.filter(|(joint, _)| joint.kind.dof() == 1 && !joint.friction.further.is_none());
    let of_joint = |(joint, (velocity, position)): (&steiner_robot::Joint, (usize, usize))| FurtherOfJoint {
        velocity,
        position,
        friction: joint.friction.further,
    };
    rubbing.map(of_joint).collect()
}

impl FurtherOfJoint {
    /// Its force on its joint, but for what grows with load.
    pub(crate) fn force(&self, q: &[Traced], qd: &[Traced]) -> Traced {
        let (q, qd) = (q[self.position], qd[self.velocity]);
        let number = Traced::from_f64;
        let FurtherFriction { root, asymmetric, stribeck, harmonics, .. } = self.friction;
        let (sign, mut force) = (qd.sign(), Traced::zero());
        if asymmetric != 0.0 {
            force += number(asymmetric) * sign * qd;
        }
        if root != 0.0 {
            force += number(root) * sign * (sign * qd).sqrt();
        }
        if stribeck.force != 0.0 {
            let part = qd * number(1.0 / stribeck.speed);
            force += number(stribeck.force) * sign * (-(part * part)).exp();
        }
        let (s, c) = q.sin_cos();
        for (which, [sine, cosine]) in harmonics.into_iter().enumerate() {
            if [sine, cosine] != [0.0; 2] {
                let two = number(2.0);
                let (s, c) = if which == 0 { (s, c) } else { (two * s * c, two * c * c - Traced::one()) };
                force += number(sine) * s + number(cosine) * c;
            }
        }
        force
    }

    /// What it takes of its joint's load, with the sign of the velocity; `None` if nothing.
    pub(crate) fn of_load(&self, qd: &[Traced]) -> Option<Traced> {
        let load = self.friction.load;
        (load != 0.0).then(|| Traced::from_f64(load) * qd[self.velocity].sign())
    }
}

/// Friction of each independent coordinate: f, but for what grows with load, and c.
pub(crate) struct RowFriction {
    pub(crate) force: Vec<Traced>,
    pub(crate) of_load: Vec<Traced>,
}

impl RowFriction {
    /// Of the joints of a tree, where `share` says how a velocity of the tree follows an independent one.
    pub(crate) fn new(
        joints: &[FurtherOfJoint],
        q: &[Traced],
        qd: &[Traced],
        rows: usize,
        share: impl Fn(usize, usize) -> Traced,
    ) -> Self {
        let mut out = RowFriction { force: vec![Traced::zero(); rows], of_load: vec![Traced::zero(); rows] };
        for joint in joints {
            let (force, of_load) = (joint.force(q, qd), joint.of_load(qd));
            for row in 0..rows {
                let part = share(joint.velocity, row);
                out.force[row] += part * force;
                of_load.into_iter().for_each(|of_load| out.of_load[row] += part * of_load);
            }
        }
        out
    }

    /// Adds it to forces, whose load is `load`.
    pub(crate) fn add(&self, load: &[Traced], tau: &mut [Traced]) {
        for (row, tau) in tau.iter_mut().enumerate() {
            *tau += self.force[row] + self.of_load[row] * load[row].sign() * load[row];
        }
    }

    /// Takes it off driving forces; nothing may depend on load.
    pub(crate) fn take_off(&self, tau: &mut [Traced]) {
        tau.iter_mut().zip(&self.force).for_each(|(tau, &force)| *tau -= force);
    }
}
