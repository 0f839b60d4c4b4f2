//! Which columns of a log a robot needs, by name or by place in an array.

use steiner_files::did_you_mean;

use super::table::Table;
use crate::channels::{Channel, Channels, JointMotion};
use crate::error::LogError;
use crate::note::LogNote;

/// The columns of a log that a robot needs, as indices into the names of the log.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub(crate) time: Option<usize>,
    /// One per number of the configuration.
    pub(crate) q: Vec<usize>,
    pub(crate) rates: Vec<Rate>,
    /// Independent coordinate and column, for those that have one.
    pub(crate) tau: Vec<(usize, usize)>,
    pub(crate) wrenches: Vec<(String, [usize; 6])>,
    /// Joints whose velocity is no rate of q, where it must be derived.
    pub(crate) body_joints: Vec<BodyJoint>,
    /// Numbers of the configuration that are angles without end, other angles, or quaternions (their first of
    /// four).
    pub(crate) endless: Vec<usize>,
    pub(crate) angles: Vec<usize>,
    pub(crate) quaternions: Vec<usize>,
    pub(crate) notes: Vec<LogNote>,
}

/// Velocity and acceleration of an independent coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Rate {
    pub(crate) name: String,
    pub(crate) qd: Option<usize>,
    pub(crate) qdd: Option<usize>,
    pub(crate) source: RateSource,
}

/// Where a velocity comes from if it is not recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RateSource {
    /// It is the rate of this number of the configuration.
    Number(usize),
    /// It is a component of the velocity of this of the body joints.
    Body { joint: usize, component: usize },
    /// Nowhere.
    Unknown,
}

/// A floating, spherical or planar joint.
#[derive(Clone, Debug)]
pub(crate) struct BodyJoint {
    pub(crate) name: String,
    pub(crate) motion: JointMotion,
    /// Its first number in the configuration, and how many it has.
    pub(crate) first: usize,
    pub(crate) numbers: usize,
    joint: usize,
}

/// The first names of many.
fn some_of(names: &[String]) -> String {
    const MOST: usize = 12;
    let first = names.iter().take(MOST).map(|name| steiner_files::brief(name)).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{first}, … {} in all", names.len()) } else { first }
}

impl Columns {
    /// Finds the columns; `derive` passes over recorded velocities and accelerations.
    pub(crate) fn of(
        channels: &Channels,
        names: &[String],
        file: &str,
        derive: bool,
    ) -> Result<Self, LogError> {
        let (configuration, velocities) = (channels.configuration_names(), channels.velocity_names());
        let place = |name: &str| names.iter().position(|other| other == name);
        let table = Table { names, file, robot: &channels.robot };
        let q = table.family("q", &configuration)?;
        if let Some(k) = q.iter().position(Option::is_none) {
            let column = format!("q_{}", configuration[k]);
            let needed: Vec<String> = configuration.iter().map(|name| format!("q_{name}")).collect();
            let others: Vec<&str> =
                names.iter().filter(|name| !needed.contains(name)).map(String::as_str).collect();
            // A velocity or a force is no misspelt position.
            let other_family =
                |name: &str| ["qd_", "qdd_", "tau_", "wrench_"].iter().any(|f| name.starts_with(f));
            let mut hint = did_you_mean(&column, others.iter().copied().filter(|name| !other_family(name)));
            let foreign: Vec<&str> =
                others.into_iter().filter(|name| name.starts_with("q_")).take(4).collect();
            if hint.is_empty() && q.iter().all(Option::is_none) {
                hint = match foreign.is_empty() {
                    true => format!(" (its columns are {})", some_of(names)),
                    false => format!(
                        " (it has {}: joints of another robot, or these under other names?)",
                        foreign.join(", ")
                    ),
                };
            }
            let number = &channels.configuration[k];
            let (joint, some) = (channels.joint_of(number), q.iter().any(Option::is_some));
            return Err(LogError::Missing {
                joint: (some && joint.motion.is_single()).then(|| joint.name.as_str().into()),
                file: file.to_owned(),
                hint: hint.into(),
                column,
                robot: channels.robot.clone(),
                needed: needed.join(", ").into(),
            });
        }
        let none = vec![None; velocities.len()];
        let qd = if derive { none.clone() } else { table.family("qd", &velocities)? };
        let qdd = if derive { none } else { table.family("qdd", &velocities)? };
        let tau = table.family("tau", &velocities)?;
        let mut columns = Columns {
            time: place("t"),
            q: q.into_iter().flatten().collect(),
            rates: Vec::new(),
            tau: tau.iter().enumerate().filter_map(|(k, column)| Some((k, (*column)?))).collect(),
            wrenches: table.wrenches()?,
            body_joints: Vec::new(),
            endless: Vec::new(),
            angles: Vec::new(),
            quaternions: Vec::new(),
            notes: Vec::new(),
        };
        for (k, velocity) in channels.velocities.iter().enumerate() {
            let source = columns.rate_source(channels, velocity);
            columns.rates.push(Rate { name: velocity.name.clone(), qd: qd[k], qdd: qdd[k], source });
        }
        for (k, number) in channels.configuration.iter().enumerate() {
            match (channels.joint_of(number).motion, number.component) {
                (JointMotion::EndlessAngle, _) => columns.endless.push(k),
                (JointMotion::Angle, _) => columns.angles.push(k),
                (JointMotion::Spherical, 0) | (JointMotion::Floating, 3) => columns.quaternions.push(k),
                _ => {}
            }
        }
        columns.check_derivable(file)?;
        columns.notes = table.strangers(channels);
        Ok(columns)
    }

