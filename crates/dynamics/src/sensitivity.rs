//! How a state that keeps its loops closed changes with the motion of its independent coordinates.
//!
//! With G K_p = 1 (a left inverse of the dependent columns of K) everything follows from how K itself and the bias
//! γ = K̇ q̇ change along a tangent z: Z' = −G K' Z, q̇' = Z' q̇_a, q̈' = −G (K' q̈ + γ'), each on the dependent
//! velocities. K' and γ' are central differences of the geometry of the loops, which is cheap and smooth; there is
//! neither inertia nor a linear system in them.

use steiner_linalg::elimination::{Matrix, reduce};

use crate::closure::{Closure, Plan};
use crate::error::DynamicsError;
use crate::feasible::Feasible;

/// Step of the differences along a tangent of unit rate, rad or m.
const STEP: f64 = 1e-5;

/// Loops count as closed at this residual, m or dimensionless.
const CLOSED: f64 = 1e-12;
/// Corrections on the way there at most, and the largest of a coordinate, rad or m.
const MOST_CORRECTIONS: usize = 12;
const LARGEST_CORRECTION: f64 = 0.05;

/// A closed state with what its derivatives take.
#[derive(Clone, Debug)]
pub struct Linearised {
    /// The state.
    pub state: Feasible<f64>,
    /// The closed configuration of the tree.
    pub q: Vec<f64>,
    /// K.
    pub jacobian: Matrix<f64>,
    /// G, dependent velocities by equations.
    left_inverse: Matrix<f64>,
}

/// Derivatives of a closed state along one independent coordinate.
#[derive(Clone, Debug)]
pub struct Sensitivity {
    /// Of K, along the configuration.
    pub jacobian: Matrix<f64>,
    /// Of the dependent rows of Z, along the configuration, in the order of [`Plan::dependent`].
    pub reduction: Matrix<f64>,
    /// Of the tree's velocities, along the configuration.
    pub velocity: Vec<f64>,
    /// Of the tree's accelerations, along the configuration.
    pub acceleration: Vec<f64>,
    /// Of the tree's accelerations, along the independent velocity.
    pub acceleration_by_velocity: Vec<f64>,
    /// Configurations of the tree a little back and ahead along the coordinate, and by how much each.
    pub around: ([Vec<f64>; 2], f64),
}

impl Closure<f64> {
    /// The state at a closed configuration of the tree, with a left inverse of its equations.
    pub fn linearised(
        &self,
        plan: &Plan,
        q: &[f64],
        qd: &[f64],
        qdd: &[f64],
    ) -> Result<Linearised, DynamicsError> {
        let at = self.constraints().situation(&self.tree, q);
        let k = self.constraints().jacobian(&at);
        let (width, rows) = (plan.dependent.len(), k.rows());
        let system = Matrix::from_fn(rows, width + rows, |r, c| match c.checked_sub(width) {
            None => k[(r, plan.dependent[c])],
            Some(c) => f64::from(u8::from(r == c)),
        });
        let echelon = reduce(system, width, 0.0);
        self.check_determined(plan, &echelon.pivots, &echelon.pivot_weights)?;
        let mut left_inverse = Matrix::zeros(width, rows);
        for (row, &pivot) in echelon.pivots.iter().enumerate() {
            left_inverse.row_mut(pivot).copy_from_slice(&echelon.reduced.row(row)[width..]);
        }
        let mut z = Matrix::zeros(self.tree.dof, plan.independent.len());
        for (a, &independent) in plan.independent.iter().enumerate() {
            z[(independent, a)] = 1.0;
            let column: Vec<f64> = (0..rows).map(|r| -k[(r, independent)]).collect();
            for (value, &dependent) in left_inverse.apply(&column).iter().zip(&plan.dependent) {
                z[(dependent, a)] = *value;
            }
        }
        let velocity = z.apply(qd);
        let mut poses = Vec::new();
        self.tree.poses_at(q, &mut poses);
        let rates = self.rates(&at, &poses, &velocity);
        let mut acceleration = z.apply(qdd);
        for (rate, &dependent) in left_inverse.apply(&rates).iter().zip(&plan.dependent) {
            acceleration[dependent] -= rate;
        }
        let state = Feasible { poses, velocity, acceleration, reduction: Some(z) };
        Ok(Linearised { state, q: q.to_vec(), jacobian: k, left_inverse })
    }

