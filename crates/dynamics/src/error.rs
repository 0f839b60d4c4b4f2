//! What can go wrong between a robot and its motion.

use steiner_scalar::EvaluationError;

/// Errors of this crate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DynamicsError {
    #[error("{robot}: {reason}")]
    Geometry { robot: String, reason: EvaluationError },
    #[error(
        "{what} has {found} numbers where the robot has {wanted} ({order}); give one per coordinate in that order"
    )]
    Shape { what: &'static str, found: usize, wanted: usize, order: String },
    #[error("{what}[{index}] is {value}; give finite numbers")]
    NotFinite { what: &'static str, index: usize, value: f64 },
    #[error(
        "q holds a quaternion of length zero for joint `{joint}`{sample}; give (x, y, z, w) with w = 1 for no rotation"
    )]
    ZeroQuaternion { joint: String, sample: String },
    #[error(
        "{robot}: loop `{closure}` cannot be assembled from the given guess (residual {residual:.2e} m or rad after {iterations} iterations); correct its geometry, or start closer ([guess] in a mechanism file)"
    )]
    CannotAssemble { robot: String, closure: String, residual: f64, iterations: usize },
    #[error(
        "{robot}: no assembled configuration is reached with the independent coordinates at {target} (the straight path from the reference ends at {reached:.0} % with residual {residual:.2e} in loop `{closure}`); the point may lie outside the workspace, or behind a singularity"
    )]
    OutOfReach { robot: String, closure: String, target: String, reached: f64, residual: f64 },
    #[error(
        "q[{index}] is {value:e}, more than {farthest:e} rad or m away from where the mechanism was assembled; check its unit"
    )]
    TooFar { index: usize, value: f64, farthest: f64 },
    #[error(
        "{robot}: q does not close loop `{closure}` (residual {residual:.2e} m or rad); this robot takes a feasible configuration of the whole tree"
    )]
    NotFeasible { robot: String, closure: String, residual: f64 },
    #[error(
        "{robot}: the mass matrix is not positive definite at joint `{joint}`: what it moves has no inertia; give its bodies masses, or rotor inertia with the drives"
    )]
    Massless { robot: String, joint: String },
    #[error(
        "{robot}: the mechanism is singular there: joint `{joint}` is not determined by the independent coordinates; move away from that configuration or choose other independent joints"
    )]
    Singular { robot: String, joint: String },
    #[error(
        "{robot}: the independent coordinates {given} are {found}, but the mechanism has mobility {mobility}; choose {mobility} of {candidates}, for example {suggestion}"
    )]
    WrongIndependentCount {
        robot: String,
        given: String,
        found: usize,
        mobility: usize,
        candidates: Box<str>,
        suggestion: String,
    },
    #[error(
        "{robot}: the independent coordinates {given} do not determine joint `{joint}`; {suggestion} would"
    )]
    NotIndependent { robot: String, given: String, joint: String, suggestion: String },
    #[error(
        "{robot}: the longest distance between joints is {length:e} m, at `{joint}`; lengths lie between 1e-9 m and 1e9 m here: check the unit of the file"
    )]
    AbsurdLength { robot: String, joint: String, length: f64 },
    #[error("{robot}: the couplings contradict each other at `{coupling}`; remove one")]
    ContradictoryCoupling { robot: String, coupling: String },
    #[error(
        "{robot}: coupling `{coupling}` names {coordinate}, a displacement of a planar joint, whose velocities are in moving axes; couple its angle, or write the joint as two prismatic ones and a revolute"
    )]
    CoupledPlane { robot: String, coupling: String, coordinate: String },
}
