//! What is measured decides what can be identified.

use steiner_dynamics::{DynamicsError, Feasible, Mechanism, Tree, regressor, resting_rows, wrench_rows};
use steiner_files::did_you_mean;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{
    BodyIndex, Coordinate, ParameterBody, ParameterId, ParameterList, Pose, Sensor, SensorSet,
    inertial_columns,
};
use steiner_scalar::Scalar;

use crate::carried::{GroundBody, descendants, ground_bodies, root_rows, standing};
use crate::drives::{DRIVE_PARAMETERS, Drive, drive_row, drives};
use crate::error::IdentifiabilityError;

/// A sensor, resolved for a mechanism.
#[derive(Clone, Debug, PartialEq)]
enum Resolved {
    /// Every generalised force of the independent coordinates.
    All,
    /// The same at rest, in all configurations.
    Static,
    /// Only some rows, by independent coordinate.
    Joints(Vec<usize>),
    /// The wrench between the ground and all that stands on it.
    BaseWrench,
    /// The wrench on bodies that float.
    FloatingRoots,
    /// A force–torque sensor inside the joint of a body.
    JointWrench(usize),
}

/// A [`SensorSet`] resolved for a mechanism, with the parameters that are asked for.
#[derive(Clone, Debug)]
pub struct Measurement {
    set: SensorSet,
    sensors: Vec<Resolved>,
    /// Links at rest on the ground whose weight is measured; their parameters come first.
    ground: Vec<GroundBody>,
    /// Drives whose parameters are asked for; theirs come last.
    drives: Vec<Drive>,
    /// Parameters that are known beforehand, with their values.
    known: Vec<(usize, f64)>,
}

/// What one row of a measurement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuredRow {
    /// The generalised force of an independent coordinate, N·m or N.
    Force(usize),
    /// A component (force x, y, z, N; torque x, y, z, N·m) of the wrench from the ground,
    /// base axes about the base origin.
    BaseWrench(usize),
    /// A component of the wrench that the joint of a body carries, in the body's axes about its origin.
    JointWrench {
        /// The body behind the joint.
        body: usize,
        /// Force x, y, z, then torque x, y, z.
        component: usize,
    },
}

impl Measurement {
    /// Every generalised force of the independent coordinates.
    pub fn all() -> Self {
        Self::of(SensorSet::all(), vec![Resolved::All])
    }

    /// Finds the joints that a set of sensors names.
    pub fn new(set: &SensorSet, mechanism: &Mechanism) -> Result<Self, IdentifiabilityError> {
        let mut measurement = Self::of(set.clone(), Vec::new());
        for sensor in set.sensors() {
            let resolved = match sensor {
                Sensor::All => Resolved::All,
                Sensor::Static => Resolved::Static,
                Sensor::BaseWrench => Resolved::BaseWrench,
                Sensor::Joints(names) => Resolved::Joints(rows_named(mechanism, names)?),
                Sensor::JointWrench(name) => Resolved::JointWrench(sensor_body(mechanism, name)?),
            };
            if resolved == Resolved::BaseWrench && !standing(mechanism).is_empty() {
                measurement.ground = ground_bodies(mechanism);
            }
            // A force plate feels what stands on it; what floats is felt by itself.
            if resolved == Resolved::BaseWrench && !root_rows(mechanism).is_empty() {
                measurement.sensors.push(Resolved::FloatingRoots);
                if standing(mechanism).is_empty() {
                    continue;
                }
            }
            measurement.sensors.push(resolved);
        }
        Ok(measurement)
    }

    fn of(set: SensorSet, sensors: Vec<Resolved>) -> Self {
        Measurement { set, sensors, ground: Vec::new(), drives: Vec::new(), known: Vec::new() }
    }

    /// The sensors it was made from.
    pub fn set(&self) -> &SensorSet {
        &self.set
    }

