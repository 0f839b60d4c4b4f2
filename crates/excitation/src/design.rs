//! What a motion is designed for, and within which limits.

use std::num::NonZeroUsize;
use std::time::Duration;

use steiner_identifiability::{Analysis, Question};
use steiner_linalg::elimination::Matrix;

use crate::basis::Shape;
use crate::clearance::{BodyCapsule, BodyPair, Obstacle};
use crate::criterion::Criterion;
use crate::error::ExcitationError;
use crate::limits::JointLimits;

/// What the parameters are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Purpose {
    /// All base parameters.
    #[default]
    Everything,
    /// Those of the last link, and so of what it carries.
    Payload,
    /// Those that a link is part of.
    Link(String),
    /// Forces at random states within the limits.
    TorquePrediction,
}

/// A limit other than the file's; `None` leaves the file's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LimitChange {
    /// The joint.
    pub joint: String,
    /// Least and greatest coordinate, rad or m.
    pub range: Option<(f64, f64)>,
    /// Greatest speed, rad/s or m/s.
    pub velocity: Option<f64>,
    /// Greatest acceleration, rad/s² or m/s².
    pub acceleration: Option<f64>,
    /// Greatest jerk, rad/s³ or m/s³.
    pub jerk: Option<f64>,
    /// Greatest force, N·m or N.
    pub effort: Option<f64>,
    /// Greatest mechanical power, W.
    pub power: Option<f64>,
}

impl LimitChange {
    pub(crate) fn apply(&self, limits: &mut JointLimits) {
        if let Some((lower, upper)) = self.range {
            (limits.lower, limits.upper) = (lower, upper);
            limits.assumed.retain(|what| *what != "position");
        }
        if let Some(velocity) = self.velocity {
            limits.velocity = velocity;
            limits.assumed.retain(|what| *what != "velocity");
        }
        limits.acceleration = self.acceleration.or(limits.acceleration);
        limits.jerk = self.jerk.or(limits.jerk);
        limits.effort = self.effort.or(limits.effort);
        limits.power = self.power.or(limits.power);
    }
}

/// A bound on a sum of turns: lower ≤ Σ factor · q ≤ upper.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnSum {
    /// (joint, factor).
    pub terms: Vec<(String, f64)>,
    /// Least sum, rad or m.
    pub lower: f64,
    /// Greatest sum, rad or m.
    pub upper: f64,
}

/// A wish for a motion.
#[derive(Clone, Debug)]
pub struct Design {
    /// Sensors, drives and what is known: whose base parameters shall be shown.
    pub question: Question,
    /// The answer to the question, if it is there already.
    pub analysis: Option<Analysis>,
    /// The family of motions.
    pub shape: Shape,
    /// Length, s.
    pub duration: f64,
    /// What is made small.
    pub criterion: Criterion,
    /// What the parameters are for.
    pub purpose: Purpose,
    /// Standard deviation of each measured row, N·m or N; `*` is all others.
    pub noise: Vec<(String, f64)>,
    /// Samples of forces per second, for the deviations that are stated.
    pub rate: f64,
    /// Limits other than the file's.
    pub limits: Vec<LimitChange>,
    /// Part of the greatest speeds that is used, 0 to 1.
    pub speed: f64,
    /// Part of the greatest torques that is kept for what the model does not know.
    pub torque_margin: f64,
    /// Bounds on sums of turns.
    pub turn_sums: Vec<TurnSum>,
    /// For a robot on its feet ([`crate::standing`]): the coefficient of friction of the ground. Feet push on it,
    /// at least a tenth of an even share of the weight, and their forces stay within the friction cones, where
    /// forces are distributed with the least Σ normal² + (tangential / μ)². Measured are the torques of all legs;
    /// forces at the feet are unknown. `None`: loops to the ground hold whatever the force.
    pub friction: Option<f64>,
    /// Joints that stand still.
    pub still: Vec<String>,
    /// Where the motion begins and ends, by joint; empty: where it is best.
    pub start: Vec<(String, f64)>,
    /// Capsules around the bodies.
    pub capsules: Vec<BodyCapsule>,
    /// What stands around the robot.
    pub obstacles: Vec<Obstacle>,
    /// Whether bodies must stay clear of each other.
    pub self_collision: bool,
    /// Pairs of bodies that may touch.
    pub ignored: Vec<BodyPair>,
    /// Distance kept, m.
    pub clearance: f64,
    /// Information that is there already: Σ Yᵀ W Y / samples of the new motion, over the base parameters.
    pub information: Option<Matrix<f64>>,
    /// Motions from which the search begins; `None`: as many as suit the robot.
    pub starts: Option<usize>,
    /// Ends the search after this time; with it the result depends on the machine.
    pub time: Option<Duration>,
    /// Of the random numbers.
    pub seed: u64,
    /// Threads.
    pub threads: NonZeroUsize,
}

