//! θ_b: which combinations of inertial parameters a model is written in.
//!
//! In place of the pivoted factorisation (38)–(43) these are the base parameters of the certified analysis: rank and choice of
//! parameters are decided exactly, and each is named after a parameter.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    BaseParameter, DRIVE_PARAMETERS, IdentifiabilityError, NullVector, Preference, Question, regroup,
    structural_nullspace,
};
use steiner_scalar::elimination::{Matrix, reduce};

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

/// A relative difference that is no more than rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Gives the factors of a regrouping, which are rounded to be read, all the digits of the null vectors: with axes in general
/// position base parameters are differences of large numbers.
fn sharpen(base: &mut [BaseParameter], vectors: &[NullVector]) {
    let mut dependent: Vec<usize> = vectors.iter().flat_map(|v| v.entries.iter().map(|e| e.0)).collect();
    dependent.sort_unstable();
    dependent.dedup();
    dependent.retain(|column| base.iter().all(|b| b.column != *column));
    let width = dependent.len() + base.len();
    let mut matrix = Matrix::zeros(vectors.len(), width);
    for (row, vector) in vectors.iter().enumerate() {
        for &(column, x) in &vector.entries {
            let place = dependent.binary_search(&column).ok();
            let place =
                place.or_else(|| Some(dependent.len() + base.iter().position(|b| b.column == column)?));
            if let Some(place) = place {
                matrix[(row, place)] = x;
            }
        }
    }
    // Solved for the dependent parameters, the vectors are e_d + Σ c_db e_b, and the factor of π_d in θ_b is −c_db.
    let solved = reduce(matrix, dependent.len(), 0.0);
    for (index, parameter) in base.iter_mut().enumerate() {
        for (column, factor) in parameter.terms.iter_mut().skip(1) {
            let row = solved.pivots.iter().position(|&pivot| dependent[pivot] == *column);
            let Some(row) = row else { continue };
            let sharp = -solved.reduced[(row, dependent.len() + index)];
            // Where both agree, the short decimal is what the geometry says.
            if (sharp - *factor).abs() > ROUNDING * factor.abs() {
                *factor = sharp;
            }
        }
    }
}
