//! What another sensor would add.

use steiner_dynamics::Mechanism;
use steiner_robot::SensorSet;

use crate::analysis::{Analysis, Question, analyze};
use crate::error::IdentifiabilityError;

/// A sensor set beside that of a question.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The sensors that are compared with the first set.
    pub measure: SensorSet,
    /// Unknown parameters and base parameters with this set alone.
    pub alone: (usize, usize),
    /// Unknown parameters and base parameters with both.
    pub together: (usize, usize),
    /// How many combinations it adds.
    pub added: usize,
    /// Labels that had no effect before and have one with both.
    pub now_visible: Vec<String>,
    /// Labels that are identifiable by themselves only with both.
    pub now_alone: Vec<String>,
}

/// What each of some sensor sets adds to what a question measures, whose answer is given.
pub fn compare(
    mechanism: &Mechanism,
    question: &Question,
    answer: &Analysis,
    sets: &[SensorSet],
) -> Result<Vec<Comparison>, IdentifiabilityError> {
    // Other sensors may see fewer bodies: wishes about the others don't concern them.
    let ask = |measure: SensorSet| -> Result<Analysis, IdentifiabilityError> {
        let mut other = Question { measure, known: Vec::new(), ..question.clone() };
        let labels = other.measurement(mechanism)?.labels(mechanism);
        other.known = question.known.clone();
        other.known.retain(|(label, _)| labels.contains(label));
        other.keep.retain(|label| labels.contains(label));
        other.eliminate.retain(|label| labels.contains(label));
        analyze(mechanism, &other)
    };
    let labels = |analysis: &Analysis, columns: &[usize]| -> Vec<String> {
        columns.iter().map(|&c| analysis.labels[c].clone()).collect()
    };
    sets.iter()
        .map(|set| {
            let own = ask(set.clone())?;
            let both = ask(question.measure.with(set))?;
            let before_visible =
                [labels(answer, &answer.regrouping.alone), labels(answer, &answer.regrouping.combined)]
                    .concat();
            let before_alone = labels(answer, &answer.regrouping.alone);
            let mut visible =
                [labels(&both, &both.regrouping.alone), labels(&both, &both.regrouping.combined)].concat();
            visible.retain(|label| !before_visible.contains(label));
            let mut alone = labels(&both, &both.regrouping.alone);
            alone.retain(|label| !before_alone.contains(label));
            Ok(Comparison {
                measure: set.clone(),
                alone: (own.parameters(), own.identifiable()),
                together: (both.parameters(), both.identifiable()),
                added: both.identifiable() - answer.identifiable().min(both.identifiable()),
                now_visible: visible,
                now_alone: alone,
            })
        })
        .collect()
}
