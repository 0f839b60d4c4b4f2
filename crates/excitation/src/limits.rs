//! How far each joint may go, and what is assumed where the file says nothing.

use steiner_dynamics::Mechanism;
use steiner_robot::Limits;

use crate::error::ExcitationError;
use crate::proof::Quantity;

/// Without limits: rad, or multiples of the mechanism's length; per s.
const USUAL: [f64; 2] = [1.0, 3.0];

/// A limit that is one: files write 0 or infinity where they mean none.
pub(crate) fn positive(limit: Option<f64>) -> Option<f64> {
    limit.filter(|limit| *limit > 0.0 && limit.is_finite())
}

/// The limits of one coordinate that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct JointLimits {
    /// Its name.
    pub name: String,
    /// Whether it is an angle.
    pub turns: bool,
    /// Least coordinate, rad or m.
    pub lower: f64,
    /// Greatest coordinate, rad or m.
    pub upper: f64,
    /// Greatest speed, rad/s or m/s.
    pub velocity: f64,
    /// Greatest acceleration, rad/s² or m/s².
    pub acceleration: Option<f64>,
    /// Greatest jerk, rad/s³ or m/s³.
    pub jerk: Option<f64>,
    /// Greatest force, N·m or N, the margin taken off.
    pub effort: Option<f64>,
    /// Greatest mechanical power, W.
    pub power: Option<f64>,
    /// What the file did not say: `position`, `velocity`.
    pub assumed: Vec<&'static str>,
}

impl JointLimits {
    /// From the file, or as usual; loops are kept about their assembled configuration.
    pub(crate) fn of(
        mechanism: &Mechanism,
        name: &str,
        limits: &Limits,
        reference: f64,
        turns: bool,
    ) -> Self {
        let unit = if turns { 1.0 } else { mechanism.length_scale() };
        let mut assumed = Vec::new();
        // A range without room is for `check` to refuse: such a joint must not be moved.
        let range = limits.lower.zip(limits.upper).filter(|(lower, upper)| lower <= upper);
        let (lower, upper) = range.unwrap_or_else(|| {
            assumed.push("position");
            (reference - USUAL[0] * unit, reference + USUAL[0] * unit)
        });
        let velocity = positive(limits.velocity).unwrap_or_else(|| {
            assumed.push("velocity");
            USUAL[1] * unit
        });
        JointLimits {
            name: name.to_owned(),
            turns,
            lower,
            upper,
            velocity,
            acceleration: positive(limits.acceleration),
            jerk: positive(limits.jerk),
            effort: positive(limits.effort),
            power: None,
            assumed,
        }
    }

    /// Refuses limits that leave no room.
    pub(crate) fn check(&self) -> Result<(), ExcitationError> {
        let room = |what: &str, value: f64| ExcitationError::NoRoom {
            why: format!("the {what} of joint '{}' is limited to {value}", self.name),
            remedy: "give it a range that is larger than zero, or let it stand still".to_owned(),
        };
        if !(self.upper > self.lower) {
            return Err(room("position", self.upper));
        }
        let speeds = [("velocity", Some(self.velocity)), ("acceleration", self.acceleration)];
        let efforts = [("jerk", self.jerk), ("torque", self.effort), ("power", self.power)];
        for (what, limit) in speeds.into_iter().chain(efforts) {
            if let Some(limit) = limit.filter(|limit| !(*limit > 0.0)) {
                return Err(room(what, limit));
            }
        }
        Ok(())
    }

    /// Takes something off the upper or the lower limit of a quantity; both are the same but for positions.
    pub(crate) fn tighten(&mut self, quantity: Quantity, upper: bool, by: f64) {
        match quantity {
            Quantity::Velocity => self.velocity -= by,
            Quantity::Acceleration => self.acceleration = self.acceleration.map(|most| most - by),
            Quantity::Jerk => self.jerk = self.jerk.map(|most| most - by),
            _ if upper => self.upper -= by,
            _ => self.lower += by,
        }
    }

    /// The range of a derivative of the coordinate, if it has one.
    pub(crate) fn range(&self, order: usize) -> Option<(f64, f64)> {
        let about_zero = |most: f64| (-most, most);
        match order {
            0 => Some((self.lower, self.upper)),
            1 => Some(about_zero(self.velocity)),
            2 => self.acceleration.map(about_zero),
            _ => self.jerk.map(about_zero),
        }
    }
}
