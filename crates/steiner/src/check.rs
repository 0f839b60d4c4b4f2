//! Before anyone fits anything: can these parameters be found from these sensors and this motion?

use std::ops::Range;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Aim, Analysis, Cure, IdentifiabilityError, Wanted, analyze, check_structure, wanted,
};
use steiner_identification::{
    Check, CheckedLog, CheckedPart, IdentificationError, LogDoubts, MotionTrials, Problem, Settings,
    information_of, motion_trials,
};
use steiner_robot::{PARAMETERS, SensorSet};

use crate::log_doubts::log_doubts;
use crate::log_information::undivided;
use crate::recorded::{Logs, Watch};

/// What is asked of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckQuestion {
    /// The sensors; `None`: those that the logs have, or every generalised force.
    pub measure: Option<SensorSet>,
    /// Whether drive inertia and friction are unknown too. Default yes, as for an identification.
    pub drives: bool,
    /// Parameters known beforehand: (label, value).
    pub known: Vec<(String, f64)>,
    /// What shall be found: labels, bodies, `joint.friction`, `payload:link`, patterns.
    pub want: Vec<String>,
    /// The noise of forces where the logs do not tell, N·m or N. Default 1.
    pub noise: f64,
}

impl Default for CheckQuestion {
    fn default() -> Self {
        CheckQuestion { measure: None, drives: true, known: Vec::new(), want: Vec::new(), noise: 1.0 }
    }
}

/// Whether parameters can be found from sensors and, where there are logs, from their motion; which not, why, and
/// what to measure, know or move instead.
pub fn check<'w>(
    mechanism: &Mechanism,
    question: &CheckQuestion,
    logs: Option<&Logs>,
    watch: &dyn Fn() -> Watch<'w>,
) -> Result<Check, IdentificationError> {
    let recorded = |logs: &Logs| {
        let mut open = logs.open(mechanism, Settings::default().friction(), watch())?;
        logs.measured(&mut open)
    };
    let measure = match (&question.measure, logs) {
        (Some(measure), _) => measure.clone(),
        (None, Some(logs)) => recorded(logs)?,
        (None, None) => SensorSet::all(),
    };
    let (known_loads, known): (Vec<_>, Vec<_>) =
        question.known.iter().cloned().partition(|(label, _)| label.starts_with(PAYLOAD));
    let settings = Settings { measure, drives: question.drives, known, ..Settings::default() };
    let asked = Problem::question(mechanism, &settings)?;
    let words = wanted(mechanism, &asked, &question.want)?;
    let loads: Vec<String> = known_loads.iter().map(|(label, _)| load_of(label).0.to_owned()).collect();
    wanted(mechanism, &asked, &loads)?;
    if let Some((label, _)) = known_loads.iter().find(|(label, _)| !PARAMETERS.contains(&load_of(label).1)) {
        let (robot, label) = (mechanism.robot().name.clone(), label.clone());
        return Err(IdentifiabilityError::UnknownParameter { robot, label, hint: String::new() }.into());
    }
    let mut parts = vec![(settings.clone(), None, Vec::new())];
    let mut places: Vec<(usize, Range<usize>)> = Vec::new();
    for Wanted { aim, .. } in &words {
        let (part, labels) = match aim {
            Aim::Parameters(labels) => (0, labels.clone()),
            Aim::Fixed { .. } => (0, Vec::new()),
            Aim::Payload { link, body, parameter } => {
                let columns = PARAMETERS.map(|p| (format!("{PAYLOAD}{link}.{p}"), format!("{body}.{p}")));
                // What is known of the robot says nothing of the load on one of its links.
                let is_of_load = |label: &String| columns.iter().any(|(_, column)| column == label);
                let of_robot = settings.known.iter().filter(|(label, _)| !is_of_load(label)).cloned();
                let own = columns.iter().flat_map(|(name, column)| {
                    let given = known_loads.iter().filter(move |(label, _)| label == name);
                    given.map(move |(_, x)| (column.clone(), *x))
                });
                let known = of_robot.chain(own).collect();
                let load = Load { link: link.clone(), body: body.clone() };
                let settings = Settings { payload: Some(link.clone()), known, ..settings.clone() };
                parts.push((settings, Some(load), Vec::new()));
                let asked = |name: &String| parameter.as_ref().is_none_or(|one| load_of(name).1 == one);
                let columns = columns.into_iter().filter(|(name, _)| asked(name));
                (parts.len() - 1, columns.map(|(_, column)| column).collect())
            }
        };
        let first = parts[part].2.len();
        parts[part].2.extend(labels);
        places.push((part, first..parts[part].2.len()));
    }
    let checked = parts.into_iter().map(|(settings, load, labels): (Settings, _, Vec<String>)| {
        let asked = Problem::question(mechanism, &settings)?;
        let analysis = analyze(mechanism, &asked)?;
        let verdicts = check_structure(mechanism, &asked, &analysis, &labels)?;
        let seen = logs.filter(|_| analysis.identifiable() > 0);
        let log = seen.map(|logs| check_log(mechanism, &settings, &analysis, logs, question.noise, watch));
        let part = CheckedPart { payload: None, verdicts, log: log.transpose()?, analysis };
        Ok::<_, IdentificationError>(match load {
            Some(load) => load.named(part),
            None => part,
        })
    });
    let checked: Vec<CheckedPart> = checked.collect::<Result<_, _>>()?;
    let rests_on_logs = checked.iter().any(|part| part.log.is_some());
    let doubts = match logs.filter(|_| rests_on_logs) {
        Some(logs) => log_doubts(mechanism, &settings, &question.measure, logs, watch)?,
        None => LogDoubts::default(),
    };
    Ok(Check::new(checked, words, &places, doubts))
}

