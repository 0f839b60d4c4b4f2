//! The rows of every sample: over the base parameters, with the right-hand side behind them.
//! Where each number comes from is laid out once; `passes.rs` runs over the samples.

use std::sync::Arc;

use steiner_dynamics::Feasible;
use steiner_identifiability::MeasuredRow;
use steiner_linalg::elimination::Matrix;
use steiner_logs::Recording;
use steiner_robot::{inertial_body, inertial_count, inertial_slot};

use super::columns::TreeMotion;
use super::contacts::{Contact, reduced};
use super::friction::CarriedFriction;
use super::{MeasuredForce, Problem};
use crate::failure::IdentificationError;

/// The rows of one sample.
pub(crate) struct SampleRows<'a> {
    pub(super) plan: &'a RowPlan,
    pub(super) values: &'a [f64],
    /// What residuals of each row are beside: what was measured, with the forces of contacts (of joints the larger
    /// of both, which may nearly cancel) and before known parameters are taken off; where a current was recorded,
    /// contacts alone.
    pub(crate) measured: &'a [f64],
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

/// The rows of a sample that are still to be filled, or to be kept.
pub(super) struct OwnRows {
    pub(super) values: Vec<f64>,
    pub(super) measured: Vec<f64>,
    pub(super) counts: Vec<bool>,
}

impl OwnRows {
    pub(super) fn new(plan: &RowPlan) -> Self {
        let rows = plan.offsets.len().saturating_sub(1);
        let size = *plan.offsets.last().unwrap_or(&0);
        OwnRows { values: vec![0.0; size], measured: vec![0.0; rows], counts: vec![true; rows] }
    }

    pub(super) fn copied(rows: &SampleRows<'_>) -> Self {
        OwnRows {
            values: rows.values.to_vec(),
            measured: rows.measured.to_vec(),
            counts: rows.counts.to_vec(),
        }
    }

    pub(super) fn rows<'a>(&'a self, plan: &'a RowPlan) -> SampleRows<'a> {
        SampleRows { plan, values: &self.values, measured: &self.measured, counts: &self.counts }
    }
}

/// Where everything of a sample's rows comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowPlan {
    /// Start of each row among the values, and the end of the last.
    pub(super) offsets: Vec<usize>,
    /// Whether the lanes suffice.
    pub(super) in_lanes: bool,
    /// Lanes: (value, place among the blocks).
    pub(super) copies: Vec<(usize, usize)>,
    /// Lanes: (right-hand side, place among the blocks, known parameter).
    pub(super) known_copies: Vec<(usize, usize, f64)>,
    /// Lanes: what drives contribute.
    pub(super) drives: Vec<DriveEntry>,
    /// Further columns that are unknown: (row, value, extra), and known: (row,
    /// right-hand side, extra, parameter).
    pub(super) extras: Vec<ExtraEntry>,
    /// For each row what inertia and gravity of bodies ask of it (with the inertia of a drive where no force tells
    /// it from theirs): (value, base parameter's value), empty where nothing depends on it.
    pub(super) loads: Vec<Vec<(usize, f64)>>,
}

