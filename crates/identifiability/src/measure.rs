//! What is measured decides what can be identified.

use steiner_dynamics::{DynamicsError, Feasible, Mechanism, Tree, regressor, resting_rows, wrench_rows};
use steiner_files::did_you_mean;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{BodyIndex, Frame, JointKind, PARAMETERS, Pose, SiblingOrder};
use steiner_scalar::Scalar;

use crate::drives::{DRIVE_PARAMETERS, Drive, drive_row, drives};
use crate::error::IdentifiabilityError;

/// One kind of measurement.
#[derive(Clone, Debug, PartialEq)]
enum Sensor {
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

/// A set of sensors, resolved for a mechanism. Terms are joined by `+`:
///
/// `all`, `static`, `joints:a,b`, `wrench:joint`, `base-wrench`.
#[derive(Clone, Debug)]
pub struct Measurement {
    sensors: Vec<Sensor>,
    /// The text it was made from.
    pub text: String,
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
    /// A component (force x, y, z, N; torque x, y, z, N·m) of the wrench from the ground, base axes about the base origin.
    BaseWrench(usize),
    /// A component of the wrench that the joint of a body carries, in the body's axes about its origin.
    JointWrench {
        /// The body behind the joint.
        body: usize,
        /// Force x, y, z, then torque x, y, z.
        component: usize,
    },
}

/// A link fixed to the base, with everything fixed to it.
#[derive(Clone, Debug)]
struct GroundBody {
    name: String,
    frame: Frame,
}

impl Measurement {
    /// Every generalised force of the independent coordinates.
    pub fn all() -> Self {
        Self::of(vec![Sensor::All], "all")
    }

    /// Reads a description such as `joints:elbow,wrist+base-wrench`.
    pub fn parse(text: &str, mechanism: &Mechanism) -> Result<Self, IdentifiabilityError> {
        let mut measurement = Self::of(Vec::new(), text);
        for term in text.split('+') {
            let sensor = match term.trim().split_once(':') {
                None => match term.trim() {
                    "all" => Sensor::All,
                    "static" => Sensor::Static,
                    "base-wrench" => Sensor::BaseWrench,
                    other => return Err(IdentifiabilityError::UnknownMeasurement { term: other.to_owned() }),
                },
                Some(("joints", names)) => Sensor::Joints(measured_rows(mechanism, names)?),
                Some(("wrench", name)) => Sensor::JointWrench(sensor_body(mechanism, name.trim())?),
                Some(_) => return Err(IdentifiabilityError::UnknownMeasurement { term: term.to_owned() }),
            };
            if sensor == Sensor::BaseWrench && !standing(mechanism).is_empty() {
                measurement.ground = ground_bodies(mechanism);
            }
            // A force plate feels what stands on it; what floats is felt by itself.
            if sensor == Sensor::BaseWrench && !root_rows(mechanism).is_empty() {
                measurement.sensors.push(Sensor::FloatingRoots);
                if standing(mechanism).is_empty() {
                    continue;
                }
            }
            measurement.sensors.push(sensor);
        }
        Ok(measurement)
    }

    fn of(sensors: Vec<Sensor>, text: &str) -> Self {
        let text = text.to_owned();
        Measurement { sensors, text, ground: Vec::new(), drives: Vec::new(), known: Vec::new() }
    }

    /// Asks for the parameters of the drives as well: of every joint with one degree of freedom.
    pub fn with_drives(mut self, mechanism: &Mechanism) -> Result<Self, IdentifiabilityError> {
        self.drives = drives(mechanism)?;
        Ok(self)
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
        self.sensors == [Sensor::All] && self.drives.is_empty() && self.known.is_empty()
    }

    /// The joints whose drives are asked for, in order, each with its velocity in the tree.
    pub fn driven(&self) -> Vec<(&str, usize)> {
        self.drives.iter().map(|drive| (drive.joint.as_str(), drive.velocity)).collect()
    }