    /// Asks for the parameters of the drives as well: of every joint with one degree of freedom.
    pub fn with_drives(mut self, mechanism: &Mechanism) -> Result<Self, IdentifiabilityError> {
        self.drives = drives(mechanism)?;
        Ok(self)
    }

    /// Asks for the parameters of the drives that another measurement of the mechanism asks for.
    pub(crate) fn with_drives_of(mut self, other: &Measurement) -> Self {
        self.drives.clone_from(&other.drives);
        self
    }

    /// Takes parameters as known: (label, value).
    pub fn with_known(
        mut self,
        mechanism: &Mechanism,
        known: &[(String, f64)],
    ) -> Result<Self, IdentifiabilityError> {
        let labels = self.labels(mechanism);
        for (label, value) in known {
            let column = column_named(mechanism, &labels, label)?;
            if self.known.iter().any(|(other, _)| *other == column) {
                let robot = mechanism.robot().name.clone();
                return Err(IdentifiabilityError::GivenTwice { robot, label: label.clone() });
            }
            self.known.push((column, *value));
        }
        self.known.sort_by_key(|(column, _)| *column);
        Ok(self)
    }

    /// What is known beforehand: (column, value), ascending.
    pub fn known(&self) -> &[(usize, f64)] {
        &self.known
    }

    /// Drives whose parameters are asked for.
    pub(crate) fn drives(&self) -> &[Drive] {
        &self.drives
    }

    /// Whether it is the plain question, `all`, about moving bodies alone with nothing known.
    pub(crate) fn is_all(&self) -> bool {
        self.sensors == [Resolved::All] && self.drives.is_empty() && self.known.is_empty()
    }

    /// Whether the forces of all joints are measured, in all motions or at rest, and asked about moving bodies
    /// alone with nothing known.
    pub(crate) fn is_of_all_joints(&self) -> bool {
        let all = |sensor: &Resolved| matches!(sensor, Resolved::All | Resolved::Static);
        let alone = self.ground.is_empty() && self.drives.is_empty() && self.known.is_empty();
        alone && !self.sensors.is_empty() && self.sensors.iter().all(all)
    }

    /// Whether every row is about what one joint carries: none about all that stands on the ground.
    pub(crate) fn is_about_joints(&self) -> bool {
        let joint = |sensor: &Resolved| !matches!(sensor, Resolved::BaseWrench | Resolved::FloatingRoots);
        self.ground.is_empty() && self.sensors.iter().all(joint)
    }

    /// The same question to the same mechanism in another form.
    pub(crate) fn again(
        &self,
        mechanism: &Mechanism,
        other: &Mechanism,
    ) -> Result<Self, IdentifiabilityError> {
        let mut asked = Measurement::new(&self.set, other)?;
        if !self.drives.is_empty() {
            asked = asked.with_drives(other)?;
        }
        let labels = self.labels(mechanism);
        let known: Vec<(String, f64)> = self.known.iter().map(|&(c, x)| (labels[c].clone(), x)).collect();
        asked.with_known(other, &known)
    }

    /// The question to a part of a mechanism: its bodies, ascending, are `bodies` of the whole. `None` where
    /// nothing of the part is measured, or not all that is measured in the whole has its place there.
    pub(crate) fn of_part(
        &self,
        whole: &Mechanism,
        part: &Mechanism,
        bodies: &[usize],
    ) -> Result<Option<Self>, IdentifiabilityError> {
        let (all, own) = (whole.independent(), part.independent());
        let mut sensors = Vec::new();
        for sensor in &self.sensors {
            match sensor {
                Resolved::All | Resolved::Static => sensors.push(sensor.clone()),
                Resolved::Joints(rows) => {
                    let within = rows.iter().filter_map(|&row| {
                        let body = bodies.binary_search(&all[row].body.0).ok()?;
                        Some(Coordinate { body: BodyIndex(body), ..all[row] })
                    });
                    let rows: Option<Vec<usize>> =
                        within.map(|c| own.iter().position(|other| *other == c)).collect();
                    match rows {
                        Some(rows) if !rows.is_empty() => sensors.push(Resolved::Joints(rows)),
                        Some(_) => {}
                        None => return Ok(None),
                    }
                }
                Resolved::JointWrench(body) => {
                    sensors.extend(bodies.binary_search(body).ok().map(Resolved::JointWrench));
                }
                Resolved::BaseWrench | Resolved::FloatingRoots => return Ok(None),
            }
        }
        if sensors.is_empty() {
            return Ok(None);
        }
        let mut asked = Self::of(self.set.clone(), sensors);
        if !self.drives.is_empty() {
            asked = asked.with_drives(part)?;
        }
        let (columns, from) = (self.parameters(whole), asked.parameters(part));
        for &(column, value) in &self.known {
            let id = columns.id(column);
            let Ok(body) = bodies.binary_search(&id.body) else { continue };
            asked.known.extend(from.column(ParameterId { body, ..id }).map(|column| (column, value)));
        }
        Ok(Some(asked))
    }

