//! Least squares on a triangle, with directions that the data cannot see taken from elsewhere.

use steiner_linalg::elimination::Matrix;
use steiner_linalg::orthogonal::singular;
use steiner_linalg::triangle::Triangle;

/// Singular values below this fraction of the largest (normalised columns) are not
/// seen: no sensor has more digits.
const UNSEEN: f64 = 1e-9;

/// The solution of min ‖R β − b‖.
#[derive(Clone, Debug)]
pub(crate) struct LeastSquares {
    /// β.
    pub(crate) values: Vec<f64>,
    /// (RᵀR)⁻¹ on what is seen.
    pub(crate) inverse: Matrix<f64>,
    /// Lengths of the columns.
    pub(crate) lengths: Vec<f64>,
    /// Singular values of the normalised columns, falling.
    pub(crate) singular_values: Vec<f64>,
    /// Their right vectors.
    pub(crate) directions: Vec<Vec<f64>>,
    /// How many directions are seen.
    pub(crate) rank: usize,
}

impl LeastSquares {
    /// How much of a unit change of each parameter, in units of its column, lies
    /// in directions that are not seen.
    pub(crate) fn hidden(&self, k: usize) -> f64 {
        if self.lengths[k] == 0.0 {
            return 1.0;
        }
        self.directions[self.rank..].iter().map(|v| v[k] * v[k]).sum()
    }
}

/// A pivot below this fraction of its column may hide a direction that is not seen.
const CLEAR: f64 = 1e-5;

/// The values alone, and how many directions are seen: without singular values where pivots leave no doubt.
pub(crate) fn values_only(stack: &Triangle, prior: &[f64]) -> (Vec<f64>, usize) {
    let n = stack.columns() - 1;
    let clear = (0..n).all(|c| {
        let length = (0..=c).map(|r| stack.entry(r, c).powi(2)).sum::<f64>().sqrt();
        stack.entry(c, c).abs() > CLEAR * length
    });
    if clear {
        return (stack.back_substituted(), n);
    }
    let found = least_squares(stack, prior);
    (found.values, found.rank)
}

/// Solves on a triangle whose last column is the right-hand side; unseen directions keep what `prior` says.
pub(crate) fn least_squares(stack: &Triangle, prior: &[f64]) -> LeastSquares {
    let n = stack.columns() - 1;
    let lengths: Vec<f64> =
        (0..n).map(|c| (0..=c).map(|r| stack.entry(r, c).powi(2)).sum::<f64>().sqrt()).collect();
    let unit = |c: usize| if lengths[c] > 0.0 { lengths[c] } else { 1.0 };
    let scaled = Matrix::from_fn(n, n, |r, c| stack.entry(r, c) / unit(c));
    let found = singular(scaled.clone());
    let rank = found.decide_rank(UNSEEN).rank;
    let mut values = if rank == n {
        stack.back_substituted()
    } else {
        // β = D⁻¹ (V_s y + V_u c) with c from the prior and y from the data.
        let hidden: Vec<f64> = (rank..n)
            .map(|k| found.vectors[k].iter().enumerate().map(|(c, v)| v * unit(c) * prior[c]).sum())
            .collect();
        let along = |y: &[f64], first: usize| -> Vec<f64> {
            let mut x = vec![0.0; n];
            for (k, y) in y.iter().enumerate() {
                found.vectors[first + k].iter().enumerate().for_each(|(c, v)| x[c] += v * y);
            }
            x
        };
        let fixed = along(&hidden, rank);
        let mut smaller = Triangle::new(rank + 1);
        for r in 0..n {
            let row = scaled.row(r);
            let dot = |v: &[f64]| -> f64 { row.iter().zip(v).map(|(a, b)| a * b).sum() };
            let mut entries: Vec<f64> = found.vectors[..rank].iter().map(|v| dot(v)).collect();
            entries.push(stack.entry(r, n) - dot(&fixed));
            smaller.push(&entries);
        }
        smaller.reduce();
        let seen = along(&smaller.back_substituted(), 0);
        (0..n).map(|c| (seen[c] + fixed[c]) / unit(c)).collect()
    };
    // A column that never moved says nothing.
    (0..n).filter(|&c| lengths[c] == 0.0).for_each(|c| values[c] = prior[c]);
    let mut inverse = Matrix::zeros(n, n);
    for i in 0..n {
        for j in i..n {
            let sum: f64 = (0..rank)
                .map(|k| found.vectors[k][i] * found.vectors[k][j] / (found.values[k] * found.values[k]))
                .sum();
            inverse[(i, j)] = sum / (unit(i) * unit(j));
            inverse[(j, i)] = inverse[(i, j)];
        }
    }
    LeastSquares { values, inverse, lengths, singular_values: found.values, directions: found.vectors, rank }
}
