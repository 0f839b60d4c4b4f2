//! Which sensors would show a parameter: every set that is advised was tried.
//!
//! A parameter is found alone if its unit row is a combination of rows of the regressor. Where rows are exact, such a
//! combination proves it, and takes far less work than a nullspace: rows of what is measured anyway are taken once,
//! and those of each further sensor are put beside them. Where loops close, rows are those of curves through the
//! file's configuration, which see no more than there is. Where the field would round the geometry, each set is asked
//! for its nullspace.

use steiner_dynamics::Mechanism;
use steiner_linalg::span::Span;
use steiner_linalg::{Stream, checkpoint};
use steiner_robot::{JointKind, Sensor, SensorSet, inertial_count};
use steiner_scalar::{Field, Fp};

use crate::analysis::Question;
use crate::completion::structural_nullspace;
use crate::error::IdentifiabilityError;
use crate::field::{LONG, SHORT};
use crate::measure::Measurement;
use crate::sampling::{Curves, Rational, RowSource, Start};
use crate::stack::QUIET_STATES;

/// Sets that are tried: where rows are exact, and by nullspaces of trees and of mechanisms with loops.
const MOST_TRIALS: usize = 60;
const MOST_NULLSPACES: usize = 40;
const MOST_NULLSPACES_WITH_LOOPS: usize = 2;

/// Sensor sets that were tried, and what each finds alone.
pub(crate) struct Trials<'a> {
    mechanism: &'a Mechanism,
    question: &'a Question,
    /// What is measured anyway.
    measurement: &'a Measurement,
    /// Parameters that are not found alone.
    wanted: &'a [String],
    exact: Option<ExactRows>,
    /// What each set adds: which of those wanted are found alone with it; nothing where it has no answer.
    asked: Vec<(SensorSet, Vec<String>)>,
    most: usize,
}

impl<'a> Trials<'a> {
    pub(crate) fn new(
        mechanism: &'a Mechanism,
        question: &'a Question,
        measurement: &'a Measurement,
        wanted: &'a [String],
    ) -> Result<Self, IdentifiabilityError> {
        let exact = match wanted {
            [] => None,
            _ => ExactRows::new(mechanism, measurement)?,
        };
        let most = match (&exact, mechanism.robot().loops.is_empty()) {
            (Some(_), _) => MOST_TRIALS,
            (None, true) => MOST_NULLSPACES,
            (None, false) => MOST_NULLSPACES_WITH_LOOPS,
        };
        Ok(Trials { mechanism, question, measurement, wanted, exact, asked: Vec::new(), most })
    }

    /// The first set, cheap ones before dear ones, with which a parameter is found alone.
    pub(crate) fn sensors_for(&mut self, label: &str) -> Option<SensorSet> {
        self.candidates(label).into_iter().find(|set| self.finds(set, label))
    }

    fn finds(&mut self, set: &SensorSet, label: &str) -> bool {
        if let Some((_, alone)) = self.asked.iter().find(|(asked, _)| asked == set) {
            return alone.iter().any(|found| found == label);
        }
        if self.asked.len() >= self.most {
            return false;
        }
        // A sensor that cannot be where it is tried, inside a loop for one, is no advice.
        let alone = self.found_alone(set).unwrap_or_default();
        self.asked.push((set.clone(), alone));
        self.asked.last().is_some_and(|(_, alone)| alone.iter().any(|found| found == label))
    }

    fn found_alone(&self, set: &SensorSet) -> Result<Vec<String>, IdentifiabilityError> {
        if let Some(rows) = &self.exact {
            let further = Measurement::new(set, self.mechanism)?.with_drives_of(self.measurement);
            return rows.found_alone(self.mechanism, &further, self.wanted);
        }
        let sensors = self.question.measure.with(set);
        let measurement = Measurement::new(&sensors, self.mechanism)?.with_drives_of(self.measurement);
        let mut labels = measurement.labels(self.mechanism);
        let mut known = self.question.known.clone();
        known.retain(|(label, _)| labels.contains(label));
        let measurement = measurement.with_known(self.mechanism, &known)?;
        let nullspace = structural_nullspace(self.mechanism, &measurement)?;
        let mut changed = vec![false; labels.len()];
        nullspace.vectors.iter().flat_map(|v| &v.entries).for_each(|(c, _)| changed[*c] = true);
        let mut changed = changed.into_iter();
        labels.retain(|_| changed.next() == Some(false));
        Ok(labels)
    }

    /// Sensors that may show a parameter: the torque of its joint, all torques in motion, a force plate, a
    /// force–torque sensor before its body, and one behind it as well. Before a link at rest is the force plate.
    fn candidates(&self, label: &str) -> Vec<SensorSet> {
        let robot = self.mechanism.robot();
        let owner = label.rsplit_once('.').map_or(label, |(owner, _)| owner);
        let body = robot.bodies.iter().position(|body| body.name == owner || body.joint.name == owner);
        let measured = self.question.measure.sensors();
        let has = |sensor: &Sensor| measured.contains(sensor);
        let mut out: Vec<Vec<Sensor>> = Vec::new();
        if !has(&Sensor::All) {
            let torque = |b: usize| Sensor::Joints(vec![robot.bodies[b].joint.name.clone()]);
            out.extend(body.map(|body| vec![torque(body)]));
            out.push(vec![Sensor::All]);
        }
        if !has(&Sensor::BaseWrench) {
            out.push(vec![Sensor::BaseWrench]);
        }
        let inside = |b: usize| Sensor::JointWrench(robot.bodies[b].joint.name.clone());
        // Nothing is inside the joint of a body that floats.
        let is_fixed = |b: &usize| robot.bodies[*b].joint.kind != JointKind::Floating;
        let carried = |k: &usize| robot.bodies[*k].parent.map(|parent| parent.0) == body;
        let children = (0..robot.bodies.len()).filter(carried).filter(is_fixed).map(inside);
        let children: Vec<Sensor> = children.filter(|sensor| !has(sensor)).collect();
        let own = match body {
            Some(body) => is_fixed(&body).then(|| inside(body)),
            None => Some(Sensor::BaseWrench),
        };
        let own = own.filter(|sensor| !has(sensor));
        out.extend(own.iter().map(|own| vec![own.clone()]));
        if !children.is_empty() {
            out.push(children.clone());
            out.extend(own.map(|own| std::iter::once(own).chain(children).collect()));
        }
        out.into_iter().map(SensorSet::new).collect()
    }
}

