//! Constraint equations of loops and couplings, their Jacobian and their acceleration bias.
//!
//! Two forms suffice for every loop joint, with P the predecessor's and Q the successor's loop frame:
//!
//! * *point*: d·(o_Q − o_P) = 0 with d fixed in P,
//! * *dot*: a·b = c with a fixed in P and b fixed in Q,
//!
//! and a third, linear in the coordinates, for couplings. A revolute loop is three points and two dots.

mod equations;

use equations::equations;
use steiner_linalg::Vec3;
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Coordinate, Pose, Robot};
use steiner_scalar::{Evaluated, EvaluationError, Real, Scalar};

use crate::kinematics::SegmentMotion;
use crate::tree::{Column, Tree};
use crate::units::length_unit;

#[derive(Clone, Debug)]
enum Row<R> {
    Point { closure: usize, direction: Vec3<R> },
    Dot { closure: usize, predecessor: Vec3<R>, successor: Vec3<R>, target: R },
    Linear { coupling: usize, terms: Vec<LinearTerm<R>>, offset: R },
}

#[derive(Clone, Copy, Debug)]
struct LinearTerm<R> {
    velocity: usize,
    configuration: usize,
    factor: R,
}

#[derive(Clone, Debug)]
struct Side<R> {
    segment: Option<usize>,
    frame: Pose<R>,
}

#[derive(Clone, Debug)]
struct Closing<R> {
    name: String,
    predecessor: Side<R>,
    successor: Side<R>,
    /// Tree velocities on which the closure depends, with +1 on the successor's branch and −1 on the other.
    branch: Vec<(usize, bool)>,
    /// Pairs of directions (in P, in Q) that must not end up opposed, though the equations would allow it.
    aligned: Vec<(Vec3<R>, Vec3<R>)>,
}

/// All constraint equations of a robot.
#[derive(Clone, Debug)]
pub(crate) struct Constraints<R> {
    rows: Vec<Row<R>>,
    closings: Vec<Closing<R>>,
    coupling_names: Vec<String>,
    /// Segments that no equation depends on. Whatever they carry moves as one, so the equations are
    /// evaluated as if they stood at their origin: a floating base a thousand kilometres away costs no
    /// digits.
    carriers: Vec<bool>,
}

/// The equations of a loop or coupling.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub(crate) rows: Vec<usize>,
    /// Tree velocities that they depend on.
    pub(crate) velocities: Vec<usize>,
    pub(crate) is_coupling: bool,
}

/// World poses of the loop frames and world Jacobian lines at a configuration.
pub(crate) struct Situation<R> {
    q: Vec<R>,
    world: Vec<Pose<R>>,
    lines: Vec<Column<R>>,
    /// P and Q of each closing.
    frames: Vec<(Pose<R>, Pose<R>)>,
}

impl<R: Real> Constraints<R> {
    pub(crate) fn new(robot: &Robot, tree: &Tree<R>) -> Result<Self, EvaluationError> {
        Ok(Self::with_directions(robot, tree, |v| v.scale(R::one() / v.dot(v).sqrt()))?.value)
    }

    pub(crate) fn situation(&self, tree: &Tree<R>, q: &[R]) -> Situation<R> {
        let mut poses = Vec::new();
        tree.poses_at(q, &mut poses);
        self.situation_at(tree, q, poses)
    }

    /// The first loop whose equations hold without its frames agreeing: axes opposed, or permuted by a third
    /// of a turn.
    pub(crate) fn opposed(&self, at: &Situation<R>) -> Option<&str> {
        let closed_wrongly = |(closing, (p, q)): &(&Closing<R>, &(Pose<R>, Pose<R>))| {
            closing
                .aligned
                .iter()
                .any(|(a, b)| p.rotation.apply(*a).dot(q.rotation.apply(*b)) < R::from_f64(0.5))
        };
        self.closings.iter().zip(&at.frames).find(closed_wrongly).map(|(closing, _)| closing.name.as_str())
    }
}

