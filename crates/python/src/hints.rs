//! The keyword or call that remedies an error, which the libraries' sentences leave out, for they know none.

use std::error::Error;

use steiner::formats::FormatError;
use steiner::identifiability::IdentifiabilityError;
use steiner::identification::IdentificationError;
use steiner::logs::LogError;
use steiner::model::{CodeError, ModelError};
use steiner::robot::RobotError;

/// The sentence of an error, followed by what to write where that helps.
pub(crate) fn with_hint(error: &(dyn Error + 'static)) -> String {
    match hint(error) {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    }
}

fn hint(error: &(dyn Error + 'static)) -> Option<&'static str> {
    let format = || error.downcast_ref().and_then(of_format);
    let identifiability = || error.downcast_ref().and_then(of_identifiability);
    let log = || error.downcast_ref().and_then(of_log);
    let identification = || error.downcast_ref().and_then(of_identification);
    let model = || error.downcast_ref().and_then(of_model);
    let code = || error.downcast_ref().and_then(of_code);
    format().or_else(identifiability).or_else(log).or_else(identification).or_else(model).or_else(code)
}

fn of_format(error: &FormatError) -> Option<&'static str> {
    match error {
        FormatError::Robot(RobotError::NothingMoves { .. }) => Some("floating=True"),
        FormatError::Unreadable { .. } | FormatError::UnknownZooName { .. } => {
            Some("steiner.zoo() lists the built-in ones")
        }
        FormatError::UnknownPackage { .. } => Some("package_path="),
        _ => None,
    }
}

fn of_identifiability(error: &IdentifiabilityError) -> Option<&'static str> {
    match error {
        IdentifiabilityError::UnknownJoint { .. } => Some("robot.joints lists them"),
        IdentifiabilityError::MethodCannot { .. }
        | IdentifiabilityError::NoTree { .. }
        | IdentifiabilityError::NoRotor { .. }
        | IdentifiabilityError::NotForTheRecursion { .. } => Some("method=\"auto\""),
        _ => None,
    }
}

fn of_log(error: &LogError) -> Option<&'static str> {
    match error {
        LogError::NamesNoFiles { .. } => Some("mapping="),
        LogError::NotANumber { .. } => Some("start= and end=, or skip_bad_rows=True"),
        LogError::LastLineCut { .. } => Some("accept_cut=True"),
        _ => None,
    }
}

fn of_identification(error: &IdentificationError) -> Option<&'static str> {
    match error {
        IdentificationError::Identifiability(error) => of_identifiability(error),
        IdentificationError::Log(error) => of_log(error),
        IdentificationError::UnknownLink { .. } => Some("robot.bodies lists the bodies"),
        IdentificationError::StrangeWrench { .. } => Some("mapping=, topics="),
        IdentificationError::TooFewSamples { .. } => Some("hold_out=; fix=, payload="),
        _ => None,
    }
}

fn of_model(error: &ModelError) -> Option<&'static str> {
    match error {
        ModelError::Identifiability(error) => of_identifiability(error),
        ModelError::Coupled { .. }
        | ModelError::JointKind { .. }
        | ModelError::Branch { .. }
        | ModelError::TooLong { .. }
        | ModelError::TooLarge { .. }
        | ModelError::TooManyFunctions { .. } => Some("Robot.code with method=\"recursive\""),
        _ => None,
    }
}

fn of_code(error: &CodeError) -> Option<&'static str> {
    match error {
        CodeError::Identifiability(error) => of_identifiability(error),
        CodeError::ClosedForm(error) => of_model(error),
        CodeError::Inexact { .. } => Some("Robot with snap="),
        _ => None,
    }
}
