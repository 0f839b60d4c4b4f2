//! The rows of every sample: over the base parameters, with the right-hand side behind them.
//!
//! Trees measured by forces alone run in SIMD lanes, sample after sample from the regressor's non-zero blocks; whatever else is
//! measured or closed goes through one feasible state per sample.

use std::num::NonZeroUsize;
use std::ops::Range;

use steiner_dynamics::{Feasible, Samples};
use steiner_identifiability::MeasuredRow;
use steiner_scalar::elimination::Matrix;

use super::Problem;
use super::contacts::{Contact, reduced};
use crate::dataset::Dataset;
use crate::failure::IdentificationError;
use crate::settings::DryFriction;

/// The rows of one sample.
pub(crate) struct SampleRows<'a> {
    plan: &'a RowPlan,
    values: &'a [f64],
    /// Whether each row counts.
    pub(crate) counts: &'a [bool],
}

impl SampleRows<'_> {
    /// Coefficients of what the row sees, then the right-hand side.
    #[inline(always)]
    pub(crate) fn row(&self, r: usize) -> &[f64] {
        &self.values[self.plan.offsets[r]..self.plan.offsets[r + 1]]
    }
}

/// Where everything of a sample's rows comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowPlan {
    /// Start of each row among the values, and the end of the last.
    offsets: Vec<usize>,
    /// Whether the lanes suffice.
    in_lanes: bool,
    /// Lanes: (value, place among the blocks).
    copies: Vec<(usize, usize)>,
    /// Lanes: (right-hand side, place among the blocks, known parameter).
    known_copies: Vec<(usize, usize, f64)>,
    /// Lanes: what drives contribute.
    drives: Vec<DriveEntry>,
    /// Further columns that are unknown: (row, value, extra), and known: (row, right-hand side, extra, parameter).
    extras: Vec<ExtraEntry>,
}

#[derive(Clone, Copy, Debug)]
struct DriveEntry {
    /// Among the values.
    at: usize,
    /// The coordinate, which is the velocity of a tree.
    velocity: usize,
    /// Ia, fv, fc, offset.
    term: usize,
    /// A known parameter moves to the right.
    known: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct ExtraEntry {
    at: usize,
    row: usize,
    extra: usize,
    known: Option<f64>,
}

/// Numbers of a log, how many there are for each sample, and which of them.
pub(crate) type Signal<'d> = (&'d [f64], usize, usize);

/// Where the right-hand sides of a log come from.
struct Bound<'d> {
    dataset: &'d Dataset,
    contacts: Vec<Contact<'d>>,
    /// For each row.
    signals: Vec<Signal<'d>>,
}

