//! The kinematic tree in some scalar: every joint unfolded into elementary motions, geometry evaluated once.
//!
//! A universal joint is two rotations in sequence, a cylindrical one a rotation and a translation. The frame
//! between them has no body and no parameters. What this buys: in every segment the motion columns are
//! constant in the child's axes, so no rate of an axis ever appears.

mod ancestry;
mod broadcast;
mod pose;

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Frame, Motion, Pose, Robot, Stage, evaluate_direction, evaluate_vector};
use steiner_scalar::Scalar;

use crate::error::DynamicsError;

pub use ancestry::Ancestry;

/// A unit-rate velocity field in body axes: angular and linear velocity at the body origin. The line L of
/// (47).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column<S> {
    /// Angular velocity, rad/s per unit rate.
    pub angular: Vec3<S>,
    /// Velocity of the origin, m/s per unit rate.
    pub linear: Vec3<S>,
}

/// How the pose of a segment follows from its coordinates, with all constant products taken beforehand.
#[derive(Clone, Debug)]
pub(crate) enum Placing<S> {
    /// R = r0 + s r1 + k r2, p = p0 + s p1 + k p2 + θ p3 with s = sin θ, k = 1 − cos θ (Rodrigues).
    Turn { rotation: [Mat3<S>; 3], translation: [Vec3<S>; 4], moves_origin: bool },
    /// p = p0 + q p1.
    Slide { rotation: Mat3<S>, origin: Vec3<S>, direction: Vec3<S> },
    /// A quaternion between two constant poses.
    Ball { before: Pose<S>, after: Pose<S> },
    /// x, y, θ between two constant poses, the first turned so that its z is the normal.
    Plane { before: Pose<S>, after: Pose<S> },
    /// Position and quaternion between two constant poses.
    Free { before: Pose<S>, after: Pose<S> },
}

/// One elementary motion of the tree.
#[derive(Clone, Debug)]
pub struct Segment<S> {
    /// The segment it moves against; `None` is the fixed world.
    pub parent: Option<usize>,
    /// The body that ends here; `None` for the frame inside a multi-stage joint.
    pub body: Option<usize>,
    /// First configuration coordinate.
    pub configuration: usize,
    /// First velocity coordinate.
    pub velocity: usize,
    /// Motion columns in the segment's own axes, constant.
    pub columns: Vec<Column<S>>,
    pub(crate) placing: Placing<S>,
    /// |axis|², 1 unless the scalar lacks the root that would normalise it.
    pub(crate) axis_norm2: S,
}

impl<S> Segment<S> {
    /// Number of velocities.
    pub fn dof(&self) -> usize {
        self.columns.len()
    }
    /// Number of configuration coordinates.
    pub fn configuration_size(&self) -> usize {
        match self.placing {
            Placing::Ball { .. } => 4,
            Placing::Free { .. } => 7,
            _ => self.columns.len(),
        }
    }
}

/// The kinematic tree of a robot.
#[derive(Clone, Debug)]
pub struct Tree<S> {
    /// Elementary motions, parents before children.
    pub segments: Vec<Segment<S>>,
    /// The segment at which each body ends.
    pub segment_of_body: Vec<usize>,
    /// Gravitational acceleration in base axes, m/s².
    pub gravity: Vec3<S>,
    /// Velocities of the tree.
    pub dof: usize,
    /// Configuration coordinates of the tree.
    pub configuration_size: usize,
    /// Whether some number had to be rounded to one the scalar can represent.
    pub rounded: bool,
    /// For each segment, the velocity coordinates of itself and its ancestors, root first.
    pub ancestry: Ancestry,
    /// For each velocity, whether it translates all it moves without turning it.
    pub translates: Vec<bool>,
    /// Some axis must be rounded to a unit vector of the scalar; then all that are not representable are,
    /// alike, so that parallel axes stay parallel.
    rounds_axes: bool,
}

impl<S> Tree<S> {
    /// The unit of each number of a configuration: `length` for displacements, 1 for angles and quaternions.
    pub(crate) fn configuration_units(&self, length: f64) -> Vec<f64> {
        let mut units = Vec::with_capacity(self.configuration_size);
        for segment in &self.segments {
            match segment.placing {
                Placing::Turn { .. } => units.push(1.0),
                Placing::Slide { .. } => units.push(length),
                Placing::Ball { .. } => units.extend([1.0; 4]),
                Placing::Plane { .. } => units.extend([length, length, 1.0]),
                Placing::Free { .. } => {
                    units.extend([length; 3]);
                    units.extend([1.0; 4]);
                }
            }
        }
        units
    }
}

