//! One pass over samples: rows in SIMD lanes where trees are measured by forces alone, else state by state.

use std::num::NonZeroUsize;
use std::ops::Range;

use steiner_dynamics::{Feasible, Mechanism, Samples};
use steiner_identifiability::MeasuredRow;
use steiner_linalg::parts_in_parallel;
use steiner_logs::Recording;

use super::Problem;
use super::columns::TreeMotion;
use super::rows::{Bound, OwnRows, SampleRows};
use crate::failure::IdentificationError;

impl Problem {
    /// Runs over the rows of some samples of a log: one accumulator per thread, made
    /// by `start`, returned in order. Where forces were filtered, rows pass the same filter.
    pub(crate) fn fold<A: Send>(
        &self,
        recording: &Recording,
        range: Range<usize>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &SampleRows<'_>) + Sync,
    ) -> Result<Vec<A>, IdentificationError> {
        match &recording.around {
            Some(around) => self.fold_filtered((recording, around), range, threads, start, absorb),
            None => self.fold_instants(recording, range, threads, start, absorb),
        }
    }

    /// As [`Problem::fold`], with the rows of the instants as they are.
    pub(super) fn fold_instants<A: Send>(
        &self,
        recording: &Recording,
        range: Range<usize>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &SampleRows<'_>) + Sync,
    ) -> Result<Vec<A>, IdentificationError> {
        self.fold_bound(&self.bind(recording)?, range, threads, start, absorb)
    }

    pub(super) fn fold_bound<A: Send>(
        &self,
        bound: &Bound<'_>,
        range: Range<usize>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &SampleRows<'_>) + Sync,
    ) -> Result<Vec<A>, IdentificationError> {
        if self.plan.in_lanes && bound.contacts.is_empty() {
            return self.fold_in_lanes(bound, range, threads, start, absorb);
        }
        let parts = split(range, threads);
        let of_part = |_, range| {
            let mut own = start();
            self.absorb_states(bound, range, &mut |sample, rows| absorb(&mut own, sample, rows))?;
            Ok(own)
        };
        parts_in_parallel(parts, of_part).into_iter().collect()
    }

    /// As [`Problem::fold`], with the rows of instruments (the same samples, other motion) beside those of the log.
    pub(crate) fn fold_with_instruments<A: Send>(
        &self,
        (recording, instruments): (&Recording, &Recording),
        range: Range<usize>,
        threads: NonZeroUsize,
        start: impl Fn() -> A + Sync,
        absorb: impl Fn(&mut A, usize, &SampleRows<'_>, &SampleRows<'_>) + Sync,
    ) -> Result<Vec<A>, IdentificationError> {
        let (plan, width) = (&self.plan, *self.plan.offsets.last().unwrap_or(&0));
        let mut out = Vec::new();
        for from in range.clone().step_by(HELD) {
            let part = from..(from + HELD).min(range.end);
            let hold =
                |own: &mut Vec<f64>, _: usize, rows: &SampleRows<'_>| own.extend_from_slice(rows.values);
            let held = self.fold(instruments, part.clone(), threads, Vec::new, hold)?.concat();
            out.extend(self.fold(recording, part, threads, &start, |own, at, rows| {
                let values = &held[width * (at - from)..][..width];
                let beside = SampleRows { plan, values, measured: rows.measured, counts: rows.counts };
                absorb(own, at, rows, &beside);
            })?);
        }
        Ok(out)
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
        let Recording { q, qd, qdd, .. } = bound.recording;
        let samples = Samples {
            q: &q[nq * range.start..nq * range.end],
            qd: &qd[nv * range.start..nv * range.end],
            qdd: &qdd[nv * range.start..nv * range.end],
            count: range.len(),
        };
        let begin = || (start(), OwnRows::new(&self.plan));
        let take = |(own, scratch): &mut (A, OwnRows), sample: usize, blocks: &[f64]| {
            let at = range.start + sample;
            self.rows_of_blocks(bound, at, blocks, scratch);
            absorb(own, at, &scratch.rows(&self.plan));
        };
        let folded = self.mechanism.fold_regressors(&samples, threads, begin, take)?;
        Ok(folded.into_iter().map(|(own, _)| own).collect())
    }

