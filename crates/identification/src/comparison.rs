//! Which of two robots predicts the torques of a log better.
//!
//! Twice: as the files say, and with the drives (inertia, friction, offset of every one-dof joint) that suit
//! each of them best. A URDF cannot hold a drive's inertia and seldom its friction, so that the first
//! question is about files and only the second about the inertias of their links. Drives are fitted to the
//! samples for training; both are evaluated on the held-out samples, if there are any.

use steiner_dynamics::Mechanism;
use steiner_logs::Role;
use steiner_robot::PARAMETERS;

use crate::accumulate::Source;
use crate::failure::IdentificationError;
use crate::identify::identify_from;
use crate::note::ComparisonNote;
use crate::problem::Problem;
use crate::residual_history::{BLOCKS, ForceHistory, ResidualHistory};
use crate::settings::Settings;

/// One of the robots, with the log as its columns are read for it.
pub struct Contestant<'a> {
    /// What it is called: its file, for instance.
    pub name: String,
    /// Geometry and inertias of the robot.
    pub mechanism: &'a Mechanism,
    /// Where its recordings come from.
    pub source: &'a mut dyn Source,
}

/// How the two did.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Relative residuals over all rows.
    pub total: [f64; 2],
    /// Relative residuals of each row.
    pub rows: Vec<[f64; 2]>,
    /// Of stretches of equal length, how many each of them won.
    pub won: [usize; 2],
    /// Mean difference of the squared residuals over its standard deviation, from those stretches: positive
    /// where the second predicts better.
    pub certainty: f64,
    /// Which predicts better, if the log can tell.
    pub nearer: Option<usize>,
    /// The forces of both over time, with those of the models.
    pub history: [ResidualHistory; 2],
}

/// Two robots and a log.
#[derive(Clone, Debug)]
pub struct RobotComparison {
    /// What they are called.
    pub names: [String; 2],
    /// Measured rows that both have.
    pub rows: Vec<String>,
    /// Number of samples both were evaluated on.
    pub samples: usize,
    /// Whether those were held out.
    pub held_out: bool,
    /// As the files say.
    pub as_written: Outcome,
    /// With the drives that suit each best; `None` where nothing of drives is measured.
    pub drives_fitted: Option<Outcome>,
    /// For each, (label, value) of the fitted drives.
    pub drives: [Vec<(String, f64)>; 2],
    /// What a user should know.
    pub notes: Vec<ComparisonNote>,
}

/// A difference of fewer standard deviations could be chance.
const CLEAR: f64 = 3.0;

/// Judges two robots by the same log. Of the settings, what is measured and the shape of friction count.
pub fn compare_robots(
    mut a: Contestant<'_>,
    mut b: Contestant<'_>,
    settings: &Settings,
) -> Result<RobotComparison, IdentificationError> {
    let settings = Settings {
        drives: true,
        known: Vec::new(),
        payload: None,
        unknown_gains: Vec::new(),
        essential: false,
        ..settings.clone()
    };
    let (own, own_problem) = as_written(&mut a, &settings)?;
    let (other, other_problem) = as_written(&mut b, &settings)?;
    if own.timeline.samples != other.timeline.samples {
        return Err(IdentificationError::Setting {
            what: "the number of samples".to_owned(),
            value: format!(
                "{} for {} and {} for {}",
                own.timeline.samples, a.name, other.timeline.samples, b.name
            ),
            remedy: "compare with the same log".to_owned(),
        });
    }
    let names = |history: &ResidualHistory| -> Vec<String> {
        history.rows.iter().map(|row| row.name.clone()).collect()
    };
    let rows: Vec<String> = names(&own).into_iter().filter(|name| names(&other).contains(name)).collect();
    if rows.is_empty() {
        return Err(IdentificationError::Setting {
            what: "what both robots measure".to_owned(),
            value: "nothing".to_owned(),
            remedy: "compare robots whose joints have the same names".to_owned(),
        });
    }
    let mut notes = Vec::new();
    for (name, history) in [(&a.name, &own), (&b.name, &other)] {
        let alone: Vec<String> = names(history).into_iter().filter(|name| !rows.contains(name)).collect();
        if !alone.is_empty() {
            notes.push(ComparisonNote::OnlyOneHas { robot: name.clone(), rows: alone });
        }
    }
    let (evaluated, samples) = own.timeline.evaluated();
    let fit_a = with_drives(&mut a, &own_problem, &settings)?;
    let fit_b = with_drives(&mut b, &other_problem, &settings)?;
    let (drives_fitted, drives) = match (fit_a, fit_b) {
        (Some((own, own_drives)), Some((other, other_drives))) => {
            (Some(outcome([own, other], &rows)), [own_drives, other_drives])
        }
        _ => {
            notes.push(ComparisonNote::NoDrivesMeasured);
            (None, [Vec::new(), Vec::new()])
        }
    };
    Ok(RobotComparison {
        names: [a.name, b.name],
        samples,
        held_out: evaluated == Role::Validation,
        as_written: outcome([own, other], &rows),
        drives_fitted,
        drives,
        rows,
        notes,
    })
}

