//! From arguments to a wish.

use std::time::Duration;

use steiner::excitation::{Obstacle, Purpose, Shape};
use steiner::{Design, Mechanism, Question, SensorSet, limits_of_all, parse_purpose, parse_shape};

use super::arguments::ExciteArguments;
use crate::output::Failure;

/// Starts, where the time ends the search.
const ENDLESS: usize = 1_000_000;

impl ExciteArguments {
    /// The wish, without shapes and logs.
    pub(super) fn design(&self, mechanism: &Mechanism) -> Result<Design, Failure> {
        let usual = Design::default();
        let shape = parse_shape(&self.shape, self.harmonics, self.periods)
            .map_err(|message| Failure::Message(format!("--shape: {message}")))?;
        let mut measure: SensorSet = self.measure.parse()?;
        // Poses show what is seen at rest.
        if matches!(shape, None | Some(Shape::Poses { .. })) && measure == SensorSet::all() {
            measure = "static".parse()?;
        }
        let floor = self.floor.map(|offset| Obstacle::Plane { normal: [0.0, 0.0, 1.0], offset });
        Ok(Design {
            question: Question {
                measure,
                drives: !self.no_drives && self.feet.is_empty(),
                ..Question::default()
            },
            shape: shape.unwrap_or(usual.shape),
            duration: self.duration,
            criterion: self.criterion,
            purpose: self.purpose.as_deref().map_or(Purpose::Everything, parse_purpose),
            noise: self.noise.clone(),
            rate: self.rate,
            limits: limits_of_all(mechanism, &self.limit),
            speed: self.speed,
            torque_margin: self.torque_margin,
            turn_sums: self.turn_sums.clone(),
            still: self.still.clone(),
            // On feet it is the pose in which they stand.
            start: if self.feet.is_empty() { self.start.clone() } else { Vec::new() },
            friction: (!self.feet.is_empty()).then_some(self.ground_friction),
            obstacles: self.obstacles.iter().cloned().chain(floor).collect(),
            self_collision: !self.no_self_collision,
            clearance: self.clearance,
            starts: self.starts.or(self.seconds.map(|_| ENDLESS)),
            time: self.seconds.map(Duration::from_secs_f64),
            seed: self.seed,
            threads: self.threads.unwrap_or(usual.threads),
            ..usual
        })
    }
}