    /// The joints whose drives are asked for, in order, each with its velocity in the tree.
    pub fn driven(&self) -> Vec<(&str, usize)> {
        self.drives.iter().map(|drive| (drive.joint.as_str(), drive.velocity)).collect()
    }

    /// What the rows of [`Measurement::rows`] are, in order.
    pub fn measured_rows(&self, mechanism: &Mechanism) -> Vec<MeasuredRow> {
        let of_sensor = |sensor: &Resolved| -> Vec<MeasuredRow> {
            match sensor {
                Resolved::All | Resolved::Static => (0..mechanism.dof()).map(MeasuredRow::Force).collect(),
                Resolved::Joints(rows) => rows.iter().copied().map(MeasuredRow::Force).collect(),
                Resolved::FloatingRoots => root_rows(mechanism).into_iter().map(MeasuredRow::Force).collect(),
                Resolved::BaseWrench => (0..6).map(MeasuredRow::BaseWrench).collect(),
                Resolved::JointWrench(body) => {
                    (0..6).map(|component| MeasuredRow::JointWrench { body: *body, component }).collect()
                }
            }
        };
        self.sensors.iter().flat_map(of_sensor).collect()
    }

    /// The moving bodies whose motion and weight a row feels.
    pub fn felt(&self, mechanism: &Mechanism, row: MeasuredRow) -> Vec<usize> {
        match row {
            MeasuredRow::Force(row) => {
                let rows = &mechanism.layout().rows_of_body;
                (0..rows.len()).filter(|&body| rows[body].contains(&row)).collect()
            }
            MeasuredRow::BaseWrench(_) => standing(mechanism),
            MeasuredRow::JointWrench { body, .. } => descendants(mechanism, body),
        }
    }

    /// Whether nothing is measured but what rests.
    pub fn is_static(&self) -> bool {
        self.sensors.iter().all(|sensor| *sensor == Resolved::Static)
    }

    /// Whether anything that is measured moves a body (or weighs it).
    pub(crate) fn moves(&self, mechanism: &Mechanism, body: usize) -> bool {
        self.sensors.iter().any(|sensor| match sensor {
            Resolved::All | Resolved::Static => mechanism.dof() > 0,
            Resolved::BaseWrench => standing(mechanism).contains(&body),
            Resolved::FloatingRoots => !standing(mechanism).contains(&body),
            Resolved::Joints(rows) => {
                let movers = &mechanism.layout().rows_of_body[body];
                rows.iter().any(|row| movers.contains(row))
            }
            Resolved::JointWrench(carrier) => descendants(mechanism, *carrier).contains(&body),
        })
    }

    /// The parameters asked for, those known included: bodies on the ground, moving bodies, drives.
    pub fn parameters(&self, mechanism: &Mechanism) -> ParameterList {
        let ground = self.ground.iter().map(|body| ParameterBody { link: body.name.clone(), joint: None });
        let moving = mechanism.robot().bodies.iter();
        let moving = moving
            .map(|body| ParameterBody { link: body.name.clone(), joint: Some(body.joint.name.clone()) });
        let driven = self.drives.iter().map(|drive| self.ground.len() + drive.body);
        ParameterList::new(ground.chain(moving).collect(), driven.collect())
    }

