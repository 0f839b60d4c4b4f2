//! Curves of closed configurations in F_p: how loops are decided without a tolerance.
//!
//! Where the loops of a robot close exactly in F_p at the configuration of its file, and their Jacobian K has
//! its full rank there, the closed configurations form a manifold through that point, on the file's own
//! branch. A random curve on it is a power series: the independent coordinates are drawn, Newton's iteration
//! gives the dependent ones coefficient by coefficient. Velocities and accelerations are linear. What a linear
//! combination of the regressor's columns does along such curves, it does on the whole branch: the branch is
//! irreducible near a regular point, and an analytic function that vanishes with all derivatives vanishes.

mod algebraic;
mod blocks;
mod branch;
mod numbers;

use steiner_linalg::elimination::Echelon;
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use steiner_scalar::{Exact, Field, Fp, Scalar, Series};

use crate::closure::{Plan, balanced_by, by_steps, velocity_map};
use crate::constraints::{Constraints, Group, Situation};
use crate::error::DynamicsError;
use crate::feasible::Feasible;
use crate::kinematics::SegmentMotion;
use crate::mechanism::Mechanism;
use crate::tree::{Placing, Segment, Tree};

pub use branch::{Branch, Place};

/// Curves through the exact configuration of a robot with loops, to `N` coefficients.
#[derive(Clone, Debug)]
pub struct Arcs<const N: usize> {
    tree: Tree<Series<N>>,
    constraints: Constraints<Series<N>>,
    plan: Plan,
    at_file: Point<N>,
    /// Whether some angle of the geometry had to be rounded to one the field has: then the curves are those of
    /// another mechanism, near this one, whose loops close exactly, too.
    pub rounded: bool,
}

/// An assembled configuration this close to that of the file, rad or m, is the file's own.
const SAME: f64 = 1e-9;

/// A configuration: rational parameters of each segment (see [`Segment::pose_at_parameters`]), and by how much
/// each coordinate has changed since the file's configuration.
#[derive(Clone, Debug)]
struct Point<const N: usize> {
    parameters: Vec<Vec<Series<N>>>,
    /// The turns of screws, rad.
    advance: Vec<Series<N>>,
    /// In the order of the tree's configuration; what couplings relate.
    change: Vec<Series<N>>,
}

impl<const N: usize> Arcs<N> {
    /// `None` where the file's configuration has no image in the field, does not close the loops there, or is
    /// singular.
    pub fn new(mechanism: &Mechanism) -> Result<Option<Self>, DynamicsError> {
        let (robot, plan) = (mechanism.robot(), mechanism.plan());
        let assembled_there =
            |(x, file): (&f64, &Exact)| (x - file.to_f64().unwrap_or(f64::NAN)).abs() < SAME;
        if !mechanism.reference_tree().iter().zip(&robot.reference).all(assembled_there) {
            return Ok(None);
        }
        let geometry = |reason| DynamicsError::Geometry { robot: robot.name.clone(), reason };
        let tree = Tree::<Series<N>>::new(robot)?;
        let constraints = Constraints::with_directions(robot, &tree, |v| v).map_err(geometry)?;
        let rounded = tree.rounded || constraints.rounded;
        // The reference satisfies the couplings, whose offsets may be no numbers of the field.
        let constraints = constraints.value.without_offsets();
        let mut at_file = Point {
            parameters: Vec::new(),
            advance: Vec::new(),
            change: vec![Series::zero(); tree.configuration_size],
        };
        for segment in &tree.segments {
            let size = segment.configuration_size();
            let reference = &robot.reference[segment.configuration..segment.configuration + size];
            let Some((parameters, advance)) = exact_parameters(segment, reference) else { return Ok(None) };
            at_file.parameters.push(parameters);
            at_file.advance.push(advance);
        }
        let arcs = Arcs { tree, constraints, plan: plan.clone(), at_file, rounded };
        let at = arcs.situation(&arcs.at_file);
        let closed = arcs.constraints.residual(&at).iter().all(Series::is_zero);
        let regular = || {
            let (_, echelon, _) = velocity_map(&arcs.constraints.jacobian(&at), plan);
            arcs.determines(&echelon)
        };
        Ok((closed && regular()).then_some(arcs))
    }