    /// What the rows of [`Measurement::rows`] are, in order.
    pub fn measured_rows(&self, mechanism: &Mechanism) -> Vec<MeasuredRow> {
        let of_sensor = |sensor: &Sensor| -> Vec<MeasuredRow> {
            match sensor {
                Sensor::All | Sensor::Static => (0..mechanism.dof()).map(MeasuredRow::Force).collect(),
                Sensor::Joints(rows) => rows.iter().copied().map(MeasuredRow::Force).collect(),
                Sensor::FloatingRoots => root_rows(mechanism).into_iter().map(MeasuredRow::Force).collect(),
                Sensor::BaseWrench => (0..6).map(MeasuredRow::BaseWrench).collect(),
                Sensor::JointWrench(body) => {
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
        self.sensors.iter().all(|sensor| *sensor == Sensor::Static)
    }

    /// Whether anything that is measured moves a body (or weighs it).
    pub(crate) fn moves(&self, mechanism: &Mechanism, body: usize) -> bool {
        self.sensors.iter().any(|sensor| match sensor {
            Sensor::All | Sensor::Static => mechanism.dof() > 0,
            Sensor::BaseWrench => standing(mechanism).contains(&body),
            Sensor::FloatingRoots => !standing(mechanism).contains(&body),
            Sensor::Joints(rows) => {
                let movers = &mechanism.layout().rows_of_body[body];
                rows.iter().any(|row| movers.contains(row))
            }
            Sensor::JointWrench(carrier) => descendants(mechanism, *carrier).contains(&body),
        })
    }

    /// Number of parameters asked for, those known included.
    pub fn columns(&self, mechanism: &Mechanism) -> usize {
        10 * (self.ground.len() + mechanism.robot().bodies.len()) + DRIVE_PARAMETERS.len() * self.drives.len()
    }

    /// Which of [`Measurement::bodies`] a column belongs to; a drive belongs to the body behind its joint.
    pub(crate) fn body_of(&self, mechanism: &Mechanism, column: usize) -> usize {
        let bodies = self.ground.len() + mechanism.robot().bodies.len();
        match column.checked_sub(10 * bodies) {
            None => column / 10,
            Some(k) => self.ground.len() + self.drives[k / DRIVE_PARAMETERS.len()].body,
        }
    }

    /// The columns of one of [`Measurement::bodies`], with those of its drive.
    pub(crate) fn columns_of(&self, mechanism: &Mechanism, body: usize) -> Vec<usize> {
        let first = 10 * (self.ground.len() + mechanism.robot().bodies.len());
        let own = |drive: &Drive| self.ground.len() + drive.body == body;
        let size = DRIVE_PARAMETERS.len();
        let drive = self.drives.iter().position(own).map(|k| first + size * k..first + size * (k + 1));
        (10 * body..10 * body + 10).chain(drive.into_iter().flatten()).collect()
    }

    /// Names of the bodies whose parameters are asked for: those on the ground first.
    pub fn bodies(&self, mechanism: &Mechanism) -> Vec<String> {
        let ground = self.ground.iter().map(|body| body.name.clone());
        ground.chain(mechanism.robot().bodies.iter().map(|body| body.name.clone())).collect()
    }

    /// Labels of the parameters, ten for each of [`Measurement::bodies`], then four for each drive.
    pub fn labels(&self, mechanism: &Mechanism) -> Vec<String> {
        let of_body = |body: String| PARAMETERS.map(|parameter| format!("{body}.{parameter}"));
        let of_drive =
            |drive: &Drive| DRIVE_PARAMETERS.map(|parameter| format!("{}.{parameter}", drive.joint));
        let bodies = self.bodies(mechanism).into_iter().flat_map(of_body);
        bodies.chain(self.drives.iter().flat_map(of_drive)).collect()
    }

    /// Number of ground bodies in front of the moving ones.
    pub fn ground_count(&self) -> usize {
        self.ground.len()
    }

    /// What stands on a force plate without having parameters: links with an inertia behind a root without one, as where a URDF begins with a
    /// link `world`.
    pub(crate) fn unweighed(&self, mechanism: &Mechanism) -> Option<String> {
        if !self.sensors.contains(&Sensor::BaseWrench) || !self.ground.is_empty() {
            return None;
        }
        let links = mechanism.robot().ground.iter().filter(|link| link.inertia.is_some());
        let names: Vec<&str> = links.map(|link| link.name.as_str()).collect();
        (!names.is_empty()).then(|| {
            format!(
                "a force plate feels the weight of {} too, but only a root link with an inertia has parameters: take the massless root out of the file, or what they weigh goes to other bodies",
                names.join(", ")
            )
        })
    }

    /// The rows that a state contributes, over all parameters asked for, in the order of [`Measurement::measured_rows`].
    /// `signs` are those of the drives' velocities, in the order of [`Measurement::driven`].
    pub fn rows<S: Scalar>(
        &self,
        mechanism: &Mechanism,
        tree: &Tree<S>,
        state: &Feasible<S>,
        signs: &[S],
    ) -> Result<Matrix<S>, IdentifiabilityError> {
        let offset = 10 * self.ground.len();
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
                Sensor::All => (forces(state, signs), (0..layout.rows).collect()),
                Sensor::Static => {
                    (forces(&at_rest(state), &vec![S::zero(); signs.len()]), (0..layout.rows).collect())
                }
                Sensor::Joints(rows) => (forces(state, signs), rows.clone()),
                Sensor::FloatingRoots => (forces(state, signs), root_rows(mechanism)),
                Sensor::BaseWrench => {
                    let standing = standing(mechanism);
                    (wrench(wrench_rows(tree, state, &Pose::identity(), &standing)), (0..6).collect())
                }
                Sensor::JointWrench(body) => {
                    let frame = tree.world_poses(&state.poses)[tree.segment_of_body[*body]];
                    let carried = descendants(mechanism, *body);
                    (wrench(wrench_rows(tree, state, &frame, &carried)), (0..6).collect())
                }
            };
            let resting = match sensor {
                Sensor::BaseWrench => self.resting(mechanism, tree)?,
                _ => Vec::new(),
            };
            for r in chosen {
                let mut row = vec![S::zero(); offset];
                for (k, weight) in resting.iter().enumerate() {
                    row[10 * k..10 * k + 10].copy_from_slice(&weight[r]);
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

fn at_rest<S: Scalar>(state: &Feasible<S>) -> Feasible<S> {
    let still = vec![S::zero(); state.velocity.len()];
    Feasible { velocity: still.clone(), acceleration: still, ..state.clone() }
}

/// The rows of the independent coordinates that names stand for.
fn measured_rows(mechanism: &Mechanism, names: &str) -> Result<Vec<usize>, IdentifiabilityError> {
    let robot = mechanism.robot();
    let independent = mechanism.independent();
    let mut rows = Vec::new();
    for name in names.split(',').map(str::trim) {
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

/// Rows of the floating root.
fn root_rows(mechanism: &Mechanism) -> Vec<usize> {
    let robot = mechanism.robot();
    let is_root = |coordinate: &steiner_robot::Coordinate| {
        let body = &robot.bodies[coordinate.body.0];
        body.parent.is_none() && body.joint.kind == JointKind::Floating
    };
    mechanism.independent().iter().enumerate().filter(|(_, c)| is_root(c)).map(|(row, _)| row).collect()
}

/// The bodies that stand on the ground: all but those that a floating root carries.
fn standing(mechanism: &Mechanism) -> Vec<usize> {
    let mut floats: Vec<bool> = Vec::new();
    for body in &mechanism.robot().bodies {
        floats.push(match body.parent {
            Some(parent) => floats[parent.0],
            None => body.joint.kind == JointKind::Floating,
        });
    }
    (0..floats.len()).filter(|&body| !floats[body]).collect()
}

/// A body and everything it carries.
fn descendants(mechanism: &Mechanism, root: usize) -> Vec<usize> {
    let mut carried = vec![root];
    for (k, body) in mechanism.robot().bodies.iter().enumerate() {
        if body.parent.is_some_and(|BodyIndex(parent)| carried.contains(&parent)) {
            carried.push(k);
        }
    }
    carried
}

/// Links on the ground that a force plate would weigh: a mechanism file's bodies fixed to the base, and a URDF's root if it
/// has an inertia. Links fixed to them belong to them.
fn ground_bodies(mechanism: &Mechanism) -> Vec<GroundBody> {
    let robot = mechanism.robot();
    let description = &robot.description;
    let is_urdf = description.order == SiblingOrder::DepthFirstByJointName;
    let on_ground = description.joints.iter().filter(|joint| joint.parent.is_none());
    on_ground
        .filter_map(|joint| robot.ground.iter().find(|link| link.name == joint.child))
        .filter(|link| !is_urdf || link.inertia.is_some())
        .map(|link| GroundBody { name: link.name.clone(), frame: link.frame.clone() })
        .collect()
}