impl Problem<'_> {
    /// Lays out the rows for the base parameters as they are.
    pub(super) fn arrange(&mut self) {
        for r in 0..self.rows.len() {
            self.rows[r].sees = self.seen_by(self.rows[r].kind);
        }
        let mechanism = self.mechanism;
        let layout = mechanism.layout();
        let forces = self.rows.iter().all(|row| matches!(row.kind, MeasuredRow::Force(_)));
        let whole = mechanism.configuration_size() == mechanism.tree().configuration_size;
        let mut plan = RowPlan {
            in_lanes: forces && whole && mechanism.closure().is_trivial() && !self.measurement.is_static(),
            offsets: vec![0],
            ..RowPlan::default()
        };
        for row in &self.rows {
            plan.offsets.push(plan.offsets[plan.offsets.len() - 1] + row.sees.len() + 1);
        }
        let (bodies, of_drives) = (10 * self.body_count(), self.analysis.labels.len());
        let driven = self.measurement.driven();
        for (r, row) in self.rows.iter().enumerate() {
            let rhs = plan.offsets[r + 1] - 1;
            let unknown =
                row.sees.iter().enumerate().map(|(k, &b)| (plan.offsets[r] + k, self.base[b].column, None));
            let known = self.known.iter().map(|&(column, value)| (rhs, column, Some(value)));
            let entries: Vec<_> = unknown.chain(known).collect();
            for (at, column, known) in entries {
                if column >= of_drives {
                    plan.extras.push(ExtraEntry { at, row: r, extra: column - of_drives, known });
                    continue;
                }
                let MeasuredRow::Force(force) = row.kind else { continue };
                if !plan.in_lanes {
                    continue;
                }
                if column >= bodies {
                    let (drive, term) = ((column - bodies) / 4, (column - bodies) % 4);
                    if driven[drive].1 == force {
                        plan.drives.push(DriveEntry { at, velocity: force, term, known });
                    }
                } else if let Ok(block) = layout.blocks.binary_search(&(force, column / 10)) {
                    let from = 10 * block + column % 10;
                    match known {
                        None => plan.copies.push((at, from)),
                        Some(value) if value != 0.0 => plan.known_copies.push((at, from, value)),
                        Some(_) => {}
                    }
                }
            }
        }
        self.plan = plan;
    }

    /// sign(v), or what stands for it.
    #[inline(always)]
    fn dry(&self, v: f64) -> f64 {
        match self.dry_friction {
            DryFriction::Sign if v == 0.0 => 0.0,
            DryFriction::Sign => v.signum(),
            DryFriction::Smoothed { speed } => (v / speed).tanh(),
        }
    }

    /// The rows of a state over the base parameters, dense; `currents` are those of the independent coordinates.
    pub(crate) fn coefficients(
        &self,
        state: &Feasible<f64>,
        currents: Option<&[f64]>,
    ) -> Result<Matrix<f64>, IdentificationError> {
        let mut values = vec![0.0; *self.plan.offsets.last().unwrap_or(&0)];
        self.fill(state, currents, &mut values)?;
        let mut out = Matrix::zeros(self.rows.len(), self.base.len());
        for (r, row) in self.rows.iter().enumerate() {
            row.sees.iter().enumerate().for_each(|(k, &b)| out[(r, b)] = values[self.plan.offsets[r] + k]);
        }
        Ok(out)
    }

    /// Writes the rows of a state; what is known goes, negative, to the right-hand sides.
    fn fill(
        &self,
        state: &Feasible<f64>,
        currents: Option<&[f64]>,
        values: &mut [f64],
    ) -> Result<(), IdentificationError> {
        let resting = self.measurement.is_static();
        let signs: Vec<f64> = self
            .measurement
            .driven()
            .iter()
            .map(|(_, velocity)| self.dry(state.velocity[*velocity]))
            .collect();
        let full = self.measurement.rows(self.mechanism, self.mechanism.tree(), state, &signs)?;
        let kinds = self.measurement.measured_rows(self.mechanism);
        let columns = full.columns();
        values.fill(0.0);
        for (r, row) in self.rows.iter().enumerate() {
            // Rows asked for twice are taken once.
            let Some(from) = kinds.iter().position(|kind| *kind == row.kind) else { continue };
            let (first, rhs) = (self.plan.offsets[r], self.plan.offsets[r + 1] - 1);
            for (k, &b) in row.sees.iter().enumerate() {
                let column = self.base[b].column;
                if column < columns {
                    values[first + k] = full[(from, column)];
                }
            }
            values[rhs] -= self
                .known
                .iter()
                .filter(|(c, _)| *c < columns)
                .map(|&(c, x)| full[(from, c)] * x)
                .sum::<f64>();
        }
        if !resting {
            self.fill_extras(state, currents, values);
        }
        Ok(())
    }

    fn fill_extras(&self, state: &Feasible<f64>, currents: Option<&[f64]>, values: &mut [f64]) {
        for entry in &self.plan.extras {
            let MeasuredRow::Force(row) = self.rows[entry.row].kind else { continue };
            let extra = &self.extras[entry.extra];
            let mut force = 0.0;
            if extra.is_gain_of(row) {
                force = -currents.map_or(0.0, |i| i[row]);
            } else {
                let dry = |v: f64| self.dry(v);
                extra.forces(&state.velocity, &state.acceleration, dry, |k, f| {
                    force += reduced(state, k, row) * f
                });
            }
            match entry.known {
                None => values[entry.at] = force,
                Some(value) => values[entry.at] -= force * value,
            }
        }
    }

    fn bind<'d>(&self, dataset: &'d Dataset) -> Result<Bound<'d>, IdentificationError> {
        let contacts = dataset
            .contacts
            .iter()
            .map(|signal| Contact::new(self.mechanism, signal))
            .collect::<Result<_, _>>()?;
        Ok(Bound { dataset, contacts, signals: self.signals(dataset)? })
    }

    /// For each row where it was recorded.
    pub(crate) fn signals<'d>(&self, dataset: &'d Dataset) -> Result<Vec<Signal<'d>>, IdentificationError> {
        let mechanism = self.mechanism;
        let dof = mechanism.dof();
        let missing = |row: &str| {
            let names = mechanism.independent_names();
            let others: Vec<String> =
                (0..dof).filter(|&k| dataset.measured[k]).map(|k| names[k].clone()).collect();
            let others = match others.is_empty() {
                true => "what was recorded".to_owned(),
                false => format!("joints:{}", others.join(",")),
            };
            let (row, measure) = (row.to_owned(), self.measurement.text.clone());
            IdentificationError::NotRecorded { row, measure, others }
        };
        let mut signals: Vec<Signal<'d>> = Vec::new();
        for row in &self.rows {
            signals.push(match row.kind {
                MeasuredRow::Force(k) if dataset.measured[k] => (&dataset.tau, dof, k),
                MeasuredRow::Force(_) => return Err(missing(&row.name)),
                MeasuredRow::BaseWrench(k) => {
                    (dataset.base_wrench.as_deref().ok_or_else(|| missing("the base"))?, 6, k)
                }
                MeasuredRow::JointWrench { body, component } => {
                    let joint = &mechanism.robot().bodies[body].joint.name;
                    let found = dataset.joint_wrenches.iter().find(|signal| signal.place == *joint);
                    (&found.ok_or_else(|| missing(&format!("the sensor in {joint}")))?.values, 6, component)
                }
            });
        }
        Ok(signals)
    }

    /// Runs over the rows of some samples of a log: one accumulator per thread, made by `start`, returned in order.
    pub(crate) fn fold<A: Send>(
        &self,
        dataset: &Dataset,
        range: Range<usize>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &SampleRows<'_>) + Sync,
    ) -> Result<Vec<A>, IdentificationError> {
        let bound = self.bind(dataset)?;
        if self.plan.in_lanes && bound.contacts.is_empty() {
            return self.fold_in_lanes(&bound, range, threads, start, absorb);
        }
        let bounds = split(range, threads);
        if let [whole] = &bounds[..] {
            return Ok(vec![self.fold_states(&bound, whole.clone(), &start, &absorb)?]);
        }
        std::thread::scope(|scope| {
            let (bound, start, absorb) = (&bound, &start, &absorb);
            let running: Vec<_> = bounds
                .into_iter()
                .map(|range| scope.spawn(move || self.fold_states(bound, range, start, absorb)))
                .collect();
            let joined = running.into_iter().map(|worker| match worker.join() {
                Ok(answer) => answer,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        })
    }

    fn fold_in_lanes<A: Send>(
        &self,
        bound: &Bound<'_>,
        range: Range<usize>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &SampleRows<'_>) + Sync,
    ) -> Result<Vec<A>, IdentificationError> {
        let (nq, nv) = (self.mechanism.configuration_size(), self.mechanism.dof());
        let Dataset { q, qd, qdd, .. } = bound.dataset;
        let samples = Samples {
            q: &q[nq * range.start..nq * range.end],
            qd: &qd[nv * range.start..nv * range.end],
            qdd: &qdd[nv * range.start..nv * range.end],
            count: range.len(),
        };
        let plan = &self.plan;
        let size = *plan.offsets.last().unwrap_or(&0);
        let begin = || (start(), vec![0.0; size], vec![true; self.rows.len()]);
        let take = |(own, values, counts): &mut (A, Vec<f64>, Vec<bool>), sample: usize, blocks: &[f64]| {
            let (qd, qdd) = (&samples.qd[nv * sample..][..nv], &samples.qdd[nv * sample..][..nv]);
            let at = range.start + sample;
            for (r, (row, (signal, width, k))) in self.rows.iter().zip(&bound.signals).enumerate() {
                let measured = signal[width * at + k];
                let MeasuredRow::Force(force) = row.kind else { continue };
                let scaled = self.extras.iter().any(|extra| extra.is_gain_of(force));
                values[plan.offsets[r + 1] - 1] = if scaled { 0.0 } else { measured };
                counts[r] = qd[force].abs() >= row.least_speed;
            }
            plan.copies.iter().for_each(|&(to, from)| values[to] = blocks[from]);
            plan.known_copies.iter().for_each(|&(to, from, known)| values[to] -= known * blocks[from]);
            for entry in &plan.drives {
                let x = match entry.term {
                    0 => qdd[entry.velocity],
                    1 => qd[entry.velocity],
                    2 => self.dry(qd[entry.velocity]),
                    _ => 1.0,
                };
                match entry.known {
                    None => values[entry.at] = x,
                    Some(known) => values[entry.at] -= known * x,
                }
            }
            for entry in &plan.extras {
                let MeasuredRow::Force(row) = self.rows[entry.row].kind else { continue };
                let extra = &self.extras[entry.extra];
                let mut force = 0.0;
                if extra.is_gain_of(row) {
                    force = -bound.dataset.tau[nv * at + row];
                } else {
                    extra.forces(qd, qdd, |v| self.dry(v), |k, f| force += if k == row { f } else { 0.0 });
                }
                match entry.known {
                    None => values[entry.at] = force,
                    Some(known) => values[entry.at] -= known * force,
                }
            }
            absorb(own, at, &SampleRows { plan, values, counts });
        };
        let folded = self.mechanism.fold_regressors(&samples, threads, begin, take)?;
        Ok(folded.into_iter().map(|(own, ..)| own).collect())
    }

    fn fold_states<A>(
        &self,
        bound: &Bound<'_>,
        range: Range<usize>,
        start: &impl Fn() -> A,
        absorb: &impl Fn(&mut A, usize, &SampleRows<'_>),
    ) -> Result<A, IdentificationError> {
        let mut own = start();
        let mut values = vec![0.0; *self.plan.offsets.last().unwrap_or(&0)];
        let mut counts = vec![true; self.rows.len()];
        let mut rhs = vec![0.0; self.rows.len()];
        let mut states = States::new(self.mechanism);
        let nv = self.mechanism.dof();
        for sample in range {
            let state = states.at(bound.dataset, sample)?;
            let currents = &bound.dataset.tau[nv * sample..][..nv];
            self.fill(&state, Some(currents), &mut values)?;
            let contacts = match bound.contacts.is_empty() {
                true => vec![0.0; self.rows.len()],
                false => self.contact_forces(&state, &bound.contacts, sample),
            };
            for (r, (row, (signal, width, k))) in self.rows.iter().zip(&bound.signals).enumerate() {
                let scaled = match row.kind {
                    MeasuredRow::Force(force) => {
                        counts[r] = bound.dataset.qd[nv * sample + force].abs() >= row.least_speed;
                        self.extras.iter().any(|extra| extra.is_gain_of(force))
                    }
                    _ => false,
                };
                rhs[r] = contacts[r] + if scaled { 0.0 } else { signal[width * sample + k] };
                values[self.plan.offsets[r + 1] - 1] += rhs[r];
            }
            absorb(&mut own, sample, &SampleRows { plan: &self.plan, values: &values, counts: &counts });
        }
        Ok(own)
    }
}

/// Feasible states of consecutive samples, each closed from the one before where that is near.
pub(crate) struct States<'m> {
    mechanism: &'m steiner_dynamics::Mechanism,
    last: Option<Vec<f64>>,
}

/// Farther than this from the last sample, rad or m, a closure starts at the reference.
const NEAR: f64 = 0.05;

impl<'m> States<'m> {
    pub(crate) fn new(mechanism: &'m steiner_dynamics::Mechanism) -> Self {
        States { mechanism, last: None }
    }

    pub(crate) fn at(
        &mut self,
        dataset: &Dataset,
        sample: usize,
    ) -> Result<Feasible<f64>, IdentificationError> {
        let mechanism = self.mechanism;
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        let q = &dataset.q[nq * sample..][..nq];
        let near = self
            .last
            .take()
            .filter(|last| mechanism.independent_part(last).iter().zip(q).all(|(a, b)| (a - b).abs() < NEAR));
        let tree_q = match near {
            Some(start) => mechanism.tree_configuration_from(q, &start)?,
            None => mechanism.tree_configuration(q)?,
        };
        let (qd, qdd) = (&dataset.qd[nv * sample..][..nv], &dataset.qdd[nv * sample..][..nv]);
        let state = mechanism.closure().feasible(mechanism.plan(), &tree_q, qd, qdd)?;
        self.last = Some(tree_q);
        Ok(state)
    }
}

/// Samples that are worth a thread of their own.
const WORTH_A_THREAD: usize = 64;

fn split(range: Range<usize>, threads: NonZeroUsize) -> Vec<Range<usize>> {
    let count = threads.get().min(range.len() / WORTH_A_THREAD).max(1);
    let size = range.len().div_ceil(count).max(1);
    (0..count)
        .map(|k| (range.start + k * size).min(range.end)..(range.start + (k + 1) * size).min(range.end))
        .collect()
}
