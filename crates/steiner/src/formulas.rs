//! Base parameters as formulas, in space or in the plane of a mechanism.
//!
//! In a plane, products of lengths are searched first. Where every check of them agrees they answer, and space is
//! only analysed, for its numbers; otherwise formulas are derived in space and seen in the plane.

use std::time::Instant;

use steiner_dynamics::{DynamicsError, Mechanism};
use steiner_identifiability::{
    Analysis, IdentifiabilityError, PlanarBaseParameters, PlanarQuestion, PlanarView, Question, Symbolic,
    analyze, planar_base_parameters, symbolic,
};
use steiner_report::{Formulas, no_such_variable, plane_lies_along_frames};
use steiner_robot::{ConstantKind, Robot, SensorSet};

/// What formulas are asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormulaWish<'a> {
    /// Four parameters per link of a mechanism that moves in a plane (m, mx, my, J) instead of ten.
    pub planar: bool,
    /// A length or angle that formulas will be differentiated with respect to; noticed before the work if there
    /// is none of that name.
    pub sensitivity: Option<&'a str>,
    /// Whether special lengths will be asked for, which takes formulas in space.
    pub family: bool,
}

/// Formulas with the analysis they belong to.
#[derive(Debug)]
pub struct FormulaAnswer {
    /// The question in space.
    pub question: Question,
    /// The robot, its lengths and angles named.
    pub mechanism: Mechanism,
    /// Base parameters as numbers.
    pub analysis: Analysis,
    /// Base parameters as formulas.
    pub formulas: Formulas,
    /// Formulas in space, where they were derived.
    pub derived: Option<Symbolic>,
}

/// Why there are no formulas.
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FormulaError {
    #[error(transparent)]
    Identifiability(#[from] IdentifiabilityError),
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    #[error("a planar view is about all forces and the bodies alone")]
    NotAllForces,
    #[error("{0}")]
    LeavesPlane(IdentifiabilityError),
    #[error(
        "{robot}: `{name}` is in the file, but no weight in the plane is written with it; use one of {known}"
    )]
    UnwrittenInPlane { robot: String, name: String, known: String },
    #[error("{0}")]
    Sentence(String),
}

/// Base parameters of a robot as formulas of its named lengths and angles; a robot without names gets some.
pub fn formulas(
    robot: &Robot,
    question: &Question,
    wish: FormulaWish<'_>,
) -> Result<FormulaAnswer, FormulaError> {
    if !wish.planar {
        return in_space(robot, question, wish.sensitivity);
    }
    if question.measure != SensorSet::all() || question.drives || !question.known.is_empty() {
        return Err(FormulaError::NotAllForces);
    }
    let view = PlanarView::new(robot).map_err(|error| match error {
        error @ IdentifiabilityError::LeavesPlane { .. } => FormulaError::LeavesPlane(error),
        error => error.into(),
    })?;
    let mechanism = Mechanism::new(robot.clone())?;
    let wishes = PlanarQuestion {
        eliminate: question.eliminate.clone(),
        keep: question.keep.clone(),
        ..PlanarQuestion::default()
    };
    let started = Instant::now();
    let reason = match planar_base_parameters(&mechanism, &wishes) {
        Ok(found) => match Formulas::planar(robot, &found, started.elapsed().as_secs_f64()) {
            Ok(formulas) => return products(robot, mechanism, question, wish, &found, formulas),
            Err(doubt) => doubt,
        },
        Err(error @ IdentifiabilityError::UnknownParameter { .. }) => return Err(error.into()),
        Err(error) => error.to_string(),
    };
    plane_lies_along_frames(&robot.name, &view).map_err(FormulaError::Sentence)?;
    // Every label is one of ten now.
    let of_ten = |labels: &[String]| labels.iter().filter_map(|label| view.in_space(label)).collect();
    let spatial =
        Question { keep: of_ten(&question.keep), eliminate: of_ten(&question.eliminate), ..question.clone() };
    let mut answer = in_space(robot, &spatial, wish.sensitivity)?;
    if let Some(found) = &answer.derived {
        answer.formulas =
            Formulas::in_plane(&answer.analysis, found, &view, &reason).map_err(FormulaError::Sentence)?;
    }
    Ok(answer)
}

/// Formulas in space, to be differentiated with respect to a name.
fn in_space(robot: &Robot, question: &Question, name: Option<&str>) -> Result<FormulaAnswer, FormulaError> {
    let named = if robot.constants.is_empty() { robot.with_named_constants() } else { robot.clone() };
    if let Some(name) = name {
        let mut known = named.free_constants();
        known.sort_by_key(|constant| constant.kind == ConstantKind::Angle);
        if !known.iter().any(|constant| constant.name == name) {
            let known: Vec<&str> = known.iter().map(|constant| constant.name.as_str()).collect();
            return Err(FormulaError::Sentence(no_such_variable(&named.name, name, &known)));
        }
    }
    let (analysis, found) = symbolic(&named, question)?;
    Ok(FormulaAnswer {
        question: question.clone(),
        mechanism: Mechanism::new(found.robot.clone())?,
        formulas: Formulas::derived(&analysis, &found),
        analysis,
        derived: Some(found),
    })
}

/// Products of lengths, and beside them numbers of the same base parameters in space.
fn products(
    robot: &Robot,
    mechanism: Mechanism,
    question: &Question,
    wish: FormulaWish<'_>,
    found: &PlanarBaseParameters,
    formulas: Formulas,
) -> Result<FormulaAnswer, FormulaError> {
    if let Some(name) = wish.sensitivity {
        let in_file = robot.constants.iter().any(|constant| constant.name == name);
        if in_file && formulas.variables.iter().all(|variable| variable.name != name) {
            let known: Vec<&str> = formulas.variables.iter().map(|variable| variable.name.as_str()).collect();
            let (robot, name, known) = (robot.name.clone(), name.to_owned(), known.join(", "));
            return Err(FormulaError::UnwrittenInPlane { robot, name, known });
        }
        formulas.sensitivity(name).map_err(FormulaError::Sentence)?;
    }
    let removed = found.dependent.iter().map(|&column| found.view.in_space(&found.labels[column]));
    let removed: Option<Vec<String>> = removed.collect();
    let spatial = Question { keep: Vec::new(), eliminate: removed.unwrap_or_default(), ..question.clone() };
    if wish.family {
        // Special lengths are sought among those of the file.
        let answer = in_space(robot, &spatial, None)?;
        return Ok(FormulaAnswer { formulas, ..answer });
    }
    let analysis = analyze(&mechanism, &spatial)?;
    Ok(FormulaAnswer { question: spatial, mechanism, analysis, formulas, derived: None })
}
