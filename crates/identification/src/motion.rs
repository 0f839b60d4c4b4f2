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
        let configuration = configuration_names(mechanism);
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
            q.push(log.column(&column).ok_or_else(|| missing(column.clone()))?.to_vec());
        }
        let recorded = |prefix: &str| -> Option<Vec<Vec<f64>>> {
            velocities
                .iter()
                .map(|(name, _)| Some(log.column(&format!("{prefix}_{name}"))?.to_vec()))
                .collect()
        };
        let derivable = |prefix: &str| -> Result<(), LogError> {
            let lost = velocities.iter().find(|(name, _)| log.column(&format!("{prefix}_{name}")).is_none());
            let column = lost.map_or(String::new(), |(name, _)| format!("{prefix}_{name}"));
            let not = |why: &str| LogError::NotDerivable {
                file: log.source.clone(),
                column: column.clone(),
                why: why.to_owned(),
            };
            if velocities.iter().any(|(_, derivable)| !derivable) || mechanism.takes_tree_configuration() {
                return Err(not(
                    "velocities of joints with several freedoms are not rates of q; record them",
                ));
            }
            log.column("t").map(|_| ()).ok_or_else(|| not("there is no column `t` (s)"))
        };
        let mut notes = Vec::new();
        let mut border = 0;
        let (qd, qdd) = match (recorded("qd"), recorded("qdd")) {
            (Some(qd), Some(qdd)) => (qd, qdd),
            (Some(qd), None) => {
                derivable("qdd")?;
                notes.push(
                    "accelerations: central differences of the recorded velocities, unfiltered".to_owned(),
                );
                border = 1;
                let qdd = differences(log, &qd)?;
                (qd, qdd)
            }
            (None, _) => {
                derivable("qd")?;
                notes.push(
                    "velocities and accelerations: central differences of the recorded positions, unfiltered"
                        .to_owned(),
                );
                border = 1;
                (differences(log, &q)?, second_differences(log, &q)?)
            }
        };
        let samples = log.samples();
        if samples < 2 * border + 1 {
            let file = log.source.clone();
            return Err(LogError::TooShort { file, found: samples, wanted: 2 * border + 1 });
        }
        let rows = |columns: &[Vec<f64>]| -> Vec<Vec<f64>> {
            (border..samples - border).map(|k| columns.iter().map(|column| column[k]).collect()).collect()
        };
        Ok(Motion { q: rows(&q), qd: rows(&qd), qdd: rows(&qdd), notes })
    }
}

/// Names of the numbers of a configuration: `joint`, or `joint:k` where a joint has several.
fn configuration_names(mechanism: &Mechanism) -> Vec<String> {
    let mut tree: Vec<String> = Vec::new();
    for body in &mechanism.robot().bodies {
        match body.joint.kind.configuration_size() {
            1 => tree.push(body.joint.name.clone()),
            size => tree.extend((0..size).map(|k| format!("{}:{k}", body.joint.name))),
        }
    }
    match mechanism.takes_tree_configuration() {
        true => tree,
        // Which of them are independent: ask with their own indices.
        false => {
            let indices: Vec<f64> = (0..tree.len()).map(|k| k as f64).collect();
            mechanism.independent_part(&indices).into_iter().map(|k| tree[k as usize].clone()).collect()
        }
    }
}

fn times(log: &Log) -> Result<&[f64], LogError> {
    let t = log.column("t").unwrap_or(&[]);
    if t.len() < 3 {
        return Err(LogError::TooShort { file: log.source.clone(), found: t.len(), wanted: 3 });
    }
    match (1..t.len()).find(|&k| t[k] <= t[k - 1]) {
        Some(k) => Err(LogError::NotIncreasing {
            file: log.source.clone(),
            line: log.line(k),
            time: t[k],
            before: t[k - 1],
        }),
        None => Ok(t),
    }
}

/// Derivatives of the parabola through each sample and its neighbours; 0 at the borders.
fn differences(log: &Log, columns: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, LogError> {
    let t = times(log)?;
    let slope = |x: &[f64], k: usize| {
        let (before, after) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        let (left, right) = ((x[k] - x[k - 1]) / before, (x[k + 1] - x[k]) / after);
        (left * after + right * before) / (before + after)
    };
    Ok(inside(columns, t.len(), slope))
}

fn second_differences(log: &Log, columns: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, LogError> {
    let t = times(log)?;
    let curvature = |x: &[f64], k: usize| {
        let (before, after) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        let (left, right) = ((x[k] - x[k - 1]) / before, (x[k + 1] - x[k]) / after);
        2.0 * (right - left) / (before + after)
    };
    Ok(inside(columns, t.len(), curvature))
}

fn inside(columns: &[Vec<f64>], samples: usize, at: impl Fn(&[f64], usize) -> f64) -> Vec<Vec<f64>> {
    let derived = |x: &Vec<f64>| {
        let mut out = vec![0.0; samples];
        (1..samples - 1).for_each(|k| out[k] = at(x, k));
        out
    };
    columns.iter().map(derived).collect()
}
