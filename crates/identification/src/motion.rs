//! The motion of a mechanism as a log shows it.

use steiner_dynamics::Mechanism;
use steiner_robot::did_you_mean;

use crate::error::LogError;
use crate::log::Log;

/// Configurations, velocities and accelerations of the independent coordinates, sample after sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Configuration, rad or m (quaternions x, y, z, w).
    pub q: Vec<Vec<f64>>,
    /// Velocity, per s.
    pub qd: Vec<Vec<f64>>,
    /// Acceleration, per s².
    pub qdd: Vec<Vec<f64>>,
    /// What was done to get them, a sentence each.
    pub notes: Vec<String>,
}

impl Motion {
    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.q.len()
    }

    /// Reads the motion of a mechanism out of a log. Velocities and accelerations that were not recorded are central
    /// differences; the border samples, which have none, are left out.
    pub fn of(mechanism: &Mechanism, log: &Log) -> Result<Self, LogError> {
        let robot = mechanism.robot();
        let configuration = mechanism.configuration_names();
        let velocities: Vec<(String, bool)> = robot
            .coordinates()
            .into_iter()
            .enumerate()
            .filter(|(k, _)| mechanism.plan().independent.contains(k))
            .map(|(_, c)| {
                let kind = &robot.bodies[c.body.0].joint.kind;
                (robot.coordinate_name(c), kind.is_coordinatewise() && kind.name() != "planar")
            })
            .collect();
        let missing = |column: String| {
            let needed: Vec<String> = configuration.iter().map(|name| format!("q_{name}")).collect();
            let others = log.names().iter().filter(|name| !needed.contains(name)).map(String::as_str);
            LogError::Missing {
                file: log.source.clone(),
                hint: did_you_mean(&column, others),
                column,
                robot: robot.name.clone(),
                needed: needed.join(", "),
            }
        };
        let mut q = Vec::new();
        for name in &configuration {
            let column = format!("q_{name}");
            q.push(log.column(&column)?.ok_or_else(|| missing(column.clone()))?.to_vec());
        }
        let (mut qd, mut qdd) = (Vec::new(), Vec::new());
        let mut derived = [Vec::new(), Vec::new()];
        for (name, derivable) in &velocities {
            let recorded = |prefix: &str| -> Result<Option<Vec<f64>>, LogError> {
                Ok(log.column(&format!("{prefix}_{name}"))?.map(<[f64]>::to_vec))
            };
            let (rate, acceleration) = (recorded("qd")?, recorded("qdd")?);
            if rate.is_none() || acceleration.is_none() {
                let column = format!("{}_{name}", if rate.is_none() { "qd" } else { "qdd" });
                let not = |why: &str| LogError::NotDerivable {
                    file: log.source.clone(),
                    column: column.clone(),
                    why: why.to_owned(),
                };
                if !derivable || mechanism.takes_tree_configuration() {
                    return Err(not(
                        "velocities of joints with several freedoms are not rates of q; record them",
                    ));
                }
                if log.column("t")?.is_none() {
                    return Err(not("there is no column `t` (s)"));
                }
            }
            let position = log.column(&format!("q_{name}"))?.unwrap_or(&[]);
            if acceleration.is_none() {
                derived[1].push(name.as_str());
            }
            qdd.push(match (acceleration, &rate) {
                (Some(recorded), _) => recorded,
                (None, Some(rate)) => differences(log, rate)?,
                (None, None) => second_differences(log, position)?,
            });
            if rate.is_none() {
                derived[0].push(name.as_str());
            }
            qd.push(match rate {
                Some(recorded) => recorded,
                None => differences(log, position)?,
            });
        }
        let border = usize::from(derived.iter().any(|names| !names.is_empty()));
        let mut notes = Vec::new();
        for (what, names) in ["velocities", "accelerations"].iter().zip(&derived) {
            if !names.is_empty() {
                let whose = if names.len() == velocities.len() {
                    String::new()
                } else {
                    format!(" of {}", names.join(", "))
                };
                notes.push(format!("{what}{whose} are not recorded: central differences, unfiltered"));
            }
        }
        notes.extend(suspicions(mechanism, log)?);
        let samples = log.samples();
        if samples < 2 * border + 1 {
            let file = log.source.clone();
            return Err(LogError::TooShort {
                file,
                found: samples,
                after: String::new(),
                what: "derivatives need",
                wanted: 2 * border + 1,
            });
        }
        let rows = |columns: &[Vec<f64>]| -> Vec<Vec<f64>> {
            (border..samples - border).map(|k| columns.iter().map(|column| column[k]).collect()).collect()
        };
        Ok(Motion { q: rows(&q), qd: rows(&qd), qdd: rows(&qdd), notes })
    }
}

/// Numbers that look like other units.
fn suspicions(mechanism: &Mechanism, log: &Log) -> Result<Vec<String>, LogError> {
    let mut out = Vec::new();
    for body in &mechanism.robot().bodies {
        let joint = &body.joint;
        let Some(values) = log.column(&format!("q_{}", joint.name))? else { continue };
        let reached = values.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let ends = [joint.limits.lower, joint.limits.upper];
        let limit = ends.into_iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        if limit > 0.0 && reached > 3.0 * limit {
            out.push(format!(
                "q_{} reaches {reached:.4}, its limit is {limit:.4}: is it in rad or m?",
                joint.name
            ));
        }
    }
    Ok(out)
}

fn times(log: &Log) -> Result<&[f64], LogError> {
    let t = log.column("t")?.unwrap_or(&[]);
    if t.len() < 3 {
        return Err(LogError::TooShort {
            file: log.source.clone(),
            found: t.len(),
            after: String::new(),
            what: "derivatives need",
            wanted: 3,
        });
    }
    match (1..t.len()).find(|&k| t[k] <= t[k - 1]) {
        Some(k) => Err(LogError::NotIncreasing { place: log.place(k), time: t[k], before: t[k - 1] }),
        None => Ok(t),
    }
}

/// Derivatives of the parabola through each sample and its neighbours; 0 at the borders.
fn differences(log: &Log, x: &[f64]) -> Result<Vec<f64>, LogError> {
    inside(log, |t, k| {
        let (before, after) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        let (left, right) = ((x[k] - x[k - 1]) / before, (x[k + 1] - x[k]) / after);
        (left * after + right * before) / (before + after)
    })
}

fn second_differences(log: &Log, x: &[f64]) -> Result<Vec<f64>, LogError> {
    inside(log, |t, k| {
        let (before, after) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        let (left, right) = ((x[k] - x[k - 1]) / before, (x[k + 1] - x[k]) / after);
        2.0 * (right - left) / (before + after)
    })
}

fn inside(log: &Log, at: impl Fn(&[f64], usize) -> f64) -> Result<Vec<f64>, LogError> {
    let t = times(log)?;
    let mut out = vec![0.0; t.len()];
    (1..t.len() - 1).for_each(|k| out[k] = at(t, k));
    Ok(out)
}