/// Rows of what is measured anyway, over all parameters that a sensor may show: those of moving bodies and drives,
/// then those of bodies on the ground.
struct ExactRows {
    seen: Span<Fp>,
    labels: Vec<String>,
    /// Parameters of moving bodies and drives.
    moving: usize,
}

impl ExactRows {
    /// `None` where the field has no such rows, or only those of a rounded geometry.
    fn new(mechanism: &Mechanism, measurement: &Measurement) -> Result<Option<Self>, IdentifiabilityError> {
        let weighed = measurement.set().with(&SensorSet::new(vec![Sensor::BaseWrench]));
        let weighed = Measurement::new(&weighed, mechanism)?.with_drives_of(measurement);
        let mut labels = weighed.labels(mechanism);
        labels.rotate_left(inertial_count(weighed.ground_count()));
        let moving = labels.len() - inertial_count(weighed.ground_count());
        let mut rows = ExactRows { seen: Span::new(0.0), labels, moving };
        let known = measurement.labels(mechanism);
        for (column, _) in measurement.known() {
            if let Some(row) = rows.unit(&known[*column]) {
                rows.seen.insert(row);
            }
        }
        Ok(rows.with(mechanism, measurement)?.map(|seen| ExactRows { seen, ..rows }))
    }

    /// Which of some parameters are found alone if something further is measured.
    fn found_alone(
        &self,
        mechanism: &Mechanism,
        further: &Measurement,
        wanted: &[String],
    ) -> Result<Vec<String>, IdentifiabilityError> {
        let Some(seen) = self.with(mechanism, further)? else { return Ok(Vec::new()) };
        let alone = |label: &&String| self.unit(label).is_some_and(|row| !seen.admits(&row));
        Ok(wanted.iter().filter(alone).cloned().collect())
    }

    fn unit(&self, label: &str) -> Option<Vec<Fp>> {
        let column = self.labels.iter().position(|other| other == label)?;
        Some((0..self.labels.len()).map(|c| if c == column { Fp::one() } else { Fp::zero() }).collect())
    }

    /// These rows, with those of a measurement beside them.
    fn with(
        &self,
        mechanism: &Mechanism,
        measurement: &Measurement,
    ) -> Result<Option<Span<Fp>>, IdentifiabilityError> {
        if let Some(rows) = Rational::<Fp>::new(mechanism, measurement, 1, Stream::residue)? {
            return match rows.is_exact() {
                true => self.beside(rows.with_all_rows(), measurement),
                false => Ok(None),
            };
        }
        // One coordinate has one curve, whose coefficients must be as many as what they tell apart.
        match mechanism.dof() {
            0 | 1 => self.along::<LONG>(mechanism, measurement),
            _ => self.along::<SHORT>(mechanism, measurement),
        }
    }

    fn along<const N: usize>(
        &self,
        mechanism: &Mechanism,
        measurement: &Measurement,
    ) -> Result<Option<Span<Fp>>, IdentifiabilityError> {
        match Curves::<N>::new(mechanism, measurement, Start::File)? {
            Some(rows) if rows.is_exact() => self.beside(rows, measurement),
            _ => Ok(None),
        }
    }

    fn beside(
        &self,
        mut source: impl RowSource<Number = Fp>,
        measurement: &Measurement,
    ) -> Result<Option<Span<Fp>>, IdentifiabilityError> {
        let mut seen = self.seen.clone();
        let ground = inertial_count(measurement.ground_count());
        let mut nothing_new = 0;
        let mut weights = Stream::new(29);
        while nothing_new < QUIET_STATES {
            checkpoint();
            let rows = match source.rows() {
                Err(IdentifiabilityError::TooFewConfigurations { .. }) => return Ok(None),
                rows => rows?,
            };
            let placed = |row: &[Fp]| {
                let (on_ground, others) = row.split_at(ground);
                let mut row = others.to_vec();
                row.resize(self.moving, Fp::zero());
                row.extend_from_slice(on_ground);
                row.resize(self.labels.len(), Fp::zero());
                row
            };
            // A random sum of rows is nothing new only if none of them is, but for a coincidence modulo p.
            let factors: Vec<Fp> = (0..rows.rows()).map(|_| weights.residue()).collect();
            let sum = rows.transpose().apply(&factors);
            if !seen.admits(&placed(&sum)) {
                nothing_new += 1;
                continue;
            }
            nothing_new = 0;
            (0..rows.rows()).for_each(|r| _ = seen.insert(placed(rows.row(r))));
        }
        Ok(Some(seen))
    }
}