impl<R: Scalar> Constraints<R> {
    /// `unit` makes a vector one of length 1, where the scalar has roots: elsewhere it may leave it as it is,
    /// which only changes the factor of an equation. Says whether some number had to be rounded.
    pub(crate) fn with_directions(
        robot: &Robot,
        tree: &Tree<R>,
        unit: impl Fn(Vec3<R>) -> Vec3<R>,
    ) -> Result<Evaluated<Self>, EvaluationError> {
        let mut rounded = false;
        // Of machines far from a metre, equations of lengths in units of their own size.
        let shrink = match length_unit(robot) {
            1.0 => R::one(),
            unit => R::from_f64(1.0 / unit),
        };
        let mut constraints = Constraints {
            rows: Vec::new(),
            closings: Vec::new(),
            coupling_names: Vec::new(),
            carriers: Vec::new(),
        };
        for closure in &robot.loops {
            let mut side = |attachment: &steiner_robot::Attachment| {
                let frame = attachment.frame.evaluate()?;
                rounded |= frame.rounded;
                let segment = attachment.body.map(|body| tree.segment_of_body[body.0]);
                Ok(Side { segment, frame: frame.value })
            };
            let (predecessor, successor) = (side(&closure.predecessor)?, side(&closure.successor)?);
            let ancestry = |side: &Side<R>| side.segment.map_or(&[][..], |segment| &tree.ancestry[segment]);
            let (first, second) = (ancestry(&predecessor), ancestry(&successor));
            let mut branch: Vec<(usize, bool)> =
                second.iter().filter(|k| !first.contains(k)).map(|&k| (k, true)).collect();
            branch.extend(first.iter().filter(|k| !second.contains(k)).map(|&k| (k, false)));
            let index = constraints.closings.len();
            let (rows, aligned) = equations(index, closure, shrink, &unit, &mut rounded)?;
            constraints.rows.extend(rows);
            constraints.closings.push(Closing {
                name: closure.name.clone(),
                predecessor,
                successor,
                branch,
                aligned,
            });
        }
        let (velocities, configurations) = (robot.velocity_offsets(), robot.configuration_offsets());
        for (index, coupling) in robot.couplings.iter().enumerate() {
            let term = |coordinate: Coordinate, factor: R| LinearTerm {
                velocity: velocities[coordinate.body.0] + coordinate.component,
                configuration: configurations[coordinate.body.0] + coordinate.component,
                factor,
            };
            let mut terms = vec![term(coupling.coordinate, R::one())];
            for (coordinate, factor) in &coupling.terms {
                let factor = R::evaluate(factor)?;
                rounded |= factor.rounded;
                terms.push(term(*coordinate, -factor.value));
            }
            // An angle such as π/3 is no number of every field, and a reference measured from there needs none.
            let offset = R::evaluate(&coupling.offset)?.value;
            constraints.rows.push(Row::Linear { coupling: index, terms, offset });
            constraints.coupling_names.push(coupling.name.clone());
        }
        let involved: std::collections::HashSet<usize> = constraints.groups().into_iter().flatten().collect();
        constraints.carriers = tree
            .segments
            .iter()
            .map(|segment| {
                !(segment.velocity..segment.velocity + segment.dof()).any(|k| involved.contains(&k))
            })
            .collect();
        Ok(Evaluated { value: constraints, rounded })
    }

    /// The same with couplings that relate changes of coordinates.
    pub(crate) fn without_offsets(mut self) -> Self {
        for row in &mut self.rows {
            if let Row::Linear { offset, .. } = row {
                *offset = R::zero();
            }
        }
        self
    }

    /// Whether no equation depends on a segment.
    pub(crate) fn is_carrier(&self, segment: usize) -> bool {
        self.carriers[segment]
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Sets of tree velocities that constrain each other directly.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        let loops = self.closings.iter().map(|closing| closing.branch.iter().map(|(k, _)| *k).collect());
        let couplings = self.rows.iter().filter_map(|row| match row {
            Row::Linear { terms, .. } => Some(terms.iter().map(|term| term.velocity).collect()),
            _ => None,
        });
        loops.chain(couplings).collect()
    }

