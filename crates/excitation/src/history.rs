//! A designed motion over time, for people who look at it: motion, forces, distances, and what it has shown so
//! far.

use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::Matrix;

use crate::criterion;
use crate::design::Design;
use crate::designed::{Designed, Trajectory};
use crate::error::ExcitationError;
use crate::task::Task;

/// What happens along a motion; every list has one entry per time unless it says otherwise.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Times, s; for poses their numbers.
    pub t: Vec<f64>,
    /// For each joint that moves (in the order of [`Designed::limits`]) its coordinate, rad or m.
    pub position: Vec<Vec<f64>>,
    /// Its speed, rad/s or m/s.
    pub velocity: Vec<Vec<f64>>,
    /// Its acceleration, rad/s² or m/s².
    pub acceleration: Vec<Vec<f64>>,
    /// Its force by the file's inertias and friction, N·m or N.
    pub force: Vec<Vec<f64>>,
    /// The least distance of any two shapes that must not touch, m; empty where none are known.
    pub distance: Vec<f64>,
    /// Whole configurations, sample-major.
    pub q: Vec<f64>,
    /// log det of the information gathered so far over the samples of the whole motion, what was known before
    /// included; −∞ while some base parameter is not seen.
    pub log_det: Vec<f64>,
    /// For each measured row, how many base parameters' worth of information it gathers per second there:
    /// w tr(M⁻¹ yᵀy) / duration, whose sum over rows has the mean (number of base parameters) / duration.
    pub shares: Vec<(String, Vec<f64>)>,
}

/// A motion at evenly spaced times, both ends included; poses one each.
pub fn history(
    mechanism: &Mechanism,
    design: &Design,
    designed: &Designed,
    count: usize,
) -> Result<History, ExcitationError> {
    let wish = Design { analysis: Some(designed.analysis.clone()), ..design.clone() };
    let task = Task::new(mechanism, &wish)?.of_motion(&designed.coefficients.concat());
    let motion = designed.trajectory(mechanism, (count.max(2) - 1) as f64 / designed.basis.duration());
    let mut out = History { t: motion.t.clone(), q: motion.q.clone(), ..History::default() };
    let of =
        |values: &[f64], width: usize, at: usize| values.iter().skip(at).step_by(width).copied().collect();
    let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
    for &(at, velocity) in &task.movable {
        out.position.push(of(&motion.q, nq, at));
        out.velocity.push(of(&motion.qd, nv, velocity));
        out.acceleration.push(of(&motion.qdd, nv, velocity));
    }
    out.force = forces(&task, &motion)?;
    if let Some(clearance) = &task.clearance {
        let least = |q: &[f64]| clearance.distances(mechanism, q).into_iter().fold(f64::INFINITY, f64::min);
        out.distance = motion.q.chunks_exact(nq).map(|q| least(q) + clearance.margin()).collect();
    }
    information(&task, designed, &motion, &mut out)?;
    Ok(out)
}

/// Forces of the joints that move, with their drives.
fn forces(task: &Task<'_>, motion: &Trajectory) -> Result<Vec<Vec<f64>>, ExcitationError> {
    let (nq, nv) = (task.mechanism.configuration_size(), task.mechanism.dof());
    let mut out = vec![Vec::with_capacity(motion.t.len()); task.movable.len()];
    for k in 0..motion.t.len() {
        let (q, own) = (&motion.q[k * nq..(k + 1) * nq], k * nv..(k + 1) * nv);
        let (qd, qdd) = (&motion.qd[own.clone()], &motion.qdd[own]);
        let forces = task.mechanism.inverse_dynamics_with(&task.model.parameters, q, qd, qdd)?;
        for (out, &(_, v)) in out.iter_mut().zip(&task.movable) {
            let [inertia, viscous, dry, offset] = task.model.drives[v];
            out.push(
                forces[v]
                    + inertia * qdd[v]
                    + viscous * qd[v]
                    + dry * (qd[v] / task.model.slow[v]).tanh()
                    + offset,
            );
        }
    }
    Ok(out)
}

/// The direction of a velocity of the tree, smooth about zero as it is for the optimiser.
fn direction(task: &Task<'_>, velocity: usize, value: f64) -> f64 {
    let own = task.mechanism.plan().independent.iter().position(|&k| k == velocity);
    (value / own.map_or(0.01, |k| task.model.slow[k])).tanh()
}

/// What the rows of every sample add.
fn information(
    task: &Task<'_>,
    designed: &Designed,
    motion: &Trajectory,
    out: &mut History,
) -> Result<(), ExcitationError> {
    let (mechanism, measurement) = (task.mechanism, &task.measurement);
    let (nq, nv, last) = (mechanism.configuration_size(), mechanism.dof(), motion.t.len().max(2) - 1);
    // Both ends of a motion count half, by the trapezoidal rule; every pose counts alike.
    let part = |k: usize| match (task.basis.is_static(), k == 0 || k == last) {
        (true, _) => 1.0 / motion.t.len() as f64,
        (false, true) => 0.5 / last as f64,
        (false, false) => 1.0 / last as f64,
    };
    let columns: Vec<usize> = task.analysis.regrouping.base.iter().map(|base| base.column).collect();
    let kinds = measurement.measured_rows(mechanism);
    let places: Vec<Option<usize>> =
        task.model.rows.iter().map(|row| kinds.iter().position(|kind| *kind == row.kind)).collect();
    let total = task.total(&designed.information);
    let inverse = criterion::inverse_of(&total).map(|(_, inverse)| inverse);
    let n = columns.len();
    let mut gathered = task.prior.clone().unwrap_or_else(|| Matrix::zeros(n, n));
    out.shares = task.model.rows.iter().map(|row| (row.name.clone(), Vec::new())).collect();
    let duration = designed.basis.duration();
    for k in 0..motion.t.len() {
        let (q, own) = (&motion.q[k * nq..(k + 1) * nq], k * nv..(k + 1) * nv);
        let state = mechanism.feasible(q, &motion.qd[own.clone()], &motion.qdd[own])?;
        let signs: Vec<f64> =
            measurement.driven().iter().map(|&(_, v)| direction(task, v, state.velocity[v])).collect();
        let rows = measurement.rows(mechanism, mechanism.tree(), &state, &signs)?;
        for ((row, place), (_, shares)) in task.model.rows.iter().zip(&places).zip(&mut out.shares) {
            let Some(place) = *place else { continue };
            let y: Vec<f64> = columns.iter().map(|&c| rows[(place, c)]).collect();
            let mut share = 0.0;
            for (a, ya) in y.iter().enumerate().filter(|(_, y)| **y != 0.0) {
                for (b, yb) in y.iter().enumerate() {
                    gathered[(a, b)] += row.weight * ya * yb * part(k);
                    share += inverse.as_ref().map_or(0.0, |inverse| row.weight * inverse[(a, b)] * ya * yb);
                }
            }
            shares.push(share / duration);
        }
        let shown = criterion::inverse_of(&gathered).map(|(log_det, _)| log_det);
        out.log_det.push(shown.unwrap_or(f64::NEG_INFINITY));
    }
    Ok(())
}