    /// The rows of a sample from the blocks of its regressor.
    fn rows_of_blocks(&self, bound: &Bound<'_>, at: usize, blocks: &[f64], scratch: &mut OwnRows) {
        let (nq, nv) = (self.mechanism.configuration_size(), self.mechanism.dof());
        let Recording { q, qd, qdd, .. } = bound.recording;
        let (q, qd, qdd) = (&q[nq * at..][..nq], &qd[nv * at..][..nv], &qdd[nv * at..][..nv]);
        let plan = &self.plan;
        let OwnRows { values, measured, counts } = scratch;
        for (r, (row, (signal, width, k))) in self.rows.iter().zip(&bound.signals).enumerate() {
            let MeasuredRow::Force(force) = row.kind else { continue };
            let scaled = self.extras.iter().any(|extra| extra.is_gain_of(force));
            measured[r] = if scaled { 0.0 } else { signal[width * at + k] };
            values[plan.offsets[r + 1] - 1] = measured[r];
            counts[r] = qd[force].abs() >= bound.least_speeds[r];
        }
        plan.copies.iter().for_each(|&(to, from)| values[to] = blocks[from]);
        plan.known_copies.iter().for_each(|&(to, from, known)| values[to] -= known * blocks[from]);
        let taken_off = |r: usize| measured[r] - values[plan.offsets[r + 1] - 1];
        let mut known_loads: Vec<f64> = (0..plan.loads.len()).map(taken_off).collect();
        for entry in &plan.drives {
            let x = match entry.term {
                0 => qdd[entry.velocity],
                1 => qd[entry.velocity],
                2 => {
                    let speed = qd[entry.velocity];
                    bound.friction.of_drive(entry.drive, at, self.dry_friction, speed)
                }
                _ => 1.0,
            };
            match entry.known {
                None => values[entry.at] = x,
                Some(known) => {
                    values[entry.at] -= known * x;
                    let load = known_loads.get_mut(entry.row).filter(|_| entry.is_load);
                    load.into_iter().for_each(|load| *load += known * x);
                }
            }
        }
        let loads = plan.load(values, |r| known_loads[r]);
        for entry in &plan.extras {
            let MeasuredRow::Force(row) = self.rows[entry.row].kind else { continue };
            let extra = &self.extras[entry.extra];
            let mut force = 0.0;
            if extra.is_gain_of(row) {
                force = -bound.recording.tau[nv * at + row];
            } else {
                let friction = |v: f64| bound.friction.of_extra(entry.extra, at, self.law_of(extra), v);
                let load = loads.get(entry.row).copied().unwrap_or(0.0);
                let motion = TreeMotion { q, velocity: qd, acceleration: qdd };
                extra.forces(motion, friction, load, |k, f| force += if k == row { f } else { 0.0 });
            }
            match entry.known {
                None => values[entry.at] = force,
                Some(known) => values[entry.at] -= known * force,
            }
        }
    }

    fn absorb_states(
        &self,
        bound: &Bound<'_>,
        range: Range<usize>,
        absorb: &mut dyn FnMut(usize, &SampleRows<'_>),
    ) -> Result<(), IdentificationError> {
        let mut scratch = OwnRows::new(&self.plan);
        let mut states = States::new(&self.mechanism);
        let nv = self.mechanism.dof();
        for sample in range {
            let (q, state) = states.at(bound.recording, sample)?;
            let currents = &bound.recording.tau[nv * sample..][..nv];
            self.fill((q, &state), Some(currents), (&bound.friction, sample), &mut scratch.values)?;
            let contacts = match bound.contacts.is_empty() {
                true => vec![0.0; self.rows.len()],
                false => self.contact_forces(&state, &bound.contacts, sample),
            };
            for (r, (row, (signal, width, k))) in self.rows.iter().zip(&bound.signals).enumerate() {
                let scaled = match row.kind {
                    MeasuredRow::Force(force) => {
                        scratch.counts[r] =
                            bound.recording.qd[nv * sample + force].abs() >= bound.least_speeds[r];
                        self.extras.iter().any(|extra| extra.is_gain_of(force))
                    }
                    _ => false,
                };
                let recorded = if scaled { 0.0 } else { signal[width * sample + k] };
                scratch.values[self.plan.offsets[r + 1] - 1] += contacts[r] + recorded;
                // A leg that carries a robot: torque and contact nearly cancel, and residuals are beside the larger.
                let is_joint = matches!(row.kind, MeasuredRow::Force(_)) && recorded != 0.0;
                let larger = if recorded.abs() > contacts[r].abs() { recorded } else { contacts[r] };
                scratch.measured[r] = if is_joint { larger } else { contacts[r] + recorded };
            }
            absorb(sample, &scratch.rows(&self.plan));
        }
        Ok(())
    }
}

/// Samples whose instruments are held at a time.
const HELD: usize = 4096;

/// Feasible states of consecutive samples, each closed from the one before where that is near.
pub(crate) struct States<'m> {
    mechanism: &'m Mechanism,
    last: Option<Vec<f64>>,
}

/// Farther than this from the last sample, rad or m, a closure starts at the reference.
const NEAR: f64 = 0.05;

impl<'m> States<'m> {
    pub(crate) fn new(mechanism: &'m Mechanism) -> Self {
        States { mechanism, last: None }
    }

    /// The configuration of the tree, and the state.
    pub(crate) fn at(
        &mut self,
        recording: &Recording,
        sample: usize,
    ) -> Result<(&[f64], Feasible<f64>), IdentificationError> {
        let mechanism = self.mechanism;
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        let q = &recording.q[nq * sample..][..nq];
        let near = self
            .last
            .take()
            .filter(|last| mechanism.independent_part(last).iter().zip(q).all(|(a, b)| (a - b).abs() < NEAR));
        let tree_q = match near {
            Some(start) => mechanism.tree_configuration_from(q, &start)?,
            None => mechanism.tree_configuration(q)?,
        };
        let (qd, qdd) = (&recording.qd[nv * sample..][..nv], &recording.qdd[nv * sample..][..nv]);
        let state = mechanism.closure().feasible(mechanism.plan(), &tree_q, qd, qdd)?;
        Ok((self.last.insert(tree_q), state))
    }
}

/// Samples that are worth a thread of their own.
const WORTH_A_THREAD: usize = 64;

pub(super) fn split(range: Range<usize>, threads: NonZeroUsize) -> Vec<Range<usize>> {
    let count = threads.get().min(range.len() / WORTH_A_THREAD).max(1);
    let size = range.len().div_ceil(count).max(1);
    (0..count)
        .map(|k| (range.start + k * size).min(range.end)..(range.start + (k + 1) * size).min(range.end))
        .collect()
}
