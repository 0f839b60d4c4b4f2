//! From independent coordinates to a closed configuration, by walking there from one that is known.

use steiner_linalg::elimination::Matrix;

use crate::error::DynamicsError;
use crate::mechanism::Mechanism;
use crate::mobility::least_squares;

/// Longest step, rad or m.
const LONGEST_STEP: f64 = 0.25;
/// Parts of a step below this are not tried: what needs them is a singularity.
const SHORTEST_PART: f64 = 1.0 / 64.0;
/// How much a step may change what is moving, relative to what moves most. Two motions that cross in a
/// singularity differ by more.
const SMALL_TURN: f64 = 0.25;
/// A step turns in proportion to its length; the next one is to turn this part of a small turn.
const CAUTIOUS: f64 = 0.8;
/// What is left of a walk below this part of a step is rounding.
const NOTHING_LEFT: f64 = 1e-12;
/// Farther than this, rad or m, nobody walks: such a number is in other units.
const FARTHEST: f64 = 1e3;
/// How far a configuration of the whole tree may be from closing its loops, rad or m: the digits of a log.
const ALMOST_CLOSED: f64 = 1e-3;

impl Mechanism {
    /// The closed configuration of the tree at a configuration of the independent coordinates, reached from
    /// the reference by continuation, so that the same point always gives the same assembly.
    pub fn tree_configuration(&self, q: &[f64]) -> Result<Vec<f64>, DynamicsError> {
        self.check("q", q, self.configuration_size())?;
        self.check_configuration(q, None)?;
        self.tree_configuration_from(q, &self.reference)
    }

    /// As [`Mechanism::tree_configuration`], continued from any closed configuration of the tree. Where
    /// paths around a singularity lead to different assemblies, that decides which.
    pub fn tree_configuration_from(&self, q: &[f64], start: &[f64]) -> Result<Vec<f64>, DynamicsError> {
        let tree = &self.closure.tree;
        let Some(indices) = &self.configuration else {
            let mut q = q.to_vec();
            tree.normalise(&mut q);
            return if self.closure.is_trivial() { Ok(q) } else { self.nearest_closed(&q) };
        };
        let with = |base: &[f64], part: &[f64]| {
            let mut full = base.to_vec();
            for (&k, &x) in indices.iter().zip(part) {
                full[k] = x;
            }
            tree.normalise(&mut full);
            full
        };
        if self.closure.is_trivial() {
            return Ok(with(start, q));
        }
        if self.robot.loops.is_empty() {
            // Couplings are linear: one step, however far.
            return Ok(self.closure.newton(&with(start, q), &self.plan.dependent, 4).q);
        }
        let (from, to) = self.endpoints(q, start, indices)?;
        let at = |t: f64| -> Vec<f64> { from.iter().zip(&to).map(|(a, b)| a + t * (b - a)).collect() };
        let distance = from.iter().zip(&to).fold(0.0, |most: f64, (a, b)| most.max((b - a).abs()));
        let longest = (LONGEST_STEP / distance).min(1.0);
        let (mut t, mut step, mut current) = (0.0, longest, with(start, &from));
        while t < 1.0 {
            let next_t = if t + step >= 1.0 - 1e-12 { 1.0 } else { t + step };
            let predicted = self.predicted(&current, &with(&current, &at(next_t)));
            let closed = self.closure.newton(&predicted, &self.plan.dependent, 12);
            // A large correction means that Newton went to another branch.
            let correction = largest_difference(&predicted, &closed.q);
            let good = closed.residual <= 1e-10
                && correction < 0.5 * LONGEST_STEP
                && self.closure.opposed(&closed.q).is_none();
            if good {
                (t, current) = (next_t, closed.q);
                step = (2.0 * step).min(longest);
                continue;
            }
            step *= 0.5;
            if step < longest * 1e-4 {
                let target: Vec<String> = q.iter().map(|x| format!("{x:.4}")).collect();
                return Err(DynamicsError::OutOfReach {
                    robot: self.robot.name.clone(),
                    closure: self.closure.loop_name(closed.worst),
                    target: format!("({})", target.join(", ")),
                    reached: 100.0 * t,
                    residual: closed.residual,
                });
            }
        }
        Ok(current)
    }

    /// A closed configuration of the tree, reached from the reference by moving the independent velocities
    /// by `delta` in small steps: rad, or multiples of [`Mechanism::length_scale`]. It never crosses a
    /// singularity, where motions of another kind may begin (a parallelogram that folds). Unlike
    /// [`Mechanism::tree_configuration`] it also walks where the independent coordinates cut a quaternion.
    pub fn walked(&self, delta: &[f64]) -> Option<Vec<f64>> {
        self.walked_from(&self.reference, delta)
    }