    /// The equations of each loop and coupling.
    pub(crate) fn groups_of_rows(&self) -> Vec<Group> {
        let loops = self.closings.len();
        let mut groups: Vec<Group> = self
            .groups()
            .into_iter()
            .enumerate()
            .map(|(k, velocities)| Group { rows: Vec::new(), velocities, is_coupling: k >= loops })
            .collect();
        for (index, row) in self.rows.iter().enumerate() {
            let group = match row {
                Row::Point { closure, .. } | Row::Dot { closure, .. } => *closure,
                Row::Linear { coupling, .. } => loops + *coupling,
            };
            groups[group].rows.push(index);
        }
        groups
    }

    /// The loop or coupling an equation belongs to.
    pub(crate) fn name(&self, row: usize) -> &str {
        match &self.rows[row] {
            Row::Point { closure, .. } | Row::Dot { closure, .. } => &self.closings[*closure].name,
            Row::Linear { coupling, .. } => &self.coupling_names[*coupling],
        }
    }

    /// The situation at given poses of the segments; `q` is what couplings relate.
    pub(crate) fn situation_at(&self, tree: &Tree<R>, q: &[R], mut poses: Vec<Pose<R>>) -> Situation<R> {
        for (pose, _) in poses.iter_mut().zip(&self.carriers).filter(|(_, carrier)| **carrier) {
            *pose = Pose::identity();
        }
        let world = tree.world_poses(&poses);
        let mut lines = vec![Column::zero(); tree.dof];
        for (segment, pose) in tree.segments.iter().zip(&world) {
            for (k, column) in segment.columns.iter().enumerate() {
                lines[segment.velocity + k] = column.in_world(pose);
            }
        }
        let place = |side: &Side<R>| match side.segment {
            Some(segment) => world[segment].then(&side.frame),
            None => side.frame,
        };
        let frames = self
            .closings
            .iter()
            .map(|closing| (place(&closing.predecessor), place(&closing.successor)))
            .collect();
        Situation { q: q.to_vec(), world, lines, frames }
    }

    pub(crate) fn residual(&self, at: &Situation<R>) -> Vec<R> {
        self.rows.iter().map(|row| self.residual_of(at, row)).collect()
    }

    /// The residual of some equations.
    pub(crate) fn residual_in(&self, at: &Situation<R>, rows: &[usize]) -> Vec<R> {
        rows.iter().map(|&row| self.residual_of(at, &self.rows[row])).collect()
    }

    fn residual_of(&self, at: &Situation<R>, row: &Row<R>) -> R {
        match row {
            Row::Point { closure, direction } => {
                let (p, q) = &at.frames[*closure];
                p.rotation.apply(*direction).dot(q.translation - p.translation)
            }
            Row::Dot { closure, predecessor, successor, target } => {
                let (p, q) = &at.frames[*closure];
                p.rotation.apply(*predecessor).dot(q.rotation.apply(*successor)) - *target
            }
            Row::Linear { terms, offset, .. } => {
                terms.iter().fold(-*offset, |sum, term| sum + term.factor * at.q[term.configuration])
            }
        }
    }

    /// K with K q̇ = 0: the exact derivative of the residual, closed or not.
    pub(crate) fn jacobian(&self, at: &Situation<R>) -> Matrix<R> {
        self.jacobian_in(at, &(0..self.rows.len()).collect::<Vec<_>>())
    }

    /// Some rows of K.
    pub(crate) fn jacobian_in(&self, at: &Situation<R>, rows: &[usize]) -> Matrix<R> {
        let mut k = Matrix::zeros(rows.len(), at.lines.len());
        // How the successor's point moves with each coordinate: the same in all equations of a loop.
        let mut moves: (usize, Vec<Vec3<R>>) = (usize::MAX, Vec::new());
        for (index, &row) in rows.iter().enumerate() {
            match &self.rows[row] {
                Row::Point { closure, direction } => {
                    let (p, q) = &at.frames[*closure];
                    let d = p.rotation.apply(*direction);
                    let branch = &self.closings[*closure].branch;
                    if moves.0 != *closure {
                        let of = |line: &Column<R>| line.linear + line.angular.cross(q.translation);
                        moves = (
                            *closure,
                            branch.iter().map(|(coordinate, _)| of(&at.lines[*coordinate])).collect(),
                        );
                    }
                    for (&(coordinate, ahead), moved) in branch.iter().zip(&moves.1) {
                        let entry = d.dot(*moved);
                        k[(index, coordinate)] = if ahead { entry } else { -entry };
                    }
                }
                Row::Dot { closure, predecessor, successor, .. } => {
                    let (p, q) = &at.frames[*closure];
                    let normal = q.rotation.apply(*successor).cross(p.rotation.apply(*predecessor));
                    for &(coordinate, ahead) in &self.closings[*closure].branch {
                        let entry = normal.dot(at.lines[coordinate].angular);
                        k[(index, coordinate)] = if ahead { entry } else { -entry };
                    }
                }
                Row::Linear { terms, .. } => {
                    for term in terms {
                        k[(index, term.velocity)] += term.factor;
                    }
                }
            }
        }
        k
    }

