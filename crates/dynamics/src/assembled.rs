//! A closed configuration, with what motions through it share: their velocities and accelerations then cost little.

use steiner_linalg::elimination::{Matrix, Steps};
use steiner_robot::Pose;
use steiner_scalar::Real;

use crate::closure::{Closure, Plan, by_steps, velocity_map};
use crate::constraints::Situation;
use crate::error::DynamicsError;
use crate::feasible::Feasible;

/// A configuration of the tree at which loops and couplings hold.
pub struct Assembled<'a, R> {
    closure: &'a Closure<R>,
    plan: &'a Plan,
    at: Situation<R>,
    poses: Vec<Pose<R>>,
    /// Z.
    reduction: Matrix<R>,
    /// How the dependent columns of K were eliminated.
    steps: Steps<R>,
}

impl<'a, R: Real> Assembled<'a, R> {
    /// At a configuration and the situation there.
    pub(crate) fn new(
        closure: &'a Closure<R>,
        plan: &'a Plan,
        q: &[R],
        at: Situation<R>,
    ) -> Result<Self, DynamicsError> {
        let mut poses = Vec::new();
        closure.tree.poses_at(q, &mut poses);
        let (reduction, echelon, steps) = velocity_map(&closure.constraints().jacobian(&at), plan);
        closure.check_determined(plan, &echelon.pivots, &echelon.pivot_weights)?;
        Ok(Assembled { closure, plan, at, poses, reduction, steps })
    }

    /// The state with given independent velocities and accelerations.
    pub fn moving(&self, qd: &[R], qdd: &[R]) -> Feasible<R> {
        let velocity = self.reduction.apply(qd);
        let mut acceleration = self.reduction.apply(qdd);
        let rates = self.closure.rates(&self.at, &self.poses, &velocity);
        let bias = by_steps(&self.steps, &self.plan.dependent, &rates, velocity.len());
        acceleration.iter_mut().zip(bias).for_each(|(a, b)| *a += b);
        let (poses, reduction) = (self.poses.clone(), Some(self.reduction.clone()));
        Feasible { poses, velocity, acceleration, reduction }
    }
}
