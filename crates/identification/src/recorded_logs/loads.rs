//! Known loads that a robot carried while some of the logs were recorded.
//!
//! A load that moves with a link acts on it with the wrench −Y_w(q, q̇, q̈) π of its own inertial
//! parameters π: a contact like any other, whose forces go to the right-hand side in N·m. So two logs,
//! with and without a known load, tell the gains of currents in absolute units.

use steiner_dynamics::{Mechanism, wrench_rows};
use steiner_linalg::dot;
use steiner_logs::{Recording, WrenchSignal};
use steiner_robot::{CentredInertia, Pose, PseudoInertia, inertial_columns};

use super::RecordedLogs;
use crate::failure::IdentificationError;
use crate::problem::{States, link_in_body};

/// What a robot carried while a log was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownLoad {
    /// Which of the logs, in their order.
    pub log: usize,
    /// kg.
    pub mass: f64,
    /// Centre of mass in the frame of the link that carries it, m; the load has no size beyond it.
    pub com: [f64; 3],
}

/// Loads by log, and where they are.
#[derive(Clone, Debug)]
pub(super) struct Loads {
    link: String,
    body: usize,
    /// The link's frame in the body's.
    pose: Pose<f64>,
    /// (log, ten parameters in the body's frame).
    of_logs: Vec<(usize, [f64; 10])>,
}

impl RecordedLogs<'_> {
    /// Adds what some logs were recorded with; `link` is a moving link or one fixed to it.
    pub fn carrying(mut self, link: &str, loads: &[KnownLoad]) -> Result<Self, IdentificationError> {
        let (body, pose) = link_in_body(self.mechanism, link)?;
        let mut of_logs: Vec<(usize, [f64; 10])> = Vec::new();
        for load in loads {
            let wrong = |what: &str, value: String, remedy: &str| IdentificationError::Setting {
                what: what.to_owned(),
                value,
                remedy: remedy.to_owned(),
            };
            if !(load.mass >= 0.0 && load.mass.is_finite() && load.com.iter().all(|x| x.is_finite())) {
                let value = format!("{} kg at {:?} m", load.mass, load.com);
                return Err(wrong("a known payload", value, "give a mass of 0 or more and a finite centre"));
            }
            if load.log >= self.logs.len() || of_logs.iter().any(|(log, _)| *log == load.log) {
                let value = format!("of log {}", load.log + 1);
                return Err(wrong("a known payload", value, "give one at most for each of the logs"));
            }
            let centred = CentredInertia { mass: load.mass, com: load.com, tensor: [0.0; 6] };
            let inertia = PseudoInertia::from_centred(&centred).moved(&pose.rotation, pose.translation.0);
            of_logs.push((load.log, inertia.parameters()));
        }
        self.loads = Some(Loads { link: link.to_owned(), body, pose, of_logs });
        Ok(self)
    }
}

impl Loads {
    /// Whether some log has a load: forces in N·m that are known.
    pub(super) fn weigh(&self) -> bool {
        self.of_logs.iter().any(|(_, ten)| ten[0] > 0.0)
    }

    /// Adds the wrench of a log's load to what acts on the robot.
    pub(super) fn add_to(
        &self,
        recording: &mut Recording,
        log: usize,
        mechanism: &Mechanism,
    ) -> Result<(), IdentificationError> {
        let Some((_, ten)) = self.of_logs.iter().find(|(of, ten)| *of == log && ten[0] > 0.0) else {
            return Ok(());
        };
        let tree = mechanism.tree();
        let segment = tree.segment_of_body[self.body];
        let mut states = States::new(mechanism);
        let mut values = Vec::with_capacity(6 * recording.count);
        for sample in 0..recording.count {
            let (_, state) = states.at(recording, sample)?;
            let frame = tree.world_poses(&state.poses)[segment].then(&self.pose);
            let rows = wrench_rows(tree, &state, &frame, &[self.body]);
            values.extend((0..6).map(|k| -dot(&rows.row(k)[inertial_columns(self.body)], ten)));
        }
        recording.contacts.push(WrenchSignal { place: self.link.clone(), values });
        Ok(())
    }
}
