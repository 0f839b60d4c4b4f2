//! The program in matrices.

use steiner_linalg::dot;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::triangle::Triangle;
use steiner_robot::{inertial_columns, inertial_count};

use super::{HalfSpace, Pull};
use crate::failure::IdentificationError;
use crate::metric::Metric;
use crate::problem::Problem;

/// The program of a consistent estimate, in matrices: minimise ½‖A z − b‖² + Σ_i γ_i d(S_i) + ½ Σ_k γ_k (s_k − s₀_k)²
/// over z = (S_1 … S_N, s) subject to S_i ≻ 0, some s ≥ 0, C z ≥ c, E z = e.
///
/// S_i has ten coordinates: its diagonal, then √2 times the entries (0,1), (0,2), (0,3), (1,2), (1,3), (2,3). d(S) is
/// tr S − log det S − 4, or ½‖S − 1‖². With these numbers any other solver can check the estimate.
#[derive(Clone, Debug)]
pub struct Program {
    /// A, in units of the noise.
    pub data: Matrix<f64>,
    /// b.
    pub rhs: Vec<f64>,
    /// N, the number of 4×4 blocks.
    pub blocks: usize,
    /// z₀: unit matrices, then s₀.
    pub prior: Vec<f64>,
    /// γ_i of each body.
    pub pulls: Vec<f64>,
    /// γ of each number behind the blocks.
    pub weights: Vec<f64>,
    /// Whether d is the entropic divergence.
    pub entropic: bool,
    /// Coordinates behind the blocks that cannot be negative.
    pub positive: Vec<usize>,
    /// (row of C, entry of c).
    pub inequalities: Vec<(Vec<f64>, f64)>,
    /// (row of E, entry of e).
    pub equalities: Vec<(Vec<f64>, f64)>,
}

impl Program {
    /// Of the triangle `stack` over numbers that `map` makes of coordinates, and a right-hand side.
    pub(crate) fn new(map: &Matrix<f64>, metric: &Metric, stack: &Triangle, pull: Pull) -> Self {
        let (entropic, weight) = match pull {
            Pull::LogDet { weight } | Pull::Entropic { weight } => (true, weight),
            Pull::Quadratic { weight } => (false, weight),
        };
        let (base, n) = (map.rows(), metric.size());
        let mut data = Matrix::<f64>::zeros(base, n);
        for r in 0..base {
            for b in r..base {
                let factor = stack.entry(r, b);
                if factor != 0.0 {
                    let row = data.row_mut(r);
                    map.row(b).iter().zip(row).for_each(|(m, x)| *x += factor * m);
                }
            }
        }
        let rhs: Vec<f64> = (0..base).map(|r| stack.entry(r, base)).collect();
        let blocks = metric.bodies.len();
        let positive = metric
            .scalars
            .iter()
            .enumerate()
            .filter(|(_, s)| s.cannot_be_negative)
            .map(|(k, _)| inertial_count(blocks) + k);
        Program {
            data,
            rhs,
            blocks,
            prior: metric.prior(),
            pulls: metric.bodies.iter().map(|body| weight * body.belief).collect(),
            weights: metric.scalars.iter().map(|scalar| weight * scalar.belief).collect(),
            entropic,
            positive: positive.collect(),
            inequalities: Vec::new(),
            equalities: metric.equations(),
        }
    }

    /// Number of coordinates.
    pub fn size(&self) -> usize {
        self.prior.len()
    }

    /// Pulls the numbers behind the blocks with this weight.
    pub(super) fn weigh_numbers(&mut self, metric: &Metric, weight: f64) {
        self.weights = metric.scalars.iter().map(|scalar| weight * scalar.belief).collect();
    }

    /// A z − b.
    pub(super) fn residual(&self, z: &[f64]) -> Vec<f64> {
        let of_row = |(r, b): (usize, &f64)| dot(self.data.row(r), z) - b;
        self.rhs.iter().enumerate().map(of_row).collect()
    }