    /// Number of parameters asked for, those known included.
    pub fn columns(&self, mechanism: &Mechanism) -> usize {
        inertial_columns(self.ground.len() + mechanism.robot().bodies.len()).start
            + DRIVE_PARAMETERS.len() * self.drives.len()
    }

    /// Names of the bodies whose parameters are asked for: those on the ground first.
    pub fn bodies(&self, mechanism: &Mechanism) -> Vec<String> {
        let ground = self.ground.iter().map(|body| body.name.clone());
        ground.chain(mechanism.robot().bodies.iter().map(|body| body.name.clone())).collect()
    }

    /// Labels of the parameters, ten for each of [`Measurement::bodies`], then four for each drive.
    pub fn labels(&self, mechanism: &Mechanism) -> Vec<String> {
        self.parameters(mechanism).labels()
    }

    /// Number of ground bodies in front of the moving ones.
    pub fn ground_count(&self) -> usize {
        self.ground.len()
    }

    /// Links that stand on a force plate without having parameters: those with an inertia behind a root
    /// without one, as where a URDF begins with a link `world`.
    pub(crate) fn unweighed(&self, mechanism: &Mechanism) -> Vec<String> {
        if !self.sensors.contains(&Resolved::BaseWrench) || !self.ground.is_empty() {
            return Vec::new();
        }
        let links = mechanism.robot().ground.iter().filter(|link| link.inertia.is_some());
        links.map(|link| link.name.clone()).collect()
    }

    /// The rows that a state contributes, over all parameters asked for, in the order of
    /// [`Measurement::measured_rows`]. `signs` are those of the drives' velocities, in the
    /// order of [`Measurement::driven`].
    pub fn rows<S: Scalar>(
        &self,
        mechanism: &Mechanism,
        tree: &Tree<S>,
        state: &Feasible<S>,
        signs: &[S],
    ) -> Result<Matrix<S>, IdentifiabilityError> {
        let offset = inertial_columns(self.ground.len()).start;
        let mut out = Matrix::zeros(0, self.columns(mechanism));
        for sensor in &self.sensors {
            let layout = mechanism.layout();
            let forces = |state: &Feasible<S>, signs: &[S]| {
                let drives = (0..layout.rows).map(|row| drive_row(&self.drives, state, signs, row)).collect();
                (regressor(tree, layout, state), drives)
            };
            let wrench = |rows: Matrix<S>| (rows, Vec::new());
            // A sensor outside the joints feels nothing of what happens inside a drive.
            let ((moving, drives), chosen): (Forces<S>, Vec<usize>) = match sensor {
                Resolved::All => (forces(state, signs), (0..layout.rows).collect()),
                Resolved::Static => {
                    (forces(&at_rest(state), &vec![S::zero(); signs.len()]), (0..layout.rows).collect())
                }
                Resolved::Joints(rows) => (forces(state, signs), rows.clone()),
                Resolved::FloatingRoots => (forces(state, signs), root_rows(mechanism)),
                Resolved::BaseWrench => {
                    let standing = standing(mechanism);
                    (wrench(wrench_rows(tree, state, &Pose::identity(), &standing)), (0..6).collect())
                }
                Resolved::JointWrench(body) => {
                    let frame = tree.world_poses(&state.poses)[tree.segment_of_body[*body]];
                    let carried = descendants(mechanism, *body);
                    (wrench(wrench_rows(tree, state, &frame, &carried)), (0..6).collect())
                }
            };
            let resting = match sensor {
                Resolved::BaseWrench => self.resting(mechanism, tree)?,
                _ => Vec::new(),
            };
            for r in chosen {
                let mut row = vec![S::zero(); offset];
                for (k, weight) in resting.iter().enumerate() {
                    row[inertial_columns(k)].copy_from_slice(&weight[r]);
                }
                row.extend_from_slice(moving.row(r));
                row.extend(drives.get(r).into_iter().flatten());
                row.resize(out.columns(), S::zero());
                out.push_row(&row);
            }
        }
        Ok(out)
    }

