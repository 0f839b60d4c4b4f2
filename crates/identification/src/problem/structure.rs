//! What the rows are called and see, and which further columns are nothing new.

use std::sync::Arc;
use steiner_robot::{inertial_body, inertial_count};

use steiner_dynamics::Mechanism;
use steiner_files::did_you_mean;
use steiner_identifiability::{MeasuredRow, Measurement};
use steiner_linalg::Stream;
use steiner_linalg::triangle::Triangle;

use super::{MeasuredForce, Problem};
use crate::failure::IdentificationError;
use crate::note::IdentificationNote;
use crate::settings::Settings;

/// Components of a wrench.
pub(crate) const WRENCH: [&str; 6] = ["fx", "fy", "fz", "tx", "ty", "tz"];
/// What is left of a column beside others, relative to it, when it is a combination of them but for rounding.
const DEPENDENT_COLUMN: f64 = 1e-9;

/// The measured rows, each once.
pub(super) fn rows(
    mechanism: &Mechanism,
    measurement: &Measurement,
    settings: &Settings,
) -> Result<Vec<MeasuredForce>, IdentificationError> {
    let names = mechanism.independent_names();
    if let Some((joint, _)) = settings.least_speed.iter().find(|(joint, _)| !names.contains(joint)) {
        return Err(IdentificationError::UnknownJoint {
            robot: mechanism.robot().name.clone(),
            joint: joint.clone(),
            hint: did_you_mean(joint, names.iter().map(String::as_str)),
            what: "the least speed".to_owned(),
        });
    }
    let mut rows: Vec<MeasuredForce> = Vec::new();
    for kind in measurement.measured_rows(mechanism) {
        if rows.iter().any(|row| row.kind == kind) {
            continue;
        }
        let (name, least_speed) = match kind {
            MeasuredRow::Force(k) => {
                let least = settings.least_speed.iter().find(|(joint, _)| *joint == names[k]);
                (names[k].clone(), least.map(|(_, speed)| *speed))
            }
            MeasuredRow::BaseWrench(k) => (format!("base-wrench.{}", WRENCH[k]), Some(0.0)),
            MeasuredRow::JointWrench { body, component } => {
                let joint = &mechanism.robot().bodies[body].joint.name;
                (format!("wrench:{joint}.{}", WRENCH[component]), Some(0.0))
            }
        };
        rows.push(MeasuredForce { kind, name, least_speed, sees: Vec::new() });
    }
    Ok(rows)
}

impl Problem {
    /// The base parameters a row can see, by position.
    pub(super) fn seen_by(&self, kind: MeasuredRow) -> Vec<usize> {
        let ground = self.measurement.ground_count();
        let felt = self.measurement.felt(&self.mechanism, kind);
        let bodies = inertial_count(self.body_count());
        let driven = self.measurement.driven();
        let of_drives = self.analysis.labels.len();
        let moves = |velocity: usize| match kind {
            MeasuredRow::Force(row) => self.mechanism.layout().movers[velocity].contains(&row),
            _ => false,
        };
        let sees = |column: usize| match column {
            c if c < inertial_count(ground) => matches!(kind, MeasuredRow::BaseWrench(_)),
            c if c < bodies => felt.contains(&(inertial_body(c) - ground)),
            c if c < of_drives => moves(driven[(c - bodies) / 4].1),
            c => {
                let extra = &self.extras[c - of_drives];
                let gain = matches!(kind, MeasuredRow::Force(row) if extra.is_gain_of(row));
                gain || extra.velocities().into_iter().any(moves)
            }
        };
        (0..self.base.len()).filter(|&k| sees(self.base[k].column)).collect()
    }
}

/// Finds further columns that are combinations of those before them and regroups
/// them there; answers what was done.
pub(super) fn regroup_extras(problem: &mut Problem) -> Result<Vec<IdentificationNote>, IdentificationError> {
    let of_drives = problem.analysis.labels.len();
    let is_checked = |column: usize| {
        let extra = |column: usize| &problem.extras[column - of_drives];
        column >= of_drives && !extra(column).is_gain() && !extra(column).depends_on_load()
    };
    if !problem.base.iter().any(|base| is_checked(base.column)) {
        return Ok(Vec::new());
    }
    let mechanism = Arc::clone(&problem.mechanism);
    let columns = problem.base.len();
    let mut triangle = Triangle::new(columns);
    let mut random = Stream::new(17);
    let (mut states, mut tries) = (0, 0);
    let wanted = 4 * columns / problem.rows.len().max(1) + 20;
    while states < wanted && tries < 20 * wanted {
        tries += 1;
        let draw = |random: &mut Stream, size: f64| -> Vec<f64> {
            (0..mechanism.dof()).map(|_| size * random.uniform()).collect()
        };
        let reach = if mechanism.closure().is_trivial() { 1.5 } else { 0.3 };
        let (delta, qd, qdd) = (draw(&mut random, reach), draw(&mut random, 1.0), draw(&mut random, 3.0));
        let Some(q) = mechanism.walked(&delta) else { continue };
        let state = mechanism.closure().feasible(mechanism.plan(), &q, &qd, &qdd)?;
        let rows = problem.coefficients(&q, &state, None)?;
        (0..rows.rows()).for_each(|r| triangle.push(rows.row(r)));
        states += 1;
    }
    triangle.reduce();
    let mut notes = Vec::new();
    let mut dropped: Vec<usize> = Vec::new();
    let checked: Vec<usize> = (0..columns).filter(|&k| is_checked(problem.base[k].column)).collect();
    for k in checked {
        let length = (0..=k).map(|r| triangle.entry(r, k).powi(2)).sum::<f64>().sqrt();
        if triangle.entry(k, k).abs() > DEPENDENT_COLUMN * length {
            continue;
        }
        let kept: Vec<usize> = (0..k).filter(|c| !dropped.contains(c)).collect();
        let factors = triangle.solve(&kept, k);
        let column = problem.base[k].column;
        let mut into = Vec::new();
        for (&c, factor) in kept.iter().zip(factors).filter(|(_, x)| x.abs() > 1e-7) {
            problem.base[c].terms.push((column, factor));
            into.push(problem.labels[problem.base[c].column].clone());
        }
        let label = problem.labels[column].clone();
        notes.push(match into.is_empty() {
            true => IdentificationNote::NoEffect { label },
            false => IdentificationNote::Regrouped { label, into },
        });
        dropped.push(k);
    }
    let mut k = 0;
    problem.base.retain(|_| {
        k += 1;
        !dropped.contains(&(k - 1))
    });
    Ok(notes)
}
