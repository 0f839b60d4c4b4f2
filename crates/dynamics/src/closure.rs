//! Closing loops: from independent coordinates to a feasible state, in any real precision.

use steiner_linalg::Vec3;
use steiner_linalg::elimination::{Echelon, Matrix, Solved, Steps, reduce, reduce_with_steps, solve};
use steiner_robot::{Pose, Robot};
use steiner_scalar::{Real, Scalar};

use crate::assembled::Assembled;
use crate::constraints::{Constraints, Situation};
use crate::error::DynamicsError;
use crate::feasible::Feasible;
use crate::kinematics::SegmentMotion;
use crate::tree::Tree;

/// Which coordinates determine which. Indices are tree velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Independent velocities, ascending; their number is the mobility.
    pub independent: Vec<usize>,
    /// Dependent coordinates, ascending: the ones that the loops determine.
    pub dependent: Vec<usize>,
}

/// A closure solver in one precision.
#[derive(Clone, Debug)]
pub struct Closure<R> {
    robot: String,
    /// Names of the tree velocities, for messages.
    names: Vec<String>,
    /// The spanning tree, without loops.
    pub tree: Tree<R>,
    constraints: Constraints<R>,
}

/// Loops closed to this, m or dimensionless, count as closed.
const LEAST_CLOSED: f64 = 1e-9;

/// Pivots below this fraction of the largest mean that a dependent coordinate is not determined.
const SINGULAR: f64 = 1e-9;

/// How a closure solve ended.
pub(crate) struct Closed<R> {
    pub(crate) q: Vec<R>,
    pub(crate) residual: f64,
    /// The equation with the largest residual.
    pub(crate) worst: usize,
    pub(crate) iterations: usize,
}

impl<R: Real> Closure<R> {
    /// The closure equations of a robot's loops and couplings.
    pub fn new(robot: &Robot) -> Result<Self, DynamicsError> {
        crate::couplings::check_couplings(robot)?;
        let tree = Tree::new(robot)?;
        let constraints = Constraints::new(robot, &tree)
            .map_err(|reason| DynamicsError::Geometry { robot: robot.name.clone(), reason })?;
        let names = robot.coordinates().into_iter().map(|c| robot.coordinate_name(c)).collect();
        Ok(Closure { robot: robot.name.clone(), names, tree, constraints })
    }

    /// Whether there is anything to close.
    pub fn is_trivial(&self) -> bool {
        self.constraints.len() == 0
    }

    pub(crate) fn constraints(&self) -> &Constraints<R> {
        &self.constraints
    }

    /// K at a configuration of the tree.
    pub fn jacobian(&self, q: &[R]) -> Matrix<R> {
        self.constraints.jacobian(&self.constraints.situation(&self.tree, q))
    }

    /// Largest residual of all equations at a configuration of the tree, m or dimensionless.
    pub fn residual(&self, q: &[R]) -> f64 {
        self.worst_residual(q).0
    }

    /// Largest residual, with the equation it belongs to.
    pub(crate) fn worst_residual(&self, q: &[R]) -> (f64, usize) {
        self.worst(&self.constraints.residual(&self.constraints.situation(&self.tree, q)))
    }

    fn worst(&self, residual: &[R]) -> (f64, usize) {
        residual.iter().enumerate().fold((0.0, 0), |(most, worst), (row, r)| {
            let size = r.to_f64().abs();
            if size > most || size.is_nan() { (size, row) } else { (most, worst) }
        })
    }

    pub(crate) fn loop_name(&self, row: usize) -> String {
        if self.constraints.len() == 0 { String::new() } else { self.constraints.name(row).to_owned() }
    }

    /// The situation at a configuration of the tree.
    pub(crate) fn situation(&self, q: &[R]) -> Situation<R> {
        self.constraints.situation(&self.tree, q)
    }

    /// The name of a loop closed with its axes opposed, if any.
    pub(crate) fn opposed(&self, q: &[R]) -> Option<String> {
        self.constraints.opposed(&self.situation(q)).map(str::to_owned)
    }

    /// Newton's method on the given coordinates, the others held. Quadratic, but only near a solution.
    pub(crate) fn newton(&self, start: &[R], movable: &[usize], most: usize) -> Closed<R> {
        self.newton_with_situation(start, movable, most).0
    }

