//! The function that is made small: the criterion, with logarithmic barriers at all constraints on a grid of
//! times. What is between the grid's times is for `proof.rs`.

mod grid;
mod trouble;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use grid::{Grid, Grids};
use steiner_dynamics::Mechanism;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::in_parallel;

use crate::clearance::{Before, Found};
use crate::columns;
use crate::criterion::{self, Criterion, Interest};
use crate::distances::reaches;
use crate::efforts::{NearEffort, carry_on, near_efforts, newton_of_force};
use crate::error::ExcitationError;
use crate::hull_distance::Warm;
use crate::information::TreeInformation;
use crate::limits::JointLimits;
use crate::loop_information::LoopInformation;
use crate::loops::GeneralInformation;
use crate::minimise::Barrier;
use crate::model::{Backward, Forward, Motions};
use crate::task::{Closer, Task};

/// Times at which distances are looked at, for each of the regressor.
const DENSE: usize = 4;
/// How many of these times are looked at one after another, each beginning with what was near at the time before.
const PART: usize = 32;
/// Times that are looked at first.
const HITS: usize = 4;
/// Dry friction is smooth over this part of the greatest speed, divided by the samples of the grid.
const SOFT: f64 = 12.0;
/// From so many samples on, limits of single joints are looked at twice as often.
const FINE: usize = 128;
/// From this weight on barriers are heavy.
const LIGHT: f64 = 0.02;
/// Samples to which the weight of the barrier refers.
const BARRIER_SAMPLES: f64 = 100.0;