    /// The closed configuration of the tree where the independent coordinates are moved by `delta` (rad or m) from a
    /// state near by, with its left inverse; `None` where that does not lead there quickly.
    pub fn closed_near(&self, plan: &Plan, of: &Linearised, delta: &[f64]) -> Option<Vec<f64>> {
        let z = of.state.reduction.as_ref()?;
        let mut q = self.tree.displaced(&of.q, &z.apply(delta));
        let mut before = f64::INFINITY;
        for _ in 0..MOST_CORRECTIONS {
            let residual = self.constraints().residual(&self.constraints().situation(&self.tree, &q));
            let size = residual.iter().fold(0.0, |most: f64, r| most.max(r.abs()));
            if size <= CLOSED {
                return Some(q);
            }
            // What does not become smaller by much is far from there, or beyond a singularity.
            if !(size < 0.3 * before) {
                return None;
            }
            before = size;
            let mut back = vec![0.0; self.tree.dof];
            for (correction, &dependent) in of.left_inverse.apply(&residual).iter().zip(&plan.dependent) {
                if correction.abs() > LARGEST_CORRECTION {
                    return None;
                }
                back[dependent] = -correction;
            }
            q = self.tree.displaced(&q, &back);
        }
        None
    }

    /// The derivatives of a state along an independent coordinate and its velocity `qd`.
    pub fn sensitivity(&self, plan: &Plan, of: &Linearised, qd: &[f64], coordinate: usize) -> Sensitivity {
        let Some(z) = &of.state.reduction else { unreachable!("a linearised state has its reduction") };
        let tangent: Vec<f64> = (0..z.rows()).map(|k| z[(k, coordinate)]).collect();
        let around = [-STEP, STEP].map(|step| {
            let delta: Vec<f64> = tangent.iter().map(|z| step * z).collect();
            self.tree.displaced(&of.q, &delta)
        });
        let situations = [0, 1].map(|side| self.constraints().situation(&self.tree, &around[side]));
        let [before, after] = [0, 1].map(|side| self.constraints().jacobian(&situations[side]));
        let jacobian = Matrix::from_fn(before.rows(), before.columns(), |r, c| {
            (after[(r, c)] - before[(r, c)]) / (2.0 * STEP)
        });
        let mut reduction = of.left_inverse.times(&jacobian.times(z));
        let mut velocity = vec![0.0; z.rows()];
        for (row, &dependent) in plan.dependent.iter().enumerate() {
            reduction.row_mut(row).iter_mut().for_each(|x| *x = -*x);
            velocity[dependent] = reduction.row(row).iter().zip(qd).map(|(z, qd)| z * qd).sum();
        }
        // γ' with the velocity that belongs to each side.
        let [before, after] = [0, 1].map(|side| {
            let step = if side == 0 { -STEP } else { STEP };
            let moving: Vec<f64> =
                of.state.velocity.iter().zip(&velocity).map(|(v, rate)| v + step * rate).collect();
            let mut poses = Vec::new();
            self.tree.poses_at(&around[side], &mut poses);
            self.rates(&situations[side], &poses, &moving)
        });
        let mut change = jacobian.apply(&of.state.acceleration);
        for (change, (before, after)) in change.iter_mut().zip(before.iter().zip(&after)) {
            *change += (after - before) / (2.0 * STEP);
        }
        let spread = |rates: &[f64]| {
            let mut out = vec![0.0; z.rows()];
            for (rate, &dependent) in of.left_inverse.apply(rates).iter().zip(&plan.dependent) {
                out[dependent] = -rate;
            }
            out
        };
        let acceleration = spread(&change);
        // γ is a square of velocities: the difference over any step is exact.
        let here = self.constraints().situation(&self.tree, &of.q);
        let [before, after] = [-0.5, 0.5].map(|step| {
            let moving: Vec<f64> =
                of.state.velocity.iter().zip(&tangent).map(|(v, z)| v + step * z).collect();
            self.rates(&here, &of.state.poses, &moving)
        });
        let bend: Vec<f64> = before.iter().zip(&after).map(|(before, after)| after - before).collect();
        let acceleration_by_velocity = spread(&bend);
        Sensitivity {
            jacobian,
            reduction,
            velocity,
            acceleration,
            acceleration_by_velocity,
            around: (around, STEP),
        }
    }
}
