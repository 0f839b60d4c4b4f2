//! Singular values by one-sided Jacobi rotations, and the rank they show.

use steiner_linalg::elimination::Matrix;

/// Singular values below this fraction of the largest are rounding.
const ROUNDING: f64 = 1e-11;
/// Forces of unit parameters below this are rounding, N or N·m.
pub const NO_FORCE: f64 = 1e-12;
/// A rank is clear when the singular values fall by this much behind it.
const CLEAR: f64 = 1e4;

/// All singular values, falling.
pub fn singular_values(matrix: &Matrix<f64>) -> Vec<f64> {
    let mut columns: Vec<Vec<f64>> =
        (0..matrix.columns()).map(|c| (0..matrix.rows()).map(|r| matrix[(r, c)]).collect()).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    for _ in 0..60 {
        let mut turned = false;
        for a in 0..columns.len() {
            for b in a + 1..columns.len() {
                let (left, right) = columns.split_at_mut(b);
                let (u, v) = (&mut left[a], &mut right[0]);
                let (uu, vv, uv) = (dot(u, u), dot(v, v), dot(u, v));
                if uv.abs() <= 1e-15 * (uu * vv).sqrt() || uv == 0.0 {
                    continue;
                }
                turned = true;
                let zeta = (vv - uu) / (2.0 * uv);
                let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = c * t;
                for (x, y) in u.iter_mut().zip(v.iter_mut()) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let mut values: Vec<f64> = columns.iter().map(|column| dot(column, column).sqrt()).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// The rank, where doubles show it clearly: the singular values fall by four digits or more, to rounding.
pub fn clear_rank(matrix: &Matrix<f64>) -> Option<usize> {
    let values = singular_values(matrix);
    let largest = values.first().copied().unwrap_or(0.0);
    if largest <= NO_FORCE {
        return Some(0);
    }
    let floor = 1e-15 * largest;
    let after = |k: usize| values.get(k).copied().unwrap_or(0.0).max(floor);
    let fall = |k: usize| after(k - 1) / after(k);
    let eligible = (1..=values.len()).filter(|&k| after(k) <= ROUNDING * largest);
    let rank = eligible.fold(values.len(), |best, k| if fall(k) > fall(best) { k } else { best });
    (fall(rank) >= CLEAR).then_some(rank)
}

/// The number of independent vectors among some of unit length.
pub fn independent(vectors: &[Vec<f64>]) -> usize {
    let Some(first) = vectors.first() else { return 0 };
    let columns = Matrix::from_fn(first.len(), vectors.len(), |r, c| vectors[c][r]);
    singular_values(&columns).iter().filter(|&&value| value > 1e-9).count()
}
