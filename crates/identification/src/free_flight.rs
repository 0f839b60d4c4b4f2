//! Whether a robot without a base on the ground flies, where a log says nothing of what carries it.
//!
//! The six equations of a floating root hold with the wrenches of all contacts. Without any, they hold in free
//! flight alone, and then the root falls: on average its acceleration p̈ is that of gravity, whatever the limbs do.
//! A robot that stands has p̈ ≈ 0, and equations without its contacts would give it a mass of nothing.

use steiner_dynamics::Mechanism;
use steiner_identifiability::MeasuredRow;
use steiner_linalg::{Mat3, Vec3};
use steiner_logs::Recording;
use steiner_robot::{JointKind, Pose};

use crate::failure::IdentificationError;
use crate::problem::Problem;

/// How far the mean acceleration of a root that falls may be from gravity, as a part of it: limbs that swing
/// push it about, and a short log does not average that out.
const FALLS: f64 = 0.25;
/// A force on the root below this part of the robot's weight is none.
const NO_FORCE: f64 = 1e-6;

/// What a log tells of a floating root.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeFlight {
    root: Option<Root>,
    /// Σ p̈ · g / |g|², and over how many samples.
    fallen: f64,
    samples: usize,
    /// Whether a contact, or a force on the root, was recorded.
    carried: bool,
}

/// Where the numbers of a floating root are.
#[derive(Clone, Debug)]
struct Root {
    /// Its first number among the configuration, and its first velocity.
    position: usize,
    velocity: usize,
    /// The joint's frame on the ground, and the body's in the moving frame.
    placement: Pose<f64>,
    body: Pose<f64>,
    gravity: Vec3<f64>,
    /// Forces below this are none, N or N·m.
    no_force: f64,
}

impl FreeFlight {
    /// Nothing seen yet; without a floating root whose equations count there is nothing to see.
    pub(crate) fn new(problem: &Problem) -> Self {
        FreeFlight { root: Root::of(problem), ..FreeFlight::default() }
    }

    /// Looks at some samples.
    pub(crate) fn absorb(&mut self, recording: &Recording, mechanism: &Mechanism) {
        let Some(root) = &self.root else { return };
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        self.carried |= !recording.contacts.is_empty() || recording.base_wrench.is_some();
        for sample in 0..recording.count {
            let q = &recording.q[nq * sample + root.position..][..7];
            let of_root = |values: &[f64]| -> [f64; 6] {
                std::array::from_fn(|k| values[nv * sample + root.velocity + k])
            };
            self.carried |= of_root(&recording.tau).iter().any(|force| force.abs() > root.no_force);
            let falls = root.acceleration(q, of_root(&recording.qd), of_root(&recording.qdd));
            self.fallen += falls.dot(root.gravity) / root.gravity.dot(root.gravity);
        }
        self.samples += recording.count;
    }

    /// What two logs tell together.
    pub(crate) fn merge(&mut self, other: &FreeFlight) {
        self.fallen += other.fallen;
        self.samples += other.samples;
        self.carried |= other.carried;
    }

    /// Its sums, for another process.
    pub(crate) fn sums(&self) -> [f64; 3] {
        [self.fallen, self.samples as f64, f64::from(u8::from(self.carried))]
    }

    /// The same root with other sums.
    pub(crate) fn set_sums(&mut self, [fallen, samples, carried]: [f64; 3]) {
        (self.fallen, self.samples, self.carried) = (fallen, samples as usize, carried != 0.0);
    }

    /// Refuses equations of a root that something carries, if nothing recorded says what.
    pub(crate) fn check(&self, mechanism: &Mechanism) -> Result<(), IdentificationError> {
        let falls = self.fallen / self.samples.max(1) as f64;
        if self.root.is_none() || self.carried || self.samples == 0 || (falls - 1.0).abs() < FALLS {
            return Ok(());
        }
        Err(IdentificationError::Carried {
            robot: mechanism.robot().name.clone(),
            falls: (100.0 * falls).round() + 0.0,
        })
    }
}

impl Root {
    fn of(problem: &Problem) -> Option<Self> {
        let mechanism = problem.mechanism();
        let robot = mechanism.robot();
        let is_root =
            |body: &steiner_robot::Body| body.parent.is_none() && body.joint.kind == JointKind::Floating;
        let body = robot.bodies.iter().position(is_root)?;
        let independent = mechanism.independent();
        let velocity = independent.iter().position(|c| c.body.0 == body && c.component == 0)?;
        let six = independent.get(velocity..velocity + 6)?;
        let whole = six.iter().enumerate().all(|(k, c)| c.body.0 == body && c.component == k);
        let counts = |row: usize| problem.rows().iter().any(|other| other.kind == MeasuredRow::Force(row));
        let first = robot.configuration_offsets()[body];
        let position = match mechanism.configuration_indices() {
            Some(indices) => indices.iter().position(|&k| k == first)?,
            None => first,
        };
        let gravity = Vec3(robot.gravity_vector());
        let mass: f64 = robot.bodies.iter().map(|body| body.inertia.mass).sum();
        let weight = mass * gravity.dot(gravity).sqrt();
        let joint = &robot.bodies[body].joint;
        // Where nothing falls, nothing tells flight from rest.
        (whole && (velocity..velocity + 6).any(counts) && gravity.dot(gravity) > 0.0).then(|| Root {
            position,
            velocity,
            placement: joint.placement.pose(),
            body: joint.body_frame.pose(),
            gravity,
            no_force: NO_FORCE * weight,
        })
    }

    /// Acceleration of the body's origin in the axes of the ground, R (v̇ + ω × v), m/s².
    fn acceleration(&self, q: &[f64], v: [f64; 6], a: [f64; 6]) -> Vec3<f64> {
        let [linear, angular] = [Vec3([v[0], v[1], v[2]]), Vec3([v[3], v[4], v[5]])];
        let in_body = Vec3([a[0], a[1], a[2]]) + angular.cross(linear);
        let turned = Mat3::from_quaternion(q[6], Vec3([q[3], q[4], q[5]]));
        self.placement.rotation.apply(turned.apply(self.body.rotation.apply(in_body)))
    }
}
