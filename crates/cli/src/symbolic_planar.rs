//! `steiner analyze --planar`: four parameters per link.
//!
//! Products of lengths are searched first. Where every check of them agrees they answer, and space is only
//! analysed, for its numbers; otherwise formulas are derived in space and seen in the plane.

use std::time::Instant;

use steiner::dynamics::Mechanism;
use steiner::identifiability::{
    IdentifiabilityError, PlanarBaseParameters, PlanarQuestion, PlanarView, Question, analyze,
    planar_base_parameters,
};
use steiner::report::{Formulas, plane_lies_along_frames};
use steiner::robot::{Robot, SensorSet};

use crate::output::Failure;
use crate::symbolic::{Answer, SymbolicArguments, derived};

pub(crate) fn in_plane(
    robot: &Robot,
    question: &Question,
    asked: &SymbolicArguments,
) -> Result<Answer, Failure> {
    if question.measure != SensorSet::all() || question.drives || !question.known.is_empty() {
        let remedy = if asked.planar { "--planar" } else { "`planar = true` in the file" };
        return Err(Failure::Message(format!(
            "a planar view is about all forces and the bodies alone; leave out --measure, --drives and --fix, or {remedy}"
        )));
    }
    let view = PlanarView::new(robot).map_err(|error| not_planar(error, asked))?;
    let mechanism = Mechanism::new(robot.clone())?;
    let wishes = PlanarQuestion {
        eliminate: question.eliminate.clone(),
        keep: question.keep.clone(),
        ..PlanarQuestion::default()
    };
    let started = Instant::now();
    let reason = match planar_base_parameters(&mechanism, &wishes) {
        Ok(found) => match Formulas::planar(robot, &found, started.elapsed().as_secs_f64()) {
            Ok(formulas) => return products(robot, mechanism, question, asked, &found, formulas),
            Err(doubt) => doubt,
        },
        Err(error @ IdentifiabilityError::UnknownParameter { .. }) => return Err(error.into()),
        Err(error) => error.to_string(),
    };
    plane_lies_along_frames(&robot.name, &view).map_err(Failure::Message)?;
    // Every label is one of ten now.
    let in_space = |labels: &[String]| labels.iter().filter_map(|label| view.in_space(label)).collect();
    let spatial = Question {
        keep: in_space(&question.keep),
        eliminate: in_space(&question.eliminate),
        ..question.clone()
    };
    let mut answer = derived(robot, &spatial, asked.sensitivity.as_deref())?;
    if let Some(found) = &answer.derived {
        answer.formulas =
            Formulas::in_plane(&answer.analysis, found, &view, &reason).map_err(Failure::Message)?;
    }
    Ok(answer)
}

/// Products of lengths, and beside them numbers of the same base parameters in space.
fn products(
    robot: &Robot,
    mechanism: Mechanism,
    question: &Question,
    asked: &SymbolicArguments,
    found: &PlanarBaseParameters,
    formulas: Formulas,
) -> Result<Answer, Failure> {
    let unwritten = |name: &str| {
        let in_file = robot.constants.iter().any(|constant| constant.name == name);
        in_file && formulas.variables.iter().all(|variable| variable.name != name)
    };
    if let Some(name) = asked.sensitivity.as_deref().filter(|name| unwritten(name)) {
        let known: Vec<&str> = formulas.variables.iter().map(|variable| variable.name.as_str()).collect();
        return Err(Failure::Message(format!(
            "{}: `{name}` is in the file, but no weight in the plane is written with it; use one of {}, or leave out --planar",
            robot.name,
            known.join(", ")
        )));
    }
    asked.differentiated(&formulas)?;
    let removed = found.dependent.iter().map(|&column| found.view.in_space(&found.labels[column]));
    let removed: Option<Vec<String>> = removed.collect();
    let spatial = Question { keep: Vec::new(), eliminate: removed.unwrap_or_default(), ..question.clone() };
    if asked.family {
        // Special lengths are sought among those of the file.
        let answer = derived(robot, &spatial, None)?;
        return Ok(Answer { formulas, ..answer });
    }
    let analysis = analyze(&mechanism, &spatial)?;
    Ok(Answer { question: spatial, mechanism, analysis, formulas, derived: None })
}

fn not_planar(error: IdentifiabilityError, asked: &SymbolicArguments) -> Failure {
    let remedy = match asked.planar {
        true => "leave out --planar",
        false => "remove `planar = true` from the file",
    };
    match error {
        error @ IdentifiabilityError::LeavesPlane { .. } => Failure::Message(format!("{error}: {remedy}")),
        error => error.into(),
    }
}