    /// K̇ q̇: the second derivative of the residual along a motion without tree accelerations. `motions` are
    /// those of the segments at q̈ = 0 and zero gravity.
    pub(crate) fn bias(
        &self,
        tree: &Tree<R>,
        at: &Situation<R>,
        qd: &[R],
        motions: &[SegmentMotion<R>],
    ) -> Vec<R> {
        let bodies: Vec<(Carrier<R>, Carrier<R>)> = self
            .closings
            .iter()
            .map(|closing| {
                let carrier = |side: &Side<R>| Carrier::new(tree, at, side, qd, motions);
                (carrier(&closing.predecessor), carrier(&closing.successor))
            })
            .collect();
        let two = R::from_i64(2);
        let value = |row: &Row<R>| match row {
            Row::Point { closure, direction } => {
                let (p, q) = &at.frames[*closure];
                let (first, second) = &bodies[*closure];
                let (d, d1, d2) = first.direction(p.rotation.apply(*direction));
                let e = q.translation - p.translation;
                let e1 = second.velocity - first.velocity;
                let e2 = second.acceleration - first.acceleration;
                d2.dot(e) + two * d1.dot(e1) + d.dot(e2)
            }
            Row::Dot { closure, predecessor, successor, .. } => {
                let (p, q) = &at.frames[*closure];
                let (first, second) = &bodies[*closure];
                let (a, a1, a2) = first.direction(p.rotation.apply(*predecessor));
                let (b, b1, b2) = second.direction(q.rotation.apply(*successor));
                a2.dot(b) + two * a1.dot(b1) + a.dot(b2)
            }
            Row::Linear { .. } => R::zero(),
        };
        self.rows.iter().map(value).collect()
    }
}

/// World motion of the body one side of a loop sits on; velocity and acceleration are those of the loop
/// point.
struct Carrier<R> {
    angular_velocity: Vec3<R>,
    angular_acceleration: Vec3<R>,
    velocity: Vec3<R>,
    acceleration: Vec3<R>,
}

impl<R: Scalar> Carrier<R> {
    fn new(
        tree: &Tree<R>,
        at: &Situation<R>,
        side: &Side<R>,
        qd: &[R],
        motions: &[SegmentMotion<R>],
    ) -> Self {
        let Some(segment) = side.segment else {
            let zero = Vec3::zero();
            return Carrier {
                angular_velocity: zero,
                angular_acceleration: zero,
                velocity: zero,
                acceleration: zero,
            };
        };
        let rotation = &at.world[segment].rotation;
        let motion = &motions[segment];
        let twist = tree.ancestry[segment]
            .iter()
            .fold(Column::zero(), |sum: Column<R>, &k| sum.plus_scaled(qd[k], &at.lines[k]));
        let point = at.world[segment].point(side.frame.translation);
        let acceleration = motion.field.origin + motion.field.gradient.apply(side.frame.translation);
        Carrier {
            angular_velocity: twist.angular,
            angular_acceleration: rotation.apply(motion.angular_acceleration),
            velocity: twist.linear + twist.angular.cross(point),
            acceleration: rotation.apply(acceleration),
        }
    }

    /// A direction carried by the body, with its first and second derivative.
    fn direction(&self, d: Vec3<R>) -> (Vec3<R>, Vec3<R>, Vec3<R>) {
        let rate = self.angular_velocity.cross(d);
        (d, rate, self.angular_acceleration.cross(d) + self.angular_velocity.cross(rate))
    }
}