    /// As [`Closure::newton`], with the situation where it ended.
    pub(crate) fn newton_with_situation(
        &self,
        start: &[R],
        movable: &[usize],
        most: usize,
    ) -> (Closed<R>, Situation<R>) {
        let mut q = start.to_vec();
        let target = R::epsilon().to_f64() * 64.0;
        let (mut best, mut iterations) = (f64::INFINITY, 0);
        loop {
            let at = self.situation(&q);
            let residual = self.constraints.residual(&at);
            let (size, worst) = self.worst(&residual);
            // Redundant equations of a loop printed with few digits are left unsatisfied at the size of the
            // last one.
            let stalled = size <= LEAST_CLOSED && size >= 0.5 * best;
            if size <= target || stalled || iterations >= most || !size.is_finite() {
                return (Closed { q, residual: size, worst, iterations }, at);
            }
            iterations += 1;
            best = best.min(size);
            let k = self.constraints.jacobian(&at);
            let width = movable.len();
            let system = Matrix::from_fn(k.rows(), width + 1, |r, c| {
                if c < width { k[(r, movable[c])] } else { -residual[r] }
            });
            let mut delta = vec![R::zero(); self.tree.dof];
            for (pivot, x) in solve(system, 1e-13).values {
                delta[movable[pivot]] = x;
            }
            q = self.tree.displaced(&q, &delta);
        }
    }

    /// How far the loops close from a configuration of the tree, m or dimensionless: as far as the
    /// arithmetic goes if the file's geometry is exact, otherwise as far as its digits do.
    pub fn attainable_residual(&self, plan: &Plan, q: &[R]) -> f64 {
        self.newton(q, &plan.dependent, 40).residual
    }

    /// Z and the acceleration bias at a closed configuration.
    pub fn reduction(&self, plan: &Plan, q: &[R], qd: &[R]) -> Result<(Matrix<R>, Vec<R>), DynamicsError> {
        let z = self.velocities(plan, q)?;
        let velocity = z.apply(qd);
        let bias = self.acceleration_bias(plan, q, &velocity)?;
        Ok((z, bias))
    }

    /// Z at a closed configuration.
    pub fn velocities(&self, plan: &Plan, q: &[R]) -> Result<Matrix<R>, DynamicsError> {
        self.velocities_by(plan, &self.jacobian(q))
    }

    /// Z by K.
    pub(crate) fn velocities_by(&self, plan: &Plan, k: &Matrix<R>) -> Result<Matrix<R>, DynamicsError> {
        let (z, echelon, _) = velocity_map(k, plan);
        self.check_determined(plan, &echelon.pivots, &echelon.pivot_weights)?;
        Ok(z)
    }

    /// Tree accelerations at q̈_a = 0, at a closed configuration and a velocity of the tree that keeps it closed.
    pub fn acceleration_bias(&self, plan: &Plan, q: &[R], velocity: &[R]) -> Result<Vec<R>, DynamicsError> {
        let at = self.situation(q);
        let mut poses = Vec::new();
        self.tree.poses_at(q, &mut poses);
        let rates = self.rates(&at, &poses, velocity);
        let k = self.constraints.jacobian(&at);
        let (bias, solved) = balanced_by(&k, &plan.dependent, &rates);
        let pivots: Vec<usize> = solved.values.iter().map(|(pivot, _)| *pivot).collect();
        self.check_determined(plan, &pivots, &solved.pivot_weights)?;
        Ok(bias)
    }

    /// K̇ q̇ at a velocity of the tree.
    pub(crate) fn rates(&self, at: &Situation<R>, poses: &[Pose<R>], velocity: &[R]) -> Vec<R> {
        let mut motions = vec![SegmentMotion::zero(); self.tree.segments.len()];
        let still = vec![R::zero(); self.tree.dof];
        self.tree.motions(poses, velocity, &still, Vec3::zero(), &mut motions);
        self.constraints.bias(&self.tree, at, velocity, &motions)
    }

