//! Parameters of the drives: what motors and gears add to the force of a joint.
//!
//! τ_k += Ia q̈_k + fv q̇_k + fc sign(q̇_k) + offset, seen through Zᵀ where loops or
//! couplings tie the joint to others.

use steiner_dynamics::{Feasible, Mechanism};
use steiner_linalg::Stream;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Actuation, Joint, ParameterKind};
use steiner_scalar::Scalar;

use crate::error::IdentifiabilityError;

/// Drive inertia (kg m² or kg), viscous friction, Coulomb friction, constant offset (N m or N).
pub const DRIVE_PARAMETERS: [&str; 4] = [
    ParameterKind::Ia.name(),
    ParameterKind::Fv.name(),
    ParameterKind::Fc.name(),
    ParameterKind::Offset.name(),
];

/// The drive of a joint with one degree of freedom.
#[derive(Clone, Debug)]
pub(crate) struct Drive {
    /// Name of its joint.
    pub(crate) joint: String,
    /// The moving body behind it.
    pub(crate) body: usize,
    /// Its velocity in the tree.
    pub(crate) velocity: usize,
    /// Joints that couplings or loops tie to one another in a constant ratio move to and fro
    /// together: which of these sets it belongs to, and whether it moves with (1) or against (−1) the
    /// first of it; 0 if it never moves.
    pub(crate) together: (usize, i8),
}

/// The drives of a mechanism.
pub(crate) fn drives(mechanism: &Mechanism) -> Result<Vec<Drive>, IdentifiabilityError> {
    let robot = mechanism.robot();
    let offsets = robot.velocity_offsets();
    // How the velocities follow from the independent ones, at a few states: couplings
    // leave it constant, loops don't.
    let mut reductions: Vec<Matrix<f64>> = Vec::new();
    if !(robot.loops.is_empty() && robot.couplings.is_empty()) {
        let still = vec![0.0; mechanism.dof()];
        let mut stream = Stream::new(9);
        for k in 0..6 {
            let reach = if k == 0 { 0.0 } else { 0.3 };
            let delta: Vec<f64> = (0..mechanism.dof()).map(|_| reach * stream.uniform()).collect();
            let Some(q) = mechanism.walked(&delta) else { continue };
            let state = mechanism.closure().feasible(mechanism.plan(), &q, &still, &still)?;
            reductions.extend(state.reduction);
        }
    }
    let mut sets: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    // Pins of loops have no motor; where nothing ties a joint without one, it still has friction.
    let tied = !robot.loops.is_empty();
    let driven = |joint: &Joint| joint.kind.dof() == 1 && !(tied && joint.actuation == Actuation::Passive);
    for (body, carrier) in robot.bodies.iter().enumerate().filter(|(_, body)| driven(&body.joint)) {
        let velocity = offsets[body];
        let known = sets.iter().enumerate().find_map(|(k, &first)| {
            always_alike(&reductions, first, velocity).map(|direction| (k, direction))
        });
        let together = known.unwrap_or_else(|| {
            sets.push(velocity);
            let rests = |z: &Matrix<f64>| z.row(velocity).iter().all(|x| x.abs() < RESTS);
            let stands = !reductions.is_empty() && reductions.iter().all(rests);
            (sets.len() - 1, if stands { 0 } else { 1 })
        });
        found.push(Drive { joint: carrier.joint.name.clone(), body, velocity, together });
    }
    Ok(found)
}

/// Velocities that are smaller than this multiple of the independent ones stand still.
const RESTS: f64 = 1e-12;

/// Whether two velocities are the same multiples of one another at all states, and of which sign.
fn always_alike(reductions: &[Matrix<f64>], a: usize, b: usize) -> Option<i8> {
    let ratio = |z: &Matrix<f64>| {
        let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
        dot(z.row(a), z.row(b)) / dot(z.row(a), z.row(a))
    };
    // A dead centre, where both rest, tells nothing.
    let rests = |z: &Matrix<f64>, k: usize| z.row(k).iter().all(|x| x.abs() < RESTS);
    let mut moving = reductions.iter().filter(|z| !(rests(z, a) && rests(z, b))).peekable();
    let first = *moving.peek()?;
    let constant = |z: &Matrix<f64>| {
        alike(z, a, b).is_some() && (ratio(z) - ratio(first)).abs() <= 1e-9 * ratio(first).abs()
    };
    moving.all(constant).then(|| alike(first, a, b)).flatten()
}

/// Whether two velocities are multiples of one another, and of which sign.
fn alike(z: &Matrix<f64>, a: usize, b: usize) -> Option<i8> {
    let (a, b) = (z.row(a), z.row(b));
    let dot = |x: &[f64], y: &[f64]| -> f64 { x.iter().zip(y).map(|(x, y)| x * y).sum() };
    let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
    let same = aa > 0.0 && bb > 0.0 && (ab * ab - aa * bb).abs() <= 1e-14 * aa * bb;
    same.then_some(if ab < 0.0 { -1 } else { 1 })
}

/// What the drives contribute to the generalised force of an independent coordinate.
pub(crate) fn drive_row<S: Scalar>(drives: &[Drive], state: &Feasible<S>, signs: &[S], row: usize) -> Vec<S> {
    let mut out = Vec::with_capacity(DRIVE_PARAMETERS.len() * drives.len());
    for (drive, &sign) in drives.iter().zip(signs) {
        let k = drive.velocity;
        let z = match &state.reduction {
            Some(z) => z[(k, row)],
            None if k == row => S::one(),
            None => S::zero(),
        };
        out.extend([z * state.acceleration[k], z * state.velocity[k], z * sign, z]);
    }
    out
}