impl<S: Scalar> Tree<S> {
    /// Evaluates the geometry of a robot.
    pub fn new(robot: &Robot) -> Result<Self, DynamicsError> {
        Self::evaluate(robot).map_err(|reason| DynamicsError::Geometry { robot: robot.name.clone(), reason })
    }

    fn evaluate(robot: &Robot) -> Result<Self, steiner_scalar::EvaluationError> {
        let coupled: std::collections::HashSet<_> = robot
            .couplings
            .iter()
            .flat_map(|coupling| coupling.terms.iter().map(|(term, _)| *term).chain([coupling.coordinate]))
            .collect();
        let gravity = evaluate_vector(&robot.gravity)?;
        let mut tree = Tree {
            segments: Vec::new(),
            segment_of_body: Vec::new(),
            gravity: gravity.value,
            dof: 0,
            configuration_size: 0,
            rounded: gravity.rounded,
            ancestry: Ancestry::default(),
            translates: Vec::new(),
            rounds_axes: false,
        };
        for (index, body) in robot.bodies.iter().enumerate() {
            let mut component = 0;
            for stage in body.joint.stages() {
                let coordinate =
                    steiner_robot::Coordinate { body: steiner_robot::BodyIndex(index), component };
                component += stage.motion.dof();
                let has_axis = !matches!(stage.motion, Motion::Ball | Motion::Free);
                let needs_unit = coupled.contains(&coordinate) || matches!(stage.motion, Motion::Plane);
                tree.rounds_axes |= has_axis && needs_unit && evaluate_direction::<S>(&stage.axis)?.rounded;
            }
        }
        for (index, body) in robot.bodies.iter().enumerate() {
            let mut parent = body.parent.map(|parent| tree.segment_of_body[parent.0]);
            let stages = body.joint.stages();
            let mut component = 0;
            for (k, stage) in stages.iter().enumerate() {
                let coordinate =
                    steiner_robot::Coordinate { body: steiner_robot::BodyIndex(index), component };
                component += stage.motion.dof();
                let mut segment = tree.segment(stage, coupled.contains(&coordinate))?;
                segment.parent = parent;
                segment.body = (k + 1 == stages.len()).then_some(index);
                tree.ancestry.push(parent, tree.dof..tree.dof + segment.dof());
                tree.dof += segment.dof();
                tree.translates.extend(segment.columns.iter().map(|column| column.angular == Vec3::zero()));
                tree.configuration_size += segment.configuration_size();
                parent = Some(tree.segments.len());
                tree.segments.push(segment);
            }
            // A moving body has at least one stage, so `parent` is its own segment now.
            tree.segment_of_body.push(parent.unwrap_or(0));
        }
        Ok(tree)
    }

    fn pose(&mut self, frame: &Frame) -> Result<Pose<S>, steiner_scalar::EvaluationError> {
        let evaluated = frame.evaluate()?;
        self.rounded |= evaluated.rounded;
        Ok(evaluated.value)
    }

    /// The direction of a motion. A root that the scalar lacks is avoided by leaving the axis unnormalised,
    /// which only changes the unit of a coordinate nobody else refers to.
    fn axis(&mut self, stage: &Stage, needs_unit: bool) -> Result<Vec3<S>, steiner_scalar::EvaluationError> {
        let unit = evaluate_direction(&stage.axis)?;
        if !unit.rounded {
            return Ok(unit.value);
        }
        let raw = evaluate_vector(&stage.axis)?;
        if !raw.rounded && !needs_unit && !self.rounds_axes {
            return Ok(raw.value);
        }
        self.rounded = true;
        // Rounded coordinates are no unit vector; the third column of a rotation is. Opposite axes stay
        // opposite.
        let down = points_down(&stage.axis)?;
        let up = if down { -unit.value } else { unit.value };
        let column = turning_z_to(up, false).column(2);
        Ok(if down { -column } else { column })
    }