    /// Smallest over largest pivot of the dependent columns of K, equilibrated so that no unit matters; 0
    /// when a coordinate is not determined at all.
    pub(crate) fn passive_pivot_ratio(&self, plan: &Plan, q: &[R]) -> f64 {
        let k = self.jacobian(q);
        let mut passive = Matrix::from_fn(k.rows(), plan.dependent.len(), |r, c| k[(r, plan.dependent[c])]);
        equilibrate(&mut passive);
        let echelon = reduce(passive, plan.dependent.len(), 0.0);
        if echelon.rank() < plan.dependent.len() {
            return 0.0;
        }
        let weights = echelon.pivot_weights.iter();
        let (least, most) =
            weights.fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), w| (least.min(*w), most.max(*w)));
        if plan.dependent.is_empty() { 1.0 } else { least / most }
    }

    /// Whether the dependent columns of K lose their rank an odd number of times on the way between two
    /// configurations, given by their K: then they have turned over.
    pub(crate) fn crosses_singularity(&self, plan: &Plan, from: &Matrix<R>, to: &Matrix<R>) -> bool {
        let passive =
            |k: &Matrix<R>| Matrix::from_fn(k.rows(), plan.dependent.len(), |r, c| k[(r, plan.dependent[c])]);
        is_negative(passive(from).transpose().times(&passive(to)))
    }

    pub(crate) fn check_determined(
        &self,
        plan: &Plan,
        pivots: &[usize],
        weights: &[f64],
    ) -> Result<(), DynamicsError> {
        let largest = weights.first().copied().unwrap_or(1.0);
        let sound = weights.iter().take_while(|weight| **weight > SINGULAR * largest).count();
        if sound == plan.dependent.len() {
            return Ok(());
        }
        let lost = match pivots.get(sound) {
            Some(&pivot) => plan.dependent[pivot],
            None => {
                plan.dependent.iter().enumerate().find(|(c, _)| !pivots.contains(c)).map_or(0, |(_, &k)| k)
            }
        };
        Err(DynamicsError::Singular { robot: self.robot.clone(), joint: self.names[lost].clone() })
    }

    /// The feasible state at a closed configuration of the tree (polished to this precision), with given
    /// independent velocities and accelerations.
    pub fn feasible(&self, plan: &Plan, q: &[R], qd: &[R], qdd: &[R]) -> Result<Feasible<R>, DynamicsError> {
        Ok(self.closed_state(plan, q, qd, qdd)?.0)
    }

    /// As [`Closure::feasible`], with the largest residual that is left, m or dimensionless.
    pub fn closed_state(
        &self,
        plan: &Plan,
        q: &[R],
        qd: &[R],
        qdd: &[R],
    ) -> Result<(Feasible<R>, f64), DynamicsError> {
        if self.is_trivial() {
            let (mut q, mut poses) = (q.to_vec(), Vec::new());
            self.tree.normalise(&mut q);
            self.tree.poses_at(&q, &mut poses);
            let (velocity, acceleration) = (qd.to_vec(), qdd.to_vec());
            return Ok((Feasible { poses, velocity, acceleration, reduction: None }, 0.0));
        }
        let (assembled, residual) = self.assembled(plan, q)?;
        Ok((assembled.moving(qd, qdd), residual))
    }

    /// A closed configuration of the tree, polished to this precision, with what all motions through it share; and
    /// the largest residual that is left, m or dimensionless.
    pub fn assembled<'a>(
        &'a self,
        plan: &'a Plan,
        q: &[R],
    ) -> Result<(Assembled<'a, R>, f64), DynamicsError> {
        let mut q = q.to_vec();
        self.tree.normalise(&mut q);
        let (closed, at) = self.newton_with_situation(&q, &plan.dependent, 40);
        if closed.residual.is_nan() || closed.residual > LEAST_CLOSED {
            return Err(DynamicsError::CannotAssemble {
                robot: self.robot.clone(),
                closure: self.loop_name(closed.worst),
                residual: closed.residual,
                iterations: closed.iterations,
            });
        }
        Ok((Assembled::new(self, plan, &closed.q, at)?, closed.residual))
    }

    /// As [`Closure::feasible`], with the loops left as open as the configuration leaves them: what another
    /// solver's answer makes of the motion.
    pub fn unpolished(
        &self,
        plan: &Plan,
        q: &[R],
        qd: &[R],
        qdd: &[R],
    ) -> Result<Feasible<R>, DynamicsError> {
        Ok(Assembled::new(self, plan, q, self.situation(q))?.moving(qd, qdd))
    }
}