    /// ½‖A z − b‖² and the pull of the numbers behind the blocks.
    pub(super) fn fit(&self, z: &[f64]) -> f64 {
        let (residual, first) = (self.residual(z), inertial_count(self.blocks));
        let squares = self.weights.iter().zip(&z[first..]).zip(&self.prior[first..]);
        let pull: f64 = squares.map(|((weight, x), prior)| weight * (x - prior).powi(2)).sum();
        0.5 * (dot(&residual, &residual) + pull)
    }

    /// What −log det S_k counts with: the barrier, and an entropic pull.
    pub(super) fn entropic_weight(&self, k: usize, barrier: f64) -> f64 {
        barrier + if self.entropic { self.pulls[k] } else { 0.0 }
    }

    /// The greatest γ_i: the unit of barriers.
    pub(super) fn greatest_pull(&self) -> f64 {
        self.pulls.iter().copied().fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Adds the gradient of the pull but for its logarithms: of γ tr S or ½γ ‖S − 1‖², and of ½γ (s − s₀)².
    pub(super) fn add_smooth_pull(&self, z: &[f64], gradient: &mut [f64]) {
        let first = inertial_count(self.blocks);
        for (block, pull) in self.pulls.iter().enumerate() {
            match self.entropic {
                true => (0..4).for_each(|i| gradient[inertial_count(block) + i] += pull),
                false => {
                    inertial_columns(block).for_each(|k| gradient[k] += pull * (z[k] - self.prior[k]));
                }
            }
        }
        for (k, weight) in self.weights.iter().enumerate() {
            gradient[first + k] += weight * (z[first + k] - self.prior[first + k]);
        }
    }

    /// Adds a · (h, m) ≥ least for the first moments and mass of the k-th unknown body.
    fn bound(&mut self, metric: &Metric, k: usize, a: [f64; 4], least: f64) {
        let columns = metric.bodies[k].columns();
        let mut row = vec![0.0; self.size()];
        for (c, ten) in columns.iter().enumerate() {
            row[inertial_count(k) + c] = a[3] * ten[0] + a[0] * ten[1] + a[1] * ten[2] + a[2] * ten[3];
        }
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm > 0.0 {
            row.iter_mut().for_each(|x| *x /= norm);
            self.inequalities.push((row, least / norm));
        }
    }

    /// Bounds the mass of the k-th unknown body, kg.
    pub(crate) fn bound_mass(&mut self, metric: &Metric, k: usize, least: f64, greatest: f64) {
        self.bound(metric, k, [0.0, 0.0, 0.0, 1.0], least);
        self.bound(metric, k, [0.0, 0.0, 0.0, -1.0], -greatest);
    }

    /// Bounds the centre of mass of the k-th unknown body: n · c ≤ d is n · h ≤ d m, linear in the
    /// pseudo-inertia.
    pub(crate) fn bound_centre(&mut self, metric: &Metric, k: usize, sides: &[HalfSpace]) {
        for HalfSpace { normal: [x, y, z], offset } in sides {
            self.bound(metric, k, [-x, -y, -z, *offset], 0.0);
        }
    }

    /// Adds that all bodies together have a mass.
    pub(super) fn total_mass(
        &mut self,
        problem: &Problem,
        metric: &Metric,
        total: f64,
    ) -> Result<(), IdentificationError> {
        let known: f64 = (0..problem.body_count())
            .filter(|b| metric.bodies.iter().all(|body| body.body != *b))
            .filter_map(|b| {
                problem.known().iter().find(|(c, _)| *c == inertial_count(b)).map(|(_, mass)| *mass)
            })
            .sum();
        let mut row = vec![0.0; self.size()];
        for (k, body) in metric.bodies.iter().enumerate() {
            body.columns().iter().enumerate().for_each(|(c, ten)| row[inertial_count(k) + c] = ten[0]);
        }
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        if total <= known || norm == 0.0 || !total.is_finite() {
            let why = format!("a total mass of {total} kg while {known} kg are known");
            return Err(IdentificationError::Infeasible { why });
        }
        row.iter_mut().for_each(|x| *x /= norm);
        self.equalities.push((row, (total - known) / norm));
        Ok(())
    }
}
