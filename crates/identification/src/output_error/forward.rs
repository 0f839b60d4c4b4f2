//! Forward dynamics of a problem: the accelerations that given forces cause.
//!
//! The rows of a problem are inverse dynamics, τ = Y(q, q̇, q̈) β + what is known, linear in q̈: so M and h follow from
//! them, with drives and friction. At the accelerations of M q̈ = τ − h the same rows give all derivatives,
//! ∂q̈/∂β = −M⁻¹ Y and ∂q̈/∂(q, q̇) = −M⁻¹ ∂τ/∂(q, q̇).

use steiner_identifiability::MeasuredRow;
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;

use crate::accumulate::row_residual;
use crate::problem::Problem;

/// Step of the differences by state, rad, m, or per s.
const STEP: f64 = 1e-6;

/// Forward dynamics with memory of its own.
pub(super) struct Forward<'p> {
    problem: &'p Problem,
    /// The row of each independent coordinate.
    row_of: Vec<usize>,
    values: Vec<f64>,
}

/// Accelerations with their derivatives.
pub(super) struct Derivatives {
    pub(super) acceleration: Vec<f64>,
    /// By q and q̇, dof × 2 dof.
    pub(super) by_state: Matrix<f64>,
    /// By base parameters, dof × base.
    pub(super) by_parameters: Matrix<f64>,
}

impl<'p> Forward<'p> {
    /// `None` if the force of a coordinate is not among the rows.
    pub(super) fn new(problem: &'p Problem) -> Option<Self> {
        let row = |k: usize| problem.rows().iter().position(|row| row.kind == MeasuredRow::Force(k));
        let row_of = (0..problem.mechanism().dof()).map(row).collect::<Option<Vec<usize>>>()?;
        Some(Forward { problem, row_of, values: Vec::new() })
    }

    pub(super) fn dof(&self) -> usize {
        self.row_of.len()
    }

    /// Forces of a motion, N·m or N; `None` where they are not finite.
    pub(super) fn forces(&mut self, base: &[f64], state: &[f64], acceleration: &[f64]) -> Option<Vec<f64>> {
        let (q, qd) = state.split_at(self.dof());
        let rows = self.problem.rows_at(q, qd, acceleration, &mut self.values).ok()?;
        let force = |&r: &usize| -row_residual(base, &self.problem.rows()[r].sees, rows.row(r));
        let out: Vec<f64> = self.row_of.iter().map(force).collect();
        out.iter().all(|x| x.is_finite()).then_some(out)
    }

    /// The mass matrix, factorised, and the accelerations; `None` where no body could move so.
    fn solved(&mut self, base: &[f64], state: &[f64], tau: &[f64]) -> Option<(Cholesky, Vec<f64>)> {
        let n = self.dof();
        let mut unit = vec![0.0; n];
        let still = self.forces(base, state, &unit)?;
        let mut mass = Matrix::zeros(n, n);
        for k in 0..n {
            unit[k] = 1.0;
            let forces = self.forces(base, state, &unit)?;
            unit[k] = 0.0;
            (0..n).for_each(|r| mass[(r, k)] = forces[r] - still[r]);
        }
        let factor = Cholesky::new(mass).ok()?;
        let free: Vec<f64> = tau.iter().zip(&still).map(|(tau, h)| tau - h).collect();
        let acceleration = factor.solve(&free);
        acceleration.iter().all(|x| x.is_finite()).then_some((factor, acceleration))
    }

    /// Accelerations under given forces.
    pub(super) fn acceleration(&mut self, base: &[f64], state: &[f64], tau: &[f64]) -> Option<Vec<f64>> {
        self.solved(base, state, tau).map(|(_, acceleration)| acceleration)
    }

    /// The same with derivatives.
    pub(super) fn derivatives(&mut self, base: &[f64], state: &[f64], tau: &[f64]) -> Option<Derivatives> {
        let (n, p) = (self.dof(), base.len());
        let (factor, acceleration) = self.solved(base, state, tau)?;
        let mut by_state = Matrix::zeros(n, 2 * n);
        let mut moved = state.to_vec();
        for k in 0..2 * n {
            let mut sides = [1.0, -1.0].map(|side| {
                moved[k] = state[k] + side * STEP;
                self.forces(base, &moved, &acceleration)
            });
            moved[k] = state[k];
            let (ahead, behind) = (sides[0].take()?, sides[1].take()?);
            let change: Vec<f64> = (0..n).map(|r| (behind[r] - ahead[r]) / (2.0 * STEP)).collect();
            factor.solve(&change).into_iter().enumerate().for_each(|(r, x)| by_state[(r, k)] = x);
        }
        let (q, qd) = state.split_at(n);
        let rows = self.problem.rows_at(q, qd, &acceleration, &mut self.values).ok()?;
        let mut by_parameters = Matrix::zeros(n, p);
        for (k, &r) in self.row_of.iter().enumerate() {
            let sees = &self.problem.rows()[r].sees;
            sees.iter().zip(rows.row(r)).for_each(|(&b, x)| by_parameters[(k, b)] = -x);
        }
        let mut column = vec![0.0; n];
        for b in 0..p {
            (0..n).for_each(|k| column[k] = by_parameters[(k, b)]);
            factor.solve(&column).into_iter().enumerate().for_each(|(k, x)| by_parameters[(k, b)] = x);
        }
        Some(Derivatives { acceleration, by_state, by_parameters })
    }
}