impl RowPlan {
    /// What inertia and gravity ask of each row, where something depends on it; `known` of each row is the part
    /// of parameters that are known.
    pub(super) fn load(&self, values: &[f64], known: impl Fn(usize) -> f64) -> Vec<f64> {
        let of_row = |(r, terms): (usize, &Vec<(usize, f64)>)| {
            known(r) + terms.iter().map(|&(at, x)| values[at] * x).sum::<f64>()
        };
        self.loads.iter().enumerate().map(of_row).collect()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct DriveEntry {
    /// Among the values.
    pub(super) at: usize,
    pub(super) row: usize,
    /// Whether it is a part of the joint's load.
    pub(super) is_load: bool,
    /// Among the drives.
    pub(super) drive: usize,
    /// The coordinate, which is the velocity of a tree.
    pub(super) velocity: usize,
    /// Ia, fv, fc, offset.
    pub(super) term: usize,
    /// A known parameter moves to the right.
    pub(super) known: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ExtraEntry {
    pub(super) at: usize,
    pub(super) row: usize,
    pub(super) extra: usize,
    pub(super) known: Option<f64>,
}

/// Numbers of a log, how many there are for each sample, and which of them.
pub(crate) type Signal<'d> = (&'d [f64], usize, usize);

/// Where the right-hand sides of a log come from.
pub(super) struct Bound<'d> {
    pub(super) recording: &'d Recording,
    pub(super) contacts: Vec<Contact<'d>>,
    /// For each row.
    pub(super) signals: Vec<Signal<'d>>,
    /// For each row the speed below which it does not count, rad/s or m/s.
    pub(super) least_speeds: Vec<f64>,
    pub(super) friction: CarriedFriction<'d>,
}

impl Problem {
    /// Lays out the rows for the base parameters as they are.
    pub(super) fn arrange(&mut self) {
        for r in 0..self.rows.len() {
            self.rows[r].sees = self.seen_by(self.rows[r].kind);
        }
        let mechanism = Arc::clone(&self.mechanism);
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
        let (bodies, of_drives) = (inertial_count(self.body_count()), self.analysis.labels.len());
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
                        let (row, is_load) = (r, self.is_load(column));
                        plan.drives.push(DriveEntry {
                            at,
                            row,
                            is_load,
                            drive,
                            velocity: force,
                            term,
                            known,
                        });
                    }
                } else if let Ok(block) = layout.blocks.binary_search(&(force, inertial_body(column))) {
                    let from = inertial_count(block) + inertial_slot(column);
                    match known {
                        None => plan.copies.push((at, from)),
                        Some(value) if value != 0.0 => plan.known_copies.push((at, from, value)),
                        Some(_) => {}
                    }
                }
            }
        }
        if !self.load_by.is_empty() {
            let of_row = |(r, row): (usize, &MeasuredForce)| {
                let own = |(k, &b): (usize, &usize)| (plan.offsets[r] + k, b);
                let inertial = |&(_, b): &(usize, usize)| self.is_load(self.base[b].column);
                let loaded = plan
                    .extras
                    .iter()
                    .any(|entry| entry.row == r && self.extras[entry.extra].depends_on_load());
                let terms = row.sees.iter().enumerate().filter(|_| loaded).map(own).filter(inertial);
                terms.map(|(at, b)| (at, self.load_by[b])).collect()
            };
            plan.loads = self.rows.iter().enumerate().map(of_row).collect();
        }
        self.plan = plan;
    }

    /// Whether a parameter of bodies or drives is a part of the load of joints.
    fn is_load(&self, column: usize) -> bool {
        let bodies = inertial_count(self.body_count());
        let is_rotor = |c: usize| {
            let drive = self.measurement.driven().get(c / 4).map(|(_, velocity)| *velocity);
            c.is_multiple_of(4) && drive.is_some_and(|velocity| self.load_rotors.contains(&velocity))
        };
        column < bodies || !self.load_rotors.is_empty() && is_rotor(column - bodies)
    }

    /// The rows of a motion of the independent coordinates, with minus what is known on the right; into `values`.
    pub(crate) fn rows_at<'v>(
        &'v self,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
        values: &'v mut Vec<f64>,
    ) -> Result<SampleRows<'v>, IdentificationError> {
        values.resize(*self.plan.offsets.last().unwrap_or(&0), 0.0);
        let state = self.mechanism.feasible(q, qd, qdd)?;
        self.fill((q, &state), None, (&CarriedFriction::default(), 0), values)?;
        Ok(SampleRows { plan: &self.plan, values, measured: &[], counts: &[] })
    }

    /// The rows of a state over the base parameters, dense; `q` is the configuration of the tree, and `currents`
    /// are those of the independent coordinates.
    pub(crate) fn coefficients(
        &self,
        q: &[f64],
        state: &Feasible<f64>,
        currents: Option<&[f64]>,
    ) -> Result<Matrix<f64>, IdentificationError> {
        let mut values = vec![0.0; *self.plan.offsets.last().unwrap_or(&0)];
        self.fill((q, state), currents, (&CarriedFriction::default(), 0), &mut values)?;
        let mut out = Matrix::zeros(self.rows.len(), self.base.len());
        for (r, row) in self.rows.iter().enumerate() {
            row.sees.iter().enumerate().for_each(|(k, &b)| out[(r, b)] = values[self.plan.offsets[r] + k]);
        }
        Ok(out)
    }

    /// Writes the rows of a state; what is known goes, negative, to the right-hand sides. Dry friction is
    /// what is carried at a sample, if anything is.
    pub(super) fn fill(
        &self,
        (q, state): (&[f64], &Feasible<f64>),
        currents: Option<&[f64]>,
        friction: (&CarriedFriction<'_>, usize),
        values: &mut [f64],
    ) -> Result<(), IdentificationError> {
        let resting = self.measurement.is_static();
        let signs: Vec<f64> = self
            .measurement
            .driven()
            .iter()
            .enumerate()
            .map(|(drive, (_, velocity))| {
                friction.0.of_drive(drive, friction.1, self.dry_friction, state.velocity[*velocity])
            })
            .collect();
        let full = self.measurement.rows(&self.mechanism, self.mechanism.tree(), state, &signs)?;
        let kinds = self.measurement.measured_rows(&self.mechanism);
        let columns = full.columns();
        values.fill(0.0);
        let mut known_loads = vec![0.0; self.plan.loads.len()];
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
            let known = |counts: &dyn Fn(usize) -> bool| {
                let known = self.known.iter().filter(|(c, _)| *c < columns && counts(*c));
                known.map(|&(c, x)| full[(from, c)] * x).sum::<f64>()
            };
            values[rhs] -= known(&|_| true);
            if !self.plan.loads.is_empty() {
                known_loads[r] = known(&|c| self.is_load(c));
            }
        }
        if !resting {
            let loads = self.plan.load(values, |r| known_loads[r]);
            let (velocity, acceleration) = (&state.velocity[..], &state.acceleration[..]);
            let motion = TreeMotion { q, velocity, acceleration };
            self.fill_extras((motion, state), &loads, currents, friction, values);
        }
        Ok(())
    }

    fn fill_extras(
        &self,
        (motion, state): (TreeMotion<'_>, &Feasible<f64>),
        loads: &[f64],
        currents: Option<&[f64]>,
        (carried, sample): (&CarriedFriction<'_>, usize),
        values: &mut [f64],
    ) {
        for entry in &self.plan.extras {
            let MeasuredRow::Force(row) = self.rows[entry.row].kind else { continue };
            let extra = &self.extras[entry.extra];
            let mut force = 0.0;
            if extra.is_gain_of(row) {
                force = -currents.map_or(0.0, |i| i[row]);
            } else {
                let friction = |v: f64| carried.of_extra(entry.extra, sample, self.law_of(extra), v);
                let load = loads.get(entry.row).copied().unwrap_or(0.0);
                extra.forces(motion, friction, load, |k, f| force += reduced(state, k, row) * f);
            }
            match entry.known {
                None => values[entry.at] = force,
                Some(value) => values[entry.at] -= force * value,
            }
        }
    }

    pub(super) fn bind<'d>(&self, recording: &'d Recording) -> Result<Bound<'d>, IdentificationError> {
        let contacts = recording
            .contacts
            .iter()
            .map(|signal| Contact::new(&self.mechanism, signal))
            .chain(Contact::of_ground(&self.mechanism, recording).map(Ok))
            .collect::<Result<_, _>>()?;
        let least_speeds = self.least_speeds(recording);
        let friction = self.carried_friction(recording);
        Ok(Bound { recording, contacts, signals: self.signals(recording)?, least_speeds, friction })
    }

    /// For each row the speed below which it does not count in a log, rad/s or m/s: what was asked for, or
    /// where its coordinate stands if dry friction acts on it. Where only poses at rest are measured all count:
    /// what friction holds is their noise.
    pub(crate) fn least_speeds(&self, recording: &Recording) -> Vec<f64> {
        let one = |row: &MeasuredForce| match (row.least_speed, row.kind) {
            (Some(speed), _) => speed,
            (None, MeasuredRow::Force(k)) if self.has_dry_friction(k) && !self.measurement.is_static() => {
                recording.rest.get(k).copied().unwrap_or(0.0)
            }
            _ => 0.0,
        };
        self.rows.iter().map(one).collect()
    }

    /// Whether dry friction of its own drive acts on an independent coordinate: its fc is
    /// unknown, or known and not zero.
    fn has_dry_friction(&self, independent: usize) -> bool {
        let velocity = self.mechanism.plan().independent[independent];
        let drive = self.measurement.driven().iter().position(|(_, driven)| *driven == velocity);
        drive.is_some_and(|drive| {
            let column = inertial_count(self.body_count()) + 4 * drive + 2;
            self.known.iter().all(|&(known, value)| known != column || value != 0.0)
        })
    }

    /// For each row where it was recorded.
    pub(crate) fn signals<'d>(
        &self,
        recording: &'d Recording,
    ) -> Result<Vec<Signal<'d>>, IdentificationError> {
        let mechanism = &self.mechanism;
        let dof = mechanism.dof();
        let missing = |row: &str| {
            let names = mechanism.independent_names();
            let others: Vec<String> =
                (0..dof).filter(|&k| recording.measured[k]).map(|k| names[k].clone()).collect();
            let others = match others.is_empty() {
                true => "what was recorded".to_owned(),
                false => format!("joints:{}", others.join(",")),
            };
            let wrenches = recording.base_wrench.is_some()
                || !recording.joint_wrenches.is_empty()
                || !recording.contacts.is_empty();
            if !wrenches && recording.measured.iter().all(|measured| !measured) {
                return IdentificationError::NoForces;
            }
            let (row, measure) = (row.to_owned(), self.measurement.set().to_string());
            IdentificationError::NotRecorded { row, measure, others }
        };
        let mut signals: Vec<Signal<'d>> = Vec::new();
        for row in &self.rows {
            signals.push(match row.kind {
                MeasuredRow::Force(k) if recording.measured[k] => (&recording.tau, dof, k),
                MeasuredRow::Force(_) => return Err(missing(&row.name)),
                MeasuredRow::BaseWrench(k) => {
                    (recording.base_wrench.as_deref().ok_or_else(|| missing("the base"))?, 6, k)
                }
                MeasuredRow::JointWrench { body, component } => {
                    let joint = &mechanism.robot().bodies[body].joint.name;
                    let found = recording.joint_wrenches.iter().find(|signal| signal.place == *joint);
                    (&found.ok_or_else(|| missing(&format!("the sensor in {joint}")))?.values, 6, component)
                }
            });
        }
        Ok(signals)
    }
}
