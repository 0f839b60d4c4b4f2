//! The program in matrices.

use steiner_linalg::elimination::Matrix;
use steiner_linalg::triangle::Triangle;
use steiner_robot::inertial_count;

use crate::failure::IdentificationError;
use crate::metric::Metric;
use crate::problem::Problem;

/// Information beyond this would leave a double no digits for what the log cannot see; the
/// data then count a little less.
const MOST_INFORMATION: f64 = 1e12;

/// minimise ½‖A z − b‖² + γ d(z) subject to S_i ≻ 0, some z ≥ 0, C z ≥ c, E z = e.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// A and b.
    pub(crate) data: Matrix<f64>,
    pub(crate) rhs: Vec<f64>,
    /// Number of 4×4 blocks, ten coordinates each, first.
    pub(crate) blocks: usize,
    /// Where the pull goes.
    pub(crate) prior: Vec<f64>,
    /// γ.
    pub(crate) weight: f64,
    pub(crate) entropic: bool,
    /// Coordinates behind the blocks that cannot be negative.
    pub(crate) positive: Vec<usize>,
    /// C and c.
    pub(crate) inequalities: Vec<(Vec<f64>, f64)>,
    /// E and e.
    pub(crate) equalities: Vec<(Vec<f64>, f64)>,
}

impl Program {
    pub(super) fn new(
        problem: &Problem,
        metric: &Metric,
        stack: &Triangle,
        entropic: bool,
        weight: f64,
    ) -> Self {
        let map = metric.base_matrix(problem);
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
        let mut rhs: Vec<f64> = (0..base).map(|r| stack.entry(r, base)).collect();
        let information = (0..n)
            .map(|c| (0..base).map(|r| data[(r, c)].powi(2)).sum::<f64>())
            .fold(0.0, |most: f64, x| most.max(x));
        let less = (MOST_INFORMATION / information).sqrt().min(1.0);
        (0..base).for_each(|r| data.row_mut(r).iter_mut().for_each(|x| *x *= less));
        rhs.iter_mut().for_each(|x| *x *= less);
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
            entropic,
            positive: positive.collect(),
            inequalities: Vec::new(),
            equalities: metric.equations(),
        }
    }

    /// Number of coordinates.
    pub(crate) fn size(&self) -> usize {
        self.prior.len()
    }

    /// Adds a · (h, m) ≥ least for the first moments and mass of the k-th unknown body.
    pub(super) fn bound(&mut self, metric: &Metric, k: usize, a: [f64; 4], least: f64) {
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
