//! Before anyone fits anything: can these parameters be found from these sensors and this motion?

use std::ops::Range;

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Aim, Analysis, Wanted, analyze, check_structure, wanted};
use steiner_identification::{
    Check, CheckedLog, CheckedPart, IdentificationError, MotionTrials, Problem, Settings, information_of,
    motion_trials,
};
use steiner_robot::SensorSet;

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
    let settings =
        Settings { measure, drives: question.drives, known: question.known.clone(), ..Settings::default() };
    let words = wanted(mechanism, &Problem::question(mechanism, &settings)?, &question.want)?;
    let mut parts = vec![(settings.clone(), None, Vec::new())];
    let mut places: Vec<(usize, Range<usize>)> = Vec::new();
    for Wanted { aim, .. } in &words {
        let (part, labels) = match aim {
            Aim::Parameters(labels) => (0, labels.clone()),
            Aim::Fixed { .. } => (0, Vec::new()),
            Aim::Payload { link, body } => {
                let settings = Settings { payload: Some(link.clone()), ..settings.clone() };
                parts.push((settings, Some(link.clone()), Vec::new()));
                (parts.len() - 1, steiner_robot::PARAMETERS.map(|p| format!("{body}.{p}")).to_vec())
            }
        };
        let first = parts[part].2.len();
        parts[part].2.extend(labels);
        places.push((part, first..parts[part].2.len()));
    }
    let checked = parts.into_iter().map(|(settings, payload, labels): (Settings, _, Vec<String>)| {
        let asked = Problem::question(mechanism, &settings)?;
        let analysis = analyze(mechanism, &asked)?;
        let verdicts = check_structure(mechanism, &asked, &analysis, &labels)?;
        let seen = logs.filter(|_| analysis.identifiable() > 0);
        let log = seen.map(|logs| check_log(mechanism, &settings, &analysis, logs, question.noise, watch));
        Ok::<_, IdentificationError>(CheckedPart { payload, verdicts, log: log.transpose()?, analysis })
    });
    Ok(Check::new(checked.collect::<Result<_, _>>()?, words, &places))
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