impl Default for Design {
    fn default() -> Self {
        Design {
            question: Question { drives: true, ..Question::default() },
            analysis: None,
            shape: Shape::Fourier { harmonics: 5, periods: 1 },
            duration: 10.0,
            criterion: Criterion::D,
            purpose: Purpose::Everything,
            noise: Vec::new(),
            rate: 1000.0,
            limits: Vec::new(),
            speed: 1.0,
            torque_margin: 0.0,
            turn_sums: Vec::new(),
            friction: None,
            still: Vec::new(),
            start: Vec::new(),
            capsules: Vec::new(),
            obstacles: Vec::new(),
            self_collision: true,
            ignored: Vec::new(),
            clearance: 0.01,
            information: None,
            starts: None,
            time: None,
            seed: 0,
            threads: steiner_linalg::all_threads(),
        }
    }
}

impl Design {
    /// The standard deviation of a measured row, N·m or N.
    pub fn noise_of(&self, row: &str) -> f64 {
        let find = |name: &str| self.noise.iter().find(|(other, _)| other == name).map(|(_, sd)| *sd);
        find(row).or_else(|| find("*")).unwrap_or(1.0)
    }

    /// Number of samples of forces that the motion gives.
    pub fn samples(&self) -> f64 {
        (self.duration * self.rate).max(1.0)
    }

    pub(crate) fn poses_wanted(&self, base: usize, rows: usize) -> usize {
        (3 * base).div_ceil(rows.max(1)).clamp(8, 60)
    }

    pub(crate) fn check(&self) -> Result<(), ExcitationError> {
        let wrong = |what: &str, value: String, remedy: &str| {
            Err(ExcitationError::Setting { what: what.to_owned(), value, remedy: remedy.to_owned() })
        };
        if !(self.duration > 0.0 && self.duration < 1e6) {
            return wrong("the duration", format!("{} s", self.duration), "give a positive time");
        }
        match self.shape {
            Shape::Fourier { harmonics, periods } => {
                if !(2..=100).contains(&harmonics) {
                    return wrong("the number of harmonics", harmonics.to_string(), "give 2 to 100");
                }
                if !(1..=1000).contains(&periods) {
                    return wrong("the number of periods", periods.to_string(), "give 1 to 1000");
                }
            }
            Shape::Spline { points } if !(1..=200).contains(&points) => {
                return wrong("the number of via-points", points.to_string(), "give 1 to 200");
            }
            Shape::Poses { count } if !(1..=1000).contains(&count) => {
                return wrong("the number of poses", count.to_string(), "give 1 to 1000");
            }
            _ => {}
        }
        if let Some((name, sd)) = self.noise.iter().find(|(_, sd)| !(*sd > 0.0 && sd.is_finite())) {
            return wrong(&format!("the noise of '{name}'"), sd.to_string(), "give a positive number");
        }
        if !(self.speed > 0.0 && self.speed <= 1.0) {
            return wrong("the part of the speed", self.speed.to_string(), "give more than 0 and at most 1");
        }
        if !(0.0..1.0).contains(&self.torque_margin) {
            return wrong("the torque margin", self.torque_margin.to_string(), "give 0 to less than 1");
        }
        if let Some(friction) = self.friction.filter(|friction| !(*friction > 0.0 && friction.is_finite())) {
            return wrong("the friction of the ground", friction.to_string(), "give a positive coefficient");
        }
        if !(self.rate > 0.0 && self.rate < 1e7) {
            return wrong(
                "the rate",
                format!("{} Hz", self.rate),
                "give a positive number of samples per second",
            );
        }
        if self.starts == Some(0) {
            return wrong("the number of starts", "0".to_owned(), "give at least 1");
        }
        if let Some(sum) = self.turn_sums.iter().find(|sum| !(sum.upper > sum.lower)) {
            return wrong(
                "a sum of turns",
                format!("{} to {}", sum.lower, sum.upper),
                "give a range that is larger than zero",
            );
        }
        Ok(())
    }
}