    fn rate_source(&mut self, channels: &Channels, velocity: &Channel) -> RateSource {
        let Channel { joint, component, .. } = *velocity;
        let motion = channels.joints[joint].motion;
        let number = |component: usize| channels.number(joint, component);
        if let Some(numbers) = motion.body_numbers() {
            let whole = (0..numbers).all(|component| number(component).is_some());
            let (Some(first), true) = (number(0), whole) else { return RateSource::Unknown };
            let known = self.body_joints.iter().position(|body| body.joint == joint);
            let index = known.unwrap_or_else(|| {
                let name = channels.joints[joint].name.clone();
                self.body_joints.push(BodyJoint { name, motion, first, numbers, joint });
                self.body_joints.len() - 1
            });
            return RateSource::Body { joint: index, component };
        }
        match motion {
            JointMotion::Mixed => RateSource::Unknown,
            _ => number(component).map_or(RateSource::Unknown, RateSource::Number),
        }
    }

    fn check_derivable(&self, file: &str) -> Result<(), LogError> {
        for rate in &self.rates {
            let column = match (rate.qd, rate.qdd) {
                (None, _) => format!("qd_{}", rate.name),
                (_, None) => format!("qdd_{}", rate.name),
                _ => continue,
            };
            let why = match (rate.source, rate.qd, self.time) {
                (RateSource::Unknown, None, _) => "this velocity is no rate of recorded numbers; record it",
                (_, _, None) => "there is no column `t` (s); add it, or give `rate` (Hz) in a mapping file",
                _ => continue,
            };
            return Err(LogError::NotDerivable { file: file.to_owned(), column, why: why.to_owned() });
        }
        Ok(())
    }

    /// Every column that is needed, once, in the order of the log.
    pub(crate) fn all(&self) -> Vec<usize> {
        let rates = self.rates.iter().flat_map(|rate| [rate.qd, rate.qdd]).flatten();
        let forces = self.tau.iter().map(|(_, column)| *column);
        let wrenches = self.wrenches.iter().flat_map(|(_, columns)| columns.iter().copied());
        let mut all: Vec<usize> = self
            .time
            .into_iter()
            .chain(self.q.iter().copied())
            .chain(rates)
            .chain(forces)
            .chain(wrenches)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The same columns, as places among those that were kept.
    pub(crate) fn among(&self, kept: &[usize]) -> Self {
        let place = |column: usize| kept.partition_point(|other| *other < column);
        let mut out = self.clone();
        out.time = self.time.map(place);
        out.q.iter_mut().for_each(|column| *column = place(*column));
        for rate in &mut out.rates {
            rate.qd = rate.qd.map(place);
            rate.qdd = rate.qdd.map(place);
        }
        out.tau.iter_mut().for_each(|(_, column)| *column = place(*column));
        out.wrenches.iter_mut().flat_map(|(_, columns)| columns).for_each(|column| *column = place(*column));
        out
    }

    /// Whether some velocity or acceleration must be derived.
    pub(crate) fn must_derive(&self) -> bool {
        self.rates.iter().any(|rate| rate.qd.is_none() || rate.qdd.is_none())
    }
}