enum Information<'a> {
    Tree(TreeInformation<'a>),
    Loops(Box<LoopInformation<'a>>),
    General(Box<GeneralInformation<'a>>),
}

/// The criterion with its barriers for one grid of times.
pub(crate) struct Objective<'a> {
    task: &'a Task<'a>,
    /// Times of the regressor, and the finer ones of the limits of single joints.
    grid: Arc<Grid>,
    fine: Arc<Grid>,
    /// Times at which distances are looked at: a fast arm passes a box between two samples of the regressor.
    dense: Arc<Grid>,
    /// What is given there, and how heavy barriers are.
    closer: Vec<Closer>,
    information: Information<'a>,
    /// Weight of the barriers.
    pub(crate) barrier: f64,
    /// How much heavier the barriers were where the motion comes from.
    pub(crate) heavier: f64,
    /// Information that is added to the diagonal, relative to that of the first motion seen.
    pub(crate) ridge: f64,
    diagonal: Vec<f64>,
    /// Forces with which the limits of single joints hold the motion, as an optimiser of primal and dual numbers
    /// knows them; for each joint and order those at the lower and at the upper limit, in the times of `fine`.
    holding: Vec<[Vec<[f64; 2]>; 4]>,
    /// Speeds at which dry friction has its full size on this grid.
    slow: Vec<f64>,
    /// Told of every step: coefficients and value; answers whether to stop.
    watch: &'a mut dyn FnMut(&[f64], f64) -> bool,
    last: Option<Last>,
    /// Signals on the fine grid where the gradient was asked for before.
    before: Vec<[Vec<f64>; 4]>,
    /// Torques near their limits, and those where the gradient was asked for before.
    efforts: Vec<NearEffort>,
    efforts_before: Vec<NearEffort>,
    /// Configurations and lines at the times of the distances where the gradient was asked for before.
    close_before: (Vec<f64>, Vec<Found>),
    /// For each movable coordinate how far a unit of it carries any point at most, m; nothing where loops carry others.
    levers: Option<Vec<f64>>,
    /// Times at which bodies were too near to each other, the last one first: a shorter step mostly fails there, too.
    hits: Vec<usize>,
}

/// Where the value was asked for last.
struct Last {
    /// On the fine grid.
    fine: Vec<[Vec<f64>; 4]>,
    /// Configurations at the times of the distances, with the lines that count there.
    dense: Vec<f64>,
    close: Vec<Found>,
    /// Derivatives of these lines along the velocities, once the gradient was asked for.
    slopes: Vec<f64>,
    /// Whether it was.
    is_known: bool,
    motions: Motions,
    forward: Forward,
    total: Matrix<f64>,
}

impl<'a> Objective<'a> {
    pub(crate) fn new(
        task: &'a Task<'a>,
        count: usize,
        watch: &'a mut dyn FnMut(&[f64], f64) -> bool,
    ) -> Self {
        let mechanism = task.mechanism;
        let in_lanes = columns::in_lanes(mechanism, &task.measurement);
        // Closing loops takes long; their motions are slow beside the grid.
        let enough = 24 + 3 * task.model.size / task.model.rows.len().max(1);
        let quickness = if count < FINE { task.quickness().sqrt() } else { task.quickness() };
        let count = (quickness * count as f64).ceil() as usize;
        let rows = if in_lanes { count } else { (count / 4).max(enough).min(count) };
        let grid = task.grids.of(task, rows);
        let fine = task.grids.of(task, if count < FINE { count } else { 2 * count });
        let often = match (&task.clearance, mechanism.is_plain_tree()) {
            (None, _) => 0,
            (Some(_), true) => DENSE * count,
            (Some(_), false) => rows,
        };
        let mut dense = task.grids.of(task, often);
        let mut closer = vec![Closer { time: 0.0, given: 0.0, heavier: 1.0 }; dense.count];
        if often > 0 && !task.closer.is_empty() {
            dense = Arc::new(dense.with(&task.basis, task.closer.iter().map(|closer| closer.time)));
            closer.extend(&task.closer);
        }
        let slow = softened(task, rows);
        let levers = task.clearance.as_ref().filter(|_| mechanism.is_plain_tree()).map(|clearance| {
            let all = clearance.levers(mechanism, &reaches(task));
            task.movable.iter().map(|&(_, velocity)| all[velocity]).collect()
        });
        let information = if in_lanes {
            Information::Tree(TreeInformation::new(mechanism, &task.model))
        } else if let Some(spanning) = &task.spanning {
            Information::Loops(Box::new(LoopInformation::new(task, spanning, &slow)))
        } else {
            let base = &task.analysis.regrouping.base;
            Information::General(Box::new(GeneralInformation::new(
                mechanism,
                &task.measurement,
                &task.model,
                base.iter().map(|base| base.column).collect(),
                &task.quantities,
                &task.movable,
            )))
        };
        Objective {
            task,
            grid,
            fine,
            dense,
            closer,
            information,
            barrier: 1.0,
            heavier: 1.0,
            ridge: 0.0,
            diagonal: Vec::new(),
            holding: Vec::new(),
            slow,
            watch,
            last: None,
            before: Vec::new(),
            efforts: Vec::new(),
            efforts_before: Vec::new(),
            close_before: (Vec::new(), Vec::new()),
            levers,
            hits: Vec::new(),
        }
    }

    pub(crate) fn task(&self) -> &'a Task<'a> {
        self.task
    }

    /// The motion at the times of the grid.
    fn motions(&self, signals: &[[Vec<f64>; 4]]) -> Motions {
        motions_of(self.task.mechanism, &self.slow, &self.task.movable, self.grid.count, |k, order| {
            &signals[k][order]
        })
    }

    /// What a motion gives on this grid, whether it keeps its limits or not.
    pub(crate) fn forward(&mut self, x: &[f64]) -> Result<(Motions, Forward), ExcitationError> {
        let signals = Self::signals(&self.grid, x);
        let motions = self.motions(&signals);
        let forward = match &mut self.information {
            Information::Tree(tree) => tree.forward(&motions)?,
            Information::Loops(loops) => loops.forward(&motions)?,
            Information::General(general) => general.forward(&motions)?,
        };
        Ok((motions, forward))
    }

    fn signals(grid: &Grid, x: &[f64]) -> Vec<[Vec<f64>; 4]> {
        x.chunks_exact(grid.functions).map(|x| std::array::from_fn(|order| grid.signal(x, order))).collect()
    }

    /// Σ −log of the slacks of a value between two bounds, relative to half their distance.
    fn between(value: f64, (lower, upper): (f64, f64)) -> Option<f64> {
        let half = 0.5 * (upper - lower);
        let (above, below) = ((value - lower) / half, (upper - value) / half);
        (above > 0.0 && below > 0.0).then(|| -(above * below).ln())
    }

    /// Its derivative.
    fn between_slope(value: f64, (lower, upper): (f64, f64)) -> f64 {
        1.0 / (upper - value) - 1.0 / (value - lower)
    }

    /// What the barriers hold with where the motion comes from: weight over slack.
    fn held_by_barriers(&self, fine: &[[Vec<f64>; 4]]) -> Vec<[Vec<[f64; 2]>; 4]> {
        let weight = self.heavier * self.weight(&self.fine);
        let of = |(limits, signal): (&JointLimits, &[Vec<f64>; 4])| {
            std::array::from_fn(|order| match limits.range(order) {
                None => Vec::new(),
                Some((lower, upper)) => {
                    signal[order].iter().map(|v| [weight / (v - lower), weight / (upper - v)]).collect()
                }
            })
        };
        self.task.limits.iter().zip(fine).map(of).collect()
    }

    /// What is made small. While barriers are heavy, motions for some parameters are made to show all: what
    /// shows little else leads nowhere.
    fn wanted(&self) -> (Criterion, &Interest) {
        match &self.task.interest {
            Interest::Some(_) if self.barrier > LIGHT => (Criterion::D, &Interest::All),
            interest => (self.task.criterion, interest),
        }
    }

    fn weight(&self, grid: &Grid) -> f64 {
        self.barrier * BARRIER_SAMPLES / grid.count as f64
    }

    /// Barriers of what depends on coefficients alone, relative to the weight of one sample of their grid.
    fn linear_barriers(&self, fine: &[[Vec<f64>; 4]]) -> Option<f64> {
        let mut sum = 0.0;
        for (limits, signal) in self.task.limits.iter().zip(fine) {
            for order in 0..4 {
                let Some(range) = limits.range(order) else { continue };
                for &value in &signal[order] {
                    sum += Self::between(value, range)?;
                }
            }
        }
        for limit in &self.task.sums {
            for t in 0..self.fine.count {
                sum += Self::between(limit.value(|k| fine[k][limit.order][t]), (limit.lower, limit.upper))?;
            }
        }
        Some(sum)
    }

    /// Barriers of what the motion does.
    fn barriers(&self, motions: &Motions, forward: &Forward) -> Option<f64> {
        let mut sum = 0.0;
        let dof = motions.dof;
        for limits in &self.task.forces {
            for t in 0..self.grid.count {
                let at = t * dof + limits.velocity;
                let (force, speed) = (forward.forces[at], motions.qd[at]);
                if let Some(effort) = limits.room() {
                    sum += Self::between(force, (-effort, effort))?;
                }
                if let Some(power) = limits.power {
                    let force = force + limits.dry * motions.signs[at];
                    sum += Self::between(force * speed, (-power, power))?;
                }
            }
        }
        let width = self.task.quantities.len();
        for (k, value) in forward.loops.iter().enumerate() {
            sum += self.task.quantities[k % width].barrier(*value)?;
        }
        Some(sum)
    }

    /// Configurations at the times of the distances.
    fn dense_configurations(&self, x: &[f64]) -> Vec<f64> {
        let nq = self.task.mechanism.configuration_size();
        let reference = self.task.mechanism.reference();
        let mut out: Vec<f64> = reference.iter().copied().cycle().take(self.dense.count * nq).collect();
        for (x, &(at, _)) in x.chunks_exact(self.dense.functions).zip(&self.task.movable) {
            for (t, value) in self.dense.signal(x, 0).into_iter().enumerate() {
                out[t * nq + at] = value;
            }
        }
        out
    }

    /// Lines between bodies that are short enough to count, at the times of the distances; `None` where two are too near.
    fn close(&mut self, dense: &[f64]) -> Option<Vec<Found>> {
        let Some(clearance) = &self.task.clearance else { return Some(Vec::new()) };
        let (mechanism, reach) = (self.task.mechanism, clearance.reach(self.barrier));
        let nq = mechanism.configuration_size();
        let (closer, (dense_before, close_before)) = (&self.closer, &self.close_before);
        let (levers, movable) = (&self.levers, &self.task.movable);
        let at = |t: usize, warm: &mut [Warm]| {
            let q = &dense[t * nq..(t + 1) * nq];
            let before = close_before.get(t);
            let others = before.zip(levers.as_ref()).map(|(before, levers)| {
                let from = &dense_before[t * nq..(t + 1) * nq];
                let carried =
                    movable.iter().zip(levers).map(|(&(k, _), lever)| lever * (q[k] - from[k]).abs());
                before.others - carried.sum::<f64>()
            });
            let close = before.map_or(&[][..], |before| &before.close);
            clearance.find_close(mechanism, q, Before { warm, close, given: closer[t].given, reach, others })
        };
        let cold = || vec![Warm::default(); clearance.len()];
        if let Some(place) = self.hits.iter().position(|&t| at(t, &mut cold()).is_none()) {
            self.hits[..=place].rotate_right(1);
            return None;
        }
        let hit = AtomicUsize::new(usize::MAX);
        let parts = in_parallel(self.dense.count.div_ceil(PART), self.task.threads, |part| {
            let mut warm = cold();
            let mut out = Vec::with_capacity(PART);
            for t in part * PART..((part + 1) * PART).min(closer.len()) {
                if hit.load(Ordering::Relaxed) != usize::MAX {
                    return out;
                }
                match at(t, &mut warm) {
                    Some(close) => out.push(close),
                    None => hit.store(t, Ordering::Relaxed),
                }
            }
            out
        });
        match hit.into_inner() {
            usize::MAX => Some(parts.into_iter().flatten().collect()),
            t => {
                self.hits.insert(0, t);
                self.hits.truncate(HITS);
                None
            }
        }
    }

    /// Barriers at distances.
    fn distance_barriers(&self, close: &[Found]) -> f64 {
        let Some(clearance) = &self.task.clearance else { return 0.0 };
        let reach = clearance.reach(self.barrier);
        let at = |(found, closer): (&Found, &Closer)| {
            closer.heavier
                * found.close.iter().map(|close| clearance.barrier(close.distance, reach)).sum::<f64>()
        };
        close.iter().zip(&self.closer).map(at).sum()
    }
}

/// Speeds at which dry friction has its full size, as far as a grid can tell: where it turns between two samples,
/// motions would be made for the grid.
fn softened(task: &Task<'_>, count: usize) -> Vec<f64> {
    let mut slow = task.model.slow.clone();
    for (&(_, velocity), fastest) in task.movable.iter().zip(&task.speeds) {
        slow[velocity] = slow[velocity].max(fastest * SOFT / count as f64);
    }
    slow
}

/// A motion of a mechanism from the signals of its movable coordinates.
pub(crate) fn motions_of<'s>(
    mechanism: &Mechanism,
    slow: &[f64],
    movable: &[(usize, usize)],
    count: usize,
    signal: impl Fn(usize, usize) -> &'s [f64],
) -> Motions {
    let (nq, dof) = (mechanism.configuration_size(), mechanism.dof());
    let reference = mechanism.reference();
    let mut out = Motions {
        count,
        dof,
        q: reference.iter().copied().cycle().take(count * nq).collect(),
        qd: vec![0.0; count * dof],
        qdd: vec![0.0; count * dof],
        signs: vec![0.0; count * dof],
        sign_rates: vec![0.0; count * dof],
    };
    for (k, &(at, velocity)) in movable.iter().enumerate() {
        let (q, qd, qdd) = (signal(k, 0), signal(k, 1), signal(k, 2));
        for t in 0..count {
            out.q[t * nq + at] = q[t];
            out.qd[t * dof + velocity] = qd[t];
            out.qdd[t * dof + velocity] = qdd[t];
            let sign = (qd[t] / slow[velocity]).tanh();
            out.signs[t * dof + velocity] = sign;
            out.sign_rates[t * dof + velocity] = (1.0 - sign * sign) / slow[velocity];
        }
    }
    out
}