    // One match over all kinds of motion: longer than a screen, but the compiler keeps it complete.
    fn segment(
        &mut self,
        stage: &Stage,
        coupled: bool,
    ) -> Result<Segment<S>, steiner_scalar::EvaluationError> {
        let before = self.pose(&stage.before)?;
        let after = self.pose(&stage.after)?;
        let zero = Vec3::zero();
        let mut axis_norm2 = S::one();
        let (columns, placing) = match &stage.motion {
            Motion::Rotation | Motion::Screw { .. } => {
                let axis = self.axis(stage, coupled)?;
                axis_norm2 = axis.dot(axis);
                let mut advance = zero;
                if let Motion::Screw { pitch } = &stage.motion {
                    let pitch = S::evaluate(pitch)?;
                    self.rounded |= pitch.rounded;
                    advance = axis.scale(pitch.value);
                }
                let k = axis.skew();
                let turned = [before.rotation, before.rotation * k, before.rotation * (k * k)];
                let shifted = turned.map(|m| m.apply(after.translation));
                let translation =
                    [before.translation + shifted[0], shifted[1], shifted[2], before.rotation.apply(advance)];
                let column = Column {
                    angular: after.rotation.apply_transposed(axis),
                    linear: after.rotation.apply_transposed(axis.cross(after.translation) + advance),
                };
                let moves_origin = translation[1..].iter().any(|v| *v != zero);
                let rotation = turned.map(|m| m * after.rotation);
                (vec![column], Placing::Turn { rotation, translation, moves_origin })
            }
            Motion::Translation => {
                let axis = self.axis(stage, coupled)?;
                axis_norm2 = axis.dot(axis);
                let column = Column { angular: zero, linear: after.rotation.apply_transposed(axis) };
                let placing = Placing::Slide {
                    rotation: before.rotation * after.rotation,
                    origin: before.translation + before.rotation.apply(after.translation),
                    direction: before.rotation.apply(axis),
                };
                (vec![column], placing)
            }
            Motion::Ball => {
                // Angular velocity e_k in body axes; the body origin is `after` away from the centre.
                let arm = after.rotation.apply_transposed(after.translation);
                let column = |k| {
                    let angular = Vec3::unit(k);
                    Column { angular, linear: angular.cross(arm) }
                };
                ((0..3).map(column).collect(), Placing::Ball { before, after })
            }
            Motion::Plane => {
                let normal = evaluate_direction(&stage.axis)?;
                self.rounded |= normal.rounded;
                let rotation = turning_z_to(normal.value, points_down(&stage.axis)?);
                let basis = Pose { rotation, translation: zero };
                let before = before.then(&basis);
                let after = basis.inverse().then(&after);
                // vx, vy along the turned plane axes carried by the body, ω about the normal.
                let arm = after.translation;
                let carried = |v: Vec3<S>| after.rotation.apply_transposed(v);
                let z = Vec3::unit(2);
                let columns = vec![
                    Column { angular: zero, linear: carried(Vec3::unit(0)) },
                    Column { angular: zero, linear: carried(Vec3::unit(1)) },
                    Column { angular: carried(z), linear: carried(z.cross(arm)) },
                ];
                (columns, Placing::Plane { before, after })
            }
            Motion::Free => {
                let linear = (0..3).map(|k| Column { angular: zero, linear: Vec3::unit(k) });
                let angular = (0..3).map(|k| Column { angular: Vec3::unit(k), linear: zero });
                (linear.chain(angular).collect(), Placing::Free { before, after })
            }
        };
        Ok(Segment {
            parent: None,
            body: None,
            configuration: self.configuration_size,
            velocity: self.dof,
            columns,
            placing,
            axis_norm2,
        })
    }
}

/// Whether a direction points below the xy-plane: decided in doubles, for all scalars alike.
fn points_down(axis: &[steiner_scalar::Exact; 3]) -> Result<bool, steiner_scalar::EvaluationError> {
    Ok(evaluate_direction::<f64>(axis)?.value[2] < 0.0)
}

/// The shortest rotation that takes z to a unit vector (to one near it, if that is rounded); half a turn
/// about x for −z.
fn turning_z_to<S: Scalar>(n: Vec3<S>, down: bool) -> Mat3<S> {
    let [x, y, z] = n.0;
    let (o, l) = (S::zero(), S::one());
    if down && x == o && y == o {
        return Mat3([[l, o, o], [o, -l, o], [o, o, -l]]);
    }
    // The quaternion (1 + cos, axis · sin), of any length and so orthogonal whatever was rounded. Below the
    // plane it is multiplied by 1 − z, with (1 + z)(1 − z) = x² + y², so that nothing cancels near −z.
    let (w, stretch) = if down { (x * x + y * y, l - z) } else { (l + z, l) };
    Mat3::from_quaternion(w, Vec3([-y * stretch, x * stretch, o]))
}
