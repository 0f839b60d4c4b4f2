//! What remedies an error. Its own sentence cannot say, for a flag of the command is no keyword of Python:
//! each of the two has words of its own.

use std::error::Error;

use steiner_excitation::ExcitationError;
use steiner_formats::FormatError;
use steiner_identifiability::IdentifiabilityError;
use steiner_identification::IdentificationError;
use steiner_logs::LogError;
use steiner_model::{CodeError, ModelError};
use steiner_robot::{NoModifiedFrames, RobotError};

/// What a caller can do about an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Look at the list of built-in robots.
    ListBuiltIn,
    /// Say where packages are.
    PackagePath,
    /// Let the base float.
    Floating,
    /// Read a URDF without its `<mimic>` relations.
    WithoutMimic,
    /// Keep the frames of the file.
    FramesOfTheFile,
    /// Look at the robot's joints.
    ListJoints,
    /// Look at the robot's links.
    ListLinks,
    /// Let the analysis choose its method.
    AnyMethod,
    /// Describe the columns of the log.
    Mapping,
    /// The same, or hold a joint that does not move.
    MappingOrLock {
        /// Name of the joint.
        joint: String,
    },
    /// Cut the log, or leave out rows.
    CutOrSkipRows,
    /// Take a log that ends in the middle.
    AcceptCut,
    /// Describe the wrenches of the log, or choose its topics.
    MappingOrTopics,
    /// Say that a floating robot flies freely.
    FreeFlight,
    /// Hold out less, or ask for fewer parameters.
    LessHeldOutOrFewerParameters,
    /// Give something in N·m: a load that was weighed, a mass, the gain of a joint.
    KnownLoad,
    /// Ask for the nullspace instead of equations.
    AnalyzeInstead,
    /// Generate code of the recursion instead of a closed form.
    RecursiveCode,
    /// As before, or accept a coarser closed form.
    RecursiveOrCoarser,
    /// Read nearly aligned axes as aligned.
    Snap,
}

impl Remedy {
    /// What can be done about an error of any crate; `None` where its sentence says all.
    pub fn of(error: &(dyn Error + 'static)) -> Option<Remedy> {
        if let Some(error) = error.downcast_ref() {
            return of_format(error);
        }
        if let Some(error) = error.downcast_ref() {
            return of_robot(error);
        }
        if let Some(NoModifiedFrames::Joint { .. }) = error.downcast_ref() {
            return Some(Remedy::FramesOfTheFile);
        }
        if let Some(error) = error.downcast_ref() {
            return of_identifiability(error);
        }
        if let Some(error) = error.downcast_ref() {
            return of_log(error);
        }
        if let Some(error) = error.downcast_ref() {
            return of_identification(error);
        }
        if let Some(error) = error.downcast_ref() {
            return of_model(error);
        }
        if let Some(ExcitationError::Identifiability(error)) = error.downcast_ref() {
            return of_identifiability(error);
        }
        error.downcast_ref().and_then(of_code)
    }
}

fn of_format(error: &FormatError) -> Option<Remedy> {
    match error {
        FormatError::Robot(error) => of_robot(error),
        FormatError::Unreadable { .. } | FormatError::UnknownZooName { .. } => Some(Remedy::ListBuiltIn),
        FormatError::UnknownPackage { .. } => Some(Remedy::PackagePath),
        _ => None,
    }
}

fn of_robot(error: &RobotError) -> Option<Remedy> {
    match error {
        RobotError::NothingMoves { .. } => Some(Remedy::Floating),
        RobotError::Mimic { .. } => Some(Remedy::WithoutMimic),
        _ => None,
    }
}

fn of_identifiability(error: &IdentifiabilityError) -> Option<Remedy> {
    match error {
        IdentifiabilityError::UnknownJoint { .. } | IdentifiabilityError::UnknownWish { .. } => {
            Some(Remedy::ListJoints)
        }
        IdentifiabilityError::MethodCannot { .. }
        | IdentifiabilityError::NoTree { .. }
        | IdentifiabilityError::NoRotor { .. }
        | IdentifiabilityError::NotForTheRecursion { .. } => Some(Remedy::AnyMethod),
        _ => None,
    }
}

fn of_log(error: &LogError) -> Option<Remedy> {
    match error {
        LogError::Missing { joint: Some(joint), .. } => {
            Some(Remedy::MappingOrLock { joint: joint.to_string() })
        }
        LogError::NamesNoFiles { .. } | LogError::Missing { .. } => Some(Remedy::Mapping),
        LogError::NotANumber { .. } => Some(Remedy::CutOrSkipRows),
        LogError::LastLineCut { .. } => Some(Remedy::AcceptCut),
        _ => None,
    }
}

fn of_identification(error: &IdentificationError) -> Option<Remedy> {
    match error {
        IdentificationError::Identifiability(error) => of_identifiability(error),
        IdentificationError::Log(error) => of_log(error),
        IdentificationError::UnknownLink { .. } => Some(Remedy::ListLinks),
        IdentificationError::NoForces => Some(Remedy::AnalyzeInstead),
        IdentificationError::StrangeWrench { .. } => Some(Remedy::MappingOrTopics),
        IdentificationError::Carried { .. } => Some(Remedy::FreeFlight),
        IdentificationError::NoScale | IdentificationError::GainsUnsettled => Some(Remedy::KnownLoad),
        IdentificationError::TooFewSamples { .. } => Some(Remedy::LessHeldOutOrFewerParameters),
        _ => None,
    }
}

fn of_model(error: &ModelError) -> Option<Remedy> {
    match error {
        ModelError::Identifiability(error) => of_identifiability(error),
        ModelError::Loop { .. } => Some(Remedy::AnalyzeInstead),
        ModelError::Coupled { .. }
        | ModelError::JointKind { .. }
        | ModelError::Branch { .. }
        | ModelError::TooLong { .. }
        | ModelError::TooLarge { .. } => Some(Remedy::RecursiveCode),
        ModelError::TooManyFunctions { .. } => Some(Remedy::RecursiveOrCoarser),
        _ => None,
    }
}

fn of_code(error: &CodeError) -> Option<Remedy> {
    match error {
        CodeError::Identifiability(error) => of_identifiability(error),
        CodeError::ClosedForm(error) => of_model(error),
        CodeError::Inexact { .. } => Some(Remedy::Snap),
        _ => None,
    }
}
