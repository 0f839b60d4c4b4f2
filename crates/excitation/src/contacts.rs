//! Feet on the ground: which forces carry the robot, and whether feet would slip or lift.
//!
//! With unknown forces f at the feet the equations of the tree are g = τ + Jᵀ f, where g are the forces that the
//! motion takes and τ is zero for the trunk. Six equations of the trunk leave some of f open: internal forces, which
//! legs can choose. Here they are those with the least Σ normal² + (tangential / μ)², which a controller that
//! distributes forces would aim at; the answer is for those.

use steiner_dynamics::Mechanism;
#[cfg(test)]
use steiner_dynamics::{Feasible, SampleMemory};
use steiner_linalg::Vec3;
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{JointKind, LoopKind, Pose};

use crate::error::ExcitationError;

/// Feet of a robot that stands.
#[derive(Clone, Debug)]
pub(crate) struct Contacts {
    /// (name, segment, point in the segment's frame).
    pub(crate) feet: Vec<(String, usize, Vec3<f64>)>,
    /// Velocities of the trunk, which no motor moves.
    trunk: Vec<usize>,
    up: Vec3<f64>,
    friction: f64,
}

/// What feet and joints do at a state.
pub(crate) struct ContactForces {
    /// For each foot its normal force, N, and (tangential / (μ normal))².
    pub(crate) feet: Vec<(f64, f64)>,
    /// Forces of all velocities of the tree that the joints must give, N·m or N; drives left aside.
    pub(crate) joints: Vec<f64>,
}

impl Contacts {
    /// The spherical joints between a floating robot and the ground.
    pub(crate) fn new(mechanism: &Mechanism, friction: f64) -> Result<Self, ExcitationError> {
        let robot = mechanism.robot();
        let tree = mechanism.tree();
        let offsets = robot.velocity_offsets();
        let trunk = robot.bodies.iter().position(|body| matches!(body.joint.kind, JointKind::Floating));
        let of = |closure: &steiner_robot::LoopJoint| {
            let foot = match (closure.predecessor.body, closure.successor.body) {
                (None, Some(body)) => (body, &closure.successor.frame),
                (Some(body), None) => (body, &closure.predecessor.frame),
                _ => return None,
            };
            let spherical = matches!(closure.kind, LoopKind::Spherical);
            let point = foot.1.pose().translation;
            spherical.then(|| (closure.name.clone(), tree.segment_of_body[foot.0.0], point))
        };
        let feet: Vec<_> = robot.loops.iter().filter_map(of).collect();
        let (Some(trunk), true) = (trunk, feet.len() >= 3) else {
            return Err(ExcitationError::NoRoom {
                why: format!("the robot '{}' does not stand on three feet or more", robot.name),
                remedy: "name its feet, or leave the friction of feet out".to_owned(),
            });
        };
        let gravity = tree.gravity;
        let size = gravity.dot(gravity).sqrt();
        Ok(Contacts {
            feet,
            trunk: (offsets[trunk]..offsets[trunk] + 6).collect(),
            up: gravity.scale(-1.0 / size.max(f64::MIN_POSITIVE)),
            friction,
        })
    }

    /// Whether a motor moves a velocity of the tree.
    pub(crate) fn is_driven(&self, velocity: usize) -> bool {
        !self.trunk.contains(&velocity)
    }

    /// The forces of a state; `None` where the feet cannot carry the trunk.
    #[cfg(test)]
    pub(crate) fn forces(
        &self,
        mechanism: &Mechanism,
        state: &Feasible<f64>,
        memory: &mut SampleMemory,
    ) -> Option<ContactForces> {
        let mut wanted = vec![0.0; mechanism.tree_dof()];
        mechanism.tree_forces(state, memory, &mut wanted);
        self.shared(&self.jacobian(mechanism, &state.poses), &wanted)
    }

    /// J, three rows for each foot in world axes.
    pub(crate) fn jacobian(&self, mechanism: &Mechanism, poses: &[Pose<f64>]) -> Matrix<f64> {
        let tree = mechanism.tree();
        let columns = tree.jacobian(poses);
        let world = tree.world_poses(poses);
        let mut jacobian = Matrix::zeros(3 * self.feet.len(), tree.dof);
        for (foot, (_, segment, point)) in self.feet.iter().enumerate() {
            let rotation = &world[*segment].rotation;
            for (column, &velocity) in columns[*segment].iter().zip(&tree.ancestry[*segment]) {
                let moved = rotation.apply(column.linear + column.angular.cross(*point));
                (0..3).for_each(|k| jacobian[(3 * foot + k, velocity)] = moved[k]);
            }
        }
        jacobian
    }

    /// W = 1 along the normal and μ² across.
    fn weigh(&self, f: Vec3<f64>) -> Vec3<f64> {
        let across = self.friction * self.friction;
        f.scale(across).plus_scaled((1.0 - across) * self.up.dot(f), self.up)
    }

    /// Jᵀ W J over the trunk.
    fn square(&self, jacobian: &Matrix<f64>) -> Option<Cholesky> {
        let part = |foot: usize, k: usize| part(jacobian, foot, self.trunk[k]);
        let square = Matrix::from_fn(6, 6, |a, b| {
            (0..self.feet.len()).map(|foot| part(foot, a).dot(self.weigh(part(foot, b)))).sum()
        });
        Cholesky::new(square).ok()
    }

