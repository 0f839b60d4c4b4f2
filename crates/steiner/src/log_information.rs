//! What logs have shown already, for the design of a motion that shows the rest.

use steiner_dynamics::Mechanism;
use steiner_excitation::Design;
use steiner_identifiability::Analysis;
use steiner_identification::{
    Division, IdentificationError, LogInformation, NoteOfLog, Problem, Settings, information_of,
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
    let question = &design.question;
    let settings = Settings {
        measure: question.measure.clone(),
        drives: question.drives,
        known: question.known.clone(),
        keep: question.keep.clone(),
        eliminate: question.eliminate.clone(),
        choose_friction: false,
        ..Settings::default()
    };
    let problem = Problem::of_analysis(mechanism, analysis.clone(), &settings)?;
    let logs =
        Logs { measure: Some(question.measure.clone()), division: Some(Division::Nothing), ..logs.clone() };
    let mut recorded = logs.open(mechanism, settings.friction(), watch)?;
    let found = information_of(&problem, &mut recorded, &settings, &|row| design.noise_of(row))?;
    Ok(AfterLogs { found, notes: recorded.notes().to_vec() })
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