    /// Where generic points of the file's branch are found; `None` where that is not known.
    pub fn branch(&self) -> Option<Branch<'_, N>> {
        Branch::new(self)
    }

    /// Curves through another point of the branch; `None` where that is singular or leaves a loop open.
    pub fn through(&self, place: &Place) -> Option<Self> {
        let arcs = Arcs { at_file: self.point_at(place), ..self.clone() };
        let at = arcs.situation(&arcs.at_file);
        let closed = arcs.constraints.residual(&at).iter().all(Series::is_zero);
        let (_, echelon, _) = velocity_map(&arcs.constraints.jacobian(&at), &arcs.plan);
        (closed && arcs.determines(&echelon)).then_some(arcs)
    }

    fn point_at(&self, place: &Place) -> Point<N> {
        let constants = |numbers: &Vec<Fp>| numbers.iter().map(|c| Series::constant(*c)).collect();
        Point {
            parameters: place.parameters.iter().map(constants).collect(),
            advance: place.advance.iter().map(|c| Series::constant(*c)).collect(),
            change: vec![Series::zero(); self.tree.configuration_size],
        }
    }

    fn file_place(&self) -> Place {
        let first = |series: &Series<N>| series.coefficients()[0];
        Place {
            parameters: self.at_file.parameters.iter().map(|all| all.iter().map(first).collect()).collect(),
            advance: self.at_file.advance.iter().map(first).collect(),
        }
    }

    /// Whether a coupling ties lengths to angles.
    fn is_rack(&self, group: &Group) -> bool {
        let slides = |k: &usize| self.tree.translates[*k];
        group.is_coupling && group.velocities.iter().any(slides) && !group.velocities.iter().all(slides)
    }

    fn is_screw(&self, segment: usize) -> bool {
        match &self.tree.segments[segment].placing {
            Placing::Turn { translation, .. } => translation[3] != Vec3::zero(),
            _ => false,
        }
    }

    /// The tree, in series.
    pub fn tree(&self) -> &Tree<Series<N>> {
        &self.tree
    }

    /// A state on a random curve through the file's configuration, with random rates; `None` if the curve leaves
    /// the loops open, whose equations then are singular at the file's configuration after all.
    pub fn state(&self, mut draw: impl FnMut() -> Fp) -> Option<Feasible<Series<N>>> {
        let mut point = self.at_file.clone();
        let mut step = vec![Series::zero(); self.tree.dof];
        for (index, segment) in self.tree.segments.iter().enumerate() {
            // Nothing ties what no loop depends on to the file's configuration.
            if self.constraints.is_carrier(index) {
                point.parameters[index].iter_mut().for_each(|x| *x = Series::constant(draw()));
                point.advance[index] = Series::constant(draw());
                continue;
            }
            for k in segment.velocity..segment.velocity + segment.dof() {
                if self.plan.independent.binary_search(&k).is_ok() {
                    let coefficient = |power: usize| if power == 0 { Fp::zero() } else { draw() };
                    step[k] = Series::new(std::array::from_fn(coefficient));
                }
            }
        }
        self.displace(&mut point, &step);
        let mut at = self.situation(&point);
        // Each step doubles the number of coefficients that are right, from one.
        for _ in 0..N.next_power_of_two().trailing_zeros() + 1 {
            let residual = self.constraints.residual(&at);
            if residual.iter().all(Series::is_zero) {
                break;
            }
            let (step, _) = balanced_by(&self.constraints.jacobian(&at), &self.plan.dependent, &residual);
            self.displace(&mut point, &step);
            at = self.situation(&point);
        }
        if !self.constraints.residual(&at).iter().all(Series::is_zero) {
            return None;
        }
        let mut rates = || -> Vec<Series<N>> {
            (0..self.plan.independent.len()).map(|_| Series::constant(draw())).collect()
        };
        let (qd, qdd) = (rates(), rates());
        self.moving(&point, &at, &qd, &qdd)
    }

    fn moving(
        &self,
        point: &Point<N>,
        at: &Situation<Series<N>>,
        qd: &[Series<N>],
        qdd: &[Series<N>],
    ) -> Option<Feasible<Series<N>>> {
        let (tree, poses) = (&self.tree, self.poses(point));
        let (z, echelon, steps) = velocity_map(&self.constraints.jacobian(at), &self.plan);
        if !self.determines(&echelon) {
            return None;
        }
        let velocity = z.apply(qd);
        let mut motions = vec![SegmentMotion::zero(); tree.segments.len()];
        tree.motions(&poses, &velocity, &vec![Series::zero(); tree.dof], Vec3::zero(), &mut motions);
        let rates = self.constraints.bias(tree, at, &velocity, &motions);
        let bias = by_steps(&steps, &self.plan.dependent, &rates, tree.dof);
        let mut acceleration = z.apply(qdd);
        acceleration.iter_mut().zip(bias).for_each(|(a, b)| *a += b);
        Some(Feasible { poses, velocity, acceleration, reduction: Some(z) })
    }

    fn determines(&self, echelon: &Echelon<Series<N>>) -> bool {
        echelon.rank() == self.plan.dependent.len()
    }

    fn poses(&self, point: &Point<N>) -> Vec<Pose<Series<N>>> {
        let at = |(k, segment): (usize, &Segment<Series<N>>)| {
            segment.pose_at_parameters(&point.parameters[k], point.advance[k])
        };
        self.tree.segments.iter().enumerate().map(at).collect()
    }

    fn situation(&self, point: &Point<N>) -> Situation<Series<N>> {
        self.constraints.situation_at(&self.tree, &point.change, self.poses(point))
    }

    /// Moves a point by small steps of the tree's velocities. Turns about one axis are exact, so that couplings
    /// and screws follow; the others agree with the velocities to first order, which is all that Newton needs.
    fn displace(&self, point: &mut Point<N>, step: &[Series<N>]) {
        for (index, segment) in self.tree.segments.iter().enumerate() {
            let step = &step[segment.velocity..segment.velocity + segment.dof()];
            if step.iter().all(Series::is_zero) {
                continue;
            }
            let parameters = &mut point.parameters[index];
            let half = |v: Vec3<Series<N>>| Vec3(v.0.map(Series::half));
            match &segment.placing {
                Placing::Turn { .. } => {
                    parameters[0] = turned(parameters[0], step[0], segment.axis_norm2);
                    point.advance[index] += step[0];
                }
                Placing::Slide { .. } => parameters[0] += step[0],
                Placing::Ball { after, .. } => {
                    let turn = after.rotation.apply(Vec3([step[0], step[1], step[2]]));
                    turn_quaternion(&mut parameters[..], half(turn));
                }
                Placing::Plane { .. } => {
                    let (s, c) = circle(parameters[2]);
                    let (x, y) = (step[0], step[1]);
                    parameters[0] += c * x - s * y;
                    parameters[1] += s * x + c * y;
                    parameters[2] = turned(parameters[2], step[2], Series::one());
                }
                Placing::Free { after, .. } => {
                    // Velocities are those of the body's origin, in its own axes.
                    let [v, w] = [0, 3].map(|k| Vec3([step[k], step[k + 1], step[k + 2]]));
                    let (v, w) = (after.rotation.apply(v), after.rotation.apply(w));
                    let rotation = Mat3::from_quaternion(
                        parameters[6],
                        Vec3([parameters[3], parameters[4], parameters[5]]),
                    );
                    let moved = rotation.apply(v - w.cross(after.translation));
                    (0..3).for_each(|k| parameters[k] += moved[k]);
                    turn_quaternion(&mut parameters[3..], half(w));
                }
            }
            // Couplings relate coordinates of one number each.
            if segment.configuration_size() == segment.dof() {
                (0..step.len()).for_each(|k| point.change[segment.configuration + k] += step[k]);
            }
        }
    }
}

