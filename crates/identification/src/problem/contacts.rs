//! Known contact wrenches, moved to the right-hand side: J_kᵀ Γ_k in every row that feels
//! them, (15)–(18) of \[matthew2016\].

use steiner_dynamics::{Feasible, Mechanism};
use steiner_files::did_you_mean;
use steiner_identifiability::{MeasuredRow, Measurement};
use steiner_linalg::Vec3;
use steiner_logs::{Recording, WrenchSignal, wrench_link};
use steiner_robot::{JointKind, Pose};

use super::Problem;
use crate::failure::IdentificationError;

/// A contact on a moving body.
#[derive(Clone, Debug)]
pub(crate) struct Contact<'d> {
    pub(crate) body: usize,
    /// The link's frame in the body's; `None`: the wrench is in that of the base.
    frame: Option<Pose<f64>>,
    values: &'d [f64],
}

/// Finds the body a link belongs to, and the link's frame in it.
pub(crate) fn link_in_body(
    mechanism: &Mechanism,
    link: &str,
) -> Result<(usize, Pose<f64>), IdentificationError> {
    let robot = mechanism.robot();
    for (k, body) in robot.bodies.iter().enumerate() {
        if body.name == link {
            return Ok((k, Pose::identity()));
        }
        if let Some(lumped) = body.lumped.iter().find(|lumped| lumped.name == link) {
            return Ok((k, lumped.frame.pose()));
        }
    }
    let names = robot.bodies.iter().flat_map(|body| {
        std::iter::once(body.name.as_str()).chain(body.lumped.iter().map(|link| link.name.as_str()))
    });
    Err(IdentificationError::UnknownLink {
        robot: robot.name.clone(),
        link: link.to_owned(),
        hint: did_you_mean(link, names),
    })
}

/// The body that floats freely on the ground.
pub(crate) fn floating_root(mechanism: &Mechanism) -> Option<usize> {
    let floats = |body: &steiner_robot::Body| body.parent.is_none() && body.joint.kind == JointKind::Floating;
    mechanism.robot().bodies.iter().position(floats)
}

/// The body that carries a payload's link, among the problem's, and the link's frame in it.
pub(crate) fn payload_place(
    mechanism: &Mechanism,
    measurement: &Measurement,
    link: &str,
) -> Result<(usize, Pose<f64>), IdentificationError> {
    let bodies = measurement.bodies(mechanism);
    match bodies.iter().position(|name| name == link) {
        Some(body) => Ok((body, Pose::identity())),
        None => link_in_body(mechanism, link).map(|(body, pose)| (measurement.ground_count() + body, pose)),
    }
}

/// Why a link is none of the bodies that can have bounds.
pub(crate) fn no_body(mechanism: &Mechanism, link: &str, bodies: &[String]) -> IdentificationError {
    let robot = mechanism.robot();
    let (name, link) = (robot.name.clone(), link.to_owned());
    match robot.bodies.iter().find(|body| body.lumped.iter().any(|lumped| lumped.name == link)) {
        Some(body) => IdentificationError::FixedLink { robot: name, link, body: body.name.clone() },
        None => {
            let hint = did_you_mean(&link, bodies.iter().map(String::as_str));
            IdentificationError::UnknownLink { robot: name, link, hint }
        }
    }
}

impl<'d> Contact<'d> {
    /// What acts on a floating robot, if a log has it as a whole and no contact by itself: the same as a wrench
    /// on its root, as far as the six equations of the root are concerned.
    pub(crate) fn of_ground(mechanism: &Mechanism, recording: &'d Recording) -> Option<Self> {
        let values = recording.base_wrench.as_deref().filter(|_| recording.contacts.is_empty())?;
        Some(Contact { body: floating_root(mechanism)?, frame: None, values })
    }

    pub(crate) fn new(mechanism: &Mechanism, signal: &'d WrenchSignal) -> Result<Self, IdentificationError> {
        let (link, at_base) = wrench_link(&signal.place);
        let (body, frame) = link_in_body(mechanism, link)?;
        Ok(Contact { body, frame: (!at_base).then_some(frame), values: &signal.values })
    }

    /// Force and torque in the body's axes about its origin, where it has this pose.
    fn wrench(&self, sample: usize, body: &Pose<f64>) -> [Vec3<f64>; 2] {
        let w = &self.values[6 * sample..6 * sample + 6];
        let wrench = [Vec3([w[0], w[1], w[2]]), Vec3([w[3], w[4], w[5]])];
        match &self.frame {
            Some(frame) => moved(wrench, frame),
            None => moved(wrench, &body.inverse()),
        }
    }
}

/// A wrench seen from a frame in which its own sits at `pose`: Ad⁻ᵀ of (16).
pub(crate) fn moved([force, torque]: [Vec3<f64>; 2], pose: &Pose<f64>) -> [Vec3<f64>; 2] {
    let force = pose.rotation.apply(force);
    [force, pose.rotation.apply(torque) + pose.translation.cross(force)]
}

impl Problem {
    /// What the contacts contribute to the rows of a sample, in order: added to what was measured, (17).
    pub(crate) fn contact_forces(
        &self,
        state: &Feasible<f64>,
        contacts: &[Contact<'_>],
        sample: usize,
    ) -> Vec<f64> {
        let mut out = vec![0.0; self.rows.len()];
        let tree = self.mechanism.tree();
        let world = tree.world_poses(&state.poses);
        let jacobian = tree.jacobian(&state.poses);
        for contact in contacts {
            let segment = tree.segment_of_body[contact.body];
            let wrench = contact.wrench(sample, &world[segment]);
            let power: Vec<f64> = jacobian[segment]
                .iter()
                .map(|line| wrench[0].dot(line.linear) + wrench[1].dot(line.angular))
                .collect();
            for (r, row) in self.rows.iter().enumerate() {
                out[r] += match row.kind {
                    MeasuredRow::Force(j) => tree.ancestry[segment]
                        .iter()
                        .zip(&power)
                        .map(|(&k, power)| reduced(state, k, j) * power)
                        .sum(),
                    MeasuredRow::BaseWrench(k) => moved(wrench, &world[segment])[k / 3][k % 3],
                    MeasuredRow::JointWrench { body, component } => {
                        let felt = self.measurement.felt(&self.mechanism, row.kind);
                        if !felt.contains(&contact.body) {
                            continue;
                        }
                        let frame = world[tree.segment_of_body[body]].inverse().then(&world[segment]);
                        moved(wrench, &frame)[component / 3][component % 3]
                    }
                };
            }
        }
        out
    }
}

/// ∂q̇_k/∂q̇_j: how a tree velocity follows from an independent one.
pub(crate) fn reduced(state: &Feasible<f64>, tree: usize, row: usize) -> f64 {
    match &state.reduction {
        Some(z) => z[(tree, row)],
        None if tree == row => 1.0,
        None => 0.0,
    }
}
