//! What logs excite of what an analysis says can be identified.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, Question};
use steiner_identification::{Excitation, IdentificationError, NoteOfLog, Problem, excitation_of};

use crate::log_information::settings_of;
use crate::recorded::{Logs, Watch};

/// What logs excited, and what was done to them.
#[derive(Clone, Debug)]
pub struct LogExcitation {
    /// Of the base parameters of the analysis, in order.
    pub excitation: Excitation,
    /// What was done to the logs.
    pub notes: Vec<NoteOfLog>,
}

/// How well logs excite the base parameters of an analysis. The numbers are those that
/// [`identify_logs`](crate::identify_logs) states for the same sensors, drives and known parameters.
pub fn excitation_of_logs(
    mechanism: &Mechanism,
    question: &Question,
    analysis: &Analysis,
    logs: &Logs,
    watch: Watch<'_>,
) -> Result<LogExcitation, IdentificationError> {
    let settings = settings_of(question);
    let problem = Problem::of_analysis(mechanism, analysis.clone(), &settings)?;
    let logs = Logs { measure: Some(question.measure.clone()), ..logs.clone() };
    let mut recorded = logs.open(mechanism, settings.friction(), watch)?;
    let excitation = excitation_of(&problem, &mut recorded, &settings)?;
    Ok(LogExcitation { excitation, notes: recorded.notes().to_vec() })
}
