//! Why a question about identifiability has no answer.

use steiner_dynamics::DynamicsError;
use steiner_robot::{RobotError, UnknownSensor};

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum IdentifiabilityError {
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    #[error(transparent)]
    Robot(#[from] RobotError),
    #[error(
        "{robot}: only {found} assembled configurations away from singularities were found near the reference ({wanted} are needed); give a [guess] with room to move"
    )]
    TooFewConfigurations { robot: String, found: usize, wanted: usize },
    #[error(
        "{robot}: loops and couplings allow no motion (mobility 0), so that no force depends on the parameters; if it should move, check the lengths and positions of the loops' joints, of which every digit counts"
    )]
    Immobile { robot: String },
    #[error(transparent)]
    UnknownSensor(#[from] UnknownSensor),
    #[error("{robot}: there is no joint `{joint}`{hint}; name one of its joints")]
    UnknownJoint { robot: String, joint: String, hint: String },
    #[error(
        "{robot}: there is no parameter `{label}`{hint}; a body has m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, a drive Ia, fv, fc, offset, as in `link1.Izz`"
    )]
    UnknownParameter { robot: String, label: String, hint: String },
    #[error(
        "{robot}: there is nothing called `{want}`{hint}; name a parameter (link6.m), a body (link6 stands for its ten), joint3.friction, payload:link6, or a pattern (*.m)"
    )]
    UnknownWish { robot: String, want: String, hint: String },
    #[error("{robot}: `{want}` is about the drive of `{joint}`, and {}", if *left_out { "drives are left out of the question; include them" } else { "this joint has none: it is passive, or has several degrees of freedom" })]
    NoDrive { robot: String, want: String, joint: String, left_out: bool },
    #[error("{robot}: the parameter `{label}` is given twice")]
    GivenTwice { robot: String, label: String },
    #[error("the method `{method}` cannot answer for {what}; use the method auto")]
    MethodCannot { method: &'static str, what: String },
    #[error("{robot}: `{joint}` is not an independent coordinate; measure among {independent}")]
    NotIndependent { robot: String, joint: String, independent: String },
    #[error(
        "{robot}: what a sensor inside `{joint}` measures depends on how the loop `{closure}` shares the load; `wrench:` works for joints that no loop passes through"
    )]
    SensorInLoop { robot: String, joint: String, closure: String },
    #[error(
        "{robot}: `{closure}` closes a loop, and the recursive parameter nullspace algorithm is for trees; use the method auto"
    )]
    NoTree { robot: String, closure: String },
    #[error(
        "{robot}: coupling `{coupling}` {reason}; of couplings, the recursive parameter nullspace algorithm knows only rotors that sit on the body that carries their joint; use the method auto"
    )]
    NoRotor { robot: String, coupling: String, reason: String },
    #[error(
        "the recursive parameter nullspace algorithm answers for the measurements all and static, not for `{measurement}`; use the method auto"
    )]
    NotForTheRecursion { measurement: String },
    #[error(
        "{robot}: not planar, as `{joint}` leaves the plane of the joints before it: it {reason}; analyse it in space"
    )]
    LeavesPlane { robot: String, joint: String, reason: String },
    #[error(
        "{robot}: the search for products of lengths knows revolute and prismatic joints, not {what}; formulas derived in space hold for it"
    )]
    NotInTheProductClass { robot: String, what: String },
    #[error(
        "{robot}: the loop of `{closure}` is closed by moving links alone ({links}), where regroupings are no products of lengths (appendix A.5 of [iriarte2015]); formulas derived in space hold for it"
    )]
    LoopAwayFromGround { robot: String, closure: String, links: String },
    #[error(
        "{robot}: at the lengths of the file {found} combinations cannot be identified, at general lengths {general}{coinciding}; products of general lengths do not hold for it, formulas derived in space do"
    )]
    SpecialLengths { robot: String, found: usize, general: usize, coinciding: String },
    #[error("{robot}: no prime lengths near the given ones distinguish all products; {remedy}")]
    NoPrimeLengths { robot: String, remedy: String },
    #[error("{robot}: {reason}")]
    Number { robot: String, reason: steiner_scalar::EvaluationError },
}
