//! What logs have shown already, for the design of a motion that shows the rest.

use steiner_dynamics::Mechanism;
use steiner_excitation::Design;
use steiner_identifiability::{Analysis, Question};
use steiner_identification::{
    Division, IdentificationError, LogInformation, NoteOfLog, Problem, RecordedLogs, Settings, information_of,
};

use crate::recorded::{Logs, Watch};

/// What logs tell about base parameters, and what was done to the logs.
#[derive(Clone, Debug)]
pub struct AfterLogs {
    /// Σ Yᵀ W Y, the noise of every row, and what is poorly excited.
    pub found: LogInformation,
    /// What was done to the logs.
    pub notes: Vec<NoteOfLog>,
}

/// What logs tell about the base parameters of an analysis, which answers the question of the design. Every
/// sample counts, none is held out. Rows whose noise the logs do not tell have that of the design.
pub fn information_of_logs(
    mechanism: &Mechanism,
    analysis: &Analysis,
    design: &Design,
    logs: &Logs,
    watch: Watch<'_>,
) -> Result<AfterLogs, IdentificationError> {
    let settings = Settings { choose_friction: false, ..settings_of(&design.question) };
    let problem = Problem::of_analysis(mechanism, analysis.clone(), &settings)?;
    let mut recorded = undivided(&problem, &settings, logs, watch)?;
    let found = information_of(&problem, &mut recorded, &settings, &|row| design.noise_of(row))?;
    Ok(AfterLogs { found, notes: recorded.notes().to_vec() })
}

/// The settings of an identification that asks the same question.
pub(crate) fn settings_of(question: &Question) -> Settings {
    Settings {
        measure: question.measure.clone(),
        drives: question.drives,
        known: question.known.clone(),
        keep: question.keep.clone(),
        eliminate: question.eliminate.clone(),
        ..Settings::default()
    }
}

/// Logs every sample of which counts, opened.
pub(crate) fn undivided<'a>(
    problem: &'a Problem,
    settings: &Settings,
    logs: &Logs,
    watch: Watch<'a>,
) -> Result<RecordedLogs<'a>, IdentificationError> {
    let measure = Some(settings.measure.clone());
    let logs = Logs { measure, division: Some(Division::Nothing), ..logs.clone() };
    logs.open(problem.mechanism(), settings.friction(), watch)
}

impl AfterLogs {
    /// Lets a design begin where the logs end: their information counts, and so does their noise wherever
    /// nobody gave another.
    pub fn continue_with(&self, analysis: &Analysis, design: &mut Design) {
        let samples = design.samples();
        let own = &self.found.information;
        let part = |r: usize, c: usize| own[(r, c)] / samples;
        design.information =
            Some(steiner_linalg::elimination::Matrix::from_fn(own.rows(), own.columns(), part));
        design.analysis = Some(analysis.clone());
        if design.noise.iter().any(|(row, _)| row == "*") {
            return;
        }
        for (noise, measured) in self.found.noise.iter().zip(&self.found.measured) {
            if *measured && design.noise.iter().all(|(row, _)| *row != noise.0) {
                design.noise.push(noise.clone());
            }
        }
    }
}