/// (sin, cos) at a half-angle tangent.
fn circle<S: Scalar>(t: S) -> (S, S) {
    let norm = (S::one() + t * t).inv();
    ((t + t) * norm, (S::one() - t * t) * norm)
}

/// The parameter t of a rotation (1, t·axis), turned further by a small angle (in units of the axis' length).
fn turned<const N: usize>(t: Series<N>, angle: Series<N>, axis_norm2: Series<N>) -> Series<N> {
    let (cos, sin) = angle.half().turned(axis_norm2);
    (t * cos + sin) * (cos - axis_norm2 * t * sin).inv()
}

/// A quaternion (x, y, z, w) times (v, 1).
fn turn_quaternion<const N: usize>(quaternion: &mut [Series<N>], v: Vec3<Series<N>>) {
    let (u, w) = (Vec3([quaternion[0], quaternion[1], quaternion[2]]), quaternion[3]);
    let turned = u + v.scale(w) + u.cross(v);
    quaternion[..3].copy_from_slice(&turned.0);
    quaternion[3] = w - u.dot(v);
}

/// The parameters of a segment at an exact configuration, and the turn of a screw; `None` if the field has none.
fn exact_parameters<const N: usize>(
    segment: &Segment<Series<N>>,
    reference: &[Exact],
) -> Option<(Vec<Series<N>>, Series<N>)> {
    let number = |x: &Exact| Some(Fp::evaluate(x).ok().filter(|x| !x.rounded)?.value);
    let has_unit_axis = segment.axis_norm2 == Series::one();
    let half_angle_tangent = |angle: &Exact| {
        if angle.is_zero() {
            return Some(Fp::zero());
        }
        let found = Fp::evaluate_sin_cos(angle).ok().filter(|found| !found.rounded)?;
        let (sin, cos) = found.value;
        (Fp::one() + cos).try_inv().map(|inverse| sin * inverse).filter(|_| has_unit_axis)
    };
    let mut advance = Fp::zero();
    let parameters: Vec<Fp> = match &segment.placing {
        Placing::Turn { translation, .. } => {
            if translation[3] != Vec3::zero() {
                advance = number(&reference[0])?;
            }
            vec![half_angle_tangent(&reference[0])?]
        }
        Placing::Plane { .. } => {
            vec![number(&reference[0])?, number(&reference[1])?, half_angle_tangent(&reference[2])?]
        }
        // Displacements are in units of the axis.
        Placing::Slide { .. } if !has_unit_axis && !reference[0].is_zero() => return None,
        Placing::Slide { .. } | Placing::Ball { .. } | Placing::Free { .. } => {
            reference.iter().map(number).collect::<Option<_>>()?
        }
    };
    Some((parameters.into_iter().map(Series::constant).collect(), Series::constant(advance)))
}
