//! Parameters near the file's: least squares with a pull in the metric of the pseudo-inertia.

use steiner_linalg::triangle::Triangle;

use crate::metric::Metric;
use crate::problem::Problem;

/// Known parameters inside bodies count this much more than the data, and are set exactly afterwards.
const CERTAIN: f64 = 1e6;

/// All parameters that minimise ‖R β − b‖² + weight · ‖z − z₀‖² with β = T z:
/// `stack` is in units of the noise.
pub(crate) fn ridge(problem: &Problem, metric: &Metric, stack: &Triangle, weight: f64) -> Vec<f64> {
    let map = metric.base_matrix(problem);
    let n = metric.size();
    let mut all = Triangle::new(n + 1);
    let mut largest: f64 = 1.0;
    for r in 0..map.rows() {
        let mut row = vec![0.0; n + 1];
        for b in r..map.rows() {
            let factor = stack.entry(r, b);
            map.row(b).iter().zip(&mut row).for_each(|(m, x)| *x += factor * m);
        }
        row[n] = stack.entry(r, map.rows());
        largest = row[..n].iter().fold(largest, |most, x| most.max(x.abs()));
        all.push(&row);
    }
    for (k, prior) in metric.prior().into_iter().enumerate() {
        let mut row = vec![0.0; n + 1];
        row[k] = weight.sqrt();
        row[n] = weight.sqrt() * prior;
        all.push(&row);
    }
    for (mut row, value) in metric.equations() {
        row.push(value);
        row.iter_mut().for_each(|x| *x *= CERTAIN * largest);
        all.push(&row);
    }
    all.reduce();
    metric.parameters(&all.back_substituted())
}
