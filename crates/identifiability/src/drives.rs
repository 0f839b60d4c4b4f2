//! Parameters of the drives: what motors and gears add to the force of a joint.
//!
//! τ_k += Ia q̈_k + fv q̇_k + fc sign(q̇_k) + offset, seen through Zᵀ where loops or
//! couplings tie the joint to others.

use steiner_dynamics::{Feasible, Mechanism};
use steiner_linalg::Stream;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Actuation, Joint, ParameterKind};
use steiner_scalar::{Field, Fp, Scalar};

use crate::error::IdentifiabilityError;
use crate::field::{SHORT, in_own_field, places};
use crate::measure::Measurement;
use crate::sampling::{Curves, Start};

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
    let found = || in_own_field(mechanism, || drives_in_field(mechanism)).map(Drives);
    Ok(mechanism.found_once((), found)?.0.clone())
}

/// Those of a mechanism, found once.
struct Drives(Vec<Drive>);

fn drives_in_field(mechanism: &Mechanism) -> Result<Vec<Drive>, IdentifiabilityError> {
    let robot = mechanism.robot();
    let offsets = robot.velocity_offsets();
    let ratios = Ratios::new(mechanism)?;
    let mut sets: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    // Pins of loops have no motor; where nothing ties a joint without one, it still has friction.
    let tied = !robot.loops.is_empty();
    let driven = |joint: &Joint| joint.kind.dof() == 1 && !(tied && joint.actuation == Actuation::Passive);
    for (body, carrier) in robot.bodies.iter().enumerate().filter(|(_, body)| driven(&body.joint)) {
        let velocity = offsets[body];
        let known = sets
            .iter()
            .enumerate()
            .find_map(|(k, &first)| ratios.always_alike(first, velocity).map(|direction| (k, direction)));
        let together = known.unwrap_or_else(|| {
            sets.push(velocity);
            (sets.len() - 1, if ratios.always_rests(velocity) { 0 } else { 1 })
        });
        found.push(Drive { joint: carrier.joint.name.clone(), body, velocity, together });
    }
    Ok(found)
}

/// How the velocities follow from the independent ones, at a few states: couplings leave it constant, loops don't.
struct Ratios {
    /// In doubles, which know signs.
    measured: Vec<Matrix<f64>>,
    /// In F_p, which knows what is zero and what is constant: the rows of all states side by side. `None` where
    /// the loops have no states in the field.
    exact: Option<Vec<Vec<Fp>>>,
}

impl Ratios {
    fn new(mechanism: &Mechanism) -> Result<Self, IdentifiabilityError> {
        let robot = mechanism.robot();
        let mut measured: Vec<Matrix<f64>> = Vec::new();
        if robot.loops.is_empty() && robot.couplings.is_empty() {
            return Ok(Ratios { measured, exact: None });
        }
        let still = vec![0.0; mechanism.dof()];
        let mut stream = Stream::new(9);
        for k in 0..6 {
            let reach = if k == 0 { 0.0 } else { 0.3 };
            let delta: Vec<f64> = (0..mechanism.dof()).map(|_| reach * stream.uniform()).collect();
            let Some(q) = mechanism.walked(&delta) else { continue };
            let state = mechanism.closure().feasible(mechanism.plan(), &q, &still, &still)?;
            measured.extend(state.reduction);
        }
        let exact = if robot.loops.is_empty() { None } else { exact_ratios(mechanism)? };
        Ok(Ratios { measured, exact })
    }

    fn always_rests(&self, k: usize) -> bool {
        match &self.exact {
            Some(rows) => rows[k].iter().all(|x| *x == Fp::zero()),
            None => !self.measured.is_empty() && self.measured.iter().all(|z| rests(z, k)),
        }
    }

    /// Whether two velocities are the same multiples of one another at all states, and of which sign.
    fn always_alike(&self, a: usize, b: usize) -> Option<i8> {
        let Some(rows) = &self.exact else { return measured_alike(&self.measured, a, b) };
        let first = rows[a].iter().position(|x| *x != Fp::zero())?;
        let ratio = rows[b][first] * rows[a][first].inv();
        let constant = ratio != Fp::zero() && rows[a].iter().zip(&rows[b]).all(|(x, y)| *x * ratio == *y);
        // Both of one sign wherever they move: the state where they move most tells.
        let along = self.measured.iter().map(|z| dot(z.row(a), z.row(b)));
        let most = along.max_by(|x, y| x.abs().total_cmp(&y.abs()))?;
        constant.then_some(if most < 0.0 { -1 } else { 1 })
    }
}

/// Of generic states, or of those near the file's configuration.
fn exact_ratios(mechanism: &Mechanism) -> Result<Option<Vec<Vec<Fp>>>, IdentifiabilityError> {
    let (asked, places) = (Measurement::all(), places(mechanism)?);
    let start = if places.is_empty() { Start::File } else { Start::Generic(&places) };
    let Some(mut curves) = Curves::<SHORT>::new(mechanism, &asked, start)? else { return Ok(None) };
    let mut rows = vec![Vec::new(); mechanism.tree_dof()];
    for _ in 0..3 {
        let Some(z) = curves.state().and_then(|state| state.reduction.clone()) else { return Ok(None) };
        for (k, row) in rows.iter_mut().enumerate() {
            row.extend(z.row(k).iter().flat_map(|x| *x.coefficients()));
        }
    }
    Ok(Some(rows))
}

/// Velocities in doubles that are smaller than this multiple of the independent ones stand still.
const RESTS: f64 = 1e-12;

fn rests(z: &Matrix<f64>, k: usize) -> bool {
    z.row(k).iter().all(|x| x.abs() < RESTS)
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The same to the digits of doubles.
fn measured_alike(reductions: &[Matrix<f64>], a: usize, b: usize) -> Option<i8> {
    let ratio = |z: &Matrix<f64>| dot(z.row(a), z.row(b)) / dot(z.row(a), z.row(a));
    // A dead centre, where both rest, tells nothing.
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