/// Z with K Z = 0 and the identity on the independent velocities, and the elimination behind it, whose steps serve
/// [`by_steps`].
pub(crate) fn velocity_map<S: Scalar>(k: &Matrix<S>, plan: &Plan) -> (Matrix<S>, Echelon<S>, Steps<S>) {
    let (dependent, independent) = (&plan.dependent, &plan.independent);
    let width = dependent.len() + independent.len();
    // K_p Z_p = −K_a, for all right-hand sides at once.
    let system = Matrix::from_fn(k.rows(), width, |r, c| match c.checked_sub(dependent.len()) {
        None => k[(r, dependent[c])],
        Some(a) => -k[(r, independent[a])],
    });
    let (echelon, steps) = reduce_with_steps(system, dependent.len(), 0.0);
    let mut z = Matrix::zeros(k.columns(), independent.len());
    for (a, &coordinate) in independent.iter().enumerate() {
        z[(coordinate, a)] = S::one();
    }
    for (row, &pivot) in echelon.pivots.iter().enumerate() {
        for a in 0..independent.len() {
            z[(dependent[pivot], a)] = echelon.reduced[(row, dependent.len() + a)];
        }
    }
    (z, echelon, steps)
}

/// As [`balanced_by`], for K whose dependent columns were eliminated before; `size` is the number of its columns.
pub(crate) fn by_steps<S: Scalar>(steps: &Steps<S>, dependent: &[usize], given: &[S], size: usize) -> Vec<S> {
    let mut out = vec![S::zero(); size];
    for (pivot, x) in steps.solve(given.iter().map(|x| -*x).collect()) {
        out[dependent[pivot]] = x;
    }
    out
}

/// x with K x = −`given` whose only entries are the dependent ones, and how it was found.
pub(crate) fn balanced_by<S: Scalar>(k: &Matrix<S>, dependent: &[usize], given: &[S]) -> (Vec<S>, Solved<S>) {
    let width = dependent.len();
    let system =
        Matrix::from_fn(k.rows(), width + 1, |r, c| if c < width { k[(r, dependent[c])] } else { -given[r] });
    let solved = solve(system, 0.0);
    let mut out = vec![S::zero(); k.columns()];
    solved.values.iter().for_each(|(pivot, x)| out[dependent[*pivot]] = *x);
    (out, solved)
}

/// Scales rows and columns until the largest entry of each is about one: what is left says nothing of units.
fn equilibrate<R: Real>(m: &mut Matrix<R>) {
    let scale = |largest: f64| if largest > 0.0 { R::from_f64(1.0 / largest.sqrt()) } else { R::one() };
    for _ in 0..8 {
        let (rows, columns) = (m.rows(), m.columns());
        let largest = |of: &dyn Fn(usize) -> R, count: usize| {
            (0..count).fold(0.0, |most: f64, k| most.max(of(k).to_f64().abs()))
        };
        let by_row: Vec<R> = (0..rows).map(|r| scale(largest(&|c| m[(r, c)], columns))).collect();
        let by_column: Vec<R> = (0..columns).map(|c| scale(largest(&|r| m[(r, c)], rows))).collect();
        for r in 0..rows {
            for c in 0..columns {
                m[(r, c)] = m[(r, c)] * by_row[r] * by_column[c];
            }
        }
    }
}

/// Whether the determinant is negative.
fn is_negative<R: Real>(mut m: Matrix<R>) -> bool {
    let size = m.rows();
    let mut negative = false;
    for step in 0..size {
        let weight = |r: usize| m[(r, step)].to_f64().abs();
        let Some(pivot) = (step..size).max_by(|&a, &b| weight(a).total_cmp(&weight(b))) else { break };
        if pivot != step {
            negative = !negative;
            for c in step..size {
                (m[(pivot, c)], m[(step, c)]) = (m[(step, c)], m[(pivot, c)]);
            }
        }
        let Some(inverse) = m[(step, step)].try_inv() else { return false };
        negative ^= m[(step, step)] < R::zero();
        for r in step + 1..size {
            let factor = m[(r, step)] * inverse;
            for c in step..size {
                let less = factor * m[(step, c)];
                m[(r, c)] -= less;
            }
        }
    }
    negative
}
