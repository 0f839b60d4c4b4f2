//! Symmetric positive definite systems: small enough that plain loops do.

use steiner_linalg::elimination::Matrix;

/// The lower triangle L of a matrix M = L Lᵀ.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    lower: Matrix<f64>,
}

impl Cholesky {
    /// `None` if the matrix is not positive definite.
    pub(crate) fn new(matrix: &Matrix<f64>) -> Option<Self> {
        let n = matrix.rows();
        let mut lower = Matrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let dot = dot(&lower.row(i)[..j], &lower.row(j)[..j]);
                let rest = matrix[(i, j)] - dot;
                if i == j {
                    // Also refuses what is not a number.
                    if !(rest > 0.0 && rest.is_finite()) {
                        return None;
                    }
                    lower[(i, i)] = rest.sqrt();
                } else {
                    lower[(i, j)] = rest / lower[(j, j)];
                }
            }
        }
        Some(Cholesky { lower })
    }

    /// M⁻¹ b.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = b.len();
        let mut x = b.to_vec();
        for i in 0..n {
            x[i] = (x[i] - dot(&self.lower.row(i)[..i], &x[..i])) / self.lower[(i, i)];
        }
        for i in (0..n).rev() {
            x[i] /= self.lower[(i, i)];
            let value = x[i];
            self.lower.row(i)[..i].iter().zip(&mut x[..i]).for_each(|(l, x)| *x -= l * value);
        }
        x
    }
}

/// Inner product with four running sums.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a4.zip(b4) {
        (0..4).for_each(|k| sums[k] += x[k] * y[k]);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// 4×4 matrices of pseudo-inertias.
pub(crate) type Mat4 = [[f64; 4]; 4];

/// Lower triangle of a symmetric positive definite 4×4 matrix; `None` if it is not.
pub(crate) fn cholesky4(m: &Mat4) -> Option<Mat4> {
    let mut l = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..=i {
            let rest = m[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            if i == j {
                if !(rest > 0.0 && rest.is_finite()) {
                    return None;
                }
                l[i][i] = rest.sqrt();
            } else {
                l[i][j] = rest / l[j][j];
            }
        }
    }
    Some(l)
}

/// Inverse of a lower triangle.
pub(crate) fn inverse_lower4(l: &Mat4) -> Mat4 {
    let mut x = [[0.0; 4]; 4];
    for c in 0..4 {
        for r in c..4 {
            let e = if r == c { 1.0 } else { 0.0 };
            x[r][c] = (e - (c..r).map(|k| l[r][k] * x[k][c]).sum::<f64>()) / l[r][r];
        }
    }
    x
}

/// a b.
pub(crate) fn times4(a: &Mat4, b: &Mat4) -> Mat4 {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..4).map(|k| a[r][k] * b[k][c]).sum()))
}

/// aᵀ.
pub(crate) fn transposed4(a: &Mat4) -> Mat4 {
    std::array::from_fn(|r| std::array::from_fn(|c| a[c][r]))
}

/// Eigenvalues, ascending, and the rotation V of M = V diag Vᵀ, of a symmetric 4×4 matrix (Jacobi).
pub(crate) fn eigen4(m: &Mat4) -> ([f64; 4], Mat4) {
    let mut a = *m;
    let mut v: Mat4 = std::array::from_fn(|r| std::array::from_fn(|c| if r == c { 1.0 } else { 0.0 }));
    for _ in 0..50 {
        let off: f64 = (0..4).flat_map(|p| (p + 1..4).map(move |q| (p, q))).map(|(p, q)| a[p][q].abs()).sum();
        if off == 0.0 {
            break;
        }
        for p in 0..4 {
            for q in p + 1..4 {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = if theta == 0.0 { 1.0 } else { theta.signum() / (theta.abs() + theta.hypot(1.0)) };
                let t = if t.is_finite() { t } else { 0.0 };
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for k in 0..4 {
                    (a[k][p], a[k][q]) = (c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]);
                }
                for k in 0..4 {
                    (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]);
                    (v[k][p], v[k][q]) = (c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]);
                }
                (a[p][q], a[q][p]) = (0.0, 0.0);
            }
        }
    }
    let mut order = [0, 1, 2, 3];
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    (order.map(|k| a[k][k]), std::array::from_fn(|r| std::array::from_fn(|c| v[r][order[c]])))
}
