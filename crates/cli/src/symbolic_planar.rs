//! What formulas, above all those in a plane, are refused for: in the words of the command line.

use steiner::FormulaError;

use crate::output::Failure;

/// The sentence with the flag that helps; `asked` says whether --planar was given, or the file says it.
pub(crate) fn refused(error: FormulaError, asked: bool) -> Failure {
    match error {
        FormulaError::Identifiability(error) => error.into(),
        FormulaError::Dynamics(error) => error.into(),
        FormulaError::NotAllForces => {
            let remedy = if asked { "--planar" } else { "`planar = true` in the file" };
            Failure::Message(format!("{error}; leave out --measure, --drives and --fix, or {remedy}"))
        }
        FormulaError::LeavesPlane(_) => {
            let remedy = if asked { "leave out --planar" } else { "remove `planar = true` from the file" };
            Failure::Message(format!("{error}: {remedy}"))
        }
        FormulaError::UnwrittenInPlane { .. } => Failure::Message(format!("{error}, or leave out --planar")),
        FormulaError::Sentence(sentence) => Failure::Message(sentence),
    }
}
