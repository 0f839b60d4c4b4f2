//! Section 6.3 of \[sun2025\]: 5000 random configurations in a box, those kept that can be assembled with a
//! passive Jacobian whose condition number is below 30, and the QR of the regressor at random rates.
//!
//! Geometries are the zoo's, for the paper prints none: angles, counted from other zeros, have the
//! paper's ranges around the reference.

use std::f64::consts::PI;

use steiner_dynamics::{Mechanism, regressor};
use steiner_identifiability::NullVector;
use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::{PivotedQr, pivoted_qr, singular};

/// Configurations tried.
pub(crate) const TRIED: usize = 5000;
/// Condition number of the passive Jacobian beyond which a configuration is not used.
const WORST_CONDITION: f64 = 30.0;
/// Error that a general solver leaves in the dependent coordinates, rad or m.
pub(crate) const LEFT_OPEN: f64 = 1e-6;

/// A robot and the box of its independent coordinates: (smallest, largest)
/// displacement from the reference, rad or m.
pub(crate) struct Experiment {
    pub(crate) title: &'static str,
    pub(crate) robot: &'static str,
    pub(crate) region: [(f64, f64); 3],
}

/// Ranges of 50° each.
pub(crate) const RRU_RRS: Experiment = Experiment {
    title: "2RRU-1RRS",
    robot: "pkm_2rru_1rrs",
    region: [(-5.0 * PI / 36.0, 5.0 * PI / 36.0); 3],
};
/// Slides as printed.
pub(crate) const PRS_PSR: Experiment = Experiment {
    title: "2PRS-1PSR",
    robot: "pkm_2prs_1psr",
    region: [(-0.15, 0.09), (-1.33, 0.10), (-0.10, 0.13)],
};

/// The regressor at the configurations that were used.
pub(crate) struct Sampled {
    rows: Matrix<f64>,
    pub(crate) used: usize,
}

impl Experiment {
    /// Samples with a given error left in the dependent coordinates, rad or m; 0 closes loops to rounding.
    pub(crate) fn sample(&self, mechanism: &Mechanism, closure_error: f64) -> Sampled {
        let (closure, plan) = (mechanism.closure(), mechanism.plan());
        let reference = mechanism.reference();
        let mut random = Random(7);
        let mut rows = Matrix::zeros(0, mechanism.layout().columns());
        let mut used = 0;
        for _ in 0..TRIED {
            let place =
                |((low, high), start): (&(f64, f64), &f64)| start + low + (high - low) * random.unit();
            let wanted: Vec<f64> = self.region.iter().zip(&reference).map(place).collect();
            let Ok(mut q) = mechanism.tree_configuration(&wanted) else { continue };
            if passive_condition(mechanism, &q) >= WORST_CONDITION {
                continue;
            }
            let mut error = vec![0.0; mechanism.tree_dof()];
            plan.dependent.iter().for_each(|&k| error[k] = closure_error * (2.0 * random.unit() - 1.0));
            q = mechanism.tree().displaced(&q, &error);
            let mut rates = || -> Vec<f64> { (0..mechanism.dof()).map(|_| random.unit()).collect() };
            let (qd, qdd) = (rates(), rates());
            let Ok(state) = closure.unpolished(plan, &q, &qd, &qdd) else { continue };
            let more = regressor(mechanism.tree(), mechanism.layout(), &state);
            (0..more.rows()).for_each(|r| rows.push_row(more.row(r)));
            used += 1;
        }
        Sampled { rows, used }
    }
}

impl Sampled {
    pub(crate) fn qr(&self) -> PivotedQr<f64> {
        pivoted_qr(self.rows.clone())
    }

    /// Diagonal entries of R that exceed the first times rows times rounding, as Gautier counts.
    pub(crate) fn rank(&self, qr: &PivotedQr<f64>) -> usize {
        qr.decide_rank(self.rows.rows().max(self.rows.columns()) as f64 * f64::EPSILON).rank
    }

    /// ‖Y N‖_F of (101b), the vectors scaled to length one.
    pub(crate) fn shown_of(&self, vectors: &[NullVector]) -> f64 {
        let mut basis = Matrix::<f64>::zeros(self.rows.columns(), vectors.len());
        for (k, vector) in vectors.iter().enumerate() {
            let length = vector.entries.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
            vector.entries.iter().for_each(|&(column, x)| basis[(column, k)] = x / length);
        }
        self.rows.times(&basis).entries().iter().map(|x| x * x).sum::<f64>().sqrt()
    }
}

fn passive_condition(mechanism: &Mechanism, q: &[f64]) -> f64 {
    let (jacobian, dependent) = (mechanism.closure().jacobian(q), &mechanism.plan().dependent);
    let passive = Matrix::from_fn(jacobian.rows(), dependent.len(), |r, c| jacobian[(r, dependent[c])]);
    let values = singular(passive).values;
    values[0] / values[values.len() - 1]
}

/// Uniform numbers, the same at every run (splitmix64).
struct Random(u64);

impl Random {
    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }
}