/// What stands before the link in names of loads.
const PAYLOAD: &str = "payload:";

/// The load and the parameter in `payload:tool.m`.
fn load_of(label: &str) -> (&str, &str) {
    label.rsplit_once('.').unwrap_or((label, ""))
}

/// A load on a link, of which a moving body's columns stand.
struct Load {
    link: String,
    body: String,
}

impl Load {
    /// Its part with names of its own: a load is not the body that carries it.
    fn named(self, mut part: CheckedPart) -> CheckedPart {
        let Load { link, body } = self;
        let rename = |label: &mut String| {
            if let Some((owner, parameter)) = label.rsplit_once('.')
                && owner == body
                && PARAMETERS.contains(&parameter)
            {
                *label = format!("{PAYLOAD}{link}.{parameter}");
            }
        };
        part.analysis.labels.iter_mut().for_each(rename);
        for verdict in &mut part.verdicts {
            rename(&mut verdict.label);
            let known = verdict.cures.iter_mut().filter_map(|cure| match cure {
                Cure::Know(labels) => Some(labels),
                Cure::Measure(_) => None,
            });
            known.flatten().for_each(rename);
        }
        part.payload = Some(link);
        part
    }
}

fn check_log<'w>(
    mechanism: &Mechanism,
    settings: &Settings,
    analysis: &Analysis,
    logs: &Logs,
    noise: f64,
    watch: &dyn Fn() -> Watch<'w>,
) -> Result<CheckedLog, IdentificationError> {
    let problem = Problem::of_analysis(mechanism, analysis.clone(), settings)?;
    let mut recorded = undivided(&problem, settings, logs, watch())?;
    let found = information_of(&problem, &mut recorded, settings, &|_| noise)?;
    let rows: Vec<f64> = found.noise.iter().map(|(_, sigma)| *sigma).collect();
    let motion = motion_trials(&problem, &mut recorded, &rows, settings.threads())?;
    let trials = match found.excitation.weak.is_empty() {
        true => motion.trials.into_iter().take(1).collect(),
        false => motion.trials,
    };
    let motion = MotionTrials { trials, ..motion };
    let notes = recorded.notes().to_vec();
    Ok(CheckedLog { found, motion, file_values: problem.prior().to_vec(), notes })
}