    /// As [`Mechanism::walked`], from any closed configuration of the tree.
    pub fn walked_from(&self, start: &[f64], delta: &[f64]) -> Option<Vec<f64>> {
        let farthest = delta.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let steps = (farthest / LONGEST_STEP).ceil().max(1.0);
        let tree = &self.closure.tree;
        let length = self.length_scale();
        let units = tree.configuration_units(length);
        let unit = |&k: &usize| if tree.translates[k] { length } else { 1.0 };
        let step: Vec<f64> =
            delta.iter().zip(&self.plan.independent).map(|(x, k)| x * unit(k) / steps).collect();
        let mut current = start.to_vec();
        if self.closure.is_trivial() {
            (0..steps as usize).for_each(|_| current = tree.displaced(&current, &step));
            return Some(current);
        }
        let tangent = |k: &Matrix<f64>| Some(self.closure.velocities_by(&self.plan, k).ok()?.apply(&step));
        let mut jacobian = self.closure.jacobian(&current);
        let (mut here, mut done, mut part) = (tangent(&jacobian)?, 0.0, 1.0);
        while steps - done > NOTHING_LEFT {
            part = f64::min(part, steps - done);
            let moved: Vec<f64> = here.iter().map(|x| part * x).collect();
            let predicted = tree.displaced(&current, &moved);
            let (closed, at) = self.closure.newton_with_situation(&predicted, &self.plan.dependent, 12);
            let corrections =
                predicted.iter().zip(&closed.q).zip(&units).map(|((a, b), u)| (a - b).abs() / u);
            let another_branch = corrections.fold(0.0, f64::max) >= 0.5 * LONGEST_STEP;
            // Dimensionless equations close to rounding, those of lengths to rounding of the length.
            let open = closed.residual > 1e-10 * length.max(1.0);
            let reached = (!open && !another_branch).then(|| self.closure.constraints().jacobian(&at));
            let there = reached.and_then(|reached| Some((tangent(&reached)?, reached)));
            let turned = there
                .as_ref()
                .map(|(there, _)| turn(&here, there, |k| if tree.translates[k] { length } else { 1.0 }));
            let same_motion = |(_, reached): &(Vec<f64>, Matrix<f64>)| {
                turned.is_some_and(|turned| turned <= SMALL_TURN)
                    && self.closure.constraints().opposed(&at).is_none()
                    && !self.closure.crosses_singularity(&self.plan, &jacobian, reached)
            };
            let next = turned
                .filter(|turned| !turned.is_nan())
                .map_or(0.5, |turned| (CAUTIOUS * SMALL_TURN / turned).clamp(0.5, 2.0));
            match there.filter(same_motion) {
                Some((there, reached)) => {
                    (current, here, jacobian, done) = (closed.q, there, reached, done + part);
                    part *= next;
                }
                None if part < SHORTEST_PART => return None,
                None => part *= if next < CAUTIOUS { next } else { 0.5 },
            }
        }
        Some(current)
    }

    /// Where the walk starts and ends, in API coordinates. Coordinates that no loop depends on need no walk.
    fn endpoints(
        &self,
        q: &[f64],
        start: &[f64],
        indices: &[usize],
    ) -> Result<(Vec<f64>, Vec<f64>), DynamicsError> {
        let mut to = q.to_vec();
        let mut from: Vec<f64> = indices.iter().map(|&k| start[k]).collect();
        // A quaternion and its negative are the same rotation: go the short way.
        for &(first, _) in &self.quaternions {
            let along: f64 = (first..first + 4).map(|k| from[k] * to[k]).sum();
            if along < 0.0 {
                to[first..first + 4].iter_mut().for_each(|x| *x = -*x);
            }
        }
        for k in 0..to.len() {
            if !self.constrained[k] {
                from[k] = to[k];
            } else if (to[k] - from[k]).abs() > FARTHEST {
                return Err(DynamicsError::TooFar { index: k, value: q[k], farthest: FARTHEST });
            }
        }
        Ok((from, to))
    }

    /// First-order prediction of the dependent coordinates when the independent ones move to those of
    /// `moved`.
    fn predicted(&self, current: &[f64], moved: &[f64]) -> Vec<f64> {
        let tree = &self.closure.tree;
        let Some(indices) = &self.configuration else { return moved.to_vec() };
        let Ok(z) = self.closure.velocities(&self.plan, current) else { return moved.to_vec() };
        // Only one-to-one coordinates are predicted; quaternions are left to Newton.
        let mut step = vec![0.0; self.dof()];
        let all = self.robot.coordinates();
        let offsets = self.robot.configuration_offsets();
        for (a, &k) in self.plan.independent.iter().enumerate() {
            let coordinate = all[k];
            let kind = &self.robot.bodies[coordinate.body.0].joint.kind;
            if kind.is_coordinatewise() && !matches!(kind, steiner_robot::JointKind::Planar) {
                let index = offsets[coordinate.body.0] + coordinate.component;
                step[a] = moved[index] - current[index];
            }
        }
        let mut delta = z.apply(&step);
        for &k in &self.plan.independent {
            delta[k] = 0.0;
        }
        let mut out = tree.displaced(current, &delta);
        for &k in indices {
            out[k] = moved[k];
        }
        out
    }

    /// A configuration of the whole tree that closes its loops but for the digits it was written with,
    /// closed exactly.
    fn nearest_closed(&self, q: &[f64]) -> Result<Vec<f64>, DynamicsError> {
        let all: Vec<usize> = (0..self.tree_dof()).collect();
        let closed = least_squares(&self.closure, q, &all);
        let moved = largest_difference(q, &closed.q);
        if closed.residual <= 1e-9 && moved <= ALMOST_CLOSED && self.closure.opposed(&closed.q).is_none() {
            return Ok(closed.q);
        }
        let (residual, worst) = self.closure.worst_residual(q);
        Err(DynamicsError::NotFeasible {
            robot: self.robot.name.clone(),
            closure: self.closure.loop_name(worst),
            residual,
        })
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
}

/// How much velocities change, in units of each, relative to the largest of them.
fn turn(before: &[f64], after: &[f64], unit: impl Fn(usize) -> f64) -> f64 {
    let sized = |(k, x): (usize, f64)| x.abs() / unit(k);
    let most = before.iter().copied().enumerate().map(sized).fold(0.0, f64::max);
    let change = before.iter().zip(after).map(|(a, b)| a - b).enumerate().map(sized).fold(0.0, f64::max);
    if change > 0.0 { change / most } else { 0.0 }
}