impl Barrier for Objective<'_> {
    fn value(&mut self, x: &[f64]) -> Option<f64> {
        if let Some(last) = self.last.take().filter(|last| last.is_known) {
            self.close_before = (last.dense, last.close);
        }
        let fine = Self::signals(&self.fine, x);
        let mut sum = self.weight(&self.fine) * self.linear_barriers(&fine)?;
        let dense = self.dense_configurations(x);
        let close = self.close(&dense)?;
        if self.dense.count > 0 {
            sum += self.weight(&self.dense) * self.distance_barriers(&close);
        }
        let signals = Self::signals(&self.grid, x);
        let motions = self.motions(&signals);
        // A loop that cannot be assembled is a constraint like any other.
        let forward = match &mut self.information {
            Information::Tree(tree) => tree.forward(&motions).ok()?,
            Information::Loops(loops) => loops.forward(&motions).ok()?,
            Information::General(general) => general.forward(&motions).ok()?,
        };
        sum += self.weight(&self.grid) * self.barriers(&motions, &forward)?;
        let mut total = self.task.total(&forward.information);
        if self.diagonal.is_empty() {
            self.diagonal = (0..total.rows()).map(|k| total[(k, k)]).collect();
        }
        if self.ridge > 0.0 {
            self.diagonal.iter().enumerate().for_each(|(k, d)| total[(k, k)] += self.ridge * d);
        }
        let (wanted, interest) = self.wanted();
        let (value, _) = criterion::evaluate(wanted, interest, &total, false)?;
        let out = value + sum;
        let slopes = Vec::new();
        self.last = Some(Last { fine, dense, close, slopes, is_known: false, motions, forward, total });
        out.is_finite().then_some(out)
    }

    fn gradient(&mut self) -> Option<[Vec<f64>; 2]> {
        let (weight, of_limits) = (self.weight(&self.grid), self.weight(&self.fine));
        let Last { fine, dense, close, motions, forward, total, .. } = self.last.take()?;
        let mut slopes = Vec::new();
        let (task, functions, dof) = (self.task, self.grid.functions, motions.dof);
        let (wanted, interest) = self.wanted();
        let (_, by_information) = criterion::evaluate(wanted, interest, &total, true)?;
        let mut by_forces = vec![0.0; forward.forces.len()];
        let mut by_speed = vec![0.0; forward.forces.len()];
        for limits in &task.forces {
            for t in 0..motions.count {
                let at = t * dof + limits.velocity;
                let (force, speed) = (forward.forces[at], motions.qd[at]);
                if let Some(effort) = limits.room() {
                    by_forces[at] += weight * Self::between_slope(force, (-effort, effort));
                }
                if let Some(power) = limits.power {
                    let force = force + limits.dry * motions.signs[at];
                    let slope = weight * Self::between_slope(force * speed, (-power, power));
                    by_forces[at] += slope * speed;
                    by_speed[at] += slope * (force + limits.dry * motions.sign_rates[at] * speed);
                }
            }
        }
        let width = task.quantities.len();
        let by_loops: Vec<f64> = forward
            .loops
            .iter()
            .enumerate()
            .map(|(k, value)| weight * task.quantities[k % width].slope(*value))
            .collect();
        let back = Backward { information: &by_information, forces: &by_forces, loops: &by_loops };
        let by_motion = match &mut self.information {
            Information::Tree(tree) => tree.backward(&motions, &back).ok()?,
            Information::Loops(loops) => loops.backward(&motions, &back).ok()?,
            Information::General(general) => general.backward(&motions, &back).ok()?,
        };
        // Apart from the rest, as its curvature is known.
        let mut by_distance = vec![0.0; self.dense.count * dof];
        if let Some(clearance) = &task.clearance {
            let nq = task.mechanism.configuration_size();
            let (weight, reach) = (self.weight(&self.dense), clearance.reach(self.barrier));
            let closer = &self.closer;
            let parts = in_parallel(self.dense.count.div_ceil(PART), task.threads, |part| {
                let times = part * PART..((part + 1) * PART).min(closer.len());
                let (mut by, mut slopes) = (vec![0.0; times.len() * dof], Vec::new());
                for (t, out) in times.zip(by.chunks_exact_mut(dof)) {
                    let weight = weight * closer[t].heavier;
                    let q = &dense[t * nq..(t + 1) * nq];
                    clearance.slopes(task.mechanism, q, &close[t].close, |distance, own| {
                        let by = weight * clearance.slope(distance, reach);
                        out.iter_mut().zip(own).for_each(|(out, slope)| *out += by * slope);
                        slopes.extend_from_slice(own);
                    });
                }
                (by, slopes)
            });
            for (part, (by, own)) in by_distance.chunks_mut(PART * dof).zip(parts) {
                part.copy_from_slice(&by);
                slopes.extend(own);
            }
        }
        let mut linear = vec![0.0; task.movable.len() * functions];
        let mut out = linear.clone();
        for (k, &(_, velocity)) in task.movable.iter().enumerate() {
            let own = k * functions..(k + 1) * functions;
            for order in 0..4 {
                if let Some(range) = task.limits[k].range(order) {
                    let bar = |t: usize| of_limits * Self::between_slope(fine[k][order][t], range);
                    self.fine.pull(bar, order, &mut linear[own.clone()]);
                }
                if order < 3 {
                    let bar = |t: usize| {
                        let of_speed = if order == 1 { by_speed[t * dof + velocity] } else { 0.0 };
                        by_motion[(t * 3 + order) * dof + velocity] + of_speed
                    };
                    self.grid.pull(bar, order, &mut out[own.clone()]);
                }
            }
            if task.clearance.is_some() {
                self.dense.pull(|t| by_distance[t * dof + velocity], 0, &mut linear[own.clone()]);
            }
            for limit in task.sums.iter().filter(|limit| limit.factor(k) != 0.0) {
                let bar = |t: usize| {
                    let sum = limit.value(|k| fine[k][limit.order][t]);
                    of_limits * limit.factor(k) * Self::between_slope(sum, (limit.lower, limit.upper))
                };
                self.fine.pull(bar, limit.order, &mut out[own.clone()]);
            }
        }
        if let Information::Tree(tree) = &mut self.information {
            let grid = &self.grid;
            let slope_of = |t: usize, row: &[f64]| {
                let mut slope = Vec::with_capacity(out.len());
                for &(_, velocity) in &task.movable {
                    let by = |order: usize| row[order * dof + velocity];
                    let at = |order: usize| &grid.values[order][t * functions..(t + 1) * functions];
                    let values = at(0).iter().zip(at(1)).zip(at(2));
                    slope.extend(values.map(|((q, qd), qdd)| by(0) * q + by(1) * qd + by(2) * qdd));
                }
                slope
            };
            let first = if self.holding.is_empty() { self.heavier } else { 1.0 };
            let near =
                near_efforts(tree, &task.forces, &motions, &forward.forces, first * weight, slope_of).ok()?;
            // What is known of them need not be learned.
            let mut known = vec![0.0; out.len()];
            near.iter().for_each(|near| near.add_gradient(weight, &mut known));
            for (k, known) in known.into_iter().enumerate() {
                linear[k] += known;
                out[k] -= known;
            }
            self.efforts_before = std::mem::replace(&mut self.efforts, near);
        }
        for k in (0..out.len()).filter(|&k| self.is_held(k)) {
            (linear[k], out[k]) = (0.0, 0.0);
        }
        if self.holding.is_empty() {
            self.holding = self.held_by_barriers(&fine);
            self.before.clone_from(&fine);
        }
        self.last = Some(Last { fine, dense, close, slopes, is_known: true, motions, forward, total });
        Some([linear, out])
    }

    fn add_curvature(&self, hessian: &mut Matrix<f64>) {
        let Some(Last { fine, close, slopes, .. }) = &self.last else { return };
        self.add_distance_curvature(close, slopes, hessian);
        self.efforts.iter().for_each(|near| near.add_curvature(hessian));
        let functions = self.fine.functions;
        for (k, limits) in self.task.limits.iter().enumerate() {
            let first = k * functions;
            for order in 0..4 {
                let Some((lower, upper)) = limits.range(order) else { continue };
                let rows = self.fine.values[order].chunks_exact(functions);
                for ((row, value), held) in rows.zip(&fine[k][order]).zip(&self.holding[k][order]) {
                    let by = held[0] / (value - lower) + held[1] / (upper - value);
                    for a in (0..functions).filter(|&a| row[a] != 0.0) {
                        let into = &mut hessian.row_mut(first + a)[first..first + functions];
                        let by = by * row[a];
                        into.iter_mut().zip(row).for_each(|(h, f)| *h += by * f);
                    }
                }
            }
        }
    }

    fn moved(&mut self, part: f64) -> Vec<f64> {
        let weight = self.weight(&self.fine);
        let Some(Last { fine, .. }) = &self.last else { return Vec::new() };
        for (k, limits) in self.task.limits.iter().enumerate() {
            for order in 0..4 {
                let Some((lower, upper)) = limits.range(order) else { continue };
                let signals = self.before[k][order].iter().zip(&fine[k][order]);
                for ((from, to), held) in signals.zip(&mut self.holding[k][order]) {
                    let slacks = [(from - lower, to - lower), (upper - from, upper - to)];
                    for (held, (from, to)) in held.iter_mut().zip(slacks) {
                        *held = newton_of_force(*held, (from, to), weight, part);
                    }
                }
            }
        }
        self.before.clone_from(fine);
        let weight = self.weight(&self.grid);
        carry_on(&self.efforts_before, &mut self.efforts, weight, part)
    }

    fn longest_step(&self, x: &[f64], direction: &[f64]) -> f64 {
        let functions = self.grid.functions;
        let of_efforts = self.efforts.iter().map(|near| near.longest_step(direction));
        let mut longest = of_efforts.fold(f64::INFINITY, f64::min);
        let parts = x.chunks_exact(functions).zip(direction.chunks_exact(functions));
        for (limits, (x, direction)) in self.task.limits.iter().zip(parts) {
            for order in 0..4 {
                let Some((lower, upper)) = limits.range(order) else { continue };
                let (at, along) = (self.fine.signal(x, order), self.fine.signal(direction, order));
                for (at, along) in at.into_iter().zip(along) {
                    let room = if along > 0.0 { upper - at } else { lower - at };
                    if along != 0.0 {
                        longest = longest.min(room / along);
                    }
                }
            }
        }
        longest
    }

    fn is_held(&self, k: usize) -> bool {
        let functions = self.grid.functions;
        !self.task.basis.is_static()
            && k.is_multiple_of(functions)
            && self.task.start[k / functions].is_some()
    }

    fn stopped(&mut self, x: &[f64], value: f64) -> bool {
        (self.watch)(x, value)
    }
}

