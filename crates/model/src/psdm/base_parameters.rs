//! θ_b: which combinations of inertial parameters a model is written in.
//!
//! In place of the pivoted factorisation (38)–(43) these are the base parameters of the certified analysis:
//! rank and choice of parameters are decided exactly, and each is named after a parameter.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    BaseParameter, DRIVE_PARAMETERS, IdentifiabilityError, Preference, Question, regroup, sharpen,
    structural_nullspace,
};

use super::derive::PsdmOptions;
use super::model::ModelParameter;

/// θ_b, without values, and the labels of what it is made of.
pub(crate) fn base_parameters(
    mechanism: &Mechanism,
    options: &PsdmOptions,
) -> Result<(Vec<ModelParameter>, Vec<String>), IdentifiabilityError> {
    let robot = mechanism.robot();
    let mut known: Vec<(String, f64)> = options.neglect.iter().map(|label| (label.clone(), 0.0)).collect();
    let mut labels = robot.labels();
    let bodies = labels.len();
    if options.drives {
        for joint in robot.bodies.iter().map(|body| &body.joint.name) {
            labels.push(format!("{joint}.{}", DRIVE_PARAMETERS[0]));
            // Friction is no function of PSDM (section 3.5).
            known.extend(DRIVE_PARAMETERS[1..].iter().map(|parameter| (format!("{joint}.{parameter}"), 0.0)));
        }
    }
    let question = Question { drives: options.drives, known, ..Question::default() };
    let measurement = question.measurement(mechanism)?;
    let nullspace = structural_nullspace(mechanism, &measurement)?;
    let mut base = regroup(mechanism, &measurement, &nullspace.vectors, &Preference::default()).base;
    sharpen(&mut base, &nullspace.vectors);
    // Of each drive's parameters only the first is left.
    let place = |column: usize| match column.checked_sub(bodies) {
        None => column,
        Some(beyond) => bodies + beyond / DRIVE_PARAMETERS.len(),
    };
    let parameter = |base: BaseParameter| ModelParameter {
        label: labels[place(base.column)].clone(),
        terms: base.terms.into_iter().map(|(column, factor)| (place(column), factor)).collect(),
        value: 0.0,
    };
    Ok((base.into_iter().map(parameter).collect(), labels))
}
