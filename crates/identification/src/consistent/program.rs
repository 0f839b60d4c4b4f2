//! The program in matrices.

use steiner_linalg::dot;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::square::{identity, times, transposed};
use steiner_linalg::triangle::Triangle;
use steiner_robot::inertial_count;

use super::{HalfSpace, Pull};
use crate::failure::IdentificationError;
use crate::metric::{Mat4, Metric, coordinates, pseudo_inertia, ten_parameters};
use crate::problem::Problem;

/// The program of a consistent estimate, in matrices: minimise ½‖A z − b‖² + γ Σ_i d(S_i) + ½ Σ_k γ_k (s_k − s₀_k)²
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
    /// γ of the bodies.
    pub weight: f64,
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
    /// L of S = L Lᵀ of every body where the search begins: the unit, moved inside the bounds.
    pub(super) start: Vec<Mat4>,
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
            weight,
            weights: metric.scalars.iter().map(|scalar| weight * scalar.belief).collect(),
            entropic,
            positive: positive.collect(),
            inequalities: Vec::new(),
            equalities: metric.equations(),
            start: vec![identity(); blocks],
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

    /// What −log det S counts with: the barrier, and an entropic pull.
    pub(super) fn entropic_weight(&self, barrier: f64) -> f64 {
        barrier + if self.entropic { self.weight } else { 0.0 }
    }

    /// Adds the gradient of the pull but for its logarithms: of γ tr S or ½γ ‖S − 1‖², and of ½γ (s − s₀)².
    pub(super) fn add_smooth_pull(&self, z: &[f64], gradient: &mut [f64]) {
        let first = inertial_count(self.blocks);
        match self.entropic {
            true => (0..self.blocks)
                .for_each(|k| (0..4).for_each(|i| gradient[inertial_count(k) + i] += self.weight)),
            false => (0..first).for_each(|k| gradient[k] += self.weight * (z[k] - self.prior[k])),
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

    /// The pseudo-inertia at which the search begins for the k-th unknown body.
    fn begins_at(&self, metric: &Metric, k: usize) -> Mat4 {
        let s = coordinates(&times(&self.start[k], &transposed(&self.start[k])));
        pseudo_inertia(&metric.bodies[k].parameters(&s))
    }

    /// Begins the search for the k-th unknown body at a pseudo-inertia.
    fn begin_at(&mut self, metric: &Metric, k: usize, inertia: &Mat4) {
        if let Some(factor) = metric.bodies[k].factor_of(&ten_parameters(inertia)) {
            self.start[k] = factor;
        }
    }

    /// Begins the search for the k-th unknown body with this mass, the rest in proportion.
    fn begin_with_mass(&mut self, metric: &Metric, k: usize, mass: f64) {
        let inertia = self.begins_at(metric, k);
        let factor = mass / inertia[3][3];
        self.begin_at(metric, k, &inertia.map(|row| row.map(|x| factor * x)));
    }

    /// Bounds the mass of the k-th unknown body, kg.
    pub(crate) fn bound_mass(&mut self, metric: &Metric, k: usize, least: f64, greatest: f64) {
        let (low, mass) = (least.max(0.0), self.begins_at(metric, k)[3][3]);
        if !(low < mass && mass < greatest) {
            let middle = if greatest.is_finite() { 0.5 * (low + greatest) } else { 2.0 * low };
            self.begin_with_mass(metric, k, middle);
        }
        self.bound(metric, k, [0.0, 0.0, 0.0, 1.0], least);
        self.bound(metric, k, [0.0, 0.0, 0.0, -1.0], -greatest);
    }

    /// Bounds the centre of mass of the k-th unknown body: n · c ≤ d is n · h ≤ d m, linear in the
    /// pseudo-inertia. `middle` is a point inside.
    pub(crate) fn bound_centre(&mut self, metric: &Metric, k: usize, sides: &[HalfSpace], middle: [f64; 3]) {
        let inertia = self.begins_at(metric, k);
        let centre: [f64; 3] = std::array::from_fn(|i| inertia[i][3] / inertia[3][3]);
        if sides.iter().any(|HalfSpace { normal, offset }| dot(normal, &centre) >= *offset) {
            // The body as it is, moved: T Ξ Tᵀ.
            let mut moved: Mat4 = identity();
            (0..3).for_each(|i| moved[i][3] = middle[i] - centre[i]);
            self.begin_at(metric, k, &times(&times(&moved, &inertia), &transposed(&moved)));
        }
        for HalfSpace { normal: [x, y, z], offset } in sides {
            self.bound(metric, k, [-x, -y, -z, *offset], 0.0);
        }
    }

    /// Adds that all bodies together have a mass; those that are `bounded` begin with theirs.
    pub(super) fn total_mass(
        &mut self,
        problem: &Problem,
        metric: &Metric,
        total: f64,
        bounded: &[usize],
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
        let masses: Vec<f64> = (0..self.blocks).map(|k| self.begins_at(metric, k)[3][3]).collect();
        let (given, free): (Vec<usize>, Vec<usize>) = (0..self.blocks).partition(|k| bounded.contains(k));
        let sum = |bodies: &[usize]| bodies.iter().map(|&k| masses[k]).sum::<f64>();
        let factor = (total - known - sum(&given)) / sum(&free);
        if factor > 0.0 && factor.is_finite() {
            free.iter().for_each(|&k| self.begin_with_mass(metric, k, factor * masses[k]));
        }
        Ok(())
    }
}