    /// Forces at the feet, f = W J (Jᵀ W J)⁻¹ g over the trunk.
    fn at_feet(&self, jacobian: &Matrix<f64>, wanted: &[f64]) -> Option<Vec<Vec3<f64>>> {
        let of_trunk: Vec<f64> = self.trunk.iter().map(|&k| wanted[k]).collect();
        let shares = self.square(jacobian)?.solve(&of_trunk);
        let force = |foot: usize| {
            let shares = self.trunk.iter().zip(&shares);
            shares.fold(Vec3::zero(), |sum, (&k, share)| {
                sum.plus_scaled(*share, self.weigh(part(jacobian, foot, k)))
            })
        };
        Some((0..self.feet.len()).map(force).collect())
    }

    /// How forces `wanted` of the tree's velocities are shared between feet and joints; `None` where the feet cannot
    /// carry the trunk.
    pub(crate) fn shared(&self, jacobian: &Matrix<f64>, wanted: &[f64]) -> Option<ContactForces> {
        let mut joints = wanted.to_vec();
        let mut feet = Vec::with_capacity(self.feet.len());
        for (foot, force) in self.at_feet(jacobian, wanted)?.into_iter().enumerate() {
            let normal = self.up.dot(force);
            let across = force.plus_scaled(-normal, self.up);
            let slip = across.dot(across) / (self.friction * normal).powi(2);
            feet.push((normal, if normal > 0.0 { slip } else { f64::INFINITY }));
            for (k, joint) in joints.iter_mut().enumerate() {
                *joint -= part(jacobian, foot, k).dot(force);
            }
        }
        Some(ContactForces { feet, joints })
    }

    /// The derivative by the forces `wanted` of a function with these derivatives by what `shared` gives.
    pub(crate) fn pull(
        &self,
        jacobian: &Matrix<f64>,
        wanted: &[f64],
        feet: &[(f64, f64)],
        joints: &[f64],
    ) -> Option<Vec<f64>> {
        let mut out = joints.to_vec();
        let mut by_shares = vec![0.0; self.trunk.len()];
        for (foot, force) in self.at_feet(jacobian, wanted)?.into_iter().enumerate() {
            let normal = self.up.dot(force);
            let across = force.plus_scaled(-normal, self.up);
            let cone = (self.friction * normal).powi(2);
            let (by_normal, by_slip) = feet[foot];
            let mut by = across.scale(2.0 * by_slip / cone);
            by = by.plus_scaled(by_normal - 2.0 * by_slip * across.dot(across) / (cone * normal), self.up);
            for (k, joint) in joints.iter().enumerate().filter(|(_, joint)| **joint != 0.0) {
                by = by.plus_scaled(-joint, part(jacobian, foot, k));
            }
            for (sum, &k) in by_shares.iter_mut().zip(&self.trunk) {
                *sum += self.weigh(part(jacobian, foot, k)).dot(by);
            }
        }
        let by_trunk = self.square(jacobian)?.solve(&by_shares);
        self.trunk.iter().zip(by_trunk).for_each(|(&k, by)| out[k] += by);
        Some(out)
    }
}

/// How a velocity moves a foot.
fn part(jacobian: &Matrix<f64>, foot: usize, velocity: usize) -> Vec3<f64> {
    Vec3(std::array::from_fn(|k| jacobian[(3 * foot + k, velocity)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing::standing;
    use steiner_formats::{ReadOptions, read_robot};

    #[test]
    fn feet_carry_what_newton_and_euler_say() {
        let go2 = read_robot("go2", &ReadOptions::default()).unwrap();
        let feet = ["FL_foot", "FR_foot", "RL_foot", "RR_foot"].map(|foot| foot.parse().unwrap());
        let mechanism = Mechanism::new(standing(&go2, &feet, &[]).unwrap()).unwrap();
        let contacts = Contacts::new(&mechanism, 0.6).unwrap();
        let mut memory = SampleMemory::new(&mechanism);
        let qd = [0.3, -0.2, 0.5, 0.1, -0.4, 0.2];
        for moving in [0.0, 1.0] {
            let qd = qd.map(|v| moving * v);
            let state = mechanism.feasible(&mechanism.reference(), &qd, &[0.0; 6]).unwrap();
            let forces = contacts.forces(&mechanism, &state, &mut memory).unwrap();
            // No motor moves the trunk.
            contacts.trunk.iter().for_each(|&k| assert!(forces.joints[k].abs() < 1e-9));
            // Virtual power: what the joints give is what the independent coordinates take.
            let wanted = mechanism.inverse_dynamics(&mechanism.reference(), &qd, &[0.0; 6]).unwrap();
            let z = state.reduction.as_ref().unwrap();
            for (given, wanted) in z.transpose().apply(&forces.joints).iter().zip(&wanted) {
                assert!((given - wanted).abs() < 1e-8, "{given} {wanted}");
            }
            if moving == 0.0 {
                let mass: f64 = mechanism.robot().bodies.iter().map(|body| body.inertia.mass).sum();
                let sum: f64 = forces.feet.iter().map(|foot| foot.0).sum();
                assert!((sum - 9.81 * mass).abs() < 1e-6, "{sum} {mass}");
            }
        }
    }
}