    /// What the links on the ground weigh, each as six rows.
    fn resting<S: Scalar>(
        &self,
        mechanism: &Mechanism,
        tree: &Tree<S>,
    ) -> Result<Vec<[[S; 10]; 6]>, IdentifiabilityError> {
        let geometry = |reason| DynamicsError::Geometry { robot: mechanism.robot().name.clone(), reason };
        let weight = |body: &GroundBody| {
            let pose = body.frame.evaluate().map_err(geometry)?.value;
            Ok(resting_rows(tree.gravity, &pose))
        };
        self.ground.iter().map(weight).collect()
    }
}

/// Rows of the moving bodies' parameters, and those of the drives where there are any.
type Forces<S> = (Matrix<S>, Vec<Vec<S>>);

/// The column of a label.
pub(crate) fn column_named(
    mechanism: &Mechanism,
    labels: &[String],
    label: &str,
) -> Result<usize, IdentifiabilityError> {
    labels.iter().position(|other| other == label).ok_or_else(|| IdentifiabilityError::UnknownParameter {
        robot: mechanism.robot().name.clone(),
        label: label.to_owned(),
        hint: did_you_mean(label, labels.iter().map(String::as_str)),
    })
}

/// The state without its motion.
pub(crate) fn at_rest<S: Scalar>(state: &Feasible<S>) -> Feasible<S> {
    let still = vec![S::zero(); state.velocity.len()];
    Feasible { velocity: still.clone(), acceleration: still, ..state.clone() }
}

/// The rows of the independent coordinates that names stand for.
fn rows_named(mechanism: &Mechanism, names: &[String]) -> Result<Vec<usize>, IdentifiabilityError> {
    let robot = mechanism.robot();
    let independent = mechanism.independent();
    let mut rows = Vec::new();
    for name in names {
        let unknown = || IdentifiabilityError::UnknownJoint {
            robot: robot.name.clone(),
            joint: name.to_owned(),
            hint: did_you_mean(name, robot.bodies.iter().map(|body| body.joint.name.as_str())),
        };
        for coordinate in robot.coordinates_named(name).ok_or_else(unknown)? {
            let row = independent.iter().position(|other| *other == coordinate);
            rows.push(row.ok_or_else(|| IdentifiabilityError::NotIndependent {
                robot: robot.name.clone(),
                joint: robot.coordinate_name(coordinate),
                independent: mechanism.independent_names().join(", "),
            })?);
        }
    }
    rows.sort_unstable();
    rows.dedup();
    Ok(rows)
}

/// The body behind the joint a sensor sits in.
fn sensor_body(mechanism: &Mechanism, name: &str) -> Result<usize, IdentifiabilityError> {
    let robot = mechanism.robot();
    let found = robot.coordinates_named(name).and_then(|found| found.first().map(|c| c.body.0));
    let body = found.ok_or_else(|| IdentifiabilityError::UnknownJoint {
        robot: robot.name.clone(),
        joint: name.to_owned(),
        hint: did_you_mean(name, robot.bodies.iter().map(|body| body.joint.name.as_str())),
    })?;
    // A loop passes through the joint if it has one side beyond it and one before.
    let carried = descendants(mechanism, body);
    let beyond = |side: &steiner_robot::Attachment| side.body.is_some_and(|b| carried.contains(&b.0));
    let cut = robot.loops.iter().find(|closure| beyond(&closure.predecessor) != beyond(&closure.successor));
    match cut {
        Some(closure) => Err(IdentifiabilityError::SensorInLoop {
            robot: robot.name.clone(),
            joint: name.to_owned(),
            closure: closure.name.clone(),
        }),
        None => Ok(body),
    }
}