fn as_written(
    contestant: &mut Contestant<'_>,
    settings: &Settings,
) -> Result<(ResidualHistory, Problem), IdentificationError> {
    let settings = settings.of_robot(contestant.mechanism.robot());
    contestant.source.carry(settings.friction());
    let mut problem = Problem::new(contestant.mechanism, &settings)?;
    if problem.depends_on_load() {
        let written = problem.base_values(problem.prior());
        problem.set_load_by(&written);
    }
    Ok((ResidualHistory::of_models(&problem, &[problem.prior()], None, contestant.source)?, problem))
}

/// The residuals with fitted drives, and these drives.
type Fitted = (ResidualHistory, Vec<(String, f64)>);

/// With all inertias as the file has them and drives fitted; `None` where no drive is felt. `free` is the
/// problem with unknown inertias.
fn with_drives(
    contestant: &mut Contestant<'_>,
    free: &Problem,
    settings: &Settings,
) -> Result<Option<Fitted>, IdentificationError> {
    let bodies = PARAMETERS.len() * free.body_count();
    let known = free.labels().iter().zip(free.prior()).take(bodies).map(|(l, x)| (l.clone(), *x)).collect();
    let settings = Settings { known, keep: Vec::new(), eliminate: Vec::new(), ..settings.clone() };
    let found = match identify_from(contestant.mechanism, contestant.source, &settings) {
        Ok(found) => found,
        Err(IdentificationError::NothingToIdentify { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let history = ResidualHistory::of_models(found.problem(), &[&found.all], None, contestant.source)?;
    let drives = found.labels().iter().cloned().zip(found.all.iter().copied()).skip(bodies).collect();
    Ok(Some((history, drives)))
}

fn outcome(mut history: [ResidualHistory; 2], rows: &[String]) -> Outcome {
    for own in &mut history {
        let mut chosen: Vec<ForceHistory> =
            rows.iter().filter_map(|name| own.rows.iter().find(|row| row.name == *name).cloned()).collect();
        std::mem::swap(&mut own.rows, &mut chosen);
    }
    let ratio = |left: f64, all: f64| if all > 0.0 { (left / all).sqrt() } else { f64::NAN };
    let left = |row: &ForceHistory| row.models.first().map_or(0.0, |model| model.squares.evaluated());
    let relative = |row: &ForceHistory| ratio(left(row), row.squares.evaluated());
    let total = |history: &ResidualHistory| {
        let sum = |of: &dyn Fn(&ForceHistory) -> f64| history.rows.iter().map(of).sum::<f64>();
        ratio(sum(&left), sum(&|row| row.squares.evaluated()))
    };
    let differences: Vec<f64> = (0..BLOCKS)
        .map(|block| {
            let of = |history: &ResidualHistory| -> f64 {
                history.rows.iter().filter_map(|row| row.models.first()?.squares.blocks.get(block)).sum()
            };
            of(&history[0]) - of(&history[1])
        })
        .collect();
    let won = [
        differences.iter().filter(|difference| **difference < 0.0).count(),
        differences.iter().filter(|difference| **difference > 0.0).count(),
    ];
    let certainty = certainty(&differences);
    let nearer = match certainty {
        t if t >= CLEAR => Some(1),
        t if t <= -CLEAR => Some(0),
        _ => None,
    };
    let pairs = history[0].rows.iter().zip(&history[1].rows);
    Outcome {
        total: [total(&history[0]), total(&history[1])],
        rows: pairs.map(|(own, other)| [relative(own), relative(other)]).collect(),
        won,
        certainty,
        nearer,
        history,
    }
}

/// Mean over its standard deviation; infinite where all agree.
fn certainty(differences: &[f64]) -> f64 {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    if mean == 0.0 {
        return 0.0;
    }
    let variance = differences.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    mean / (variance / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::certainty;

    #[test]
    fn differences_count_by_how_much_they_scatter() {
        // Mean 2 and variance 5/3 of four: 2 / √(5/12).
        assert!((certainty(&[0.5, 1.5, 2.5, 3.5]) - 2.0 / (5.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(certainty(&[0.0; 4]), 0.0);
        assert!(certainty(&[-1.0; 4]) == f64::NEG_INFINITY);
        assert!(certainty(&[1.0, -1.0, 0.9, -0.9]).abs() < 1e-9);
    }
}
