//! What is measured: a set of sensors, as people write it and as programs read it.

use std::fmt;
use std::str::FromStr;

/// One kind of sensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sensor {
    /// Every generalised force of the independent coordinates: `all`.
    All,
    /// The same at rest, in all configurations: `static`.
    Static,
    /// The generalised forces of some joints only: `joints:a,b`.
    Joints(Vec<String>),
    /// A force–torque sensor inside a joint: `wrench:joint`.
    JointWrench(String),
    /// The wrench between the ground and the robot: `base-wrench`.
    BaseWrench,
}

/// Sensors that are read together. Written as terms joined by `+`: `joints:elbow,wrist+base-wrench`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SensorSet {
    sensors: Vec<Sensor>,
}

/// A term that names no sensor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{term}` is not a measurement; use all, static, joints:a,b, wrench:joint or base-wrench, joined by `+`"
)]
pub struct UnknownSensor {
    /// The term as it was written.
    pub term: String,
}

impl SensorSet {
    /// A set of some sensors.
    pub fn new(sensors: Vec<Sensor>) -> Self {
        SensorSet { sensors }
    }

    /// Every generalised force of the independent coordinates.
    pub fn all() -> Self {
        SensorSet { sensors: vec![Sensor::All] }
    }

    /// The sensors, in order.
    pub fn sensors(&self) -> &[Sensor] {
        &self.sensors
    }

    /// The union of two sensor sets.
    pub fn with(&self, other: &SensorSet) -> SensorSet {
        SensorSet { sensors: [self.sensors.clone(), other.sensors.clone()].concat() }
    }
}

impl Default for SensorSet {
    fn default() -> Self {
        SensorSet::all()
    }
}

impl FromStr for Sensor {
    type Err = UnknownSensor;
    fn from_str(term: &str) -> Result<Self, UnknownSensor> {
        let term = term.trim();
        match term.split_once(':') {
            None if term == "all" => Ok(Sensor::All),
            None if term == "static" => Ok(Sensor::Static),
            None if term == "base-wrench" => Ok(Sensor::BaseWrench),
            Some(("joints", names)) => {
                Ok(Sensor::Joints(names.split(',').map(|name| name.trim().to_owned()).collect()))
            }
            Some(("wrench", name)) => Ok(Sensor::JointWrench(name.trim().to_owned())),
            _ => Err(UnknownSensor { term: term.to_owned() }),
        }
    }
}

impl FromStr for SensorSet {
    type Err = UnknownSensor;
    fn from_str(text: &str) -> Result<Self, UnknownSensor> {
        Ok(SensorSet { sensors: text.split('+').map(str::parse).collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Sensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sensor::All => f.write_str("all"),
            Sensor::Static => f.write_str("static"),
            Sensor::Joints(names) => write!(f, "joints:{}", names.join(",")),
            Sensor::JointWrench(joint) => write!(f, "wrench:{joint}"),
            Sensor::BaseWrench => f.write_str("base-wrench"),
        }
    }
}

impl fmt::Display for SensorSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, sensor) in self.sensors.iter().enumerate() {
            write!(f, "{}{sensor}", if k == 0 { "" } else { "+" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_read_back_as_they_are_written() {
        for text in ["all", "static", "joints:a,b:1+wrench:c", "base-wrench+joints:x"] {
            assert_eq!(text.parse::<SensorSet>().unwrap().to_string(), text);
        }
        assert_eq!("joints: a, b + all".parse::<SensorSet>().unwrap().to_string(), "joints:a,b+all");
        assert_eq!("all+torque".parse::<SensorSet>().unwrap_err().term, "torque");
    }
}