impl Objective<'_> {
    /// The curvature of the barriers at distances, as if these were linear in the coefficients: the part that
    /// grows without bound as a distance shrinks.
    fn add_distance_curvature(&self, close: &[Found], slopes: &[f64], hessian: &mut Matrix<f64>) {
        let Some(clearance) = &self.task.clearance else { return };
        let (functions, weight) = (self.dense.functions, self.weight(&self.dense));
        let (dof, movable) = (self.task.mechanism.dof(), &self.task.movable);
        let joints = movable.len();
        let place = |a: usize, b: usize| a * (a + 1) / 2 + b;
        let width = place(functions, 0);
        // Σ over times (slope of a joint × slope of another) × (function × another), for each two once.
        let mut sums = vec![0.0; place(joints, 0) * width];
        let mut of_joints = vec![0.0; place(joints, 0)];
        let mut squares = vec![0.0; width];
        let mut slopes = slopes.chunks_exact(dof);
        let at = close.iter().zip(&self.closer).zip(self.dense.values[0].chunks_exact(functions));
        for ((Found { close, .. }, closer), row) in at {
            if close.is_empty() {
                continue;
            }
            of_joints.fill(0.0);
            for (line, slopes) in close.iter().zip(&mut slopes) {
                let by = weight * closer.heavier * clearance.bend(line.distance);
                for (a, &(_, first)) in movable.iter().enumerate() {
                    for (b, &(_, second)) in movable[..=a].iter().enumerate() {
                        of_joints[place(a, b)] += by * slopes[first] * slopes[second];
                    }
                }
            }
            for (f, first) in row.iter().enumerate() {
                let own = &mut squares[place(f, 0)..=place(f, f)];
                own.iter_mut().zip(row).for_each(|(square, second)| *square = first * second);
            }
            for (by, sums) in of_joints.iter().zip(sums.chunks_exact_mut(width)).filter(|(by, _)| **by != 0.0)
            {
                sums.iter_mut().zip(&squares).for_each(|(sum, square)| *sum += by * square);
            }
        }
        for row in 0..hessian.rows() {
            for column in 0..hessian.rows() {
                let (a, b) = (row / functions, column / functions);
                let (f, g) = (row % functions, column % functions);
                let own = place(a.max(b), a.min(b)) * width;
                hessian[(row, column)] += sums[own + place(f.max(g), f.min(g))];
            }
        }
    }

    /// Forces of limits are those of the barriers again.
    pub(crate) fn forget_forces(&mut self) {
        self.holding.clear();
    }

    /// How much of its limits a coordinate uses that moves about a pose by some coefficients.
    pub(crate) fn largest_part(&self, k: usize, pose: f64, x: &[f64]) -> f64 {
        let limits = &self.task.limits[k];
        let mut most = 0.0f64;
        for order in 0..4 {
            let Some((lower, upper)) = limits.range(order) else { continue };
            let at = if order == 0 { pose } else { 0.0 };
            for value in self.fine.signal(x, order) {
                let room = if value > 0.0 { upper - at } else { lower - at };
                most = most.max(if room * value > 0.0 { value / room } else { 1e9 * value.abs() });
            }
        }
        most
    }
}
