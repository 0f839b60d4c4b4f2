//! Couplings: joints that follow others in constant ratios, q_tree = Z q + offset and so τ = Zᵀ τ_tree.

use steiner_dynamics::{DynamicsError, Mechanism, coupling_offsets, coupling_reduction};
use steiner_linalg::elimination::Matrix;
use steiner_robot::Robot;
use steiner_scalar::Scalar;

use super::coordinates::Coordinate;

/// How the coordinates of the tree follow the independent ones.
#[derive(Clone, Debug)]
pub(crate) struct Couplings<S> {
    /// Z, tree velocities by independent ones.
    pub(crate) z: Matrix<S>,
    /// rad or m, by tree velocity.
    offset: Vec<S>,
}

impl<S: Scalar> Couplings<S> {
    /// Those of a mechanism without loops; `None` if every joint is independent.
    pub(crate) fn of(mechanism: &Mechanism) -> Result<Option<Self>, DynamicsError> {
        let (robot, plan) = (mechanism.robot(), mechanism.plan());
        if plan.dependent.is_empty() {
            return Ok(None);
        }
        let z = coupling_reduction(robot, plan)?.value;
        let offset = coupling_offsets(robot, plan)?.value;
        Ok(Some(Couplings { z, offset }))
    }

    /// Z x.
    pub(crate) fn velocities(&self, independent: &[S]) -> Vec<S> {
        self.z.apply(independent)
    }

    /// Zᵀ f.
    pub(crate) fn forces(&self, tree: &[S]) -> Vec<S> {
        self.z.transpose().apply(tree)
    }

    /// Zᵀ M Z.
    pub(crate) fn mass(&self, tree: &Matrix<S>) -> Matrix<S> {
        self.z.transpose().times(tree).times(&self.z)
    }

    /// Fills in the numbers of a tree configuration that follow from the others.
    pub(crate) fn complete(&self, mechanism: &Mechanism, q: &mut [S]) {
        let (place, plan) = (places(mechanism.robot()), mechanism.plan());
        for &k in &plan.dependent {
            let mut sum = self.offset[k];
            for (a, &independent) in plan.independent.iter().enumerate() {
                if self.z[(k, a)] != S::zero() {
                    sum += self.z[(k, a)] * q[place[independent]];
                }
            }
            q[place[k]] = sum;
        }
    }
}

/// Where the coordinate of a velocity is in the configuration of the tree. Only such joints are coupled whose
/// velocities are rates of their coordinates; of the others the answer is not used.
fn places(robot: &Robot) -> Vec<usize> {
    let bodies = robot.bodies.iter().zip(robot.configuration_offsets());
    bodies.flat_map(|(body, first)| (0..body.joint.kind.dof()).map(move |k| first + k)).collect()
}

/// `finger2 = -1 finger1 + 0.04` for each joint that follows, with these names of the tree's velocities.
pub(crate) fn followers(mechanism: &Mechanism, names: &[Coordinate]) -> Result<Vec<String>, DynamicsError> {
    let Some(couplings) = Couplings::<f64>::of(mechanism)? else { return Ok(Vec::new()) };
    let plan = mechanism.plan();
    let sentence = |&k: &usize| {
        let independent = plan.independent.iter().enumerate();
        let mut terms: Vec<String> = independent
            .filter(|(a, _)| couplings.z[(k, *a)] != 0.0)
            .map(|(a, &from)| format!("{} {}", couplings.z[(k, a)], names[from].name))
            .collect();
        if couplings.offset[k] != 0.0 || terms.is_empty() {
            terms.push(couplings.offset[k].to_string());
        }
        format!("{} = {}", names[k].name, terms.join(" + ").replace("+ -", "- "))
    };
    Ok(plan.dependent.iter().map(sentence).collect())
}
